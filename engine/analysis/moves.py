"""Describing moves: what a play lays down, the words it makes with their points, what it leaves."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from engine.analysis.result import FormedWord, MoveReport, PlacedTile
from engine.position import (
    BLANK_FLAG,
    Exchange,
    Pass,
    Play,
    format_coordinate,
    format_move,
    format_square,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.analysis.ranking import Worth
    from engine.lexicon import Lexicon
    from engine.position import Move, Position, Rack

_LETTER = ~BLANK_FLAG


class Run(NamedTuple):
    """Hold a word on the board: where it begins, its letters (codes 1..n), its points."""

    row: int
    column: int
    down: bool
    letters: bytes
    score: int


class Describer:
    """Describe moves of one position; made once per request, so that plain lists replace arrays."""

    def __init__(self, position: Position, lexicon: Lexicon) -> None:
        self._position = position
        self._lexicon = lexicon
        self._alphabet = position.tile_set.alphabet
        self._values = position.tile_set.values
        self._squares = position.board.squares
        self._side = position.board.side
        self._letter_factors: list[int] = position.layout.letter_factors.ravel().tolist()
        self._word_factors: list[int] = position.layout.word_factors.ravel().tolist()

    def describe(self, move: Move, rank: int | None, worth: Worth | None = None) -> MoveReport:
        """Describe a move of the player on turn, whose rack must hold the tiles.

        A move is a fish if it scores less than the bingos to be expected of what it keeps are worth (thesis
        003, section 7.2).
        """
        report = self._play(move, rank) if isinstance(move, Play) else self._other(move, rank)
        if worth is not None:
            report.win_pct = worth.win_pct
            report.sim = worth.sim
            report.endgame = worth.endgame
            report.preendgame = worth.preendgame
            if worth.equity is not None and worth.leave_value is not None:
                report.equity = worth.equity / 1000
                report.leave_value = worth.leave_value / 1000
            if worth.bingos is not None:
                report.bingo_expectation = worth.bingos / 1000
                report.is_fish = worth.bingos > 1000 * report.score
        return report

    def _other(self, move: Move, rank: int | None) -> MoveReport:
        tiles = move.tiles if isinstance(move, Exchange) else b""
        return MoveReport(
            rank=rank,
            move=format_move(move, self._position.tile_set),
            kind="exchange" if tiles else "pass",
            at=None,
            direction=None,
            word=None,
            placed=(),
            tiles_used=len(tiles),
            score=0,
            words=(),
            bonus=0,
            leave=self._leave(tiles),
            is_bingo=False,
        )

    def _play(self, play: Play, rank: int | None) -> MoveReport:
        alphabet = self._alphabet
        runs = self.words(play)
        used = [code for code in play.tiles if code]
        bonus = self._bonus(len(used))
        placed = tuple(
            [
                PlacedTile(
                    format_square(at_row, at_column),
                    alphabet.letters[(code & _LETTER) - 1],
                    bool(code & BLANK_FLAG),
                )
                for at_row, at_column, code in play.placements()
            ]
        )
        words = tuple(
            [
                FormedWord(
                    alphabet.word(run.letters),
                    format_coordinate(run.row, run.column, run.down),
                    run.score,
                    # A ranked move is legal, so its words need no second look.
                    rank is not None or self._lexicon.contains(run.letters),
                )
                for run in runs
            ]
        )
        return MoveReport(
            rank=rank,
            move=format_move(play, self._position.tile_set),
            kind="play",
            at=words[0].at,
            direction="down" if play.down else "across",
            word=words[0].word,
            placed=placed,
            tiles_used=len(used),
            score=sum([run.score for run in runs]) + bonus,
            words=words,
            bonus=bonus,
            leave=self._leave([0 if code & BLANK_FLAG else code for code in used]),
            is_bingo=len(used) == self._position.rules.bingo_tiles,
        )

    def _bonus(self, used: int) -> int:
        rules = self._position.rules
        return rules.bingo_bonus if used == rules.bingo_tiles else 0

    def score(self, play: Play) -> int:
        """Return the points of a play, bonus included, whether its words are valid or not."""
        return sum(run.score for run in self.words(play)) + self._bonus(len(play.placements()))

    def words(self, play: Play) -> list[Run]:
        """List the words that a play makes, the main word first, then the others in reading order.

        Letter premiums count before word premiums, word premiums multiply together, and a blank scores
        nothing itself but keeps the word premium under it (systems R).
        """
        side, squares, values = self._side, self._squares, self._values
        along, across = (side, 1) if play.down else (1, side)
        square = play.row * side + play.column
        points, factor = 0, 1
        letters = bytearray()
        others: list[Run] = []
        for code in play.tiles:
            if code:
                value = (0 if code & BLANK_FLAG else values[code]) * self._letter_factors[square]
                factor *= self._word_factors[square]
                crossing = self._crossing(square, code, value, across)
                if crossing is not None:
                    others.append(crossing)
            else:
                code = squares[square]
                value = 0 if code & BLANK_FLAG else values[code]
            points += value
            letters.append(code & _LETTER)
            square += along
        return [Run(play.row, play.column, play.down, bytes(letters), points * factor), *others]

    def _crossing(self, square: int, code: int, value: int, step: int) -> Run | None:
        """Return the word through a new tile along `step` (1 across, side down), None if it stands alone."""
        side, squares = self._side, self._squares
        place, last = (square % side, side - 1) if step == 1 else (square // side, side - 1)
        before = 0
        while before < place and squares[square - (before + 1) * step]:
            before += 1
        after = 0
        while place + after < last and squares[square + (after + 1) * step]:
            after += 1
        if not before and not after:
            return None
        start = square - before * step
        codes = list(squares[start : square + after * step + 1 : step])
        points = value + sum(0 if tile & BLANK_FLAG else self._values[tile] for tile in codes if tile)
        codes[before] = code
        letters = bytes([tile & _LETTER for tile in codes])
        return Run(*divmod(start, side), step != 1, letters, points * self._word_factors[square])

    def _leave(self, used: Sequence[int]) -> str:
        left = bytearray(self._position.rack.tiles)
        for code in used:
            if code in left:  # a phony of a compared move may use tiles the rack lacks
                left.remove(code)
        letters = left.lstrip(b"\0")  # blanks have the lowest code, but are written last
        return self._alphabet.text(letters) + "?" * (len(left) - len(letters))


def exchange_count(position: Position) -> int:
    """Count the different exchanges: any part of the rack, equal tiles being one, but not none of it."""
    if position.bag_count() < position.rules.exchange_limit:
        return 0
    return prod(count + 1 for count in Counter(position.rack.tiles).values()) - 1


def exchanges(position: Position) -> list[Exchange]:
    """List every different exchange: fewest tiles first, then by tile codes; none if the bag is too small."""
    if position.bag_count() < position.rules.exchange_limit:
        return []
    tiles = position.rack.tiles
    return [
        Exchange(bytes(chosen))
        for size in range(1, len(tiles) + 1)
        for chosen in sorted(set(combinations(tiles, size)))
    ]


def other_moves(position: Position) -> Iterator[Move]:
    """Yield the moves that are no plays, in the order in which they follow the plays."""
    yield from exchanges(position)
    yield Pass()


def missing_tiles(used: Sequence[int], rack: Rack) -> list[int]:
    """List the tile codes (0 a blank) that a move needs and the rack lacks."""
    return list((Counter(used) - Counter(rack.tiles)).elements())
