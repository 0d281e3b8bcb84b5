"""The best play found alone is the first of the full list, on the positions of real games.

Random boards, tile sets and layouts: test_agreement.py; every vector path: test_paths.py.
"""

from __future__ import annotations

import csv
import json
import os
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from engine.loaded_board import LoadedBoard
from engine.movegen import PLAY_DTYPE, leaves
from engine.movegen.internal_words import InternalWords
from engine.records import parse_cgp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.movegen.worlds import World


def positions(shared_data: Path) -> Iterator[str]:
    """Yield the oracle's positions and every eighth greedy one (all of them with FULL_COMPARISON=1)."""
    for name in ("oracle_twl06.jsonl", "oracle_seed_cases_twl06.jsonl"):
        for line in (shared_data / "positions" / name).read_text("utf-8").splitlines():
            yield json.loads(line)["cgp"]
    step = 1 if os.environ.get("FULL_COMPARISON") else 8
    with (shared_data / "positions" / "greedy_twl06.tsv").open(encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)):
            if number % step == 0:
                yield row["cgp"]


def test_the_best_alone_is_the_first_of_the_list(shared_data: Path, twl06: World) -> None:
    search = InternalWords(twl06.lexicon)
    random, tried = np.random.default_rng(3), 0
    for cgp in positions(shared_data):
        position = parse_cgp(cgp, tile_set=twl06.tile_set)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, twl06.lexicon)
        count = len(leaves(position.rack))
        learned = random.normal(0, 8000, count).astype(np.int32)
        coarse = (learned // 10_000 * 10_000).astype(np.int32)  # provokes ties
        for values in (None, learned, coarse):
            plays = search.generate(board, position.rack, position.rules, values)
            first = plays.array[plays.best(1, by="equity")]
            alone = search.best(board, position.rack, position.rules, values).array
            for field in PLAY_DTYPE.names or ():
                assert alone[field].tolist() == first[field].tolist(), cgp
            tried += 1
    assert tried > 3 * 1000


def test_a_play_is_found_again(shared_data: Path, twl06: World) -> None:
    search = InternalWords(twl06.lexicon)
    for cgp in islice(positions(shared_data), 5):
        position = parse_cgp(cgp, tile_set=twl06.tile_set)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, twl06.lexicon)
        plays = search.generate(board, position.rack, position.rules)
        chosen = range(0, len(plays), 1 + len(plays) // 100)
        assert [plays.find(plays.move(index)) for index in chosen] == list(chosen)
        assert plays.find(replace(plays.move(0), tiles=plays.move(0).tiles * 2)) is None


def test_intervals_that_cannot_win_are_not_answered(twl06: World) -> None:
    """Fewer words are validated, or the bounds would be no use."""
    search, random = InternalWords(twl06.lexicon), Random(5)
    tile_set = twl06.tile_set
    cgp = "15/15/15/15/15/15/15/3ANEROID5/15/15/15/15/15/15/15 {}/ 0/0 0"
    bag = [code for code, tile in enumerate(tile_set.counts) for _ in range(tile)]
    for _ in range(5):
        rack = "".join(tile_set.alphabet.letters[code - 1] if code else "?" for code in random.sample(bag, 7))
        position = parse_cgp(cgp.format(rack), tile_set=tile_set)
        board = LoadedBoard.load(position.board, position.layout, tile_set, twl06.lexicon)
        every = search.generate(board, position.rack, position.rules).statistics
        alone = search.best(board, position.rack, position.rules).statistics
        assert alone["intervals"] == every["intervals"]
        assert alone["candidates"] < every["candidates"]
