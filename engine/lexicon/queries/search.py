"""Search words by pattern, by tiles and by length; results come in pages.

A search compares the words of each possible length column by column, without backtracking, so the size of the
lexicon bounds its cost for every pattern.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final
from weakref import WeakKeyDictionary

import numpy as np

from engine.errors import InvalidInput, check_known, excerpt
from engine.lexicon.queries.cursors import read_cursor, write_cursor
from engine.lexicon.queries.word_arrays import letters_of_length, spelled
from engine.messages import Text
from engine.position import Rack
from engine.rules import BLANK_FLAG, MAX_SIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon
    from engine.rules import Alphabet

MAX_SEARCH_TEXT: Final = 128
"""Maximum length of a pattern and of a list of tiles, in characters."""

USES: Final = ("all", "some")
"""How a word uses the tiles of a query: all of them, or some."""

_TOKEN: Final = re.compile(r"\[[^\[\]]*\]|[?*]|[^\[\]?*]+|.", re.DOTALL)
_ANY: Final = 0


@dataclass(frozen=True, slots=True)
class Pattern:
    """Hold a pattern: runs of tile codes (0 is any tile), with any number of tiles between two runs."""

    runs: tuple[bytes, ...]

    @classmethod
    def from_text(cls, text: str, alphabet: Alphabet, field: str = "pattern") -> Pattern:
        """Read letters of any case, "?" for any one tile, "*" for any number of tiles, "[CH]" for one tile.

        Consecutive letters are read as in a word list, the longest tiles first. Raises InvalidInput naming
        the first text that is not a letter.
        """
        runs = [bytearray()]
        for token in _TOKEN.findall(_checked(text, field)):
            if token == "*":  # noqa: S105 - a wildcard, not a password
                if len(runs) == 1 or runs[-1]:
                    runs.append(bytearray())
            elif token == "?":  # noqa: S105
                runs[-1].append(_ANY)
            else:
                runs[-1] += read_word(token, alphabet, field)
        return cls(tuple(_joined(runs)))

    @property
    def min_length(self) -> int:
        """The number of tiles of the shortest word that can fit."""
        return sum(map(len, self.runs))

    @property
    def is_open(self) -> bool:
        """Whether longer words can fit, too."""
        return len(self.runs) > 1

    @property
    def is_loose(self) -> bool:
        """Whether some run can be in more than one place."""
        return len(self.runs) > 2

    def text(self, alphabet: Alphabet) -> str:
        """Write the pattern; the inverse of `from_text`."""
        return "*".join(alphabet.text(run) for run in self.runs)

    def fits(self, columns: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which words fit, (words,), for the letter indices of words of one length, (length, words).

        Each run in the middle is matched as far left as possible, which is correct because any tiles can be
        between two runs. At most length x length / 4 columns are compared.
        """
        length, count = columns.shape
        if length < self.min_length or (length > self.min_length and not self.is_open):
            return np.zeros(count, bool)
        if not self.is_open:
            return _stands_at(columns, self.runs[0], 0)
        first, *middle, last = self.runs
        end = length - len(last)
        fitting = _stands_at(columns, first, 0)
        fitting &= _stands_at(columns, last, end)
        place = np.full(count, len(first), np.uint8)
        for run in middle:
            found = np.full(count, length, np.uint8)
            for start in range(end - len(run), len(first) - 1, -1):
                np.copyto(found, start, where=_stands_at(columns, run, start) & (place <= start))
            fitting &= found < length
            place = found + np.uint8(len(run))
        return fitting


@dataclass(frozen=True, slots=True)
class WordQuery:
    """Describe the words to search: those that fit pattern, tiles and lengths, as far as they are given.

    `tiles` can include blanks. If `use` is "all" a word uses each of them, if "some" any part of them.
    Lengths are in tiles. Raises InvalidInput for an unknown `use`, or if `min_length` exceeds `max_length`.
    """

    pattern: Pattern | None = None
    tiles: Rack | None = None
    use: str = "all"
    min_length: int = 2
    max_length: int = MAX_SIDE

    def __post_init__(self) -> None:
        check_known(Text("use"), self.use, USES, code="unknown_use", field="use")
        if self.min_length > self.max_length:
            raise InvalidInput(
                Text(
                    "no word is at least {least} and at most {most} tiles long",
                    least=self.min_length,
                    most=self.max_length,
                ),
                code="lengths_cross",
                field="min_length",
            )

    @classmethod
    def from_text(
        cls,
        alphabet: Alphabet,
        *,
        pattern: str | None = None,
        tiles: str | None = None,
        use: str = "all",
        min_length: int = 2,
        max_length: int = MAX_SIDE,
    ) -> WordQuery:
        """Read a query from text; raise InvalidInput.

        `tiles` is a rack in upper or lower case. Accents that no tile has are dropped, as in words.
        """
        typed = None if tiles is None else alphabet.unaccented(_checked(tiles, "tiles").upper())
        return cls(
            None if pattern is None else Pattern.from_text(pattern, alphabet),
            None if typed is None else Rack.from_text(typed, alphabet, "tiles"),
            use,
            min_length,
            max_length,
        )

    def lengths(self, max_length: int) -> range:
        """Return the possible lengths of words, up to `max_length` of the lexicon."""
        low, high = max(2, self.min_length), min(max_length, self.max_length)
        if self.pattern is not None:
            low = max(low, self.pattern.min_length)
            high = high if self.pattern.is_open else min(high, self.pattern.min_length)
        if self.tiles is not None:
            low = max(low, len(self.tiles)) if self.use == "all" else low
            high = min(high, len(self.tiles))
        return range(low, high + 1)


