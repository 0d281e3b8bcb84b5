"""Read moves: "8D RE.sINA" is a play across, "D8 ..." down, "-ABC" an exchange, "-" a pass."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import InvalidInput, excerpt
from engine.messages import Text, message
from engine.position.board_text import EMPTY
from engine.position.coordinates import format_coordinate, format_square, parse_coordinate
from engine.position.move import Exchange, Move, Pass, Play
from engine.position.rack import Rack
from engine.rules import BLANK_FLAG
from engine.rules.alphabet import NOTATION_TOKEN, composed
from engine.rules.readings import readings, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.position.board import Board
    from engine.rules import Alphabet, TileSet

MAX_MOVE_TEXT: Final = 400
"""Maximum length of the text of a move in characters."""

THROUGH: Final = 0x100
OPENED: Final = 0x101
CLOSED: Final = 0x102
MARKS: Final = {".": THROUGH, "(": OPENED, ")": CLOSED}
"""The entries of a word that are no tiles: "." for a tile of the board, and parentheses around such tiles."""

PARENTHESES: Final = re.compile(r"(?:[^()]*\([^()]*\))*[^()]*", re.DOTALL)
EXCHANGE_WORD: Final = re.compile(r"exch(?:ange)?\.?\s+", re.IGNORECASE | re.ASCII)


def word_readings(word: str, alphabet: Alphabet) -> Iterator[tuple[int, ...]]:
    """Yield the readings of the word of a play, the one with the longest tiles first; none for other texts.

    The entries are tile codes, THROUGH for ".", OPENED and CLOSED. Accents that no tile has are dropped.
    """
    tokens, table = _tokens(word, alphabet), _word_table(alphabet)
    if alphabet.has_long_tiles:
        return readings(tokens, table, longest=True)
    return iter([tuple([table[token] for token in tokens])] if table.keys() >= set(tokens) else [])


def _tokens(word: str, alphabet: Alphabet) -> list[str]:
    return NOTATION_TOKEN.findall(alphabet.unaccented(word))


@lru_cache(maxsize=64)
def _word_table(alphabet: Alphabet) -> dict[str, int]:
    return {**{text: code for text, code in alphabet.spellings.items() if code}, **MARKS}


def parse_move(
    text: str, board: Board, tile_set: TileSet, field: str = "move", rack: Rack | None = None
) -> Move:
    """Read a move on a board; the inverse of `format_move`, which also reads other notations.

    A tile of the board can be written as ".", in parentheses, or as its letter; an exchange as "exch ABC", a
    pass as "pass". Accents that no tile has are dropped. Letters without brackets that can be one tile or
    several ("CH") are read as they fit the board and the rack, if it is given; if both readings fit, as the
    longer tile (see `engine.rules.readings`). The word must include all tiles of the board directly before
    and after it. A play of one tile is returned across if it makes a word across, else down. The words and
    the connection to other tiles are not checked. Raises InvalidInput naming the square.
    """
    if len(text) > MAX_MOVE_TEXT:
        raise InvalidInput(
            Text("'{text}' is too long for a move", text=excerpt(text)),
            code="bad_move",
            field=field,
        )
    stripped = text.strip()
    if stripped == "-" or stripped.lower() == "pass":
        return Pass()
    exchange = EXCHANGE_WORD.match(stripped)
    if exchange or stripped.startswith("-"):
        return _exchange(stripped[exchange.end() if exchange else 1 :], tile_set.alphabet, field, rack)
    parts = stripped.split()
    if len(parts) != 2:
        raise InvalidInput(
            Text("'{text}' is not a move such as '8D WORD', '-ABC' or '-'", text=excerpt(text)),
            code="bad_move",
            field=field,
        )
    row, column, down = parse_coordinate(parts[0], board.side, field)
    reader = _PlayReader(board, tile_set.alphabet, field, parts[1])
    if not rack or not tile_set.alphabet.has_long_tiles:
        return next(reader.plays(row, column, down))
    plays = list(reader.plays(row, column, down))
    return next((play for play in plays if not _lacking(play, rack)), plays[0])


def _lacking(play: Play, rack: Rack) -> bool:
    """Return whether a play places tiles that are not in a rack."""
    used = play.used
    return any(used.count(code) > rack.tiles.count(code) for code in used)


def _exchange(text: str, alphabet: Alphabet, field: str, rack: Rack | None) -> Exchange:
    """Read the tiles of an exchange: as a rack, or the reading that the given rack contains."""
    tiles = Rack.from_text(text.strip(), alphabet, field).tiles
    if not tiles:
        raise InvalidInput(Text("an exchange must name its tiles"), code="bad_move", field=field)
    if rack and alphabet.has_long_tiles:
        tokens = NOTATION_TOKEN.findall(composed(text.strip()))
        for codes in readings(tokens, alphabet.spellings, longest=False):
            if all(codes.count(code) <= rack.tiles.count(code) for code in codes):
                return Exchange(bytes(codes), alphabet)
    return Exchange(tiles, alphabet)


class _PlayReader(NamedTuple):
    """Read the word of a play against the board."""

    board: Board
    alphabet: Alphabet
    field: str
    word: str

    def plays(self, row: int, column: int, down: bool) -> Iterator[Play]:
        """Yield the plays that the word can be on the board, the one with the longest tiles first.

        Raises InvalidInput, as the first reading fails, if there is none.
        """
        none = True
        refused: InvalidInput | None = None
        for entries in self._readings():
            try:
                play = self._play(row, column, down, entries)
            except InvalidInput as error:
                refused = refused or error
            else:
                none = False
                yield play
        if none and refused is not None:
            raise refused

    def _play(self, row: int, column: int, down: bool, entries: Sequence[int]) -> Play:
        step_row, step_column = (1, 0) if down else (0, 1)
        tiles: list[int] = []
        through = False
        for entry in entries:
            if entry in (OPENED, CLOSED):
                through = entry == OPENED
                continue
            at_row, at_column = row + step_row * len(tiles), column + step_column * len(tiles)
            if at_row >= self.board.side or at_column >= self.board.side:
                raise self._word_fault("off_board", message("'{word}' extends beyond the board"))
            tiles.append(self._tile(entry, through or entry == THROUGH, at_row, at_column))
        play = Play(row, column, down, tuple(tiles))
        if not any(tiles):
            raise self._word_fault("no_tile_placed", message("'{word}' places no tile"))
        self._check_whole(play)
        return self._normal(play)

    def _readings(self) -> Iterator[tuple[int, ...]]:
        """Yield the readings of the word; raise InvalidInput if there is none."""
        if not PARENTHESES.fullmatch(self.word):
            raise self._word_fault("bad_move", message("the parentheses of '{word}' do not match"))
        if not self.word.strip("()"):
            raise self._word_fault("bad_move", message("'{word}' is not a word of a play"))
        none = True
        for entries in word_readings(self.word, self.alphabet):
            none = False
            yield entries
        if none:
            token = unreadable(_tokens(self.word, self.alphabet), _word_table(self.alphabet))
            raise self._fault(
                "unknown_tile",
                Text(
                    "'{text}' in '{word}' is not a tile of this tile set",
                    text=excerpt(token),
                    word=excerpt(self.word),
                ),
            )

    def _tile(self, entry: int, through: bool, row: int, column: int) -> int:
        """Return the entry of `Play.tiles` for one square; raise InvalidInput naming it."""
        there = self.board[row, column]
        if there == EMPTY:
            if through:
                square = format_square(row, column)
                raise self._fault(
                    "square_empty",
                    Text("the square {square} has no tile to play through", square=square),
                )
            return entry
        if entry != THROUGH and (entry & ~BLANK_FLAG) != (there & ~BLANK_FLAG):
            there_text, wanted = self.alphabet.text([there]), self.alphabet.text([entry])
            square = format_square(row, column)
            raise self._fault(
                "square_taken",
                Text(
                    "the square {square} has the tile {held}, so {letter} cannot be placed there",
                    square=square,
                    held=there_text,
                    letter=wanted,
                ),
            )
        return 0

    def _check_whole(self, play: Play) -> None:
        row, column, length = self._word(play.row, play.column, play.down, play.tiles)
        if (row, column) != (play.row, play.column):
            start = format_coordinate(row, column, play.down)
            detail = Text("the word begins at {square}: write all of it", square=start)
            raise self._fault("word_not_whole", detail)
        if length != len(play.tiles):
            raise self._fault("word_not_whole", Text("the word includes the tiles after it: write all of it"))

    def _normal(self, play: Play) -> Play:
        """Return a play of one tile in its normal form, across if possible; return other plays unchanged."""
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
        square = format_square(row, column)
        detail = Text("one tile alone at {square} makes no word", square=square)
        raise self._fault("lone_tile", detail)

    def _word(self, row: int, column: int, down: bool, tiles: tuple[int, ...]) -> tuple[int, int, int]:
        """Return first row, first column and length of the word of these tiles and their neighbours."""
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

    def _fault(self, code: str, detail: Text) -> InvalidInput:
        return InvalidInput(detail, code=code, field=self.field)

    def _word_fault(self, code: str, template: str) -> InvalidInput:
        return self._fault(code, Text(template, word=excerpt(self.word)))
