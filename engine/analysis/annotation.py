"""Annotating the record of a game: turn by turn, what was played, what was best, and what was lost.

record  ->  replay  ->  per turn: loaded board (one play further), rack, `TurnJudge`  ->  notes, summary
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.analysis.annotation_ending import move_ending
from engine.analysis.annotation_judge import TurnJudge, kept_tiles, used_tiles
from engine.analysis.annotation_result import (
    Annotation,
    AnnotationHeading,
    AnnotationSummary,
    EventNote,
    LineNote,
    NotedPlayer,
    TurnNote,
)
from engine.analysis.annotation_summary import summarize
from engine.analysis.move_report import Describer, missing_tiles
from engine.analysis.report import Effort, LexiconReference, Provenance, table_name
from engine.analysis.request import AnalysisOptions, Learned
from engine.errors import InvalidInput
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import find_win_pct_table
from engine.loaded_board import LoadedBoard
from engine.position import Board, Pass, Play, Rack
from engine.records import EventKind, format_cgp, replay_game
from engine.search import SIMULATIONS, SimulationPlan
from engine.search.deadline import Deadline
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine.analysis.annotation_judge import Judgement
    from engine.analysis.annotation_result import AnnotationNote
    from engine.lexicon import Lexicon
    from engine.position import Move, Position
    from engine.records import GameRecord, LineFault, Replay, Turn

ENDGAME_NODES: Final = 500
"""By default: so many that most of the game's time still goes into the other turns."""

CANDIDATES: Final = 10
ITERATIONS: Final = 2000
"""Of a simulated turn, by default: enough to tell a mistake of 3 win% from none, in a sixth of a second."""

ANNOTATION_FORMAT: Final = 3
"""Raised whenever the same record would give another annotation than before."""

MOVES: Final = {EventKind.PLAY: "play", EventKind.EXCHANGE: "exchange", EventKind.PASS: "pass"}
FOLLOWING: Final = (EventKind.PHONY, EventKind.CHALLENGE)


@dataclass(frozen=True, slots=True)
class AnnotationOptions:
    """Say how to judge: `evaluator` is one of EVALUATORS, by whose equity the best move is found.

    `endgame_nodes`: how long each position with an empty bag is searched; with 0 it is judged by the static
    rule. A search that proves what the moves are worth is said to be exact. `simulate`: while there are tiles
    in the bag, the best moves and the one played are compared by simulation, with the random numbers of
    `seed`; the best move is then the one that wins most often.
    """

    evaluator: str = "auto"
    endgame_nodes: int = ENDGAME_NODES
    simulate: SimulationPlan | None = None
    seed: int = 1


def annotation_simulation(method: str = "monte_carlo", **given: Any) -> SimulationPlan:
    """Return the plan of a method as annotations want it: ten candidates, 2,000 iterations, if not given.

    Methods that give every candidate its share keep that share. Raises InvalidInput as
    `SimulationPlan.preset`.
    """
    least = {"candidates": CANDIDATES}
    if SIMULATIONS.get(method, SIMULATIONS["monte_carlo"]).confidence is not None:
        least["iterations"] = ITERATIONS
    return SimulationPlan.preset(method, **(least | given))


class _Outcome(NamedTuple):
    """What became of a play: "taken_back", "stood" or None, the bonus, and the lines that say so."""

    challenge: str | None
    bonus: int
    total: int
    lines: tuple[int, ...]


