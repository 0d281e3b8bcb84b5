"""The result of an analysis: the moves of a position with their values, and what they depend on.

The records hold objects; whoever shows them writes their text. Scores, spread and equity are in points. A
win% is from 0 to 100, for the player on turn. What was not asked for is None.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Annotated

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
    """Name a word on the board that is not in the lexicon."""

    word: Annotated[str, "the word, upper case"]
    at: Annotated[str, "start: 8D across, D8 down"]


@dataclass(frozen=True, slots=True)
class Notice:
    """Warn that a request was answered under another assumption than it states."""

    code: Annotated[str, "stable code"]
    params: Annotated[Params, "the values in `detail`, so that a program can say it in another language"]
    detail: Annotated[str, "one sentence for people"]

    def rendered(self, language: str) -> Notice:
        """Return the warning with its sentence in a language."""
        return replace(self, detail=rendered(self.detail, language))


@dataclass(frozen=True, slots=True)
class LexiconReference:
    """Name a lexicon and its words."""

    id: Annotated[str, "id"]
    sha256: Annotated[str, "SHA-256 of the word list"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Name everything that a result depends on besides the request.

    `budget`: what a search was allowed; `spent`: the iterations of a simulation, or the nodes of another
    search. A result that a deadline stopped is not deterministic.
    """

    engine_version: Annotated[str, "version of kibitz"]
    lexicon: Annotated[LexiconReference, "the lexicon"]
    leaves: Annotated[
        str | None, "leave table: the lexicon that it was learned with, and the start of its checksum"
    ] = None
    win_pct_table: Annotated[str | None, "win% table, named in the same way"] = None
    seed: Annotated[int | None, "seed of the random numbers"] = None
    budget: Budget | None = None
    spent: int | None = None
    stopped_by: Annotated[str, "complete, budget or deadline"] = "complete"
    deterministic: Annotated[bool, "true if the same request always gets the same bytes"] = True


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """Hold the result of an `AnalysisRequest`.

    `moves`: the best first; `compare`: the moves that the request names; `searched`: the whole result of the
    search, None without one.
    """

    position: Position
    sort: Annotated[
        str,
        "what the moves are sorted by: score, equity, win_pct, or the search that ranked them (simulate, "
        "preendgame, endgame), followed by the moves that were not searched. Ties are broken by equity (by "
        "score if the moves are sorted by score or leaves have no value), then rows before columns, the "
        "earlier line, start and length, the letters in the order of the tile set, and blanks. Exchanges and "
        "the pass come last",
    ]
    evaluator: Annotated[str, "evaluator used"]
    phase: Annotated[
        str | None, "search that was run: simulate, preendgame or endgame; null without a search"
    ]
    play_count: Annotated[int, "number of legal plays"]
    exchange_count: Annotated[int, "number of different exchanges"]
    moves: tuple[Judged, ...]
    compare: tuple[Comparison, ...]
    phonies: Annotated[tuple[Phony, ...], "words on the board that are not in the lexicon"]
    explanation: Annotated[Explanation | None, "why the best move is best; null unless `explain` is true"]
    warnings: Annotated[tuple[Notice, ...], "what differs from what the request assumes"]
    provenance: Annotated[Provenance, "versions, tables and limits behind the answer"]
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
