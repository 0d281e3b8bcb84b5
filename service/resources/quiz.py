"""/quiz/reviews and /lexicons/{lexicon}/cards: flash cards, whose progress the caller stores."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.operations.quiz import export_cards, import_cards, list_cards, review_cards
from service.resources import examples
from service.resources.calls import request_call
from service.resources.lexicon_search import LEXICON_PARAMETER
from service.schemas.quiz import (
    CardPageSchema,
    ExportedCardsSchema,
    ImportedCardsSchema,
    ReviewedCardsSchema,
)
from service.view_rules import JSON

blueprint = Blueprint("quiz", __name__, description="Flash cards")


@blueprint.route("/lexicons/<lexicon>/cards", parameters=[LEXICON_PARAMETER])
class Cards(MethodView):
    """Flash cards of a lexicon."""

    @blueprint.operation(list_cards, location="json", examples=examples.CARDS)
    @blueprint.response(200, CardPageSchema)
    def post(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return flash cards with their answers: about the words of a search in pages, or of given questions.

        No answer says which cards are due: the caller stores the progress of each.
        """
        return Response(list_cards({**data, "lexicon": lexicon}, request_call()), mimetype=JSON)


@blueprint.route("/lexicons/<lexicon>/cards/import", parameters=[LEXICON_PARAMETER])
class Import(MethodView):
    """The cards of another program."""

    @blueprint.operation(import_cards, location="json", examples=examples.CARD_IMPORTS)
    @blueprint.response(200, ImportedCardsSchema)
    def post(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return the cards of a file of Zyzzyva, with their counts and dates, or of Anki, as new ones."""
        return Response(import_cards({**data, "lexicon": lexicon}, request_call()), mimetype=JSON)


@blueprint.route("/lexicons/<lexicon>/cards/export", parameters=[LEXICON_PARAMETER])
class Export(MethodView):
    """The cards for another program."""

    @blueprint.operation(export_cards, location="json", examples=examples.CARD_EXPORTS)
    @blueprint.response(200, ExportedCardsSchema)
    def post(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return cards as a file for Zyzzyva or Anki."""
        return Response(export_cards({**data, "lexicon": lexicon}, request_call()), mimetype=JSON)


@blueprint.route("/quiz/reviews")
class Quiz(MethodView):
    """A quiz."""

    @blueprint.operation(review_cards, location="json", examples=examples.REVIEWS)
    @blueprint.response(200, ReviewedCardsSchema)
    def post(self, data: dict[str, Any]) -> Response:
        """Return when cards come again after the answers to them, by FSRS.

        Nothing is stored: what is known of a card goes in and comes out.
        """
        return Response(review_cards(data, request_call()), mimetype=JSON)
