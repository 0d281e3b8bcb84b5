"""Players who search: the search of each phase, and the move when time is short."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine.movegen import InternalWords
from engine.position import Play, Player
from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.endgame import EndgameSolver
from engine.search.endgame_verdicts import EndgameVerdicts
from engine.search.levels import as_seen
from engine.search.search_player import EQUITY, TABLE_MB, PlayerPlan, SearchPlayer
from engine.search.simulation_plan import SimulationPlan
from engine.selfplay import GameSetup
from lab.selfplay.greedy_games import greedy_game

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue
    from lab.selfplay.replaying import SelfPlayTurn

PLAN = PlayerPlan(SimulationPlan(iterations=150, candidates=3), endgame_nodes=20_000)


@pytest.fixture(scope="module")
def setup(bundled: Catalogue) -> GameSetup:
    return GameSetup.of(bundled.open("scowl80"))


@pytest.fixture(scope="module")
def turns(setup: GameSetup) -> list[SelfPlayTurn]:
    return [turn for number in range(6) for turn in greedy_game(setup.lexicon, 2, number)]


@pytest.mark.long
def test_the_tiles_in_the_bag_decide_the_search(setup: GameSetup, turns: list[SelfPlayTurn]) -> None:
    plan = replace(PLAN, preendgame_bag=2, preendgame_nodes=300)
    player = SearchPlayer(setup.lexicon, setup.rules, plan)
    found = set()
    for turn in turns:
        if turn.bag_count > 2 and turn.number % 5:
            continue
        decision = player.choose(as_seen(turn.position), turn.board, 1)
        phase = "endgame" if not turn.bag_count else "preendgame" if turn.bag_count < 3 else "simulate"
        assert decision.search in (phase, EQUITY)
        found.add(decision.search)
        if isinstance(decision.choice.move, Play):
            plays = InternalWords(setup.lexicon).generate(turn.board, turn.position.rack, setup.rules)
            played = plays.find(decision.choice.move)
            assert played is not None
            assert plays.array["score"][played] == decision.choice.score
        assert (decision.budget is None) == (decision.search == EQUITY)
        if decision.budget is not None:
            assert (decision.budget.iterations is None) == (decision.search != "simulate")
            assert (decision.budget.nodes is None) == (decision.search == "simulate")
            assert decision.spent > 0
    assert found >= {"simulate", "preendgame", "endgame"}


@pytest.mark.long
def test_endgames_are_those_of_the_solver(setup: GameSetup, turns: list[SelfPlayTurn]) -> None:
    """Whatever was solved before, and although the other rack is not given."""
    player = SearchPlayer(setup.lexicon, setup.rules, PLAN)
    endgames = [turn for turn in turns if not turn.bag_count][:12]
    assert endgames
    for turn in endgames:
        decision = player.choose(as_seen(turn.position), turn.board)
        if decision.search == EQUITY:
            continue
        fresh = EndgameSolver(setup.lexicon, table_mb=TABLE_MB)
        result = fresh.solve(turn.position, Budget(nodes=PLAN.endgame_nodes), board=turn.board)
        verdicts = EndgameVerdicts(turn.position, turn.board, setup.lexicon)
        wins, guessed = (
            verdicts.after(move, turn.position.score(move)) for move in (decision.choice.move, result.best)
        )
        assert wins.key >= guessed.key
        assert decision.choice.move == result.best or not result.best_proven
        assert decision.spent == result.nodes
        assert (decision.stopped_by == "complete") == result.best_proven


def test_without_a_search_the_move_with_the_most_equity_is_chosen(
    setup: GameSetup, turns: list[SelfPlayTurn]
) -> None:
    player = SearchPlayer(setup.lexicon, setup.rules, replace(PLAN, simulation=SimulationPlan(candidates=1)))
    alone = SearchPlayer(setup.lexicon, setup.rules, PLAN)
    for turn in turns[:24:4]:
        decision = player.choose(turn.position, turn.board)
        assert (decision.search, decision.budget, decision.spent) == (EQUITY, None, 0)
        three = replace(turn.position, players=(*as_seen(turn.position).players, Player(tile_count=0)))
        assert alone.choose(three, turn.board).choice == decision.choice


def test_a_deadline_cuts(setup: GameSetup, turns: list[SelfPlayTurn]) -> None:
    player = SearchPlayer(setup.lexicon, setup.rules, replace(PLAN, max_ms=0))
    cut = player.choose(as_seen(turns[4].position), turns[4].board)
    assert cut.stopped_by == "deadline"
    assert cut.spent == 0
    full = player.choose(as_seen(turns[4].position), turns[4].board, deadline=Deadline())
    assert full.stopped_by in ("complete", "budget")
