"""What one player sees of a game: no rack of another player, and of the bag only the number of its tiles."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Self, get_args, get_origin, get_type_hints

from engine.errors import InvalidInput
from engine.messages import Text
from engine.position import Board, Exchange, Play
from engine.position import Position as PlainPosition
from engine.position.game_state import REASONS
from engine.rules import BoardLayout, TileSet, TimeControl, default_rule_set
from engine.rules.game_end import BY_TIME, RESIGNED, WENT_OUT
from engine.rules.time_control import LOSS, MAX_SECONDS

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from engine.library.steps import Step
    from engine.position import GameResult

_OVER: Final = 0.02


@dataclass(frozen=True, slots=True)
class SeenLetter:
    """A letter of the tile set, "?" for the blank, with the number of its tiles and the points of one."""

    letter: str
    count: int
    value: int
    is_vowel: bool


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """What a player did; `total`: the player's points after it.

    `kind`: play, exchange, pass, late (a pass because the time was over), phony (the last play was taken
    back), challenge (the last play stood), time (points or the game lost by time) or resigned. `move`: the
    text of a play, else ""; `tiles`: the number of tiles exchanged.
    """

    player: int
    kind: str
    move: str
    tiles: int
    score: int
    total: int


@dataclass(frozen=True, slots=True)
class SeenEnd:
    """How a game ended, as in a `GameResult`.

    `left`: the tiles left on the racks, which all players see; while the last play may be challenged, and the
    game may thus go on, only those of the seat, and "" for the others.
    """

    reason: str
    scores: tuple[int, ...]
    adjustments: tuple[int, ...]
    penalties: tuple[int, ...]
    left: tuple[str, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What the player `seat` sees, None for a person who only watches; every tuple is in the order of play.

    `rows`, `starts`: the premium and start squares of the board `layout`; `board`: its tiles, as the rows of
    a CGP; `rack`: the player's own tiles; `held`: the number of tiles on each rack; `bag`: that in the bag;
    `time_left`, `move_time_left`: seconds; `played`: the squares of the last play, if it stands;
    `challengeable`: whether the player on turn may challenge it.
    """

    seat: int | None
    names: tuple[str, ...]
    levels: tuple[int | None, ...]
    lexicon: str
    tile_set: str
    letters: tuple[SeenLetter, ...]
    layout: str
    rows: tuple[str, ...]
    starts: tuple[tuple[int, ...], ...]
    board: str
    rack: str
    held: tuple[int, ...]
    bag: int
    scores: tuple[int, ...]
    on_turn: int
    time: TimeControl
    time_left: tuple[float | None, ...]
    move_time_left: float | None
    turns: tuple[SeenTurn, ...]
    played: tuple[str, ...]
    challengeable: bool
    end: SeenEnd | None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.end is not None

    @property
    def turn_time_left(self) -> float | None:
        """The seconds after which a time limit has surely ended the turn or the game; None: none does."""
        limits = [self.move_time_left]
        if self.time.overtime == LOSS:
            limits.append(self.time_left[self.on_turn])
        left = [max(0.0, seconds) for seconds in limits if seconds is not None]
        return min(left) + _OVER if left and not self.is_over else None

    @property
    def position(self) -> PlainPosition:
        """The board, with the rack of no player. Raises InvalidInput for a board that cannot be."""
        tiles = TileSet.from_letters(map(asdict, self.letters), self.tile_set)
        layout = BoardLayout.from_rows(self.rows, [(row, column) for row, column in self.starts], self.layout)
        board = Board.from_text(self.board, tiles.alphabet, layout.side)
        return PlainPosition(board, layout, tiles, default_rule_set(tiles.id))

    @classmethod
    def read(cls, members: object) -> Self:
        """Return the view that JSON held; raise InvalidInput for members that are none."""
        try:
            view = _read(cls, members)
            assert isinstance(view, cls)  # noqa: S101 - for the type checker
            _check(view)
        except (TypeError, ValueError, OverflowError, RecursionError):
            raise bad_view() from None
        return view


def bad_view() -> InvalidInput:
    """Return the error for JSON that is no view of a game."""
    return InvalidInput(Text("this is not what a player sees of a game"), code="bad_view")


def seen_turn(step: Step, time: TimeControl) -> SeenTurn:
    """Return what all players see of a step of a game."""
    move = step.move
    kind = step.kind.value
    if kind == "pass" and time.move_is_over(step.seconds):
        kind = "late"
    elif step.after.reason == RESIGNED:
        kind = RESIGNED
    return SeenTurn(
        player=step.player,
        kind=kind,
        move=str(move) if isinstance(move, Play) else "",
        tiles=len(move.tiles) if isinstance(move, Exchange) else 0,
        score=step.points,
        total=step.after.players[step.player].score,
    )


def seen_end(result: GameResult | None, shown: Container[int | None]) -> SeenEnd | None:
    """Return how a game ended, None if it has not; `shown`: the players whose tiles left are seen."""
    if result is None:
        return None
    left = tuple([str(rack) if player in shown else "" for player, rack in enumerate(result.left)])
    return SeenEnd(result.reason, result.scores, result.adjustments, result.penalties, left, result.ranks)


def _read(kind: Any, value: Any) -> Any:
    """Return a JSON value as the type of a field; raise TypeError or ValueError for another one."""
    if get_origin(kind) is UnionType:
        if value is None:
            return None
        kind = next(one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise TypeError
        return tuple([_read(get_args(kind)[0], one) for one in value])
    if is_dataclass(kind):
        hints = {field.name: get_type_hints(kind)[field.name] for field in fields(kind)}
        if not isinstance(value, dict) or value.keys() != hints.keys():
            raise TypeError
        return kind(**{name: _read(hint, value[name]) for name, hint in hints.items()})  # type: ignore[operator]
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise TypeError
    return value


def _check(view: SeatView) -> None:
    """Raise ValueError unless the parts of a view fit each other."""
    count = len(view.names)
    lists: list[Sequence[Any]] = [view.levels, view.held, view.scores, view.time_left]
    if view.end is not None:
        end = view.end
        lists += [end.scores, end.adjustments, end.penalties, end.left, end.ranks]
        out = end.reason != WENT_OUT or 0 in view.held
        last = end.reason not in (BY_TIME, RESIGNED) or count in end.ranks
        if end.reason not in REASONS or not out or not last:
            raise ValueError
    times = [seconds for seconds in (*view.time_left, view.move_time_left) if seconds is not None]
    if not all(-MAX_SECONDS <= seconds <= MAX_SECONDS for seconds in times):  # nor NaN
        raise ValueError
    numbers = [view.on_turn, *[turn.player for turn in view.turns]]
    if view.seat is not None:
        numbers.append(view.seat)
    if any(len(start) != 2 for start in view.starts):
        raise ValueError
    if not count or {*map(len, lists)} != {count} or not 0 <= min(numbers) <= max(numbers) < count:
        raise ValueError
