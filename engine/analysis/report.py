"""The result of an analysis: the moves of a position with their values, and what they depend on.

The records hold objects; whoever shows them writes their text. Scores, spread and equity are in points. A
win% is from 0 to 100, for the player on turn. What was not asked for is None.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING

from engine.messages import rendered

if TYPE_CHECKING:
    from engine.analysis.explain.explanation import Explanation
    from engine.analysis.judged import Judged
    from engine.analysis.legality import MoveFault
    from engine.errors import Params
    from engine.evaluation.leave_table import LeaveTable
    from engine.evaluation.win_pct import WinPctTable
    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search import EndgameResult, PreendgameResult, Simulation
    from engine.search.budget import Budget


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold the result for one entry of `compare`: its text, the move, and the fault if it is illegal.

    `move` is None if the text names no move that fits the board; an illegal move has no rank.
    """

    asked: str
    move: Judged | None
    fault: MoveFault | None

    @property
    def legal(self) -> bool:
        """Whether the move is legal."""
        return self.fault is None


@dataclass(frozen=True, slots=True)
class Phony:
    """Name a word on the board that is not in the lexicon, and where it begins."""

    word: str
    at: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Warn that a request was answered under another assumption than it states.

    `code` is stable; `detail` is a sentence, and `params` the values that it names.
    """

    code: str
    params: Params
    detail: str

    def rendered(self, language: str) -> Notice:
        """Return the warning with its sentence in a language."""
        return replace(self, detail=rendered(self.detail, language))


@dataclass(frozen=True, slots=True)
class LexiconReference:
    """Name a lexicon and the SHA-256 of its word list."""

    id: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """Name everything that a result depends on besides the request.

    `leaves`, `win_pct_table`: the learned tables used; `seed`, `budget`: of a search; `spent`: the iterations
    of a simulation, or the nodes of another search; `stopped_by`: "complete", "budget" or "deadline";
    `deterministic`: whether the same request gives the same result again, which a deadline prevents.
    """

    engine_version: str
    lexicon: LexiconReference
    leaves: str | None = None
    win_pct_table: str | None = None
    seed: int | None = None
    budget: Budget | None = None
    spent: int | None = None
    stopped_by: str = "complete"
    deterministic: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """Hold the result of an `AnalysisRequest`.

    `sort`: what the moves are ranked by, the phase of the search if there was one. `phase`: the search, one
    of PHASES; None without a search. `moves`: the best first; `compare`: the moves that the request names;
    `phonies`: words on the board that the lexicon lacks; `explanation`: of the best move, None unless asked
    for; `warnings`: those of the request; `searched`: the whole result of the search.
    """

    position: Position
    sort: str
    evaluator: str
    phase: str | None
    play_count: int
    exchange_count: int
    moves: tuple[Judged, ...]
    compare: tuple[Comparison, ...]
    phonies: tuple[Phony, ...]
    explanation: Explanation | None
    warnings: tuple[Notice, ...]
    provenance: Provenance
    searched: Simulation | PreendgameResult | EndgameResult | None = field(default=None, compare=False)

    @property
    def best(self) -> Judged:
        """The first of the moves; raises IndexError if there is none."""
        return self.moves[0]

    def __str__(self) -> str:
        """Format the moves, one per line."""
        return "\n".join(map(str, self.moves))

    def __repr__(self) -> str:
        best = f"best={self.best!r}, " if self.moves else ""
        return f"Analysis({best}play_count={self.play_count}, phase={self.phase!r})"

    def _repr_html_(self) -> str:
        """Return the moves for notebooks."""
        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, slots=True)
class Timings:
    """Hold the seconds spent on loading the board, on valued moves, on search and report, and in total."""

    board: float = 0.0
    gen: float = 0.0
    eval: float = 0.0
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold an encoded `Analysis` and the time it took; `stored`: whether it came from the store."""

    body: bytes
    timings: Timings
    stored: bool


def lexicon_reference(lexicon: Lexicon) -> LexiconReference:
    """Return the name and the hash of a lexicon."""
    return LexiconReference(lexicon.id, lexicon.sha256)


def table_name(table: LeaveTable | WinPctTable | None) -> str | None:
    """Return the name of a learned table, with a remark if it is the default one of the tile set."""
    return None if table is None else table.name if table.own else f"{table.name} (default of the tile set)"
