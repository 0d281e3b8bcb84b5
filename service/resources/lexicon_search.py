"""/lexicons/{lexicon}: a report on a word, and words by pattern, tiles and length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import WordQuery, read_word, search_words, word_report
from service.json_parser import Blueprint
from service.logs import add_log_fields
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.schemas.pointers import pointing
from service.schemas.word_answers import WordPageSchema, WordReportSchema, dump_page, dump_report
from service.schemas.words import WordSearchSchema
from service.state import state

if TYPE_CHECKING:
    from engine import Lexicon

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


def open_named(lexicon: str) -> Lexicon:
    """Return the open lexicon that a path names; raises a Problem: 404, or as `TableBuilds.open`."""
    service = state()
    with pointing({"lexicon": lexicon}):
        opened = service.tables.open(lexicon)
    add_log_fields(lexicon=opened.id)
    return opened


def _query(data: dict[str, Any], lexicon: Lexicon) -> WordQuery:
    names = ("pattern", "tiles", "use", "min_length", "max_length")
    with pointing(data):
        return WordQuery.from_text(
            lexicon.tile_set.alphabet, **{name: data[name] for name in names if name in data}
        )


def _page(data: dict[str, Any], query: WordQuery, lexicon: Lexicon) -> Response:
    with pointing(data):
        page = search_words(lexicon, query, data["limit"], data.get("cursor"))
    return Response(dump_page(page, lexicon), mimetype="application/json")


@blueprint.route("/lexicons/<lexicon>/words/<word>", parameters=[LEXICON_PARAMETER, _WORD])
class Word(MethodView):
    """A word, in the lexicon or not."""

    @blueprint.doc(operationId="report_word")
    @blueprint.response(200, WordReportSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    @blueprint.problems(404, 422, 429, 503)
    def get(self, lexicon: str, word: str) -> Response:
        """Return whether a word is valid, with its hooks and anagrams."""
        opened = open_named(lexicon)
        with pointing({"word": word}):
            codes = read_word(word, opened.tile_set.alphabet)
        return conditional(
            etag_of(opened.table_sha256, codes.hex()),
            lambda: Response(dump_report(word_report(opened, codes), opened), mimetype="application/json"),
        )


@blueprint.route("/lexicons/<lexicon>/search", parameters=[LEXICON_PARAMETER])
class Search(MethodView):
    """Words of a lexicon."""

    @blueprint.doc(operationId="search_words")
    @blueprint.arguments(WordSearchSchema(), examples=examples.SEARCHES)
    @blueprint.response(200, WordPageSchema)
    def post(self, data: dict[str, Any], lexicon: str) -> Response:
        """Find words by pattern, by tiles and by length, in pages."""
        opened = open_named(lexicon)
        return _page(data, _query(data, opened), opened)

    @blueprint.doc(operationId="search_words_by_query")
    @blueprint.arguments(WordSearchSchema(), location="query")
    @blueprint.response(200, WordPageSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any], lexicon: str) -> Response:
        """Find words by pattern, by tiles and by length, in pages."""
        opened = open_named(lexicon)
        query = _query(data, opened)
        etag = etag_of(opened.table_sha256, repr(query), f"{data['limit']} {data.get('cursor')}")
        return conditional(etag, lambda: _page(data, query, opened))
