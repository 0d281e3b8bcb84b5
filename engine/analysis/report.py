"""The result of an analysis: dataclasses that are encoded as JSON field by field.

The fields are encoded in the order in which they stand here, under the names that the HTTP API documents. A
field that was not asked for is None. Scores, spread and equity are in points; `win_pct` is from 0 to 100, for
the player on turn, and lies between `win_pct_low` and `win_pct_high`. These differ where a search has proven
a range only; then `win_pct` is None. An analysis holds a hundred or more of `MoveReport`, `FormedWord` and
`PlacedTile`: these are neither frozen, which would double the time to create them, nor slotted, which would
quadruple the time to encode them. Treat them as immutable.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from engine.errors import params_of
from engine.messages import rendered
from engine.records import format_cgp

if TYPE_CHECKING:
    from engine.analysis.explain.explanation import Explanation
    from engine.errors import Params
    from engine.evaluation.leave_table import LeaveTable
    from engine.evaluation.win_pct import WinPctTable
    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search import Simulated


@dataclass
class PlacedTile:
    """Name a square ("8D") and the tile that a move puts on it."""

    at: str
    letter: str
    blank: bool


@dataclass
class FormedWord:
    """Name a word that a play forms, where it begins ("8D" across, "D8" down), and its points (no bonus)."""

    word: str
    at: str
    score: int
    valid: bool


@dataclass(frozen=True, slots=True)
class EndgameReport:
    """Hold the result of an endgame search.

    `spread`: of the final scores, in points; `line`: the moves that lead to it; `certainty`: "exact", "bound"
    (the spread is at least this) or "estimate".
    """

    spread: float
    line: tuple[str, ...]
    certainty: str


@dataclass(frozen=True, slots=True)
class BagDraw:
    """Hold the result of a move for one order of the bag ("QU": the Q is drawn first).

    `weight`: how many ways of drawing lead to it; `lower` and `upper`: bounds on the result, 1 for a win, 0.5
    for a tie, 0 for a loss.
    """

    bag: str
    weight: int
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class PreendgameReport:
    """Hold the result of a pre-endgame search of one move, over all draws or a sample of them.

    `win_pct` counts a tie as half a win; it is None while the proven bounds `lower` and `upper` differ.
    `spread` is the mean final spread, proven if `spread_exact`. `draws`: the weight of all draws;
    `settled`: of those known to be won, tied or lost. `certainty`: "exact" if all are settled, else "bound";
    "estimate" for a sample of the draws, whose standard error is `win_pct_error`, and for a move after which
    the opponent could exchange, which the search does not consider. `pruned`: the move cannot be best.
    `opponent`: the model of the opponent's moves, always "static" for a sample. `best_proven`: under that
    model no other searched move wins more often. `plays_left_out`: how many plays were not searched;
    `exchanges_left_out`: whether legal exchanges were not. `by_bag`: the result for each draw, empty for an
    estimate.
    """

    win_pct: float | None
    lower: float
    upper: float
    win_pct_error: float | None
    spread: float
    spread_exact: bool
    draws: int
    settled: int
    certainty: str
    pruned: bool
    opponent: str
    best_proven: bool
    plays_left_out: int
    exchanges_left_out: bool
    by_bag: tuple[BagDraw, ...]


@dataclass(repr=False)
class MoveReport:
    """Describe one move.

    `rank`: among all legal moves, from 1; None for an illegal move. `words`: the main word first; `score` is
    the sum of their scores and `bonus`. A play is a fish if it scores less than `bingo_expectation`.
    """

    rank: int | None
    move: str
    kind: str
    at: str | None
    direction: str | None
    word: str | None
    placed: tuple[PlacedTile, ...]
    tiles_used: int
    score: int
    words: tuple[FormedWord, ...]
    bonus: int
    leave: str
    is_bingo: bool
    leave_value: float | None = None
    equity: float | None = None
    bingo_expectation: float | None = None
    is_fish: bool | None = None
    win_pct: float | None = None
    win_pct_low: float | None = None
    win_pct_high: float | None = None
    sim: Simulated | None = None
    endgame: EndgameReport | None = None
    preendgame: PreendgameReport | None = None

    def __str__(self) -> str:
        """Format rank, move, score and, where they are known, equity and win%."""
        equity = "" if self.equity is None else f"{self.equity:8.1f}"
        win_pct = "" if self._win_pct is None else f"{self._win_pct:7.1f} %"
        if self.win_pct is None and self.win_pct_low is not None and not self.sim:
            win_pct = f"{win_range_text(self.win_pct_low, self.win_pct_high):>7} %"
        return f"{self.rank or '-':>3}  {self.move:<20} {self.score:>4}{equity}{win_pct}"

    def __repr__(self) -> str:
        known = {"equity": self.equity, "win_pct": self._win_pct}
        more = "".join([f", {name}={value:.1f}" for name, value in known.items() if value is not None])
        return f"MoveReport({self.move!r}, score={self.score}{more})"

    @property
    def _win_pct(self) -> float | None:
        """The win% of a simulation, else the proven one, else that of the win% table."""
        return self.win_pct if self.sim is None else self.sim.win_pct


@dataclass(frozen=True, slots=True)
class MoveFault:
    """Say why a move is illegal: a stable code, a sentence, and the values that the sentence names."""

    code: str
    detail: str
    params: Params = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.params:
            object.__setattr__(self, "params", params_of(self.detail))

    def rendered(self, language: str) -> MoveFault:
        """Return the fault with its sentence in a language."""
        return replace(self, detail=rendered(self.detail, language))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold the result for one entry of `compare`: its text, the move, and the fault if it is illegal.

    `move` is None if the text names no move that fits the board; an illegal move has no rank.
    """

    asked: str
    legal: bool
    move: MoveReport | None
    fault: MoveFault | None


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
class PositionReport:
    """Hold the analyzed position in canonical form.

    `id`: the SHA-256 of its canonical text; `unseen`: the tiles that the player on turn cannot see.
    """

    cgp: str
    id: str
    lexicon: str
    board: str
    tile_set: str
    rules: str
    bag_count: int
    unseen: str


