"""A picture of the web page with the followed position, taken in Chromium."""

from __future__ import annotations

import logging
import shutil
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from werkzeug.serving import make_server

from benchmarks.drawings.followed_board import CGP
from engine import InvalidInput
from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VIEW: Final = {"width": 1240, "height": 830}
"""Of the browser's window, in pixels."""


def take_page_picture(path: Path) -> None:
    """Serve kibitz, open the page with the followed position, find the moves, and write a PNG.

    Raises InvalidInput (code "browser_missing") without Chromium or playwright.
    """
    chromium = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        raise InvalidInput(
            "a picture of the page needs playwright and Chromium (apt-get install chromium)",
            code="browser_missing",
        )
    with _served() as address, sync_playwright() as playwright:
        # Chromium's sandbox cannot be used by root, as in containers; the page is our own.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": VIEW["width"], "height": VIEW["height"]})
        page.goto(f"{address}/#{quote(CGP)}")
        page.get_by_role("button", name="Find the moves").click()
        page.get_by_role("table").get_by_text("M..EY").first.click()
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path)
        browser.close()


@contextmanager
def _served() -> Iterator[str]:
    """Serve kibitz on a free port of this machine, and yield its address."""
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = make_server("127.0.0.1", 0, create_app(Settings(log_level="error")), threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
