"""/games/annotate: what was good and what was not in a recorded game, line by line."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from flask import Response, current_app, g
from flask.views import MethodView

from engine import annotation_notes, read_gcg
from service.game_lexicon import game_lexicon
from service.openapi import Blueprint
from service.resources import examples
from service.schemas.annotate import AnnotateBody, dump_notes, read_annotation_options
from service.schemas.reading import pointing

if TYPE_CHECKING:
    from service.analyst import Analyst

blueprint = Blueprint("annotate", __name__, description="Records of whole games")

_BODY = AnnotateBody()
_LINES = {"type": "string"}
_MEDIA_TYPE = "application/x-ndjson"


@blueprint.route("/games/annotate")
class Annotate(MethodView):
    """The annotation of a recorded game."""

    @blueprint.arguments(_BODY, examples=examples.GAMES)
    @blueprint.response(200, _LINES, content_type=_MEDIA_TYPE)
    @blueprint.problems(400, 404, 411, 413, 415, 422, 503)
    def post(self, data: dict[str, Any]) -> Response:
        """Annotate a recorded game: a line of JSON for the game, each turn, the summary and the end."""
        analyst: Analyst = current_app.config["ANALYST"]
        with pointing(data):
            reading = read_gcg(data["gcg"])
            asked, default = data.get("lexicon"), analyst.settings.lexicon
            lexicon = game_lexicon(reading.record, asked, default, analyst.catalogue.open)
            faults = (*reading.faults, *reading.warnings)
            notes = annotation_notes(reading.record, lexicon, read_annotation_options(data), faults)
        g.log_fields = {"lexicon": lexicon.id}
        room = ExitStack()
        room.enter_context(analyst.heavy.slot())  # until the last line is sent, or the reader has gone
        response = Response(
            dump_notes(notes), content_type=_MEDIA_TYPE, headers={"Cache-Control": "no-store"}
        )
        response.call_on_close(room.close)
        return response
