"""From a loaded request to the engine's: the one place that knows both vocabularies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import (
    AnalysisRequest,
    Board,
    BoardLayout,
    DamagedTable,
    EngineError,
    InvalidInput,
    MissingTable,
    NotFound,
    Player,
    Position,
    Rack,
    RuleSet,
    TileSet,
    board_layout,
    default_rule_set,
    parse_cgp,
    parse_coordinate,
    read_operations,
    rule_set,
    tile_set,
)
from service.problems import ErrorItem, Problem
from service.schemas.analyze import read_options
from service.schemas.position import WAYS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine import Catalogue, Lexicon

# The board that rows of this number mean, when the request names none.
LAYOUT_OF_SIDE = {15: "standard15", 21: "super21"}

# What a field beside the CGP replaces in it.
_OVERRIDDEN = {
    "lexicon": frozenset({"lex"}),
    "board": frozenset({"bdn", "var"}),
    "tile_set": frozenset({"ld", "var"}),
    "rules": frozenset(
        {"rules", "bb", "etl", "mcnz", "cr", "ending", "passes_each", "zero_turns_need_points"}
        | {"bingo_tiles", "rack_size"}
    ),
}


def read_request(
    data: Mapping[str, Any], catalogue: Catalogue, default: str
) -> tuple[AnalysisRequest, Lexicon]:
    """Build the engine's request and open its lexicon, as `read_position` does."""
    position, lexicon = read_position(data, catalogue, default)
    with pointing(data):
        return AnalysisRequest(position, read_options(data)), lexicon


def read_position(data: Mapping[str, Any], catalogue: Catalogue, default: str) -> tuple[Position, Lexicon]:
    """Build the position of a request and open its lexicon (`default` if the request names none).

    What a field says wins over what the CGP says; the tile set is the lexicon's unless something else is
    said. Raises Problem with a pointer for each fault.
    """
    with pointing(data):
        said = dict(read_operations(data["cgp"])) if "cgp" in data else {}
        lexicon = catalogue.open(data.get("lexicon") or said.get("lex") or default)
        tiles = _tile_set(data)
        layout = _layout(data)
        if "cgp" in data:
            position = _from_cgp(data, tiles, layout, lexicon)
        else:
            position = _from_fields(data, tiles or lexicon.tile_set, layout)
    if position.lexicon != lexicon.id:
        position = replace(position, lexicon=lexicon.id)
    return position, lexicon


def read_rules(data: Mapping[str, Any], lexicon: Lexicon) -> RuleSet:
    """Build the rules of a request without a position; by default those that go with the lexicon's tiles."""
    with pointing(data):
        return _rules(data.get("rules"), default_rule_set(lexicon.tile_set.id))


class pointing:  # noqa: N801 - it is used as a function is
    """Turn the engine's refusals into problems whose pointers say where in `data` the fault stands.

    `board` is the path that the engine's field "board" stands for; by default that of the squares.
    """

    # No generator, as contextlib would have it: a request passes five of these, and seldom is refused.
    def __init__(self, data: Mapping[str, Any], board: tuple[str, ...] | None = None) -> None:
        self._data = data
        self._board = board

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        # A damaged table is no fault of the request.
        if not isinstance(error, EngineError) or isinstance(error, DamagedTable):
            return
        data = self._data
        path = _squares_path(data) if self._board is None else self._board
        items = [
            ErrorItem(_pointer(data, fault.field, path), fault.code, fault.detail) for fault in error.faults
        ]
        if _is_unknown_lexicon(error):
            raise Problem(404, error.code, str(error), items) from None
        raise Problem.invalid(items) from None


def _is_unknown_lexicon(error: EngineError) -> bool:
    return isinstance(error, MissingTable) or (
        isinstance(error, NotFound) and error.code == "unknown_lexicon"
    )


def _squares_path(data: Mapping[str, Any]) -> tuple[str, ...]:
    return next(((way,) for way in WAYS if way in data), ())


def _pointer(data: Mapping[str, Any], field: str, board: tuple[str, ...]) -> str:
    """Translate a field of the engine into a JSON pointer to the nearest place that `data` really has."""
    steps = field.split("/") if field else []
    if steps and steps[0] == "board":
        steps = [*board, *steps[1:]]
    if steps and steps[0] == "tile_set" and "tile_set" not in data:
        steps = ["lexicon"]  # which the tile set came from
    if steps and steps[0] not in data:
        steps = ["cgp"] if "cgp" in data else []
    pointer = ""
    place: Any = data
    for step in steps:
        try:
            place = place[int(step)] if isinstance(place, list) else place[step]
        except (KeyError, IndexError, TypeError, ValueError):
            break  # inside a string, or an object given as a mere id
        pointer += "/" + step
    return pointer


