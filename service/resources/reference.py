"""What there is: lexicons, boards, tile sets, and the version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app

from engine import __version__, board_layout, board_layout_ids, format_square, tile_set, tile_set_ids
from service.openapi import Blueprint
from service.resources import examples
from service.schemas.answers import BoardsShape, LexiconsShape, TileSetsShape, VersionShape

if TYPE_CHECKING:
    from engine import BoardLayout, LexiconEntry, TileSet
    from service.analyst import Analyst

blueprint = Blueprint("reference", __name__, description="Lexicons, boards, tile sets")


@blueprint.route("/lexicons")
@blueprint.response(200, LexiconsShape, example=examples.LEXICONS)
def lexicons() -> dict[str, Any]:
    """List the lexicons at hand."""
    analyst: Analyst = current_app.config["ANALYST"]
    return {
        "lexicons": [
            _lexicon(entry, analyst.settings.lexicon.lower()) for entry in analyst.catalogue.entries()
        ]
    }


@blueprint.route("/boards")
@blueprint.response(200, BoardsShape, example=examples.BOARDS)
def boards() -> dict[str, Any]:
    """List the boards known by name."""
    return {"boards": [_board(board_layout(name)) for name in board_layout_ids()]}


@blueprint.route("/tile-sets")
@blueprint.response(200, TileSetsShape, example=examples.TILE_SETS)
def tile_sets() -> dict[str, Any]:
    """List the tile sets known by name."""
    return {"tile_sets": [_tile_set(tile_set(name)) for name in tile_set_ids()]}


@blueprint.route("/version")
@blueprint.response(200, VersionShape, example=examples.VERSION)
def version() -> dict[str, Any]:
    """Tell the version of the service."""
    return {"name": "kibitz", "version": __version__}


def _lexicon(entry: LexiconEntry, default: str) -> dict[str, Any]:
    names = ("id", "name", "language", "tile_set", "word_count", "sha256", "bundled", "source", "licence")
    status = "damaged" if entry.problem else "ready" if entry.built else "not_built"
    return {name: getattr(entry, name) for name in names} | {"status": status, "default": entry.id == default}


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