@dataclass(frozen=True, slots=True)
class LexiconReference:
    """Name a lexicon and the SHA-256 of its word list."""

    id: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Effort:
    """Count the work of a search: nodes of an endgame or pre-endgame, iterations of a simulation."""

    nodes: int | None = None
    iterations: int | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Name everything that a result depends on beside the request.

    `leaves`, `win_pct_table`: the learned tables used; `seed`, `budget`, `spent`: of a search;
    `stopped_by`: "complete", "budget" or "deadline"; `deterministic`: whether the same request gives the same
    result again, which a deadline prevents.
    """

    engine_version: str
    lexicon: LexiconReference
    leaves: str | None = None
    win_pct_table: str | None = None
    seed: int | None = None
    budget: Effort | None = None
    spent: Effort | None = None
    stopped_by: str = "complete"
    deterministic: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """Hold the result of an `AnalysisRequest`.

    `sort`: what the moves are ranked by, the phase of the search if there was one. `phase`: the search, one
    of PHASES; None without a search. `moves`: the best first; `compare`: the moves that the request names;
    `phonies`: words on the board that the lexicon lacks; `explanation`: of the best move, None unless asked
    for; `warnings`: those of the request.
    """

    position: PositionReport
    sort: str
    generator: str
    evaluator: str
    phase: str | None
    play_count: int
    exchange_count: int
    moves: tuple[MoveReport, ...]
    compare: tuple[Comparison, ...]
    phonies: tuple[Phony, ...]
    explanation: Explanation | None
    warnings: tuple[Notice, ...]
    provenance: Provenance

    @property
    def best(self) -> MoveReport:
        """The first of the moves; raises IndexError if there is none."""
        return self.moves[0]

    def __str__(self) -> str:
        """Format the moves, one per line."""
        return "\n".join(map(str, self.moves))

    def __repr__(self) -> str:
        best = f"best={self.best!r}, " if self.moves else ""
        return f"Analysis({best}play_count={self.play_count}, phase={self.phase!r})"


@dataclass(frozen=True, slots=True)
class Timings:
    """Hold the seconds spent on loading the board, generating, evaluating (and reporting), and in total."""

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


def win_range_text(low: float | None, high: float | None, digits: int = 0) -> str:
    """Format the range of a win%, "50-100"; one number if its ends are equal, nothing if they are None."""
    if low is None or high is None:
        return ""
    return f"{low:.{digits}f}" if low == high else f"{low:.0f}-{high:.0f}"


def position_report(position: Position, lexicon: Lexicon, canonical: bytes | None = None) -> PositionReport:
    """Return the report of a position; `canonical` is its canonical text, if the caller has it already."""
    if canonical is None or any(player.last_move is not None for player in position.players):
        identity = position.id
    else:
        identity = sha256(canonical).hexdigest()
    return PositionReport(
        cgp=format_cgp(position),
        id=identity,
        lexicon=lexicon.id,
        board=position.layout.id,
        tile_set=position.tile_set.id,
        rules=position.rules.id,
        bag_count=position.bag_count(),
        unseen=position.tile_set.alphabet.counted_text(position.unseen()),
    )


def lexicon_reference(lexicon: Lexicon) -> LexiconReference:
    """Return the name and the hash of a lexicon."""
    return LexiconReference(lexicon.id, lexicon.sha256)


def table_name(table: LeaveTable | WinPctTable | None) -> str | None:
    """Return the name of a learned table, with a remark if it is the default one of the tile set."""
    return None if table is None else table.name if table.own else f"{table.name} (default of the tile set)"
