"""The drawings of the documentation: one board, followed through the Internal-Words Method.

`followed_board` computes what the drawings show, with the engine's own loaded board, tables and generator;
`squares` draws squares, tiles and labels as SVG; `drawings` composes the pictures. Run
`python -m lab.drawings --output docs/drawings`, and open `followed_board` first.
"""

from lab.drawings.drawings import DRAWINGS, draw
from lab.drawings.followed_board import CGP, WORD, FollowedBoard

__all__ = ["CGP", "DRAWINGS", "WORD", "FollowedBoard", "draw"]
