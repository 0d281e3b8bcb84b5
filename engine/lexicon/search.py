"""Finding words: by pattern, by the tiles that make them, by length; in pages.

A search looks at the words of the lengths that can fit, a column of letters at a time, so its cost is
bounded by the size of the lexicon whatever the pattern says: no pattern backtracks.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from engine.errors import InvalidInput, excerpt, quoted
from engine.lexicon.build import KERNELS
from engine.position import Rack
from engine.rules import BLANK_FLAG, MAX_SIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon
    from engine.rules import Alphabet

MAX_SEARCH_TEXT: Final = 128
"""The longest pattern and the longest list of tiles, in characters."""

USES: Final = ("all", "some")
"""What a word makes of the tiles searched with: all of them, or any part of them."""

_TOKEN: Final = re.compile(r"\[[^\[\]]*\]|[?*]|[^\[\]?*]+|.", re.DOTALL)
_ANY: Final = 0
_DIGEST_BYTES: Final = 9
_OFFSET_BYTES: Final = 3


@dataclass(frozen=True, slots=True)
class Pattern:
    """Hold a pattern: runs of tile codes (0 any one tile), with any number of tiles between two runs."""

    runs: tuple[bytes, ...]

    @classmethod
    def from_text(cls, text: str, alphabet: Alphabet, field: str = "pattern") -> Pattern:
        """Read letters of any case, "?" for any one tile, "*" for any number of tiles, "[CH]" for one tile.

        Letters in a row are read as a word list is: the longest tiles first. Raises InvalidInput naming
        what is not a letter.
        """
        runs = [bytearray()]
        for token in _TOKEN.findall(_checked(text, field)):
            if token == "*":  # noqa: S105 - a wildcard, no password
                if len(runs) == 1 or runs[-1]:
                    runs.append(bytearray())
            elif token == "?":  # noqa: S105
                runs[-1].append(_ANY)
            else:
                runs[-1] += read_word(token, alphabet, field)
        return cls(tuple(_joined(runs)))

    @property
    def shortest(self) -> int:
        """Count the tiles of the shortest word that can fit."""
        return sum(map(len, self.runs))

    @property
    def is_open(self) -> bool:
        """Tell whether longer words can fit too."""
        return len(self.runs) > 1

    @property
    def is_loose(self) -> bool:
        """Tell whether some run may stand in more than one place."""
        return len(self.runs) > 2

    def text(self, alphabet: Alphabet) -> str:
        """Write the pattern, the inverse of `from_text`."""
        return "*".join(alphabet.text(run) for run in self.runs)

    def fits(self, columns: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Tell which words fit: letter indices (length, words) of one length in, (words,) out.

        The runs in the middle are taken as far left as they fit, which is always right: what lies between
        two runs is not asked about. At most length x length / 4 columns are compared.
        """
        length, count = columns.shape
        if length < self.shortest or (length > self.shortest and not self.is_open):
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
    """Say which words are wanted: those that fit all that is given.

    `tiles` may hold blanks; with `use` "all" a word takes every one of them, with "some" any part of them.
    Lengths are in tiles. Raises InvalidInput for an unknown `use` and for lengths that cross.
    """

    pattern: Pattern | None = None
    tiles: Rack | None = None
    use: str = "all"
    min_length: int = 2
    max_length: int = MAX_SIDE

    def __post_init__(self) -> None:
        if self.use not in USES:
            raise InvalidInput(
                f"there is no use {quoted(self.use)}; known: {', '.join(USES)}",
                code="unknown_use",
                field="use",
                params={"name": excerpt(self.use), "known": list(USES)},
            )
        if self.min_length > self.max_length:
            raise InvalidInput(
                f"no word is at least {self.min_length} and at most {self.max_length} tiles long",
                code="lengths_cross",
                field="min_length",
                params={"least": self.min_length, "most": self.max_length},
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
        """Read a query as people write it; `tiles` as a rack, in any case. Raises InvalidInput."""
        return cls(
            None if pattern is None else Pattern.from_text(pattern, alphabet),
            None if tiles is None else Rack.from_text(_checked(tiles, "tiles").upper(), alphabet, "tiles"),
            use,
            min_length,
            max_length,
        )

    def lengths(self, longest: int) -> range:
        """Return the lengths that a word of the query can have, none above `longest`."""
        low, high = max(2, self.min_length), min(longest, self.max_length)
        if self.pattern is not None:
            low = max(low, self.pattern.shortest)
            high = high if self.pattern.is_open else min(high, self.pattern.shortest)
        if self.tiles is not None:
            low = max(low, len(self.tiles)) if self.use == "all" else low
            high = min(high, len(self.tiles))
        return range(low, high + 1)


@dataclass(frozen=True, slots=True)
class FoundWord:
    """Hold a word found: plain spelling, the tiles that make it (blanks in lower case), its length in tiles,
    and the points of those tiles on plain squares."""

    word: str
    tiles: str
    length: int
    score: int


@dataclass(frozen=True, slots=True)
class WordPage:
    """Hold a page of words, by length and then by the alphabet; `cursor` leads to the next page, if any."""

    total: int
    words: tuple[FoundWord, ...]
    cursor: str | None


def read_word(text: str, alphabet: Alphabet, field: str = "word") -> bytes:
    """Read a word as tile codes 1..n: as a word list is read, and tiles in brackets ("[CH]ICO") as they are.

    Raises InvalidInput naming what is not a letter of the tile set.
    """
    codes = bytearray()
    for token in _TOKEN.findall(_checked(text, field)):
        try:
            read = alphabet.tokenize(token.upper()) if token[0] == "[" else alphabet.encode_word(token)
        except InvalidInput as error:
            raise InvalidInput(str(error), code="unknown_letter", field=field, params=error.params) from None
        codes += bytes(read)
    return bytes(codes)


def search_words(lexicon: Lexicon, query: WordQuery, limit: int, cursor: str | None = None) -> WordPage:
    """Find the words of a query, at most `limit` of them, beginning where `cursor` says.

    Raises InvalidInput (code "bad_cursor") for a cursor that another query or another lexicon made.
    """
    offset = 0 if cursor is None else _read_cursor(cursor, lexicon, query)
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
    return WordPage(total, words, _write_cursor(behind, lexicon, query) if behind < total else None)


def anagrams_of(lexicon: Lexicon, word: bytes) -> list[bytes]:
    """List the words made of exactly these tiles (codes 1..n), in the order of the alphabet."""
    query = WordQuery(tiles=Rack(word))
    index = _index(lexicon)
    return [
        lexicon.word(int(number))
        for length in query.lengths(lexicon.max_length)
        for number in index.in_order(index.fitting(query, length), length)
    ]


class _Index:
    """The records of a lexicon's words as arrays; what is made of them is made when first wanted."""

    def __init__(self, lexicon: Lexicon) -> None:
        kernel = KERNELS[lexicon.geometry]
        width, planes = kernel.WORD_LETTER_BYTES, kernel.RECORD_BYTES - kernel.WORD_LETTER_BYTES
        self._planes = planes // kernel.MASK_DTYPE.itemsize
        self._mask: np.dtype[Any] = kernel.MASK_DTYPE
        record = np.dtype([("letters", np.uint8, (width,)), ("at_least", kernel.MASK_DTYPE, (self._planes,))])
        self._records = lexicon.section("words").view(record)
        self._starts: list[int] = lexicon.section("length_starts").tolist()
        self._width = width
        self._orders: dict[int, NDArray[np.uint32]] = {}

    def fitting(self, query: WordQuery, length: int) -> NDArray[np.bool_]:
        """Tell which words of a length fit a query, in the order of the ids."""
        records = self._records[self._starts[length] : self._starts[length + 1]]
        fitting = np.ones(len(records), bool)
        if query.tiles is not None:
            fitting &= self._made_of(records, query.tiles, length)
        if query.pattern is not None:
            fitting &= self._holds(records, Counter(b"".join(query.pattern.runs)))
            if query.pattern.is_loose:
                chosen = np.flatnonzero(fitting)
                # Column by column in memory, as they are compared again and again.
                columns = np.ascontiguousarray(records.take(chosen)["letters"][:, :length].T)
                fitting[chosen] = query.pattern.fits(columns)
            else:
                fitting &= query.pattern.fits(records["letters"][:, :length].T)
        return fitting

    def in_order(self, fitting: NDArray[np.bool_], length: int) -> NDArray[np.uint32]:
        """Return the ids of the fitting words of a length, in the order of the alphabet."""
        order = self._orders.get(length)
        first = self._starts[length]
        if order is None:
            letters = self._records["letters"][first : self._starts[length + 1], :length] + 1
            names = np.ascontiguousarray(letters).view(f"S{length}").ravel()
            order = self._orders[length] = np.argsort(names, kind="stable").astype(np.uint32)
        return order[fitting[order]] + np.uint32(first)

    def _holds(self, records: NDArray[Any], wanted: Counter[int]) -> NDArray[np.bool_]:
        """Tell which words hold these letters, as far as the planes tell: the others cannot fit a pattern."""
        holds = np.ones(len(records), bool)
        for plane in range(self._planes):
            needs = self._set_of(wanted, plane)
            if needs:
                holds &= records["at_least"][:, plane] & needs == needs
        return holds

    def _set_of(self, counts: Counter[int], plane: int) -> Any:
        """Return the letters of which there are more than `plane`, a bit each as in the records."""
        return self._mask.type(
            sum(1 << (code - 1) for code, count in counts.items() if code and count > plane)
        )

    def _made_of(self, records: NDArray[Any], tiles: Rack, length: int) -> NDArray[np.bool_]:
        """Tell which words of a length the tiles make: the letters they lack are no more than the blanks.

        Plane k of a word holds the letters it has more than k of, so that what is lacking is counted by
        bits; the few words with more copies than there are planes are counted letter by letter.
        """
        held = Counter(tiles.tiles)
        blanks = held.pop(0, 0)
        lacking = np.zeros(len(records), np.uint8)
        for plane in range(self._planes):
            lacking += np.bitwise_count(records["at_least"][:, plane] & ~self._set_of(held, plane))
        made: NDArray[np.bool_] = lacking <= blanks
        # The last byte of a record tells of further copies, unless it is a letter itself.
        more = made if length == self._width else made & (records["letters"][:, -1] != 0)
        for row in np.flatnonzero(more):
            wanted = Counter((records["letters"][row, :length] + 1).tolist())
            made[row] = (wanted - held).total() <= blanks
        return made


_indexes: WeakKeyDictionary[Lexicon, _Index] = WeakKeyDictionary()


def _index(lexicon: Lexicon) -> _Index:
    index = _indexes.get(lexicon)
    if index is None:
        index = _indexes[lexicon] = _Index(lexicon)
    return index


def _joined(runs: list[bytearray]) -> Iterator[bytes]:
    """Yield the runs; one in the middle that is nothing but any tiles is put behind the run before it."""
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
            f"{quoted(text)} is longer than {MAX_SEARCH_TEXT} characters",
            code="too_long",
            field=field,
            params={"text": excerpt(text), "most": MAX_SEARCH_TEXT},
        )
    return text


