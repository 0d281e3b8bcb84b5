"""What a thread keeps between requests: generators, evaluators, a solver; they own their scratch memory."""

from __future__ import annotations

from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from engine.evaluation.evaluators import Evaluator
from engine.movegen import generator
from engine.search.preendgame import PreendgameSolver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon import Lexicon
    from engine.movegen import MoveGenerator
    from engine.rules import RuleSet

EVALUATORS_KEPT: Final = 8  # by a thread for a lexicon, one for each name, bingo bonus and wish asked for
SOLVER_MB_KEPT: Final = 16
"""Megabytes of the largest table that a thread keeps with its solver of pre-endgames."""


class _Own(local):
    """This thread's instruments: each owns its scratch memory; all but the solver go with their lexicon."""

    def __init__(self) -> None:
        self.generators: WeakKeyDictionary[Lexicon, dict[str, MoveGenerator]] = WeakKeyDictionary()
        self.evaluators: WeakKeyDictionary[Lexicon, dict[tuple[str, int, bool], Evaluator]] = (
            WeakKeyDictionary()
        )
        self.solver: tuple[PreendgameSolver, int] | None = None


_own = _Own()


def thread_generator(name: str, lexicon: Lexicon) -> MoveGenerator:
    """Return this thread's generator of a name."""
    known = _own.generators.setdefault(lexicon, {})
    if name not in known:
        known[name] = generator(name, lexicon)
    return known[name]


def thread_evaluator(name: str, lexicon: Lexicon, rules: RuleSet, *, expect_bingos: bool) -> Evaluator | None:
    """Return this thread's evaluator; None for greedy, which values no leave."""
    if name == "greedy":
        return None
    known = _own.evaluators.setdefault(lexicon, {})
    key = (name, rules.bingo_bonus, expect_bingos)
    if key not in known:
        if len(known) >= EVALUATORS_KEPT:
            known.clear()
        known[key] = Evaluator(name, lexicon, rules, expect_bingos=expect_bingos)
    return known[key]


@contextmanager
def lent_preendgame_solver(lexicon: Lexicon, table_mb: int) -> Iterator[PreendgameSolver]:
    """Lend this thread's solver of pre-endgames, made anew for another lexicon or size of its table.

    Raises InvalidInput for a size that is none.
    """
    (kept, kept_mb), _own.solver = _own.solver or (None, 0), None
    solver = (
        kept
        if kept is not None and kept.lexicon is lexicon and kept_mb == table_mb
        else PreendgameSolver(lexicon, table_mb=table_mb)
    )
    try:
        yield solver
    finally:
        if table_mb <= SOLVER_MB_KEPT:
            _own.solver = solver, table_mb
