"""Reports of moves: the words that a play forms with their points, and the tiles that it leaves.

`Describer` turns the moves of one position into `MoveReport`s. `move_fault` says why a move is illegal.
Squares are numbered row by row on the board with a border of empty squares: a row above and below, and one
square behind each row. So no word runs over the edge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.report import FormedWord, MoveFault, MoveReport, PlacedTile
from engine.errors import InvalidInput
from engine.messages import Text
from engine.position import (
    BLANK_FLAG,
    EMPTY,
    Exchange,
    Play,
    format_coordinate,
    format_move,
    format_square,
    parse_move,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.analysis.report import EndgameReport, PreendgameReport
    from engine.lexicon import Lexicon
    from engine.position import Move, Position, Rack
    from engine.rules import Alphabet, BoardLayout
    from engine.search import Simulated


NOT_IN_LEXICON: Final = "not_in_lexicon"
"""The code of a play whose only fault is an invalid word."""


# Every answer creates as many of these two as it lists moves; frozen ones would take three times as long.
@dataclass(slots=True)
class MoveValues:
    """Hold the values of a move beside its score; None for those that were not requested.

    `equity`, `leave_value` and `bingos` (the bingo expectation) are in millipoints, `win_pct` from 0 to 100;
    `win_pct_low` and `win_pct_high` are its proven range, or equal to it.
    """

    equity: int | None = None
    leave_value: int | None = None
    bingos: int | None = None
    win_pct: float | None = None
    win_pct_low: float | None = None
    win_pct_high: float | None = None
    sim: Simulated | None = None
    endgame: EndgameReport | None = None
    preendgame: PreendgameReport | None = None


@dataclass(slots=True)
class RankedMove:
    """Hold a move, its rank among all legal moves (from 1), and its values."""

    rank: int
    move: Move
    values: MoveValues


class WordOnBoard(NamedTuple):
    """Hold a word on the board: where it begins ("8D" across, "D8" down), its tile codes, and its points."""

    at: str
    tiles: list[int]
    score: int

    @property
    def letters(self) -> bytes:
        """The letter codes of the tiles, a blank as the letter that it stands for."""
        return bytes([code & ~BLANK_FLAG for code in self.tiles])


class FormedWords:
    """List the words that plays on one board form.

    Letter premiums count before word premiums, word premiums multiply, and a blank scores nothing itself but
    keeps the word premium under it [NASPA].
    """

    def __init__(self, position: Position) -> None:
        board = position.board
        self._stride = board.side + 1
        self._squares = _bordered(board.squares, board.side)
        self._points = _points(position.tile_set.values)
        self._letter_factors, self._word_factors = _factors(position.layout)
        self._across, self._down = _square_names(board.side)

    def of(self, play: Play) -> list[WordOnBoard]:
        """List the words of a play: the main word first, then the others in reading order."""
        squares, all_points = self._squares, self._points
        names, step, across = self._across, 1, self._stride
        if play.down:
            names, step, across = self._down, across, step
        first = square = _first_square(play, self._stride)
        tiles, others = [], []
        score, factor = 0, 1
        for code in play.tiles:
            if code:
                points = all_points[code] * self._letter_factors[square]
                factor *= self._word_factors[square]
                tiles.append(code)
                if squares[square - across] or squares[square + across]:
                    others.append(self._through(square, code, points, across))
            else:
                points = all_points[squares[square]]
                tiles.append(squares[square])
            score += points
            square += step
        return [WordOnBoard(names[first], tiles, score * factor), *others]

    def _through(self, square: int, code: int, points: int, step: int) -> WordOnBoard:
        """Return the word along `step` through a new tile that scores `points` with its letter premium."""
        squares = self._squares
        first, end = square, square + step
        while squares[first - step]:
            first -= step
        while squares[end]:
            end += step
        before, after = squares[first:square:step], squares[square + step : end : step]
        score = points + sum([self._points[tile] for tile in (*before, *after)])
        names = self._across if step == 1 else self._down
        return WordOnBoard(names[first], [*before, code, *after], score * self._word_factors[square])


class Describer:
    """Describe the moves of one position; create it once per request."""

    def __init__(self, position: Position, lexicon: Lexicon) -> None:
        self._position = position
        self._lexicon = lexicon
        self._formed = FormedWords(position)
        self._texts, self._letters = _spellings(position.tile_set.alphabet)
        self._names, _ = _square_names(position.board.side)

    def describe(self, move: Move, rank: int | None, values: MoveValues | None = None) -> MoveReport:
        """Describe a move of the player on turn; without a rank, look up whether its words are valid.

        A move is a fish if it scores less than the bingo expectation of its leave ([Heuri], section 7.2).
        """
        report = self._play(move, rank) if isinstance(move, Play) else self._other(move, rank)
        if values is not None:
            report.win_pct = values.win_pct
            report.win_pct_low = values.win_pct_low
            report.win_pct_high = values.win_pct_high
            report.sim = values.sim
            report.endgame = values.endgame
            report.preendgame = values.preendgame
            if values.equity is not None and values.leave_value is not None:
                report.equity = values.equity / 1000
                report.leave_value = values.leave_value / 1000
            if values.bingos is not None:
                report.bingo_expectation = values.bingos / 1000
                report.is_fish = values.bingos > 1000 * report.score
        return report

    def each(self, ranked: Iterable[RankedMove]) -> tuple[MoveReport, ...]:
        """Describe ranked moves."""
        return tuple([self.describe(one.move, one.rank, one.values) for one in ranked])

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
            leave=self._leave(list(tiles_left(self._position.rack, tiles))),
            is_bingo=False,
        )

    def _play(self, play: Play, rank: int | None) -> MoveReport:
        names, letters, texts, rules = self._names, self._letters, self._texts, self._position.rules
        # The words of a ranked move are valid.
        is_valid = self._lexicon.contains if rank is None else None
        score = 0
        words, placed = [], []
        for formed in self._formed.of(play):
            at, tiles, points = formed
            word = "".join([letters[code] for code in tiles])
            words.append(FormedWord(word, at, points, is_valid is None or is_valid(formed.letters)))
            score += points
        stride = self._position.board.side + 1
        square, step = _first_square(play, stride), stride if play.down else 1
        left = list(self._position.rack.tiles)
        for code in play.tiles:
            if code:
                is_blank = code >= BLANK_FLAG
                placed.append(PlacedTile(names[square], letters[code], is_blank))
                tile = 0 if is_blank else code
                if tile in left:  # an illegal move may use tiles that the rack lacks
                    left.remove(tile)
            square += step
        used, main = len(placed), words[0]
        is_bingo = used == rules.bingo_tiles
        bonus = rules.bingo_bonus if is_bingo else 0
        return MoveReport(
            rank=rank,
            move=f"{main.at} {''.join([texts[code] if code else '.' for code in play.tiles])}",
            kind="play",
            at=main.at,
            direction="down" if play.down else "across",
            word=main.word,
            placed=tuple(placed),
            tiles_used=used,
            score=score + bonus,
            words=tuple(words),
            bonus=bonus,
            leave=self._leave(left),
            is_bingo=is_bingo,
        )

    def score(self, play: Play) -> int:
        """Return the points of a play with its bonus, whether its words are valid or not."""
        rules = self._position.rules
        bonus = rules.bingo_bonus if len(play.placements()) == rules.bingo_tiles else 0
        return sum(word.score for word in self.words(play)) + bonus

    def words(self, play: Play) -> list[WordOnBoard]:
        """List the words that a play forms: the main word first, then the others in reading order."""
        return self._formed.of(play)

    def _leave(self, tiles: list[int]) -> str:
        """Format ascending tile codes as a rack: blanks, whose code is the lowest, come last."""
        blanks = tiles.count(0)
        return "".join([self._texts[code] for code in tiles[blanks:]]) + "?" * blanks


def used_tiles(move: Move) -> bytes:
    """Return the tiles that a move takes from the rack, blanks as code 0."""
    if isinstance(move, Play):
        return bytes([0 if code & BLANK_FLAG else code for code in move.tiles if code])
    return move.tiles if isinstance(move, Exchange) else b""


def tiles_left(rack: Rack, used: bytes) -> bytes:
    """Return the tiles of a rack, ascending, that are left when `used` are taken from it."""
    left = bytearray(rack.tiles)
    for code in used:
        if code in left:  # an illegal move may use tiles that the rack lacks
            left.remove(code)
    return bytes(left)


def missing_tiles(used: bytes, rack: Rack) -> list[int]:
    """List the tiles of `used` that the rack lacks, blanks as code 0."""
    return list((Counter(used) - Counter(rack.tiles)).elements())


def read_move(text: str, position: Position) -> Move | MoveFault:
    """Return the move that a text names, legal or not, or why it cannot be read."""
    try:
        return parse_move(text, position.board, position.tile_set, rack=position.rack)
    except InvalidInput as error:
        return MoveFault(error.code, error.message, params=error.params)


def move_fault(move: Move, position: Position, lexicon: Lexicon, describer: Describer) -> MoveFault | None:
    """Return why a move that `parse_move` returned is illegal in its position, None if it is legal."""
    alphabet = position.tile_set.alphabet
    lacking = missing_tiles(used_tiles(move), position.rack)
    if lacking:
        tiles = alphabet.text(lacking)
        return MoveFault("tile_not_in_rack", Text("the rack lacks {tiles}", tiles=tiles))
    if isinstance(move, Play):
        return _play_fault(move, position, lexicon, describer)
    bag = position.bag_count()
    if isinstance(move, Exchange) and bag < position.rules.exchange_limit:
        return MoveFault(
            "exchange_not_allowed",
            Text(
                "an exchange needs {least} tiles in the bag, which holds {bag}",
                least=position.rules.exchange_limit,
                bag=bag,
            ),
        )
    if isinstance(move, Exchange) and len(move.tiles) > bag:
        detail = Text("the bag holds only {bag} tiles to exchange for", bag=bag)
        return MoveFault("exchange_not_allowed", detail)
    return None


def _play_fault(play: Play, position: Position, lexicon: Lexicon, describer: Describer) -> MoveFault | None:
    alphabet = position.tile_set.alphabet
    if not any(play.tiles):
        return MoveFault("no_tile_placed", Text("the play places no tile"))
    if len(play.tiles) < 2:
        return MoveFault("one_letter_word", Text("the play makes no word of two letters or more"))
    if not is_connected(play, position):
        return loose_fault(position)
    wrong = [word for word in describer.words(play) if not lexicon.contains(word.letters)]
    if wrong:
        words = [Text("{word} at {square}", word=alphabet.word(one.letters), square=one.at) for one in wrong]
        detail = Text("not in {lexicon}: {words}", lexicon=lexicon.id, words=words)
        return MoveFault(NOT_IN_LEXICON, detail)
    return None


def is_connected(play: Play, position: Position) -> bool:
    """Return whether a play touches a tile on the board, or covers a start square of an empty one."""
    board, layout = position.board, position.layout
    squares = [
        (play.row + i if play.down else play.row, play.column if play.down else play.column + i)
        for i in range(len(play.tiles))
    ]
    if board.is_empty:
        return any(square in layout.starts for square in squares)
    side = board.side
    return any(
        board.squares[near_row * side + near_column] != EMPTY
        for row, column in squares
        for near_row, near_column in (
            (row, column),
            (row - 1, column),
            (row + 1, column),
            (row, column - 1),
            (row, column + 1),
        )
        if 0 <= near_row < side and 0 <= near_column < side
    )


def loose_fault(position: Position) -> MoveFault:
    """Return the fault of a play that is not connected."""
    if position.board.is_empty:
        return MoveFault("start_not_covered", Text("the first play must cover a start square"))
    return MoveFault("not_connected", Text("the play touches no tile on the board"))


@lru_cache(maxsize=32)
def _spellings(alphabet: Alphabet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return each of the 256 tile codes as boards write it, and as words do."""
    texts, letters = alphabet.tables
    return texts, tuple(
        [letters[at] if (at := code & ~BLANK_FLAG) < len(letters) else "" for code in range(256)]
    )


