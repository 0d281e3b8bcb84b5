"""The best play found alone is the first of the full list, on the positions of real games.

Random boards, tile sets and layouts: test_agreement.py; every vector path: test_paths.py.
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from engine.loaded_board import LoadedBoard
from engine.movegen import PLAY_DTYPE, leaves
from engine.movegen.internal_words import InternalWords
from engine.records import parse_cgp

if TYPE_CHECKING:
    from tests.large_list import LargeList
    from tests.movegen.worlds import World


def positions(large_list: LargeList) -> list[str]:
    """Return the counted positions and about 950 of the greedy ones (all of them with FULL_COMPARISON=1)."""
    step = 1 if os.environ.get("FULL_COMPARISON") else max(1, len(large_list.greedy) // 945)
    return [row["cgp"] for row in (*large_list.counted, *large_list.greedy[::step])]


def test_the_best_alone_is_the_first_of_the_list(large_list: LargeList, large: World) -> None:
    search = InternalWords(large.lexicon)
    random = np.random.default_rng(3)
    for cgp in positions(large_list):
        position = parse_cgp(cgp, tile_set=large.tile_set)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, large.lexicon)
        count = len(leaves(position.rack))
        learned = random.normal(0, 8000, count).astype(np.int32)
        coarse = (learned // 10_000 * 10_000).astype(np.int32)  # provokes ties
        for values in (None, learned, coarse):
            plays = search.generate(board, position.rack, position.rules, values)
            first = plays.array[plays.best(1, by="equity")]
            alone = search.best(board, position.rack, position.rules, values).array
            for field in PLAY_DTYPE.names or ():
                assert alone[field].tolist() == first[field].tolist(), cgp


def test_a_play_is_found_again(large_list: LargeList, large: World) -> None:
    search = InternalWords(large.lexicon)
    for cgp in positions(large_list)[:5]:
        position = parse_cgp(cgp, tile_set=large.tile_set)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, large.lexicon)
        plays = search.generate(board, position.rack, position.rules)
        chosen = range(0, len(plays), 1 + len(plays) // 100)
        assert [plays.find(plays.move(index)) for index in chosen] == list(chosen)
        assert plays.find(replace(plays.move(0), tiles=plays.move(0).tiles * 2)) is None


def test_intervals_that_cannot_win_are_not_answered(large: World) -> None:
    """Fewer words are validated, or the bounds would be no use."""
    search, random = InternalWords(large.lexicon), Random(5)
    tile_set = large.tile_set
    cgp = "15/15/15/15/15/15/15/3ANEROID5/15/15/15/15/15/15/15 {}/ 0/0 0"
    bag = [code for code, tile in enumerate(tile_set.counts) for _ in range(tile)]
    for _ in range(5):
        rack = "".join(tile_set.alphabet.letters[code - 1] if code else "?" for code in random.sample(bag, 7))
        position = parse_cgp(cgp.format(rack), tile_set=tile_set)
        board = LoadedBoard.load(position.board, position.layout, tile_set, large.lexicon)
        every = search.generate(board, position.rack, position.rules).statistics
        alone = search.best(board, position.rack, position.rules).statistics
        assert alone["intervals"] == every["intervals"]
        assert alone["candidates"] < every["candidates"]
