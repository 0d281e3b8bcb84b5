"""A picture as PNG, drawn from its SVG by resvg, which the extra [png] installs."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Final

from engine.errors import InvalidInput
from engine.messages import Text

MAX_PNG_SIZE: Final = 2_000
"""The largest width in pixels: a picture takes four bytes a pixel while it is drawn."""

_LETTER: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
    '<text x="2" y="16" font-family="Arial, Helvetica, DejaVu Sans, sans-serif">A</text></svg>'
)
_one_at_a_time: Final = Lock()  # bounds the memory of concurrent requests


def png_of(svg: str) -> bytes:
    """Return a picture as PNG, as large as the SVG says.

    Raises InvalidInput (code "png_missing") without resvg, and (code "fonts_missing") without a font.
    """
    with _one_at_a_time:
        if not has_letters():
            raise InvalidInput(
                Text("a PNG needs a font, and this system has none: apt-get install fonts-dejavu-core"),
                code="fonts_missing",
            )
        return _draw(svg)


def _draw(svg: str) -> bytes:
    try:
        import resvg_py
    except ImportError:
        raise InvalidInput(
            Text("PNG pictures need resvg-py, which is not installed: pip install 'kibitz[png]'"),
            code="png_missing",
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, sans_serif_family="DejaVu Sans"))


@cache
def has_letters() -> bool:
    """Return whether resvg finds a font: without one it leaves out every letter silently."""
    return _draw(_LETTER) != _draw(_LETTER.replace(">A<", "><"))
