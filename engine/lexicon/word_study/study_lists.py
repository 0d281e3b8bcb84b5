"""The word lists that players study: short words, hooks, bingos by probability, vowel-heavy words and others.

`STUDY_LISTS` names them. `StudyList.select` finds the words of a list in a lexicon, as ids; `study_words`
describes some of them with their hooks and their rank by probability. Bingo stems are in `bingo_stems`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from engine.errors import InvalidInput, NotFound, unknown
from engine.lexicon.queries.draw_probability import draw_probabilities, probability_ranks
from engine.lexicon.queries.word_arrays import codes_of_length, hooks_among, places_in, spelled
from engine.messages import Text
from engine.rules import MAX_SIDE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon

HIGH_VALUE: Final = 8
"""The fewest points of a tile whose words are in the list "high"; in English those of J, Q, X and Z."""


@dataclass(frozen=True, slots=True)
class StudyWord:
    """Describe a word of a study list.

    Ranks count from 1.
    """

    word: Annotated[str, "the word, upper case"]
    tiles: Annotated[str, "the word as tiles: [CH] is one tile"]
    length: Annotated[int, "number of tiles"]
    score: Annotated[int, "points of its tiles on plain squares"]
    alphagram: Annotated[str, "its tiles in the order of the tile set"]
    front_hooks: Annotated[tuple[str, ...], "letters that form a word in front of it"]
    back_hooks: Annotated[tuple[str, ...], "letters that form a word after it"]
    front: Annotated[bool, "true if it is a word without the first letter"]
    back: Annotated[bool, "true if it is a word without the last letter"]
    probability: Annotated[float, "probability, 0 to 1, to draw it from the full bag, blanks included"]
    rank: Annotated[int, "its place by probability among all words of its length; equal words share one"]


class WordsOfLength:
    """Hold all words of one length, in alphabetical order, with what the lists ask of them."""

    def __init__(self, lexicon: Lexicon, length: int) -> None:
        codes = codes_of_length(lexicon, length)
        order = np.argsort(spelled(codes), kind="stable")
        self.tile_set = lexicon.tile_set
        self.length = length
        self.codes: NDArray[np.uint8] = codes[order]
        self.names = spelled(self.codes)
        self._lexicon = lexicon

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def vowels(self) -> NDArray[np.int64]:
        """The number of vowels of each word."""
        marks = np.array(self.tile_set.is_vowel)
        counts: NDArray[np.int64] = marks[self.codes].sum(axis=1)
        return counts

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability to draw each word from the full bag."""
        return draw_probabilities(self.codes, self.tile_set)

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of each word by probability, from 1; equal words share one."""
        return probability_ranks(self.probabilities)

    @cached_property
    def takes_hook(self) -> NDArray[np.bool_]:
        """Whether a letter before or after each word makes another word."""
        places, _, _ = self.hooks(self.names)
        return np.bincount(places, minlength=len(self)) > 0

    def hooks(
        self, names: NDArray[np.bytes_]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """Return the hooks of some of the words, sorted by alphabet, as `hooks_among` does."""
        if self.length >= self._lexicon.max_length:
            return hooks_among(names, np.zeros((0, self.length + 1), np.uint8))
        return hooks_among(names, codes_of_length(self._lexicon, self.length + 1))

    def remains(self, codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which rows of tile codes, of one tile less than the words, are words."""
        if self.length <= 2:
            return np.zeros(len(codes), bool)
        shorter = np.sort(spelled(codes_of_length(self._lexicon, self.length - 1)))
        return places_in(spelled(codes), shorter) >= 0


@dataclass(frozen=True, slots=True)
class StudyList:
    """Describe a list: its id, what it holds, and the lengths in tiles that it has by default.

    `by_probability` says whether its words are in this order and not in that of the alphabet. `asks_hooks`
    says whether a flash card asks for the hooks of a word; otherwise it asks for the words of given tiles.
    """

    id: str
    meaning: str
    min_length: int
    max_length: int
    holds: Callable[[WordsOfLength], NDArray[np.bool_]]
    by_probability: bool = False
    asks_hooks: bool = False

    def select(
        self, lexicon: Lexicon, min_length: int | None = None, max_length: int | None = None
    ) -> list[Selection]:
        """Return the words of the list in a lexicon for each length, without empty lengths.

        The lengths are in tiles, by default those of the list. Raises InvalidInput if `min_length` exceeds
        `max_length`, or if the list needs letters that the tile set lacks.
        """
        high = max(self.max_length, min_length or 0) if max_length is None else max_length
        low = min(self.min_length, high) if min_length is None else min_length
        if low > high:
            raise InvalidInput(
                Text("no word is at least {least} and at most {most} tiles long", least=low, most=high),
                code="lengths_cross",
                field="min_length",
            )
        selections = []
        for length in range(max(2, low), min(high, lexicon.max_length) + 1):
            words = WordsOfLength(lexicon, length)
            chosen = np.flatnonzero(self.holds(words))
            if self.by_probability:
                chosen = chosen[np.argsort(words.ranks[chosen], kind="stable")]
            if len(chosen):
                selections.append(Selection(words, chosen))
        return selections


