"""An annotation as data: a heading, a note for every turn and every other event, and a summary.

The order of the fields is the order in which they are written. `win_pct` is from 0 to 100, seen from the
player who moves; its standard error is None where no simulation stands behind it. Whatever is None is
not known, and `not_judged` says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from engine.analysis.report import Provenance
    from engine.errors import Params
    from engine.records import GameRecord, LineFault

MISTAKES: Final = ("none", "small", "medium", "large")
"""The classes of mistakes, the least first."""

RACKS: Final = ("known", "inferred", "partial", "unknown")
"""How much of a rack is known: recorded, told by the move itself, in part, not at all."""


@dataclass(frozen=True, slots=True)
class NotedMove:
    """Hold a move and what it is worth; `equity` and `leave_value` in points, by the turn's evaluator."""

    move: str
    kind: str
    score: int
    leave: str
    leave_value: float
    equity: float
    win_pct: float | None
    win_pct_error: float | None
    is_bingo: bool


@dataclass(frozen=True, slots=True)
class LineNote:
    """Name what is wrong with a line of the record, or was guessed (`warning`)."""

    line: int
    code: str
    params: Params
    detail: str
    warning: bool

    @classmethod
    def of(cls, fault: LineFault) -> LineNote:
        """Return what a fault of a record says."""
        return cls(fault.line, fault.code, fault.params, fault.detail, fault.warning)


@dataclass(frozen=True, slots=True)
class NotedPlayer:
    """Name a player."""

    nick: str
    name: str


@dataclass(frozen=True, slots=True)
class AnnotationHeading:
    """Say what was annotated and with what; `faults` are those that belong to no event.

    `simulation` is the method by which turns were simulated; seed and iterations stand in `provenance`.
    """

    players: tuple[NotedPlayer, ...]
    title: str | None
    recorded_lexicon: str | None
    lexicon: str
    tile_set: str
    board: str
    rules: str
    evaluator: str
    simulation: str | None
    event_count: int
    faults: tuple[LineNote, ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class TurnNote:
    """Annotate one turn: a play, an exchange or a pass, with what became of it.

    `number` is that of its event in the record, from 1; `player` counts from 0; `rack` is what is known of
    the rack, and `rack_known` (one of RACKS) how much that is. `scores` are those before the turn, by player;
    `score` is what the record says the move scored, `points` what the rules give, `total` the player's score
    after it. `challenge`: None, "taken_back" or "stood"; `challenge_bonus` the points for the latter. A play
    that was taken back is judged as the pass that it came to. `ends_game`: how the game ends with it
    ("went_out", "zero_turns", "all_passed"), None if it goes on; the win% of a move that ends the game is
    counted over all racks that the other player may hold. `phonies`: its words that are not in the lexicon;
    `bingo`: it played a rackful, and stood; a play that could not be put on the board is neither.

    `played` and `best` are worth what `evaluator` says; `rank` is one more than the number of moves that are
    worth more. Where moves were simulated, `best` and `rank` go by the simulated win%, among the
    candidates. `equity_loss` (points) and `win_pct_loss` are never negative, for a phony that stood may be
    worth more than the best move. `win_pct_before` is how often a player on turn wins from this spread,
    whatever the rack. `mistake` (one of MISTAKES) goes by `win_pct_loss`, with an empty bag by
    `endgame_loss`, points of spread; `certainty` is "exact" if an endgame search has proven it, else
    "estimate". The equity of a searched endgame move is the change of the spread to the end of the game,
    and its rank is known if it is 1. `missed_bingo` is the best bingo, if it was worth more than what was
    played and that was none. `cgp` is the position before the turn.
    """

    number: int
    line: int
    player: int
    kind: str
    rack: str
    rack_known: str
    bag_count: int
    scores: tuple[int, ...]
    score: int
    points: int | None
    total: int
    challenge: str | None
    challenge_bonus: int
    ends_game: str | None
    phonies: tuple[str, ...]
    bingo: bool
    played: NotedMove | None
    best: NotedMove | None
    rank: int | None
    evaluator: str | None
    equity_loss: float | None
    win_pct_before: float | None
    win_pct_after: float | None
    win_pct_error: float | None
    win_pct_loss: float | None
    endgame_loss: float | None
    certainty: str | None
    mistake: str | None
    missed_bingo: str | None
    not_judged: str | None
    recorded: str
    note: str
    faults: tuple[LineNote, ...]
    cgp: str


@dataclass(frozen=True, slots=True)
class EventNote:
    """Repeat an event that is no turn: points for tiles left or for time, or what nobody understands."""

    number: int
    line: int
    player: int
    kind: str
    text: str
    score: int
    total: int
    faults: tuple[LineNote, ...]


@dataclass(frozen=True, slots=True)
class MistakeCounts:
    """Count turns by class of mistake."""

    none: int
    small: int
    medium: int
    large: int


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """Sum a player's turns up.

    `accuracy` is the share of the turns with a class that were no mistake, in percent; `best_moves` counts
    those of rank 1. The losses are sums and means over the judged turns. `bingos` and `phonies` count plays
    that were made, `phonies_taken_back` those of the phonies that did not stand.
    """

    player: int
    nick: str
    score: int
    turns: int
    judged: int
    accuracy: float | None
    best_moves: int
    mistakes: MistakeCounts
    equity_loss: float
    average_equity_loss: float | None
    average_win_pct_loss: float | None
    bingos: int
    missed_bingos: int
    phonies: int
    phonies_taken_back: int
    exchanges: int
    passes: int


@dataclass(frozen=True, slots=True)
class AnnotationSummary:
    """Sum a game up; `over` tells that it came to its end, `complete` that every event could be played."""

    over: bool
    complete: bool
    turns: int
    judged: int
    players: tuple[PlayerSummary, ...]


AnnotationNote: TypeAlias = AnnotationHeading | TurnNote | EventNote | AnnotationSummary
"""One part of an annotation; they come in this order, turns and events as they are recorded."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """Hold the whole annotation of a record."""

    record: GameRecord
    heading: AnnotationHeading
    notes: tuple[TurnNote | EventNote, ...]
    summary: AnnotationSummary

    @property
    def turns(self) -> tuple[TurnNote, ...]:
        """Return the notes of turns alone."""
        return tuple([note for note in self.notes if isinstance(note, TurnNote)])
