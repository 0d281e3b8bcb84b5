"""What is asked: a position, the options, and the names under which answers may be kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from engine.analysis.searching import check_searches
from engine.errors import InvalidInput, excerpt, quoted
from engine.evaluation.evaluators import EVALUATORS_AT_HAND, best_evaluator, uses_leaves
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import find_win_pct_table
from engine.movegen import GENERATOR_NAMES
from engine.search.phase import AUTO, PHASES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from hashlib import _Hash

    from engine.analysis.presolving import PreendgamePlan
    from engine.analysis.result import Notice
    from engine.analysis.solving import EndgamePlan
    from engine.evaluation.leave_table import LeaveTable
    from engine.evaluation.win_pct import WinPctTable
    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search import SimulationPlan

ANSWER_FORMAT: Final = 8
"""Raised whenever the same request would give other bytes than before."""

SORTS: Final = ("score", "equity", "leave_value", "bingo_expectation", "win_pct")
MOST_THREADS: Final = 256
EVALUATORS: Final = ("auto", "greedy", *EVALUATORS_AT_HAND)


class Store(Protocol):
    """Keep bytes under names; it may forget anything at any time, and never raises."""

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, in order; None where there is none."""

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Keep the entries for as long as it suits the store."""


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Say which moves to list and how: `top_n` best, by `sort`; `compare` names moves to rank beside them.

    `expect_bingos`: give every move its bingo expectation, whatever the evaluator. `simulate`, `preendgame`,
    `endgame`: search by that plan. `phase`: search by one of PHASES, or "auto" for the one that the bag calls
    for; plans beside it say how. `seed`: of the random numbers of a search; `max_ms`: milliseconds, which
    only cut it short, and what they cut is not kept; `threads`: of a simulation.
    """

    top_n: int = 10
    sort: str = "score"
    include_exchanges: bool = False
    generator: str = "internal_words"
    evaluator: str = "auto"
    expect_bingos: bool = False
    compare: tuple[str, ...] = ()
    simulate: SimulationPlan | None = None
    preendgame: PreendgamePlan | None = None
    endgame: EndgamePlan | None = None
    phase: str | None = None
    seed: int = 1
    max_ms: int | None = None
    # Not in the `repr`, and so not in the name of an answer: a simulation finds the same with any number of
    # threads, and what a deadline cut, which is where they would tell, is never kept.
    threads: int = field(default=1, repr=False)

    def check(self) -> None:
        """Raise InvalidInput naming the option that is unknown."""
        if self.top_n < 1:
            raise InvalidInput("top_n must be at least 1", code="out_of_range", field="top_n")
        _check_choice("sort", self.sort, SORTS)
        _check_choice("evaluator", self.evaluator, EVALUATORS)
        _check_choice("generator", self.generator, GENERATOR_NAMES)
        if self.phase is not None:
            _check_choice("phase", self.phase, (AUTO, *PHASES))
        if self.is_heavy:
            check_searches(self)
        if not 1 <= self.threads <= MOST_THREADS:
            raise InvalidInput(
                f"threads must be from 1 to {MOST_THREADS}",
                code="out_of_range",
                field="threads",
                params={"most": MOST_THREADS},
            )
        if not 0 <= self.seed < 2**63:
            raise InvalidInput("seed must be from 0 to 2^63 - 1", code="out_of_range", field="seed")
        if self.max_ms is not None and self.max_ms < 1:
            raise InvalidInput("max_ms must be at least 1", code="out_of_range", field="max_ms")

    @property
    def is_heavy(self) -> bool:
        """Tell whether a search is asked for, which may take as long as its budget and `max_ms` allow."""
        searches = (self.phase, self.simulate, self.preendgame, self.endgame)
        return searches != (None, None, None, None)

    @property
    def wants_bingos(self) -> bool:
        """Tell whether bingo expectations are asked for, be it as the order."""
        return self.expect_bingos or self.sort == "bingo_expectation"


