"""Read the text of a recorded play; words that leave out tiles of the board are completed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import InvalidInput, excerpt
from engine.messages import Text
from engine.position import Play, format_coordinate, parse_coordinate, parse_move
from engine.position.notation import CLOSED, MAX_MOVE_TEXT, OPENED, word_readings
from engine.rules.alphabet import NOTATION_TOKEN, composed

if TYPE_CHECKING:
    from engine.position import Board, Rack
    from engine.records.gcg.record import Event
    from engine.rules import Alphabet, TileSet


def read_play(event: Event, board: Board, tile_set: TileSet, rack: Rack | None) -> tuple[Play, bool]:
    """Return the play of an event, and whether its word had to be completed.

    A word is completed with the tiles of the board directly before or after it. The rack, if it is known,
    decides between tiles of one letter and of several. Raises InvalidInput naming the square.
    """
    try:
        return _play(f"{event.at} {event.text}", board, tile_set, rack), False
    except InvalidInput as error:
        row, column, down = parse_coordinate(event.at, board.side)
        lengths = _lengths(event.text, tile_set.alphabet)
        if (row if down else column) + min(lengths) > board.side:
            text = f"{event.at} {event.text}"
            sentence = Text("'{text}' runs off the board", text=excerpt(text))
            raise InvalidInput(sentence, code="off_board", field="move") from None
        if error.code != "word_not_whole" and len(lengths) == 1:
            raise
        for length in lengths:
            completed = _completed(event.text, row, column, down, length, board)
            try:
                return _play(completed, board, tile_set, rack), True
            except InvalidInput:
                continue
        raise


def _play(text: str, board: Board, tile_set: TileSet, rack: Rack | None) -> Play:
    move = parse_move(text, board, tile_set, rack=rack)
    assert isinstance(move, Play)  # noqa: S101 - for the type checker; a coordinate begins the text
    return move


def _lengths(word: str, alphabet: Alphabet) -> list[int]:
    """List the possible lengths of a word in squares, without parentheses around tiles of the board."""
    if len(word) > MAX_MOVE_TEXT:
        return [len(word)]
    counted = [
        sum([entry not in (OPENED, CLOSED) for entry in entries]) for entries in word_readings(word, alphabet)
    ]
    bare = word.replace("(", "").replace(")", "")
    return list(dict.fromkeys(counted)) or [len(NOTATION_TOKEN.findall(composed(bare)))]


def _completed(word: str, row: int, column: int, down: bool, length: int, board: Board) -> str:
    """Return the play of a word with the tiles of the board before and after it."""
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