def _first_square(play: Play, stride: int) -> int:
    """Return the number of a play's first square; `stride`: squares from one row to the next."""
    return (play.row + 1) * stride + play.column


@lru_cache(maxsize=32)
def _square_names(side: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of all squares by number, for plays across ("8D") and for plays down ("D8")."""
    places = [(row - 1, column) for row in range(side + 2) for column in range(side + 1)]
    is_inside = [0 <= row < side and column < side for row, column in places]
    named = list(zip(places, is_inside, strict=True))
    across = tuple([format_square(*place) if inside else "" for place, inside in named])
    return across, tuple([format_coordinate(*place, True) if inside else "" for place, inside in named])


def _bordered(values: bytes, side: int) -> bytes:
    """Return values that are given row by row, by square number; 0 on the border."""
    edge = bytes(side + 1)
    rows = [values[start : start + side] for start in range(0, side * side, side)]
    return b"\0".join([edge[1:], *rows, edge])


@lru_cache(maxsize=32)
def _factors(layout: BoardLayout) -> tuple[bytes, bytes]:
    """Return the letter factors and the word factors of the squares by number."""
    side = layout.side
    return _bordered(layout.letter_factors.tobytes(), side), _bordered(layout.word_factors.tobytes(), side)


@lru_cache(maxsize=32)
def _points(values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of every tile code; a blank scores nothing."""
    return (*values, *[0] * (256 - len(values)))
