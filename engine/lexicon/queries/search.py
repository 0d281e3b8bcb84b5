"""Search words by what a `WordQuery` asks; results come in pages.

A search compares the words of each possible length column by column, without backtracking, so the size of the
lexicon bounds its cost for every query.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from engine.lexicon.queries.compared_list import check_same_tiles
from engine.lexicon.queries.cursors import read_cursor, write_cursor
from engine.lexicon.queries.draw_probability import draw_probabilities, probability_ranks
from engine.lexicon.queries.word_arrays import letters_of_length, places_in, spelled
from engine.lexicon.queries.word_query import WordQuery
from engine.position import Rack
from engine.rules import BLANK_FLAG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon

    Places: TypeAlias = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class FoundWord:
    """Hold a found word."""

    word: Annotated[str, "the word, upper case"]
    tiles: Annotated[str, "the tiles that form it: lower case for a blank of `tiles`, [CH] one tile"]
    length: Annotated[int, "number of tiles"]
    score: Annotated[int, "points of these tiles on plain squares"]


@dataclass(frozen=True, slots=True)
class WordPage:
    """Hold a page of words, the shortest first, then in the order of the query.

    `cursor` is that of the next page, if any.
    """

    total: int
    words: tuple[FoundWord, ...]
    cursor: str | None


def search_words(lexicon: Lexicon, query: WordQuery, limit: int, cursor: str | None = None) -> WordPage:
    """Find the words of a query: the next `limit` words from `cursor` on.

    Raises InvalidInput for a cursor of another query or another lexicon (code "bad_cursor"), and for a list
    of another tile set ("tile_set_mismatch").
    """
    _check_lists(lexicon, query)
    subject = f"{lexicon.sha256} {query!r}"
    offset = read_cursor(cursor, subject)
    index = _index(lexicon)
    total = 0
    ids: list[int] = []
    for length in query.lengths(lexicon.max_length):
        fitting = index.fitting(query, length)
        count = int(np.count_nonzero(fitting))
        skipped = max(0, offset - total)
        total += count
        if skipped < count and len(ids) < limit:
            found = index.in_order(fitting, length, query.sort)
            ids += found[skipped : skipped + limit - len(ids)].tolist()
    behind = offset + len(ids)
    words = tuple(_found(lexicon, lexicon.word(number), query.tiles) for number in ids)
    return WordPage(total, words, write_cursor(behind, subject) if behind < total else None)


def words_of(lexicon: Lexicon, query: WordQuery) -> Iterator[bytes]:
    """Yield all words of a query in its order, as tile codes 1..n; raise InvalidInput as `search_words`."""
    _check_lists(lexicon, query)
    index = _index(lexicon)
    for length in query.lengths(lexicon.max_length):
        for number in index.in_order(index.fitting(query, length), length, query.sort).tolist():
            yield lexicon.word(number)


def anagrams_of(lexicon: Lexicon, word: bytes) -> list[bytes]:
    """List the words of exactly these tiles (codes 1..n) in alphabetical order."""
    return list(words_of(lexicon, WordQuery(tiles=Rack(word))))


class _Index:
    """The words of a lexicon by length, in the order of the ids, in alphabetical order, and by probability.

    Words of one length are named by their place in the order of the ids, from 0.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._kernel = lexicon.kernels.tables
        self._tables = lexicon.tables
        self._tile_set = lexicon.tile_set
        self._starts: list[int] = lexicon.section("length_starts").tolist()
        self._letters = {n: letters_of_length(lexicon, n) for n in range(2, lexicon.max_length + 1)}
        self._orders: dict[int, NDArray[np.uint32]] = {}
        self._ranks: dict[int, NDArray[np.uint32]] = {}

    def fitting(self, query: WordQuery, length: int) -> NDArray[np.bool_]:
        """Return which words of a length fit a query, in the order of the ids."""
        fitting = self._spelled_so(query, length)
        spelled_so: Places = np.flatnonzero(fitting)
        found = spelled_so
        for measure, of_words in _MEASURES.items():
            least, most = query.limits(measure)
            if least is not None or most is not None:
                found = found[_within(of_words(self, length, found), least, most)]
        for listed, is_in in ((query.in_lexicon, True), (query.not_in_lexicon, False)):
            if listed is not None:
                places = places_in(spelled(self._codes(length, found)), listed.of_length(length))
                found = found[(places >= 0) == is_in]
        if query.takes_prefix:
            found = found[self._are_words(length, found, query.takes_prefix, b"")]
        if query.takes_suffix:
            found = found[self._are_words(length, found, b"", query.takes_suffix)]
        least, most = query.limits("place")
        if least is not None or most is not None:
            found = self._by_probability(length, found)[max(0, (least or 1) - 1) : most]
        if found is not spelled_so:
            fitting = np.zeros_like(fitting)
            fitting[found] = True
        return fitting

    def in_order(self, fitting: NDArray[np.bool_], length: int, sort: str = "alphabet") -> NDArray[np.uint32]:
        """Return the ids of the fitting words of a length in one of WORD_SORTS."""
        found = self._alphabetical(length)
        found = found[fitting[found]]
        if sort == "probability":
            found = found[np.argsort(self._rank(length, found), kind="stable")]
        return found + np.uint32(self._starts[length])

    def _spelled_so(self, query: WordQuery, length: int) -> NDArray[np.bool_]:
        """Return which words of a length have the tiles, the letters and the pattern of a query."""
        letters = self._letters[length]
        fitting = np.ones(len(letters), bool)
        if query.tiles is not None:
            held = Counter(query.tiles.tiles)
            blanks = held.pop(0, 0)
            fitting &= self._others(length, held) <= blanks
        if query.includes:
            fitting &= self._others(length, Counter(query.includes)) == length - len(query.includes)
        if query.excludes:
            allowed = set(range(1, self._tile_set.alphabet.size + 1)) - set(query.excludes)
            fitting &= self._others(length, Counter(dict.fromkeys(allowed, length))) == 0
        if query.pattern is not None:
            # A word that fits has all letters of the pattern; this is cheaper to test.
            wanted = Counter(query.pattern.letters)
            fitting &= self._others(length, wanted) == length - wanted.total()
            if query.pattern.is_loose:
                chosen = np.flatnonzero(fitting)
                # Contiguous columns in memory, because they are compared repeatedly.
                columns = np.ascontiguousarray(letters.take(chosen, axis=0).T)
                fitting[chosen] = query.pattern.fits(columns)
            else:
                fitting &= query.pattern.fits(letters.T)
        return fitting

    def _others(self, length: int, counts: Counter[int]) -> NDArray[np.uint8]:
        """Return how many letters of each word of a length are beyond `counts`, copies by tile code."""
        copies = np.zeros(self._tile_set.alphabet.size, np.uint8)
        for code, count in counts.items():
            copies[code - 1] = count
        return self._kernel.count_others(self._tables, length, copies)  # type: ignore[no-any-return]

    def _codes(self, length: int, chosen: Places) -> NDArray[np.uint8]:
        return self._letters[length][chosen] + np.uint8(1)

    def _alphabetical(self, length: int) -> NDArray[np.uint32]:
        """Return all words of a length in alphabetical order."""
        order = self._orders.get(length)
        if order is None:
            letters = self._letters[length] + np.uint8(1)
            order = self._orders[length] = np.argsort(spelled(letters), kind="stable").astype(np.uint32)
        return order

    def _by_probability(self, length: int, chosen: Places) -> Places:
        """Return words, the most probable first, equal ones in alphabetical order."""
        names = spelled(self._codes(length, chosen))
        return chosen[np.lexsort((names, self._rank(length, chosen)))]

    def _are_words(self, length: int, chosen: Places, before: bytes, after: bytes) -> NDArray[np.bool_]:
        """Return which words make words with tiles before and after them."""
        longer = length + len(before) + len(after)
        codes = np.empty((len(chosen), longer), np.uint8)
        codes[:, : len(before)] = np.frombuffer(before, np.uint8)
        codes[:, len(before) : len(before) + length] = self._codes(length, chosen)
        codes[:, len(before) + length :] = np.frombuffer(after, np.uint8)
        order = self._alphabetical(longer)
        return places_in(spelled(codes), spelled(self._codes(longer, order))) >= 0

    def _vowels(self, length: int, chosen: Places) -> NDArray[np.int64]:
        """Return the number of vowels of words."""
        marks = np.array(self._tile_set.is_vowel)
        counts: NDArray[np.int64] = marks[self._codes(length, chosen)].sum(axis=1)
        return counts

    def _points(self, length: int, chosen: Places) -> NDArray[np.int64]:
        """Return the points of the letters of words."""
        values = np.array(self._tile_set.values)
        points: NDArray[np.int64] = values[self._codes(length, chosen)].sum(axis=1)
        return points

    def _anagrams(self, length: int, chosen: Places) -> NDArray[np.int64]:
        """Return how many words have the same tiles as each of some words, which is one of them."""
        sorted_letters = np.sort(self._letters[length], axis=1)
        # The ids of words of the same tiles are consecutive.
        changes = np.any(sorted_letters[1:] != sorted_letters[:-1], axis=1)
        groups = np.concatenate(([0], np.cumsum(changes)))
        return np.bincount(groups)[groups[chosen]]

    def _rank(self, length: int, chosen: Places) -> NDArray[np.uint32]:
        """Return the rank of words by probability."""
        ranks = self._ranks.get(length)
        if ranks is None:
            probabilities = draw_probabilities(self._letters[length] + np.uint8(1), self._tile_set)
            ranks = self._ranks[length] = probability_ranks(probabilities).astype(np.uint32)
        of_words: NDArray[np.uint32] = ranks[chosen]
        return of_words


