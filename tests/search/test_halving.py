"""Halving: the leaders get the rollouts, the static estimates decide while there are few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.evaluation.evaluators import Evaluator, legal_moves
from engine.movegen import InternalWords
from engine.search import SimulationPlan, simulate
from engine.search.allocation import Race
from engine.search.halving import PRIOR_DRAWS, Halving
from engine.search.levels import as_seen
from engine.search.search_narrow import WIN_UNITS
from lab.selfplay.greedy_games import greedy_game
from tests.search.test_allocation import found

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.lexicon.catalogue import Catalogue
    from engine.search import Simulation
    from lab.selfplay.replaying import SelfPlayTurn

LEVEL = np.zeros(8, np.int64)


def play(race: Race, chances: np.ndarray, iterations: int, random: np.random.Generator) -> list[int]:
    """Run a race between candidates that win with these chances; return how many were left after blocks."""
    spent, counts = 0, []
    while not race.decided:
        draws = min(race.until_check(), (iterations - spent) // len(race.alive))
        if draws < 1:
            break
        spent += draws * len(race.alive)
        wins = WIN_UNITS * (random.random((draws, len(chances))) < chances)
        race.add(found(np.zeros(wins.shape), wins)[:, race.alive])
        counts.append(len(race.alive))
    assert spent <= iterations
    return counts


def test_the_worse_half_is_dropped_after_each_of_equal_rounds() -> None:
    race = Halving(LEVEL, 960, None, by_win=True)
    counts = play(race, np.full(8, 0.5), 960, np.random.default_rng(1))
    assert sorted(set(counts), reverse=True) == [4, 2, 1]
    means = [race.means(one) for one in race.order()]
    assert [one and one.draws for one in means] == [280, 280, 120, 120, 40, 40, 40, 40]
    assert race.decided
    assert not race.certain


def test_a_check_drops_candidates_for_good_and_is_certain() -> None:
    """Rounds are so long here that checks drop everyone."""
    race = Halving(LEVEL, 40_000, 0.99, by_win=True)
    counts = play(race, np.array([0.1, 0.1, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1]), 40_000, np.random.default_rng(2))
    assert counts == sorted(counts, reverse=True)
    assert race.alive.tolist() == [2]
    assert race.certain


def test_a_static_estimate_counts_as_stated() -> None:
    prior = np.array([0.2, 0.6, 0.5]) * WIN_UNITS
    race = Halving(prior.astype(np.int64), 10_000, None, by_win=True)
    assert race.order() == [1, 2, 0]  # before any rollout
    draws = 10
    wins = np.zeros((draws, 3))
    wins[:, 2] = WIN_UNITS * np.array([0.6 + 0.1 * PRIOR_DRAWS / draws] * draws)
    wins[:, 1] = WIN_UNITS * 0.6
    wins[:, 2] += 10
    race.add(found(np.zeros((draws, 3)), wins))
    assert race.order() == [2, 1, 0]
    race = Halving(prior.astype(np.int64), 10_000, None, by_win=True)
    wins[:, 2] -= 20
    race.add(found(np.zeros((draws, 3)), wins))
    assert race.order() == [1, 2, 0]


def test_with_a_single_possible_draw_the_rollout_alone_counts() -> None:
    race = Halving(np.array([WIN_UNITS, 0]), 100, None, by_win=True, only_draw=True)
    race.add(found(np.zeros((1, 2)), np.array([[0, WIN_UNITS]])))
    assert race.order()[0] == 1


@pytest.mark.parametrize("by_win", [True, False])
def test_better_moves_are_chosen_than_by_equal_shares(by_win: bool) -> None:
    """16 similar candidates and 480 rollouts: the mean loss is at most 0.8 of that of a race."""
    random = np.random.default_rng(5)
    lost = np.zeros(2)
    for _ in range(120):
        true = random.normal(0, 4_000, 16)
        prior = true + random.normal(0, 4_000, 16)
        for which in range(2):
            race: Race = Race(16, 0.99, by_win=by_win)
            if which:
                race = Halving(prior.astype(np.int64), 480, 0.99, by_win=by_win)
            spent = 0
            while not race.decided and (480 - spent) // len(race.alive):
                draws = min(race.until_check(), (480 - spent) // len(race.alive))
                spent += draws * len(race.alive)
                values = true[race.alive] + random.normal(0, 20_000, (draws, len(race.alive)))
                nothing = np.zeros(values.shape)
                race.add(found(nothing, values) if by_win else found(values))
            lost[which] += true.max() - true[race.order()[0]]
    assert lost[1] < 0.8 * lost[0]


def simulated(lexicon: Lexicon, turn: SelfPlayTurn, iterations: int, threads: int = 1) -> Simulation:
    """Compare the eight best moves of a turn by halving."""
    position = as_seen(turn.position)
    evaluator = Evaluator("static", lexicon, position.rules)
    moves, _ = legal_moves(position, turn.board, InternalWords(lexicon), evaluator)
    best = moves.valued(moves.candidates(8))
    plan = SimulationPlan(iterations=iterations, halving=True)
    return simulate(position, turn.board, best, plan, seed=4, threads=threads)


def test_a_simulation_for_players_spends_its_rollouts_on_the_leaders(bundled: Catalogue) -> None:
    lexicon = bundled.open("scowl80")
    turn = list(greedy_game(lexicon, 3, 1))[6]
    first, second = (simulated(lexicon, turn, 480, threads) for threads in (1, 2))
    assert first == second
    shares = [one.iterations for one in map(first.estimates.__getitem__, first.order) if one]
    assert shares == [140, 140, 60, 60, 20, 20, 20, 20]
    assert (first.spent, first.stopped_by) == (480, "budget")


def test_single_rollouts_do_not_overrule_static_estimates(bundled: Catalogue) -> None:
    lexicon = bundled.open("scowl80")
    first_places = [
        simulated(lexicon, turn, 8).order[0]
        for number in range(3)
        for turn in greedy_game(lexicon, 3, number)
        if turn.bag_count
    ]
    assert np.mean(np.array(first_places) < 3) > 0.8