def annotate(
    record: GameRecord,
    lexicon: Lexicon,
    options: AnnotationOptions = AnnotationOptions(),
    faults: Sequence[LineFault] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Annotation:
    """Annotate a record by the words of a lexicon; `faults` are those that reading it gave.

    `progress` is told the number of events done, and of all.

    Turns whose rack is not wholly known are not judged, and say so; nothing that a record says raises,
    except what `annotation_notes` names.
    """
    parts: list[AnnotationNote] = []
    for part in annotation_notes(record, lexicon, options, faults):
        parts.append(part)
        if progress is not None:
            progress(min(len(parts), len(record.events)), len(record.events))
    heading, *notes, summary = parts
    assert isinstance(heading, AnnotationHeading)  # noqa: S101 - the order of the notes
    assert isinstance(summary, AnnotationSummary)  # noqa: S101
    middle = tuple([note for note in notes if isinstance(note, TurnNote | EventNote)])
    return Annotation(record, heading, middle, summary)


def annotation_notes(
    record: GameRecord,
    lexicon: Lexicon,
    options: AnnotationOptions = AnnotationOptions(),
    faults: Sequence[LineFault] = (),
    deadline: Deadline | None = None,
) -> Iterator[AnnotationNote]:
    """Return the parts of an annotation one by one: the heading, turns and events, the summary.

    After `deadline` no further turn is judged: the summary follows, and says that it is not complete.

    Raises InvalidInput at once, before anything is returned, for a record without two players, for one of
    other letters than the lexicon's, or on a larger board than its tables serve, and for an unknown evaluator
    or one that is not to be had, or a simulation that cannot be, be it of more than two players (code
    "not_two_players").
    """
    asked = AnalysisOptions(evaluator=options.evaluator, simulate=options.simulate, seed=options.seed)
    asked.check()
    if len(record.players) < 2 and faults:
        raise InvalidInput.collected([fault for fault in faults if not fault.warning] or list(faults))
    if options.simulate is not None and len(record.players) > 2:
        raise InvalidInput(
            f"a simulation needs two players, and this game has {len(record.players)}; "
            "annotate it without simulation",
            code="not_two_players",
            field="simulate",
            params={"count": len(record.players)},
        )
    replay = _replayed(record, lexicon)
    learned = Learned.resolve(asked, lexicon)
    return _Annotator(replay, lexicon, learned, options, faults, deadline or Deadline()).notes()


def _replayed(record: GameRecord, lexicon: Lexicon) -> Replay:
    """Play a record through with the lexicon's tiles, unless it names others or can only have others."""
    replay = replay_game(record, lexicon.tile_set)
    if len(replay.turns) < len(record.events):  # perhaps a game in another language
        guessed = replay_game(record)
        if len(guessed.turns) > len(replay.turns):
            replay = guessed
    if replay.tile_set.alphabet.letters != lexicon.tile_set.alphabet.letters:
        raise InvalidInput(
            f"the record is of a game with the tiles of {replay.tile_set.id}, but the lexicon {lexicon.id} "
            f"is spelled with those of {lexicon.tile_set.id}; name another lexicon",
            code="tile_set_mismatch",
            field="lexicon",
            params={
                "record_tile_set": replay.tile_set.id,
                "lexicon": lexicon.id,
                "tile_set": lexicon.tile_set.id,
            },
        )
    return replay


def annotation_key(lexicon: Lexicon, options: AnnotationOptions = AnnotationOptions()) -> str:
    """Return the SHA-256 (hexadecimal) of all but the record that can change an annotation."""
    parts = [
        f"annotation {ANNOTATION_FORMAT} {VERSION}",
        f"lexicon {lexicon.id} {lexicon.sha256} {lexicon.table_sha256}",
        repr(options),
        *(table.name for table in (find_leave_table(lexicon), find_win_pct_table(lexicon)) if table),
    ]
    return sha256("\n".join(parts).encode()).hexdigest()


class _Annotator:
    """Annotate one game."""

    def __init__(
        self,
        replay: Replay,
        lexicon: Lexicon,
        learned: Learned,
        options: AnnotationOptions,
        faults: Sequence[LineFault],
        deadline: Deadline,
    ) -> None:
        self._replay = replay
        self._deadline = deadline
        self._lexicon = lexicon
        self._learned = learned
        self._options = options
        self._faults = _by_line((*faults, *replay.faults, *replay.warnings))
        self._judge = TurnJudge(
            lexicon, learned, options.endgame_nodes, options.simulate, options.seed, deadline
        )
        empty = Board.empty(replay.layout.side)
        self._boards = [LoadedBoard.load(empty, replay.layout, replay.tile_set, lexicon)]

    def notes(self) -> Iterator[AnnotationNote]:
        """Yield the parts of the annotation."""
        heading = self._heading()
        yield heading
        turns: list[TurnNote] = []
        scores = [0] * len(heading.players)
        told: set[int] = set()
        passes = 0
        for place, turn in enumerate(self._replay.turns):
            if turn.event.player >= 0:
                scores[turn.event.player] = turn.total
            if _is_turn(turn):
                outcome = self._outcome(place)
                note = self._turn(turn, outcome, passes)
                if self._deadline.passed:  # a turn that it cut short is not comparable with the others
                    break
                passes = passes + 1 if isinstance(turn.move, Pass) else 0
                told.update(outcome.lines)
                turns.append(note)
                yield note
            elif turn.event.line not in told or turn.event.kind not in FOLLOWING:
                yield self._event(turn)
        complete = len(self._replay.turns) == len(self._replay.record.events) and not self._deadline.passed
        yield summarize(heading, turns, scores, over=self._replay.over, complete=complete)

    def _heading(self) -> AnnotationHeading:
        replay, record, lexicon = self._replay, self._replay.record, self._lexicon
        lines = {turn.event.line for turn in replay.turns}
        loose = [fault for line, faults in self._faults.items() if line not in lines for fault in faults]
        learned = self._learned
        return AnnotationHeading(
            players=tuple([NotedPlayer(player.nick, player.name) for player in record.players]),
            title=record.title,
            recorded_lexicon=record.lexicon,
            lexicon=lexicon.id,
            tile_set=replay.tile_set.id,
            board=replay.layout.id,
            rules=replay.rules.id,
            evaluator=learned.evaluator,
            simulation=self._options.simulate.method if self._options.simulate else None,
            event_count=len(record.events),
            faults=tuple(sorted(loose, key=lambda fault: fault.line)),
            provenance=Provenance(
                VERSION,
                LexiconReference(lexicon.id, lexicon.sha256),
                leaves=table_name(learned.leaves),
                win_pct_table=table_name(learned.win_pct),
                seed=self._options.seed if self._options.simulate else None,
                budget=Effort(iterations=self._options.simulate.iterations)
                if self._options.simulate
                else None,
            ),
        )

    def _outcome(self, place: int) -> _Outcome:
        """Return what became of a turn: the events that follow it and are about it."""
        turn = self._replay.turns[place]
        challenge, bonus, total, lines = None, 0, turn.total, [turn.event.line]
        for after in self._replay.turns[place + 1 :]:
            kind = after.event.kind
            refused = any(fault.code == "challenge_without_play" for fault in self._at(after.event.line))
            if kind not in FOLLOWING or after.event.player != turn.event.player:
                break
            if kind is EventKind.PHONY and after.points is not None:
                challenge = "taken_back"
            elif kind is EventKind.CHALLENGE and not refused:
                challenge, bonus = "stood", bonus + after.event.score
            else:
                break
            total = after.total
            lines.append(after.event.line)
        return _Outcome(challenge, bonus, total, tuple(lines))

    def _turn(self, turn: Turn, outcome: _Outcome, passes: int) -> TurnNote:
        event, move = turn.event, turn.move
        position, rack_known = _with_rack(turn)
        taken_back = outcome.challenge == "taken_back"
        count = len(position.players)
        order = [(place - event.player) % count for place in range(count)]
        refusal = self._refusal(turn, position, rack_known)
        points = 0 if taken_back else turn.points or 0
        passes = -1 if taken_back else passes  # taking a play back is no pass, but a turn without points
        phonies: tuple[str, ...] = ()
        bingo, came_to, ends = False, move, None
        if move is not None and turn.points is not None:  # else the referee kept it off the board
            phonies = self._phonies(move, position)
            bingo = not taken_back and _placed(move) == position.rules.bingo_tiles
            came_to = Pass() if taken_back else move
            ends = move_ending(position, came_to, points, passes)
        judged: Judgement | None = None
        if refusal is None or refusal == "move_unknown":
            board = self._board(position)
            judged = self._judge.judge(position, board, came_to, points, passes)
            if isinstance(move, Play):
                self._boards = [board, board.after(move)]
        before = self._judge.win_pct(position)
        held = position.players[0].held
        return TurnNote(
            number=turn.number,
            line=event.line,
            player=event.player,
            kind=MOVES[event.kind],
            rack=held.text(position.tile_set.alphabet),
            rack_known=rack_known,
            bag_count=position.bag_count(),
            scores=tuple([position.players[place].score for place in order]),
            score=event.score,
            points=turn.points,
            total=outcome.total,
            challenge=outcome.challenge,
            challenge_bonus=outcome.bonus,
            ends_game=ends,
            phonies=phonies,
            bingo=bingo,
            played=judged.played if judged else None,
            best=judged.best if judged else None,
            rank=judged.rank if judged else None,
            evaluator=judged.evaluator if judged else None,
            equity_loss=judged.equity_loss if judged else None,
            win_pct_before=before,
            win_pct_after=judged.played.win_pct if judged and judged.played else None,
            win_pct_error=judged.played.win_pct_error if judged and judged.played else None,
            win_pct_loss=judged.win_pct_loss if judged else None,
            endgame_loss=judged.endgame_loss if judged else None,
            certainty=judged.certainty if judged else None,
            mistake=judged.mistake if judged else None,
            missed_bingo=judged.missed_bingo if judged else None,
            not_judged=refusal,
            recorded=_recorded(turn),
            note=event.note,
            faults=tuple([fault for line in outcome.lines for fault in self._at(line)]),
            cgp=format_cgp(position),
        )

    def _event(self, turn: Turn) -> EventNote:
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
        if not isinstance(move, Play):
            return ()
        words = [run.letters for run in Describer(position, self._lexicon).words(move)]
        alphabet = position.tile_set.alphabet
        return tuple([alphabet.word(word) for word in words if not self._lexicon.contains(word)])

    def _refusal(self, turn: Turn, position: Position, rack_known: str) -> str | None:
        """Return why a turn is not judged, None if it is."""
        if rack_known in ("partial", "unknown"):
            return f"rack_{rack_known}"
        if turn.move is None:
            return "move_unknown" if turn.points is not None else "move_refused"
        if turn.points is None:
            return "move_refused"
        if missing_tiles(used_tiles(turn.move), position.rack):
            return "tile_not_in_rack"
        if self._replay.faults:  # what the referee let pass need not make a position
            try:
                position.check()
            except InvalidInput:
                return "impossible_position"
        return None

    def _board(self, position: Position) -> LoadedBoard:
        """Return the loaded board of a position: mostly the last one, one play further."""
        squares = position.board.squares
        for board in self._boards:
            if board.kernel.squares == squares:
                return board
        return LoadedBoard.load(position.board, position.layout, position.tile_set, self._lexicon)


def _is_turn(turn: Turn) -> bool:
    """Tell whether an event is a turn: not so a pass after the end, nor a play that could not be read."""
    event, others = turn.event, turn.position.players[1:]
    if event.kind not in MOVES or event.player < 0:
        return False
    return not any(player.rack is not None and not player.rack.tiles for player in others)


def _with_rack(turn: Turn) -> tuple[Position, str]:
    """Return the position, with the whole rack if record or move tell it, and how much is known (RACKS)."""
    position = turn.position
    mover, rules = position.players[0], position.rules
    if mover.rack is not None:
        return position, "known"
    used = b"" if turn.move is None else used_tiles(turn.move)
    seen = mover.held
    whole = Rack(seen.tiles + _beyond(used, seen))
    if len(whole) == (mover.tile_count or rules.rack_size):
        seated = replace(mover, rack=whole, known_tiles=None, tile_count=None)
        return replace(position, players=(seated, *position.players[1:])), "inferred"
    return position, "partial" if seen.tiles else "unknown"


def _placed(move: Move) -> int:
    return len(move.placements()) if isinstance(move, Play) else 0


def _beyond(used: bytes, seen: Rack) -> bytes:
    """Return the tiles used that are not among those seen."""
    rest = Rack(used)
    both = bytes([code for code in set(used) for _ in range(min(used.count(code), seen.tiles.count(code)))])
    return kept_tiles(rest, both)


def _recorded(turn: Turn) -> str:
    """Return the move in the words of the record."""
    event = turn.event
    if event.kind is EventKind.PLAY:
        return f"{event.at} {event.text}"
    return f"-{event.text}"


def _by_line(faults: Iterable[LineFault]) -> dict[int, list[LineNote]]:
    lines: dict[int, list[LineNote]] = {}
    for fault in faults:
        lines.setdefault(fault.line, []).append(LineNote.of(fault))
    return lines
