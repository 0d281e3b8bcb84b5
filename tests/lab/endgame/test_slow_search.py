"""The slow methods of endgames: what they prove is true, and their values are those of their moves."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine import Budget, Deadline, EndgameSolver, NotFound
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.records import parse_cgp
from engine.search.endgame.move_bounds import after_move
from engine.search.endgame.problem import ending, known_racks
from engine.search.endgame.spread_search import SIDES
from engine.search.endgame.states import Endgame, EndgameMove, EndgameState, moves
from lab.endgame import METHODS, bstar, solved_by
from lab.endgame.planned_bounds import Planner
from tests.search.brute_force import random_endgame
from tests.search.test_endgame import PUBLISHED, UNLIMITED, small_endgames

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue
    from engine.position import Play, Position
    from tests.movegen.worlds import World


@pytest.mark.parametrize("plan", [0, 1, 4])
def test_bstar_proves_a_best_move(
    worlds: dict[str, World], monkeypatch: pytest.MonkeyPatch, plan: int
) -> None:
    """With long plans, and with none, when all is left to the tree."""
    monkeypatch.setattr(bstar, "PLAN", plan)
    for position, board in small_endgames(worlds, 8, 12, 2):
        exact = EndgameSolver(board.lexicon, table_mb=1).solve(position, UNLIMITED, board=board)
        result = solved_by("bstar", position, board.lexicon, UNLIMITED, board=board)
        assert result.best_proven
        assert result.lower <= exact.value <= result.upper
        assert move_value(position, board, result.best, result.line[0].score) == exact.value


@pytest.mark.parametrize("plan", [0, 4])
@pytest.mark.long
def test_bstar_never_contradicts_the_proof(
    worlds: dict[str, World], monkeypatch: pytest.MonkeyPatch, plan: int
) -> None:
    """Wherever it stops, the value lies within its bounds, and no move beats one that it calls the best."""
    monkeypatch.setattr(bstar, "PLAN", plan)
    random, settled = Random(13), 0
    for nodes in (1, 3, 10, 30, 60, 90) * 2:
        position, board = random_endgame(random, worlds, 4)
        solver = EndgameSolver(board.lexicon, table_mb=1)
        value = solver.solve(position, UNLIMITED, board=board).value
        result = solved_by("bstar", position, board.lexicon, Budget(nodes=nodes), board=board)
        assert result.lower <= value <= result.upper
        if result.best_proven:
            settled += 1
            after = after_move(position, known_racks(position), result.best, result.line[0].score)
            final = after if isinstance(after, int) else -solver.solve(after, UNLIMITED).final_spread
            assert final - position.spread == value
    assert settled


def test_planned_bounds_hold_the_value(worlds: dict[str, World]) -> None:
    for position, board in small_endgames(worlds, 9, 12, 3):
        value = EndgameSolver(board.lexicon, table_mb=1).solve(position, UNLIMITED, board=board).value
        racks, end = known_racks(position), ending(position, known_racks(position))
        endgame = Endgame(position, end, InternalWords(board.lexicon))
        state = EndgameState(board, (racks[0].tiles, racks[1].tiles), end.zeros, end.passes)
        planner = Planner(endgame, board.lexicon, Deadline())
        for plies, sure in product((1, 2, 3, 8), SIDES):
            for goal in (None, value - 1, value, value + 1):
                bounds = planner.planned(state, plies, sure, goal)
                assert bounds.lower <= value <= bounds.upper


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["VsCanik", "VsJoey", "PassFirst"])
def test_the_slow_methods_never_print_bounds_that_no_play_can_reach(
    bundled: Catalogue, method: str, name: str
) -> None:
    """B* once printed bounds from -196 to +4761 for the first of these after a short search."""
    lines = map(json.loads, PUBLISHED.read_text().splitlines())
    lexicon = bundled.open("scowl80")
    position = parse_cgp(next(line["cgp"] for line in lines if line["name"] == name))
    crude = EndgameSolver(lexicon, table_mb=1).solve(position, Budget(nodes=1))
    slow = solved_by(method, position, lexicon, Budget(nodes=1))
    assert crude.lower <= slow.lower <= slow.value <= slow.upper <= crude.upper
    assert slow.upper - slow.lower < 1000


def move_value(position: Position, board: LoadedBoard, move: object, score: int) -> int:
    """Return the value of a first move by brute force."""
    racks = known_racks(position)
    search = InternalWords(board.lexicon)
    endgame = Endgame(position, ending(position, racks), search)
    state = EndgameState(board, (racks[0].tiles, racks[1].tiles), endgame.end.zeros, endgame.end.passes)

    def best(state: EndgameState) -> int:
        return max(value_of(made) for made in moves(endgame, state))

    def value_of(made: EndgameMove) -> int:
        return made.value if made.state is None else made.score - best(made.state)

    (made,) = [made for made in moves(endgame, state) if made.move == move]
    assert made.score == score
    return value_of(made)


def test_the_value_of_a_plan_is_the_result_of_its_moves(worlds: dict[str, World]) -> None:
    planned = agreed = 0
    for position, board in small_endgames(worlds, 4, 30, 2):
        exact = EndgameSolver(board.lexicon, table_mb=1).solve(position, UNLIMITED, board=board)
        result = solved_by("plans", position, board.lexicon, UNLIMITED, board=board)
        assert result.lower <= exact.value <= result.upper
        assert result.certainty == ("exact" if result.lower == result.upper else "bounds")
        if result.line_complete:
            planned += 1
            agreed += result.value == exact.value
            last = result.line[-1].scores
            assert last[0] - last[1] == result.final_spread
    assert 0 < agreed <= planned


def test_a_plan_loads_one_board_at_most_between_two_checks_of_the_time(
    worlds: dict[str, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Little work is done after the deadline, however many plays there are."""

    class Clock(Deadline):
        """Is over at the thirtieth look."""

        looks = 0

        @property
        def passed(self) -> bool:
            self.looks += 1
            return self.looks >= 30

    made: list[object] = []
    after = LoadedBoard.after

    def counted(board: LoadedBoard, play: Play) -> LoadedBoard:
        made.append(play)
        return after(board, play)

    monkeypatch.setattr(LoadedBoard, "after", counted)
    random, looks = Random(9), 0
    for _ in range(40):
        position, board = random_endgame(random, worlds, 6)
        clock = Clock()
        solved_by("plans", position, board.lexicon, deadline=clock, board=board)
        looks = max(looks, clock.looks)
        assert len(made) < clock.looks <= 30
        made.clear()
    assert looks == 30


def test_another_method_is_an_error_that_names_the_known_ones(worlds: dict[str, World]) -> None:
    position, board = small_endgames(worlds, 1, 1, 2)[0]
    with pytest.raises(NotFound, match="no endgame method 'guess'; known: bstar, plans"):
        solved_by("guess", position, board.lexicon)
