"""The loaded board: a position without its racks, made ready for move generation.

`board_narrow` and `board_wide` are the kernels. loaded_board.h describes the board, stored.pxi the form in
which a store holds it.
"""

from engine.loaded_board.loaded_board import LoadedBoard, loaded_board_key

__all__ = ["LoadedBoard", "loaded_board_key"]
