"""/words/judge: whether words or a play are acceptable, without saying which word is not."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.operations.positions import judge
from service.resources import examples
from service.resources.calls import request_call
from service.schemas.word_answers import JudgementSchema
from service.view_rules import JSON

blueprint = Blueprint("words", __name__, description="Judging words")


@blueprint.route("/words/judge")
class Judge(MethodView):
    """The judgement of words."""

    @blueprint.operation(judge, location="json", examples=examples.JUDGEMENTS)
    @blueprint.response(200, JudgementSchema)
    def post(self, data: dict[str, Any]) -> Response:
        """Judge words, or all words of a play, together, with the consequence under the challenge rule."""
        response = Response(judge(data, request_call()), mimetype=JSON)
        # Both verdicts have the same length, but compressed they would not.
        response.headers["Cache-Control"] = "no-store, no-transform"
        return response
