"""The opponent's leave inferred from the last move: how probable is that move, given the leave?

By Bayes' rule a leave is as probable as its draw times the probability of the move: exp(-loss / TEMPERATURE),
the loss being what the move gave away against the best move of the rack (played tiles and leave), by static
equity on the board before it. Leaves are all tried if there are few, else as many are drawn as TRIED says.
Source: systems.md S (the Bayesian model of Richards and Amir 2007, cited by thesis 003).
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb, exp, prod
from random import Random
from typing import TYPE_CHECKING, Final

from engine.evaluation.evaluators import Evaluator
from engine.evaluation.leave_table import find_leave_table
from engine.movegen import InternalWords, leaves
from engine.position import Player, Position, Rack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.evaluation.evaluators import LeaveValues
    from engine.loaded_board import LoadedBoard
    from engine.search.deadline import Deadline

TRIED: Final = 600
"""Leaves that are looked at, if there are more."""

TEMPERATURE: Final = 3000.0
"""Millipoints: a loss by which a move is e times less probable."""


def kept_by_play(
    before: LoadedBoard, position: Position, played: bytes, score: int, seed: int, deadline: Deadline
) -> list[tuple[bytes, float]]:
    """Return leaves of a play with their weights; `played`: its tiles, sorted, 0 a blank; `score`: points."""
    size = position.rules.rack_size - len(played)
    judge = _Judge(before, position)
    found = []
    for leave, prior in _draws(position.unseen(), size, seed):
        if deadline.passed:
            break
        best, values = judge.best(bytes(sorted(played + leave)))
        kept = 0 if values is None else int(values.array[values.number_without(played)])
        found.append((leave, prior * _probability(best - 1000 * score - kept)))
    return found


def kept_by_exchange(
    board: LoadedBoard, position: Position, exchanged: int, seed: int, deadline: Deadline
) -> list[tuple[bytes, float]]:
    """Return leaves of an exchange of some tiles, or of a pass (none), with their weights.

    Which tiles went is not known: of a rack the best leave of that size was kept.
    """
    judge = _Judge(board, position)
    found = []
    for rack, prior in _draws(position.unseen(), position.rules.rack_size, seed):
        if deadline.passed:
            break
        best, values = judge.best(rack)
        sized = [
            (number, one)
            for number, one in enumerate(leaves(Rack(rack)))
            if len(one) == len(rack) - exchanged
        ]
        value, leave = max((0 if values is None else int(values.array[number]), one) for number, one in sized)
        found.append((leave, prior * _probability(best - value)))
    return found


def _probability(loss: float) -> float:
    return exp(-max(loss, 0.0) / TEMPERATURE)


def _draws(unseen: tuple[int, ...], size: int, seed: int) -> Iterator[tuple[bytes, float]]:
    """Yield multisets of unseen tiles with the ways to draw them; beyond TRIED a sample, each of weight 1."""
    total = sum(unseen)
    if size > total:
        return
    few = list(_multisets(unseen, size)) if size <= 2 else []
    if few and len(few) <= TRIED:
        for tiles in few:
            yield tiles, float(prod(comb(unseen[code], count) for code, count in Counter(tiles).items()))
        return
    bag = [code for code, count in enumerate(unseen) for _ in range(count)]
    random = Random(seed)  # noqa: S311 - no secret
    for _ in range(TRIED):
        yield bytes(sorted(random.sample(bag, size))), 1.0


def _multisets(unseen: tuple[int, ...], size: int) -> Iterator[bytes]:
    codes = [code for code, count in enumerate(unseen) if count]
    for choice in product(codes, repeat=size):
        if list(choice) == sorted(choice) and all(choice.count(code) <= unseen[code] for code in choice):
            yield bytes(choice)


class _Judge:
    """Say what the best move of a rack is worth on a board, and what its leaves are."""

    def __init__(self, board: LoadedBoard, position: Position) -> None:
        self._board = board
        self._position = position
        self._search = InternalWords(board.lexicon)
        self._evaluator = None
        if find_leave_table(board.lexicon) is not None:
            self._evaluator = Evaluator("static", board.lexicon, position.rules)

    def best(self, rack: bytes) -> tuple[int, LeaveValues | None]:
        """Return the best move's equity in millipoints, and the values of the leaves, if there is a table."""
        here, rules = self._position, self._position.rules
        held = Rack(rack)
        other = Player(tile_count=len(here.rack))
        before = Position(
            self._board.board, here.layout, here.tile_set, rules, players=(Player(rack=held), other)
        )
        values = None
        if self._evaluator is not None:
            values = self._evaluator.leave_values(self._board, before)[0]
        plays = self._search.best(self._board, held, rules, None if values is None else values.array)
        moves = plays.array["equity"].tolist()
        bag = before.bag_count()
        if values is not None and bag and bag >= rules.exchange_limit:
            moves.append(int(values.array[:-1].max()))  # all but the whole rack, which a pass keeps
        elif values is not None and not moves:
            moves.append(int(values.array[-1]))
        return max(moves, default=0), values
