"""Saved games: what happened in a game as values of text and numbers, and these as JSON.

A saved game holds everything but the words of the lexicon, so that a loaded game continues the saved one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from engine.errors import EngineError, InvalidInput, excerpt, quoted
from engine.messages import Text, both
from engine.records import EventKind
from engine.rules import (
    PENALTIES_PER,
    BoardLayout,
    RuleSet,
    TileSet,
    TimeControl,
    board_layout,
    default_rule_set,
    rule_set,
    tile_set,
)
from engine.rules.game_end import BY_TIME, RESIGNED
from engine.rules.time_control import NO_LIMITS, is_seconds
from engine.search.levels import check_level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.library.lexicon import Lexicon
    from engine.library.steps import Step

NAME: Final = "kibitz game "
FORMAT: Final = "kibitz game 2"
READABLE: Final = ("kibitz game 1", FORMAT)
"""The formats that `decode` reads; the first has neither levels nor times."""

MAX_CHARACTERS: Final = 1 << 20
"""The length of the longest text that `decode` accepts."""


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A move was made, and these tiles were drawn; `drawn` is None for those that follow from the seed.

    `seconds`: the time that the player took.
    """

    text: str
    drawn: str | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Challenge:
    """The last play was challenged; `per`: whether points count for the "play" or for each "word".

    `seconds`: the time that the challenger took, if the challenge ended the turn.
    """

    per: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last play was taken back, whether its words are valid or not."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """The last play was challenged and stood, and its player got points."""

    points: int


@dataclass(frozen=True, slots=True)
class TimePenalty:
    """A player lost points for overstepping the time."""

    player: int
    points: int


@dataclass(frozen=True, slots=True)
class TimeLost:
    """The player on turn ran out of time and lost the game, `seconds` into the move."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player gave up the game, `seconds` into the move of the player on turn."""

    player: int
    seconds: float


Action: TypeAlias = MoveMade | Challenge | TakenBack | Bonus | TimePenalty | TimeLost | Resigned


@dataclass(frozen=True, slots=True)
class SavedGame:
    """Hold everything of a game but its lexicon.

    `racks`: those dealt at the start; `actions`: what happened; `lines`: for each action the line of the
    record that it was read from, empty without a record; `levels`: of the computer players, None for people;
    `seconds`: the time that the player on turn has taken so far.
    """

    names: tuple[str, ...]
    tile_set: TileSet
    layout: BoardLayout
    rules: RuleSet
    racks: tuple[str, ...]
    actions: tuple[Action, ...]
    lines: tuple[int, ...] = ()
    seed: int = 0
    allow_phonies: bool = True
    levels: tuple[int | None, ...] = ()
    time: TimeControl = NO_LIMITS
    seconds: float = 0.0


def action_of(step: Step) -> Action:
    """Return what happened in a step of a game."""
    if step.move is not None:
        return MoveMade(str(step.move), str(step.drawn), step.seconds)
    if step.after.reason == BY_TIME:
        return TimeLost(step.seconds)
    if step.after.reason == RESIGNED:
        return Resigned(step.player, step.seconds)
    if step.kind is EventKind.TIME:
        return TimePenalty(step.player, -step.points)
    if step.per:
        return Challenge(step.per, step.seconds)
    return TakenBack() if step.kind is EventKind.PHONY else Bonus(step.points)


def encode(game: SavedGame, lexicon: Lexicon) -> str:
    """Return a game as JSON, with tile sets and boards that come with kibitz by name, others in full."""
    return json.dumps(
        {
            "format": FORMAT,
            "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256},
            "tile_set": _tile_set(game.tile_set),
            "layout": _layout(game.layout),
            "rules": asdict(game.rules),
            "players": game.names,
            "levels": game.levels,
            "time": asdict(game.time),
            "seed": game.seed,
            "allow_phonies": game.allow_phonies,
            "racks": game.racks,
            "actions": [_action(action) for action in game.actions],
            "seconds": game.seconds,
        },
        ensure_ascii=False,
        indent=1,
    )