def _found(lexicon: Lexicon, word: bytes, tiles: Rack | None) -> FoundWord:
    alphabet, values = lexicon.tile_set.alphabet, lexicon.tile_set.values
    codes = list(_laid(word, tiles))
    score = sum(0 if code & BLANK_FLAG else values[code] for code in codes)
    return FoundWord(alphabet.word(word), alphabet.text(codes), len(word), score)


def _laid(word: bytes, tiles: Rack | None) -> Iterator[int]:
    """Yield the tile of each letter: the letters of `tiles` as they come, blanks when they are used up."""
    held = Counter(tiles.tiles if tiles is not None else word)
    for code in word:
        held[code] -= 1
        yield code if held[code] >= 0 else code | BLANK_FLAG


def _digest(lexicon: Lexicon, query: WordQuery) -> bytes:
    return hashlib.sha256(f"{lexicon.sha256} {query!r}".encode()).digest()[:_DIGEST_BYTES]


def _write_cursor(offset: int, lexicon: Lexicon, query: WordQuery) -> str:
    raw = _digest(lexicon, query) + offset.to_bytes(_OFFSET_BYTES, "big")
    return base64.urlsafe_b64encode(raw).decode("ascii")


def _read_cursor(text: str, lexicon: Lexicon, query: WordQuery) -> int:
    try:
        raw = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        raw = b""
    if len(raw) != _DIGEST_BYTES + _OFFSET_BYTES or raw[:_DIGEST_BYTES] != _digest(lexicon, query):
        raise InvalidInput(
            "the cursor is not one that this search of this lexicon gave", code="bad_cursor", field="cursor"
        )
    return int.from_bytes(raw[_DIGEST_BYTES:], "big")
