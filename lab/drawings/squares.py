"""Squares, tiles, bars and labels as SVG, on a light card that is readable on light and dark pages."""

from __future__ import annotations

from html import escape
from typing import Final

SQUARE: Final = 36
"""Width of a square in units of the picture, which are pixels at full size."""
INK: Final = "#1b1b1b"
FAINT: Final = "#5f5a4e"
CARD: Final = "#fffdf8"
EMPTY: Final = "#f1ede0"
HALO: Final = "#cfe8d5"
TILE: Final = "#f3d9a0"
NEW: Final = "#ffc928"
REMAINING: Final = "#1c62a8"
DROPPED: Final = "#b92b27"
GREY: Final = "#b3ab95"


class Sketch:
    """Collect the elements of one picture; `svg` returns it with a title for those who cannot see it."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width = width
        self.height = height
        self.title = title
        self._elements: list[str] = []

    def square(self, x: float, y: float, letter: str = "", fill: str = "", note: str = "") -> None:
        """Draw a square from its upper left corner; `note` stands small in the lower right corner."""
        fill = fill or (TILE if letter else EMPTY)
        self._elements.append(
            f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{fill}" stroke="{GREY}"/>'
        )
        if letter:
            self.text(x + SQUARE / 2, y + 25, letter, size=20, bold=True, anchor="middle")
        if note:
            self.text(x + SQUARE - 3, y + SQUARE - 3, note, size=9, anchor="end")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int = 14,
        colour: str = INK,
        bold: bool = False,
        anchor: str = "start",
        fixed: bool = False,
    ) -> None:
        """Write a line of text; `fixed` chooses letters of one width, so that columns are aligned."""
        weight = ' font-weight="bold"' if bold else ""
        family = ' font-family="DejaVu Sans Mono, Consolas, monospace" xml:space="preserve"' if fixed else ""
        self._elements.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
            f"{weight}{family}>{escape(text)}</text>"
        )

    def bar(
        self, x: float, y: float, width: float, colour: str, *, thick: float = 6, dashed: bool = False
    ) -> None:
        """Draw a horizontal bar from (x, y)."""
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        self._elements.append(
            f'<path d="M{x:g} {y:g}h{width:g}" stroke="{colour}" stroke-width="{thick:g}"{dashes}/>'
        )

    def frame(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a thick frame, to single out some squares."""
        self._elements.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="none" '
            f'stroke="{colour}" stroke-width="3"/>'
        )

    def svg(self) -> str:
        """Return the picture."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" role="img" '
                'font-family="Arial, Helvetica, DejaVu Sans, sans-serif">',
                f"<title>{escape(self.title)}</title>",
                f'<rect width="{self.width}" height="{self.height}" rx="8" fill="{CARD}"/>',
                *self._elements,
                "</svg>\n",
            ]
        )