def decode(text: str, lexicon: Lexicon | Callable[[str], Lexicon]) -> tuple[SavedGame, Lexicon]:
    """Return the game that `encode` wrote, and its lexicon.

    `lexicon`: that of the game, or a function that opens it by its id. Raises InvalidInput for another text,
    for another version of the format, and for another word list; NotFound for an unknown board or tile set;
    and what `lexicon` raises.
    """
    if len(text) > MAX_CHARACTERS:
        _refuse(Text("it has more than {most} characters", most=MAX_CHARACTERS))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        _refuse(Text("it is not JSON"))
    form = data.get("format") if isinstance(data, dict) else None
    if form not in READABLE:
        if isinstance(form, str) and form.startswith(NAME):
            raise InvalidInput(
                Text(
                    "the game was saved by another version of kibitz, as '{format}'; this one reads {known}",
                    format=excerpt(form),
                    known=both([quoted(one) for one in READABLE]),
                ),
                code="other_version",
                field="game",
                params={"format": excerpt(form), "known": list(READABLE)},
            )
        _refuse(Text("its format is not '{format}'", format=FORMAT))
    try:
        words = data["lexicon"]
        opened = lexicon(_text(words["id"])) if callable(lexicon) else lexicon
        if _text(words["sha256"]) != opened.sha256:
            raise InvalidInput(
                Text("the game was played with another word list than that of {lexicon}", lexicon=opened.id),
                code="other_word_list",
                field="lexicon",
            )
        names = tuple(map(_text, data["players"]))
        tiles = _read_tile_set(data["tile_set"])
        saved = SavedGame(
            names=names,
            tile_set=tiles,
            layout=_read_layout(data["layout"]),
            rules=_read_rules(data["rules"], tiles.id),
            racks=tuple(map(_text, data["racks"])),
            actions=tuple(map(_read_action, data["actions"])),
            seed=_integer(data["seed"]),
            allow_phonies=_boolean(data["allow_phonies"]),
        )
        if form == FORMAT:
            levels = tuple([None if level is None else _integer(level) for level in data["levels"]])
            if len(levels) != len(names):
                raise ValueError
            for level in levels:
                if level is not None:
                    check_level(level)
            time = TimeControl(**data["time"])
            saved = replace(saved, levels=levels, time=time, seconds=_seconds(data["seconds"]))
        return saved, opened
    except EngineError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        _refuse(Text("a part of it is missing or of another kind"))


def _refuse(reason: str) -> NoReturn:
    raise InvalidInput(
        Text("this is not a saved game: {reason}", reason=reason), code="bad_game", field="game"
    ) from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _seconds(value: Any) -> float:
    if not is_seconds(value):
        raise ValueError
    return float(value)


def _action(action: Action) -> dict[str, Any]:
    match action:
        case MoveMade(text, drawn, seconds):
            return {"move": text, "drawn": drawn, "seconds": seconds}
        case Challenge(per, seconds):
            return {"challenge": per, "seconds": seconds}
        case TakenBack():
            return {"taken_back": True}
        case Bonus(points):
            return {"bonus": points}
        case TimePenalty(player, points):
            return {"time": points, "player": player}
        case TimeLost(seconds):
            return {"time_lost": seconds}
        case Resigned(player, seconds):
            return {"resigned": player, "seconds": seconds}


def _read_action(data: Mapping[str, Any]) -> Action:
    if "move" in data:
        return MoveMade(_text(data["move"]), _text(data["drawn"]), _seconds(data.get("seconds", 0.0)))
    if "challenge" in data:
        return Challenge(_text(data["challenge"]), _seconds(data.get("seconds", 0.0)))
    if "taken_back" in data:
        return TakenBack()
    if "bonus" in data:
        return Bonus(_integer(data["bonus"]))
    if "time_lost" in data:
        return TimeLost(_seconds(data["time_lost"]))
    if "resigned" in data:
        return Resigned(_integer(data["resigned"]), _seconds(data["seconds"]))
    return TimePenalty(_integer(data["player"]), _integer(data["time"]))


def _read_rules(data: Mapping[str, Any], tile_set_id: str) -> RuleSet:
    """Return the rules: all of them, or those that differ from `id` or from the default ones of the tiles."""
    if not isinstance(data, dict):
        raise TypeError
    whole = {"penalty_per": PENALTIES_PER[0], **data}  # games saved by earlier versions do not say it
    if {field.name for field in fields(RuleSet)} <= set(whole):
        return RuleSet(**whole)
    changes = dict(data)
    name = changes.pop("id", None)
    return (default_rule_set(tile_set_id) if name is None else rule_set(_text(name))).changed(**changes)


def _tile_set(tiles: TileSet) -> str | dict[str, Any]:
    try:
        if tile_set(tiles.id) == tiles:
            return tiles.id
    except EngineError:
        pass
    return {"id": tiles.id, "tiles": tiles.canonical()}


def _read_tile_set(data: Any) -> TileSet:
    if isinstance(data, str):
        return tile_set(data)
    return TileSet.from_canonical(_text(data["tiles"]), _text(data["id"]))


def _layout(layout: BoardLayout) -> str | dict[str, Any]:
    try:
        if board_layout(layout.id) == layout:
            return layout.id
    except EngineError:
        pass
    return {"id": layout.id, "rows": layout.rows(), "starts": layout.starts}


def _read_layout(data: Any) -> BoardLayout:
    if isinstance(data, str):
        return board_layout(data)
    starts = [(_integer(row), _integer(column)) for row, column in data["starts"]]
    return BoardLayout.from_rows([_text(row) for row in data["rows"]], starts, _text(data["id"]))