@dataclass(frozen=True, slots=True)
class Selection:
    """Hold words of one length in the order of a list: `chosen` are indices into `words`."""

    words: WordsOfLength
    chosen: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.chosen)

    def with_anagrams(self, limit: int | None = None) -> Selection:
        """Return all words of the tiles of the first `limit` words, those of the same tiles together."""
        words = self.words
        alphagrams = spelled(np.sort(words.codes, axis=1))
        chosen, first = np.unique(alphagrams[self.chosen[:limit]], return_index=True)
        places = places_in(alphagrams, chosen)
        rows = np.flatnonzero(places >= 0)
        return Selection(words, rows[np.argsort(first[places[rows]], kind="stable")])

    def study_words(self, start: int = 0, stop: int | None = None) -> list[StudyWord]:
        """Describe the words from `start` to `stop`, as in a slice."""
        words, alphabet = self.words, self.words.tile_set.alphabet
        rows = self.chosen[start:stop]
        codes = words.codes[rows]
        sorted_rows, places = np.unique(rows, return_inverse=True)  # all words are in alphabetical order
        front, back = self._hooks(words.names[sorted_rows])
        columns = (
            words.names[rows].tolist(),
            spelled(np.sort(codes, axis=1)).tolist(),
            np.array(words.tile_set.values)[codes].sum(axis=1).tolist(),
            places.tolist(),
            words.remains(codes[:, 1:]).tolist(),
            words.remains(codes[:, :-1]).tolist(),
            words.probabilities[rows].tolist(),
            words.ranks[rows].tolist(),
        )
        return [
            StudyWord(
                word=alphabet.word(name),
                tiles=alphabet.text(name),
                length=words.length,
                score=score,
                alphagram=alphabet.text(alphagram),
                front_hooks=tuple(front.get(place, ())),
                back_hooks=tuple(back.get(place, ())),
                front=without_first,
                back=without_last,
                probability=probability,
                rank=rank,
            )
            for name, alphagram, score, place, without_first, without_last, probability, rank in zip(
                *columns, strict=True
            )
        ]

    def _hooks(self, names: NDArray[np.bytes_]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
        """Return the front and the back hooks of sorted words, by index."""
        letter = self.words.tile_set.alphabet.letter
        hooks: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
        for place, end, code in zip(*(part.tolist() for part in self.words.hooks(names)), strict=True):
            hooks[end].setdefault(place, []).append(letter(code))
        return hooks


def study_words(
    selections: Sequence[Selection], start: int = 0, stop: int | None = None
) -> Iterator[StudyWord]:
    """Yield the words of several lengths from `start` to `stop`, as in a slice of all of them."""
    passed = 0
    for one in selections:
        first, end = max(0, start - passed), len(one) if stop is None else min(len(one), stop - passed)
        if first < end:
            yield from one.study_words(first, end)
        passed += len(one)


def study_list(id: str) -> StudyList:  # noqa: A002
    """Return a study list by its id; raise NotFound naming the known ones."""
    for found in STUDY_LISTS:
        if found.id == id:
            return found
    known = [one.id for one in STUDY_LISTS]
    raise unknown(Text("study list"), id, known, code="unknown_study_list", field="list", error=NotFound)


def _all(words: WordsOfLength) -> NDArray[np.bool_]:
    return np.ones(len(words), bool)


def _with_high_tile(words: WordsOfLength) -> NDArray[np.bool_]:
    high = [code for code, value in enumerate(words.tile_set.values) if value >= HIGH_VALUE]
    return _in_any_column(np.isin(words.codes, high))


def _vowel_heavy(words: WordsOfLength) -> NDArray[np.bool_]:
    return np.greater(3 * words.vowels, 2 * words.length)


def _without_vowel(words: WordsOfLength) -> NDArray[np.bool_]:
    return np.equal(words.vowels, 0)


def _q_without_u(words: WordsOfLength) -> NDArray[np.bool_]:
    letters = words.tile_set.alphabet.letters
    if not {"Q", "U"} <= set(letters):
        raise InvalidInput(
            Text(
                "the tile set {tile_set} does not have the tiles Q and U",
                tile_set=words.tile_set.id,
                letters=["Q", "U"],
            ),
            code="list_needs_letters",
            field="list",
        )
    is_q = words.codes == letters.index("Q") + 1
    before_u = np.zeros_like(is_q)
    before_u[:, :-1] = words.codes[:, 1:] == letters.index("U") + 1
    return _in_any_column(is_q & ~before_u)


def _in_any_column(marks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(marks.any(axis=1), bool)


STUDY_LISTS: Final = (
    StudyList("twos", "all words of two tiles, with hooks", 2, 2, _all, asks_hooks=True),
    StudyList("threes", "all words of three tiles, with hooks", 3, 3, _all, asks_hooks=True),
    StudyList("hooks", "words that take a hook", 2, 4, lambda words: words.takes_hook, asks_hooks=True),
    StudyList("blocks", "words that take no hook", 2, 5, lambda words: ~words.takes_hook, asks_hooks=True),
    StudyList("bingos", "all words, the most probable first", 7, 8, _all, by_probability=True),
    StudyList("high", "words with a tile of 8 points or more (J, Q, X, Z in English)", 2, 5, _with_high_tile),
    StudyList("vowels", "words of which more than two thirds are vowels", 2, 8, _vowel_heavy),
    StudyList("no-vowels", "words without a vowel", 2, MAX_SIDE, _without_vowel),
    StudyList("q-without-u", "words with a Q that no U follows", 2, MAX_SIDE, _q_without_u),
    StudyList("words", "all words by length", 2, MAX_SIDE, _all),
)
"""The lists of words that books for players print."""
