"""The parts of an annotation: a heading, a note for each turn and each other event, and a summary.

The records hold objects; whoever shows them writes their text. A win% is from 0 to 100, for the player who
moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import hypot
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from engine.analysis.annotate.mistake_index import MISTAKES, estimated_rating, mistake_index
from engine.messages import rendered
from engine.search.phase import ENDGAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.annotate.luck import Luck
    from engine.analysis.annotate.vocabulary import WordKnowledge
    from engine.analysis.explain import Explanation
    from engine.analysis.judged import Judged
    from engine.analysis.report import Provenance
    from engine.errors import Params
    from engine.position import Play, Position
    from engine.records import GameRecord, LineFault
    from engine.search.endgame.bounds import Bounds
    from engine.search.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Loss:
    """Hold what a turn lost to the best move, never less than 0, although a phony may be better than it.

    `equity`: points; with an empty bag points of spread. `win_pct`: None unless both are known. `bounds`: the
    proven bounds on the spread lost, whose lower one is `equity`; None unless the endgame was searched.
    `mistake`: one of MISTAKES, None while more than one is possible. `words`: the part of `equity` that was
    lost by words that the player does not know, `choice` the rest; None if the known words are not known.
    """

    equity: float
    win_pct: float | None
    mistake: str | None
    bounds: Bounds | None = None
    words: float | None = None

    @property
    def choice(self) -> float | None:
        """The part of `equity` that was lost by the choice among moves whose words the player knows."""
        return None if self.words is None else round(self.equity - self.words, 3)

    @property
    def certainty(self) -> str:
        """Return "exact" if the loss is proven, "bound" if a lower bound of it is, else "estimate"."""
        if self.bounds is None:
            return "estimate"
        return "exact" if self.bounds.exact else "bound"


@dataclass(frozen=True, slots=True)
class TurnJudgement:
    """Hold the judgement of a turn; everything is None if the turn was not judged.

    `evaluator`: what values the moves, "endgame" where the endgame was searched; then the equity of a move is
    the change of the spread until the end of the game, an estimate unless it is proven. `rank`: one more than
    the number of moves with more equity; of a simulated turn the place by win% among the candidates; of a
    searched endgame 1 or None. `missed_bingo`: the best bingo, if the move played has less equity and is
    neither a bingo nor the best move. If the move played is unknown, so is all but `evaluator` and `best`.
    """

    evaluator: str | None = None
    best: Judged | None = None
    played: Judged | None = None
    rank: int | None = None
    loss: Loss | None = None
    missed_bingo: Play | None = None

    @property
    def blew_endgame(self) -> bool:
        """Whether the move lost a proven win or tie of an endgame."""
        return self.evaluator == ENDGAME and self.loss is not None and bool(self.loss.win_pct)


NOT_JUDGED: Final = TurnJudgement()


@dataclass(frozen=True, slots=True)
class LineNote:
    """Say what is wrong with a line of the record, or with `warning` what was assumed about it."""

    line: Annotated[int, "number of the line, from 1; 0 for the complete record"]
    code: Annotated[str, "stable code"]
    params: Annotated[Params, "the values in `detail`"]
    detail: Annotated[str, "the fault in words"]
    warning: Annotated[bool, "true if the line is understood in spite of it"]

    @classmethod
    def of(cls, fault: LineFault, lang: str) -> LineNote:
        """Return the note of a fault, with its sentence in a language."""
        return cls(fault.line, fault.code, fault.params, rendered(fault.detail, lang), fault.warning)


@dataclass(frozen=True, slots=True)
class NotedPlayer:
    """Name a player."""

    nick: Annotated[str, "short name in the events"]
    name: Annotated[str, "full name, may be empty"]


@dataclass(frozen=True, slots=True)
class AnnotationHeading:
    """Say what was annotated and by what; `provenance` has the seed and the iterations of a simulation."""

    players: Annotated[tuple[NotedPlayer, ...], "players, in the order of the record"]
    title: Annotated[str | None, "title of the game"]
    recorded_lexicon: Annotated[str | None, "lexicon that the record names"]
    lexicon: Annotated[str, "lexicon used for the annotation"]
    tile_set: Annotated[str, "tile set"]
    board: Annotated[str, "board"]
    rules: Annotated[str, "rule set"]
    evaluator: Annotated[str, "evaluator used"]
    known_words: Annotated[
        WordKnowledge | None,
        "the words that players are taken to know; null if the words of the lexicon were not counted",
    ]
    simulation: Annotated[str | None, "method of simulation; null unless it comes from a sample"]
    event_count: Annotated[int, "number of events of the record"]
    faults: Annotated[
        tuple[LineNote, ...], "faults of the record: all errors, and the warnings of lines that are no events"
    ]
    provenance: Annotated[Provenance, "versions, tables and limits behind the answer"]


@dataclass(frozen=True, slots=True)
class TurnNote:
    """Annotate one turn: a play, an exchange or a pass.

    `number` is that of the event, from 1; `player` counts from 0. `position`: the one before the turn, with
    the tiles of the rack that are known; `rack_known`: "known" (recorded), "inferred" (from the move),
    "partial" or "unknown". `score`: the points that the record gives the move, `points`: those by the rules;
    `total`: the player's score after the turn. `challenge`: None, "taken_back" or "stood"; `challenge_bonus`:
    the points for the latter. `ends_game`: "went_out", "zero_turns" or "all_passed" if the turn ends the
    game. `phonies`: words that the lexicon lacks; `bingo`: whether a bingo was played and was not taken back;
    a play that could not be placed has neither. `recorded`: the move as the record writes it.

    `judged`: the judgement, in which a play that was taken back counts as a pass; `not_judged` says why there
    is none. `win_before`: the win% before the turn, which depends on spread and number of unseen tiles alone
    while there are tiles in the bag; with an empty bag it is proven.

    Only if asked for: `luck`, of the tiles drawn for this turn, None unless the rack is recorded and the
    leave of the player's last turn is known; `explanation`, None if the move played is the best.

    `seconds`: how long the turn took, None if the record does not say it.
    """

    number: int
    line: int
    player: int
    kind: str
    position: Position
    rack_known: str
    score: int
    points: int | None
    total: int
    challenge: str | None
    challenge_bonus: int
    ends_game: str | None
    phonies: tuple[str, ...]
    bingo: bool
    judged: TurnJudgement
    not_judged: str | None
    win_before: Verdict | None
    recorded: str
    note: str
    faults: tuple[LineNote, ...]
    luck: Luck | None = None
    explanation: Explanation | None = None
    seconds: float | None = None

    @property
    def best(self) -> Judged | None:
        """The best move."""
        return self.judged.best

    @property
    def played(self) -> Judged | None:
        """The move played; None also if the record does not name it."""
        return self.judged.played

    @property
    def loss(self) -> Loss | None:
        """What the move played lost to the best one."""
        return self.judged.loss

    @property
    def mistake(self) -> str | None:
        """The class of mistake, one of MISTAKES."""
        return None if self.judged.loss is None else self.judged.loss.mistake


@dataclass(frozen=True, slots=True)
class EventNote:
    """Repeat an event that is not a turn: points for tiles left or for time, or an unreadable line."""

    number: Annotated[int, "number of the event, from 1"]
    line: Annotated[int, "line of the record"]
    player: Annotated[int, "player, from 0; -1 for none"]
    kind: Annotated[str, "end_bonus, end_penalty, time, challenge, phony, pass, play, exchange or unreadable"]
    text: Annotated[str, "tiles, or the text of the line"]
    score: Annotated[int, "points as recorded"]
    total: Annotated[int, "score of the player after the event"]
    faults: Annotated[tuple[LineNote, ...], "faults of its line"]


@dataclass(frozen=True, slots=True)
class MistakeCounts:
    """Count turns by class of mistake."""

    none: Annotated[int, "no mistake"]
    small: Annotated[int, "small"]
    medium: Annotated[int, "medium"]
    large: Annotated[int, "large"]


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """Sum up the turns of a player."""

    player: Annotated[int, "player, from 0"]
    nick: Annotated[str, "name"]
    score: Annotated[int, "final score"]
    turns: Annotated[int, "number of plays, exchanges and passes"]
    judged: Annotated[int, "number of evaluated turns"]
    accuracy: Annotated[
        float | None, "percentage of turns without a mistake, of those with a class of mistake"
    ]
    best_moves: Annotated[int, "number of turns of rank 1"]
    mistakes: Annotated[MistakeCounts, "number of turns by class of mistake"]
    mistake_index: Annotated[
        float | None,
        "Mistake Index of Macondo: 0.2 for a small mistake, 0.5 for a medium one, 1 for a large one; null "
        "if no turn has a class of mistake",
    ]
    estimated_rating: Annotated[
        int | None,
        "rating estimated from the Mistake Index; null unless all turns were judged, by simulation or search",
    ]
    blown_endgames: Annotated[int, "number of turns that lost a proven win or tie of an endgame"]
    equity_loss: Annotated[float, "sum of the equity lost, in points"]
    average_equity_loss: Annotated[float | None, "mean over the evaluated turns, in points"]
    average_win_pct_loss: Annotated[float | None, "mean over the turns with a win%"]
    bingos: Annotated[int, "number of bingos that were not taken back"]
    missed_bingos: Annotated[int, "number of turns with a missed bingo"]
    phonies: Annotated[int, "number of plays with a word that is not in the lexicon"]
    phonies_taken_back: Annotated[int, "number of those plays that were taken back"]
    exchanges: Annotated[int, "number of exchanges"]
    passes: Annotated[int, "number of passes"]
    luck: Annotated[float | None, "sum of the luck of the draws, in points; null without one"]
    luck_error: Annotated[float | None, "its standard error"]
    luck_turns: Annotated[int, "number of turns with a luck"]
    words_loss: Annotated[
        float | None,
        "part of equity_loss that is due to words that the player does not know; null without `known_words`",
    ]
    choice_loss: Annotated[
        float | None, "the rest of equity_loss: lost by the choice among moves whose words are all known"
    ]


@dataclass(frozen=True, slots=True)
class AnnotationSummary:
    """Sum up a game."""

    over: Annotated[bool, "true if the game ended"]
    complete: Annotated[bool, "true if every event of the record is possible and was judged in time"]
    turns: Annotated[int, "number of plays, exchanges and passes"]
    judged: Annotated[int, "number of evaluated turns"]
    players: Annotated[tuple[PlayerSummary, ...], "players"]


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

    def __str__(self) -> str:
        """Format the turns, one per line: player, move and score, after a loss it and the best move."""
        return "\n".join(map(self._line, self.turns))

    def _line(self, turn: TurnNote) -> str:
        nick, best, loss = self.heading.players[turn.player].nick, turn.judged.best, turn.judged.loss
        line = f"{turn.number:>3}  {nick:<12} {turn.recorded:<20} {turn.score:>4}"
        if best is None or loss is None or not loss.equity:
            return line
        return f"{line}  {-loss.equity:>6.1f}  {best.text}"

    def _repr_html_(self) -> str:
        """Return the turns for notebooks."""
        return f"<pre>{escape(str(self))}</pre>"


def summarize(
    heading: AnnotationHeading,
    turns: Sequence[TurnNote],
    scores: Sequence[int],
    *,
    over: bool,
    complete: bool,
) -> AnnotationSummary:
    """Sum up the turns of a game; `scores`: the last ones, by player."""
    simulated = heading.simulation is not None and complete
    players = tuple(
        [
            _player_summary(
                place, player.nick, scores[place], [turn for turn in turns if turn.player == place], simulated
            )
            for place, player in enumerate(heading.players)
        ]
    )
    return AnnotationSummary(over, complete, len(turns), sum([player.judged for player in players]), players)


def _player_summary(
    place: int, nick: str, score: int, turns: Sequence[TurnNote], simulated: bool
) -> PlayerSummary:
    losses = [turn.loss for turn in turns if turn.loss is not None]
    equity_losses = [loss.equity for loss in losses]
    win_losses = [loss.win_pct for loss in losses if loss.win_pct is not None]
    lucks = [turn.luck for turn in turns if turn.luck is not None]
    counts = {name: sum([turn.mistake == name for turn in turns]) for name in MISTAKES}
    classed = sum(counts.values())
    index = mistake_index(counts) if classed else None
    rating = None
    if index is not None and simulated and len(losses) == len(turns):
        rating = estimated_rating(index)
    return PlayerSummary(
        player=place,
        nick=nick,
        score=score,
        turns=len(turns),
        judged=len(losses),
        accuracy=round(100 * counts["none"] / classed, 2) if classed else None,
        best_moves=sum([turn.judged.rank == 1 for turn in turns]),
        mistakes=MistakeCounts(**counts),
        mistake_index=index,
        estimated_rating=rating,
        blown_endgames=sum([turn.judged.blew_endgame for turn in turns]),
        equity_loss=round(sum(equity_losses), 3),
        average_equity_loss=_mean(equity_losses),
        average_win_pct_loss=_mean(win_losses),
        bingos=sum([turn.bingo for turn in turns]),
        missed_bingos=sum([turn.judged.missed_bingo is not None for turn in turns]),
        phonies=sum([bool(turn.phonies) for turn in turns]),
        phonies_taken_back=sum([bool(turn.phonies) and turn.challenge == "taken_back" for turn in turns]),
        exchanges=sum([turn.kind == "exchange" for turn in turns]),
        passes=sum([turn.kind == "pass" for turn in turns]),
        luck=round(sum([luck.value for luck in lucks]), 3) if lucks else None,
        luck_error=round(hypot(*[luck.error for luck in lucks]), 3) if lucks else None,
        luck_turns=len(lucks),
        words_loss=_sum([loss.words for loss in losses]),
        choice_loss=_sum([loss.choice for loss in losses]),
    )


def _sum(values: Sequence[float | None]) -> float | None:
    """Return the sum of the values that are known, None if none is."""
    known = [value for value in values if value is not None]
    return round(sum(known), 3) if known else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None
