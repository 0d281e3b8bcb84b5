"""The operations on lexicons: words, lists to study, and comparisons."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

from engine import (
    ComparedList,
    NotFound,
    WordQuery,
    lexicon_diff,
    message_of,
    read_cursor,
    read_word,
    study_list,
    word_report,
    write_cursor,
)
from engine import (
    bingo_stems as best_stems,
)
from engine import (
    search_words as words_of,
)
from engine import (
    study_words as words_to_study,
)
from service.cache import LOCAL
from service.logs import add_log_fields
from service.operations.operation import operation
from service.problems import Problem
from service.schemas.fields import RequestSchema
from service.schemas.pointers import pointing
from service.schemas.study import (
    LexiconDiffQuerySchema,
    StemQuerySchema,
    StudyListQuerySchema,
    dump_diff,
    dump_stems,
    dump_study_page,
)
from service.schemas.word_answers import dump_graph, dump_page, dump_report
from service.schemas.words import WordSearchSchema
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Lexicon
    from service.operations.operation import Call


_LISTS: Final = ("in_lexicon", "not_in_lexicon")
_NO_CONDITIONS: Final = ("lexicon", "limit", "cursor")


def open_named(name: str) -> Lexicon:
    """Return the open lexicon that a path names; raises a Problem: 404, or as `TableBuilds.open`."""
    with pointing({"lexicon": name}):
        opened = state().tables.open(name)
    add_log_fields(lexicon=opened.id)
    return opened


@operation(RequestSchema(), "lexicon", "word")
def report_word(data: dict[str, Any], call: Call) -> bytes:
    """Return whether a word is valid, with its hooks and anagrams."""
    opened = open_named(data["lexicon"])
    return dump_report(word_report(opened, word_codes(data["word"], opened)), opened)


def word_codes(word: str, lexicon: Lexicon) -> bytes:
    """Return the tiles of a word that a path names; raises a Problem."""
    with pointing({"word": word}):
        return read_word(word, lexicon.tile_set.alphabet)


@operation(WordSearchSchema(), "lexicon")
def search_words(data: dict[str, Any], call: Call) -> bytes:
    """Find the words that meet every condition, in pages."""
    opened = open_named(data["lexicon"])
    query = word_query(data, opened)
    with call.searching() if query.takes_long else nullcontext(), pointing(data):
        page = words_of(opened, query, data["limit"], data.get("cursor"))
    return dump_page(page, opened)


def word_query(data: dict[str, Any], lexicon: Lexicon) -> WordQuery:
    """Return what a loaded request searches for; raises a Problem."""
    with pointing(data):
        asked = {name: value for name, value in data.items() if name not in _NO_CONDITIONS}
        for name in _LISTS:
            if name in data:
                asked[name] = ComparedList.of_lexicon(open_other(data[name], name))
        return WordQuery.from_text(lexicon.tile_set.alphabet, **asked)


def open_other(name: str, field: str) -> Lexicon:
    """Return the open lexicon that a member of a request names; raise EngineError for that member."""
    try:
        return state().tables.open(name)
    except NotFound as error:
        raise NotFound(error.message, code=error.code, field=field, params=error.params) from None


@operation(RequestSchema(), "lexicon")
def word_graph(data: dict[str, Any], call: Call) -> bytes:
    """Return all words as a graph; making one takes seconds for millions of words, so it needs a slot."""
    opened = open_named(data["lexicon"])
    cache, key = state().cache, f"{LOCAL}graph {opened.table_sha256}"
    graph = cache.get(key)
    if graph is None:
        with call.searching():
            try:
                graph = dump_graph(opened)
            except ValueError as error:
                raise Problem(422, "graph_too_large", message_of(error)) from None
        cache.put_many({key: graph})
    return graph


# Each answer of the three below takes up to a second of processor time, so it needs a slot for searches.


@operation(StudyListQuerySchema(), "lexicon")
def study_words(data: dict[str, Any], call: Call) -> bytes:
    """Return a list to study, with hooks and probabilities, in pages."""
    opened = open_named(data["lexicon"])
    asked = (data.get("min_length"), data.get("max_length"))
    subject = f"{opened.sha256} {data['list']} {asked}"
    with call.searching(), pointing(data):
        offset = read_cursor(data.get("cursor"), subject)
        selections = study_list(data["list"]).select(opened, *asked)
        total = sum(map(len, selections))
        words = list(words_to_study(selections, offset, offset + data["limit"]))
        following = _next_cursor(offset, words, total, subject)
        return dump_study_page(opened, data["list"], total, words, following)


@operation(StemQuerySchema(), "lexicon")
def bingo_stems(data: dict[str, Any], call: Call) -> bytes:
    """Return the bingo stems that make words of seven tiles with the most letters."""
    opened = open_named(data["lexicon"])
    with call.searching(), pointing(data):
        return dump_stems(opened, best_stems(opened, data["limit"]))


@operation(LexiconDiffQuerySchema(), "lexicon")
def compare_lexicons(data: dict[str, Any], call: Call) -> bytes:
    """Return words added, words gone or hooks that change since an older lexicon, in pages."""
    opened = open_named(data["lexicon"])
    old = open_old(data, call.default)
    part = data["part"]
    subject = f"{old.sha256} {opened.sha256} {part}"
    with call.searching(), pointing(data):
        offset = read_cursor(data.get("cursor"), subject)
        difference = lexicon_diff(ComparedList.of_lexicon(old), ComparedList.of_lexicon(opened))
        rows = list(difference.rows(part, offset, offset + data["limit"]))
        following = _next_cursor(offset, rows, difference.count(part), subject)
        return dump_diff(old, opened, difference, part, rows, following)


def open_old(data: dict[str, Any], default: str) -> Lexicon:
    """Return the older lexicon of a comparison; raises a Problem."""
    with pointing(data):
        return open_other(data.get("old", default), "old")


def _next_cursor(offset: int, rows: Sequence[object], total: int, subject: str) -> str | None:
    end = offset + len(rows)
    return write_cursor(end, subject) if end < total else None
