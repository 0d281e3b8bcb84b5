"""The loaded board: a board prepared for move generation, for one lexicon and any rack.

`LoadedBoard.load` computes for every square which letters it admits (the cross-check sets), the points that
words across it add, the runs of tiles with their internal words, and the intervals where a play may lie;
`after` updates them for a play. Generators, evaluators and searches all work on it. `loaded_board_key` names
it in a cache.

Where to begin: `loaded_board.h`, which describes every field; then `board_kernel.pyx`, which fills them in.
"""

from engine.loaded_board.loaded_board import LoadedBoard, loaded_board_key

__all__ = ["LoadedBoard", "loaded_board_key"]
