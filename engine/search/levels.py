"""Players of ten levels: the best one, and weaker ones who misjudge plays and do not know rare words.

A weaker player knows the more familiar part of the lexicon (`levels_words`) and makes no play with any word
outside it; of the plays that are left each looks better or worse than it is by some points, and the one that
looks best is made.  Both follow from the seed and what the player sees, so the same position is played the
same way again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import Evaluator, best_evaluator
from engine.movegen import InternalWords, leaves
from engine.movegen.plays import ONE_TILE
from engine.position import BLANK_FLAG, Exchange, Pass, Player
from engine.search.levels_words import MOST, normals, scrambled, word_rarity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import Plays
    from engine.position import Board, Move, Play, Position
    from engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Level:
    """Say how weak a player is: the share of words known, the standard deviation of judgement (points)."""

    share: float
    noise: float


LEVELS: Final = (
    Level(0.033, 9.0),
    Level(0.05, 8.4),
    Level(0.072, 7.8),
    Level(0.1, 7.2),
    Level(0.135, 6.7),
    Level(0.18, 6.1),
    Level(0.25, 5.4),
    Level(0.37, 4.4),
    Level(0.6, 3.1),
    Level(1.0, 0.0),
)
"""Levels 1 to 10."""

MOST_LEVELS: Final = len(LEVELS)
"""The highest level."""


class Chosen(NamedTuple):
    """A move, and the points it scores."""

    move: Move
    score: int


def check_level(level: int) -> None:
    """Raise InvalidInput (code "out_of_range") for a level that there is not."""
    if not 1 <= level <= MOST_LEVELS:
        raise InvalidInput(
            f"a level is a number from 1 to {MOST_LEVELS}, not {level}", code="out_of_range", field="level"
        )


def as_seen(position: Position) -> Position:
    """Return the position as the player on turn sees it: of the others only how many tiles they hold."""
    first, *others = position.players
    hidden, left = [], position.unseen_count()
    for other in others:  # as in Position.bag_count
        told = other.tile_count if other.rack is None else len(other.rack)
        held = min(position.rules.rack_size if told is None else told, left)
        left -= held
        hidden.append(Player(other.score, tile_count=held))
    return replace(position, players=(replace(first, last_move=None), *hidden), operations=())


class LevelPlayer:
    """Chooses moves at any level, over one lexicon; owns its scratch memory, so it serves one thread."""

    def __init__(self, lexicon: Lexicon, rules: RuleSet) -> None:
        """Take the lexicon, and the rules whose bingo bonus counts."""
        self.evaluator = best_evaluator(lexicon)
        self._valuer = Evaluator(self.evaluator, lexicon, rules)
        self._search = InternalWords(lexicon)
        self._lexicon = lexicon

    def choose(self, level: int, board: LoadedBoard, position: Position, seed: int = 0) -> Chosen:
        """Return the move of a level; `board` is that of the position, loaded.

        Level 10 takes the move of most equity: of equal ones a play in the order of `Plays.best`, else the
        exchange of fewest tiles.  Whoever knows no play exchanges if there are tiles enough, else passes.
        What the position says of the other racks is not looked at.  Raises InvalidInput for another level.
        """
        check_level(level)
        strength, seen = LEVELS[level - 1], as_seen(position)
        values, _ = self._valuer.leave_values(board, seen)
        plays = self._search.generate(board, seen.rack, seen.rules, values.array)
        self._valuer.adjust(plays, seen)
        luck = _Luck(seen, seed)
        worth = plays.array["equity"] / 1000
        if strength.noise:
            worth = worth + strength.noise * luck.of_plays(plays.array)
            order = np.argsort(-worth, kind="stable")
        else:
            order = plays.best(len(plays), by="equity")
        found = self._first_known(plays, order, strength.share)
        exchange = _best_exchange(seen, values.array)
        if exchange is not None:
            kept, points = exchange
            if found is None or points + strength.noise * luck.of_exchange > worth[found]:
                return Chosen(Exchange(_less(seen.rack.tiles, kept)), 0)
        if found is None:
            return Chosen(Pass(), 0)
        return Chosen(plays.move(found), int(plays.array["score"][found]))

    def _first_known(self, plays: Plays, order: NDArray[np.intp], share: float) -> int | None:
        """Return the first play, in an order, of whose words all are known; None if there is none."""
        if share >= 1:
            return int(order[0]) if len(order) else None
        most, rarity = share * MOST, self._rarity
        words = plays.array["word"]
        one_tile = words >= ONE_TILE
        likely = one_tile | (rarity[np.where(one_tile, 0, words)] <= most)
        side = plays.board.board
        for index in order[likely[order]].tolist():
            play = plays.move(index)
            crossing = [self._rare(word) for word in crossing_words(play, side)]
            if one_tile[index]:
                crossing.append(self._rare(_main_word(play, side)))
            if all(rare <= most for rare in crossing):
                return int(index)
        return None

    def _rare(self, word: bytes) -> int:
        """Return the rarity of a word, given by its tile codes; the greatest if the lexicon lacks it."""
        found = self._lexicon.tables.find(bytes([code - 1 for code in word]))
        return MOST if found < 0 else int(self._rarity[found])

    @cached_property
    def _rarity(self) -> NDArray[np.uint16]:
        return word_rarity(self._lexicon)


class _Luck:
    """The errors of judgement of one turn: normal numbers that follow from seed and position."""

    def __init__(self, seen: Position, seed: int) -> None:
        text = f"level 1 {seed}\n{seen.canonical()}"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        self._key = np.frombuffer(digest[:16], np.uint64)

    def of_plays(self, plays: NDArray[Any]) -> NDArray[np.float64]:
        """Return one for each play, whatever the order in which they stand."""
        words, blanks, lines, starts, lengths = (
            plays[name].astype(np.uint64) for name in ("word", "blanks", "line", "start", "length")
        )
        place = lengths | starts << np.uint64(8) | lines << np.uint64(16)
        mixed = scrambled(words | blanks << np.uint64(32))
        return normals(scrambled(scrambled((mixed ^ self._key[0]) + place)))

    @property
    def of_exchange(self) -> float:
        """The one for the best exchange."""
        return float(normals(self._key[1:])[0])


def _best_exchange(position: Position, values: NDArray[np.int32]) -> tuple[bytes, float] | None:
    """Return what the best exchange keeps, and its points; None if there may be no exchange."""
    bag = position.bag_count()
    if bag < position.rules.exchange_limit:
        return None
    rack = position.rack
    kept = leaves(rack)
    allowed = [number for number in range(len(kept) - 1) if len(kept[number]) >= len(rack) - bag]
    best = max(allowed, key=lambda number: (values[number], number), default=None)
    return None if best is None else (kept[best], float(values[best]) / 1000)


def _less(tiles: bytes, kept: bytes) -> bytes:
    left = bytearray(tiles)
    for code in kept:
        left.remove(code)
    return bytes(left)


def crossing_words(play: Play, board: Board) -> Iterator[bytes]:
    """Yield the words that a play makes across its line, as tile codes without blanks' marks."""
    side, squares = board.side, board.squares
    for row, column, code in play.placements():
        start, stop, step = (row * side, (row + 1) * side, 1) if play.down else (column, len(squares), side)
        line = squares[start:stop:step]
        word = _run(line, column if play.down else row, bytes([code]))
        if len(word) > 1:
            yield word


def _main_word(play: Play, board: Board) -> bytes:
    start, step = play.row * board.side + play.column, board.side if play.down else 1
    there = board.squares[start::step]
    return bytes([(code or there[place]) & ~BLANK_FLAG for place, code in enumerate(play.tiles)])


def _run(line: bytes, place: int, tiles: bytes) -> bytes:
    """Return the word that tiles make with those before and behind them on a line."""
    before, behind = line[:place], line[place + len(tiles) :]
    word = before[before.rfind(0) + 1 :] + tiles + behind.partition(b"\0")[0]
    return bytes([code & ~BLANK_FLAG for code in word])
