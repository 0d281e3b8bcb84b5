"""Generators, evaluators, solvers and players that each thread reuses, since they own scratch memory."""

from __future__ import annotations

from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine.evaluation.evaluators import Evaluator
from engine.movegen import GENERATOR_NAMES, generator
from engine.search.endgame import EndgameSolver
from engine.search.levels import LevelPlayer
from engine.search.preendgame import PreendgameSolver

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from engine.lexicon import Lexicon
    from engine.movegen import MoveGenerator
    from engine.rules import RuleSet

Value = TypeVar("Value")

MAX_LEXICONS: Final = 8
"""Lexicons for which a thread holds objects; one more takes the place of the first."""
MAX_EVALUATORS: Final = 8
"""Evaluators that a thread holds for a lexicon; one more takes the place of all others."""
MAX_LEVEL_PLAYERS: Final = 4
"""Computer players that a thread holds for a lexicon; one more takes the place of all others."""
MAX_SOLVER_MB: Final = 16
"""The largest transposition table, in megabytes, that a thread reuses with its pre-endgame solver."""


class _Objects(local):
    """The objects of one thread; the pre-endgame solver with the megabytes of its table."""

    def __init__(self) -> None:
        # Not by weak references: the objects hold their lexicon, so no entry would ever go.
        self.by_lexicon: dict[Lexicon, dict[str, dict[Hashable, Any]]] = {}
        self.solver: tuple[PreendgameSolver, int] | None = None


_objects = _Objects()


def _reused(lexicon: Lexicon, kind: str, key: Hashable, create: Callable[[], Value], most: int) -> Value:
    """Return this thread's object of a kind and key, created at the first call."""
    by_lexicon = _objects.by_lexicon
    if lexicon not in by_lexicon and len(by_lexicon) >= MAX_LEXICONS:
        del by_lexicon[next(iter(by_lexicon))]
    found = by_lexicon.setdefault(lexicon, {}).setdefault(kind, {})
    if key not in found:
        if len(found) >= most:
            found.clear()
        found[key] = create()
    value: Value = found[key]
    return value


def thread_generator(name: str, lexicon: Lexicon) -> MoveGenerator:
    """Return this thread's move generator of a name."""
    return _reused(lexicon, "generator", name, lambda: generator(name, lexicon), len(GENERATOR_NAMES))


def thread_evaluator(name: str, lexicon: Lexicon, rules: RuleSet, *, expect_bingos: bool) -> Evaluator | None:
    """Return this thread's evaluator; None for greedy, which values no leaves."""
    if name == "greedy":
        return None
    key = (name, rules.bingo_bonus, expect_bingos)
    return _reused(
        lexicon,
        "evaluator",
        key,
        lambda: Evaluator(name, lexicon, rules, expect_bingos=expect_bingos),
        MAX_EVALUATORS,
    )


def thread_level_player(lexicon: Lexicon, rules: RuleSet) -> LevelPlayer:
    """Return this thread's computer player."""
    key = rules.bingo_bonus
    return _reused(lexicon, "player", key, lambda: LevelPlayer(lexicon, rules), MAX_LEVEL_PLAYERS)


def thread_endgame_solver(lexicon: Lexicon, table_mb: int) -> EndgameSolver:
    """Return this thread's endgame solver with a transposition table of that many megabytes."""
    return _reused(lexicon, "endgame", table_mb, lambda: EndgameSolver(lexicon, table_mb=table_mb), 1)


@contextmanager
def lent_preendgame_solver(lexicon: Lexicon, table_mb: int) -> Iterator[PreendgameSolver]:
    """Lend this thread's pre-endgame solver; another lexicon or table size gets a new one.

    `table_mb`: megabytes of its transposition table. Raises InvalidInput for a size out of range.
    """
    (solver, solver_mb), _objects.solver = _objects.solver or (None, 0), None
    if solver is None or solver.lexicon is not lexicon or solver_mb != table_mb:
        solver = PreendgameSolver(lexicon, table_mb=table_mb)
    try:
        yield solver
    finally:
        if table_mb <= MAX_SOLVER_MB:
            _objects.solver = solver, table_mb
