"""Reference data: lexicons, boards, tile sets, rule sets, and the version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.blueprint import Blueprint
from service.operations import reference
from service.resources import examples
from service.resources.calls import request_call
from service.resources.conditional import ETAG_HEADER, conditional_json
from service.schemas.answers import (
    BoardListSchema,
    LexiconListSchema,
    RuleSetListSchema,
    TileSetListSchema,
    VersionSchema,
)

if TYPE_CHECKING:
    from flask import Response

blueprint = Blueprint("reference", __name__, description="Lexicons, boards, tile sets, rule sets")


@blueprint.route("/lexicons")
@blueprint.operation(reference.list_lexicons)
@blueprint.response(200, LexiconListSchema, example=examples.LEXICONS, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def lexicons() -> Response:
    """List the lexicons, bundled with kibitz or built here."""
    return conditional_json(reference.list_lexicons({}, request_call()))


@blueprint.route("/boards")
@blueprint.operation(reference.list_boards)
@blueprint.response(200, BoardListSchema, example=examples.BOARDS, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def boards() -> Response:
    """List the boards that have an id."""
    return conditional_json(reference.list_boards({}, request_call()))


@blueprint.route("/tile-sets")
@blueprint.operation(reference.list_tile_sets)
@blueprint.response(200, TileSetListSchema, example=examples.TILE_SETS, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def tile_sets() -> Response:
    """List the tile sets that have an id."""
    return conditional_json(reference.list_tile_sets({}, request_call()))


@blueprint.route("/rule-sets")
@blueprint.operation(reference.list_rule_sets)
@blueprint.response(200, RuleSetListSchema, example=examples.RULE_SETS, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def rule_sets() -> Response:
    """List the rule sets that have an id."""
    return conditional_json(reference.list_rule_sets({}, request_call()))


@blueprint.route("/version")
@blueprint.operation(reference.version)
@blueprint.response(200, VersionSchema, example=examples.VERSION, headers=ETAG_HEADER)
@blueprint.unchanged
@blueprint.problems(429)
def version() -> Response:
    """Return the version of the service."""
    return conditional_json(reference.version({}, request_call()))
