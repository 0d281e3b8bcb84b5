"""/lexicons/{lexicon}: lists to study, bingo stems, and the changes since another lexicon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import (
    ComparedList,
    NotFound,
    bingo_stems,
    lexicon_diff,
    read_cursor,
    study_list,
    study_words,
    write_cursor,
)
from service.json_parser import Blueprint
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.resources.lexicon_search import LEXICON_PARAMETER, open_named
from service.schemas.pointers import pointing
from service.schemas.study import (
    LexiconDiffQuerySchema,
    LexiconDiffSchema,
    StemListSchema,
    StemQuerySchema,
    StudyListQuerySchema,
    StudyPageSchema,
    dump_diff,
    dump_stems,
    dump_study_page,
)
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Lexicon

blueprint = Blueprint("study", __name__, description="Word lists to study and to compare")


def _conditional(data: dict[str, Any], make: Callable[[], bytes], *lexicons: Lexicon) -> Response:
    """Return 304, or the answer that `make` encodes.

    Making it takes up to a second of processor time, so it needs a slot for searches.
    """
    normal = " ".join(f"{name}={data[name]}" for name in sorted(data))

    def response() -> Response:
        with state().searches.slot(), pointing(data):
            return Response(make(), mimetype="application/json")

    return conditional(etag_of(*(lexicon.table_sha256 for lexicon in lexicons), normal), response)


def _next_cursor(offset: int, rows: Sequence[object], total: int, subject: str) -> str | None:
    end = offset + len(rows)
    return write_cursor(end, subject) if end < total else None


@blueprint.route("/lexicons/<lexicon>/word-lists", parameters=[LEXICON_PARAMETER])
class WordList(MethodView):
    """A list to study."""

    @blueprint.doc(operationId="study_words")
    @blueprint.arguments(StudyListQuerySchema(), location="query")
    @blueprint.response(200, StudyPageSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return a list to study, with hooks and probabilities, in pages."""
        opened = open_named(lexicon)
        asked = (data.get("min_length"), data.get("max_length"))
        subject = f"{opened.sha256} {data['list']} {asked}"

        def make() -> bytes:
            offset = read_cursor(data.get("cursor"), subject)
            selections = study_list(data["list"]).select(opened, *asked)
            total = sum(map(len, selections))
            words = list(study_words(selections, offset, offset + data["limit"]))
            following = _next_cursor(offset, words, total, subject)
            return dump_study_page(opened, data["list"], total, words, following)

        return _conditional(data, make, opened)


@blueprint.route("/lexicons/<lexicon>/stems", parameters=[LEXICON_PARAMETER])
class Stems(MethodView):
    """The bingo stems."""

    @blueprint.doc(operationId="bingo_stems")
    @blueprint.arguments(StemQuerySchema(), location="query")
    @blueprint.response(200, StemListSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return the bingo stems that make words of seven tiles with the most letters."""
        opened = open_named(lexicon)
        return _conditional(data, lambda: dump_stems(opened, bingo_stems(opened, data["limit"])), opened)


@blueprint.route("/lexicons/<lexicon>/diff", parameters=[LEXICON_PARAMETER])
class Diff(MethodView):
    """The changes since another lexicon."""

    @blueprint.doc(operationId="compare_lexicons")
    @blueprint.arguments(LexiconDiffQuerySchema(), location="query")
    @blueprint.response(200, LexiconDiffSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any], lexicon: str) -> Response:
        """Return words added, words gone or hooks that change since an older lexicon, in pages."""
        opened = open_named(lexicon)
        with pointing(data):
            old = _open_old(data.get("old", state().settings.lexicon))
        part = data["part"]
        subject = f"{old.sha256} {opened.sha256} {part}"

        def make() -> bytes:
            offset = read_cursor(data.get("cursor"), subject)
            difference = lexicon_diff(ComparedList.of_lexicon(old), ComparedList.of_lexicon(opened))
            rows = list(difference.rows(part, offset, offset + data["limit"]))
            following = _next_cursor(offset, rows, difference.count(part), subject)
            return dump_diff(old, opened, difference, part, rows, following)

        return _conditional(data, make, old, opened)


def _open_old(name: str) -> Lexicon:
    try:
        return state().tables.open(name)
    except NotFound as error:
        raise NotFound(error.message, code=error.code, field="old", params=error.params) from None
