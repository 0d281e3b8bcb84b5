"""The bingo table: the septets and reduced octets of a lexicon, as the kernels find and value them.

A *septet* is a multiset of seven tiles, blanks included, that spells a word of seven letters; a *reduced
octet* spells a word of eight letters together with one letter on the board. Multisets that the bag cannot
deal are not counted; a *pure* septet is no reduced octet.

The first use computes the table, in a second or two for a tournament list, and writes it to a file
(`derived`) of some 11 MB, which all processes share.

Source: [Heuri, sections 7.3 and 7.4.2].
"""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from engine.evaluation.derived import derived
from engine.evaluation.evaluation_narrow import MAX_LETTER_COPIES
from engine.lexicon.queries.word_arrays import codes_of_length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.evaluation.evaluation_kernel import BingoTables, DeltaFinder
    from engine.lexicon import Lexicon

TILES: Final = 7
_VERSION: Final = 1  # of the file; change it with the contents
_FRONT_LETTERS: Final = 10  # the commonest are in the front parts: then the backs are few and stay in cache
_SHIFTS: Final = np.arange(TILES - 1, -1, -1, dtype=np.uint64) * np.uint64(8)
_PART_DTYPE: Final = np.dtype([("parent", "<u4"), ("letter", "u1"), ("copies", "u1"), ("unused", "<u2")])


@dataclass(frozen=True, slots=True)
class BingoCounts:
    """Count the multisets of a lexicon that the bag can deal, blanks in them included."""

    septets: int
    pure_septets: int
    reduced_octets: int

    @property
    def total(self) -> int:
        """Pure septets and reduced octets: what Heuri 4 sums over."""
        return self.pure_septets + self.reduced_octets


class BingoTable:
    """Hold the septets and reduced octets of one lexicon and its tile set; immutable."""

    def __init__(self, lexicon: Lexicon) -> None:
        """Open the table, or compute it, which takes about a second for 200,000 words."""
        self.sha256 = lexicon.table_sha256
        self.kernels = lexicon.kernels.evaluation
        figures, arrays = derived(lexicon, "bingos", _VERSION, partial(bingo_arrays, lexicon))
        parts = {name: arrays[name].view(_PART_DTYPE) for name in ("fronts", "backs")}
        self.kernel: BingoTables = self.kernels.BingoTables(
            lexicon.tables, len(figures["ranges"]), figures["ranges"], {**arrays, **parts}
        )
        self.counts = BingoCounts(**figures["counts"])
        self.idle_finders: list[DeltaFinder] = []  # their scratch memory is reused
        self.keys: NDArray[np.uint64] = arrays["keys"]
        self.counted = _flags(arrays["counted"])
        self.septet = _flags(arrays["septets"])

    def entry(self, tiles: bytes) -> int:
        """Return the number of the entry of seven tile codes (0 = blank) in any order, or -1."""
        if len(tiles) != TILES:
            return -1
        number = self.kernel.find(int.from_bytes(bytes(sorted(tiles))))
        return number if number >= 0 and self.counted[number] else -1

    def tiles(self, entry: int) -> bytes:
        """Return the tile codes of an entry, ascending."""
        return int(self.keys[entry]).to_bytes(TILES)


def bingo_arrays(lexicon: Lexicon) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the figures and the arrays for the table's file."""
    levels = list(_levels(lexicon))
    ordered, numbers = _ordered(levels, lexicon.tile_set.alphabet.size)
    counts = BingoCounts(
        septets=sum(int((level.septet & level.dealt).sum()) for level in levels),
        pure_septets=sum(int((level.septet & ~level.octet & level.dealt).sum()) for level in levels),
        reduced_octets=sum(int((level.octet & level.dealt).sum()) for level in levels),
    )
    arrays = _arrays(lexicon, levels, ordered, numbers)
    for name in ("fronts", "backs"):
        arrays[name] = arrays[name].view(np.uint8)
    return {"ranges": ordered.ranges, "counts": asdict(counts)}, arrays


_tables: WeakKeyDictionary[Lexicon, BingoTable] = WeakKeyDictionary()
_making = threading.Lock()


def bingo_table(lexicon: Lexicon) -> BingoTable:
    """Return the table of a lexicon; the first call opens or computes it."""
    table = _tables.get(lexicon)
    if table is not None:  # without the lock, which another lexicon may hold for seconds
        return table
    with _making:
        table = _tables.get(lexicon)
        if table is None:
            table = _tables[lexicon] = BingoTable(lexicon)
        return table


def has_bingo_table(lexicon: Lexicon) -> bool:
    """Return whether `bingo_table` need not compute the table."""
    return lexicon in _tables


@dataclass(slots=True)
class _Level:
    """The multisets with one number of blanks, ascending by key."""

    keys: NDArray[np.uint64]
    rows: NDArray[np.uint8]  # (N, 7) tile codes, ascending
    septet: NDArray[np.bool_]
    octet: NDArray[np.bool_]
    dealt: NDArray[np.bool_]  # the bag can deal it; else it is a helper
    parents: NDArray[np.int64]  # links from the level before: indices there,
    children: NDArray[np.int64]  # and here


