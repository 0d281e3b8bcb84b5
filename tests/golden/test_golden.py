"""The golden positions: figures with the bundled list that any engine can be compared with."""

from __future__ import annotations

import csv
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.lexicon.catalogue import Catalogue
from engine.lexicon.rivals.parts import PARTS
from engine.loaded_board import LoadedBoard
from engine.movegen import GENERATOR_NAMES, generator
from engine.movegen.perft import perft
from engine.movegen.reference import Reference
from engine.records import parse_cgp
from tests.golden.positions import COLUMNS, LEXICON

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.movegen import MoveGenerator

FILE = Path(__file__).with_name("scowl80.tsv")
LINES = list(csv.DictReader(FILE.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def check(line: dict[str, str], lexicon: Lexicon, search: MoveGenerator) -> None:
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


@pytest.fixture(scope="module")
def rival_lexicon(bundled: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    """The bundled lexicon with the parts of the tables that the rivals need."""
    catalogue = Catalogue(tmp_path_factory.mktemp("golden"), bundled=bundled.bundled)
    catalogue.add_parts(LEXICON, PARTS)
    return catalogue.open(LEXICON)


def test_the_file_is_complete() -> None:
    assert len(LINES) > 80
    assert tuple(LINES[0]) == COLUMNS
    assert {line["lexicon"] for line in LINES} == {LEXICON}


def test_the_main_generator_agrees_with_every_golden_line(bundled: Catalogue) -> None:
    lexicon = bundled.open(LEXICON)
    search = generator("internal_words", lexicon)
    for line in LINES:
        check(line, lexicon, search)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GENERATOR_NAMES[1:], "literal"])
def test_a_rival_agrees_with_every_golden_line(rival_lexicon: Lexicon, name: str) -> None:
    """test_every_line_of_the_oracle tests the rivals on such positions every time."""
    search = generator(name, rival_lexicon)
    for line in LINES:
        check(line, rival_lexicon, search)


def test_the_file_is_the_work_of_the_reference(bundled: Catalogue) -> None:
    """A few lines; `python -m tests.golden.positions` computes all of them."""
    lexicon = bundled.open(LEXICON)
    search = Reference(lexicon)
    for line in LINES[13::12]:
        check(line, lexicon, search)
