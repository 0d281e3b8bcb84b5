"""Convert a loaded request into the request, position and rules of the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from engine import (
    DEFAULT_LANGUAGE,
    AnalysisRequest,
    Board,
    BoardLayout,
    Fault,
    InvalidInput,
    NotFound,
    Player,
    Position,
    Rack,
    RuleSet,
    Text,
    TileSet,
    board_layout,
    default_rule_set,
    named_lexicon,
    operation_warnings,
    parse_cgp,
    parse_coordinate,
    read_gcg,
    read_operations,
    record_lexicon,
    rule_set,
    tile_set,
    without_operations,
)
from service.problems import Problem
from service.schemas.analyze import read_options
from service.schemas.pointers import pointing
from service.schemas.recorded import recorded_position
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine import GameRecord, Lexicon, Notice
    from service.problem_objects import ErrorItem

# The board of a request without one, by its number of rows.
LAYOUT_OF_SIDE = {15: "standard15", 21: "super21"}

# The operations of a CGP that a field of the request replaces.
_OVERRIDDEN = {
    "lexicon": frozenset({"lex"}),
    "board": frozenset({"bdn", "var"}),
    "tile_set": frozenset({"ld", "var"}),
    "rules": frozenset(
        {"rules", "bb", "etl", "mcnz", "cr", "ending", "passes_each", "zero_turns_need_points"}
        | {"bingo_tiles", "rack_size"}
    ),
}


# The fields that change a position given in another way.
_BESIDE = ("rules", "zero_turns", "players", "rack")
_CHANGING = frozenset((*_OVERRIDDEN, *_BESIDE))

Part = TypeVar("Part")


class PositionReading(NamedTuple):
    """The position of a request, its lexicon, and warnings."""

    position: Position
    lexicon: Lexicon
    warnings: tuple[Notice, ...]


def read_request(data: Mapping[str, Any], default: str | None = None) -> tuple[AnalysisRequest, Lexicon]:
    """Return the engine's request and its open lexicon; raises the same as `read_position`.

    Its warnings are in the language `lang` of the loaded request, by default English.
    """
    position, lexicon, warnings = read_position(data, default)
    said = tuple([warning.rendered(data.get("lang", DEFAULT_LANGUAGE)) for warning in warnings])
    with pointing(data):
        return AnalysisRequest(position, read_options(data), said), lexicon


def read_position(
    data: Mapping[str, Any], default: str | None = None, *, replace_lexicon: bool = True
) -> PositionReading:
    """Return the position of a request and its open lexicon.

    A request without a lexicon gets `default`, which is by default that of the settings.

    Fields of the request replace what the CGP or the record says; the default tile set is that of the
    lexicon. If the CGP or the record names a lexicon that is not installed, another is used and a warning
    says so, unless `replace_lexicon` is false; likewise if the default lexicon lacks the tiles of the record
    and the request names none. Raises a Problem with a pointer for each fault.
    """
    with pointing(data):
        reading = read_gcg(data["gcg"]) if "gcg" in data else None
        named = reading.record.lexicon if reading else _lexicon_of_cgp(data.get("cgp"))
        asked = data.get("lexicon") or (None if replace_lexicon else named)
        if reading is not None and replace_lexicon and "tile_set" not in data:
            lexicon, warnings = open_record_lexicon(reading.record, asked, default)
        else:
            lexicon, warnings = open_lexicon(named, asked, default)
        tiles, layout = _tiles_and_layout(data)
        if reading is not None:
            position, more = recorded_position(
                reading, data["turn"], lexicon.tile_set, tiles=tiles, layout=layout
            )
            warnings += more
            position = _changed(data, position, _Parts())
        elif "cgp" in data:
            position = _from_cgp(data, tiles, layout, lexicon)
        else:
            position = _from_fields(data, tiles or lexicon.tile_set, layout)
    if position.lexicon_id != lexicon.id:
        position = replace(position, lexicon_id=lexicon.id)
    return PositionReading(position, lexicon, (*warnings, *operation_warnings(position)))


def open_lexicon(
    named: str | None, asked: str | None, default: str | None = None
) -> tuple[Lexicon, tuple[Notice, ...]]:
    """Return the lexicon of a request to the current application, as `named_lexicon` does.

    `default` is by default the lexicon of the settings.
    """
    service = state()
    return named_lexicon(named, asked, default or service.settings.lexicon, service.tables.open)


def open_record_lexicon(
    record: GameRecord, asked: str | None, default: str | None = None
) -> tuple[Lexicon, tuple[Notice, ...]]:
    """Return the lexicon of a record in a request to the current application, as `record_lexicon` does.

    `default` is by default the lexicon of the settings.
    """
    service = state()
    names = (asked,) if asked else ()
    usual = default or service.settings.lexicon
    return record_lexicon(record, names, usual, service.catalogue, service.tables.open)


def _lexicon_of_cgp(text: str | None) -> str | None:
    return None if text is None else dict(read_operations(text)).get("lex")


def read_rules(data: Mapping[str, Any], lexicon: Lexicon) -> RuleSet:
    """Return the rules of a request without a position; default: those of the lexicon's tile set."""
    with pointing(data):
        return _rules(data.get("rules"), default_rule_set(lexicon.tile_set.id))


def _tiles_and_layout(data: Mapping[str, Any]) -> tuple[TileSet | None, BoardLayout | None]:
    """Return the tile set and the board of a request, each None if the request does not give it.

    Raises a Problem with the faults of both.
    """
    tiles = layout = None
    if "tile_set" not in data and "board" not in data:
        return tiles, layout
    items: list[ErrorItem] = []
    try:
        with pointing(data):
            tiles = _tile_set(data)
    except Problem as problem:
        items += problem.errors
    try:
        layout = _layout(data)
    except Problem as problem:
        items += problem.errors
    if items:
        raise Problem.invalid(items)
    return tiles, layout


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


