"""`LoadedBoard`: load a board, update it after a play, store it and read it back."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

from engine.errors import InvalidInput
from engine.loaded_board.board_narrow import FORMAT
from engine.messages import Text
from engine.position import Board

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.loaded_board.board_kernel import BoardKernel
    from engine.position import Move, Play
    from engine.rules import BoardLayout, TileSet


def loaded_board_key(board: Board, layout: BoardLayout, tile_set: TileSet, lexicon: Lexicon) -> str:
    """Return the name of a loaded board in a cache: the SHA-256 (hexadecimal) of all that it depends on."""
    return _key(board.squares, layout, tile_set, lexicon).hex()


def _key(squares: bytes, layout: BoardLayout, tile_set: TileSet, lexicon: Lexicon) -> bytes:
    dependencies = (layout.sha256, tile_set.sha256, lexicon.table_sha256, str(FORMAT))
    return hashlib.sha256("\n".join(dependencies).encode() + b"\n" + squares).digest()


class LoadedBoard:
    """Cross-check sets, perpendicular points, halo and runs of a board, for one lexicon.

    It depends on the tiles on the board, the layout, the tile values and the lexicon, not on a rack, so it
    can be cached and shared between requests [Heuri, section 6.3.2]. Immutable.
    """

    def __init__(self, kernel: BoardKernel, layout: BoardLayout, tile_set: TileSet, lexicon: Lexicon) -> None:
        self.kernel = kernel
        self.layout = layout
        self.tile_set = tile_set
        self.lexicon = lexicon

    @classmethod
    def load(cls, board: Board, layout: BoardLayout, tile_set: TileSet, lexicon: Lexicon) -> LoadedBoard:
        """Load a board from scratch.

        Raises InvalidInput if the board is larger than the lexicon's tables were built for
        ("board_too_large"), not as wide as the layout ("wrong_board_size"), or of other letters than the
        lexicon ("tile_set_mismatch").
        """
        _check(board, layout, tile_set, lexicon)
        kernel = lexicon.kernels.board.BoardKernel(lexicon.tables, board.squares, tile_set.values, layout)
        return cls(kernel, layout, tile_set, lexicon)

    def after(self, move: Move) -> LoadedBoard:
        """Return the board after a move, equal byte for byte to one loaded from scratch."""
        if not (placed := self._new_tiles(move)):
            return self
        return LoadedBoard(self.kernel.after(placed), self.layout, self.tile_set, self.lexicon)

    def timing(self, play: Play, way: str) -> int:
        """Return the nanoseconds that the kernel takes to do one thing, without the time of Python.

        `way`: "load" this board from scratch, "update" a copy after a play, or "copy_and_update". Raises
        ValueError for another way.
        """
        return self.kernel.timing(self._new_tiles(play), way)

    def _new_tiles(self, move: Move) -> list[tuple[int, int]]:
        """Return (square, tile code) of each tile that a move puts on the board."""
        side = self.kernel.side
        return [(row * side + column, code) for row, column, code in move.placements()]

    @cached_property
    def board(self) -> Board:
        """The tiles."""
        return Board(self.kernel.side, self.kernel.squares)

    @property
    def key(self) -> str:
        """The `loaded_board_key` of this board."""
        return self._key.hex()

    @cached_property
    def _key(self) -> bytes:
        return _key(self.kernel.squares, self.layout, self.tile_set, self.lexicon)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LoadedBoard) and self.kernel.equals(other.kernel)

    def __hash__(self) -> int:
        return hash(self.kernel.squares)

    def to_bytes(self) -> bytes:
        """Return the stored form of the board: its key, and what loading looked up in the lexicon."""
        return self._key + self.kernel.to_bytes()

    @classmethod
    def from_bytes(
        cls, data: bytes, board: Board, layout: BoardLayout, tile_set: TileSet, lexicon: Lexicon
    ) -> LoadedBoard | None:
        """Return the loaded board that `to_bytes` wrote, or None if the bytes do not belong to this board.

        The bytes are not trusted: their length and every index in them are checked, and the rest is computed
        from the board. A forged cross-check set leads to wrong plays, never to a read out of bounds.
        Raises what `load` raises.
        """
        key = _key(board.squares, layout, tile_set, lexicon)
        if not data.startswith(key):
            return None
        _check(board, layout, tile_set, lexicon)
        kernel = lexicon.kernels.board.BoardKernel.from_bytes(
            data[len(key) :], lexicon.tables, board.squares, tile_set.values, layout
        )
        return None if kernel is None else cls(kernel, layout, tile_set, lexicon)

    def phonies(self) -> list[tuple[int, int, bool, bytes]]:
        """Return (row, column, down, tile codes) of every word on the board that is not in the lexicon."""
        side = self.kernel.side
        found = []
        for line, first, letters in self.kernel.phonies():
            down = line >= side
            row, column = (first, line - side) if down else (line, first)
            found.append((row, column, down, bytes(letter + 1 for letter in letters)))
        return found


def _check(board: Board, layout: BoardLayout, tile_set: TileSet, lexicon: Lexicon) -> None:
    """Raise what `LoadedBoard.load` raises."""
    limit = lexicon.kernels.board.SIDE_CAPACITY
    if board.side > limit:
        raise InvalidInput(
            Text(
                "the tables of {lexicon} serve boards of up to {most} squares a side, this one "
                "has {side}; build them larger: kibitz lexicon build {lexicon} --wide",
                lexicon=lexicon.id,
                most=limit,
                side=board.side,
            ),
            code="board_too_large",
            field="board",
        )
    if board.side != layout.side:
        raise InvalidInput(
            Text(
                "the board has {side} squares a side, its layout {layout}",
                side=board.side,
                layout=layout.side,
            ),
            code="wrong_board_size",
            field="board",
        )
    if tile_set.alphabet.letters != lexicon.tile_set.alphabet.letters:
        raise InvalidInput(
            Text(
                "the tile set {tile_set} has other letters than the lexicon {lexicon}",
                tile_set=tile_set.id,
                lexicon=lexicon.id,
            ),
            code="tile_set_mismatch",
            field="tile_set",
        )