def _tile_set(data: Mapping[str, Any]) -> TileSet | None:
    given = data.get("tile_set")
    if given is None:
        return None
    return tile_set(given) if isinstance(given, str) else TileSet.from_letters(given)


def _layout(data: Mapping[str, Any]) -> BoardLayout | None:
    given = data.get("board")
    if given is None:
        return None
    with pointing(data, board=("board", "rows")):
        if isinstance(given, str):
            return board_layout(given)
        side = len(given["rows"])
        starts = []
        for index, text in enumerate(given["starts"]):
            with pointing(data, board=("board",)):
                row, column, _ = parse_coordinate(text, side, f"board/starts/{index}")
                starts.append((row, column))
        return BoardLayout.from_rows(given["rows"], starts or None)


def _rules(given: Any, base: RuleSet) -> RuleSet:
    if given is None:
        return base
    if isinstance(given, str):
        return rule_set(given)
    changes = {name: value for name, value in given.items() if name != "id"}
    return (rule_set(given["id"]) if "id" in given else base).changed(**changes)


def _from_cgp(
    data: Mapping[str, Any], tiles: TileSet | None, layout: BoardLayout | None, lexicon: Lexicon
) -> Position:
    text = data["cgp"]
    overridden = frozenset[str]().union(*(names for field, names in _OVERRIDDEN.items() if field in data))
    if isinstance(data.get("rules"), dict) and "id" not in data["rules"]:
        overridden -= _OVERRIDDEN["rules"]  # these change the CGP's rules, they do not replace them
    operations = read_operations(text)
    if any(name in overridden for name, _ in operations):
        kept = [f"{name} {value};" for name, value in operations if name not in overridden]
        text = " ".join([*text.split(None, 4)[:4], *kept])
    position = parse_cgp(text, tile_set=tiles or lexicon.tile_set, layout=layout, lexicon=lexicon.id)
    if "rules" in data:
        position = replace(position, rules=_rules(data["rules"], position.rules))
    if "zero_turns" in data:
        position = replace(position, zero_turns=data["zero_turns"])
    rack = position.players[0].rack
    players = position.players
    if "players" in data:
        players = _players(data["players"], rack, position.tile_set)
    if "rack" in data:
        rack = Rack.from_text(data["rack"], position.tile_set.alphabet)
        players = (replace(players[0], rack=rack), *players[1:])
    return position if players is position.players else replace(position, players=players)


def _from_fields(data: Mapping[str, Any], tiles: TileSet, layout: BoardLayout | None) -> Position:
    alphabet = tiles.alphabet
    if layout is None:
        side = len(data["rows"]) if "rows" in data else 15
        if side not in LAYOUT_OF_SIDE:
            raise InvalidInput(
                f"a board of {side} rows needs its premium squares in board",
                code="board_needed",
                field="rows",
            )
        layout = board_layout(LAYOUT_OF_SIDE[side])
    if "rows" in data:
        squares = Board.from_rows(data["rows"], alphabet, layout.side)
    else:
        items = [(item["at"], item["letter"], item["blank"]) for item in data["tiles"]]
        squares = Board.from_tiles(items, alphabet, layout.side)
    rack = Rack.from_text(data["rack"], alphabet) if "rack" in data else None
    return Position(
        board=squares,
        layout=layout,
        tile_set=tiles,
        rules=_rules(data.get("rules"), default_rule_set(tiles.id)),
        players=_players(data.get("players") or [{}, {}], rack, tiles),
        zero_turns=data.get("zero_turns", 0),
    )


def _players(given: list[dict[str, Any]], rack: Rack | None, tiles: TileSet) -> tuple[Player, ...]:
    players = []
    for index, item in enumerate(given):
        racks = {
            name: Rack.from_text(item[name], tiles.alphabet, f"players/{index}/{name}")
            for name in ("rack", "known_tiles")
            if name in item
        }
        players.append(
            Player(
                score=item.get("score", 0),
                rack=racks.get("rack") if index else rack,
                known_tiles=racks.get("known_tiles"),
                tile_count=item.get("tile_count"),
                last_move=item.get("last_move"),
            )
        )
    return tuple(players)
