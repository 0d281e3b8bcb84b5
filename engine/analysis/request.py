"""The request of an analysis: a position, the options, and the key under which its answer is stored."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from engine.analysis.plans import check_plans, check_search, chosen_plan
from engine.errors import InvalidInput, TableNotReady, check_known
from engine.evaluation.bingo_leaves import bingo_tables_within
from engine.evaluation.evaluators import EVALUATOR_KINDS, LEAVE_EVALUATORS, evaluator_kind
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import WinChances, find_win_pct_table
from engine.messages import DEFAULT_LANGUAGE, LANGUAGES, Text
from engine.search.deadline import Deadline
from engine.search.opponent import reads_good_leaves
from engine.search.phase import AUTO, ENDGAME, PHASES, PREENDGAME, SIMULATE
from engine.search.simulation_plan import SimulationPlan, default_evaluator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from hashlib import _Hash

    from engine.analysis.plans import EndgamePlan, PreendgamePlan, SearchPlan
    from engine.analysis.report import Notice
    from engine.evaluation.leave_table import LeaveTable
    from engine.evaluation.win_pct import WinPctTable
    from engine.lexicon import Lexicon
    from engine.position import Position

ANSWER_FORMAT: Final = 14
"""Increase it whenever the same request gets other bytes than before."""

SORTS: Final = ("score", "equity", "leave_value", "bingo_expectation", "win_pct")
MAX_THREADS: Final = 256
EVALUATORS: Final = ("auto", *EVALUATOR_KINDS)

REPORT_MS: Final = 10.0
"""Milliseconds of `max_ms` reserved for the report after a search."""

EXPLAIN_MS: Final = 60.0
"""Milliseconds reserved for an explanation that compares one move, twice what it usually takes."""

REPORT_SHARE: Final = 0.25
"""The largest share of `max_ms` that is reserved for both."""


class Store(Protocol):
    """A cache of bytes by key, which may drop an entry at any time and never raises."""

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, in order; None for a miss."""

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Store the values of keys."""


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Say which moves to list, how to value and to rank them, and which search to make.

    `top_n`: how many moves to list, after the best `offset`; `sort`: one of SORTS; `include_exchanges`:
    whether to list exchanges and the pass too, else only if one of them is best;
    `expect_bingos`: whether every move gets its bingo expectation with any evaluator; `compare`: texts of
    further moves to rank. `simulate`, `preendgame`, `endgame`: the plan of a search; `phase`: one of PHASES,
    or "auto" for the one that the number of tiles in the bag calls for. `seed`: of the random numbers of a
    search; `max_ms`: milliseconds after which it stops; `threads`: of a simulation. `explain`: whether to
    explain the best move beside those of `compare`, or the second best, in the language `lang`.
    """

    top_n: int = 10
    offset: int = 0
    sort: str = "score"
    include_exchanges: bool = False
    evaluator: str = "auto"
    expect_bingos: bool = False
    compare: tuple[str, ...] = ()
    simulate: SimulationPlan | None = None
    preendgame: PreendgamePlan | None = None
    endgame: EndgamePlan | None = None
    phase: str | None = None
    seed: int = 1
    max_ms: int | None = None
    # Not in the `repr`, and so not in the key of an answer: the number of threads does not change the result
    # of a simulation, unless a deadline cuts it, and such an answer is not stored.
    threads: int = field(default=1, repr=False)
    explain: bool = False
    lang: str = DEFAULT_LANGUAGE

    def check(self) -> None:
        """Raise InvalidInput naming the option that is unknown or out of range."""
        if self.top_n < 1:
            raise InvalidInput(Text("top_n must be at least 1"), code="out_of_range", field="top_n")
        if self.offset < 0:
            raise InvalidInput(Text("offset must be at least 0"), code="out_of_range", field="offset")
        if self.offset and (self.is_search or self.explain):
            raise InvalidInput(
                Text("offset lists more moves of a plain analysis: leave out the search and the explanation"),
                code="offset_with_search",
                field="offset",
            )
        check_known("sort", self.sort, SORTS)
        check_known("evaluator", self.evaluator, EVALUATORS)
        if self.phase is not None:
            check_known("phase", self.phase, (AUTO, *PHASES))
        if self.is_search:
            check_plans(self.phase, self.plans)
        if not 1 <= self.threads <= MAX_THREADS:
            raise InvalidInput(
                Text("threads must be from 1 to {most}", most=MAX_THREADS),
                code="out_of_range",
                field="threads",
            )
        if not 0 <= self.seed < 2**63:
            raise InvalidInput(Text("seed must be from 0 to 2^63 - 1"), code="out_of_range", field="seed")
        if self.max_ms is not None and self.max_ms < 1:
            raise InvalidInput(Text("max_ms must be at least 1"), code="out_of_range", field="max_ms")
        check_known("lang", self.lang, LANGUAGES)

    @property
    def plans(self) -> dict[str, SearchPlan]:
        """The plans of searches that are given, by phase."""
        given: dict[str, SearchPlan | None] = {
            SIMULATE: self.simulate,
            PREENDGAME: self.preendgame,
            ENDGAME: self.endgame,
        }
        return {name: plan for name, plan in given.items() if plan is not None}

    @property
    def is_search(self) -> bool:
        """Whether a search is asked for, which takes up to its budget and `max_ms`."""
        return (self.phase, self.simulate, self.preendgame, self.endgame) != (None, None, None, None)

    @property
    def asks_simulation(self) -> bool:
        """Whether a simulation is asked for, whatever the bag holds."""
        return (self.phase or next(iter(self.plans), None)) == SIMULATE

    @property
    def reserved_ms(self) -> float:
        """How many milliseconds a search must leave to the report."""
        reserved = REPORT_MS + (EXPLAIN_MS if self.explain else 0)
        return reserved if self.max_ms is None else min(reserved, REPORT_SHARE * self.max_ms)

    @property
    def wants_proofs(self) -> bool:
        """Whether the win% with an empty bag may be proven for longer than a millisecond."""
        return self.is_search or self.explain or bool(self.compare) or self.sort == "win_pct"

    @property
    def wants_bingos(self) -> bool:
        """Whether bingo expectations are asked for, for every move or as the order."""
        return self.expect_bingos or self.sort == "bingo_expectation"


