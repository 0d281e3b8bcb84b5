"""The golden positions: figures with the bundled list that any engine can be compared with."""

from __future__ import annotations

import csv
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.movegen.perft import perft
from engine.movegen.reference import Reference
from engine.records import parse_cgp
from tests.golden.positions import COLUMNS, LEXICON

if TYPE_CHECKING:
    from engine.lexicon import Catalogue, Lexicon

FILE = Path(__file__).with_name("scowl80.tsv")
LINES = list(csv.DictReader(FILE.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def check(line: dict[str, str], lexicon: Lexicon, search: InternalWords | Reference) -> None:
    position = parse_cgp(line["cgp"])
    position.check()
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    plays = search.generate(board, position.rack, position.rules)
    found = asdict(
        perft(position, ((plays.move(i), int(plays.array["score"][i])) for i in range(len(plays))))
    )
    assert {column: str(value) for column, value in found.items()} == {
        column: line[column] for column in COLUMNS[2:]
    }, line["cgp"]


def test_the_file_is_complete() -> None:
    assert len(LINES) > 80
    assert tuple(LINES[0]) == COLUMNS
    assert {line["lexicon"] for line in LINES} == {LEXICON}


def test_the_generator_agrees_with_every_golden_line(bundled: Catalogue) -> None:
    lexicon = bundled.open(LEXICON)
    search = InternalWords(lexicon)
    for line in LINES:
        check(line, lexicon, search)


def test_the_file_is_the_work_of_the_reference(bundled: Catalogue) -> None:
    """A few lines; `python -m tests.golden.positions` computes all of them."""
    lexicon = bundled.open(LEXICON)
    search = Reference(lexicon)
    for line in LINES[13::12]:
        check(line, lexicon, search)
