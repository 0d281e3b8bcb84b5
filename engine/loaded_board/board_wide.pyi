from engine.loaded_board.board_narrow import FORMAT as FORMAT
from engine.loaded_board.board_narrow import SIDE_CAPACITY as SIDE_CAPACITY
from engine.loaded_board.board_narrow import BoardKernel as BoardKernel
