"""R_n: against plain counting, and the sizes and leaves that the text prints."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.evaluation.bingo_leaves import PRINTED, SIZES, bingo_figures, bingo_probabilities, good_leaves
from engine.evaluation.bingo_table import bingo_table

if TYPE_CHECKING:
    from tests.movegen.worlds import World


@pytest.mark.parametrize("name", ["english", "spanish", "letters-33"])
@pytest.mark.parametrize("size", [0, 1, 3, 6])
def test_probabilities_are_those_of_counting(worlds: dict[str, World], name: str, size: int) -> None:
    lexicon = worlds[name].lexicon
    table, bag = bingo_table(lexicon), lexicon.tile_set.counts
    ways: dict[bytes, int] = {}
    for entry in np.flatnonzero(table.septet):
        tiles = table.tiles(int(entry))
        for leave in {bytes(chosen) for chosen in combinations(tiles, size)}:
            product = 1
            for code in set(tiles):
                copies = leave.count(code)
                product *= comb(bag[code] - copies, tiles.count(code) - copies)
            ways[leave] = ways.get(leave, 0) + product
    keys, probabilities = bingo_probabilities(lexicon, size)
    draws = comb(sum(bag) - size, 7 - size)
    found = {int(key).to_bytes(size): p for key, p in zip(keys, probabilities, strict=True)}
    assert found == pytest.approx({leave: float(Fraction(n, draws)) for leave, n in ways.items()})
    assert list(probabilities) == sorted(probabilities, reverse=True)


@pytest.mark.long
def test_the_good_leaves_of_the_field(twl06: World) -> None:
    figures = bingo_figures(twl06.lexicon)
    assert tuple(len(leaves) for leaves in figures.good_leaves.values()) == SIZES
    assert figures.good_leaves[0][0] == ("", pytest.approx(0.129, abs=0.001))  # a bingo in the first rack
    assert [leave for leave, _ in figures.good_leaves[1]][:4] == ["?", "S", "R", "N"]
    assert figures.only_printed is not None
    assert figures.only_printed[1] == ["A", "I"]
    assert len(PRINTED[2].split()) == SIZES[2]
    assert len(figures.only_printed[2]) == 24
    assert [leave for leave, _ in good_leaves(twl06.lexicon, 2, 3)] == [b"\0\0", b"\0\x13", b"\0\x12"]
