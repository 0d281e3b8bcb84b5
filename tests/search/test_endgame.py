"""The endgame solver agrees with brute force; unfinished searches return true bounds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine import Budget, Deadline, EndgameSolver, InvalidInput, NotFound, Player, Rack
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import BLANK_FLAG, Play
from engine.records import parse_cgp
from engine.search.endgame import solver
from engine.search.endgame.problem import ending, known_racks
from engine.search.endgame.states import Game, State, Step, steps
from tests.search.brute_force import TooLargeError, brute_value, compare, has_value, random_endgame

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue
    from engine.position import Position
    from tests.movegen.worlds import World

UNLIMITED = Budget(seconds=None)
PUBLISHED = Path(__file__).parents[1] / "golden" / "endgames_published.jsonl"


def small_endgames(
    worlds: dict[str, World], seed: int, count: int, tiles: int
) -> list[tuple[Position, LoadedBoard]]:
    """Return endgames so small that brute force can solve them."""
    random, found = Random(seed), []
    searches = {world.lexicon.id: InternalWords(world.lexicon) for world in worlds.values()}
    while len(found) < count:
        position, board = random_endgame(random, worlds, tiles)
        try:
            brute_value(position, board, searches[board.lexicon.id], 60)
        except TooLargeError:
            continue
        found.append((position, board))
    return found


def test_it_agrees_with_brute_force(worlds: dict[str, World]) -> None:
    """Blanks, stuck tiles, phonies, odd boards, both kernels, every way a game may end."""
    assert compare(worlds, seed=11, count=120, most_tiles=4, most_nodes=120).compared == 120


@pytest.mark.parametrize("probed", [False, True])
def test_bounds_alone_agree_with_brute_force(
    worlds: dict[str, World], monkeypatch: pytest.MonkeyPatch, probed: bool
) -> None:
    """Without estimates the bounds alone must meet at the value, with and without questions to the end."""
    monkeypatch.setattr(solver, "FIRST_NODES", 1)
    monkeypatch.setattr(solver, "ESTIMATE_SHARE", 0.0)
    if probed:
        monkeypatch.setattr(solver, "FIRST_PROBE", 0)
        monkeypatch.setattr(solver, "PROBE_SHARE", 1.0)
    assert compare(worlds, seed=21 + probed, count=40, most_tiles=4, most_nodes=100).compared == 40


def test_questions_to_the_end_return_true_bounds(
    worlds: dict[str, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "FIRST_NODES", 1)
    monkeypatch.setattr(solver, "FIRST_PROBE", 0)
    monkeypatch.setattr(solver, "PROBE_SHARE", 1.0)
    for position, board in small_endgames(worlds, 9, 15, 3):
        one = EndgameSolver(board.lexicon, table_mb=1)
        exact = one.solve(position, UNLIMITED, board=board)
        for nodes in (8, 20, 60):
            result = one.solve(position, Budget(nodes, None), board=board)
            assert result.lower <= exact.value <= result.upper


def test_with_one_node_the_move_with_the_most_points_is_chosen(worlds: dict[str, World]) -> None:
    """Its score plus the points of its tiles is the highest of all plays."""
    for position, board in small_endgames({"english": worlds["english"]}, 12, 6, 3):
        result = EndgameSolver(board.lexicon, table_mb=1).solve(position, Budget(1, None), board=board)
        assert result.nodes == 1
        plays = InternalWords(board.lexicon).generate(board, position.rack, position.rules)
        points = [
            score
            + sum(position.tile_set.values[c] for _, _, c in plays.move(at).placements() if c < BLANK_FLAG)
            for at, score in enumerate(plays.array["score"].tolist())
        ]
        if isinstance(result.best, Play):
            made = next(at for at in range(len(plays)) if plays.move(at) == result.best)
            assert points[made] == max(points)
        else:
            assert not points


def test_it_agrees_with_brute_force_on_larger_racks(worlds: dict[str, World]) -> None:
    """Four and five tiles a side: brute force reaches the value and not one point more."""
    found = compare(worlds, seed=31, count=6, most_tiles=5, most_nodes=600, least_tiles=4, cuts=True)
    assert found.compared == 6


def test_brute_force_that_stops_at_a_refutation_finds_the_same(worlds: dict[str, World]) -> None:
    random = Random(41)
    compared = 0
    while compared < 15:
        position, board = random_endgame(random, worlds, 3)
        search = InternalWords(board.lexicon)
        try:
            value = brute_value(position, board, search, 60)
        except TooLargeError:
            continue
        position_text = position.canonical()
        assert has_value(position, board, search, 60, value), position_text
        assert not has_value(position, board, search, 60, value - 1), position_text
        assert not has_value(position, board, search, 60, value + 1), position_text
        compared += 1


def test_an_unfinished_search_returns_true_bounds(worlds: dict[str, World]) -> None:
    cut = 0
    for position, board in small_endgames(worlds, 5, 25, 3):
        solver = EndgameSolver(board.lexicon, table_mb=1)
        exact = solver.solve(position, UNLIMITED, board=board)
        for nodes in (1, 4, 16):
            result = solver.solve(position, Budget(nodes, None), board=board)
            assert result.lower <= exact.value <= result.upper
            assert result.lower <= result.value <= result.upper
            assert result.nodes <= nodes
            if result.certainty == "exact":
                assert (result.value, result.lower, result.upper) == (exact.value,) * 3
            cut += result.certainty != "exact"
    assert cut > 0


def test_a_growing_arena_of_plays_moves_safely(worlds: dict[str, World]) -> None:
    """A crash once: pointers to plays became invalid when plays of deeper nodes made their array grow."""
    random = Random(4242)
    for _ in range(11):
        position, board = random_endgame(random, worlds, 5)
        result = EndgameSolver(board.lexicon, table_mb=1).solve(position, Budget(3000, None), board=board)
        assert result.lower <= result.value <= result.upper


def test_a_node_budget_gives_the_same_answer_again(worlds: dict[str, World]) -> None:
    solver = EndgameSolver(worlds["english"].lexicon, table_mb=1)
    english = {"english": worlds["english"]}
    endgames = small_endgames(english, 2, 6, 3)

    def answers() -> list[tuple[object, ...]]:
        results = (solver.solve(position, Budget(30, None), board=board) for position, board in endgames)
        return [(r.value, r.lower, r.upper, r.best, r.line, r.nodes, r.depth) for r in results]

    first = answers()
    for _ in range(70):  # so often that the numbers that part solves in the table come round
        solver.solve(endgames[0][0], Budget(1, None), board=endgames[0][1])
    assert answers() == first


def test_a_deadline_changes_no_result_that_it_does_not_cut(worlds: dict[str, World]) -> None:
    position, board = small_endgames(worlds, 3, 1, 3)[0]
    solver = EndgameSolver(board.lexicon, table_mb=1)
    exact = solver.solve(position, UNLIMITED, board=board)
    result = solver.solve(position, Budget(seconds=1e-6), board=board)
    assert result.lower <= exact.value <= result.upper
    assert solver.solve(position, Budget(seconds=60), board=board).value == exact.value


def test_bstar_proves_a_best_move(worlds: dict[str, World]) -> None:
    for position, board in small_endgames(worlds, 8, 12, 2):
        solver = EndgameSolver(board.lexicon, table_mb=1)
        exact = solver.solve(position, UNLIMITED, board=board)
        result = solver.solve(position, UNLIMITED, method="bstar", board=board)
        assert result.best_proven
        assert result.lower <= exact.value <= result.upper
        assert move_value(position, board, result.best, result.line[0].score) == exact.value


@pytest.mark.parametrize("method", ["bstar", "plans"])
@pytest.mark.parametrize("name", ["VsCanik", "VsJoey", "PassFirst"])
def test_the_slow_methods_never_print_bounds_that_no_play_can_reach(
    bundled: Catalogue, method: str, name: str
) -> None:
    """B* once printed bounds from -196 to +4761 for the first of these after a short search."""
    lines = map(json.loads, PUBLISHED.read_text().splitlines())
    lexicon = bundled.open("scowl80")
    position = parse_cgp(next(line["cgp"] for line in lines if line["name"] == name))
    solver = EndgameSolver(lexicon, table_mb=1)
    crude = solver.solve(position, Budget(1, None))
    slow = solver.solve(position, Budget(1, None), method=method)
    assert crude.lower <= slow.lower <= slow.value <= slow.upper <= crude.upper
    assert slow.upper - slow.lower < 1000


def move_value(position: Position, board: LoadedBoard, move: object, score: int) -> int:
    """Return the value of a first move by brute force."""
    racks = known_racks(position)
    search = InternalWords(board.lexicon)
    game = Game(position, ending(position, racks), search, 0)
    state = State(board, (racks[0].tiles, racks[1].tiles), game.end.zeros, game.end.passes)

    def best(state: State) -> int:
        return max(step_value(step) for step in steps(game, state))

    def step_value(step: Step) -> int:
        return step.value if step.state is None else step.score - best(step.state)

    (made,) = [step for step in steps(game, state) if step.move == move]
    assert made.score == score
    return step_value(made)


def test_the_value_of_a_plan_is_the_result_of_its_moves(worlds: dict[str, World]) -> None:
    planned = agreed = 0
    for position, board in small_endgames(worlds, 4, 30, 2):
        solver = EndgameSolver(board.lexicon, table_mb=1)
        exact = solver.solve(position, UNLIMITED, board=board)
        result = solver.solve(position, UNLIMITED, method="plans", board=board)
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
        EndgameSolver(board.lexicon, table_mb=1).solve(
            position, Budget(deadline=clock), method="plans", board=board
        )
        looks = max(looks, clock.looks)
        assert len(made) < clock.looks <= 30
        made.clear()
    assert looks == 30


def test_positions_that_are_no_endgame_are_refused(worlds: dict[str, World]) -> None:
    position, board = small_endgames({"english": worlds["english"]}, 1, 1, 3)[0]
    solver = EndgameSolver(board.lexicon, table_mb=1)

    def code(changed: Position) -> str:
        with pytest.raises(InvalidInput) as caught:
            solver.solve(changed)
        return caught.value.code

    own, other = position.players
    assert code(replace(position, players=(own, other, Player()))) == "endgame_players"
    assert code(replace(position, players=(own, Player(rack=Rack())))) in ("bag_not_empty", "game_over")
    assert code(replace(position, zero_turns=99)) == "game_over"
    with pytest.raises(NotFound, match="no endgame method 'guess'"):
        solver.solve(position, method="guess")
    with pytest.raises(InvalidInput, match="1 to 65536"):
        EndgameSolver(board.lexicon, table_mb=0)


def test_an_omitted_rack_is_the_unseen_tiles(worlds: dict[str, World]) -> None:
    position, board = small_endgames({"english": worlds["english"]}, 6, 1, 3)[0]
    solver = EndgameSolver(board.lexicon, table_mb=1)
    known = solver.solve(position, UNLIMITED, board=board)
    other = position.players[1]
    hidden = replace(position, players=(position.players[0], Player(other.score)))
    result = solver.solve(hidden, UNLIMITED, board=board)
    assert (result.value, result.best) == (known.value, known.best)