class _Parts:
    """Read the parts of a position one by one and collect their faults."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def read(self, make: Callable[[], Part], default: Part) -> Part:
        """Return the result of `make`; if it raises, collect the faults and return the default."""
        try:
            return make()
        except (InvalidInput, NotFound) as error:
            self.faults += error.faults
            return default

    def check(self, position: Position) -> None:
        """Raise InvalidInput if a part could not be read, with the faults of the other parts too."""
        if not self.faults:
            return
        unread = {fault.field.partition("/")[0] for fault in self.faults}
        try:
            position.check()
        except InvalidInput as error:
            self.faults += [fault for fault in error.faults if fault.field.partition("/")[0] not in unread]
        raise InvalidInput.collected(self.faults)


def _from_cgp(
    data: Mapping[str, Any], tiles: TileSet | None, layout: BoardLayout | None, lexicon: Lexicon
) -> Position:
    text = data["cgp"]
    if _CHANGING.isdisjoint(data):
        return parse_cgp(text, tile_set=tiles or lexicon.tile_set, layout=layout, lexicon=lexicon.id)
    overridden = frozenset[str]().union(*(names for field, names in _OVERRIDDEN.items() if field in data))
    if isinstance(data.get("rules"), dict) and "id" not in data["rules"]:
        overridden -= _OVERRIDDEN["rules"]  # rules without an id change those of the CGP
    text = without_operations(text, overridden)

    def read() -> Position:
        return parse_cgp(text, tile_set=tiles or lexicon.tile_set, layout=layout, lexicon=lexicon.id)

    if not any(name in data for name in _BESIDE):
        return read()
    parts = _Parts()
    return _changed(data, parts.read(read, None) or _empty(tiles or lexicon.tile_set, layout), parts)


def _changed(data: Mapping[str, Any], position: Position, parts: _Parts) -> Position:
    """Return the position with the changes that other fields of the request make."""
    tiles = position.tile_set
    rules = parts.read(lambda: _rules(data.get("rules"), position.rules), position.rules)
    players = position.players
    rack = parts.read(lambda: _rack_on_turn(data, players[0].rack, tiles), None)
    if "players" in data:
        players = _players(data["players"], rack, tiles, parts)
    elif "rack" in data:
        players = (replace(players[0], rack=rack), *players[1:])
    zero_turns = data.get("zero_turns", position.zero_turns)
    changed = replace(position, rules=rules, players=players, zero_turns=zero_turns)
    parts.check(changed)
    return changed


def _rack_on_turn(data: Mapping[str, Any], default: Rack | None, tiles: TileSet) -> Rack | None:
    """Return the rack of the player on turn, from `rack` or the first of `players`.

    Raises InvalidInput (code "two_racks") if they differ.
    """
    first = data.get("players", [{}])[0]
    own = Rack.from_text(first["rack"], tiles.alphabet, "players/0/rack") if "rack" in first else None
    if "rack" not in data:
        return default if own is None else own
    rack = Rack.from_text(data["rack"], tiles.alphabet)
    if own is not None and own != rack:
        detail = Text(
            "rack is {rack}, but the first of players has {other}",
            rack=rack.text(tiles.alphabet),
            other=own.text(tiles.alphabet),
        )
        raise InvalidInput(detail, code="two_racks", field="players/0/rack")
    return rack


def _from_fields(data: Mapping[str, Any], tiles: TileSet, layout: BoardLayout | None) -> Position:
    alphabet = tiles.alphabet
    if layout is None:
        side = len(data["rows"]) if "rows" in data else 15
        if side not in LAYOUT_OF_SIDE:
            raise InvalidInput(
                Text("a board of {rows} rows needs its premium squares in board", rows=side),
                code="board_needed",
                field="rows",
            )
        layout = board_layout(LAYOUT_OF_SIDE[side])
    side = layout.side

    def read() -> Board:
        if "rows" in data:
            return Board.from_rows(data["rows"], alphabet, side)
        items = [(item["at"], item["letter"], item["blank"]) for item in data["tiles"]]
        return Board.from_tiles(items, alphabet, side)

    parts = _Parts()
    empty = _empty(tiles, layout)
    return _changed(data, replace(empty, board=parts.read(read, empty.board)), parts)


def _empty(tiles: TileSet, layout: BoardLayout | None) -> Position:
    """Return a position with an empty board and unknown players."""
    layout = layout or board_layout(LAYOUT_OF_SIDE[15])
    return Position(Board.empty(layout.side), layout, tiles, default_rule_set(tiles.id))


def _players(
    given: list[dict[str, Any]], rack: Rack | None, tiles: TileSet, parts: _Parts
) -> tuple[Player, ...]:
    def tiles_of(index: int, name: str) -> Rack | None:
        if name not in given[index]:
            return None
        return parts.read(
            lambda: Rack.from_text(given[index][name], tiles.alphabet, f"players/{index}/{name}"), None
        )

    players = []
    for index, item in enumerate(given):
        complete = tiles_of(index, "rack") if index else rack
        count = item.get("tile_count")
        players.append(
            Player(
                score=item.get("score", 0),
                rack=complete,
                known_tiles=tiles_of(index, "known_tiles"),
                # Beside a known rack the number adds nothing, and must not change the id of the position.
                tile_count=None if complete is not None and len(complete.tiles) == count else count,
                last_move=item.get("last_move"),
            )
        )
    return tuple(players)
