"""The Internal-Words Method as its thesis has it, in readable Python: for study and counts, not for speed.

For every interval of the board ([Sanchez2025], sections 5.2 to 5.6):

1. The *principal internal word* is the longest word or letter in it, the first of equals. The interval is
   dropped if no word of the lexicon contains that one there, or if a square admits no letter.
2. If at most `threshold` words contain it there, the *high level* reads them. It keeps those whose letters
   are among the *combined multiset*, the letters of rack and interval. Otherwise, and if the interval has no
   tile, the *low level* takes each sub-multiset of the rack that fills the interval, adds the letters of the
   interval, and looks up (principal internal word, position, sum) in a table.
3. These *candidates* are valid if every square admits their letter. The high level has a few more of them: a
   word that contains the principal internal word may lack letters of other runs.

Multisets are integers in the Parity-Exceedance Representation, which has no code for a multiset whose
exceedance is not feasible. A combined multiset may be one; the thesis does not say what to do then. Here its
letters are counted.

The thesis leaves blanks open. Here they are replaced by letters in every way, and the sub-multisets of all
these racks are taken together. For three blanks and more, which are rare, that is too much: then the high
level answers every interval, one without a tile by all words of its length.

docs/internal-words.md says what the kernel in use does differently, and why.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.movegen.plays import PLAY_LIMIT, Plays, too_many_plays
from engine.movegen.reference import fillings, letter_of, value_leaves
from engine.position import Play
from engine.position.formed_words import FormedWords
from lab.generators.intervals import Interval, board_intervals, has_tile_beside
from lab.multisets.parity_exceedance import NOT_FEASIBLE
from lab.tables.literal import EMPTY_WORD, LiteralTables
from lab.tables.stored import stored_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Rack
    from engine.rules import RuleSet
    from lab.multisets.parity_exceedance import ParityExceedance

THRESHOLD: Final = 10
"""The most words of a list that the high level reads, in the experiments of the thesis."""

MAX_BLANKS: Final = 2
"""The most blanks of a rack that are replaced by letters."""


class Literal:
    """Generates plays by the Internal-Words Method of the thesis."""

    name = "literal"

    def __init__(self, lexicon: Lexicon, *, threshold: int = THRESHOLD) -> None:
        """Open the tables of the thesis; building them takes 20 s for 180,000 words.

        Raises WordListError if the words do not fit into them.
        """
        self._lexicon = lexicon
        self.tables = LiteralTables(lexicon, stored_table(lexicon, "literal"))
        self.threshold = threshold
        """The most words of a list that the high level reads; it may be changed between two calls."""

    def generate(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return every legal play of a rack on a board.

        `leave_values`: the value of each leave in millipoints, in the order of `plays.leaves`; without it
        equity is the score. The statistics count the `intervals` considered, `candidates`, words `scanned` by
        the high level, `lookups` of the low level, and `without_code`: intervals of the high level whose
        combined multiset has no code. Raises TooManyPlaysError, and ValueError for a board of another
        lexicon.
        """
        if board.lexicon.content_sha256 != self._lexicon.content_sha256:
            raise ValueError("the board was loaded for another lexicon")
        hand = Hand(rack, self.tables.used_letters, self.tables.multisets)
        counts: Counter[str] = Counter(intervals=0, candidates=0, scanned=0, lookups=0, without_code=0)
        formed = FormedWords(board.board, board.layout, board.tile_set)
        found: list[tuple[Play, int]] = []
        for interval in board_intervals(board.board, board.layout, len(rack.tiles)):
            for play in self._plays(interval, board, hand, counts):
                words = sum([word.score for word in formed.of(play)])
                found.append((play, words + rules.bonus(len(play.used))))
            if len(found) > PLAY_LIMIT:
                raise too_many_plays(rack)
        plays = value_leaves(found, board, rack, leave_values)
        plays.statistics = dict(counts)
        return plays

    def _plays(
        self, interval: Interval, board: LoadedBoard, hand: Hand, counts: Counter[str]
    ) -> Iterator[Play]:
        """Yield the legal plays whose main word fills an interval."""
        line, start, tiles = interval.line, interval.start, interval.tiles
        word, position = self.principal(interval)
        frequency = self.tables.frequency(word, position, len(tiles)) if word != EMPTY_WORD else 0
        admissible = [board.kernel.admissible(line, start + i) for i in range(len(tiles))]
        if (word != EMPTY_WORD and not frequency) or not all(admissible):
            return
        counts["intervals"] += 1
        fixed = bytes(letter_of(code) for code in tiles if code)
        if not hand.replaced:
            candidates = self._words_with(word, position, len(tiles))
            counts["scanned"] += len(candidates)
        elif word != EMPTY_WORD and frequency <= self.threshold:
            candidates = self._high(word, position, len(tiles), hand.combined(fixed))
            counts["scanned"] += frequency
            counts["without_code"] += any(code == NOT_FEASIBLE for code, _ in hand.combined(fixed))
        else:
            codes = hand.sums(interval.empty, fixed)
            candidates = self.tables.words_of(word, position, codes).tolist()
            counts["lookups"] += hand.part_count(interval.empty)
        counts["candidates"] += len(candidates)
        down = line >= board.kernel.side
        if interval.empty == 1 and down and has_tile_beside(board.board, line, start + tiles.index(0)):
            return  # the play of one tile is listed across
        row, column = (start, line - board.kernel.side) if down else (line, start)
        for candidate in candidates:
            letters = self._lexicon.word(candidate)
            if not all(mask >> code - 1 & 1 for mask, code in zip(admissible, letters, strict=True)):
                continue
            for placed in fillings(letters, list(tiles), hand.rack):
                yield Play(row, column, down, placed)

    def principal(self, interval: Interval) -> tuple[int, int]:
        """Return the number of the principal internal word of an interval and its position.

        It is the empty word at 0 if the interval has no tile. Only of a phony is it a part of a run.
        """
        runs = [(start, bytes(map(letter_of, run))) for start, run in interval.runs]
        for length in range(max((len(run) for _, run in runs), default=0), 0, -1):
            for start, run in runs:
                for first in range(len(run) - length + 1):
                    number = self.tables.number(run[first : first + length])
                    if number is not None:
                        return number, start + first
        return EMPTY_WORD, 0

    def _words_with(self, word: int, position: int, length: int) -> list[int]:
        """Return the ids of the words of a length that contain a word at a position, or of all."""
        if word != EMPTY_WORD:
            found: list[int] = self.tables.words_with(word, position, length).tolist()
            return found
        first, last = self._lexicon.section("length_starts")[length : length + 2].tolist()
        return list(range(first, last))

    def _high(
        self, word: int, position: int, length: int, combined: Iterable[tuple[int, Counter[int]]]
    ) -> list[int]:
        """Return the ids of the words with a word at a position that consist of letters of a multiset.

        `combined`: these multisets, each as a code and as counts; one of them suffices.
        """
        included, codes = self.tables.multisets.included, self.tables.codes
        return [
            candidate
            for candidate in self._words_with(word, position, length)
            if any(
                included(int(codes[candidate]), code)
                if code != NOT_FEASIBLE
                else Counter(self._lexicon.word(candidate)) <= letters
                for code, letters in combined
            )
        ]


