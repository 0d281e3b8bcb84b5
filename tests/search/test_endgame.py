"""The endgame solver agrees with brute force; unfinished searches return true bounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine import Budget, Deadline, EndgameSolver, InvalidInput, Player, Rack
from engine.movegen import InternalWords, simd_paths, use_simd
from engine.position import BLANK_FLAG, Play
from engine.search.endgame import spread_search
from tests.search.brute_force import TooLargeError, brute_value, compare, has_value, random_endgame

if TYPE_CHECKING:
    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from tests.movegen.worlds import World

UNLIMITED = Budget()
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


@pytest.mark.long
def test_it_agrees_with_brute_force(worlds: dict[str, World]) -> None:
    """Blanks, stuck tiles, phonies, odd boards, both kernels, every way a game may end."""
    assert compare(worlds, seed=11, count=120, most_tiles=4, most_nodes=120).compared == 120


@pytest.mark.long
@pytest.mark.parametrize("probed", [False, True])
def test_bounds_alone_agree_with_brute_force(
    worlds: dict[str, World], monkeypatch: pytest.MonkeyPatch, probed: bool
) -> None:
    """Without estimates the bounds alone must meet at the value, with and without questions to the end."""
    monkeypatch.setattr(spread_search, "FIRST_NODES", 1)
    monkeypatch.setattr(spread_search, "ESTIMATE_SHARE", 0.0)
    if probed:
        monkeypatch.setattr(spread_search, "FIRST_PROBE", 0)
        monkeypatch.setattr(spread_search, "PROBE_SHARE", 1.0)
    assert compare(worlds, seed=21 + probed, count=40, most_tiles=4, most_nodes=100).compared == 40


def test_questions_to_the_end_return_true_bounds(
    worlds: dict[str, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spread_search, "FIRST_NODES", 1)
    monkeypatch.setattr(spread_search, "FIRST_PROBE", 0)
    monkeypatch.setattr(spread_search, "PROBE_SHARE", 1.0)
    for position, board in small_endgames(worlds, 9, 15, 3):
        one = EndgameSolver(board.lexicon, table_mb=1)
        exact = one.solve(position, UNLIMITED, board=board)
        for nodes in (8, 20, 60):
            result = one.solve(position, Budget(nodes=nodes), board=board)
            assert result.lower <= exact.value <= result.upper


def test_every_vector_path_searches_the_same(worlds: dict[str, World]) -> None:
    random = Random(13)
    endgames = [random_endgame(random, worlds, 6) for _ in range(24)]
    found = {}
    try:
        for name, level in simd_paths().items():
            use_simd(level)
            found[name] = [
                EndgameSolver(board.lexicon, table_mb=1).solve(position, Budget(nodes=400), board=board)
                for position, board in endgames
            ]
    finally:
        use_simd(None)
    plain = found.pop("plain")
    assert sum(one.nodes for one in plain) > 1000
    for others in found.values():
        for one, other in zip(plain, others, strict=True):
            assert (other.lower, other.upper, other.nodes) == (one.lower, one.upper, one.nodes)


def test_with_one_node_the_move_with_the_most_points_is_chosen(worlds: dict[str, World]) -> None:
    """Its score plus the points of its tiles is the highest of all plays."""
    for position, board in small_endgames({"english": worlds["english"]}, 12, 6, 3):
        result = EndgameSolver(board.lexicon, table_mb=1).solve(position, Budget(nodes=1), board=board)
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


@pytest.mark.long
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
            result = solver.solve(position, Budget(nodes=nodes), board=board)
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
        result = EndgameSolver(board.lexicon, table_mb=1).solve(position, Budget(nodes=3000), board=board)
        assert result.lower <= result.value <= result.upper


def test_a_node_budget_gives_the_same_answer_again(worlds: dict[str, World]) -> None:
    solver = EndgameSolver(worlds["english"].lexicon, table_mb=1)
    english = {"english": worlds["english"]}
    endgames = small_endgames(english, 2, 6, 3)

    def answers() -> list[tuple[object, ...]]:
        results = (solver.solve(position, Budget(nodes=30), board=board) for position, board in endgames)
        return [(r.value, r.lower, r.upper, r.best, r.line, r.nodes, r.depth) for r in results]

    first = answers()
    for _ in range(70):  # so often that the numbers that part solves in the table come round
        solver.solve(endgames[0][0], Budget(nodes=1), board=endgames[0][1])
    assert answers() == first


def test_two_threads_prove_the_same_values(worlds: dict[str, World]) -> None:
    for position, board in small_endgames(worlds, 9, 20, 3):
        exact = EndgameSolver(board.lexicon, table_mb=1).solve(position, UNLIMITED, board=board)
        both = EndgameSolver(board.lexicon, table_mb=1, threads=2)
        result = both.solve(position, UNLIMITED, board=board)
        assert (result.value, result.lower, result.upper) == (exact.value,) * 3
        assert (result.certainty, result.best_proven) == ("exact", True)
        assert result.line_complete
        assert result.final_spread == position.spread + exact.value
        cut = both.solve(position, Budget(nodes=4), board=board)
        assert cut.lower <= exact.value <= cut.upper
        assert cut.nodes <= 4


def test_a_cut_ends_both_threads(worlds: dict[str, World]) -> None:
    position, board = small_endgames(worlds, 3, 1, 3)[0]
    deadline = Deadline()
    deadline.cut()
    solver = EndgameSolver(board.lexicon, table_mb=1, threads=2)
    result = solver.solve(position, UNLIMITED, deadline=deadline, board=board)
    exact = solver.solve(position, UNLIMITED, board=board)
    assert result.lower <= exact.value <= result.upper
    assert exact.certainty == "exact"


def test_a_deadline_changes_no_result_that_it_does_not_cut(worlds: dict[str, World]) -> None:
    position, board = small_endgames(worlds, 3, 1, 3)[0]
    solver = EndgameSolver(board.lexicon, table_mb=1)
    exact = solver.solve(position, UNLIMITED, board=board)
    result = solver.solve(position, Budget(seconds=1e-6), board=board)
    assert result.lower <= exact.value <= result.upper
    assert solver.solve(position, Budget(seconds=60), board=board).value == exact.value


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
