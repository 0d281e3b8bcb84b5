"""Measure the page on a processor slowed down four times: `python -m tests.page.budgets [ADDRESS]`.

Without an address it starts a server with the default lexicon. It prints the first render, when the page can
be used, when the moves are there, and the longest task while the pointer moves over the moves.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.page.board_page import POSITION
from tests.page.conftest import CHROMIUM, OPTIONS
from tests.service.serving import running

SLOWER = 4
OBSERVE = """
window.tasks = [];
new PerformanceObserver(list => tasks.push(...list.getEntries().map(one => [one.startTime, one.duration])))
    .observe({type: "longtask", buffered: true});
"""


def measure(base: str) -> dict[str, float]:
    """Return the figures of one visit."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(OBSERVE)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(f"{base}#cgp={POSITION.replace(' ', '+')}")
        page.wait_for_selector("#lexicon option", state="attached")
        usable = page.evaluate("performance.now()")
        page.wait_for_selector("#moves tbody tr")
        there = page.evaluate("performance.now()")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        loading = page.evaluate("Math.max(0, ...tasks.map(one => one[1]))")
        page.wait_for_timeout(1_000)
        page.evaluate("tasks.length = 0")
        boxes = [row.bounding_box() for row in page.locator("#moves tbody tr").all()[:12]]
        for box in (box for box in boxes * 3 if box is not None):
            page.mouse.move(box["x"] + 40, box["y"] + 8)
            page.wait_for_timeout(30)
        page.wait_for_timeout(500)
        hovering = page.evaluate("Math.max(0, ...tasks.map(one => one[1]))")
        browser.close()
    return {
        "first render": paint,
        "usable": usable,
        "moves shown": there,
        "longest task while loading": loading,
        "longest task while hovering (0: none over 50)": hovering,
    }


def main() -> None:
    """Print the figures."""
    if len(sys.argv) > 1:
        figures = measure(sys.argv[1])
    else:
        data = os.environ.get("KIBITZ_DATA")
        with (
            tempfile.TemporaryDirectory() as folder,
            running(Path(data or folder), KIBITZ_LEXICON="scowl80") as server,
        ):
            figures = measure(f"http://127.0.0.1:{server.port}/")
    for name, value in figures.items():
        print(f"{name:46} {value:6.0f} ms")


if __name__ == "__main__":
    main()
