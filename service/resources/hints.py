"""/hints: a little help towards the best play."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from engine import hint
from service.json_parser import Blueprint
from service.middleware import add_log_fields
from service.resources import examples
from service.schemas.hint import HintBody, HintSchema, dump_hint
from service.schemas.reading import pointing, read_position
from service.state import state

blueprint = Blueprint("hints", __name__, description="Hints towards the best play")

_BODY = HintBody()


@blueprint.route("/hints")
class Hints(MethodView):
    """Hints towards the best play."""

    @blueprint.arguments(_BODY, examples=examples.HINTS)
    @blueprint.response(200, HintSchema)
    @blueprint.problems(400, 404, 411, 413, 415, 422)
    def post(self, data: dict[str, Any]) -> Response:
        """Give a hint towards the best play, the same play at every level; the play itself if asked for."""
        service = state()
        position, lexicon = read_position(data, service.catalogue, service.settings.lexicon)
        with pointing(data):
            given = hint(
                position,
                lexicon,
                data["level"],
                reveal=data["reveal"],
                evaluator=data["evaluator"],
                store=service.cache,
            )
        add_log_fields(lexicon=lexicon.id)
        return Response(dump_hint(given), mimetype="application/json", headers={"Cache-Control": "no-store"})
