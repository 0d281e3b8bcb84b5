"""Generators, evaluators, solvers and players, each lent to one computation at a time.

They own scratch memory, some of them megabytes. What a computation gives back is lent again, so a process
holds one for each computation at work, not one for each thread.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from engine.evaluation.evaluators import Evaluator, legal_moves
from engine.movegen import InternalWords
from engine.search.endgame import EndgameSolver
from engine.search.preendgame import PreendgameSolver

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen.legal_moves import LegalMoves
    from engine.position import Position
    from engine.rules import RuleSet

Value = TypeVar("Value")

MAX_IDLE_MB: Final = 64
"""The most megabytes of idle objects together; the least recently used ones are freed first."""
SCRATCH_MB: Final = 1
"""About how many megabytes an object takes besides its table."""


class _Idle(NamedTuple):
    """Hold an object that nobody uses, what it can be lent as, and its megabytes."""

    key: Hashable
    value: Any
    megabytes: int


_idle: list[_Idle] = []
_lock = Lock()


@contextmanager
def lent(key: Hashable, create: Callable[[], Value], table_mb: int = 0) -> Iterator[Value]:
    """Lend the idle object with this key that was used last, or a new one; raise what `create` raises.

    A generator function must not hold a loan while it yields: nobody knows when it would end.
    """
    with _lock:
        place = next((at for at in reversed(range(len(_idle))) if _idle[at].key == key), None)
        value: Value | None = None if place is None else _idle.pop(place).value
    if value is None:
        value = create()
    try:
        yield value
    finally:
        one, gone = _Idle(key, value, table_mb + SCRATCH_MB), []  # what is gone is freed without the lock
        if one.megabytes <= MAX_IDLE_MB:
            with _lock:
                _idle.append(one)
                while sum(each.megabytes for each in _idle) > MAX_IDLE_MB:
                    gone.append(_idle.pop(0))


def lent_generator(lexicon: Lexicon) -> AbstractContextManager[InternalWords]:
    """Lend a move generator."""
    return lent((lexicon, "generator"), lambda: InternalWords(lexicon))


def lent_evaluator(
    name: str, lexicon: Lexicon, rules: RuleSet, *, expect_bingos: bool
) -> AbstractContextManager[Evaluator | None]:
    """Lend an evaluator; None for greedy, which values no leaves.

    Raises what Evaluator raises, as the block begins.
    """
    if name == "greedy":
        return nullcontext()
    key = (lexicon, "evaluator", name, rules.bingo_bonus, expect_bingos)
    return lent(key, lambda: Evaluator(name, lexicon, rules, expect_bingos=expect_bingos))


def lent_endgame_solver(lexicon: Lexicon, table_mb: int) -> AbstractContextManager[EndgameSolver]:
    """Lend an endgame solver with a transposition table of that many megabytes."""
    key = (lexicon, "endgame", table_mb)
    return lent(key, lambda: EndgameSolver(lexicon, table_mb=table_mb), table_mb)


def lent_preendgame_solver(lexicon: Lexicon, table_mb: int) -> AbstractContextManager[PreendgameSolver]:
    """Lend a pre-endgame solver with a transposition table of that many megabytes.

    Raises InvalidInput for a size out of range.
    """
    key = (lexicon, "preendgame", table_mb)
    return lent(key, lambda: PreendgameSolver(lexicon, table_mb=table_mb), table_mb)


def valued_moves(position: Position, board: LoadedBoard, lexicon: Lexicon, evaluator: str) -> LegalMoves:
    """Return the legal moves of a position, valued by the evaluator of a name; `board`: its loaded board."""
    with (
        lent_evaluator(evaluator, lexicon, position.rules, expect_bingos=False) as valuing,
        lent_generator(lexicon) as movegen,
    ):
        return legal_moves(position, board, movegen, valuing)[0]
