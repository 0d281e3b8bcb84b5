"""Moves: plays, exchanges and passes, and how records write them.

Every move has its `kind` ("play", "exchange" or "pass"), the tiles `used` from the rack, those `returned` to
the bag, and the `placements` of those that it puts on the board.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from engine.position.coordinates import format_coordinate, format_square
from engine.position.rack import Rack
from engine.rules import BLANK_FLAG
from engine.rules.readings import MAX_JOINED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.position.board import Board
    from engine.rules import Alphabet, TileSet


class PlacedTile(NamedTuple):
    """Name a square ("8D"), the letter that a play puts there, and whether a blank stands for it."""

    square: str
    letter: str
    blank: bool


@dataclass(frozen=True, slots=True)
class Play:
    """A play places tiles in one row or column; immutable.

    (`row`, `column`) is the first square of the main word, 0-based, and `down` its direction. `tiles` has one
    entry for each square of the main word: 0 for a tile of the board, else the code placed, with BLANK_FLAG
    for a blank. Two plays are equal if these four are.

    A play of a position also has its `board`, its `score` in points, and `is_bingo`: whether it places as
    many tiles as the rules give a bonus for. Without a board its text cannot be written.
    """

    row: int
    column: int
    down: bool
    tiles: tuple[int, ...]
    board: Board | None = dataclasses.field(default=None, compare=False)
    score: int = dataclasses.field(default=0, compare=False)
    is_bingo: bool = dataclasses.field(default=False, compare=False)

    kind: ClassVar = "play"
    returned: ClassVar = b""

    def placements(self) -> list[tuple[int, int, int]]:
        """List the placed tiles as (row, column, tile code) in reading order."""
        row, column = self.row, self.column
        if self.down:
            return [(row + step, column, code) for step, code in enumerate(self.tiles) if code]
        return [(row, column + step, code) for step, code in enumerate(self.tiles) if code]

    @property
    def used(self) -> bytes:
        """The tiles that the play takes from the rack, blanks as code 0."""
        return bytes([0 if code & BLANK_FLAG else code for code in self.tiles if code])

    @property
    def across(self) -> bool:
        """Whether the main word reads across."""
        return not self.down

    @property
    def square(self) -> str:
        """Where the main word begins: "8D" across, "D8" down."""
        return format_coordinate(self.row, self.column, self.down)

    @property
    def text(self) -> str:
        """The play as records write it: "8D RE.sINA"; "." is a tile of the board, "s" a blank."""
        return _play_text(self, _alphabet(self.board))

    @property
    def word(self) -> str:
        """The main word, in capital letters."""
        alphabet, board = _alphabet(self.board), self.board
        assert board is not None  # noqa: S101 - it has an alphabet
        start, step = self.row * board.side + self.column, board.side if self.down else 1
        codes = [code or board.squares[start + at * step] for at, code in enumerate(self.tiles)]
        return alphabet.word([code & ~BLANK_FLAG for code in codes])

    @property
    def placed(self) -> list[PlacedTile]:
        """The tiles that the play puts on the board, in reading order."""
        letter = _alphabet(self.board).letter
        return [
            PlacedTile(format_square(row, column), letter(code & ~BLANK_FLAG), code >= BLANK_FLAG)
            for row, column, code in self.placements()
        ]

    def __str__(self) -> str:
        return repr(self) if self.board is None else self.text

    def __repr__(self) -> str:
        if self.board is None:
            return f"Play({self.square}, {self.tiles})"
        return f"Play({self.text!r}, {self.score})"


@dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange returns tiles to the bag; `tiles` are their codes in ascending order, 0 for a blank.

    `alphabet` gives the letters when the exchange is printed; comparisons ignore it. Immutable.
    """

    tiles: bytes
    alphabet: Alphabet | None = dataclasses.field(default=None, compare=False)

    kind: ClassVar = "exchange"

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", bytes(sorted(self.tiles)))

    @property
    def used(self) -> bytes:
        """The tiles that the exchange takes from the rack."""
        return self.tiles

    @property
    def returned(self) -> bytes:
        """The tiles that the exchange puts into the bag."""
        return self.tiles

    def placements(self) -> list[tuple[int, int, int]]:
        """List no tiles: none is placed."""
        return []

    def __str__(self) -> str:
        """Write the exchange in the notation of records: "-QV"."""
        return f"-{Rack(self.tiles, self.alphabet)}"

    def __repr__(self) -> str:
        return f"Exchange({self.tiles if self.alphabet is None else str(self)[1:]!r})"


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass neither places nor exchanges tiles."""

    kind: ClassVar = "pass"
    used: ClassVar = b""
    returned: ClassVar = b""

    def placements(self) -> list[tuple[int, int, int]]:
        """List no tiles: none is placed."""
        return []

    def __str__(self) -> str:
        """Write the pass in the notation of records: "-"."""
        return "-"


Move: TypeAlias = Play | Exchange | Pass


def format_move(move: Move, tile_set: TileSet) -> str:
    """Write a move: "8D RE.sINA" ("." is a tile of the board, lower case a blank), "-ABC", "-"."""
    match move:
        case Play():
            return _play_text(move, tile_set.alphabet)
        case Exchange():
            return "-" + Rack(move.tiles).text(tile_set.alphabet)
        case Pass():
            return str(move)


def _alphabet(board: Board | None) -> Alphabet:
    """Return the alphabet of a play's board; raise ValueError if there is none."""
    if board is None or board.alphabet is None:
        raise ValueError("this play has no board with an alphabet, so its tiles have no letters")
    return board.alphabet


def _play_text(play: Play, alphabet: Alphabet) -> str:
    return f"{play.square} {_word(play.tiles, alphabet)}"


def _word(tiles: Sequence[int], alphabet: Alphabet) -> str:
    """Write the tiles of a play unambiguously: "[C]HICO" if C and H are two tiles."""
    table = alphabet.tables[0]
    texts = [table[code] if code else "." for code in tiles]
    for count in range(2, MAX_JOINED + 1) if alphabet.has_long_tiles else ():
        for at in range(len(texts) - count + 1):
            if f"[{''.join(texts[at : at + count])}]" in alphabet.notation:
                texts[at] = f"[{texts[at]}]"
    return "".join(texts)
