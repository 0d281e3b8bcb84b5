"""Choosing moves: the move an evaluator likes best, and what looking ahead adds to it.

board, rack, unseen tiles  ->  Mover.choose (kernel, no GIL)  ->  a play, an exchange or a pass
"""

from engine.search.movers import mover

__all__ = ["mover"]
