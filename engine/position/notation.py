"""Moves as text: "8D RE.sINA" across, "D8 ..." down, "-ABC" an exchange, "-" a pass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import InvalidInput, quoted
from engine.position.board_text import EMPTY
from engine.position.coordinates import format_coordinate, format_square, parse_coordinate
from engine.position.move import Exchange, Move, Pass, Play
from engine.position.rack import Rack
from engine.rules import BLANK_FLAG
from engine.rules.alphabet import NOTATION_TOKEN, composed

if TYPE_CHECKING:
    from engine.position.board import Board
    from engine.rules import Alphabet, TileSet

MAX_MOVE_TEXT: Final = 400
"""The longest text that is read as a move, in characters."""

EXCHANGE_WORD: Final = re.compile(r"exch(?:ange)?\.?\s+", re.IGNORECASE | re.ASCII)


def format_move(move: Move, tile_set: TileSet) -> str:
    """Write a move: "8D RE.sINA" (a "." is a tile already there, lower case a blank), "-ABC", "-"."""
    alphabet = tile_set.alphabet
    if isinstance(move, Play):
        word = alphabet.text(move.tiles).replace("?", ".")
        return f"{format_coordinate(move.row, move.column, move.down)} {word}"
    if isinstance(move, Exchange):
        return "-" + Rack(move.tiles).text(alphabet)
    return "-"


def parse_move(text: str, board: Board, tile_set: TileSet, field: str = "move") -> Move:
    """Read a move on a board; the inverse of `format_move`, and more forgiving.

    A tile already there may be written ".", in parentheses, or as its letter. An exchange may be
    "exch ABC", a pass "pass". The word must be whole: no tile just before or after it. A play of one
    tile is returned across if it makes a word of two or more letters across, else down. Whether the
    words exist and the play touches other tiles is not looked at. Raises InvalidInput naming the square.
    """
    if len(text) > MAX_MOVE_TEXT:
        raise InvalidInput(f"{quoted(text)} is too long for a move", code="bad_move", field=field)
    stripped = text.strip()
    if stripped == "-" or stripped.lower() == "pass":
        return Pass()
    exchange = EXCHANGE_WORD.match(stripped)
    if exchange or stripped.startswith("-"):
        return _exchange(stripped[exchange.end() if exchange else 1 :], tile_set.alphabet, field)
    parts = stripped.split()
    if len(parts) != 2:
        raise InvalidInput(
            f"{quoted(text)} is no move such as '8D WORD', '-ABC' or '-'", code="bad_move", field=field
        )
    row, column, down = parse_coordinate(parts[0], board.side, field)
    return _Reader(board, tile_set.alphabet, field).play(row, column, down, parts[1])


def _exchange(text: str, alphabet: Alphabet, field: str) -> Exchange:
    tiles = Rack.from_text(text.strip(), alphabet, field).tiles
    if not tiles:
        raise InvalidInput("an exchange must name its tiles", code="bad_move", field=field)
    return Exchange(tiles)


class _Reader(NamedTuple):
    """Read the word of a play against the board."""

    board: Board
    alphabet: Alphabet
    field: str

    def play(self, row: int, column: int, down: bool, word: str) -> Play:
        step_row, step_column = (1, 0) if down else (0, 1)
        tiles: list[int] = []
        for code, through in self._tokens(word):
            at_row, at_column = row + step_row * len(tiles), column + step_column * len(tiles)
            if at_row >= self.board.side or at_column >= self.board.side:
                raise self._fault("off_board", f"{quoted(word)} runs off the board")
            tiles.append(self._tile(code, through, at_row, at_column))
        play = Play(row, column, down, tuple(tiles))
        if not any(tiles):
            raise self._fault("no_tile_placed", f"{quoted(word)} places no tile")
        self._check_whole(play)
        return self._normal(play)

    def _tokens(self, word: str) -> list[tuple[int | None, bool]]:
        """Split a word into (tile code or None for ".", whether in parentheses)."""
        tokens: list[tuple[int | None, bool]] = []
        through = False
        unmatched = f"the parentheses of {quoted(word)} do not match"
        for token in NOTATION_TOKEN.findall(composed(word)):
            if token in ("(", ")"):
                if through == (token == "("):  # noqa: S105 - a parenthesis, no password
                    raise self._fault("bad_move", unmatched)
                through = not through
            elif token == ".":  # noqa: S105
                tokens.append((None, True))
            else:
                code = self.alphabet.notation.get(token)
                if not code:
                    raise self._fault(
                        "unknown_tile", f"{quoted(token)} in {quoted(word)} is no tile of this tile set"
                    )
                tokens.append((code, through))
        if through:
            raise self._fault("bad_move", unmatched)
        if not tokens:
            raise self._fault("bad_move", f"{quoted(word)} is no word of a play")
        return tokens

    def _tile(self, code: int | None, through: bool, row: int, column: int) -> int:
        """Return the entry of `Play.tiles` for one square, or raise naming it."""
        there = self.board[row, column]
        if there == EMPTY:
            if through or code is None:
                raise self._fault(
                    "square_empty", f"the square {format_square(row, column)} holds no tile to play through"
                )
            return code
        if code is not None and (code & ~BLANK_FLAG) != (there & ~BLANK_FLAG):
            held, wanted = self.alphabet.text([there]), self.alphabet.text([code])
            raise self._fault(
                "square_taken",
                f"the square {format_square(row, column)} holds {held}, so {wanted} cannot go there",
            )
        return 0

    def _check_whole(self, play: Play) -> None:
        row, column, length = self._word(play.row, play.column, play.down, play.tiles)
        if (row, column) != (play.row, play.column):
            start = format_coordinate(row, column, play.down)
            raise self._fault("word_not_whole", f"the word begins earlier, at {start}: write all of it")
        if length != len(play.tiles):
            raise self._fault("word_not_whole", "the word goes on over tiles already there: write all of it")

    def _normal(self, play: Play) -> Play:
        """Return the one play that stands for a play of one tile; other plays as they are."""
        placed = play.placements()
        if len(placed) > 1:
            return play
        row, column, code = placed[0]
        for down in (False, True):
            first_row, first_column, length = self._word(row, column, down, (code,))
            if length > 1:
                skipped = (row - first_row) + (column - first_column)
                tiles = tuple([code if step == skipped else 0 for step in range(length)])
                return Play(first_row, first_column, down, tiles)
        raise self._fault("lone_tile", f"one tile alone at {format_square(row, column)} makes no word")

    def _word(self, row: int, column: int, down: bool, tiles: tuple[int, ...]) -> tuple[int, int, int]:
        """Return first row, first column and length of the word these tiles make with their neighbours."""
        board, side = self.board, self.board.side
        step = side if down else 1
        place = row * side + column
        line_start = column if down else row * side
        line_end = line_start + step * (side - 1)
        first, last = place, place + step * (len(tiles) - 1)
        while first > line_start and board.squares[first - step] != EMPTY:
            first -= step
        while last < line_end and board.squares[last + step] != EMPTY:
            last += step
        return first // side, first % side, (last - first) // step + 1

    def _fault(self, code: str, detail: str) -> InvalidInput:
        return InvalidInput(detail, code=code, field=self.field)
