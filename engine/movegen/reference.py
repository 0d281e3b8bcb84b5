"""The slow, readable twin of the move generators: the rules, checked one by one.

Every generator of this package must find exactly the plays that this module finds, with the same
scores. So nothing here is clever: for every slot of every row and column, and for every word of the
lexicon that could lie in it, the rules are checked on the board itself, square by square. The only
short cut is a filter that drops the words whose letters the rack and the slot cannot supply; each
word that passes is still checked in full.

The rules, in the order in which the code asks for them:

1.  The main word fills a *slot*: two or more squares in a line, no tile just before or after it, and
    at least one square free, but no more free squares than the rack has tiles.
2.  A slot touches a tile that is already on the board; on an empty board it covers a start square.
3.  On an empty board of a layout that equals its own transpose a play down only mirrors a play
    across, so only those across are listed.
4.  The main word is in the lexicon, agrees with the tiles in its slot, and the rack supplies the rest.
    A blank may stand for any letter; the same word with a blank elsewhere is a different play.
5.  Every perpendicular run of two or more tiles that a new tile makes longer is in the lexicon. Words of
    the board that the play does not touch may be anything (real games hold phonies).
6.  A single tile that makes words both ways is one play, listed across.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from engine.movegen.plays import Plays, leaves
from engine.position import BLANK_FLAG, EMPTY, Board, Play, Rack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.rules import BoardLayout, RuleSet, TileSet

Square = tuple[int, int]


def letter_of(code: int) -> int:
    """Return the letter of a tile on the board: its code without the mark of a designated blank."""
    return code & ~BLANK_FLAG


class WordSet:
    """Hold the words of a lexicon as a set, and by length with their letter counts for the filter.

    `words` are tile codes 1..n, one bytes object a word; `letters` is n, the size of the alphabet.
    """

    def __init__(self, words: Iterable[bytes], letters: int) -> None:
        self._words = frozenset(words)
        self._letters = letters
        self._by_length: dict[int, tuple[list[bytes], NDArray[np.uint8], NDArray[np.int8]]] = {}
        words_of: dict[int, list[bytes]] = {}
        for word in sorted(self._words):
            words_of.setdefault(len(word), []).append(word)
        for length, same in words_of.items():
            spelled = np.frombuffer(b"".join(same), np.uint8).reshape(len(same), length)
            counts = np.zeros((len(same), letters + 1), np.int8)
            for column in spelled.T:
                counts[np.arange(len(same)), column] += 1
            self._by_length[length] = (same, spelled, counts)

    def __contains__(self, word: bytes) -> bool:
        return word in self._words

    def __len__(self) -> int:
        return len(self._words)

    def could_fill(self, tiles: list[int], rack: Rack) -> list[bytes]:
        """List the words as long as the slot that agree with its tiles and that the rack can spell.

        `tiles` are the codes on the slot's squares, EMPTY where free.
        """
        if len(tiles) not in self._by_length:
            return []
        words, spelled, counts = self._by_length[len(tiles)]
        fixed = [i for i, tile in enumerate(tiles) if tile != EMPTY]
        supply = np.zeros(counts.shape[1], np.int8)
        for letter in [letter_of(tiles[i]) for i in fixed] + [code for code in rack.tiles if code]:
            supply[letter] += 1
        agreeing = np.flatnonzero((spelled[:, fixed] == [letter_of(tiles[i]) for i in fixed]).all(axis=1))
        lacking = np.maximum(counts[agreeing] - supply, 0).sum(axis=1)
        return [words[i] for i in agreeing[lacking <= rack.tiles.count(0)]]

    def possible(self, board: Board, rack: Rack) -> WordSet:
        """Return the words that a line of a board, with the tiles of a rack, has the letters for.

        Until the rack is used up no other word can be formed, whoever holds its tiles.
        """
        found: set[bytes] = set()
        side, squares = board.side, board.squares
        for line in [squares[i * side :][:side] for i in range(side)] + [
            squares[i::side] for i in range(side)
        ]:
            held = [letter_of(code) for code in line if code] + [code for code in rack.tiles if code]
            for words, _, counts in self._by_length.values():
                supply = np.bincount(held, minlength=counts.shape[1]).astype(np.int8)
                lacking = np.maximum(counts - supply, 0).sum(axis=1)
                found.update([words[at] for at in np.flatnonzero(lacking <= rack.tiles.count(0)).tolist()])
        return WordSet(found, self._letters)


@dataclass(frozen=True)
class Slot:
    """Name the squares that a main word may fill, in reading order."""

    squares: tuple[Square, ...]
    down: bool


@dataclass(frozen=True)
class RuleChecker:
    """Hold the board, its layout, tiles, words and rules, and check the rules one at a time."""

    board: Board
    layout: BoardLayout
    tile_set: TileSet
    words: WordSet
    rules: RuleSet

    def tile(self, square: Square) -> int:
        """Return the tile code on a square; EMPTY also for squares beyond the edge."""
        row, column = square
        side = self.board.side
        if not (0 <= row < side and 0 <= column < side):
            return EMPTY
        return self.board.squares[row * side + column]

    def slots(self, rack: Rack) -> Iterator[Slot]:
        """Yield every slot of the board that satisfies rules 1 to 3."""
        mirrored = self.board.is_empty and self.layout.symmetric
        for down in (False,) if mirrored else (False, True):
            for line in range(self.board.side):
                yield from self.slots_of(line, down, rack)

    def slots_of(self, line: int, down: bool, rack: Rack) -> Iterator[Slot]:
        """Yield every slot of a row, or of a column, that satisfies rules 1 and 2."""
        side = self.board.side
        squares = [(i, line) if down else (line, i) for i in range(side)]
        for start in range(side):
            for end in range(start + 2, side + 1):
                slot = Slot(tuple(squares[start:end]), down)
                if self.is_slot(slot, rack) and self.is_connected(slot):
                    yield slot

    def is_slot(self, slot: Slot, rack: Rack) -> bool:
        """Tell whether rule 1 holds: no tile before or after, and 1 to rack-size squares free."""
        free = sum(self.tile(square) == EMPTY for square in slot.squares)
        before = self.tile(step(slot.squares[0], slot.down, -1))
        after = self.tile(step(slot.squares[-1], slot.down, +1))
        return before == after == EMPTY and 1 <= free <= len(rack.tiles)

    def is_connected(self, slot: Slot) -> bool:
        """Return whether rule 2 holds: a tile in the slot or beside it; on an empty board a start square."""
        if self.board.is_empty:
            return any(square in self.layout.starts for square in slot.squares)
        return any(
            self.tile(square) or self.tile(step(square, not slot.down, by))
            for square in slot.squares
            for by in (-1, +1)
        )

    def perpendicular_run(self, square: Square, down: bool) -> list[Square]:
        """List the squares, in reading order, of the run through a square, as if that square held a tile."""
        at = square
        while self.tile(step(at, down, -1)):
            at = step(at, down, -1)
        run = []
        while at == square or self.tile(at):
            run.append(at)
            at = step(at, down, +1)
        return run

    def perpendicular_words(self, slot: Slot, placed: tuple[int, ...]) -> list[dict[Square, int]]:
        """List the words of two or more tiles across the slot that new tiles make, as {square: tile code}."""
        formed = []
        for square, new in zip(slot.squares, placed, strict=True):
            if new:
                run = self.perpendicular_run(square, not slot.down)
                if len(run) >= 2:
                    formed.append({at: new if at == square else self.tile(at) for at in run})
        return formed

    def points(self, word: dict[Square, int]) -> int:
        """Return the points of one word: letter then word premiums, of squares newly covered."""
        total, factor = 0, 1
        for (row, column), code in word.items():
            value = 0 if code & BLANK_FLAG else self.tile_set.values[code]
            if not self.tile((row, column)):
                value *= int(self.layout.letter_factors[row, column])
                factor *= int(self.layout.word_factors[row, column])
            total += value
        return total * factor

    def plays(self, rack: Rack) -> Iterator[tuple[Play, int]]:
        """Yield every legal play with its score."""
        for slot in self.slots(rack):
            yield from self.plays_in(slot, rack)

    def plays_in(self, slot: Slot, rack: Rack) -> Iterator[tuple[Play, int]]:
        """Yield every legal play in a slot that satisfies rules 1 to 3, with its score."""
        tiles = [self.tile(square) for square in slot.squares]
        for word in self.words.could_fill(tiles, rack):
            yield from self.plays_of(word, slot, rack)

    def plays_of(self, word: bytes, slot: Slot, rack: Rack) -> Iterator[tuple[Play, int]]:
        """Yield every legal play of a word of the lexicon in a slot that satisfies rules 1 to 3."""
        tiles = [self.tile(square) for square in slot.squares]
        for placed in fillings(word, tiles, rack):
            crossing = self.perpendicular_words(slot, placed)
            if not all(spelling(formed) in self.words for formed in crossing):
                continue
            used = sum(code != 0 for code in placed)
            if used == 1 and slot.down and crossing:
                continue
            lying = zip(slot.squares, placed, tiles, strict=True)
            main = {square: new or old for square, new, old in lying}
            score = self.points(main) + sum(self.points(formed) for formed in crossing)
            if used == self.rules.bingo_tiles:
                score += self.rules.bingo_bonus
            row, column = slot.squares[0]
            yield Play(row, column, slot.down, placed), score


def step(square: Square, down: bool, by: int) -> Square:
    """Return the square `by` places further down (or across)."""
    return (square[0] + by, square[1]) if down else (square[0], square[1] + by)


def spelling(word: dict[Square, int]) -> bytes:
    """Return the letters of a word on the board, blanks as the letters they stand for."""
    return bytes(letter_of(code) for code in word.values())


def fillings(word: bytes, tiles: list[int], rack: Rack) -> Iterator[tuple[int, ...]]:
    """Yield each way (rule 4) to lay a word over the tiles of a slot: one code a square, 0 where a tile lies.

    Every choice of the squares that get a blank is tried, none of them first.
    """
    if any(tile and letter_of(tile) != letter for tile, letter in zip(tiles, word, strict=True)):
        return
    free = [i for i, tile in enumerate(tiles) if tile == EMPTY]
    held = Counter(rack.tiles)
    for used in range(min(held[0], len(free)) + 1):
        for blanks in combinations(free, used):
            needed = Counter(word[i] for i in free if i not in blanks)
            if all(held[letter] >= count for letter, count in needed.items()):
                yield tuple(
                    0 if tile else letter | BLANK_FLAG if i in blanks else letter
                    for i, (letter, tile) in enumerate(zip(word, tiles, strict=True))
                )


def tie_order(play: Play, score: int, board: Board) -> tuple[int, int, int, int, bytes, bytes, int]:
    """Return the sort key of the documented order of moves.

    Higher score first; then line (rows, then columns), start and length of the main word; then its
    letters sorted, its letters as they stand, and the bit mask of its squares that get a blank.
    """
    side = board.side
    line, start = (side + play.column, play.row) if play.down else (play.row, play.column)
    squares = [step((play.row, play.column), play.down, i) for i in range(len(play.tiles))]
    word = bytes(
        letter_of(code or board.squares[row * side + column])
        for code, (row, column) in zip(play.tiles, squares, strict=True)
    )
    blanks = sum(1 << i for i, code in enumerate(play.tiles) if code & BLANK_FLAG)
    return -score, line, start, len(word), bytes(sorted(word)), word, blanks


def reference_plays(
    board: Board, layout: BoardLayout, tile_set: TileSet, rack: Rack, words: WordSet, rules: RuleSet
) -> list[tuple[Play, int]]:
    """List every legal play with its score, best first in the documented order of ties."""
    checker = RuleChecker(board, layout, tile_set, words, rules)
    return sorted(checker.plays(rack), key=lambda found: tie_order(found[0], found[1], board))


def value_leaves(
    found: list[tuple[Play, int]], board: LoadedBoard, rack: Rack, leave_values: NDArray[np.int32] | None
) -> Plays:
    """Return plays with their scores as `Plays`; their equity is the score plus the value of the leave.

    `leave_values`: millipoints by leave, in the order of `plays.leaves`; without it equity is the score.
    """
    plays = Plays.from_moves(found, board, {})
    if leave_values is not None:
        numbers = {leave: number for number, leave in enumerate(leaves(rack))}
        for entry, (play, score) in zip(plays.array, found, strict=True):
            left = Counter(rack.tiles)
            left.subtract(0 if code & BLANK_FLAG else code for _, _, code in play.placements())
            entry["leave"] = numbers[bytes(sorted(left.elements()))]
            equity = 1000 * score + int(leave_values[entry["leave"]])
            entry["equity"] = min(equity, np.iinfo(np.int32).max)
    return plays


class Reference:
    """Generates plays as every generator does, but slowly (see `reference_plays`)."""

    name = "reference"

    def __init__(self, lexicon: Lexicon) -> None:
        """Take the lexicon; its words are copied out of the tables."""
        self._words = WordSet(lexicon.words(), lexicon.tile_set.alphabet.size)

    def generate(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return every legal play of a rack on a board; it uses only the tiles of the loaded board.

        `leave_values`: millipoints by leave, as for the other generators.
        """
        found = reference_plays(board.board, board.layout, board.tile_set, rack, self._words, rules)
        return value_leaves(found, board, rack, leave_values)
