"""The parts of an annotation: a heading, a note for each turn and each other event, and a summary.

The fields are encoded in the order in which they stand here. A win% is from 0 to 100, for the player who
moves; its standard error is None unless moves were simulated. A field is None where the turn was not judged,
and `not_judged` says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.messages import rendered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.explain import Explanation
    from engine.analysis.report import Provenance
    from engine.errors import Params
    from engine.records import GameRecord, LineFault

MISTAKES: Final = ("none", "small", "medium", "large")
"""The classes of mistakes, the smallest first."""


@dataclass(frozen=True, slots=True)
class NotedMove:
    """Hold a move and its values; `equity` and `leave_value` in points, by the evaluator of the turn.

    `win_pct` lies between `win_pct_low` and `win_pct_high`. They differ only where an endgame search has
    proven a range; then `win_pct` is None.
    """

    move: str
    kind: str
    score: int
    leave: str
    leave_value: float
    equity: float
    win_pct: float | None
    win_pct_low: float | None
    win_pct_high: float | None
    win_pct_error: float | None
    is_bingo: bool


@dataclass(frozen=True, slots=True)
class LineNote:
    """Say what is wrong with a line of the record, or with `warning` what was assumed about it."""

    line: int
    code: str
    params: Params
    detail: str
    warning: bool

    @classmethod
    def of(cls, fault: LineFault, lang: str) -> LineNote:
        """Return the note of a fault, with its sentence in a language."""
        return cls(fault.line, fault.code, fault.params, rendered(fault.detail, lang), fault.warning)


@dataclass(frozen=True, slots=True)
class NotedPlayer:
    """Name a player."""

    nick: str
    name: str


@dataclass(frozen=True, slots=True)
class AnnotationHeading:
    """Say what was annotated and by what.

    `simulation`: the method by which turns were simulated, whose seed and iterations are in `provenance`;
    `faults`: the errors of the record, and the warnings of lines that are not events.
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
    """Annotate one turn: a play, an exchange or a pass.

    The record: `number` is that of the event, from 1; `player` counts from 0. `rack`: the known tiles of the
    rack; `rack_known`: "known" (recorded), "inferred" (from the move), "partial" or "unknown". `scores`:
    before the turn, by player; `score`: the points that the record gives the move, `points`: those by the
    rules; `total`: the player's score after the turn. `challenge`: None, "taken_back" or "stood";
    `challenge_bonus`: the points for the latter. `ends_game`: "went_out", "zero_turns" or "all_passed" if the
    turn ends the game. `phonies`: words that the lexicon lacks; `bingo`: whether a bingo was played and was
    not taken back; a play that could not be placed has neither. `cgp`: the position before the turn.

    The judgement: a play that was taken back is judged as a pass. `played` and `best` are valued by
    `evaluator`; `rank` is one more than the number of moves with more equity. Where moves were simulated,
    `best` and `rank` go by the simulated win% of the candidates. `equity_loss` (points) and `win_pct_loss`
    are never negative, although a phony may have more equity than the best move. `win_pct_before` depends on
    spread and number of unseen tiles alone while there are tiles in the bag. The win% of a move that ends the
    game is counted over all racks that the opponent may hold. `mistake`: one of MISTAKES, by `win_pct_loss`,
    or with an empty bag by `endgame_loss` (points of spread). `certainty`: "exact" if an endgame search has
    proven the loss, "bound" if it has proven a lower bound of the loss, else "estimate".

    Where the endgame was searched, every win% is proven, or None between the ends of its range; `equity` is
    the change of the spread until the end of the game, an estimate unless it is proven; `equity_loss` equals
    `endgame_loss`; `mistake` is None while more than one class is possible; and `rank` is 1 or None.
    `missed_bingo`: the best bingo, if it has more equity than the move played
    and that is none.

    Only if asked for: `luck`, of the tiles drawn for this turn, and its standard error (`luck.py`), None
    unless the rack is recorded and the leave of the player's last turn is known; `explanation`, None if the
    move played is the best.

    `seconds`: how long the turn took, None if the record does not say it.
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
    win_pct_before_low: float | None
    win_pct_before_high: float | None
    win_pct_after: float | None
    win_pct_after_low: float | None
    win_pct_after_high: float | None
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
    luck: float | None = None
    luck_error: float | None = None
    explanation: Explanation | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class EventNote:
    """Repeat an event that is not a turn: points for tiles left or for time, or an unreadable line."""

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
    """Sum up the turns of a player.

    `accuracy`: the percentage of turns of the class "none" among those with a class of mistake; `best_moves`:
    turns of rank 1; `equity_loss`: the sum over the judged turns, and the averages over those that have the
    loss; `phonies`: all of them, `phonies_taken_back`: those that did not stand. `luck`: the sum over
    `luck_turns`, those with a luck, and its standard error; None without such a turn.
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
    luck: float | None
    luck_error: float | None
    luck_turns: int