@dataclass(frozen=True, slots=True)
class LearnedTables:
    """Hold the evaluator of an analysis, never "auto", and the learned tables; None where there is none."""

    evaluator: str
    leaves: LeaveTable | None
    win_pct: WinPctTable | None

    @classmethod
    def resolve(
        cls, options: AnalysisOptions, lexicon: Lexicon, plan: SearchPlan | None = None
    ) -> LearnedTables:
        """Find the learned tables of a lexicon, and the evaluator that the options mean.

        `plan`: that of the search, on which the evaluator "auto" depends. Raises InvalidInput (codes
        "evaluator_unavailable", "sort_unavailable") for an evaluator or an order that needs a missing table.
        """
        name = evaluator_name(options.evaluator, lexicon, plan)
        return _resolved(name, options.sort, options.wants_bingos, lexicon)


def evaluator_name(evaluator: str, lexicon: Lexicon, plan: SearchPlan | None = None) -> str:
    """Return the name of an evaluator; for "auto" that of `default_evaluator`."""
    if evaluator != "auto":
        return evaluator
    return default_evaluator(lexicon, plan.method if isinstance(plan, SimulationPlan) else "")


@lru_cache(maxsize=16)  # every request needs it twice
def _resolved(name: str, sort: str, wants_bingos: bool, lexicon: Lexicon) -> LearnedTables:
    leaves, win_pct = find_leave_table(lexicon), find_win_pct_table(lexicon)
    needs_leaves = evaluator_kind(name).leaves
    if needs_leaves and leaves is None:
        raise InvalidInput(
            Text(
                "the evaluator {evaluator} needs a leave table: there is none for {lexicon} nor "
                "its tile set; run: kibitz train leaves --lexicon {lexicon}",
                evaluator=name,
                lexicon=lexicon.id,
            ),
            code="evaluator_unavailable",
            field="evaluator",
        )
    if name == "greedy" and (sort in ("equity", "leave_value") or wants_bingos):
        raise InvalidInput(
            Text("greedy values no leaves; ask for another evaluator: {known}", known=list(LEAVE_EVALUATORS)),
            code="sort_unavailable" if sort not in ("score", "win_pct") else "evaluator_unavailable",
            field="sort" if sort not in ("score", "win_pct") else "evaluator",
        )
    if sort == "win_pct" and win_pct is None:
        raise InvalidInput(
            Text(
                "there is no win% table for {lexicon} nor for its tile set; run: kibitz train "
                "winpct --lexicon {lexicon}",
                lexicon=lexicon.id,
            ),
            code="sort_unavailable",
            field="sort",
        )
    return LearnedTables(name, leaves if needs_leaves else None, win_pct)


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """Ask for the best moves of a position; `warnings` are repeated in the result."""

    position: Position
    options: AnalysisOptions = AnalysisOptions()
    warnings: tuple[Notice, ...] = ()

    def key(self, lexicon: Lexicon, version: str) -> str:
        """Return the SHA-256 (hexadecimal) of everything that the answer depends on."""
        digest = _digest(self.options, lexicon, version).copy()
        if self.warnings:
            digest.update(f"{self.warnings!r}\n".encode("utf-8", "surrogatepass"))
        digest.update(self.position.canonical().encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


@lru_cache(maxsize=64)  # most requests have one of a few sets of options
def _digest(options: AnalysisOptions, lexicon: Lexicon, version: str) -> _Hash:
    """Return the SHA-256 object of a request without its position; copy it before updating it."""
    tables = (find_leave_table(lexicon), find_win_pct_table(lexicon))
    parts = [
        f"answer {ANSWER_FORMAT} {version}",
        f"lexicon {lexicon.id} {lexicon.sha256} {lexicon.table_sha256}",
        repr(options),
        *(table.name for table in tables if table),
        "",
    ]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass"))


def check_letters(position: Position, lexicon: Lexicon) -> None:
    """Raise InvalidInput (code "tile_set_mismatch") if the letters of the lexicon are not the position's."""
    ours, theirs = position.tile_set.alphabet, lexicon.tile_set.alphabet
    if ours is not theirs and ours != theirs:
        raise InvalidInput(
            Text(
                "the lexicon {lexicon} is spelled with the letters of {lexicon_tile_set}, not "
                "with those of {tile_set}",
                lexicon=lexicon.id,
                lexicon_tile_set=lexicon.tile_set.id,
                tile_set=position.tile_set.id,
            ),
            code="tile_set_mismatch",
            field="tile_set",
        )


def check_position(position: Position, lexicon: Lexicon) -> None:
    """Raise InvalidInput with every fault of a position, and for an unknown rack of the player on turn."""
    check_letters(position, lexicon)
    position.check()
    if not position.rack.tiles:
        raise InvalidInput(
            Text("the player on turn has no rack, so there is nothing to analyze"),
            code="no_rack",
            field="rack",
        )


def search_plan(request: AnalysisRequest) -> SearchPlan | None:
    """Return the plan by which a request searches, None for no search."""
    options = request.options
    return chosen_plan(options.phase, options.plans, request.position) if options.is_search else None


@dataclass(frozen=True, slots=True)
class Case:
    """Hold a request that can be analyzed, with what its analysis needs.

    `plan`: of the search, None for no search; `search_ends`, `ends`: when the search and the whole analysis
    must stop.
    """

    request: AnalysisRequest
    lexicon: Lexicon
    learned: LearnedTables
    plan: SearchPlan | None
    search_ends: Deadline
    ends: Deadline

    @classmethod
    def of(cls, request: AnalysisRequest, lexicon: Lexicon, deadline: Deadline | None = None) -> Case:
        """Check a request and find what it needs; raise InvalidInput for a faulty one.

        `deadline`: one that another thread may cut, besides the `max_ms` of the request.
        """
        position, options = request.position, request.options
        ends = (deadline or Deadline()).within(options.max_ms)
        options.check()
        plan = search_plan(request)
        learned = LearnedTables.resolve(options, lexicon, plan)
        check_position(position, lexicon)
        if options.sort == "win_pct" and len(position.players) != 2:
            raise InvalidInput(
                Text("win% is known for games of two players only"), code="sort_unavailable", field="sort"
            )
        if plan is not None:
            check_search(plan, position)
        return cls(request, lexicon, learned, plan, ends.before(options.reserved_ms), ends)

    @property
    def chances(self) -> WinChances | None:
        """What estimates the win% of moves; the table is learned from games of two players."""
        table, position = self.learned.win_pct, self.request.position
        return None if table is None or len(position.players) != 2 else WinChances(table, position)

    def prepare_tables(self) -> None:
        """Build the bingo tables that the analysis needs, if it has a deadline.

        Raises TableNotReady if they are not ready by then; another thread continues to build them. Without a
        deadline they are built at their first use.
        """
        plan, position, lexicon = self.plan, self.request.position, self.lexicon
        leaves = isinstance(plan, SimulationPlan) and reads_good_leaves(position, plan.opponent_model)
        bingos = evaluator_kind(self.learned.evaluator).bingos or self.request.options.wants_bingos
        seconds = self.search_ends.seconds_left
        if not (leaves or bingos) or seconds is None:
            return
        if not bingo_tables_within(lexicon, seconds, leaves=leaves):
            raise TableNotReady(
                Text(
                    "the bingo tables of {lexicon} are being computed: ask again in some seconds, or "
                    "compute them beforehand: kibitz lexicon build {lexicon} --bingos",
                    lexicon=lexicon.id,
                ),
                code="table_not_ready",
            )
