"""Training: tables follow from the games played; threads and interruptions do not change them."""

from __future__ import annotations

from itertools import combinations
from math import comb, floor
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.evaluation.evaluators import evaluator_kernel
from engine.evaluation.leave_ranks import leave_ranks
from engine.evaluation.win_pct import MIDDLE, SCALE, WinChances, WinPctTable
from engine.position import Board, Player, Position, Rack
from engine.rules import board_layout, default_rule_set, tile_set
from engine.selfplay import (
    GameSetup,
    LeavePlan,
    LeaveTraining,
    WinPctTraining,
    calibration,
    mean_error,
    resumable_run,
    win_pct_training,
)
from engine.selfplay.games import game_loop, play_game
from engine.selfplay.leave_smoothing import smoothed_leaves
from engine.selfplay.parts import GameControl
from engine.selfplay.win_pct_training import WinPctWork, pool_adjacent_violators, smoothed_chances
from lab.selfplay.replaying import turns_of
from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon.catalogue import Catalogue


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> GameSetup:
    return GameSetup.of(playable(tmp_path_factory.mktemp("training"), few_tiles(8, 5)))


def made_up_sums(racks: int, seed: int) -> NDArray[np.int64]:
    """Return the sums of a sampler for racks whose equity consists of tiles, pairs and noise."""
    tiles = few_tiles(8, 5)
    ranks = leave_ranks(tiles)
    random = np.random.default_rng(3)
    single, pair = random.normal(0, 6, 9), np.triu(random.normal(0, 2, (9, 9)))
    random = np.random.default_rng(seed)
    bag = np.repeat(np.arange(9), tiles.counts)
    sums = np.zeros((len(ranks), 4), np.int64)
    rows = [tuple(row) for rows in ranks.leaves for row in rows.tolist()]
    numbers = {row: rank for rank, row in enumerate(rows)}

    def true_value(codes: tuple[int, ...]) -> float:
        return float(single[list(codes)].sum() + sum(pair[a, b] for a, b in combinations(codes, 2)))

    for _ in range(racks):
        rack = tuple(sorted(random.choice(bag, 7, replace=False).tolist()))
        equity = round(100 * (30 + true_value(rack) + random.normal(0, 12)))
        ways: dict[tuple[int, ...], int] = {}
        for size in range(7):
            for part in combinations(rack, size):
                ways[part] = ways.get(part, 0) + 1
        for part, count in ways.items():
            sums[numbers[part]] += [count * equity, count * equity**2, count, 1]
    return sums


@pytest.mark.long
def test_smoothing_moves_rare_leaves_closer_to_their_true_values() -> None:
    sums = made_up_sums(1000, 1)
    held_out = made_up_sums(3000, 2)
    ranks = leave_ranks(few_tiles(8, 5))
    smoothed = smoothed_leaves(sums, ranks)
    assert smoothed.values[0] == 0
    mean = held_out[0, 0] / held_out[0, 2] / 100
    with np.errstate(invalid="ignore", divide="ignore"):
        raw = np.where(sums[:, 2] > 0, sums[:, 0] / sums[:, 2] / 100 - smoothed.mean, 0)
        later = held_out[:, 0] / held_out[:, 2] / 100 - mean
    for size in (4, 5, 6):
        own = slice(int(ranks.base[size]), int(ranks.base[size + 1]))
        weight = held_out[own, 3]
        apart = [
            float((weight * (guess[own] - later[own]) ** 2)[weight > 0].sum())
            for guess in (smoothed.values, raw)
        ]
        assert apart[0] < 0.9 * apart[1]
    often = sums[:, 3] > 300
    assert np.abs(smoothed.values - raw)[often].max() < 2


def test_sums_are_those_of_the_racks_dealt(setup: GameSetup) -> None:
    training = LeaveTraining(setup, LeavePlan((20,), 0, racks=2, seed=5))
    sums = training._work(plain=False).player(setup.lexicon)(range(1), GameControl())
    ranks = training.ranks
    racks = int(sums[0, 3])
    assert racks == sums[0, 2] > 50
    for size in range(1, 7):
        own = slice(int(ranks.base[size]), int(ranks.base[size + 1]))
        assert sums[own, 2].sum() == racks * comb(7, size)
        assert sums[own, 0].sum() == sums[0, 0] * comb(7, size)
        assert (sums[own, 3] <= sums[own, 2]).all()


