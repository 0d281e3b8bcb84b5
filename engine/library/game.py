"""A game of two to four players by the full rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.duplicate import DuplicateGame
from engine.errors import EngineError, IllegalMove, InvalidInput
from engine.library.game_record import saved_game_of
from engine.library.game_view import GameView
from engine.library.lexicon import Lexicon
from engine.library.position import Position
from engine.library.saved_game import (
    Bonus,
    Challenge,
    MoveMade,
    Resigned,
    SavedGame,
    TakenBack,
    TimeLost,
    TimePenalty,
    action_of,
    decode,
    encode,
)
from engine.library.seats import read_seats
from engine.library.steps import (
    challenged,
    lost_on_time,
    move_made,
    penalized,
    resigned,
    standing,
    taken_back,
)
from engine.messages import Text
from engine.position import Board, GameState, Pass, Player, Rack
from engine.position import Position as PlainPosition
from engine.position.game_state import deal
from engine.records import EventKind, format_gcg, parse_gcg
from engine.records.cgp import DEFAULT_LAYOUT
from engine.rules import board_layout, default_rule_set
from engine.rules.time_control import MAX_SECONDS, NO_LIMITS, is_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.analysis import Judgement
    from engine.library.saved_game import Action
    from engine.library.steps import State, Step
    from engine.position import Move
    from engine.rules import BoardLayout, RuleSet, TileSet, TimeControl


class Game(GameView):
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
            deal(tiles, rules, len(self.names), seed)
            if racks is None
            else [Rack.from_text(rack, tiles.alphabet).tiles for rack in racks]
        )
        if len(dealt) != len(self.names):
            raise InvalidInput(
                Text(
                    "{players} players need as many racks, not {count}",
                    players=len(self.names),
                    count=len(dealt),
                ),
                code="bad_racks",
                field="racks",
            )
        layout = layout or board_layout(DEFAULT_LAYOUT)
        seats = tuple([Player(rack=Rack(rack)) for rack in dealt])
        empty = PlainPosition(Board.empty(layout.side), layout, tiles, rules, seats)
        position = Position.of(empty, lexicon)
        self._start: State = GameState.of(position, position.hidden())
        self._steps: list[Step] = []
        self._seconds = 0.0

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

        Call it before a move, as often as needed: the seconds of a turn add up. A player with no time left
        for the move passes; then the pass is returned, and the next player is on turn. A player with no time
        left for the game loses it if `overtime` is "loss"; the reason of the `result` is then "time".
        Raises IllegalMove after the end, and InvalidInput for a wrong number of seconds.
        """
        if self.is_over:
            raise IllegalMove(Text("the game is over"), code="game_over")
        if not is_seconds(seconds):
            raise InvalidInput(Text("a move takes 0 to {most} seconds", most=MAX_SECONDS), code="bad_time")
        self._seconds = round(self._seconds + seconds, 3)
        left = self.time_left[self.on_turn]
        if left is not None and self.time.is_lost(left):
            self._append(lost_on_time(self._state, self._seconds))
        elif self.time.move_is_over(self._seconds):
            passed = Pass()
            self.play(passed)
            return passed
        return None

    def challenge(self, *, per: str | None = None) -> Judgement:
        """Challenge the last play for the player on turn, and apply the challenge rule.

        A play with an invalid word is taken back, and its player loses the turn (by the rule "void": moves
        again; by "triple": loses the game). An unsuccessful challenge costs the challenger the turn by the
        rule "double" and the game by "triple", and gives the player points by "5pt" and "10pt". `per`:
        whether these count for the "play" or for each "word", by default as the rules say. Raises IllegalMove
        unless the last event is a play.
        """
        play, on_turn = self._challenged_play(), self.on_turn
        judgement, step = challenged(self._state, play, per or self.rules.penalty_per)
        if step is None:  # the same player moves again; the time of the turn continues
            self._seconds = self._steps.pop().seconds
        elif step.after.on_turn == on_turn and not step.after.reason:
            self._steps.append(step)  # the challenger is still on turn, and the time continues
        else:
            self._append(replace(step, seconds=self._seconds))
        return judgement

    def resign(self, player: int) -> None:
        """Let a player give up the game, on turn or not; the reason of the `result` is then "resigned".

        The player is ranked last, the others by their points. Raises IllegalMove after the end, and
        InvalidInput for an unknown player.
        """
        self._check_player(player)
        self._append(resigned(self._state, player, self._seconds))

    def rename(self, player: int, name: str) -> None:
        """Give a player another name; raise InvalidInput for an unknown player, and for a wrong name."""
        self._check_player(player)
        self.names = read_seats([*self.names[:player], name, *self.names[player + 1 :]]).names

    def penalize(self, player: int, points: int) -> None:
        """Take points off a player's final score for overstepping the time.

        Raises IllegalMove before the end of the game and for a second penalty of a player, InvalidInput for
        an unknown player, or points that are not positive.
        """
        step = penalized(self._state, player, points)
        left = self.time_left[player]
        if left is not None and self.time.penalty(left):
            raise IllegalMove(
                Text("the clock has penalized this player already"), code="duplicate_time_penalty"
            )
        self._steps.append(step)

    def undo(self) -> None:
        """Undo the last move, challenge or penalty; the same move draws the same tiles again.

        Raises IllegalMove at the start of the game.
        """
        if not self._steps:
            raise IllegalMove(Text("there is nothing to undo"), code="nothing_to_undo")
        self._steps.pop()
        self._seconds = 0.0

    def take_back(self) -> None:
        """Undo the last move of a person, with the moves of computer players after it.

        Raises IllegalMove if no person has moved, and in a game with a time limit, which is no friendly one.
        """
        if self.time:
            raise IllegalMove(
                Text("in a game with a time limit no move is taken back"), code="no_taking_back"
            )
        steps = enumerate(self._steps)
        own = [at for at, step in steps if step.move is not None and self.levels[step.player] is None]
        if not own:
            raise IllegalMove(Text("there is no move of yours to take back"), code="nothing_to_undo")
        del self._steps[own[-1] :]
        self._seconds = 0.0

    @staticmethod
    def duplicate(lexicon: Lexicon, rules: str | None = None, *, seed: int = 0) -> DuplicateGame:
        """Begin a game of duplicate, in which any number of players have the same board and rack.

        `rules`: of a federation, such as "french", by default those for the tiles of the lexicon; `seed`:
        determines the tiles drawn. Raises NotFound for unknown rules, InvalidInput for a wrong seed.
        """
        return DuplicateGame.begin(lexicon, rules, seed=seed)

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
        return encode(saved, self.lexicon)

    @classmethod
    def from_json(cls, text: str, lexicon: Lexicon | Callable[[str], Lexicon] = Lexicon.open) -> Game:
        """Return the game that `to_json` wrote; the same moves draw the same tiles.

        `lexicon`: that of the game, or a function that opens it by the name in the text. Raises InvalidInput
        for another text, for another version of the format (code "other_version"), and for a game with
        another word list; NotFound for an unknown board or tile set; and what opening the lexicon raises.
        """
        return cls._replayed(*decode(text, lexicon))

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
                where = Text("line {line}", line=line) if line else Text("action {number}", number=number + 1)
                params = {"where": where, **error.params}
                raise InvalidInput(
                    Text("{where}: {fault}", where=where, fault=error.message),
                    code=error.code,
                    field="game",
                    params=params,
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
            case Resigned(player, seconds):
                self._seconds = seconds
                self.resign(player)

    def _append(self, step: Step) -> None:
        """Append a step that ends a turn."""
        self._steps.append(step)
        self._seconds = 0.0

    def _check_player(self, player: int) -> None:
        if not 0 <= player < len(self.names):
            raise InvalidInput(
                Text("there is no player {player}", player=player), code="bad_player", field="player"
            )

    def _challenged_play(self) -> Step:
        if not self._steps or self._steps[-1].kind is not EventKind.PLAY:
            raise IllegalMove(Text("there is no play to challenge"), code="nothing_to_challenge")
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
