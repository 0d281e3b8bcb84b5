"""Compare two word lists: words added and gone, and hooks that change for words in both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from engine.lexicon.queries.compared_list import ComparedList, check_same_tiles
from engine.lexicon.queries.word_arrays import BACK, FRONT, codes_of, hooks_among, places_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from engine.rules import Alphabet

DIFF_PARTS: Final = ("added", "gone", "hooks")
"""The parts of a comparison: words only in the new list, words only in the old one, words in both that have
other hooks."""


@dataclass(frozen=True, slots=True)
class HookChange:
    """Hold the hooks that a word of both lists gains and loses: letters in the order of the tile set."""

    word: Annotated[str, "the word, upper case"]
    front_added: Annotated[tuple[str, ...], "new letters in front of it"]
    back_added: Annotated[tuple[str, ...], "new letters after it"]
    front_gone: Annotated[tuple[str, ...], "letters that no longer form a word in front of it"]
    back_gone: Annotated[tuple[str, ...], "letters that no longer form a word after it"]


@dataclass(frozen=True, slots=True)
class LengthDiff:
    """Compare the words of one length in tiles: how many the lists have, and those that differ.

    `old` and `new` count the words. `added` and `gone` are sorted words, `hooks` the words in both that gain
    or lose hooks. `changes` has a row for each hook, (changes, 4): index into `hooks`, end of the word, 1 for
    a hook that is gone, tile code.
    """

    length: int
    old: int
    new: int
    added: NDArray[np.bytes_] = field(repr=False)
    gone: NDArray[np.bytes_] = field(repr=False)
    hooks: NDArray[np.bytes_] = field(repr=False)
    changes: NDArray[np.int64] = field(repr=False)

    def part(self, name: str) -> NDArray[np.bytes_]:
        """Return the words of one of DIFF_PARTS."""
        words: NDArray[np.bytes_] = getattr(self, name)
        return words

    def hook_changes(self, start: int, stop: int, alphabet: Alphabet) -> Iterator[HookChange]:
        """Yield the changes of the words `hooks[start:stop]`."""
        for place in range(start, min(stop, len(self.hooks))):
            first, end = np.searchsorted(self.changes[:, 0], (place, place + 1))
            letters: dict[tuple[int, int], list[str]] = {}
            for _, side, is_gone, code in self.changes[first:end].tolist():
                letters.setdefault((side, is_gone), []).append(alphabet.letter(code))
            both = (tuple(letters.get((side, gone), ())) for gone in (0, 1) for side in (FRONT, BACK))
            yield HookChange(alphabet.word(self.hooks[place]), *both)


@dataclass(frozen=True, slots=True)
class LexiconDiff:
    """Compare two lists of one tile set, for words of up to `max_length` tiles."""

    old: ComparedList
    new: ComparedList
    max_length: int
    lengths: tuple[LengthDiff, ...]

    def count(self, part: str) -> int:
        """Return the number of words in one of DIFF_PARTS."""
        return sum(len(one.part(part)) for one in self.lengths)

    def counts(self) -> list[dict[str, int]]:
        """Return the counts of each length: old, new, each of DIFF_PARTS, and the length itself."""
        return [
            {
                "old": one.old,
                "new": one.new,
                **{part: len(one.part(part)) for part in DIFF_PARTS},
                "length": one.length,
            }
            for one in self.lengths
        ]

    def total(self) -> dict[str, int]:
        """Return the counts of all lengths together."""
        rows = self.counts()
        return {name: sum(row[name] for row in rows) for name in ("old", "new", *DIFF_PARTS)}

    def rows(self, part: str, start: int = 0, stop: int | None = None) -> Iterator[str | HookChange]:
        """Yield the words of a part, or its changes of hooks, from `start` to `stop`, as in a slice."""
        return self.hook_changes(start, stop) if part == "hooks" else self.words(part, start, stop)

    def words(self, part: str, start: int = 0, stop: int | None = None) -> Iterator[str]:
        """Yield words of one of DIFF_PARTS, the shortest first, then by the alphabet of the tile set.

        `start` and `stop` select some of them, like those of a slice.
        """
        alphabet = self.new.tile_set.alphabet
        for one, first, end in self._slices(part, start, stop):
            yield from map(alphabet.word, one.part(part)[first:end].tolist())

    def hook_changes(self, start: int = 0, stop: int | None = None) -> Iterator[HookChange]:
        """Yield the changes of hooks, in the order of `words("hooks")`."""
        for one, first, end in self._slices("hooks", start, stop):
            yield from one.hook_changes(first, end, self.new.tile_set.alphabet)

    def _slices(self, part: str, start: int, stop: int | None) -> Iterator[tuple[LengthDiff, int, int]]:
        passed = 0
        for one in self.lengths:
            count = len(one.part(part))
            first, end = max(0, start - passed), count if stop is None else min(count, stop - passed)
            if first < end:
                yield one, first, end
            passed += count


def lexicon_diff(old: ComparedList, new: ComparedList) -> LexiconDiff:
    """Compare two word lists.

    If one list could not have words as long as the other, only the lengths that both could have are
    compared. The hooks that change follow from the words added and gone, so the work is proportional to the
    words. Raises InvalidInput (code "tile_set_mismatch") for lists of different tile sets.
    """
    check_same_tiles(old, new, "old")
    limit = min(old.max_length, new.max_length)
    longest = min(limit, max((*old.words, *new.words), default=0))
    common, added, gone = {}, {}, {}
    for length in range(2, longest + 1):
        before, after = old.of_length(length), new.of_length(length)
        in_both = places_in(after, before) >= 0
        common[length], added[length] = after[in_both], after[~in_both]
        gone[length] = before[places_in(before, after) < 0]
    lengths = [
        LengthDiff(
            length,
            len(old.of_length(length)),
            len(new.of_length(length)),
            added[length],
            gone[length],
            *_changed_hooks(words, [listed.get(length + 1) for listed in (added, gone)]),
        )
        for length, words in common.items()
    ]
    return LexiconDiff(old, new, limit, tuple(lengths))


def _changed_hooks(
    words: NDArray[np.bytes_], longer: Sequence[NDArray[np.bytes_] | None]
) -> tuple[NDArray[np.bytes_], NDArray[np.int64]]:
    """Return which of the words change hooks, and the changes as in LengthDiff.

    `longer` are the words of one more tile that are added and those that are gone, None beyond the longest.
    """
    rows = [np.zeros((0, 4), np.int64)]
    for is_gone, listed in enumerate(longer):
        if listed is not None:
            places, ends, letters = hooks_among(words, codes_of(listed))
            rows.append(np.stack([places, ends, np.full_like(places, is_gone), letters], axis=1))
    changes = np.concatenate(rows)
    changes = changes[np.lexsort(changes.T[::-1])]
    places, changes[:, 0] = np.unique(changes[:, 0], return_inverse=True)
    return words[places], changes
