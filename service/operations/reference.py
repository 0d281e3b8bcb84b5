"""The operations on reference data: lexicons, boards, tile sets, rule sets, version; texts of one's own."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from engine import (
    BoardLayout,
    InvalidInput,
    TileSet,
    __version__,
    board_layout,
    board_layout_ids,
    default_rule_set,
    format_square,
    rule_set,
    rule_set_ids,
    text_faults,
    tile_set,
    tile_set_ids,
)
from service.operations.operation import operation
from service.schemas.answers import (
    BoardListSchema,
    LexiconListSchema,
    RuleSetListSchema,
    TileSetListSchema,
    VersionSchema,
)
from service.schemas.equipment import MAX_FAULTS, EquipmentRequestSchema, EquipmentSchema
from service.schemas.fields import RequestSchema
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import LexiconEntry, TextFault
    from service.operations.operation import Call

Equipment = TypeVar("Equipment", BoardLayout, TileSet)


@operation(RequestSchema())
def list_lexicons(data: dict[str, Any], call: Call) -> bytes:
    """List the lexicons, bundled with kibitz or built here."""
    default = call.default.lower()
    found = [_lexicon(entry, default) for entry in state().catalogue.entries()]
    return orjson.dumps(LexiconListSchema().dump({"lexicons": found}))


@operation(RequestSchema())
def list_boards(data: dict[str, Any], call: Call) -> bytes:
    """List the boards that have an id."""
    known = [_board(board_layout(name)) for name in board_layout_ids()]
    return orjson.dumps(BoardListSchema().dump({"boards": known}))


@operation(RequestSchema())
def list_tile_sets(data: dict[str, Any], call: Call) -> bytes:
    """List the tile sets that have an id."""
    known = [_tile_set(tile_set(name)) for name in tile_set_ids()]
    return orjson.dumps(TileSetListSchema().dump({"tile_sets": known}))


@operation(RequestSchema())
def list_rule_sets(data: dict[str, Any], call: Call) -> bytes:
    """List the rule sets that have an id."""
    users: dict[str, list[str]] = {}
    for name in tile_set_ids():
        users.setdefault(default_rule_set(name).id, []).append(name)
    known = [asdict(rule_set(name)) | {"default_for": users.get(name, [])} for name in rule_set_ids()]
    return orjson.dumps(RuleSetListSchema().dump({"rule_sets": known}))


@operation(RequestSchema())
def version(data: dict[str, Any], call: Call) -> bytes:
    """Return the version of the service."""
    return orjson.dumps(VersionSchema().dump({"name": "kibitz", "version": __version__}))


@operation(EquipmentRequestSchema())
def check_equipment(data: dict[str, Any], call: Call) -> bytes:
    """Check the text of a board, of a tile set, or of both."""
    board, board_faults = _checked(data.get("board"), BoardLayout.from_text)
    tiles, tile_faults = _checked(data.get("tile_set"), TileSet.from_csv)
    found = {
        "board": board and _board(board),
        "tile_set": tiles and _tile_set(tiles),
        "faults": [fault.rendered(call.lang) for fault in (*board_faults, *tile_faults)],
    }
    return orjson.dumps(EquipmentSchema().dump(found))


def _checked(
    text: str | None, read: Callable[[str, str], Equipment]
) -> tuple[Equipment | None, list[TextFault]]:
    """Return what a text holds, or its faults."""
    if text is None:
        return None, []
    try:
        return read(text, "custom"), []
    except InvalidInput as error:
        return None, text_faults(error)[:MAX_FAULTS]


def _lexicon(entry: LexiconEntry, default: str) -> dict[str, Any]:
    names = "id name about language tile_set word_count sha256 bundled source licence"
    values = {name: getattr(entry, name) for name in names.split()}
    return values | {
        "status": _status(entry),
        "share": state().tables.share(entry.id),
        "default": entry.id == default,
    }


def _status(entry: LexiconEntry) -> str:
    if entry.built:
        return "ready"
    if state().tables.is_building(entry.id) or state().catalogue.is_building(entry.id):
        return "building"
    return "damaged" if entry.problem else "not_built"


def _board(layout: BoardLayout) -> dict[str, Any]:
    return {
        "id": layout.id,
        "side": layout.side,
        "rows": layout.rows(),
        "starts": [format_square(row, column) for row, column in layout.starts],
        "symmetric": layout.symmetric,
        "sha256": layout.sha256,
    }


def _tile_set(tiles: TileSet) -> dict[str, Any]:
    names = ("?", *tiles.alphabet.letters)
    rows = zip(names, tiles.counts, tiles.values, tiles.is_vowel, strict=True)
    letters = [
        {"letter": letter, "count": count, "value": value, "is_vowel": vowel}
        for letter, count, value, vowel in rows
    ]
    return {"id": tiles.id, "total": tiles.total, "letters": letters, "sha256": tiles.sha256}