@dataclass(slots=True)
class _Ordered:
    """The order of all entries."""

    keys: NDArray[np.uint64]
    ranges: list[tuple[int, int, int, int]]
    fronts: list[NDArray[np.uint64]]  # of each level's regular entries, in order
    backs: list[NDArray[np.uint64]]
    is_front: NDArray[np.bool_]  # by tile code

    def spread(self, levels: list[_Level], numbers: list[NDArray[np.int64]], field: str) -> NDArray[np.bool_]:
        """Return a field of the levels by entry."""
        values = np.zeros(len(self.keys), bool)
        for level, number in zip(levels, numbers, strict=True):
            values[number] = getattr(level, field)
        return values


def _keys(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    keys: NDArray[np.uint64] = (rows.astype(np.uint64) << _SHIFTS).sum(axis=1, dtype=np.uint64)
    return keys


def _rows(keys: NDArray[np.uint64]) -> NDArray[np.uint8]:
    return (keys[:, None] >> _SHIFTS).astype(np.uint8)


def _words(lexicon: Lexicon, length: int) -> NDArray[np.uint8]:
    """Return the words of a length as tile codes."""
    if length > lexicon.max_length:
        return np.zeros((0, length), np.uint8)
    return codes_of_length(lexicon, length)


def _reduced(lexicon: Lexicon) -> NDArray[np.uint8]:
    """Return the words of eight letters without each of their letters, (8, words, 7), each ascending."""
    words = _words(lexicon, TILES + 1)
    return np.stack([np.sort(np.delete(words, i, axis=1), axis=1) for i in range(TILES + 1)])


def _excess(rows: NDArray[np.uint8], counts: tuple[int, ...]) -> NDArray[np.int64]:
    """Return how many letters of each multiset are beyond what the tile set holds."""
    excess = np.zeros(len(rows), np.int64)
    for code in range(1, len(counts)):
        excess += np.maximum(0, (rows == code).sum(axis=1) - counts[code])
    return excess


def _levels(lexicon: Lexicon) -> Iterator[_Level]:
    """Yield the levels, from no blank to all the blanks of the bag.

    A multiset stays if enough blanks can be put in the place of letters that the bag lacks.
    """
    counts = lexicon.tile_set.counts
    most = min(counts[0], TILES)
    septets = np.unique(_keys(np.sort(_words(lexicon, TILES), axis=1)))
    octets = np.unique(_keys(_reduced(lexicon).reshape(-1, TILES)))
    keys = np.union1d(septets, octets)
    is_septet, is_octet = np.isin(keys, septets), np.isin(keys, octets)
    parents = children = np.zeros(0, np.int64)
    for blanks in range(most + 1):
        rows = _rows(keys)
        excess = _excess(rows, counts)
        stays = excess <= most - blanks
        linked = stays[children]
        level = _Level(
            keys[stays],
            rows[stays],
            is_septet[stays],
            is_octet[stays],
            excess[stays] == 0,
            parents[linked],
            (np.cumsum(stays) - 1)[children[linked]],
        )
        yield level
        found, of = [], []
        for i in range(blanks, TILES):
            last_copy = np.ones(len(level.rows), bool)
            if i < TILES - 1:
                last_copy = level.rows[:, i] != level.rows[:, i + 1]
            blanked = np.insert(np.delete(level.rows[last_copy], i, axis=1), 0, 0, axis=1)
            found.append(_keys(blanked))
            of.append(np.flatnonzero(last_copy))
        parents = np.concatenate(of)
        keys, children = np.unique(np.concatenate(found), return_inverse=True)
        is_septet = np.bincount(children, level.septet[parents], len(keys)) > 0
        is_octet = np.bincount(children, level.octet[parents], len(keys)) > 0


def _ordered(levels: list[_Level], letters: int) -> tuple[_Ordered, list[NDArray[np.int64]]]:
    """Number the entries of all levels; returns the order, and the numbers of each level's multisets."""
    frequency = np.zeros(letters + 1, np.int64)
    for level in levels:
        frequency += np.bincount(level.rows.ravel(), minlength=letters + 1)
    is_front = np.zeros(letters + 1, bool)
    is_front[1 + np.argsort(-frequency[1:], kind="stable")[:_FRONT_LETTERS]] = True
    ranges, numbers, fronts, backs = [], [], [], []
    first = 0
    for blanks, level in enumerate(levels):
        rows = level.rows
        crowded = np.zeros(len(rows), bool)
        most = MAX_LETTER_COPIES
        for i in range(blanks, TILES - most):
            crowded |= rows[:, i] == rows[:, i + most]
        kind = np.where(level.dealt, np.where(crowded, 1, 0), 2)
        front = _keys(np.sort(np.where(is_front[rows], rows, 0), axis=1).astype(np.uint8))
        back = _keys(np.sort(np.where(is_front[rows], 0, rows), axis=1).astype(np.uint8))
        order = np.lexsort([back, front, kind])
        regular, many, helpers = (int((kind == i).sum()) for i in range(3))
        numbers.append(np.empty(len(rows), np.int64))
        numbers[-1][order] = first + np.arange(len(rows))
        fronts.append(front[order[:regular]])
        backs.append(back[order[:regular]])
        ends = (first, first + regular, first + regular + many, first + regular + many + helpers)
        ranges.append(ends)
        first = -(-ends[-1] // 64) * 64
    last = ranges[-1][-1] + 1  # one more number, for "no entry"
    keys = np.zeros(-(-last // 64) * 64, np.uint64)
    for level, number in zip(levels, numbers, strict=True):
        keys[number] = level.keys
    return _Ordered(keys, ranges, fronts, backs, is_front), numbers


def _parts(keys: list[NDArray[np.uint64]]) -> tuple[NDArray[Any], NDArray[np.uint64]]:
    """Return the parts (_PART_DTYPE) and their keys: all that are needed, parents first."""
    known = np.unique(np.concatenate([np.zeros(1, np.uint64), *keys]))
    wave = known
    while True:  # a part's parent lacks all copies of its highest letter
        rows = _rows(wave)
        wave = np.setdiff1d(_keys(np.sort(np.where(rows == rows[:, -1:], 0, rows), axis=1)), known)
        if not len(wave):
            break
        known = np.union1d(known, wave)
    rows = _rows(known)
    parts = np.zeros(len(known), _PART_DTYPE)
    parts["letter"] = rows[:, -1]
    parts["copies"] = (rows == rows[:, -1:]).sum(axis=1)
    parts["parent"] = np.searchsorted(known, _keys(np.sort(np.where(rows == rows[:, -1:], 0, rows), axis=1)))
    return parts, known


def _bits(values: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.packbits(values, bitorder="little").view(np.uint64)


def _flags(bits: NDArray[Any]) -> NDArray[np.bool_]:
    return np.unpackbits(bits.view(np.uint8), bitorder="little").view(np.bool_)


def _arrays(
    lexicon: Lexicon, levels: list[_Level], ordered: _Ordered, numbers: list[NDArray[np.int64]]
) -> dict[str, NDArray[Any]]:
    """Return what `BingoTables` points into, by the names of bingo_table.h."""
    entries = len(ordered.keys)
    nowhere = entries - 1
    fronts, front_keys = _parts(ordered.fronts)
    backs, back_keys = _parts(ordered.backs)
    front_starts = np.zeros((len(levels), len(front_keys) + 1), np.uint32)
    entry_backs = np.zeros(entries, np.uint32)
    for i, (first, crowded, _, _) in enumerate(ordered.ranges):
        front_starts[i, :-1] = first + np.searchsorted(ordered.fronts[i], front_keys)
        front_starts[i, -1] = crowded
        entry_backs[first:crowded] = np.searchsorted(back_keys, ordered.backs[i])

    def entry_of(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
        keys = _keys(np.sort(rows, axis=1))
        if not len(levels[0].keys):
            return np.full(len(keys), nowhere, np.uint32)
        at = np.minimum(np.searchsorted(levels[0].keys, keys), len(levels[0].keys) - 1)
        return np.where(levels[0].keys[at] == keys, numbers[0][at], nowhere).astype(np.uint32)

    septet_of = entry_of(_words(lexicon, TILES))
    octet_of = np.stack([entry_of(rows) for rows in _reduced(lexicon)])
    counted = ordered.spread(levels, numbers, "dealt")
    return {
        "keys": ordered.keys,
        "fronts": fronts,
        "backs": backs,
        "front_starts": front_starts.ravel(),
        "entry_backs": entry_backs,
        "septets": _bits(counted & ordered.spread(levels, numbers, "septet")),
        "counted": _bits(counted),
        **_children(levels, numbers, nowhere),
        "septet_of": np.append(septet_of, np.full(-len(septet_of) % 64 or 64, nowhere, np.uint32)),
        "octet_of": np.append(octet_of.ravel(), np.uint32(nowhere)),
    }


def _children(
    levels: list[_Level], numbers: list[NDArray[np.int64]], nowhere: int
) -> dict[str, NDArray[Any]]:
    """Return by level the entries with a blank in place of each letter of an entry, padded with `nowhere`."""
    found: dict[str, NDArray[Any]] = {}
    for i, level in enumerate(levels[1:]):
        first = int(numbers[i].min(initial=nowhere))
        children = np.full((len(numbers[i]) + 1, TILES - i), nowhere, np.uint32)
        parent = numbers[i][level.parents] - first
        order = np.argsort(parent, kind="stable")
        counts = np.bincount(parent, minlength=len(children))
        rank = np.arange(len(parent)) - np.repeat(np.cumsum(counts) - counts, counts)
        children[parent[order], rank] = numbers[i + 1][level.children[order]]
        found[f"children_{i}"] = children.ravel()
    return found
