"""Games as JSON: everything but the words of the lexicon, so that a loaded game continues the saved one."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, NoReturn

from engine.errors import EngineError, InvalidInput
from engine.library.action import Action, Bonus, Challenge, MoveMade, SavedGame, TakenBack, TimePenalty
from engine.rules import BoardLayout, RuleSet, TileSet, board_layout, tile_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.library.lexicon import Lexicon

FORMAT: Final = "kibitz game 1"
MAX_CHARACTERS: Final = 1 << 20
"""The length of the longest text that `decode` accepts."""


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
            "seed": game.seed,
            "allow_phonies": game.allow_phonies,
            "racks": game.racks,
            "actions": [_action(action) for action in game.actions],
        },
        ensure_ascii=False,
        indent=1,
    )


def decode(text: str, lexicon: Lexicon) -> SavedGame:
    """Return the game that `encode` wrote; raise InvalidInput for another text or another word list."""
    if len(text) > MAX_CHARACTERS:
        _refuse(f"it has more than {MAX_CHARACTERS} characters")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        _refuse("it is not JSON")
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        _refuse(f"its format is not {FORMAT!r}")
    try:
        if _text(data["lexicon"]["sha256"]) != lexicon.sha256:
            raise InvalidInput(
                f"the game was played with another word list than that of {lexicon.id}",
                code="other_word_list",
                field="lexicon",
                params={"lexicon": lexicon.id},
            )
        return SavedGame(
            names=tuple(map(_text, data["players"])),
            tile_set=_read_tile_set(data["tile_set"]),
            layout=_read_layout(data["layout"]),
            rules=RuleSet(**data["rules"]),
            racks=tuple(map(_text, data["racks"])),
            actions=tuple(map(_read_action, data["actions"])),
            seed=_integer(data["seed"]),
            allow_phonies=_boolean(data["allow_phonies"]),
        )
    except EngineError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        _refuse("a part of it is missing or of another kind")


def _refuse(reason: str) -> NoReturn:
    raise InvalidInput(
        f"this is not a saved game: {reason}", code="bad_game", field="game", params={"reason": reason}
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


def _action(action: Action) -> dict[str, Any]:
    match action:
        case MoveMade(text, drawn):
            return {"move": text, "drawn": drawn}
        case Challenge(per):
            return {"challenge": per}
        case TakenBack():
            return {"taken_back": True}
        case Bonus(points):
            return {"bonus": points}
        case TimePenalty(player, points):
            return {"time": points, "player": player}


def _read_action(data: Mapping[str, Any]) -> Action:
    if "move" in data:
        return MoveMade(_text(data["move"]), _text(data["drawn"]))
    if "challenge" in data:
        return Challenge(_text(data["challenge"]))
    if "taken_back" in data:
        return TakenBack()
    if "bonus" in data:
        return Bonus(_integer(data["bonus"]))
    return TimePenalty(_integer(data["player"]), _integer(data["time"]))


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
    return TileSet.from_csv(f"letter,count,value,is_vowel\n{_text(data['tiles'])}", _text(data["id"]))


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
