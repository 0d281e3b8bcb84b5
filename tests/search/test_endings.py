"""The ends of rollouts with an empty bag: found by a search, equal to brute force and to the solvers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.movegen import InternalWords
from engine.position import Play
from engine.search import Budget, PreendgameSolver, SimulationPlan
from engine.search.deadline import Deadline
from engine.search.endings import Endings, can_search_endings
from engine.search.preendgame import PreendgameOptions
from tests.search.brute_force import brute_value
from tests.search.test_endgame import small_endgames
from tests.search.test_simulation import candidates, games, hidden, late, lexicon, loaded, run

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Position
    from tests.movegen.worlds import World

__all__ = ["games", "lexicon"]  # fixtures


def test_outcomes_are_those_of_brute_force(worlds: dict[str, World]) -> None:
    compared = 0
    for position, board in small_endgames(worlds, 31, 60, 3):
        if not can_search_endings(position):
            continue
        own, other = [player.held.tiles for player in position.players]
        spread, zeros = position.spread, position.zero_turns
        endings = Endings(position, board.lexicon, 1, {})
        final, outcome, doubt = endings(board.kernel, own, other, spread, zeros, zeros)
        value = spread + brute_value(position, board, InternalWords(board.lexicon), 10_000)
        assert outcome == 1 + (value > 0) - (value < 0), position.canonical()
        assert doubt == 0
        assert (final > 0) - (final < 0) == outcome - 1
        compared += 1
    assert compared > 30


@pytest.mark.long
def test_with_one_tile_in_the_bag_the_estimate_is_as_good_as_proven(
    games: list[Position], lexicon: Lexicon
) -> None:
    """The win% of a simulation lies within three standard errors of what the solver proves."""
    proven = 0
    for known in late(games, 1, 1):
        position = hidden(known)
        chosen = [one for one in candidates(position, lexicon, 4) if isinstance(one.move, Play)]
        found = run(position, lexicon, chosen, SimulationPlan(confidence=None, iterations=300 * len(chosen)))
        only = tuple([one.move for one in chosen if isinstance(one.move, Play)])
        options = PreendgameOptions(only=only, spreads=False)
        solved = PreendgameSolver(lexicon).solve(position, Budget(nodes=40_000), options)
        for result in solved.moves:
            estimate = found.estimates[only.index(result.move)] if result.move in only else None  # type: ignore[arg-type]
            if estimate is None or estimate.win_pct is None or estimate.win_pct_error is None:
                continue
            assert estimate.ended == 1
            beyond = max(result.lower - estimate.win_pct, estimate.win_pct - result.upper)
            assert beyond <= 3 * estimate.win_pct_error, (position.canonical(), result.move)
            proven += result.certainty == "exact"
    assert proven > 4


def test_a_deadline_ends_the_search_of_an_endgame(games: list[Position], lexicon: Lexicon) -> None:
    position = late(games, 0, 0)[0]
    own, other = [player.held.tiles for player in position.players]
    endings = Endings(position, lexicon, 1, {}, Deadline.after(0))
    final, outcome, doubt = endings(loaded(position, lexicon).kernel, own, other, position.spread, 0, 0)
    assert outcome == 1 + (final > 0) - (final < 0)
    assert doubt in (0, 500)


def test_threads_do_not_change_the_result(games: list[Position], lexicon: Lexicon) -> None:
    position = hidden(late(games, 2, 3)[0])
    chosen = candidates(position, lexicon, 5)
    plan = SimulationPlan(confidence=None, iterations=60 * len(chosen))
    assert run(position, lexicon, chosen, plan, threads=3) == run(position, lexicon, chosen, plan)


def test_a_failing_search_is_not_hidden(
    games: list[Position], lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no memory for the endgame")

    monkeypatch.setattr(Endings, "__call__", fail)
    position = hidden(late(games, 1, 2)[0])
    with pytest.raises(MemoryError, match="no memory for the endgame"):
        run(position, lexicon, candidates(position, lexicon, 3), SimulationPlan(iterations=300))
