"""The board that the documentation follows: its intervals, internal words, lists, candidates and scores.

The position and the word that is followed are given; everything else is computed. Cross-check sets are read
from the engine's loaded board, words from its lexicon, and plays and scores come from its generator; the
tests compare what is derived here with what the kernel counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final

from engine.loaded_board import LoadedBoard
from engine.movegen import DEFAULT_THRESHOLD, InternalWords
from engine.records import parse_cgp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon import Lexicon
    from engine.movegen import Plays
    from engine.position import Play, Position

CGP: Final = (
    "15/15/15/15/15/4E10/1H2POZ8/1ANGINAS7/1r2N10/1O2A10/1S2O10/1E2I10/1T13/1H13/15 CEEIMUY/ 88/131 0"
)
"""The position: turn 6 of a game of the library, `kibitz.Game(lexicon, players=2, seed=197)`."""

WORD: Final = "MONEY"
"""The word that is followed: it is played in the interval F6 to F10, around the internal word ON."""

WORDS_PER_SUBSET: Final = DEFAULT_THRESHOLD
"""The threshold: a list is long if it holds more words for each sub-multiset of the rack to look up."""


@dataclass(frozen=True, slots=True)
class PlacedInternalWord:
    """Name an internal word, its place in a word of a given length, and how many words have it there.

    `position` counts from 0, `length` is that of the whole word, `frequency` is the length of the list.
    """

    word: str
    position: int
    length: int
    frequency: int

    def __str__(self) -> str:
        return f"({self.word}, {self.position}, {self.length})"


@dataclass(frozen=True, slots=True)
class BoardInterval:
    """Describe one interval: its squares, its internal words, and why it is dropped, if it is.

    `line` is a row (its number from 0) or a column (side + number); `start` and `length` are in squares.
    `dropped` is "" for an interval that is answered, "word" if an internal word lies at that place in no
    word, "letter" if some empty square admits no letter of the rack, "same play" for a single empty square
    whose play is listed in the other direction.
    """

    line: int
    start: int
    length: int
    empty: int
    internal_words: tuple[PlacedInternalWord, ...]
    dropped: str


@dataclass(frozen=True, slots=True)
class WordScore:
    """Hold how the points of one word are counted: (letter, value, letter factor, word factor) by square."""

    word: str
    squares: tuple[tuple[str, int, int, int], ...]

    @property
    def factor(self) -> int:
        """The product of the word factors of the newly covered squares."""
        factor = 1
        for _, _, _, word_factor in self.squares:
            factor *= word_factor
        return factor

    @property
    def points(self) -> int:
        """Letter values times letter factors, summed, times the word factors."""
        return self.factor * sum(value * letter_factor for _, value, letter_factor, _ in self.squares)


class FollowedBoard:
    """Compute what the drawings show of one position and one lexicon."""

    def __init__(self, lexicon: Lexicon, cgp: str = CGP) -> None:
        self.lexicon = lexicon
        self.position: Position = parse_cgp(cgp, tile_set=lexicon.tile_set)
        self.side = self.position.board.side
        self.board = LoadedBoard.load(
            self.position.board, self.position.layout, self.position.tile_set, lexicon
        )
        self.plays: Plays = InternalWords(lexicon).generate(
            self.board, self.position.rack, self.position.rules
        )

    def square(self, line: int, place: int) -> tuple[int, int]:
        """Return (row, column) of a place in a line."""
        return (line, place) if line < self.side else (place, line - self.side)

    def letter(self, line: int, place: int) -> str:
        """Return the letter on a square, upper case, "" if it is empty or beyond the edge."""
        if not 0 <= place < self.side:
            return ""
        code = self.position.board[self.square(line, place)]
        return self.position.tile_set.alphabet.letter(code).upper() if code else ""

    def is_blank(self, line: int, place: int) -> bool:
        """Return whether the tile on a square is a blank."""
        return self.position.board[self.square(line, place)] >= 0x80

    def cross_checks(self, line: int, place: int) -> str:
        """Return the letters that an empty square admits for words along a line, in alphabetical order."""
        letters = self.position.tile_set.alphabet.letters
        admissible = self.board.kernel.admissible(line, place)
        return "".join(letter for i, letter in enumerate(letters) if admissible >> i & 1)

    def touches_tile(self, line: int, place: int) -> bool:
        """Return whether a word along the line touches the board on this square: a tile, or one beside it."""
        return bool(self.letter(line, place)) or self.is_crossed(line, place)

    def is_crossed(self, line: int, place: int) -> bool:
        """Return whether a tile laid on an empty square of the line also makes a word across it."""
        across, at = self._across_line(line, place)
        return bool(self.letter(across, at - 1) or self.letter(across, at + 1))

    def _across_line(self, line: int, place: int) -> tuple[int, int]:
        """Return (line, place) of the same square in the line across."""
        row, column = self.square(line, place)
        return (self.side + column, row) if line < self.side else (row, column)

    def halo(self) -> list[tuple[int, int]]:
        """Return the empty squares (row, column) beside a tile: the field's anchors."""
        return [
            (row, column)
            for row, column in product(range(self.side), repeat=2)
            if not self.letter(row, column)
            and (self.is_crossed(row, column) or self.is_crossed(self.side + column, row))
        ]

    @cached_property
    def rack(self) -> Counter[str]:
        """The letters of the rack; the followed rack holds no blank."""
        return Counter(self.position.tile_set.alphabet.word(self.position.rack.tiles))

    @cached_property
    def words_by_length(self) -> dict[int, list[str]]:
        """The words of the lexicon by length."""
        found: dict[int, list[str]] = {}
        for codes in self.lexicon.words():
            found.setdefault(len(codes), []).append(self.position.tile_set.alphabet.word(codes))
        return found

    def word_list(self, word: str, position: int, length: int) -> list[str]:
        """Return the list of a placed internal word: the words of that length that contain it there."""
        end = position + len(word)
        return [each for each in self.words_by_length.get(length, []) if each[position:end] == word]

    def subset_count(self, size: int) -> int:
        """Count the sub-multisets of the rack with a number of tiles."""
        counts = [self.rack[letter] for letter in sorted(self.rack)]
        return sum(sum(kept) == size for kept in product(*(range(count + 1) for count in counts)))

    @cached_property
    def intervals(self) -> list[BoardInterval]:
        """Every interval of the board, line by line, as [Sanchez2025, section 4.2] defines them."""
        return [interval for line in range(2 * self.side) for interval in self._line_intervals(line)]

    def interval(self, line: int, start: int, length: int) -> BoardInterval:
        """Return one interval; raises StopIteration if there is none."""
        wanted = (line, start, length)
        return next(each for each in self.intervals if (each.line, each.start, each.length) == wanted)

    @cached_property
    def answered(self) -> list[BoardInterval]:
        """The intervals that remain after pruning; the kernel counts the same number."""
        return [interval for interval in self.intervals if not interval.dropped]

    def _line_intervals(self, line: int) -> Iterator[BoardInterval]:
        for start in range(self.side - 1):
            if self.letter(line, start - 1):
                continue
            for end in range(start + 1, self.side):
                places = range(start, end + 1)
                empty = sum(not self.letter(line, place) for place in places)
                if empty > len(self.position.rack.tiles):
                    break
                touches = any(self.touches_tile(line, place) for place in places)
                if empty and touches and not self.letter(line, end + 1):
                    yield self._describe(line, start, len(places), empty)

    def _describe(self, line: int, start: int, length: int, empty: int) -> BoardInterval:
        internal_words = tuple(self._internal_words(line, start, length))
        places = [place for place in range(start, start + length) if not self.letter(line, place)]
        dropped = ""
        if any(not internal.frequency for internal in internal_words):
            dropped = "word"
        elif any(not self.rack.keys() & set(self.cross_checks(line, place)) for place in places):
            dropped = "letter"
        elif empty == 1 and line >= self.side and self.is_crossed(line, places[0]):
            dropped = "same play"
        return BoardInterval(line, start, length, empty, internal_words, dropped)

    def _internal_words(self, line: int, start: int, length: int) -> Iterator[PlacedInternalWord]:
        place = start
        while place < start + length:
            first = place
            while place < start + length and self.letter(line, place):
                place += 1
            if place > first:
                word = "".join(self.letter(line, each) for each in range(first, place))
                frequency = self._frequency(word, first - start, length)
                yield PlacedInternalWord(word, first - start, length, frequency)
            place += 1

    @cached_property
    def _frequencies(self) -> dict[tuple[str, int, int], int]:
        return {}

    def _frequency(self, word: str, position: int, length: int) -> int:
        key = (word, position, length)
        if key not in self._frequencies:
            self._frequencies[key] = len(self.word_list(*key))
        return self._frequencies[key]

    def principal(self, interval: BoardInterval) -> PlacedInternalWord | None:
        """Return the longest internal word of an interval, the first of equals; None without a tile."""
        return max(interval.internal_words, key=lambda internal: len(internal.word), default=None)

    def rarest(self, interval: BoardInterval) -> PlacedInternalWord | None:
        """Return the internal word whose list is shortest, which is the one that kibitz scans."""
        return min(interval.internal_words, key=lambda internal: internal.frequency, default=None)

    def level(self, interval: BoardInterval) -> str:
        """Return how an interval is answered: "high", "low", or "cross-checks" if one square is empty."""
        internal = self.rarest(interval)
        if interval.empty == 1:
            return "cross-checks"
        if internal is None or [len(each.word) for each in interval.internal_words] == [1]:
            return "low"
        long = internal.frequency > WORDS_PER_SUBSET * self.subset_count(interval.empty)
        return "low" if long else "high"

    def with_held_letters(self, interval: BoardInterval, words: list[str]) -> list[str]:
        """Return the words that agree with an interval's tiles and whose other letters the rack holds."""
        placed = [self.letter(interval.line, interval.start + i) for i in range(interval.length)]
        return [
            word
            for word in words
            if all(not tile or tile == letter for tile, letter in zip(placed, word, strict=True))
            and not Counter(letter for tile, letter in zip(placed, word, strict=True) if not tile) - self.rack
        ]

    def fitting(self, interval: BoardInterval, words: list[str]) -> list[str]:
        """Return the words of which every new letter is in the cross-check set of its square."""
        places = range(interval.start, interval.start + interval.length)
        return [
            word
            for word in words
            if all(
                self.letter(interval.line, place) or letter in self.cross_checks(interval.line, place)
                for place, letter in zip(places, word, strict=True)
            )
        ]

    def plays_in(self, interval: BoardInterval) -> list[tuple[str, int]]:
        """Return (word, score) of the generator's plays in an interval, the highest score first."""
        found = [(self.main_word(play), score) for play, score in self._moves_in(interval)]
        return sorted(found, key=lambda each: (-each[1], each[0]))

    def move(self, interval: BoardInterval, word: str) -> Play:
        """Return the generator's play of a word in an interval; raises StopIteration if it lists none."""
        return next(play for play, _ in self._moves_in(interval) if self.main_word(play) == word)

    def _moves_in(self, interval: BoardInterval) -> Iterator[tuple[Play, int]]:
        array = self.plays.array
        chosen = (array["line"] == interval.line) & (array["start"] == interval.start)
        chosen &= array["length"] == interval.length
        for index in chosen.nonzero()[0].tolist():
            yield self.plays.move(index), int(array["score"][index])

    def main_word(self, play: Play) -> str:
        """Return the main word of a play in upper case."""
        line, start = (self.side + play.column, play.row) if play.down else (play.row, play.column)
        new = {(row, column): code for row, column, code in play.placements()}
        alphabet = self.position.tile_set.alphabet
        return "".join(
            self.letter(line, place) or alphabet.letter(new[self.square(line, place)]).upper()
            for place in range(start, start + len(play.tiles))
        )

    def scores(self, interval: BoardInterval, word: str) -> list[WordScore]:
        """Count the points of a word laid in an interval: the main word first, then the words across it."""
        line, start = interval.line, interval.start
        places = range(start, start + interval.length)
        main = [self._scored(line, place, letter) for place, letter in zip(places, word, strict=True)]
        words = [WordScore(word, tuple(main))]
        for place, letter in zip(places, word, strict=True):
            if not self.letter(line, place) and self.is_crossed(line, place):
                words.append(self._across(line, place, letter))
        return words

    def _across(self, line: int, place: int, new: str) -> WordScore:
        across, at = self._across_line(line, place)
        first = last = at
        while self.letter(across, first - 1):
            first -= 1
        while self.letter(across, last + 1):
            last += 1
        squares = [
            self._scored(across, each, new if each == at else self.letter(across, each))
            for each in range(first, last + 1)
        ]
        return WordScore("".join(letter for letter, *_ in squares), tuple(squares))

    def _scored(self, line: int, place: int, letter: str) -> tuple[str, int, int, int]:
        row, column = self.square(line, place)
        value = self.position.tile_set.values[self.position.tile_set.alphabet.code(letter)]
        if self.letter(line, place):
            return letter, 0 if self.is_blank(line, place) else value, 1, 1
        layout = self.position.layout
        return letter, value, int(layout.letter_factors[row, column]), int(layout.word_factors[row, column])
