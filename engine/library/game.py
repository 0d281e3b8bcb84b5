"""A game of two to four players by the full rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.analysis.play import deal
from engine.errors import EngineError, IllegalMove, InvalidInput
from engine.library import game_json
from engine.library.action import (
    Bonus,
    Challenge,
    MoveMade,
    SavedGame,
    TakenBack,
    TimeLost,
    TimePenalty,
    action_of,
)
from engine.library.game_record import record_of, saved_game_of
from engine.library.lexicon import Lexicon
from engine.library.result import result_of
from engine.library.seats import read_seats
from engine.library.state import start
from engine.library.steps import challenged, lost_on_time, move_made, penalized, standing, taken_back
from engine.position import Pass, Rack
from engine.records import EventKind, format_gcg, parse_gcg
from engine.records.cgp import DEFAULT_LAYOUT
from engine.rules import board_layout, default_rule_set
from engine.rules.time_control import MAX_SECONDS, NO_LIMITS, is_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.analysis import Judgement
    from engine.library.action import Action
    from engine.library.moves import Move
    from engine.library.position import Position
    from engine.library.result import GameResult
    from engine.library.state import State, Step
    from engine.position import Board
    from engine.records import Event, GameRecord
    from engine.rules import BoardLayout, RuleSet, TileSet, TimeControl


class Game:
    """A game in progress: the moves, challenges and penalties so far, and the position that they lead to.

    Players are numbered from 0 in their order of play; `names` and `levels` are theirs, a level is None for a
    person. `time` holds the time limits. Games are equal if they began and went the same way.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        players: int | Sequence[str | int] = 2,
        *,
        seed: int = 0,
        racks: Sequence[str] | None = None,
        layout: BoardLayout | None = None,
        rules: RuleSet | None = None,
        tile_set: TileSet | None = None,
        time: TimeControl = NO_LIMITS,
        allow_phonies: bool = False,
    ) -> None:
        """Begin a game of 2 to 4 players, given by their number, or each by a name or a level.

        A level, 1 to 10, is a computer player: `Game(lexicon, ["Ann", 4])`. It moves when the caller plays
        `best_move(game.position, level=...)`. `seed`: determines the tiles drawn; `racks`: those at the
        start, by default dealt; `layout`, `rules`, `tile_set`: by default the standard board, and the rules
        and tiles of the lexicon; `time`: the time limits, by default none; `allow_phonies`: whether a play
        with an invalid word stands until it is challenged, rather than raising IllegalMove. Raises
        InvalidInput for wrong names, levels or racks, and for a lexicon with other letters than the tiles.
        """
        tiles = tile_set or lexicon.tile_set
        rules = rules or default_rule_set(tiles.id)
        self.names, self.levels = read_seats(players)
        self.seed = seed
        self.time = time
        self.allow_phonies = allow_phonies
        dealt = (
            deal(tiles, rules, len(self.names), seed)[0]
            if racks is None
            else [Rack.from_text(rack, tiles.alphabet).tiles for rack in racks]
        )
        if len(dealt) != len(self.names):
            raise InvalidInput(
                f"{len(self.names)} players need as many racks, not {len(dealt)}",
                code="bad_racks",
                field="racks",
                params={"players": len(self.names), "count": len(dealt)},
            )
        self._start = start(lexicon, tiles, layout or board_layout(DEFAULT_LAYOUT), rules, dealt)
        self._steps: list[Step] = []
        self._seconds = 0.0

    @property
    def _state(self) -> State:
        return self._steps[-1].after if self._steps else self._start

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon of the game."""
        return self._start.position.lexicon

    @property
    def rules(self) -> RuleSet:
        """The rules of the game."""
        return self._start.position.rules

    @property
    def position(self) -> Position:
        """The position as the player on turn sees it, without the racks of the others."""
        return self._state.seen()

    @property
    def board(self) -> Board:
        """The board."""
        return self._state.position.board

    @property
    def on_turn(self) -> int:
        """The number of the player on turn."""
        return self._state.on_turn

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the players, before the adjustments at the end of the game (see `result`)."""
        return tuple([player.score for player in self._state.players])

    @property
    def racks(self) -> tuple[Rack, ...]:
        """The racks of the players."""
        return tuple([player.held for player in self._state.players])

    @property
    def bag(self) -> Rack:
        """The tiles in the bag."""
        return self._state.bag

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far, including plays that were taken back."""
        return tuple([step.move for step in self._steps if step.move is not None])

    @property
    def movers(self) -> tuple[int, ...]:
        """The number of the player of each of the `moves`."""
        return tuple([step.player for step in self._steps if step.move is not None])

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each of the `moves`, as the player on turn saw it."""
        return tuple([step.before.seen() for step in self._steps if step.move is not None])

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the record, including the adjustments at the end of the game."""
        return self.record.events

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; its last play may still be challenged, with `allow_phonies`."""
        return self._state.reason is not None

    @property
    def result(self) -> GameResult | None:
        """How the game ended, None if it has not."""
        left = self.time_left
        overtime = [0 if seconds is None else self.time.penalty(seconds) for seconds in left]
        return result_of(self._state, self.names, overtime)

    @property
    def time_left(self) -> tuple[float | None, ...]:
        """The seconds that each player has left for the game, less than 0 if overstepped; None: no limit."""
        if self.time.per_game is None:
            return (None,) * len(self.names)
        used = [0.0] * len(self.names)
        for step in self._steps:
            used[step.before.on_turn] += self.time.counted(step.seconds)
        if not self.is_over:
            used[self.on_turn] += self.time.counted(self._seconds)
        return tuple([round(self.time.per_game - seconds, 3) for seconds in used])

    @property
    def move_time_left(self) -> float | None:
        """The seconds that the player on turn has left for this move; None: no limit."""
        return None if self.time.per_move is None else round(self.time.per_move - self._seconds, 3)

    @property
    def move_seconds(self) -> tuple[float, ...]:
        """The seconds that each of the `moves` took."""
        return tuple([step.seconds for step in self._steps if step.move is not None])

    @property
    def record(self) -> GameRecord:
        """The record of the game."""
        return record_of(self.names, self._state, self._steps, self.result)

    def play(self, move: Move | str, *, drawn: str | None = None) -> Move:
        """Make a move of the player on turn and draw tiles; return the move.

        `move`: a move, or a text for `Position.parse_move`; `drawn`: the tiles drawn, by default determined
        by the seed. Raises IllegalMove for a move that the rules do not allow (code "game_over" after the
        end), InvalidInput for a text that is not a move and for tiles that cannot be drawn, and AmbiguousMove
        for a text that fits several plays.
        """
        seconds, phonies = self._seconds, self.allow_phonies
        step = move_made(self._state, move, drawn, self.seed, seconds, phonies=phonies)
        self._append(step)
        assert step.move is not None  # noqa: S101 - for the type checker
        return step.move

    def spend(self, seconds: float) -> Pass | None:
        """Count time that the player on turn has taken, and apply the time limits.

        Call it before a move, as often as needed: the seconds of a turn add up. Who has no time left for the
        move passes; that pass is returned, and the next player is on turn. Who has no time left for the game
        loses it, if that is what `overtime` says; the reason of the `result` is then "time". Raises
        IllegalMove after the end, and InvalidInput for a wrong number of seconds.
        """
        if self.is_over:
            raise IllegalMove("the game is over", code="game_over")
        if not is_seconds(seconds):
            raise InvalidInput(
                f"a move takes 0 to {MAX_SECONDS} seconds", code="bad_time", params={"most": MAX_SECONDS}
            )
        self._seconds = round(self._seconds + seconds, 3)
        left = self.time_left[self.on_turn]
        if left is not None and self.time.is_lost(left):
            self._append(lost_on_time(self._state, self._seconds))
        elif self.time.move_is_over(self._seconds):
            passed = Pass()
            self.play(passed)
            return passed
        return None

    def challenge(self, *, per: str = "play") -> Judgement:
        """Challenge the last play for the player on turn, and apply the challenge rule.

        A play with an invalid word is taken back, and its player loses the turn (by the rule "void": moves
        again; by "triple": loses the game). An unsuccessful challenge costs the challenger the turn by the
        rule "double" and the game by "triple", and gives the player points by "5pt" and "10pt". `per`:
        whether these count for the "play" or for each "word". Raises IllegalMove unless the last event is a
        play.
        """
        play, on_turn = self._challenged_play(), self.on_turn
        judgement, step = challenged(self._state, play, per)
        if step is None:  # the same player moves again; the time of the turn continues
            self._seconds = self._steps.pop().seconds
        elif step.after.on_turn == on_turn and not step.after.reason:
            self._steps.append(step)  # the challenger is still on turn, and the time continues
        else:
            self._append(replace(step, seconds=self._seconds))
        return judgement

    def penalize(self, player: int, points: int) -> None:
        """Take points off a player's final score for overstepping the time.

        Raises IllegalMove before the end of the game and for a second penalty of a player, InvalidInput for
        an unknown player, or points that are not positive.
        """
        step = penalized(self._state, player, points)
        left = self.time_left[player]
        if left is not None and self.time.penalty(left):
            raise IllegalMove("the clock has penalized this player already", code="duplicate_time_penalty")
        self._steps.append(step)

    def undo(self) -> None:
        """Undo the last move, challenge or penalty; the same move draws the same tiles again.

        Raises IllegalMove at the start of the game.
        """
        if not self._steps:
            raise IllegalMove("there is nothing to undo", code="nothing_to_undo")
        self._steps.pop()
        self._seconds = 0.0

    def take_back(self) -> None:
        """Undo the last move of a person, with the moves of computer players after it.

        Raises IllegalMove if no person has moved, and in a game with a time limit, which is no friendly one.
        """
        if self.time:
            raise IllegalMove("in a game with a time limit no move is taken back", code="no_taking_back")
        steps = enumerate(self._steps)
        own = [at for at, step in steps if step.move is not None and self.levels[step.player] is None]
        if not own:
            raise IllegalMove("there is no move of yours to take back", code="nothing_to_undo")
        del self._steps[own[-1] :]
        self._seconds = 0.0

    def to_gcg(self) -> str:
        """Return the game as a GCG record.

        Unlike JSON, a record does not contain the seed, rules other than those of the tile set, times, or the
        loss of a game by a "triple" challenge or on time.
        """
        return format_gcg(self.record)

    @classmethod
    def from_gcg(
        cls,
        data: bytes | str,
        lexicon: Lexicon,
        *,
        seed: int = 0,
        layout: BoardLayout | None = None,
        rules: RuleSet | None = None,
        allow_phonies: bool = True,
    ) -> Game:
        """Return the game of a GCG record.

        The record must contain all tiles of every rack: at each turn, and in #rack1, #rack2, ... at the end
        of a game that is not over. `seed`: determines the tiles drawn in the moves that follow. Raises
        InvalidInput for a faulty record, naming the lines; `parse_gcg` and `replay_game` accept such records.
        """
        record = parse_gcg(data)
        saved = saved_game_of(record, lexicon, layout, rules)
        return cls._replayed(replace(saved, seed=seed, allow_phonies=allow_phonies), lexicon)

    def to_json(self) -> str:
        """Return the game as JSON, with everything but the words of its lexicon."""
        position = self._start.position
        saved = SavedGame(
            names=self.names,
            tile_set=position.tile_set,
            layout=position.layout,
            rules=position.rules,
            racks=tuple([str(player.held) for player in self._start.players]),
            actions=tuple(map(action_of, self._steps)),
            seed=self.seed,
            allow_phonies=self.allow_phonies,
            levels=self.levels,
            time=self.time,
            seconds=self._seconds,
        )
        return game_json.encode(saved, self.lexicon)

    @classmethod
    def from_json(cls, text: str, lexicon: Lexicon | Callable[[str], Lexicon] = Lexicon.open) -> Game:
        """Return the game that `to_json` wrote; the same moves draw the same tiles.

        `lexicon`: that of the game, or a function that opens it by the name in the text. Raises InvalidInput
        for another text, for another version of the format (code "other_version"), and for a game with
        another word list; NotFound for an unknown board or tile set; and what opening the lexicon raises.
        """
        return cls._replayed(*game_json.decode(text, lexicon))

    @classmethod
    def _replayed(cls, saved: SavedGame, lexicon: Lexicon) -> Game:
        """Return a saved game; raise InvalidInput for an action that the rules do not allow."""
        game = cls(
            lexicon,
            saved.names,
            seed=saved.seed,
            racks=saved.racks,
            layout=saved.layout,
            rules=saved.rules,
            tile_set=saved.tile_set,
            time=saved.time,
            allow_phonies=saved.allow_phonies,
        )
        game.levels = saved.levels or game.levels
        for number, action in enumerate(saved.actions):
            try:
                game._do(action)
            except EngineError as error:
                line = saved.lines[number] if saved.lines else 0
                where = f"line {line}" if line else f"action {number + 1}"
                params = {"where": where, **error.params}
                raise InvalidInput(
                    f"{where}: {error}", code=error.code, field="game", params=params
                ) from error
        game._seconds = saved.seconds
        return game

    def _do(self, action: Action) -> None:
        match action:
            case MoveMade(text, drawn, seconds):
                self._seconds = seconds
                self.play(text, drawn=drawn)
            case Challenge(per, seconds):
                self._seconds = seconds
                self.challenge(per=per)
            case TakenBack():
                self._steps.append(taken_back(self._state, self._challenged_play()))
            case Bonus(points):
                self._steps.append(standing(self._state, self._challenged_play(), points))
            case TimePenalty(player, points):
                self.penalize(player, points)
            case TimeLost(seconds):
                self._append(lost_on_time(self._state, seconds))

    def _append(self, step: Step) -> None:
        """Append a step that ends a turn."""
        self._steps.append(step)
        self._seconds = 0.0

    def _challenged_play(self) -> Step:
        if not self._steps or self._steps[-1].kind is not EventKind.PLAY:
            raise IllegalMove("there is no play to challenge", code="nothing_to_challenge")
        return self._steps[-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.names, self.levels, self.time, self._start, self._steps) == (
            other.names,
            other.levels,
            other.time,
            other._start,
            other._steps,
        )

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        return f"Game({self.lexicon!r}, {self.names!r}, moves={len(self.moves)})"

    def __str__(self) -> str:
        """Format the board, and below it scores, racks and bag, or the result."""
        if self.result is not None:
            return f"{self.board}\n\n{self.result}"
        lines = [
            f"{'>' if number == self.on_turn else ' '} {name}: {score} points, {rack}"
            for number, (name, score, rack) in enumerate(
                zip(self.names, self.scores, self.racks, strict=True)
            )
        ]
        return "\n".join([str(self.board), "", *lines, f"  bag: {len(self.bag)} tiles"])

    def _repr_svg_(self) -> str:
        """Return the board as a picture for notebooks."""
        return self._state.position._repr_svg_()