def test_training_does_not_depend_on_threads_or_interruptions(
    setup: GameSetup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resumable_run, "SAVE_SECONDS", 0.0)
    plan = LeavePlan.of(64 * 2, generations=2, racks=1, seed=2)
    uninterrupted = LeaveTraining(setup, plan).run(1)
    other = LeaveTraining(setup, plan).run(3)
    state = tmp_path / "training.state"

    def interrupt(done: int) -> None:
        if done in (32, 96, 160):
            raise KeyboardInterrupt

    rounds = 0
    while True:
        rounds += 1
        training = LeaveTraining(setup, plan, state)
        try:
            resumed = training.run(2, interrupt)
        except KeyboardInterrupt:
            monkeypatch.setattr(resumable_run, "SAVE_SECONDS", 0.0)
            if rounds > 3:
                interrupt = lambda done: None  # noqa: E731
            continue
        break
    for table in (other, resumed):
        assert (table.values == uninterrupted.values).all()
        assert table.plain is not None
        assert uninterrupted.plain is not None
        assert (table.plain == uninterrupted.plain).all()
        assert (table.racks == uninterrupted.racks).all()
        assert table.meta == uninterrupted.meta
    assert np.abs(uninterrupted.values).max() > 100
    assert (uninterrupted.plain != uninterrupted.values).any()
    with pytest.raises(InvalidInput, match="another training") as caught:
        LeaveTraining(setup, LeavePlan.of(256), state)
    assert caught.value.code == "other_training"


@pytest.mark.parametrize("wrong", [{"games": 0}, {"games": 1, "generations": 0}, {"games": 1, "racks": 0}])
def test_impossible_plans_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidInput):
        LeavePlan.of(**wrong)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 10)), min_size=1, max_size=12))
def test_pooling_is_the_closest_monotone_sequence(rows: list[tuple[float, float]]) -> None:
    values, weights = (np.array(column) for column in zip(*rows, strict=True))
    pooled = pool_adjacent_violators(values, weights)
    assert (np.diff(pooled) >= -1e-12).all()
    # The least-squares answer in closed form: the greatest of the least means (Robertson and others 1988).
    for i in range(len(values)):
        expected = max(
            min(np.average(values[a : b + 1], weights=weights[a : b + 1]) for b in range(i, len(values)))
            for a in range(i + 1)
        )
        assert pooled[i] == pytest.approx(expected)


def test_chances_are_recovered_from_outcomes() -> None:
    random = np.random.default_rng(1)
    counts = np.zeros((30, 2 * MIDDLE + 1, 3), np.int64)
    spread = np.arange(-MIDDLE, MIDDLE + 1)
    true = {}
    for unseen in (5, 12, 20, 21, 22):
        true[unseen] = 1 / (1 + np.exp(-(spread + 3) / (2 + unseen)))
        games = np.rint(900 * np.exp(-(((spread) / 60) ** 2))).astype(int)
        won = random.binomial(games, true[unseen])
        counts[unseen, :, 2], counts[unseen, :, 0] = won, games - won
    table = smoothed_chances(counts)
    assert (np.diff(table.astype(int), axis=1) >= 0).all()
    assert table.min() > 0
    assert table.max() < SCALE
    for unseen, chances in true.items():
        near = np.abs(spread) < 120
        apart = np.abs(table[unseen] / SCALE - chances)[near]
        assert apart.mean() < 0.008
        assert apart.max() < 0.05
    assert (table[13] == table[20]).all()  # the next row that was played


