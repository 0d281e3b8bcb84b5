"""Models of the opponent's rack: which tiles the opponent may hold for certain, and with what probability.

* off: only the tiles that the position says.
* seed: the last move left n good tiles, n by the rules of [Heuri], section 8.3; the ten most probable members
  of R_n, the good leaves of n tiles, have a tenth each.
* bayes: leaves are inferred from the last move (`inference`).

Tiles that the position says are on the rack in every model. The rest of the rack is drawn from the unseen
tiles.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, prod
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import InvalidInput, excerpt
from engine.evaluation.bingo_leaves import good_leaves
from engine.messages import Text
from engine.movegen import InternalWords
from engine.position import BLANK_FLAG, EMPTY, Board, Play, Rack, parse_coordinate, parse_move
from engine.position.notation import CLOSED, MAX_MOVE_TEXT, OPENED, THROUGH, word_readings
from engine.search.inference import leaves_after_exchange, leaves_after_play

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from engine.search.deadline import Deadline

OPPONENT_MODELS: Final = ("off", "seed", "bayes")
GOOD_LEAVES: Final = 10
"""Number of members of R_n that are used, the most probable ones."""

MANY_POINTS: Final = 30
"""Points from which on a play says little about its leave ([Heuri], section 8.3)."""

MIN_SHARE: Final = 1e-6
"""Inferred leaves with a smaller probability are ignored."""

_RACK: Final = 7


def opponent_tiles(
    position: Position, board: LoadedBoard, model: str, seed: int, deadline: Deadline
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return tiles that the opponent may hold for certain, rows of a count and 7 codes, and their
    probabilities.

    Without a last move, or with one from which nothing follows, there is one row, as in the model "off".
    Raises InvalidInput (field "players/1/last_move") for a last move that is not on the board.
    """
    known = position.players[1].held.tiles
    likely: list[tuple[bytes, float]] = []
    if model != "off" and (text := last_move_text(position)):
        last = LastMove(position, board, text)
        likely = (
            _good(position, board.lexicon, last)
            if model == "seed"
            else _inferred(position, board, last, seed, deadline)
        )
    probabilities: dict[bytes, float] = {}
    count = sum(position.unseen()) - position.bag_count()
    for leave, share in likely:
        tiles = bytes(sorted(known + _missing(leave, known)))
        if len(tiles) <= count and not _missing(tiles, _all(position.unseen())):
            probabilities[tiles] = probabilities.get(tiles, 0.0) + share
    if not probabilities:
        probabilities = {known: 1.0}
    rows = np.zeros((len(probabilities), _RACK + 1), np.uint8)
    for row, tiles in zip(rows, probabilities, strict=True):
        row[0] = len(tiles)
        row[1 : 1 + len(tiles)] = list(tiles)
    shares = np.array(list(probabilities.values()))
    return rows, shares / shares.sum()


def last_move_text(position: Position) -> str:
    """Return the opponent's last move as the position gives it, empty if unknown."""
    return (position.players[1].last_move or "").strip()


def lacks_last_move(position: Position, model: str) -> bool:
    """Return whether a model infers nothing because the last move is unknown, with tiles in the bag."""
    return model != "off" and not last_move_text(position) and position.bag_count() > 0


def reads_good_leaves(position: Position, model: str) -> bool:
    """Return whether a model reads the table of good leaves: "seed" does, if a last move is known."""
    return model == "seed" and len(position.players) > 1 and bool(last_move_text(position))


def read_last_move(position: Position, text: str) -> tuple[int, Play | None, Board | None]:
    """Return the number of tiles that a last move used and, for a play, the play and the board before it.

    The text is a play, with dots or parentheses for tiles that were on the board before; "-3" or "-ABC" for
    an exchange; "-" for a pass. Raises InvalidInput (field "players/1/last_move").
    """
    number = text.strip().removeprefix("exch").lstrip("- ")
    before: Board | None = None
    laid: Rack | None = None
    play: Play | None = None
    if number.isdecimal() and number.isascii() and len(number) == 1:
        used = int(number)
    else:
        if len(text.split()) == 2 and not text.lower().startswith("exch"):
            before, laid = _without(position, text)
        move = parse_move(text, before or position.board, position.tile_set, _FIELD, laid)
        used, play = len(move.used), move if isinstance(move, Play) else None
    if used > position.rules.rack_size:
        raise _refused(Text("the last move '{text}' takes more tiles than a rack holds", text=excerpt(text)))
    return used, play, before


