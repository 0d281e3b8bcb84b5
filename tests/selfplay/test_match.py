"""Matches: threads and interruptions do not change the result; Ctrl-C ends them soon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.errors import InvalidInput
from engine.rules import tile_set
from engine.selfplay import GameSetup, Match, resumable_run
from engine.selfplay.estimate import Estimate, share_interval
from engine.selfplay.match import MatchProgress
from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon import Lexicon


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> GameSetup:
    return GameSetup.of(playable(tmp_path_factory.mktemp("match"), few_tiles(8, 5)))


def test_threads_do_not_change_the_result(setup: GameSetup) -> None:
    every = []
    for threads in (1, 2, 4):
        match = Match(setup, ("greedy", "heuri2"), 60, seed=4)
        reported: list[MatchProgress] = []
        score = match.run(threads, reported.append)
        assert reported[-1] == MatchProgress(score, 0, 60.0)
        assert score.games == score.wins + score.ties + score.losses == 60
        every.append((match.results.tobytes(), score))
    assert every[0] == every[1] == every[2]


def test_the_score_is_that_of_the_first_player(setup: GameSetup) -> None:
    match = Match(setup, ("greedy", "heuri2"), 40)
    score = match.run(2)
    mirrored = Match(setup, ("heuri2", "greedy"), 40)
    other = mirrored.run(2)
    assert (score.wins, score.ties, score.losses) == (other.losses, other.ties, other.wins)
    assert score.spread.value == pytest.approx(-other.spread.value)
    assert score.share.low < score.share.value < score.share.high
    pairs = mirrored.by_player("final").reshape(-1, 2, 2)  # the same two games, the other one first
    assert (match.by_player("final").reshape(-1, 2, 2) == pairs[:, ::-1, ::-1]).all()
    same = Match(setup, ("greedy", "greedy"), 20).run(1)
    assert (same.share.value, same.spread.value) == (0.5, 0.0)


def test_an_interrupted_match_continues_with_the_same_result(
    setup: GameSetup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uninterrupted = Match(setup, ("greedy", "heuri2"), 120)
    uninterrupted.run(2)
    monkeypatch.setattr(resumable_run, "SAVE_SECONDS", 0.0)
    state = tmp_path / "match.state"
    stopped = Match(setup, ("greedy", "heuri2"), 120, state=state)

    def interrupt(progress: MatchProgress) -> None:
        if progress.score.games > 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.run(1, interrupt)
    again = Match(setup, ("greedy", "heuri2"), 120, state=state)
    assert 0 < again.pairs_done < 60
    again.run(3)
    assert again.results.tobytes() == uninterrupted.results.tobytes()
    with pytest.raises(InvalidInput, match="another match") as caught:
        Match(setup, ("greedy", "heuri2"), 122, state=state)
    assert caught.value.code == "other_match"


@pytest.mark.parametrize("player", ["monte_carlo,iterations=100000000,confidence=0", "level10"])
def test_an_interruption_ends_searches_that_would_take_hours(setup: GameSetup, player: str) -> None:
    match = Match(setup, (player, "greedy"), 20)
    reported: list[MatchProgress] = []

    def interrupt(progress: MatchProgress) -> None:
        reported.append(progress)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match.run(2, interrupt)
    assert reported[0].score.games == match.pairs_done == 0
    assert (reported[0].games > 0) == (reported[0].moves > 0)


@pytest.mark.long
def test_moves_are_reported_before_the_first_game_has_ended(setup: GameSetup) -> None:
    match = Match(setup, ("monte_carlo,iterations=12000,confidence=0", "greedy"), 2)
    reported: list[MatchProgress] = []
    match.run(1, reported.append)
    within = [progress for progress in reported if not progress.score.games]
    assert within[-1].moves > 0
    assert 0 < within[-1].games < 2
    assert [progress.games for progress in reported] == sorted(progress.games for progress in reported)


@pytest.mark.parametrize(("games", "seed"), [(3, 1), (0, 1), (-2, 1), (2, -1), (2, 2**63)])
def test_impossible_matches_are_rejected(setup: GameSetup, games: int, seed: int) -> None:
    with pytest.raises(InvalidInput):
        Match(setup, ("greedy", "greedy"), games, seed=seed)


def test_unknown_players_and_missing_tables_are_named(tmp_path: Path) -> None:
    lexicon: Lexicon = playable(tmp_path, tile_set("spanish"))
    with pytest.raises(InvalidInput, match="heuri7"):
        Match(GameSetup.of(lexicon), ("heuri7", "greedy"), 2).run(1)


def test_the_interval_of_a_share_is_wilson_s() -> None:
    """Statistical tables: 95 % intervals of 8 of 10, and of 60 of 60."""
    assert share_interval(0.8, 0.0, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert share_interval(1.0, 0.0, 60) == pytest.approx((0.9398, 1.0), abs=1e-4)
    # Trials that depend on each other count as the independent ones with the same standard error.
    assert share_interval(0.8, 1.959964 * (0.8 * 0.2 / 10) ** 0.5, 100) == pytest.approx(
        share_interval(0.8, 0.0, 10)
    )
    few = Estimate.of_share(np.array([0.0, 0.75]), 4)
    assert (few.value, np.isnan(few.low), np.isnan(few.high)) == (0.375, True, True)
    won = Estimate.of_share(np.array([0.0, 0.75, 0.5]), 6)
    assert 0 < won.low < won.value < won.high < 1
    one_sided = Estimate.of_share(np.array([1.0, 1.0, 1.0]), 6)
    assert one_sided == Estimate(1.0, *share_interval(1.0, 0.0, 6))


def test_estimates() -> None:
    estimate = Estimate.of(np.array([0.0, 1.0, 0.0, 1.0]))
    assert estimate.value == 0.5
    assert estimate.high - 0.5 == pytest.approx(1.959964 * 0.57735 / 2, rel=1e-4)
