"""Win% of a few moves is that of many, to the last bit; bundled tables hold no words and name their list."""

from __future__ import annotations

import lzma
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.win_pct import MIDDLE, SCALE, WinChances, WinPctTable, find_win_pct_table
from engine.lexicon.catalogue import BUNDLED
from engine.lexicon.store import TableFile
from engine.lexicon.word_lists.word_list import read_word_list
from engine.position import Board, Player, Position, Rack
from engine.rules import board_layout, default_rule_set, tile_set

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.catalogue import Catalogue

ROWS = 94
NOISE = np.random.default_rng(5).integers(0, SCALE + 1, (ROWS, 2 * MIDDLE + 1)).astype(np.uint16)
TABLE = WinPctTable(NOISE, np.ones(ROWS, np.int64), meta={})
START = Position(
    Board.empty(15),
    board_layout("standard15"),
    tile_set("english"),
    default_rule_set("english"),
    (Player(0, Rack(bytes(range(1, 8)))), Player()),
)


@given(
    scores=st.tuples(st.integers(-600, 600), st.integers(-600, 600)),
    moves=st.lists(
        st.tuples(st.integers(0, 400), st.integers(-50_000, 450_000), st.integers(0, 7)), min_size=1
    ),
    squares=st.sampled_from([0, 50, 86, 93]),
)
def test_a_few_moves_get_the_win_pct_of_arrays(
    scores: tuple[int, int], moves: list[tuple[int, int, int]], squares: int
) -> None:
    tiles = [code for code, count in enumerate(START.tile_set.counts) for _ in range(count) if code]
    for code in START.rack.tiles:
        tiles.remove(code)
    board = Board(15, bytes(tiles[:squares]).ljust(225, b"\0"))
    first, second = START.players
    players = (replace(first, score=scores[0]), replace(second, score=scores[1]))
    chances = WinChances(TABLE, replace(START, board=board, players=players))
    few = chances.after_few([(*move, 0) for move in moves])
    many = chances.after(*zip(*moves, strict=True)).tolist()
    assert few == [round(100 * chance) / 100 for chance in many]


def unpacked(path: Path, folder: Path) -> TableFile:
    """Unpack a bundled table into a folder."""
    table = folder / "table.kibitz"
    table.write_bytes(lzma.decompress(path.read_bytes()))
    return TableFile.open(table)


@pytest.mark.parametrize(
    "path", sorted(BUNDLED.glob("*/win_pct.kibitz.xz")), ids=lambda path: path.parent.name
)
def test_a_bundled_table_holds_shares_and_counts_alone(path: Path, tmp_path: Path) -> None:
    """No word of a tournament list may be in the repository."""
    file = unpacked(path, tmp_path)
    assert set(file.sections) == {"values", "counts"}
    assert file.section("values").shape == (len(file.section("counts")), 2 * MIDDLE + 1)
    assert file.meta["lexicon"] == path.parent.name


def test_the_bundled_list_has_its_own_table(bundled: Catalogue) -> None:
    table = find_win_pct_table(bundled.open("scowl80"))
    assert table is not None
    assert (table.own, table.name.split("/")[0]) == (True, "scowl80")


def test_the_table_of_twl06_is_bound_to_the_list(shared_data: Path, tmp_path: Path) -> None:
    """By the checksum of its text; a lexicon takes the table with its own checksum."""
    words = read_word_list(shared_data / "lexica" / "twl06.txt", tile_set("english").alphabet, max_length=16)
    assert (
        unpacked(BUNDLED / "twl06" / "win_pct.kibitz.xz", tmp_path).meta["word_list_sha256"] == words.sha256
    )
