"""The answer: every field that an answer will ever have, None where its part does not exist yet.

The order of the fields is the order in which they are written; the names are those of the HTTP contract.
Points are whole numbers, `spread` is in points and `win_pct` from 0 to 100, seen from the player on turn.
Of a move and its parts there are a hundred in an answer, so these three classes are plain: frozen ones take
twice as long to make, and those with slots four times as long to encode. Treat them as frozen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.errors import Params
    from engine.search import Simulated


@dataclass
class PlacedTile:
    """Name a square ("8D") and the tile that a move puts on it."""

    at: str
    letter: str
    blank: bool


@dataclass
class FormedWord:
    """Name a word that a play makes, where it begins ("8D" across, "D8" down), and its points (no bonus)."""

    word: str
    at: str
    score: int
    valid: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """Hold what a search of the end of the game found; `certainty` is "exact", "bound" or "estimate"."""

    spread: float
    line: tuple[str, ...]
    certainty: str


@dataclass(frozen=True, slots=True)
class BagDraw:
    """Hold one order of the bag ("QU": the Q is drawn first), the ways to it, and bounds on the win.

    `lower` and `upper` are 1 for a win, 0.5 for a tie, 0 for a loss.
    """

    bag: str
    weight: int
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Preending:
    """Hold what a search before the endgame found, over all draws or a sample of them.

    `win_pct` lies between the proven `lower` and `upper`, ties half; `spread` is the mean at the end of the
    game, proven if `spread_exact`. Of `draws` (by weight) `settled` are known to be won, tied or lost.
    `certainty`: "exact" if all are, "bound" if not, "estimate" for a sample, with its `win_pct_error`.
    `pruned`: given up, since it cannot be best. `opponent`: how the other side was taken to move, "static"
    in a sample whatever was asked for. `best_proven`: by that model no other move looked at wins more often.
    Not looked at were `plays_left_out`, and exchanges though the rules allow them if `exchanges_left_out`:
    a move after which there may be some is an "estimate" too, without an error. `by_bag`: draw by draw; empty
    for an estimate.
    """

    win_pct: float
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
    """Describe one move. `words`: the main word first; their scores and `bonus` add up to `score`."""

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
    sim: Simulated | None = None
    endgame: Ending | None = None
    preendgame: Preending | None = None

    def __str__(self) -> str:
        """Write rank, move, score and, where they are known, equity and win%."""
        equity = "" if self.equity is None else f"{self.equity:8.1f}"
        win_pct = "" if self._win_pct is None else f"{self._win_pct:7.1f} %"
        return f"{self.rank or '-':>3}  {self.move:<20} {self.score:>4}{equity}{win_pct}"

    def __repr__(self) -> str:
        known = {"equity": self.equity, "win_pct": self._win_pct}
        more = "".join([f", {name}={value:.1f}" for name, value in known.items() if value is not None])
        return f"MoveReport({self.move!r}, score={self.score}{more})"

    @property
    def _win_pct(self) -> float | None:
        """What a search found, else what the win% table says."""
        found = self.preendgame or self.sim
        return self.win_pct if found is None else found.win_pct


@dataclass(frozen=True, slots=True)
class MoveFault:
    """Say why a move is not legal: a stable code, a sentence, and the values that the sentence names."""

    code: str
    detail: str
    params: Params = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Answer one entry of `compare`: the text as given, the move, and its fault if it is not legal.

    `move` is None where the text names no move of this board; a move that could be laid down but is not
    legal has no rank.
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
    """Warn of something that is not as the request assumes, yet does not keep it from being answered.

    `code` is stable, `params` are the values in `detail`, a sentence.
    """

    code: str
    params: Params
    detail: str


@dataclass(frozen=True, slots=True)
class PositionReport:
    """Echo the position in normal form; `id` is the SHA-256 of it, `unseen` the tiles nobody has shown."""

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
    """Count work: nodes searched, iterations simulated."""

    nodes: int | None = None
    iterations: int | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Say what the answer was made of; `stopped_by` is "complete", "budget" or "deadline"."""

    engine_version: str
    lexicon: LexiconReference
    leaves: str | None = None
    win_pct_table: str | None = None
    seed: int | None = None
    budget: Effort | None = None
    spent: Effort | None = None
    stopped_by: str = "complete"
    deterministic: bool = True


@dataclass(frozen=True, slots=True)
class Analysis:
    """Hold the answer to an AnalysisRequest: everything in it follows from the request and the versions.

    `phase`: the search that was made, one of PHASES; None if none was asked for. `sort`: what the moves stand
    by, a search by its phase. `warnings`: those of the request.
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
    warnings: tuple[Notice, ...]
    provenance: Provenance

    @property
    def best(self) -> MoveReport:
        """The first of the moves; raises IndexError if none is listed."""
        return self.moves[0]

    def __str__(self) -> str:
        """List the moves, a line each."""
        return "\n".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Timings:
    """Hold seconds spent: loading the board, generating, evaluating and reporting, all together."""

    board: float = 0.0
    gen: float = 0.0
    eval: float = 0.0
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold an encoded Analysis and the times spent on it; `stored` is True if it came from the store."""

    body: bytes
    timings: Timings
    stored: bool
