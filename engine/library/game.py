"""A game of two to four players by the full rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.analysis.play import deal
from engine.errors import EngineError, IllegalMove, InvalidInput
from engine.library import game_json
from engine.library.action import (
    Bonus,
    Challenge,
    MoveMade,
    SavedGame,
    TakenBack,
    TimePenalty,
    action_of,
)
from engine.library.analysis import judge
from engine.library.game_record import checked_names, record_of, saved_game_of
from engine.library.moves import Play
from engine.library.result import BY_CHALLENGE, result_of
from engine.library.state import (
    Step,
    after_move,
    after_taking_back,
    check_drawn,
    drawn_tiles,
    start,
    with_bonus,
)
from engine.position import Exchange, Pass, Rack
from engine.records import EventKind, format_gcg, parse_gcg
from engine.records.cgp import DEFAULT_LAYOUT
from engine.rules import board_layout, default_rule_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis import Judgement
    from engine.library.action import Action
    from engine.library.lexicon import Lexicon
    from engine.library.moves import Move
    from engine.library.position import Position
    from engine.library.result import GameResult
    from engine.library.state import State
    from engine.position import Board
    from engine.records import Event, GameRecord
    from engine.rules import BoardLayout, RuleSet, TileSet

KINDS: Final = {Play: EventKind.PLAY, Exchange: EventKind.EXCHANGE, Pass: EventKind.PASS}


class Game:
    """A game in progress: the moves, challenges and penalties so far, and the position that they lead to.

    Players are numbered from 0 in their order of play. Games are equal if they began and went the same way.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        players: int | Sequence[str] = 2,
        *,
        seed: int = 0,
        racks: Sequence[str] | None = None,
        layout: BoardLayout | None = None,
        rules: RuleSet | None = None,
        tile_set: TileSet | None = None,
        allow_phonies: bool = False,
    ) -> None:
        """Begin a game of 2 to 4 players, given by their number or their names.

        `seed`: determines the tiles drawn; `racks`: those at the start, by default dealt; `layout`, `rules`,
        `tile_set`: by default the standard board, and the rules and tiles of the lexicon; `allow_phonies`:
        whether a play with an invalid word stands until it is challenged, rather than raising IllegalMove.
        Raises InvalidInput for wrong names or racks, and for a lexicon with other letters than the tiles.
        """
        tiles = tile_set or lexicon.tile_set
        rules = rules or default_rule_set(tiles.id)
        self.names = checked_names(players)
        self.seed = seed
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
        return result_of(self._state, self.names)

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
        state = self._state
        if state.reason is not None:
            raise IllegalMove("the game is over", code="game_over", field="move")
        found, error = state.position.read_move(move)
        if error is not None and not self.allow_phonies:
            raise error
        if drawn is None:
            tiles = drawn_tiles(state, found, self.seed)
        else:
            tiles = Rack.from_text(drawn, state.position.tile_set.alphabet, "drawn")
            check_drawn(state, found, tiles)
        points = found.score if isinstance(found, Play) else 0
        after = after_move(state, found, tiles)
        self._steps.append(Step(KINDS[type(found)], state.on_turn, state, after, found, points, tiles))
        return found

    def challenge(self, *, per: str = "play") -> Judgement:
        """Challenge the last play for the player on turn, and apply the challenge rule.

        A play with an invalid word is taken back, and its player loses the turn (by the rule "void": moves
        again; by "triple": loses the game). An unsuccessful challenge costs the challenger the turn by the
        rule "double" and the game by "triple", and gives the player points by "5pt" and "10pt". `per`:
        whether these count for the "play" or for each "word". Raises IllegalMove unless the last event is a
        play.
        """
        play = self._challenged_play()
        assert play.move is not None  # noqa: S101 - for the type checker
        judgement = judge(play.before.position, play.move, per=per)
        outcome = judgement.consequence
        lost_by = {"player": play.player, "challenger": self.on_turn}.get(outcome.game_lost_by or "")
        if outcome.play_again:
            self._steps.pop()
        elif outcome.play_stands:
            self._stand(play, outcome.bonus, per, lost_by, loses_turn=outcome.turn_lost_by is not None)
        else:
            self._take_back(play, per, lost_by)
        return judgement

    def penalize(self, player: int, points: int) -> None:
        """Take points off a player's final score for overstepping the time.

        Raises IllegalMove before the end of the game and for a second penalty of a player, InvalidInput for
        an unknown player, or points that are not positive.
        """
        state = self._state
        if state.reason in (None, BY_CHALLENGE):
            raise IllegalMove("time is penalized after the last move", code="early_time_penalty")
        if not 0 <= player < len(self.names) or points <= 0:
            raise InvalidInput(
                f"player {player} cannot lose {points} points for time",
                code="bad_time_penalty",
                params={"player": player, "points": points},
            )
        if state.penalties[player] is not None:
            raise IllegalMove("this player has a time penalty already", code="duplicate_time_penalty")
        penalties = (*state.penalties[:player], points, *state.penalties[player + 1 :])
        after = replace(state, penalties=penalties)
        self._steps.append(Step(EventKind.TIME, player, state, after, points=-points))

    def undo(self) -> None:
        """Undo the last move, challenge or penalty; the same move draws the same tiles again.

        Raises IllegalMove at the start of the game.
        """
        if not self._steps:
            raise IllegalMove("there is nothing to undo", code="nothing_to_undo")
        self._steps.pop()

    def to_gcg(self) -> str:
        """Return the game as a GCG record.

        Unlike JSON, a record does not contain the seed, rules other than those of the tile set, or the loss
        of a game by a "triple" challenge.
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
        )
        return game_json.encode(saved, self.lexicon)

    @classmethod
    def from_json(cls, text: str, lexicon: Lexicon) -> Game:
        """Return the game that `to_json` wrote; the same moves draw the same tiles.

        Raises InvalidInput for another text, and for a game with another word list.
        """
        return cls._replayed(game_json.decode(text, lexicon), lexicon)

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
            allow_phonies=saved.allow_phonies,
        )
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
        return game

    def _do(self, action: Action) -> None:
        match action:
            case MoveMade(text, drawn):
                self.play(text, drawn=drawn)
            case Challenge(per):
                self.challenge(per=per)
            case TakenBack():
                self._take_back(self._challenged_play())
            case Bonus(points):
                self._stand(self._challenged_play(), points)
            case TimePenalty(player, points):
                self.penalize(player, points)

    def _challenged_play(self) -> Step:
        if not self._steps or self._steps[-1].kind is not EventKind.PLAY:
            raise IllegalMove("there is no play to challenge", code="nothing_to_challenge")
        return self._steps[-1]

    def _take_back(self, play: Step, per: str = "", lost_by: int | None = None) -> None:
        """Take a play back; `lost_by`: the player who loses the game by it."""
        assert isinstance(play.move, Play)  # noqa: S101 - for the type checker
        after = _lost(after_taking_back(play.before, play.move), lost_by)
        self._steps.append(
            Step(EventKind.PHONY, play.player, self._state, after, points=-play.points, per=per)
        )

    def _stand(
        self,
        play: Step,
        bonus: int,
        per: str = "",
        lost_by: int | None = None,
        *,
        loses_turn: bool = False,
    ) -> None:
        """Let a challenged play stand, with a bonus for its player."""
        state = self._state
        after = with_bonus(state, play.player, bonus)
        if loses_turn and state.reason is None:
            after = after_move(after, Pass(), Rack())
        after = _lost(after, lost_by)
        self._steps.append(Step(EventKind.CHALLENGE, play.player, state, after, points=bonus, per=per))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.names, self._start, self._steps) == (other.names, other._start, other._steps)

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


def _lost(state: State, lost_by: int | None) -> State:
    return state if lost_by is None else replace(state, reason=BY_CHALLENGE, lost_by=lost_by)
