"""The page at /: a board to fill, a rack, and the moves; all it shows comes from the HTTP interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import render_template

if TYPE_CHECKING:
    from service.resources.pages import Pages


def serve_board_page(pages: Pages) -> None:
    """Add the page to the pages."""
    pages.add("/", "text/html", lambda: render_template("board/page.html"))
    pages.add_assets("board", "page.css", "page.js", "position.js", "grid.js", "moves.js", "icon.svg")