@dataclass(frozen=True, slots=True)
class Learned:
    """Hold what an analysis uses of what was learned: the evaluator meant, and the tables, if any."""

    evaluator: str
    leaves: LeaveTable | None
    win_pct: WinPctTable | None

    @classmethod
    def resolve(cls, options: AnalysisOptions, lexicon: Lexicon) -> Learned:
        """Find the tables that serve a lexicon, and what "auto" means with them.

        Raises InvalidInput (codes "evaluator_unavailable", "sort_unavailable") for an evaluator or an order
        that needs a table which is not there.
        """
        return _resolved(options.evaluator, options.sort, options.wants_bingos, lexicon)


def evaluator_name(evaluator: str, lexicon: Lexicon) -> str:
    """Return the evaluator that a request means: for "auto" the best that the lexicon's tables allow."""
    return best_evaluator(lexicon) if evaluator == "auto" else evaluator


@lru_cache(maxsize=16)  # asked for twice a request
def _resolved(evaluator: str, sort: str, wants_bingos: bool, lexicon: Lexicon) -> Learned:
    leaves, win_pct = find_leave_table(lexicon), find_win_pct_table(lexicon)
    name = evaluator_name(evaluator, lexicon)
    if uses_leaves(name) and leaves is None:
        raise InvalidInput(
            f"the evaluator {name} needs a leave table: there is none for {lexicon.id} nor its tile set; "
            f"run: kibitz train leaves --lexicon {lexicon.id}",
            code="evaluator_unavailable",
            field="evaluator",
            params={"evaluator": name, "lexicon": lexicon.id},
        )
    if name == "greedy" and (sort in ("equity", "leave_value") or wants_bingos):
        raise InvalidInput(
            f"greedy values no leaves; ask for another evaluator: {', '.join(EVALUATORS_AT_HAND)}",
            code="sort_unavailable" if sort not in ("score", "win_pct") else "evaluator_unavailable",
            field="sort" if sort not in ("score", "win_pct") else "evaluator",
            params={"known": list(EVALUATORS_AT_HAND)},
        )
    if sort == "win_pct" and win_pct is None:
        raise InvalidInput(
            f"there is no win% table for {lexicon.id} nor for its tile set; "
            f"run: kibitz train winpct --lexicon {lexicon.id}",
            code="sort_unavailable",
            field="sort",
            params={"lexicon": lexicon.id},
        )
    return Learned(name, leaves if uses_leaves(name) else None, win_pct)


@dataclass(frozen=True)
class AnalysisRequest:
    """Ask for the moves of one position; `warnings` are repeated in the answer."""

    position: Position
    options: AnalysisOptions = AnalysisOptions()
    warnings: tuple[Notice, ...] = ()

    @property
    def canonical(self) -> bytes:
        """The canonical text of the position; made once, for it is asked for more than once."""
        made: bytes | None = self.__dict__.get("_canonical")
        if made is None:
            made = self.position.canonical().encode("utf-8", "surrogatepass")
            self.__dict__["_canonical"] = made
        return made

    def key(self, lexicon: Lexicon, version: str) -> str:
        """Return the SHA-256 (hexadecimal) of everything that can change the answer's bytes."""
        digest = _digest(self.options, lexicon, version).copy()
        if self.warnings:
            digest.update(f"{self.warnings!r}\n".encode("utf-8", "surrogatepass"))
        digest.update(self.canonical)
        return digest.hexdigest()


@lru_cache(maxsize=64)  # most requests ask in one of a few ways
def _digest(options: AnalysisOptions, lexicon: Lexicon, version: str) -> _Hash:
    """Return the SHA-256 of all that is asked but the position, which is still to come; to be copied."""
    tables = (find_leave_table(lexicon), find_win_pct_table(lexicon))
    parts = [
        f"answer {ANSWER_FORMAT} {version}",
        f"lexicon {lexicon.id} {lexicon.sha256} {lexicon.table_sha256}",
        repr(options),
        *(table.name for table in tables if table),
        "",
    ]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass"))


def _check_choice(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise InvalidInput(
            f"there is no {name} {quoted(value)}; known: {', '.join(known)}",
            code=f"unknown_{name}",
            field=name,
            params={"name": excerpt(value), "option": name, "known": list(known)},
        )
