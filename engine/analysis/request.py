"""What is asked: a position, the options, and the names under which answers may be kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

from engine.errors import InvalidInput, quoted
from engine.evaluation.evaluators import EVALUATORS_AT_HAND, best_evaluator, uses_leaves
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import find_win_pct_table
from engine.movegen import GENERATOR_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.analysis.solving import EndgamePlan
    from engine.evaluation.leave_table import LeaveTable
    from engine.evaluation.win_pct import WinPctTable
    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search import SimulationPlan

ANSWER_FORMAT: Final = 3
"""Raised whenever the same request would give other bytes than before."""

SORTS: Final = ("score", "equity", "leave_value", "bingo_expectation", "win_pct")
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

    `expect_bingos`: give every move its bingo expectation, whatever the evaluator. `simulate`: compare the
    best moves by simulation, with the random numbers of `seed`, for at most `max_ms` milliseconds; what such
    a deadline cut is not kept. `endgame`: solve it, by that plan and deadline.
    """

    top_n: int = 10
    sort: str = "score"
    include_exchanges: bool = False
    generator: str = "internal_words"
    evaluator: str = "auto"
    expect_bingos: bool = False
    compare: tuple[str, ...] = ()
    simulate: SimulationPlan | None = None
    endgame: EndgamePlan | None = None
    seed: int = 1
    max_ms: int | None = None

    def check(self) -> None:
        """Raise InvalidInput naming the option that is unknown."""
        if self.top_n < 1:
            raise InvalidInput("top_n must be at least 1", code="out_of_range", field="top_n")
        _check_choice("sort", self.sort, SORTS)
        _check_choice("evaluator", self.evaluator, EVALUATORS)
        _check_choice("generator", self.generator, GENERATOR_NAMES)
        if self.simulate is not None:
            self.simulate.check()
        if self.endgame is not None:
            self.endgame.check()
            if self.simulate is not None:
                raise InvalidInput(
                    "ask for a simulation or for the endgame, not for both", code="exclusive", field="endgame"
                )
        if not 0 <= self.seed < 2**63:
            raise InvalidInput("seed must be from 0 to 2^63 - 1", code="out_of_range", field="seed")
        if self.max_ms is not None and self.max_ms < 1:
            raise InvalidInput("max_ms must be at least 1", code="out_of_range", field="max_ms")

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
        leaves, win_pct = find_leave_table(lexicon), find_win_pct_table(lexicon)
        name = options.evaluator
        if name == "auto":
            name = best_evaluator(lexicon)
        if uses_leaves(name) and leaves is None:
            raise InvalidInput(
                f"the evaluator {name} needs a leave table: there is none for {lexicon.id} nor its tile set; "
                f"run: kibitz train leaves --lexicon {lexicon.id}",
                code="evaluator_unavailable",
                field="evaluator",
            )
        if name == "greedy" and (options.sort in ("equity", "leave_value") or options.wants_bingos):
            raise InvalidInput(
                "greedy values no leaves; ask for another evaluator: " + ", ".join(EVALUATORS_AT_HAND),
                code="sort_unavailable"
                if options.sort not in ("score", "win_pct")
                else "evaluator_unavailable",
                field="sort" if options.sort not in ("score", "win_pct") else "evaluator",
            )
        if options.sort == "win_pct" and win_pct is None:
            raise InvalidInput(
                f"there is no win% table for {lexicon.id} nor for its tile set; "
                f"run: kibitz train winpct --lexicon {lexicon.id}",
                code="sort_unavailable",
                field="sort",
            )
        return cls(name, leaves if uses_leaves(name) else None, win_pct)


@dataclass(frozen=True)
class AnalysisRequest:
    """Ask for the moves of one position."""

    position: Position
    options: AnalysisOptions = AnalysisOptions()

    @cached_property
    def canonical(self) -> str:
        """The canonical text of the position; made once, for it is asked for more than once."""
        return self.position.canonical()

    def key(self, lexicon: Lexicon, version: str) -> str:
        """Return the SHA-256 (hexadecimal) of everything that can change the answer's bytes."""
        parts = [
            f"answer {ANSWER_FORMAT} {version}",
            f"lexicon {lexicon.id} {lexicon.sha256} {lexicon.table_sha256}",
            repr(self.options),
            *(table.name for table in (find_leave_table(lexicon), find_win_pct_table(lexicon)) if table),
            self.canonical,
        ]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _check_choice(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise InvalidInput(
            f"there is no {name} {quoted(value)}; known: {', '.join(known)}",
            code=f"unknown_{name}",
            field=name,
        )
