"""The course of a game as SVG: how often the first player wins from each turn on."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Annotation

WIDTH: Final = 720
HEIGHT: Final = 240
LEFT: Final = 44
RIGHT: Final = 12
TOP: Final = 12
BOTTOM: Final = 30

INK: Final = "#1b1b1b"
GRID: Final = "#c9c4b5"
LINE: Final = "#1c62a8"
# Colour and mark: what colour says is said by shape too.
MARKS: Final = {
    "none": ("#17694b", "M-3-3H3V3H-3Z"),
    "small": ("#8a6400", "M0-5L5 4H-5Z"),
    "medium": ("#a84300", "M0-6L6 0L0 6L-6 0Z"),
    "large": ("#b3001b", "M-6-6L6 6M6-6L-6 6"),
}

LEGEND: Final = (
    "How often the first player wins from the spread before each turn, whatever the racks. Mistakes of who "
    "moved: square none, triangle small, diamond medium, cross large."
)


@dataclass(frozen=True, slots=True)
class Point:
    """Hold one turn: its number, the first player's win%, the class of its mistake, what it says."""

    number: int
    win_pct: float
    mistake: str | None
    said: str


def course(annotation: Annotation) -> list[Point]:
    """Return a point for every turn whose win% is known, seen from the first player."""
    points = []
    for note in annotation.turns:
        if note.win_pct_before is None:
            continue
        win_pct = note.win_pct_before if note.player == 0 else 100 - note.win_pct_before
        nick = annotation.heading.players[note.player].nick
        said = f"turn {note.number}, {nick}: {win_pct:.0f} %"
        if note.mistake not in (None, "none"):
            said += f", {note.mistake} mistake"
        points.append(Point(note.number, round(win_pct, 2), note.mistake, said))
    return points


def win_pct_svg(annotation: Annotation) -> str:
    """Draw the first player's win% before every turn, with a mark for each mistake; empty without any win%.

    Title and description say in words what is there. The picture fetches nothing; all texts are escaped.
    """
    points = course(annotation)
    if not points:
        return ""
    nick = annotation.heading.players[0].nick
    title = escape(f"Win% of {nick}, turn by turn")
    description = escape("; ".join([point.said for point in points]) + ".")
    last = max(point.number for point in points)
    inner = [*_grid(last), *_curve(points, last)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" role="img" aria-labelledby="course-title course-desc" '
            'font-family="Arial, Helvetica, DejaVu Sans, sans-serif" font-size="12">',
            f'<title id="course-title">{title}</title>',
            f'<desc id="course-desc">{description}</desc>',
            *inner,
            "</svg>",
        ]
    )


def _x(number: int, last: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (number - 1) / max(1, last - 1), 1)


def _y(win_pct: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - win_pct / 100), 1)


def _grid(last: int) -> list[str]:
    lines = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent)
        weight = 2 if percent == 50 else 1
        lines.append(
            f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="{GRID}" stroke-width="{weight}" fill="none"/>'
        )
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end" fill="{INK}">{percent} %</text>')
    step = max(1, (last + 9) // 10)
    for number in range(1, last + 1, step):
        place = f'x="{_x(number, last)}" y="{HEIGHT - 10}"'
        lines.append(f'<text {place} text-anchor="middle" fill="{INK}">{number}</text>')
    return lines


def _curve(points: Sequence[Point], last: int) -> list[str]:
    places = [f"{_x(point.number, last)} {_y(point.win_pct)}" for point in points]
    lines = [f'<path d="M{" L".join(places)}" fill="none" stroke="{LINE}" stroke-width="2.5"/>']
    for point, place in zip(points, places, strict=True):
        if point.mistake in MARKS:
            colour, shape = MARKS[point.mistake]
            paint = (
                f'fill="{colour}"'
                if shape.endswith("Z")
                else f'fill="none" stroke="{colour}" stroke-width="3"'
            )
            lines.append(
                f'<path transform="translate({place})" d="{shape}" {paint}>'
                f"<title>{escape(point.said)}</title></path>"
            )
    return lines
