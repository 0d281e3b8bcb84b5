"""Many boards of one page as SVG: what they have in common is drawn once and referred to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.position.board import Board
from engine.position.svg import Drawing, drawn_tiles

if TYPE_CHECKING:
    from engine.position.move import Play
    from engine.position.position import Position

EMPTY: Final = "board-empty"


class BoardSheet:
    """Draws the boards of one page; all have the same layout and tile set.

    Each picture refers to the symbols of the empty board and of its tiles, so the page must also contain
    `symbols()`, called after the last board.
    """

    def __init__(self) -> None:
        self._symbols: dict[str, str] = {}

    def board(self, position: Position, play: Play | None = None, *, size: int, name: str) -> str:
        """Draw a board as `board_svg` does; `name` must differ from those of the other boards."""
        drawing = Drawing(position, play, True, name)
        if EMPTY not in self._symbols:
            empty = replace(position, board=Board.empty(position.board.side))
            self._symbols[EMPTY] = "".join(Drawing(empty, None, True, EMPTY).empty_board())
        lines = [*drawing.head(size), f'<g aria-hidden="true"><use href="#{EMPTY}"/>']
        for code, x, y, is_new in drawing.tiles():
            symbol = f"tile-{code}{'-new' if is_new else ''}"
            if symbol not in self._symbols:
                self._symbols[symbol] = "".join(drawn_tiles([(code, 0, 0, is_new)], position.tile_set))
            lines.append(f'<use href="#{symbol}" x="{x}" y="{y}"/>')
        return "\n".join([*lines, "</g></svg>\n"])

    def symbols(self) -> str:
        """Return the symbols of the boards drawn so far, as a picture without size."""
        drawn = "\n".join([f'<g id="{name}">{symbol}</g>' for name, symbol in self._symbols.items()])
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
            f"<defs>\n{drawn}\n</defs></svg>\n"
        )
