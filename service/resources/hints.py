"""/hints: a little help towards the best play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, current_app, g

from engine import hint
from service.openapi import Blueprint, Operations
from service.resources import examples
from service.schemas.hint import HintBody, HintShape, dump_hint
from service.schemas.reading import pointing, read_position

if TYPE_CHECKING:
    from service.analyst import Analyst

blueprint = Blueprint("hints", __name__, description="Hints towards the best play")

_BODY = HintBody()


@blueprint.route("/hints")
class Hints(Operations):
    """Hints towards the best play."""

    @blueprint.arguments(_BODY, examples=examples.HINTS)
    @blueprint.response(200, HintShape)
    @blueprint.problems(400, 404, 411, 413, 415, 422)
    def post(self, data: dict[str, Any]) -> Response:
        """Give a hint towards the best play, the same play at every level; the play itself if asked for."""
        analyst: Analyst = current_app.config["ANALYST"]
        position, lexicon = read_position(data, analyst.catalogue, analyst.settings.lexicon)
        with pointing(data):
            given = hint(
                position,
                lexicon,
                data["level"],
                reveal=data["reveal"],
                evaluator=data["evaluator"],
                store=analyst.store,
            )
        g.log_fields = {"lexicon": lexicon.id}
        return Response(dump_hint(given), mimetype="application/json", headers={"Cache-Control": "no-store"})
