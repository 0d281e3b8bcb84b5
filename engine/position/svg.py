"""A board as SVG: premium squares with their names, tiles with their points, blanks, and a play.

The picture contains no script, style sheet or link, and every text is escaped. No information is given by
color alone, and each text has a contrast of at least 4.5 to 1 with its background.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Final

from engine.rules import BLANK_FLAG

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.position.move import Play
    from engine.position.position import Position

SQUARE: Final = 40  # units of the picture; all other sizes are relative to it
MARGIN: Final = 30  # beside the board, for coordinates


@dataclass(frozen=True, slots=True)
class Look:
    """Hold the colors of a kind of square or tile: background, text and edge."""

    fill: str
    ink: str
    edge: str = "none"


@dataclass(frozen=True, slots=True)
class Palette:
    """Hold the colors of a picture; `premiums` are by (letter factor, word factor)."""

    page: Look
    plain: Look
    premiums: Mapping[tuple[int, int], Look]
    tile: Look
    blank: Look
    new_tile: Look
    new_blank: Look


NAMES: Final = {(1, 2): "2W", (1, 3): "3W", (1, 4): "4W", (2, 1): "2L", (3, 1): "3L", (4, 1): "4L"}

_INK: Final = "#1b1b1b"
LIGHT: Final = Palette(
    page=Look("#ffffff", "#4a4a4a"),
    plain=Look("#f1ede0", _INK, "#b3ab95"),
    premiums={
        (1, 2): Look("#f4b6b9", _INK),
        (1, 3): Look("#b92b27", "#ffffff"),
        (1, 4): Look("#6a2c91", "#ffffff"),
        (2, 1): Look("#aed8ee", _INK),
        (3, 1): Look("#1c62a8", "#ffffff"),
        (4, 1): Look("#17694b", "#ffffff"),
    },
    tile=Look("#f3d9a0", _INK, "#8a6a2f"),
    blank=Look("#fffaf0", "#a3001b", "#a3001b"),
    new_tile=Look("#ffc928", _INK, _INK),
    new_blank=Look("#ffe894", "#8f0018", "#8f0018"),
)
DARK: Final = Palette(
    page=Look("#15181b", "#bdb6a6"),
    plain=Look("#2a2e33", "#ece8df", "#101214"),
    premiums={
        (1, 2): Look("#6b3836", "#ffdcd5"),
        (1, 3): Look("#b9473c", "#ffffff"),
        (1, 4): Look("#75489b", "#ffffff"),
        (2, 1): Look("#2d4a5c", "#d5ecf8"),
        (3, 1): Look("#2f6f9b", "#ffffff"),
        (4, 1): Look("#256b52", "#ffffff"),
    },
    tile=Look("#e8cf97", _INK, "#8f7439"),
    blank=Look("#fff3df", "#8f0018", "#8f0018"),
    new_tile=Look("#ffc640", _INK, "#ffffff"),
    new_blank=Look("#ffe894", "#8f0018", "#ffffff"),
)

_STAR = "M0-13L3.2-4.3L12.4-4L5.1 1.7L7.6 10.5L0 5.4L-7.6 10.5L-5.1 1.7L-12.4-4L-3.2-4.3Z"
# Font size of the letter of a tile by its number of characters.
_LETTER_SIZE = {1: 24, 2: 17, 3: 13}


def board_svg(
    position: Position,
    play: Play | None = None,
    *,
    size: int = 600,
    coordinates: bool = True,
    name: str | None = None,
    dark: bool = False,
) -> str:
    """Draw the board of a position as SVG, `size` pixels wide, with the tiles of a play on it.

    Blanks are red with a dashed edge and without points; the tiles of the play are brighter with a thick
    edge. Title and description describe the board in words. The ids of the elements begin with `name`: if a
    page shows the same board twice, give each picture another name. `dark`: draw it for a dark page. The same
    input gives the same text.
    """
    drawing = _Drawing(position, play, coordinates, name, DARK if dark else LIGHT)
    return "\n".join(drawing.lines(size)) + "\n"


class _Drawing:
    """Draws the parts of a board, each as lines of SVG."""

    def __init__(
        self, position: Position, play: Play | None, coordinates: bool, name: str | None, palette: Palette
    ) -> None:
        self._position = position
        self._side = position.layout.side
        self._margin = MARGIN if coordinates else 4
        self._coordinates = coordinates
        self._name = name
        self._palette = palette
        self._new: dict[tuple[int, int], int] = {}
        for row, column, code in play.placements() if play else ():
            self._new[row, column] = code

    def lines(self, size: int) -> Iterator[str]:
        """Yield the picture, `size` pixels wide."""
        yield from self._head(size)
        yield from self._empty_board()
        yield from self._tiles()
        yield "</svg>"

    def _head(self, size: int) -> Iterator[str]:
        """Yield the start tag of the picture, its title and its description."""
        extent = self._side * SQUARE + 2 * self._margin
        title, description = escape(self._title()), escape(self._description())
        # The ids of two boards in one page must differ.
        name = self._name or "board-" + sha256(description.encode()).hexdigest()[:12]
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" '
            f'viewBox="0 0 {extent} {extent}" role="img" aria-labelledby="{name}-title {name}-desc" '
            'font-family="Arial, Helvetica, DejaVu Sans, sans-serif" text-anchor="middle">'
        )
        yield f'<title id="{name}-title">{title}</title>'
        yield f'<desc id="{name}-desc">{description}</desc>'

    def _empty_board(self) -> Iterator[str]:
        """Yield what lies below the tiles; names of squares with a tile are left out."""
        extent = self._side * SQUARE + 2 * self._margin
        yield f'<rect width="{extent}" height="{extent}" fill="{self._palette.page.fill}"/>'
        if self._coordinates:
            yield from self._edges()
        yield from self._squares()

    def _title(self) -> str:
        count = self._position.board.tile_count
        placed = f", a play of {len(self._new)}" if self._new else ""
        return f"Board of {self._side} by {self._side} squares, {count} tiles{placed}"

    def _description(self) -> str:
        """Describe the tiles row by row, for screen readers."""
        rows = []
        alphabet = self._position.tile_set.alphabet
        for row in range(self._side):
            spoken = [
                f"{chr(65 + column)} {alphabet.text([code]).strip('[]')}"
                + (" played now" if (row, column) in self._new else "")
                for column in range(self._side)
                if (code := self._code(row, column))
            ]
            if spoken:
                rows.append(f"Row {row + 1}: {', '.join(spoken)}.")
        return " ".join(rows) + " Lower case is a blank." if rows else "No tile has been played."

    def _code(self, row: int, column: int) -> int:
        return self._new.get((row, column)) or self._position.board[row, column]

    def _corner(self, row: int, column: int) -> tuple[int, int]:
        return self._margin + column * SQUARE, self._margin + row * SQUARE

    def _edges(self) -> Iterator[str]:
        extent = self._side * SQUARE + 2 * self._margin
        yield f'<g fill="{self._palette.page.ink}" font-size="15" aria-hidden="true">'
        for index in range(self._side):
            middle = self._margin + index * SQUARE + SQUARE // 2
            for y in (MARGIN - 10, extent - 9):
                yield f'<text x="{middle}" y="{y}">{chr(65 + index)}</text>'
            for x in (MARGIN // 2, extent - MARGIN // 2):
                yield f'<text x="{x}" y="{middle + 5}">{index + 1}</text>'
        yield "</g>"

    def _squares(self) -> Iterator[str]:
        """Draw the board without tiles: plain squares, premium squares, lines, names, start squares."""
        layout, side, plain = self._position.layout, self._side, self._palette.plain
        fills: dict[str, list[str]] = {}
        marks: dict[str, list[str]] = {}
        for row in range(side):
            for column in range(side):
                factors = (int(layout.letter_factors[row, column]), int(layout.word_factors[row, column]))
                name, look = NAMES.get(factors, ""), self._palette.premiums.get(factors, plain)
                x, y = self._corner(row, column)
                if name:
                    fills.setdefault(look.fill, []).append(f"M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z")
                if self._code(row, column):
                    continue
                if (row, column) in layout.starts:
                    mark = f'<path transform="translate({x + 20} {y + 21})" d="{_STAR}"/>'
                    marks.setdefault(look.ink, []).append(mark)
                elif name:
                    marks.setdefault(look.ink, []).append(f'<text x="{x + 20}" y="{y + 25}">{name}</text>')
        low, width = self._margin, side * SQUARE
        high = low + width
        yield '<g aria-hidden="true" font-size="13" font-weight="bold">'
        yield f'<rect x="{low}" y="{low}" width="{width}" height="{width}" fill="{plain.fill}"/>'
        for fill, squares in fills.items():
            yield f'<path d="{"".join(squares)}" fill="{fill}"/>'
        for ink, drawn in marks.items():
            yield f'<g fill="{ink}">{"".join(drawn)}</g>'
        lines = "".join(f"M{low} {at}H{high}M{at} {low}V{high}" for at in range(low, high + 1, SQUARE))
        yield f'<path d="{lines}" fill="none" stroke="{plain.edge}"/>'
        yield "</g>"

    def _tiles(self) -> Iterator[str]:
        """Draw tiles, points and letters; attributes that most tiles share are those of the group."""
        look, values = self._palette.tile, self._position.tile_set.values
        tiles = [
            (code, *self._corner(row, column), (row, column) in self._new)
            for row in range(self._side)
            for column in range(self._side)
            if (code := self._code(row, column))
        ]
        yield f'<g aria-hidden="true" fill="{look.fill}" stroke="{look.edge}" stroke-width="1.5">'
        yield from (self._tile(*tile) for tile in tiles)
        yield "</g>"
        yield f'<g aria-hidden="true" fill="{look.ink}" font-size="10" text-anchor="end">'
        for code, x, y, _ in tiles:
            if not code & BLANK_FLAG and values[code]:
                yield f'<text x="{x + 35}" y="{y + 35}">{values[code]}</text>'
        yield "</g>"
        yield f'<g aria-hidden="true" fill="{look.ink}" font-size="{_LETTER_SIZE[1]}">'
        yield from (self._letter(*tile) for tile in tiles)
        yield "</g>"

    def _letter(self, code: int, x: int, y: int, is_new: bool) -> str:
        # Upper case, because i and l look alike.
        letter = self._position.tile_set.alphabet.letter(code)
        size = _LETTER_SIZE[len(letter)]
        aside = 0 if code & BLANK_FLAG else 2  # room for the points
        own = f' font-size="{size}"' if len(letter) > 1 else ""
        if (look := self._look(code, is_new)).ink != self._palette.tile.ink:
            own += f' fill="{look.ink}"'
        place = f'x="{x + 20 - aside}" y="{y + 20 + size * 0.36:.0f}"'
        return f'<text {place} font-weight="bold"{own}>{escape(letter)}</text>'

    def _tile(self, code: int, x: int, y: int, is_new: bool) -> str:
        look = self._look(code, is_new)
        own = "" if look is self._palette.tile else f' fill="{look.fill}" stroke="{look.edge}"'
        own += ' stroke-width="3"' if is_new else ""
        own += ' stroke-dasharray="4 3"' if code & BLANK_FLAG else ""
        return f'<rect x="{x + 2}" y="{y + 2}" width="{SQUARE - 4}" height="{SQUARE - 4}" rx="4"{own}/>'

    def _look(self, code: int, is_new: bool) -> Look:
        palette = self._palette
        if is_new:
            return palette.new_blank if code & BLANK_FLAG else palette.new_tile
        return palette.blank if code & BLANK_FLAG else palette.tile
