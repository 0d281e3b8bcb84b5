"""The proven bounds of single moves hold the value that brute force counts, and repeat exactly."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from engine.movegen import InternalWords
from engine.position import Pass
from engine.search.endgame.bounds import Bounds
from engine.search.endgame.move_bounds import after_move
from engine.search.endgame.problem import known_racks
from engine.search.endgame_verdicts import EndgameVerdicts
from tests.search.brute_force import TooLargeError, brute_value, random_endgame

if TYPE_CHECKING:
    from engine.loaded_board import LoadedBoard
    from engine.position import Play, Position
    from tests.movegen.worlds import World

COUNT = 40
MOST_NODES = 400


def endgames(worlds: dict[str, World], seed: int) -> list[tuple[Position, LoadedBoard]]:
    """Return random endgames of up to three tiles a side, with scores that make the outcome close."""
    random, found = Random(seed), []
    while len(found) < COUNT:
        position, board = random_endgame(random, worlds, 3)
        search = InternalWords(board.lexicon)
        try:
            brute_value(position, board, search, MOST_NODES)
        except TooLargeError:
            continue
        found.append((position, board))
    return found


def moves_of(position: Position, board: LoadedBoard) -> list[tuple[Play | Pass, int]]:
    """Return all plays with their points, and the pass."""
    plays = InternalWords(board.lexicon).generate(board, position.rack, position.rules)
    scores = plays.array["score"].tolist()
    return [*((plays.move(at), score) for at, score in enumerate(scores)), (Pass(), 0)]


def final_spread(position: Position, board: LoadedBoard, move: Play | Pass, points: int) -> int | None:
    """Return the final spread after a move by brute force, for the side that makes it."""
    following = after_move(position, known_racks(position), move, points)
    if isinstance(following, int):
        return following
    behind = following.players[0].score - following.players[1].score
    after = board if isinstance(move, Pass) else board.after(move)
    try:
        return -behind - brute_value(following, after, InternalWords(board.lexicon), MOST_NODES)
    except TooLargeError:
        return None


@pytest.mark.long
def test_the_bounds_of_every_move_hold_its_value(worlds: dict[str, World]) -> None:
    compared = decided = 0
    for position, board in endgames(worlds, 3):
        spread = position.players[0].score - position.players[1].score
        best = -(10**6)
        for nodes in (1, 8, 2_000):
            for move, points in moves_of(position, board):
                verdicts = EndgameVerdicts(position, board, board.lexicon, nodes=nodes)
                found = verdicts.bounds_after(move, points)
                value = final_spread(position, board, move, points)
                if value is None:
                    continue
                assert found.lower <= value <= found.upper
                best = max(best, value)
                compared += 1
                decided += nodes == 2_000 and found.decided
        assert best == spread + brute_value(position, board, InternalWords(board.lexicon), MOST_NODES)
    assert compared > 200
    assert decided > 0.8 * compared / 3  # letters without points make plays that are not searched


@pytest.mark.long
def test_equal_questions_get_equal_answers(worlds: dict[str, World]) -> None:
    """Whatever the solver has searched before."""
    position, board = endgames(worlds, 4)[0]
    moves = moves_of(position, board)
    one, other = (EndgameVerdicts(position, board, board.lexicon, nodes=10**6) for _ in range(2))
    first = [one.bounds_after(move, points) for move, points in moves]
    again = [other.bounds_after(move, points) for move, points in reversed(moves)]
    assert first == again[::-1]


@pytest.mark.long
def test_a_move_that_goes_out_is_exact(worlds: dict[str, World]) -> None:
    exact = 0
    for position, board in endgames(worlds, 5):
        verdicts = EndgameVerdicts(position, board, board.lexicon, nodes=0)
        for move, points in moves_of(position, board):
            if isinstance(move, Pass) or len(move.placements()) < len(position.rack):
                continue
            assert verdicts.bounds_after(move, points).exact
            exact += 1
    assert exact


def test_bounds_decide_only_what_they_prove() -> None:
    for bounds, decided in (
        (Bounds(1, 9), True),
        (Bounds(-9, -1), True),
        (Bounds(0, 0), True),
        (Bounds(0, 9), False),
        (Bounds(-9, 0), False),
        (Bounds(-1, 1), False),
        (Bounds(), False),
    ):
        assert bounds.decided == decided
        assert bounds.of_other_side().decided == decided
    assert Bounds(-3, 8).meet(Bounds(upper=5)).plus(2) == Bounds(-1, 7)