@pytest.mark.long
def test_win_pct_training_continues_and_is_calibrated(
    setup: GameSetup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resumable_run, "SAVE_SECONDS", 0.0)
    uninterrupted = WinPctTraining(setup, "greedy", 1000, seed=3)
    table = uninterrupted.run(1)
    state = tmp_path / "win.state"
    stopped = WinPctTraining(setup, "greedy", 1000, seed=3, state=state)

    def interrupt(done: int) -> None:
        if done > 300:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.run(2, interrupt)
    again = WinPctTraining(setup, "greedy", 1000, seed=3, state=state)
    assert 0 < again.games_done < 1000
    assert (again.run(2).values == table.values).all()
    assert (again.counts == uninterrupted.counts).all()
    with pytest.raises(InvalidInput, match="another training"):
        WinPctTraining(setup, "greedy", 1000, seed=4, state=state)
    monkeypatch.setattr(win_pct_training, "MIN_POSITIONS", 300)
    one, two = (calibration(table, setup, "greedy", 1500, seed=77, threads=threads) for threads in (1, 3))
    assert one == two
    assert len(one) > 10
    assert all(each.positions >= 300 for each in one)
    assert mean_error(one) < 0.04
    off = WinPctTable(np.minimum(table.values + SCALE // 5, SCALE), table.counts, meta={})
    assert not all(each.holds for each in calibration(off, setup, "greedy", 1500, seed=77, threads=1))


def test_chances_of_moves() -> None:
    tiles = tile_set("english")
    rows = np.arange(101)[:, None] * 100 + np.arange(2 * MIDDLE + 1)[None, :]
    table = WinPctTable(rows.astype(np.uint16), np.ones(101, np.int64), meta={})
    layout, rules = board_layout("standard15"), default_rule_set("english")
    empty = Position(Board.empty(15), layout, tiles, rules, (Player(10, Rack(bytes([1] * 7))), Player(4)))
    after = WinChances(table, empty).after([20, 0], [21_500, -2_500], [3, 0])
    # the mover cannot see 93 tiles, whatever the move
    expected = [100 * (93 * 100 + MIDDLE + 27.5) / SCALE, 100 * (93 * 100 + MIDDLE + 3.5) / SCALE]
    assert after == pytest.approx(expected)
    board = bytearray(225)
    codes = [code for code, count in enumerate(tiles.counts) for _ in range(count)]
    for code in (1, 1, 17, 26):  # A A against Q Z: 20 points
        codes.remove(code)
    board[: len(codes)] = bytes(code or 0x81 for code in codes)
    last = Position(
        Board(15, bytes(board)), layout, tiles, rules,
        (Player(100, Rack(b"\x01\x01")), Player(150, tile_count=2)),
    )  # fmt: skip
    assert last.bag_count() == 0
    chances = WinChances(table, last).after([10, 9, 11, 5], [0] * 4, [2, 2, 2, 1])
    assert chances[:3].tolist() == [50, 0, 100]
    assert chances[3] == pytest.approx(100 * (2 * 100 + MIDDLE - 45) / SCALE)


def test_games_are_counted_by_what_a_win_pct_is_looked_up_by(bundled: Catalogue) -> None:
    """The row and the column of a move in the counts are those of `WinChances.after`."""
    scowl = bundled.open("scowl80")
    setup = GameSetup.of(scowl)
    counts = WinPctWork(setup.layout, setup.rules, "static", 5).player(scowl)(range(12), GameControl())
    rows = np.arange(101)[:, None] * 801 + np.arange(2 * MIDDLE + 1)[None, :]
    places = WinPctTable(rows, np.ones(101, np.int64), meta={})  # the value of an entry says where it is
    found = np.zeros_like(counts)
    kernels = [evaluator_kernel("static", scowl, setup.rules) for _ in range(2)]
    loop = game_loop(setup, *kernels)
    for number in range(12):
        game = play_game(loop, 5, number)
        for turn, logged in zip(turns_of(setup, game), game.turns, strict=True):
            seat = int(logged["seat"])
            score, equity = [int(logged["play"]["score"])], [int(logged["equity"])]
            (at,) = WinChances(places, turn.position).after(score, equity, [0]) * SCALE / 100
            row, column = divmod(floor(at + 0.5 + 1e-6), 801)
            ahead = game.final[seat] - game.final[1 - seat]
            found[row, column, 1 + int(np.sign(ahead))] += 1
    assert (found == counts).all()
