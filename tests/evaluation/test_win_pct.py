"""`after_few` returns what `after` returns, rounded to hundredths, to the last bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.win_pct import MIDDLE, SCALE, WinChances, WinPctTable
from engine.position import Board, Player, Position, Rack
from engine.rules import board_layout, default_rule_set, tile_set

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