@dataclass(frozen=True, slots=True)
class AnnotationSummary:
    """Sum up a game; `over`: whether it ended; `complete`: whether every event was replayed and judged."""

    over: bool
    complete: bool
    turns: int
    judged: int
    players: tuple[PlayerSummary, ...]


AnnotationNote: TypeAlias = AnnotationHeading | TurnNote | EventNote | AnnotationSummary
"""A part of an annotation. They are returned in this order, turns and events in that of the record."""


@dataclass(frozen=True, slots=True, repr=False)
class Annotation:
    """Hold the annotation of a record."""

    record: GameRecord
    heading: AnnotationHeading
    notes: tuple[TurnNote | EventNote, ...]
    summary: AnnotationSummary

    @property
    def turns(self) -> tuple[TurnNote, ...]:
        """The notes of turns."""
        return tuple([note for note in self.notes if isinstance(note, TurnNote)])

    def __repr__(self) -> str:
        names = tuple([player.name or player.nick for player in self.heading.players])
        return f"Annotation({names!r}, turns={self.summary.turns}, judged={self.summary.judged})"


def summarize(
    heading: AnnotationHeading,
    turns: Sequence[TurnNote],
    scores: Sequence[int],
    *,
    over: bool,
    complete: bool,
) -> AnnotationSummary:
    """Sum up the turns of a game; `scores`: the last ones, by player."""
    players = tuple(
        [
            _player_summary(
                place, player.nick, scores[place], [turn for turn in turns if turn.player == place]
            )
            for place, player in enumerate(heading.players)
        ]
    )
    return AnnotationSummary(over, complete, len(turns), sum([player.judged for player in players]), players)


def _player_summary(place: int, nick: str, score: int, turns: Sequence[TurnNote]) -> PlayerSummary:
    losses = [turn.equity_loss for turn in turns if turn.equity_loss is not None]
    win_losses = [turn.win_pct_loss for turn in turns if turn.win_pct_loss is not None]
    lucks = [turn.luck for turn in turns if turn.luck is not None]
    counts = {name: sum([turn.mistake == name for turn in turns]) for name in MISTAKES}
    classed = sum(counts.values())
    return PlayerSummary(
        player=place,
        nick=nick,
        score=score,
        turns=len(turns),
        judged=len(losses),
        accuracy=round(100 * counts["none"] / classed, 2) if classed else None,
        best_moves=sum([turn.rank == 1 for turn in turns]),
        mistakes=MistakeCounts(**counts),
        equity_loss=round(sum(losses), 3),
        average_equity_loss=_mean(losses),
        average_win_pct_loss=_mean(win_losses),
        bingos=sum([turn.bingo for turn in turns]),
        missed_bingos=sum([turn.missed_bingo is not None for turn in turns]),
        phonies=sum([bool(turn.phonies) for turn in turns]),
        phonies_taken_back=sum([bool(turn.phonies) and turn.challenge == "taken_back" for turn in turns]),
        exchanges=sum([turn.kind == "exchange" for turn in turns]),
        passes=sum([turn.kind == "pass" for turn in turns]),
        luck=round(sum(lucks), 3) if lucks else None,
        luck_error=round(hypot(*[turn.luck_error or 0.0 for turn in turns]), 3) if lucks else None,
        luck_turns=len(lucks),
    )


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None
