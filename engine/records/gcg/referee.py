"""The referee of a replay: apply each event, and report what disagrees with the rules or the sums.

A score that the players computed wrongly counts, with a warning, because the game continued with it. An event
that cannot have happened (a bonus without a play, a time penalty in mid-game) is a fault and changes nothing.
A play that does not fit the board stops the replay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import InvalidInput, excerpt
from engine.messages import Text
from engine.position import Exchange, Pass, Rack, format_move
from engine.position.formed_words import FormedWords
from engine.records.gcg.fault_list import FaultList
from engine.records.gcg.play_text import read_play
from engine.records.gcg.racks import RackReader
from engine.records.gcg.record import NOBODY, Event, EventKind, GameRecord
from engine.records.gcg.state import Before, ReplayState, missing
from engine.rules.game_end import out_bonus

if TYPE_CHECKING:
    from engine.errors import Params
    from engine.position import Move, Play
    from engine.rules import BoardLayout, RuleSet, TileSet

CHALLENGE_STEP: Final = 5
"""Challenge bonuses are multiples of this many points, 5 a word or 10 a play."""

Verdict = tuple["Move | None", "int | None"]
"""The move of an event, and what the rules give for it; None where there is none or nobody can say."""

REFUSED: Final[Verdict] = (None, None)


class _LastPlay(NamedTuple):
    """Hold the last play while it can be challenged: its score, the rack and the state before it."""

    score: int
    rack: Rack | None
    before: Before
    bonus_given: bool = False

    @property
    def player(self) -> int:
        return self.before.player


class Referee:
    """Apply the events of a game one by one; `found` collects faults, `stopped` ends the replay."""

    def __init__(self, tile_set: TileSet, layout: BoardLayout, rules: RuleSet, record: GameRecord) -> None:
        players = len(record.players)
        self.state = ReplayState(tile_set, layout, rules, players)
        self.found = FaultList(record.unit)
        self.stopped = False
        self._racks = RackReader(self.state, self.found)
        self._recorded_totals: list[int] = [0] * players
        self._last: _LastPlay | None = None
        self._ended = False
        self._timed: set[int] = set()
        self._line = 0

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._ended or self.state.out is not None or self.state.out_of_turns

    def rack(self, event: Event) -> Rack | None:
        """Return the known rack of an event's player before the event, and check it."""
        return self._racks.before(event)

    def judge(self, event: Event, rack: Rack | None) -> Verdict:
        """Apply an event; `rack` is the result of the method `rack` for it."""
        self._line = event.line
        match event.kind:
            case EventKind.PLAY | EventKind.EXCHANGE | EventKind.PASS:
                return self._move(event, rack)
            case EventKind.PHONY:
                return self._phony(event)
            case EventKind.CHALLENGE:
                return self._challenge(event)
            case EventKind.END_BONUS:
                return self._end_bonus(event)
            case EventKind.END_PENALTY:
                return self._end_penalty(event)
            case EventKind.TIME:
                return self._time(event)
            case _:
                self.stopped = True
                return REFUSED

    def last_racks(self, record: GameRecord) -> list[Rack | None]:
        """Return the racks at the end of the record; those with a fault are unknown."""
        return [None] * len(record.players) if self.stopped else self._racks.last(record)

    def warn_not_replayed(self, count: int) -> None:
        """Warn that some events were not replayed."""
        if count:
            sentence = Text("events after this one that could not be replayed: {count}", count=count)
            self._warn("not_replayed", sentence)

    # Faults and warnings.

    def _report(
        self, code: str, sentence: str, part: str = "", *, warning: bool = False, params: Params | None = None
    ) -> None:
        self.found.add(code, sentence, self._line, part, warning=warning, params=params)

    def _warn(self, code: str, sentence: str, part: str = "") -> None:
        self._report(code, sentence, part, warning=True)

    def _refuse(self, code: str, sentence: str, event: Event) -> Verdict:
        """Report an event that cannot have happened. Its cumulative score is stored, but not counted."""
        self._report(code, sentence, "event")
        if event.player != NOBODY and event.total is not None:
            self._recorded_totals[event.player] = event.total
        return REFUSED

    # Moves.

    def _move(self, event: Event, rack: Rack | None) -> Verdict:
        state, player = self.state, event.player
        if state.out is not None and event.kind is EventKind.PASS and player != state.out and not self._ended:
            self._warn("pass_after_out", Text("a pass after the last play is not a turn"), "event")
            return Pass(), 0
        if state.out is not None or self._ended:
            return self._refuse("event_after_end", Text("a move after the end of the game"), event)
        if state.on_turn is not None and player != state.on_turn:
            self._report("off_turn", Text("this player is not on turn"), "player")
        if event.kind is EventKind.PLAY:
            return self._play(event, rack)
        self._last = None
        if event.kind is EventKind.EXCHANGE:
            return self._exchange(event, rack)
        state.stay(player, rack, "-")
        self._count(event, 0)
        return Pass(), 0

    def _play(self, event: Event, rack: Rack | None) -> Verdict:
        state, player = self.state, event.player
        try:
            move, completed = read_play(event, state.board, state.tile_set, rack)
        except InvalidInput as error:
            self._report(error.code, error.message, "move", params=error.params)
            self.stopped = True
            return REFUSED
        if completed:
            written = format_move(move, state.tile_set)
            sentence = Text("'{text}' was read as {move}", text=excerpt(event.text), move=written)
            self._warn("word_not_whole", sentence, "move")
        used = move.used
        if self._racks.lacks(rack, used, event):
            rack = None
        if not self._enough(used, player, event):
            self.stopped = True
            return move, None
        words = FormedWords(state.board, state.layout, state.tile_set).of(move)
        points = sum([word.score for word in words]) + state.rules.bonus(len(used))
        if len(words) == 1 and all(move.tiles):  # it touches no tile of the board
            self._check_place(move)
        before = state.place(move, player, used, rack)
        score = self._count(event, points)
        state.zero_turns = 0 if score else state.zero_turns + 1
        self._last = _LastPlay(score, rack, before)
        return move, points

    def _enough(self, used: bytes, player: int, event: Event) -> bool:
        """Return whether the player can have the tiles of a play; add a fault if not."""
        state = self.state
        if lacking := missing(used, state.left):
            names = self._racks.names(lacking)
            if not self.found.has("rack_not_in_bag", event.line):
                sentence = Text("there is no {tiles} left for this play", tiles=names)
                self._report("tile_not_in_bag", sentence, "move")
            return False
        if len(used) > state.tile_counts[player]:
            sentence = Text(
                "the play places {count} tiles, but the player has {held}",
                count=len(used),
                held=state.tile_counts[player],
            )
            self._report("tile_not_in_rack", sentence, "move")
            return False
        return True

    def _check_place(self, move: Play) -> None:
        """Report a play that touches no tile, unless it is a first play on a start square."""
        state = self.state
        if not state.board.is_empty:
            self._report("not_connected", Text("the play touches no tile of the board"), "move")
        elif not any((row, column) in state.layout.starts for row, column, _ in move.placements()):
            self._report("start_not_covered", Text("the first play covers no start square"), "move")

    def _exchange(self, event: Event, rack: Rack | None) -> Verdict:
        state, player = self.state, event.player
        move: Exchange | None = None
        leave: Rack | None = None
        if event.text.isascii() and event.text.isdigit():
            count = int(event.text[:3])
            if not 1 <= count <= state.tile_counts[player]:
                sentence = Text("'{count}' tiles cannot be exchanged here", count=excerpt(event.text))
                self._report("bad_exchange", sentence, "move")
        else:
            tiles = self._racks.read(event.text, event.line, "move")
            count = len(event.text) if tiles is None else len(tiles)
            if tiles is not None:
                move = Exchange(tiles.tiles)
                if not self._racks.lacks(rack, tiles.tiles, event) and rack is not None:
                    leave = rack.without(tiles.tiles)
        if state.bag < state.rules.exchange_limit:
            sentence = Text(
                "an exchange needs {least} tiles in the bag, which has {bag}",
                least=state.rules.exchange_limit,
                bag=state.bag,
            )
            self._report("exchange_not_allowed", sentence, "move")
        state.stay(player, leave, f"-{count}")
        self._count(event, 0)
        return move, 0

    # Challenges.

    def _phony(self, event: Event) -> Verdict:
        last = self._last
        if last is None or last.player != event.player or last.bonus_given:
            return self._refuse(
                "phony_without_play", Text("there is no play of this player to withdraw"), event
            )
        if event.score != -last.score:
            sentence = Text(
                "withdrawing a play of {play} points is recorded as {score:+}",
                expected=-last.score,
                score=event.score,
                play=last.score,
            )
            slip = event.total == last.before.total
            self._report("wrong_phony_score", sentence, "score", warning=slip)
        self._check_returned(event, last)
        self._last = None
        self.state.take_back(last.before)
        self.state.stay(event.player, last.rack, None)
        self.state.shown[event.player] = Rack(last.before.used)
        self._check_total(event)
        return None, -last.score

    def _check_returned(self, event: Event, last: _LastPlay) -> None:
        """Warn if the rack given back is not that of the play; racks may be recorded in part."""
        returned = self._racks.read(event.rack, event.line, "rack") if event.rack else None
        if returned is None:
            return
        used, rack = last.before.used, last.rack
        strange = b"" if rack is None else returned.without(rack.tiles).tiles
        if rack is not None and len(rack) < last.before.tile_count and not rack.without(returned.tiles):
            strange = b""  # the rack of the play was recorded in part
        if strange or Rack(used).without(returned.tiles):
            expected = self._racks.names(used if rack is None else rack.tiles)
            given = self._racks.names(returned.tiles)
            sentence = Text(
                "the tiles returned, {tiles}, are not those of the play, {expected}",
                tiles=given,
                expected=expected,
            )
            self._warn("phony_tiles_returned_mismatch", sentence, "rack")

    def _challenge(self, event: Event) -> Verdict:
        last = self._last
        if last is None or last.player != event.player or last.bonus_given:
            return self._refuse("challenge_without_play", Text("there is no play that was challenged"), event)
        self._last = last._replace(bonus_given=True)
        if event.score <= 0 or event.score % CHALLENGE_STEP:
            sentence = Text("a challenge bonus of {score:+} points", score=event.score)
            self._warn("odd_challenge_bonus", sentence, "score")
        self._count(event, None)
        return None, None

    # The end of the game.

    def _end_bonus(self, event: Event) -> Verdict:
        state = self.state
        if state.out is None:
            return self._refuse("end_rack_too_early", Text("nobody has played the last tile yet"), event)
        if state.out != event.player:
            return self._refuse(
                "end_rack_wrong_player", Text("the other player has played the last tile"), event
            )
        if self._ended:
            return self._refuse("event_after_end", Text("the tiles left were counted already"), event)
        self._ended = True
        left = state.rest()
        named = self._racks.read(event.text, event.line, "tiles")
        if named is not None and named != left:
            names = self._racks.names(left.tiles)
            sentence = Text(
                "the tiles left are {expected}, not '{tiles}'", expected=names, tiles=excerpt(event.text)
            )
            self._report("wrong_end_rack", sentence, "tiles")
        value = self._value(left)
        ending = state.rules.ending
        points = out_bonus(ending, value)
        self._check_end(event, points, out_bonus("single" if ending == "double" else "double", value), left)
        self._add(event)
        return None, points

    def _end_penalty(self, event: Event) -> Verdict:
        state = self.state
        is_other = state.out is not None and state.out != event.player
        if not is_other and (state.out is not None or not state.out_of_turns):
            return self._refuse("end_rack_too_early", Text("the game is not at its end"), event)
        self._ended = True
        malformed = "" if is_other else "six_pass_last_rack_malformed"
        tiles = self._racks.read(event.text, event.line, "tiles", malformed)
        if tiles is None or not self._racks.possible(
            tiles, state.tile_counts[event.player], event.line, "tiles"
        ):
            self._add(event)
            return None, None
        lost = -self._value(tiles)
        points = lost if state.out is None or state.rules.ending == "single" else 0
        self._check_end(event, points, lost, tiles)
        self._add(event)
        return None, points

    def _time(self, event: Event) -> Verdict:
        if not self._ended:
            return self._refuse(
                "early_time_penalty", Text("a time penalty before the end of the game"), event
            )
        if event.player in self._timed:
            return self._refuse("duplicate_time_penalty", Text("a second time penalty of this player"), event)
        self._timed.add(event.player)
        if event.score >= 0:
            sentence = Text("a time penalty of {score:+} points", score=event.score)
            self._warn("odd_time_penalty", sentence, "score")
        self._add(event)
        return None, None

    def _value(self, rack: Rack) -> int:
        values = self.state.tile_set.values
        return sum([values[code] for code in rack.tiles])

    def _check_end(self, event: Event, points: int, other: int, tiles: Rack) -> None:
        if event.score == points:
            return
        names = self._racks.names(tiles.tiles)
        if event.score == other:
            sentence = Text(
                "{tiles} gives {expected:+} by these rules, {score:+} by others",
                tiles=names,
                expected=points,
                score=other,
            )
            self._warn("other_ending", sentence, "score")
        else:
            sentence = Text(
                "{tiles} gives {expected:+}, not {score:+}", tiles=names, expected=points, score=event.score
            )
            self._report("wrong_end_value", sentence, "score")

    # Sums.

    def _count(self, event: Event, points: int | None) -> int:
        """Check the score of an event against the rules; return the score that is added.

        If only the cumulative score agrees with the rules, the score itself is regarded as a writing error.
        """
        score = event.score
        if points is not None and score != points:
            sentence = Text(
                "the score is recorded as {score:+}, the rules give {expected:+}",
                score=score,
                expected=points,
            )
            self._warn("score_mismatch", sentence, "score")
            if event.total == self.state.totals[event.player] + points:
                score = points
        self._add(event, score)
        return score

    def _add(self, event: Event, score: int | None = None) -> None:
        self.state.totals[event.player] += event.score if score is None else score
        self._check_total(event)

    def _check_total(self, event: Event) -> None:
        """Compare the cumulative score with the sum, or with a sum that an earlier error changed."""
        total, player = self.state.totals[event.player], event.player
        carried = self._recorded_totals[player] + event.score
        self._recorded_totals[player] = total if event.total is None else event.total
        if event.total not in (None, total, carried):
            sentence = Text(
                "the cumulative score is recorded as {total}, the sum is {expected}",
                total=event.total,
                expected=total,
            )
            self._report("wrong_cumulative_score", sentence, "total")
