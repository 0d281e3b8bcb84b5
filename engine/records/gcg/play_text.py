"""The text of a recorded play as a move, a little more forgiving than a request may be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, quoted
from engine.position import Play, format_coordinate, parse_coordinate, parse_move
from engine.rules.alphabet import NOTATION_TOKEN, composed

if TYPE_CHECKING:
    from engine.position import Board
    from engine.records.gcg.record import Event
    from engine.rules import TileSet

PARENTHESIS: Final = re.compile("[()]")


def read_play(event: Event, board: Board, tile_set: TileSet) -> tuple[Play, bool]:
    """Return the play of an event, and whether its word had to be completed.

    A word that leaves out tiles of the board just before or after it is taken with them. Raises
    InvalidInput naming the square.
    """
    try:
        return _play(f"{event.at} {event.text}", board, tile_set), False
    except InvalidInput as error:
        row, column, down = parse_coordinate(event.at, board.side)
        # Parentheses stand around tiles of the board; they are no squares.
        length = len(NOTATION_TOKEN.findall(PARENTHESIS.sub("", composed(event.text))))
        if (row if down else column) + length > board.side:
            sentence = f"{quoted(f'{event.at} {event.text}')} runs off the board"
            raise InvalidInput(sentence, code="off_board", field="move") from None
        if error.code != "word_not_whole":
            raise
        return _play(_completed(event.text, row, column, down, length, board), board, tile_set), True


def _play(text: str, board: Board, tile_set: TileSet) -> Play:
    move = parse_move(text, board, tile_set)
    assert isinstance(move, Play)  # noqa: S101 - for the type checker; a coordinate begins the text
    return move


def _completed(word: str, row: int, column: int, down: bool, length: int, board: Board) -> str:
    """Write a word with the tiles of the board on both ends of it."""
    squares, side = board.squares, board.side
    line = squares[column::side] if down else squares[row * side : (row + 1) * side]
    first = start = row if down else column
    while first and line[first - 1]:
        first -= 1
    end = last = start + length
    while last < side and line[last]:
        last += 1
    at = format_coordinate(first, column, True) if down else format_coordinate(row, first, False)
    return f"{at} {'.' * (start - first)}{word}{'.' * (last - end)}"