class LastMove:
    """The opponent's last move.

    `used`: number of tiles played or exchanged; `play`, `before`: for a play, the play and the board before
    it; `score`: its points, None if it was not legal (a phony).
    """

    def __init__(self, position: Position, board: LoadedBoard, text: str) -> None:
        """Parse the text; raises what `read_last_move` raises."""
        self.used, self.play, before = read_last_move(position, text)
        self.before: LoadedBoard | None = None
        self.score: int | None = 0
        if self.play is not None and before is not None:
            self.before = type(board).load(before, board.layout, board.tile_set, board.lexicon)
            self.score = _points(self.before, self.play, position)

    @property
    def good_tiles(self) -> int | None:
        """The number of good tiles in the leave by the rules of [Heuri]; None if nothing follows from the
        move.
        """
        if self.play is None:  # a pass counts as a leave of six tiles
            return _RACK - self.used if self.used else _RACK - 1
        if self.score is None:
            return None
        if self.score < MANY_POINTS or self.used == _RACK:
            return _RACK - self.used
        return 1 if self.used > 3 else 2


_FIELD: Final = "players/1/last_move"


def _refused(detail: Text) -> InvalidInput:
    return InvalidInput(detail, code="bad_last_move", field=_FIELD)


def _without(position: Position, text: str) -> tuple[Board, Rack]:
    """Return the board before a play that lies on it, and the tiles that its word spells out.

    Of several readings of the word, the first that the board holds is taken.
    """
    at, word = text.split()
    row, column, down = parse_coordinate(at, position.board.side, _FIELD)
    board, side = position.board, position.board.side
    readings = list(word_readings(word, position.tile_set.alphabet)) if len(text) <= MAX_MOVE_TEXT else []
    if not readings:
        parse_move(text, board, position.tile_set, _FIELD)  # says which character is no tile
    for entries in readings:
        squares = bytearray(board.squares)
        laid: list[int] = []
        for place, code in _named_squares(entries, row, column, down, side):
            there = squares[place]
            if there == EMPTY or there & ~BLANK_FLAG != code & ~BLANK_FLAG:
                break
            laid.append(0 if code & BLANK_FLAG else code)
            squares[place] = EMPTY
        else:
            return Board(side, bytes(squares)), Rack(bytes(laid))
    raise _refused(Text("the last move '{text}' is not on the board", text=excerpt(text)))


def _named_squares(
    entries: Sequence[int], row: int, column: int, down: bool, side: int
) -> Iterator[tuple[int, int]]:
    """Yield the squares for which a text names a letter, and the codes; stops at the edge of the board."""
    through, step = False, 0
    for entry in entries:
        if entry in (OPENED, CLOSED):
            through = entry == OPENED
            continue
        here_row, here_column = (row + step, column) if down else (row, column + step)
        step += 1
        if here_row >= side or here_column >= side:
            return
        if not through and entry != THROUGH:
            yield here_row * side + here_column, entry


def _points(before: LoadedBoard, play: Play, position: Position) -> int | None:
    """Return the points of a play on a board, None if it is not legal."""
    tiles = bytes(sorted(play.used))
    plays = InternalWords(before.lexicon).generate(before, Rack(tiles), position.rules)
    for index in np.flatnonzero(plays.array["placed"] == len(tiles)):
        if plays.move(int(index)).placements() == play.placements():
            return int(plays.array["score"][index])
    return None


@lru_cache(maxsize=32)
def _good_leaves(lexicon: Lexicon, size: int) -> tuple[bytes, ...]:
    return tuple(leave for leave, _ in good_leaves(lexicon, size))


def _good(position: Position, lexicon: Lexicon, last: LastMove) -> list[tuple[bytes, float]]:
    """Return the members of R_n most likely to be drawn from the unseen tiles, with equal probabilities."""
    n = last.good_tiles
    count = sum(position.unseen()) - position.bag_count()
    if n is None or not 0 < n <= count:
        return []
    unseen = position.unseen()
    ways = [
        (prod(comb(unseen[code], leave.count(code)) for code in set(leave)), leave)
        for leave in _good_leaves(lexicon, n)
    ]
    ways.sort(key=lambda pair: -pair[0])
    return [(leave, 1 / GOOD_LEAVES) for possible, leave in ways[:GOOD_LEAVES] if possible]


def _inferred(
    position: Position, board: LoadedBoard, last: LastMove, seed: int, deadline: Deadline
) -> list[tuple[bytes, float]]:
    """Return leaves inferred from the last move with their probabilities; none if nothing follows from it."""
    if not position.bag_count():
        return []  # the unseen tiles are the opponent's rack
    if last.play is None or last.before is None:
        found = leaves_after_exchange(board, position, last.used, seed, deadline)
    elif last.score is None:
        return []
    else:
        tiles = bytes(sorted(last.play.used))
        found = leaves_after_play(last.before, position, tiles, last.score, seed, deadline)
    total = sum(weight for _, weight in found)
    return [(leave, weight / total) for leave, weight in found if weight > MIN_SHARE * total]


def _missing(tiles: bytes, rack: bytes) -> bytes:
    """Return the tiles of a multiset that a rack lacks."""
    rest, missing = bytearray(rack), bytearray()
    for code in tiles:
        if code in rest:
            rest.remove(code)
        else:
            missing.append(code)
    return bytes(missing)


def _all(counts: tuple[int, ...]) -> bytes:
    return b"".join(bytes([code]) * count for code, count in enumerate(counts))
