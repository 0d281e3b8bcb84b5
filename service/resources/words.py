"""/words/judge: whether words or a play are acceptable, without saying which word is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import judge_play, judge_words, read_word
from service.json_parser import Blueprint
from service.logs import add_log_fields
from service.resources import examples
from service.schemas.pointers import pointing
from service.schemas.reading import open_lexicon, read_position, read_rules
from service.schemas.word_answers import JudgementSchema, dump_ruling
from service.schemas.words import JudgementRequestSchema

if TYPE_CHECKING:
    from engine import Ruling

blueprint = Blueprint("words", __name__, description="Judging words")


def _ruling(data: dict[str, Any]) -> Ruling:
    rule, per = data.get("challenge_rule"), data.get("penalty_per")
    if "play" in data:
        position, lexicon, _ = read_position(data, replace_lexicon=False)
        with pointing(data):
            return judge_play(data["play"], position, lexicon, rule=rule, per=per)
    with pointing(data):
        lexicon, _ = open_lexicon(None, data.get("lexicon"))
        alphabet = lexicon.tile_set.alphabet
        words = [read_word(word, alphabet, f"words/{index}") for index, word in enumerate(data["words"])]
        rules = read_rules(data, lexicon)
        return judge_words(words, lexicon, rule=rule or rules.challenge_rule, per=per or rules.penalty_per)


@blueprint.route("/words/judge")
class Judge(MethodView):
    """The judgement of words."""

    @blueprint.doc(operationId="judge")
    @blueprint.arguments(JudgementRequestSchema(), examples=examples.JUDGEMENTS)
    @blueprint.response(200, JudgementSchema)
    def post(self, data: dict[str, Any]) -> Response:
        """Judge words, or all words of a play, together, with the consequence under the challenge rule."""
        ruling = _ruling(data)
        add_log_fields(lexicon=ruling.judgement.lexicon.id)
        response = Response(dump_ruling(ruling), mimetype="application/json")
        # Both verdicts have the same length, but compressed they would not.
        response.headers["Cache-Control"] = "no-store, no-transform"
        return response