@dataclass(frozen=True, slots=True)
class FoundWord:
    """Hold a found word."""

    word: Annotated[str, "the word, upper case"]
    tiles: Annotated[str, "the tiles that form it: lower case for a blank of `tiles`, [CH] one tile"]
    length: Annotated[int, "number of tiles"]
    score: Annotated[int, "points of these tiles on plain squares"]


@dataclass(frozen=True, slots=True)
class WordPage:
    """Hold a page of words, sorted by length, then by alphabet; `cursor` is that of the next page, if any."""

    total: int
    words: tuple[FoundWord, ...]
    cursor: str | None


def read_word(text: str, alphabet: Alphabet, field: str = "word") -> bytes:
    """Read a word as tile codes 1..n, as in a word list; brackets mark a tile of several letters ("[CH]ICO").

    Blanks around the word are ignored. Raises InvalidInput naming the first text that is not a letter of the
    tile set.
    """
    codes = bytearray()
    for token in _TOKEN.findall(_checked(text, field).strip()):
        try:
            read = alphabet.tokenize(token.upper()) if token[0] == "[" else alphabet.encode_word(token)
        except InvalidInput as error:
            raise InvalidInput(
                error.message, code="unknown_letter", field=field, params=error.params
            ) from None
        codes += bytes(read)
    return bytes(codes)


def search_words(lexicon: Lexicon, query: WordQuery, limit: int, cursor: str | None = None) -> WordPage:
    """Find the words of a query: the next `limit` words from `cursor` on.

    Raises InvalidInput (code "bad_cursor") for a cursor of another query or another lexicon.
    """
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
            found = index.in_order(fitting, length)
            ids += found[skipped : skipped + limit - len(ids)].tolist()
    behind = offset + len(ids)
    words = tuple(_found(lexicon, lexicon.word(number), query.tiles) for number in ids)
    return WordPage(total, words, write_cursor(behind, subject) if behind < total else None)


def anagrams_of(lexicon: Lexicon, word: bytes) -> list[bytes]:
    """List the words of exactly these tiles (codes 1..n) in alphabetical order."""
    query = WordQuery(tiles=Rack(word))
    index = _index(lexicon)
    return [
        lexicon.word(int(number))
        for length in query.lengths(lexicon.max_length)
        for number in index.in_order(index.fitting(query, length), length)
    ]


class _Index:
    """The words of a lexicon by length, in the order of the ids and in alphabetical order."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._kernel = lexicon.kernels.tables
        self._tables = lexicon.tables
        self._letter_count = lexicon.tile_set.alphabet.size
        self._starts: list[int] = lexicon.section("length_starts").tolist()
        self._letters = {n: letters_of_length(lexicon, n) for n in range(2, lexicon.max_length + 1)}
        self._orders: dict[int, NDArray[np.uint32]] = {}

    def fitting(self, query: WordQuery, length: int) -> NDArray[np.bool_]:
        """Return which words of a length fit a query, in the order of the ids."""
        letters = self._letters[length]
        fitting = np.ones(len(letters), bool)
        if query.tiles is not None:
            held = Counter(query.tiles.tiles)
            blanks = held.pop(0, 0)
            fitting &= self._others(length, held) <= blanks
        if query.pattern is not None:
            # A word that fits has all letters of the pattern; this is cheaper to test.
            wanted = Counter(b"".join(query.pattern.runs))
            wanted.pop(0, None)
            fitting &= self._others(length, wanted) == length - wanted.total()
            if query.pattern.is_loose:
                chosen = np.flatnonzero(fitting)
                # Contiguous columns in memory, because they are compared repeatedly.
                columns = np.ascontiguousarray(letters.take(chosen, axis=0).T)
                fitting[chosen] = query.pattern.fits(columns)
            else:
                fitting &= query.pattern.fits(letters.T)
        return fitting

    def in_order(self, fitting: NDArray[np.bool_], length: int) -> NDArray[np.uint32]:
        """Return the ids of the fitting words of a length in alphabetical order."""
        order = self._orders.get(length)
        if order is None:
            letters = self._letters[length] + np.uint8(1)
            order = self._orders[length] = np.argsort(spelled(letters), kind="stable").astype(np.uint32)
        return order[fitting[order]] + np.uint32(self._starts[length])

    def _others(self, length: int, counts: Counter[int]) -> NDArray[np.uint8]:
        """Return how many letters of each word of a length are beyond `counts`, copies by tile code."""
        copies = np.zeros(self._letter_count, np.uint8)
        for code, count in counts.items():
            copies[code - 1] = count
        return self._kernel.count_others(self._tables, length, copies)  # type: ignore[no-any-return]


_indexes: WeakKeyDictionary[Lexicon, _Index] = WeakKeyDictionary()


def _index(lexicon: Lexicon) -> _Index:
    index = _indexes.get(lexicon)
    if index is None:
        index = _indexes[lexicon] = _Index(lexicon)
    return index


def _joined(runs: list[bytearray]) -> Iterator[bytes]:
    """Yield the runs; a run in the middle that consists of "?" is appended to the run before it."""
    before, *others = runs
    for run in others[:-1]:
        if any(run):
            yield bytes(before)
            before = run
        else:
            before = before + run
    yield bytes(before)
    yield from map(bytes, others[-1:])


def _stands_at(columns: NDArray[np.uint8], run: bytes, start: int) -> NDArray[np.bool_]:
    stands = np.ones(columns.shape[1], bool)
    for column, code in enumerate(run, start):
        if code != _ANY:
            stands &= columns[column] == code - 1
    return stands


def _checked(text: str, field: str) -> str:
    if len(text) > MAX_SEARCH_TEXT:
        raise InvalidInput(
            Text("'{text}' is longer than {most} characters", text=excerpt(text), most=MAX_SEARCH_TEXT),
            code="too_long",
            field=field,
        )
    return text


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
