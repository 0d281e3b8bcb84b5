"""Win% of a few moves is that of many, to the last bit; bundled tables hold no words and name their list."""

from __future__ import annotations

import lzma
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.learned import find_learned
from engine.evaluation.win_pct import (
    KIND,
    MIDDLE,
    SCALE,
    VERSION,
    WinChances,
    WinPctTable,
    find_win_pct_table,
    win_pct_before,
)
from engine.lexicon.catalogue import BUNDLED
from engine.lexicon.store import TableFile
from engine.lexicon.word_lists.word_list import read_word_list
from engine.movegen.legal_moves import ValuedMove
from engine.position import Board, Pass, Player, Position, Rack
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


def later(scores: tuple[int, int], squares: int) -> Position:
    """Return the position with these scores and so many tiles on the board."""
    tiles = [code for code, count in enumerate(START.tile_set.counts) for _ in range(count) if code]
    for code in START.rack.tiles:
        tiles.remove(code)
    board = Board(15, bytes(tiles[:squares]).ljust(225, b"\0"))
    first, second = START.players
    players = (replace(first, score=scores[0]), replace(second, score=scores[1]))
    return replace(START, board=board, players=players)


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
    chances = WinChances(TABLE, later(scores, squares))
    few = chances.after_few([ValuedMove(Pass(), score, equity, 0, placed) for score, equity, placed in moves])
    many = chances.after(*zip(*moves, strict=True)).tolist()
    assert few == [round(100 * chance) / 100 for chance in many]


@given(
    scores=st.tuples(st.integers(-300, 300), st.integers(-300, 300)),
    equity=st.integers(-20_000, 120_000),
    moves=st.lists(st.tuples(st.integers(0, 120), st.integers(0, 7)), min_size=2, max_size=2),
    squares=st.integers(0, 85),
)
def test_equal_equity_means_equal_win_pct(
    scores: tuple[int, int], equity: int, moves: list[tuple[int, int]], squares: int
) -> None:
    """With tiles in the bag, whatever the points and the tiles placed: the leave counts like points."""
    chances = WinChances(TABLE, later(scores, squares))
    one, two = chances.after(*zip(*[(score, equity, placed) for score, placed in moves], strict=True))
    assert one == two


def test_more_equity_never_means_a_lower_win_pct(bundled: Catalogue) -> None:
    table = find_win_pct_table(bundled.open("scowl80"))
    assert table is not None
    for squares in range(86):
        chances = WinChances(table, later((0, 0), squares))
        found = chances.after(np.zeros(401), np.arange(-200_000, 201_000, 1000), np.zeros(401))
        assert (np.diff(found) >= 0).all()
        assert found[0] < 25
        assert found[-1] > 75


def test_the_win_pct_before_a_move_is_what_the_last_move_leaves(bundled: Catalogue) -> None:
    table = find_win_pct_table(bundled.open("scowl80"))
    assert table is not None
    first, third = win_pct_before(table, START), win_pct_before(table, later((0, 0), 10))
    assert 50 < first < 60
    assert 50 < third < 60
    for squares in (10, 50, 80):
        behind, ahead = (win_pct_before(table, later((gap, 0), squares)) for gap in (-40, 40))
        assert behind < 50 < ahead


def learned_with(path: Path) -> str:
    """Return the id of the list that the path of a bundled table names."""
    return path.name.removesuffix("win_pct.kibitz.xz").rstrip(".") or path.parent.name


def unpacked(path: Path, folder: Path) -> TableFile:
    """Unpack a bundled table into a folder."""
    table = folder / "table.kibitz"
    table.write_bytes(lzma.decompress(path.read_bytes()))
    return TableFile.open(table)


@pytest.mark.parametrize(
    "path", sorted(BUNDLED.glob("*/*win_pct.kibitz.xz")), ids=lambda path: learned_with(path)
)
def test_a_bundled_table_holds_shares_and_counts_alone(path: Path, tmp_path: Path) -> None:
    """No word of a tournament list may be in the repository."""
    file = unpacked(path, tmp_path)
    assert set(file.sections) == {"values", "counts"}
    assert file.section("values").shape == (len(file.section("counts")), 2 * MIDDLE + 1)
    assert (file.meta["lexicon"], file.meta["version"]) == (learned_with(path), VERSION)


def test_a_bundled_table_of_another_version_serves_no_lexicon(bundled: Catalogue) -> None:
    """Its rows and columns mean something else."""
    scowl = bundled.open("scowl80")
    assert find_learned(scowl, KIND, VERSION) is not None
    assert find_learned(scowl, KIND, VERSION + 1) is None


def test_the_bundled_list_has_its_own_table(bundled: Catalogue) -> None:
    table = find_win_pct_table(bundled.open("scowl80"))
    assert table is not None
    assert (table.own, table.name.split("/")[0]) == (True, "scowl80")


@pytest.mark.parametrize(("lexicon_id", "file"), [("twl06", "twl06.txt"), ("enable", "enable1.txt")])
def test_the_table_of_a_list_that_is_not_bundled_is_bound_to_it(
    shared_data: Path, tmp_path: Path, lexicon_id: str, file: str
) -> None:
    """By the checksum of its text; a lexicon takes the table with its own checksum."""
    words = read_word_list(shared_data / "lexica" / file, tile_set("english").alphabet, max_length=16)
    table = unpacked(BUNDLED / "english" / f"{lexicon_id}.win_pct.kibitz.xz", tmp_path)
    assert table.meta["word_list_sha256"] == words.sha256
