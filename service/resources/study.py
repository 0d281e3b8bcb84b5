"""/lexicons/{lexicon}: lists to study, bingo stems, and the changes since another lexicon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.operations.lexicons import bingo_stems, compare_lexicons, open_named, open_old, study_words
from service.resources.calls import request_call
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.resources.lexicon_search import LEXICON_PARAMETER
from service.schemas.study import LexiconDiffSchema, StemListSchema, StudyPageSchema
from service.state import state
from service.view_rules import JSON

if TYPE_CHECKING:
    from engine import Lexicon
    from service.operations import Operation

blueprint = Blueprint("study", __name__, description="Word lists to study and to compare")


def _respond(asked: Operation, data: dict[str, Any], name: str, *lexicons: Lexicon) -> Response:
    """Return 304, or the answer of an operation on the lexicon that the path names."""
    normal = " ".join(f"{name}={data[name]}" for name in sorted(data))
    etag = etag_of(*(lexicon.table_sha256 for lexicon in lexicons), normal)

    def response() -> Response:
        return Response(asked({**data, "lexicon": name}, request_call()), mimetype=JSON)

    return conditional(etag, response)


@blueprint.route("/lexicons/<lexicon>/word-lists", parameters=[LEXICON_PARAMETER])
class WordList(MethodView):
    """A list to study."""

    @blueprint.operation(study_words, location="query")
    @blueprint.response(200, StudyPageSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return a list to study, with hooks and probabilities, in pages."""
        return _respond(study_words, data, lexicon, open_named(lexicon))


@blueprint.route("/lexicons/<lexicon>/stems", parameters=[LEXICON_PARAMETER])
class Stems(MethodView):
    """The bingo stems."""

    @blueprint.operation(bingo_stems, location="query")
    @blueprint.response(200, StemListSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return the bingo stems that make words of seven tiles with the most letters."""
        return _respond(bingo_stems, data, lexicon, open_named(lexicon))


@blueprint.route("/lexicons/<lexicon>/diff", parameters=[LEXICON_PARAMETER])
class Diff(MethodView):
    """The changes since another lexicon."""

    @blueprint.operation(compare_lexicons, location="query")
    @blueprint.response(200, LexiconDiffSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return words added, words gone or hooks that change since an older lexicon, in pages."""
        opened = open_named(lexicon)
        old = open_old(data, state().settings.lexicon)
        return _respond(compare_lexicons, data, lexicon, old, opened)
