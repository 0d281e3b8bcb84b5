"""/lexicons/{lexicon}: a report on a word, words by pattern, tiles and length, and all words as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.operations.lexicons import (
    open_named,
    report_word,
    search_words,
    word_codes,
    word_graph,
    word_query,
)
from service.resources import examples
from service.resources.calls import request_call
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.schemas.word_answers import WordGraphSchema, WordPageSchema, WordReportSchema
from service.view_rules import JSON

if TYPE_CHECKING:
    from service.operations import Operation

blueprint = Blueprint("lexicon_search", __name__, description="Words of a lexicon")

LEXICON_PARAMETER = {
    "name": "lexicon",
    "in": "path",
    "description": "id of a lexicon; see /lexicons",
    "example": examples.LEXICON,
}
_WORD = {
    "name": "word",
    "in": "path",
    "description": "a word in any case; [CH] is one tile",
    "example": examples.WORD,
}


@blueprint.route("/lexicons/<lexicon>/words/<word>", parameters=[LEXICON_PARAMETER, _WORD])
class Word(MethodView):
    """A word, in the lexicon or not."""

    @blueprint.operation(report_word)
    @blueprint.response(200, WordReportSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    @blueprint.problems(404, 422, 429, 503)
    def get(self, lexicon: str, word: str) -> Response:
        """Return whether a word is valid, with its hooks and anagrams."""
        opened = open_named(lexicon)
        etag = etag_of(opened.table_sha256, word_codes(word, opened).hex())
        return conditional(etag, lambda: _respond(report_word, {"lexicon": lexicon, "word": word}))


@blueprint.route("/lexicons/<lexicon>/search", parameters=[LEXICON_PARAMETER])
class Search(MethodView):
    """Words of a lexicon."""

    @blueprint.operation(search_words, location="json", examples=examples.SEARCHES)
    @blueprint.response(200, WordPageSchema)
    def post(self, data: dict[str, Any], lexicon: str) -> Response:
        """Find the words that meet every condition, in pages."""
        return _respond(search_words, {**data, "lexicon": lexicon})

    @blueprint.doc(operationId="search_words_by_query")
    @blueprint.arguments(search_words.schema, location="query")
    @blueprint.response(200, WordPageSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any], lexicon: str) -> Response:
        """Find the words that meet every condition, in pages."""
        opened = open_named(lexicon)
        query = word_query(data, opened)
        etag = etag_of(opened.table_sha256, repr(query), f"{data['limit']} {data.get('cursor')}")
        return conditional(etag, lambda: _respond(search_words, {**data, "lexicon": lexicon}))


@blueprint.route("/lexicons/<lexicon>/graph", parameters=[LEXICON_PARAMETER])
class Graph(MethodView):
    """All words of a lexicon."""

    @blueprint.operation(word_graph)
    @blueprint.response(200, WordGraphSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    @blueprint.problems(404, 422, 429, 503)
    def get(self, lexicon: str) -> Response:
        """Return all words as a graph, in which a program finds a word without the service."""
        etag = etag_of(open_named(lexicon).table_sha256)
        return conditional(etag, lambda: _respond(word_graph, {"lexicon": lexicon}))


def _respond(asked: Operation, data: dict[str, Any]) -> Response:
    return Response(asked(data, request_call()), mimetype=JSON)
