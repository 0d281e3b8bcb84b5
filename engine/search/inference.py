"""The opponent's leave, inferred from the last move by Bayes' rule.

The weight of a leave is the number of ways to draw it times the probability of the last move with that leave
(`likelihood`), which depends on its loss: the equity that the move gave up against the best move of the rack
(its tiles and the leave) on the board before it. All leaves of up to MAX_ALL tiles are tried, of larger ones
SAMPLED random ones. Source: [RichardsAmir2007].
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import comb, exp, prod
from random import Random
from typing import TYPE_CHECKING, Final

from engine.evaluation.evaluators import Evaluator
from engine.evaluation.leave_table import find_leave_table
from engine.movegen import InternalWords, leaves
from engine.movegen.legal_moves import LegalMoves
from engine.position import Player, Position, Rack

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from engine.loaded_board import LoadedBoard
    from engine.search.deadline import Deadline

MAX_ALL: Final = 3
"""Size of the largest leaves that are all tried: at most 3,509 of the English tiles, 0.01 to 0.15 s."""

SAMPLED: Final = 600
"""Number of random leaves that are tried of larger ones."""

TEMPERATURE: Final = 3000.0
"""Millipoints; a move that loses this much more is e times less probable."""

BLUNDERS: Final = 0.06
"""Share of moves whose loss says nothing. `kibitz experiment temperature` fits both."""


def likelihood(loss: float, temperature: float = TEMPERATURE, blunders: float = BLUNDERS) -> float:
    """Return the probability of a move that gives up `loss` millipoints, 1 for the best move."""
    return blunders + (1 - blunders) * exp(-max(loss, 0.0) / temperature)


def leaves_after_play(
    before: LoadedBoard, position: Position, played: bytes, score: int, seed: int, deadline: Deadline
) -> list[tuple[bytes, float]]:
    """Return possible leaves of a play with their weights.

    `played`: its sorted tile codes, 0 for a blank; `score`: its points.
    """
    losses = losses_of_play(before, position, played, score, seed, deadline)
    return [(leave, ways * likelihood(loss)) for leave, ways, loss in losses]


def losses_of_play(
    before: LoadedBoard, position: Position, played: bytes, score: int, seed: int, deadline: Deadline
) -> Iterator[tuple[bytes, float, int]]:
    """Yield possible leaves of a play, the ways to draw each, and the loss of the play with it."""
    size = position.rules.rack_size - len(played)
    moves = _BestMoves(before, position)
    for leave, ways in _draws(position.unseen(), size, seed):
        if deadline.passed:
            break
        rack = Rack(played + leave)
        best, values = moves.best(rack)
        leave_value = 0 if values is None else int(values[rack.leave_number(played)])
        yield leave, ways, best - 1000 * score - leave_value


def leaves_after_exchange(
    board: LoadedBoard, position: Position, exchanged: int, seed: int, deadline: Deadline
) -> list[tuple[bytes, float]]:
    """Return possible leaves of an exchange of `exchanged` tiles (0: a pass) with their weights.

    Which tiles were exchanged is unknown; it is assumed that the best leave of that size remained.
    """
    moves = _BestMoves(board, position)
    found = []
    for rack, ways in _draws(position.unseen(), position.rules.rack_size, seed):
        if deadline.passed:
            break
        best, values = moves.best(Rack(rack))
        sized = [
            (number, one)
            for number, one in enumerate(leaves(Rack(rack)))
            if len(one) == len(rack) - exchanged
        ]
        value, leave = max((0 if values is None else int(values[number]), one) for number, one in sized)
        found.append((leave, ways * likelihood(best - value)))
    return found


def _draws(unseen: tuple[int, ...], size: int, seed: int) -> Iterator[tuple[bytes, float]]:
    """Yield multisets of unseen tiles, in random order, with the number of ways to draw them.

    Of more than MAX_ALL tiles they are a sample, in which each draw counts as one way.
    """
    if size > sum(unseen):
        return
    random = Random(seed)  # noqa: S311 - no secret
    if size > MAX_ALL:
        bag = [code for code, count in enumerate(unseen) for _ in range(count)]
        for _ in range(SAMPLED):
            yield bytes(sorted(random.sample(bag, size))), 1.0
        return
    every = list(combinations_with_replacement([code for code, count in enumerate(unseen) if count], size))
    random.shuffle(every)  # so that a deadline cuts no particular tiles
    for tiles in every:
        ways = prod(comb(unseen[code], count) for code, count in Counter(tiles).items())
        if ways:
            yield bytes(tiles), float(ways)


class _BestMoves:
    """Find the best move of racks on one board."""

    def __init__(self, board: LoadedBoard, position: Position) -> None:
        self._board = board
        self._position = position
        self._search = InternalWords(board.lexicon)
        self._evaluator = None
        if find_leave_table(board.lexicon) is not None:
            self._evaluator = Evaluator("static", board.lexicon, position.rules)

    def best(self, rack: Rack) -> tuple[int, NDArray[np.int32] | None]:
        """Return the equity of the best move in millipoints, and the values of the leaves if known."""
        here, rules = self._position, self._position.rules
        before = Position(
            self._board.board,
            here.layout,
            here.tile_set,
            rules,
            players=(Player(rack=rack), Player(tile_count=len(here.rack))),
        )
        values = None
        if self._evaluator is None:
            plays = self._search.best(self._board, rack, rules)
        else:
            plays, (values, _) = self._evaluator.best_play(self._board, before, self._search)
        moves = LegalMoves(before, plays, values)
        if not moves.play_count and not moves.exchange_count:
            return 0 if values is None else int(values[-1]), values
        return int(moves.equity[:-1].max()), values  # the last move is the pass
