"""Reference data: lexicons, boards, tile sets, rule sets, and the version."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engine import (
    __version__,
    board_layout,
    board_layout_ids,
    default_rule_set,
    format_square,
    rule_set,
    rule_set_ids,
    tile_set,
    tile_set_ids,
)
from service.json_parser import Blueprint
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional_json
from service.schemas.answers import (
    BoardListSchema,
    LexiconListSchema,
    RuleSetListSchema,
    TileSetListSchema,
    VersionSchema,
)
from service.state import state

if TYPE_CHECKING:
    from flask import Response

    from engine import BoardLayout, LexiconEntry, TileSet

blueprint = Blueprint("reference", __name__, description="Lexicons, boards, tile sets, rule sets")


@blueprint.route("/lexicons")
@blueprint.doc(operationId="list_lexicons")
@blueprint.response(200, LexiconListSchema, example=examples.LEXICONS, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def lexicons() -> Response:
    """List the lexicons, bundled with kibitz or built here."""
    service = state()
    default = service.settings.lexicon.lower()
    found = [_lexicon(entry, default) for entry in service.catalogue.entries()]
    return conditional_json(LexiconListSchema().dump({"lexicons": found}))


@blueprint.route("/boards")
@blueprint.doc(operationId="list_boards")
@blueprint.response(200, BoardListSchema, example=examples.BOARDS, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def boards() -> Response:
    """List the boards that have an id."""
    known = [_board(board_layout(name)) for name in board_layout_ids()]
    return conditional_json(BoardListSchema().dump({"boards": known}))


@blueprint.route("/tile-sets")
@blueprint.doc(operationId="list_tile_sets")
@blueprint.response(200, TileSetListSchema, example=examples.TILE_SETS, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def tile_sets() -> Response:
    """List the tile sets that have an id."""
    known = [_tile_set(tile_set(name)) for name in tile_set_ids()]
    return conditional_json(TileSetListSchema().dump({"tile_sets": known}))


@blueprint.route("/rule-sets")
@blueprint.doc(operationId="list_rule_sets")
@blueprint.response(200, RuleSetListSchema, example=examples.RULE_SETS, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def rule_sets() -> Response:
    """List the rule sets that have an id."""
    users: dict[str, list[str]] = {}
    for name in tile_set_ids():
        users.setdefault(default_rule_set(name).id, []).append(name)
    known = [asdict(rule_set(name)) | {"default_for": users.get(name, [])} for name in rule_set_ids()]
    return conditional_json(RuleSetListSchema().dump({"rule_sets": known}))


@blueprint.route("/version")
@blueprint.doc(operationId="version")
@blueprint.response(200, VersionSchema, example=examples.VERSION, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def version() -> Response:
    """Return the version of the service."""
    return conditional_json(VersionSchema().dump({"name": "kibitz", "version": __version__}))


def _lexicon(entry: LexiconEntry, default: str) -> dict[str, Any]:
    names = ("id", "name", "language", "tile_set", "word_count", "sha256", "bundled", "source", "licence")
    values = {name: getattr(entry, name) for name in names}
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