class Hand:
    """The multisets of letters that a rack can supply."""

    def __init__(self, rack: Rack, letters: bytes, multisets: ParityExceedance) -> None:
        """Replace the blanks of a rack by letters in every way, unless there are more than MAX_BLANKS."""
        self.rack = rack
        blanks = rack.tiles.count(0)
        tiles = rack.tiles.replace(b"\0", b"")
        chosen = combinations_with_replacement(letters, blanks) if blanks <= MAX_BLANKS else ()
        self.replaced: Final = [bytes(sorted(tiles + bytes(each))) for each in chosen]
        self._multisets = multisets
        self._parts = cache(self._find_parts)
        self.sums = cache(self._sums)
        self.combined = cache(self._combined)

    def part_count(self, size: int) -> int:
        """Return the number of different sub-multisets of `size` tiles."""
        return len(self._parts(size))

    def _find_parts(self, size: int) -> list[int]:
        """Return the codes of the sub-multisets of `size` tiles."""
        parts = {part for tiles in self.replaced for part in combinations(tiles, size)}
        return [self._multisets.encode(bytes(part)) for part in parts]

    def _sums(self, size: int, fixed: bytes) -> NDArray[np.uint64]:
        """Return the codes of the feasible sums of a sub-multiset of `size` tiles and some letters."""
        other, add = self._multisets.encode(fixed), self._multisets.sum
        found = (add(part, other) for part in self._parts(size))
        return np.array([code for code in found if code != NOT_FEASIBLE], np.uint64)

    def _combined(self, fixed: bytes) -> list[tuple[int, Counter[int]]]:
        """Return the combined multisets of the rack and some letters: codes, and counts of letters."""
        both = [tiles + fixed for tiles in self.replaced]
        return [(self._multisets.encode(each), Counter(each)) for each in both]
