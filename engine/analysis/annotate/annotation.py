"""The annotation of a recorded game: what was played in each turn, what was best, and what was lost.

record -> replay -> for each turn: position, loaded board, `TurnJudge` -> heading, notes, summary
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.analysis.annotate.game_end import move_ending
from engine.analysis.annotate.judgement import TurnJudge
from engine.analysis.annotate.luck import Leave, luck_of_draw
from engine.analysis.annotate.notes import (
    NOT_JUDGED,
    Annotation,
    AnnotationHeading,
    AnnotationSummary,
    EventNote,
    LineNote,
    NotedPlayer,
    TurnNote,
    summarize,
)
from engine.analysis.annotate.options import DEFAULT_OPTIONS
from engine.analysis.annotate.recorded_turn import CHALLENGES, MOVES, is_turn, recorded_move, with_rack
from engine.analysis.annotate.turn_explanation import explained_turn
from engine.analysis.annotate.vocabulary import game_vocabulary
from engine.analysis.legality import phonies
from engine.analysis.report import Provenance, lexicon_reference, table_name
from engine.analysis.request import AnalysisOptions, LearnedTables
from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.position import Board, Pass, Play
from engine.records import EventKind, replay_game
from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine.analysis.annotate.luck import Luck
    from engine.analysis.annotate.notes import AnnotationNote, TurnJudgement
    from engine.analysis.annotate.options import AnnotationOptions
    from engine.analysis.explain import Explanation
    from engine.lexicon import Lexicon
    from engine.position import Move, Position
    from engine.records import GameRecord, LineFault, Replay, ReplayedEvent


class _Outcome(NamedTuple):
    """What became of a turn.

    `challenge`: "taken_back", "stood" or None; `bonus`: the points for a play that stood; `total`: the
    player's score; `lines`: those of the turn and of the events about it.
    """

    challenge: str | None
    bonus: int
    total: int
    lines: tuple[int, ...]


def annotate(
    record: GameRecord,
    lexicon: Lexicon,
    options: AnnotationOptions = DEFAULT_OPTIONS,
    faults: Sequence[LineFault] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Annotation:
    """Return the annotation of a record, judged by the words of a lexicon.

    `faults`: those found when the record was read; `progress`: called with the number of events that are
    done, and of all. A turn whose rack is not fully known is not judged. Raises as `annotation_notes`.
    """
    parts: list[AnnotationNote] = []
    for part in annotation_notes(record, lexicon, options, faults):
        parts.append(part)
        if progress is not None:
            progress(min(len(parts), len(record.events)), len(record.events))
    return annotation_of(record, parts)


def annotation_of(record: GameRecord, parts: Sequence[AnnotationNote]) -> Annotation:
    """Return the annotation of a record that has these parts, those of `annotation_notes`."""
    heading, *notes, summary = parts
    assert isinstance(heading, AnnotationHeading)  # noqa: S101 - for the type checker
    assert isinstance(summary, AnnotationSummary)  # noqa: S101
    middle = tuple([note for note in notes if isinstance(note, TurnNote | EventNote)])
    return Annotation(record, heading, middle, summary)


def annotation_notes(
    record: GameRecord,
    lexicon: Lexicon,
    options: AnnotationOptions = DEFAULT_OPTIONS,
    faults: Sequence[LineFault] = (),
    deadline: Deadline | None = None,
) -> Iterator[AnnotationNote]:
    """Return an iterator over the parts of an annotation: the heading, turns and events, the summary.

    After `deadline` no further turn is judged; the summary says that the annotation is not complete. Raises
    InvalidInput before it returns for a record with fewer than two players, with other letters than the
    lexicon's or with a larger board than its tables allow; for an evaluator that is unknown or lacks its
    table; and for a wrong simulation plan, or any with more than two players (code "not_two_players").
    """
    analysis_options = AnalysisOptions(
        evaluator=options.evaluator, simulate=options.simulate, seed=options.seed, lang=options.lang
    )
    analysis_options.check()
    if len(record.players) < 2 and faults:
        raise InvalidInput.collected([fault for fault in faults if not fault.warning] or list(faults))
    if options.simulate is not None and len(record.players) > 2:
        raise InvalidInput(
            Text(
                "a simulation needs two players, and this game has {count}; annotate it without simulation",
                count=len(record.players),
            ),
            code="not_two_players",
            field="simulate" if options.seconds is None else "seconds",
        )
    replay = _replayed(record, lexicon)
    learned = LearnedTables.resolve(analysis_options, lexicon, options.simulate)
    return _Annotator(replay, lexicon, learned, options, faults, deadline or Deadline()).notes()


def _replayed(record: GameRecord, lexicon: Lexicon) -> Replay:
    """Replay a record with the tiles that it names, or that it must have been played with."""
    replay = replay_game(record, lexicon.tile_set)
    if len(replay.turns) < len(record.events):  # perhaps it was played in another language
        guessed = replay_game(record)
        if len(guessed.turns) > len(replay.turns):
            replay = guessed
    if replay.tile_set.alphabet.letters != lexicon.tile_set.alphabet.letters:
        raise InvalidInput(
            Text(
                "the record is of a game with the tiles of {record_tile_set}, but the lexicon "
                "{lexicon} is spelled with those of {tile_set}; name another lexicon",
                record_tile_set=replay.tile_set.id,
                lexicon=lexicon.id,
                tile_set=lexicon.tile_set.id,
            ),
            code="tile_set_mismatch",
            field="lexicon",
        )
    return replay


class _Annotator:
    """Annotate one game."""

    def __init__(
        self,
        replay: Replay,
        lexicon: Lexicon,
        learned: LearnedTables,
        options: AnnotationOptions,
        faults: Sequence[LineFault],
        deadline: Deadline,
    ) -> None:
        self._replay = replay
        self._deadline = deadline
        self._lexicon = lexicon
        self._learned = learned
        self._options = options
        self._faults = _by_line((*faults, *replay.faults, *replay.warnings), options.lang)
        self._turn_ends = deadline.before(0)
        self._vocabulary = game_vocabulary(replay, lexicon, options.rarity)
        self._judge = TurnJudge(lexicon, learned, options, self._turn_ends)
        self._leaves: dict[int, Leave | None] = {}  # what the last turn of each player left, None if unknown
        self._exposed = b""  # tiles of a play that was taken back in the last turn
        empty = Board.empty(replay.layout.side)
        self._boards = [LoadedBoard.load(empty, replay.layout, replay.tile_set, lexicon)]

    def notes(self) -> Iterator[AnnotationNote]:
        """Yield the parts of the annotation."""
        heading = self._heading()
        yield heading
        turns: list[TurnNote] = []
        scores = [0] * len(heading.players)
        lines_of_turns: set[int] = set()
        passes = 0
        ends = None if self._options.seconds is None else Deadline.after(1000 * self._options.seconds)
        turns_left = sum(map(is_turn, self._replay.turns))
        for place, turn in enumerate(self._replay.turns):
            if turn.event.player >= 0:
                scores[turn.event.player] = turn.total
            if is_turn(turn):
                if ends is not None:
                    self._give_share((ends.seconds_left or 0.0) / turns_left)
                turns_left -= 1
                outcome = self._outcome(place)
                note = self._turn(turn, outcome, passes)
                if self._deadline.passed:  # the deadline may have cut this turn's search
                    break
                passes = passes + 1 if isinstance(turn.move, Pass) else 0
                lines_of_turns.update(outcome.lines)
                turns.append(note)
                yield note
            elif turn.event.line not in lines_of_turns or turn.event.kind not in CHALLENGES:
                yield self._event(turn)
        complete = len(self._replay.turns) == len(self._replay.record.events) and not self._deadline.passed
        yield summarize(heading, turns, scores, over=self._replay.over, complete=complete)

    def _give_share(self, seconds: float) -> None:
        """Set the time at which the searches of the next turn end."""
        if not self._deadline.passed:
            at = Deadline.after(1000 * seconds).at
            self._turn_ends.at = min(at, self._deadline.at or at)

    def _heading(self) -> AnnotationHeading:
        replay, record, lexicon = self._replay, self._replay.record, self._lexicon
        lines = {turn.event.line for turn in replay.turns}
        faults = [
            fault
            for line, found in self._faults.items()
            for fault in found
            if line not in lines or not fault.warning
        ]
        learned, simulate = self._learned, self._options.simulate
        return AnnotationHeading(
            players=tuple([NotedPlayer(player.nick, player.name) for player in record.players]),
            title=record.title,
            recorded_lexicon=record.lexicon,
            lexicon=lexicon.id,
            tile_set=replay.tile_set.id,
            board=replay.layout.id,
            rules=replay.rules.id,
            evaluator=learned.evaluator,
            known_words=None if self._vocabulary is None else self._vocabulary.knowledge,
            simulation=simulate.method if simulate else None,
            event_count=len(record.events),
            faults=tuple(sorted(faults, key=lambda fault: fault.line)),
            provenance=Provenance(
                VERSION,
                lexicon_reference(lexicon),
                leaves=table_name(learned.leaves),
                win_pct_table=table_name(learned.win_pct),
                seed=self._options.seed if simulate or self._options.explain else None,
                budget=self._budget(),
                deterministic=self._options.seconds is None,
            ),
        )

    def _budget(self) -> Budget | None:
        """Return the time of the game, or the iterations of a simulated turn."""
        seconds, simulate = self._options.seconds, self._options.simulate
        if seconds is not None:
            return Budget(seconds)
        return Budget(iterations=simulate.iterations) if simulate else None

    def _outcome(self, place: int) -> _Outcome:
        """Return what the following events say became of a turn."""
        turn = self._replay.turns[place]
        challenge, bonus, total, lines = None, 0, turn.total, [turn.event.line]
        for after in self._replay.turns[place + 1 :]:
            kind = after.event.kind
            in_vain = not any(fault.code == "challenge_without_play" for fault in self._at(after.event.line))
            if kind not in CHALLENGES or after.event.player != turn.event.player:
                break
            if kind is EventKind.PHONY and after.points is not None:
                challenge = "taken_back"
            elif kind is EventKind.CHALLENGE and in_vain:
                challenge, bonus = "stood", bonus + after.event.score
            else:
                break
            total = after.total
            lines.append(after.event.line)
        return _Outcome(challenge, bonus, total, tuple(lines))

    def _turn(self, turn: ReplayedEvent, outcome: _Outcome, passes: int) -> TurnNote:
        event, move = turn.event, turn.move
        position, rack_known = with_rack(turn)
        taken_back = outcome.challenge == "taken_back"
        refusal = self._refusal(turn, position, rack_known)
        points = 0 if taken_back else turn.points or 0
        passes = -1 if taken_back else passes  # a play taken back is no pass
        phonies: tuple[str, ...] = ()
        bingo, judged_move, ends = False, move, None
        if move is not None and turn.points is not None:  # the replay could make the move
            phonies = self._phonies(move, position)
            bingo = not taken_back and len(move.placements()) == position.rules.bingo_tiles
            judged_move = Pass() if taken_back else move
            ends = move_ending(position, judged_move, points, passes)
        judged = NOT_JUDGED
        luck: Luck | None = None
        explanation: Explanation | None = None
        judges = refusal is None or refusal == "move_unknown"
        if judges:
            board = self._board(position)
            known = None if self._vocabulary is None else self._vocabulary.by_player[event.player]
            judged = self._judge.judge(position, board, judged_move, points, passes, self._exposed, known)
            if self._options.explain:
                last = self._leaves.get(event.player, Leave()) if rack_known == "known" else None
                stands = () if taken_back else phonies
                luck, explanation = self._explained(judged, position, board, last, stands)
            if isinstance(move, Play):
                self._boards = [board, board.after(move)]
        self._exposed = move.used if taken_back and move is not None else b""
        self._leaves[event.player] = Leave.after(position.rack, judged_move) if refusal is None else None
        return TurnNote(
            number=turn.number,
            line=event.line,
            player=event.player,
            kind=MOVES[event.kind],
            position=position,
            rack_known=rack_known,
            score=event.score,
            points=turn.points,
            total=outcome.total,
            challenge=outcome.challenge,
            challenge_bonus=outcome.bonus,
            ends_game=ends,
            phonies=phonies,
            bingo=bingo,
            judged=judged,
            not_judged=refusal,
            win_before=self._judge.win_before(position, rack_known=judges),
            recorded=recorded_move(turn),
            note=event.note,
            faults=tuple([fault for line in outcome.lines for fault in self._at(line)]),
            luck=luck,
            explanation=explanation,
            seconds=event.seconds,
        )

    def _explained(
        self,
        judged: TurnJudgement,
        position: Position,
        board: LoadedBoard,
        last: Leave | None,
        phonies: tuple[str, ...],
    ) -> tuple[Luck | None, Explanation | None]:
        """Return how lucky the draw of a turn was, and why the turn lost what it lost.

        `last`: what the player's last turn left, None if that or the rack is unknown; `phonies`: the invalid
        words of a play that stands.
        """
        seen, lexicon, options = position.seen(), self._lexicon, self._options
        luck = None
        if last is not None:
            evaluator = self._learned.evaluator
            luck = luck_of_draw(seen, board, lexicon, evaluator, last, options.seed, self._deadline)
        return luck, explained_turn(judged, phonies, seen, board, lexicon, options, self._deadline)

    def _event(self, turn: ReplayedEvent) -> EventNote:
        event = turn.event
        return EventNote(
            number=turn.number,
            line=event.line,
            player=event.player,
            kind=event.kind.value,
            text=event.text,
            score=event.score,
            total=turn.total,
            faults=self._at(event.line),
        )

    def _at(self, line: int) -> tuple[LineNote, ...]:
        return tuple(self._faults.get(line, ()))

    def _phonies(self, move: Move, position: Position) -> tuple[str, ...]:
        alphabet = position.tile_set.alphabet
        return tuple([alphabet.word(word.tiles) for word in phonies(move, position, self._lexicon)])

    def _refusal(self, turn: ReplayedEvent, position: Position, rack_known: str) -> str | None:
        """Return a code that says why a turn is not judged, None if it is."""
        if rack_known in ("partial", "unknown"):
            return f"rack_{rack_known}"
        if turn.move is None:
            return "move_unknown" if turn.points is not None else "move_refused"
        if turn.points is None:
            return "move_refused"
        if position.rack.missing(turn.move.used):
            return "tile_not_in_rack"
        if self._replay.faults:  # a faulty record may have been replayed to an impossible position
            try:
                position.check()
            except InvalidInput:
                return "impossible_position"
        return None

    def _board(self, position: Position) -> LoadedBoard:
        """Return the loaded board of a position, usually the last one updated by a play."""
        squares = position.board.squares
        for board in self._boards:
            if board.kernel.squares == squares:
                return board
        return LoadedBoard.load(position.board, position.layout, position.tile_set, self._lexicon)


def _by_line(faults: Iterable[LineFault], lang: str) -> dict[int, list[LineNote]]:
    lines: dict[int, list[LineNote]] = {}
    for fault in faults:
        lines.setdefault(fault.line, []).append(LineNote.of(fault, lang))
    return lines