_MEASURES: Final[Mapping[str, Callable[[_Index, int, Places], NDArray[np.integer]]]] = {
    "vowels": _Index._vowels,
    "points": _Index._points,
    "anagrams": _Index._anagrams,
    "rank": _Index._rank,
}
"""The functions that measure words; the place follows from what all other conditions leave."""

_indexes: WeakKeyDictionary[Lexicon, _Index] = WeakKeyDictionary()


def _check_lists(lexicon: Lexicon, query: WordQuery) -> None:
    """Raise InvalidInput if a list of the query has another tile set."""
    for name in ("in_lexicon", "not_in_lexicon"):
        if (listed := getattr(query, name)) is not None:
            check_same_tiles(listed, lexicon, name)


def _index(lexicon: Lexicon) -> _Index:
    index = _indexes.get(lexicon)
    if index is None:
        index = _indexes[lexicon] = _Index(lexicon)
    return index


def _within(values: NDArray[np.integer], least: int | None, most: int | None) -> NDArray[np.bool_]:
    low = np.ones(len(values), bool) if least is None else np.asarray(values >= least)
    return low if most is None else low & np.asarray(values <= most)


def _found(lexicon: Lexicon, word: bytes, tiles: Rack | None) -> FoundWord:
    alphabet, values = lexicon.tile_set.alphabet, lexicon.tile_set.values
    codes = list(_laid(word, tiles))
    score = sum(0 if code & BLANK_FLAG else values[code] for code in codes)
    return FoundWord(alphabet.word(word), alphabet.text(codes), len(word), score)


def _laid(word: bytes, tiles: Rack | None) -> Iterator[int]:
    """Yield the tile of each letter: a tile of `tiles` as long as there is one, then a blank."""
    held = Counter(tiles.tiles if tiles is not None else word)
    for code in word:
        held[code] -= 1
        yield code if held[code] >= 0 else code | BLANK_FLAG
