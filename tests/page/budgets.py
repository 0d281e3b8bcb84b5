"""Measure the page on a processor slowed down four times: `python -m tests.page.budgets [ADDRESS]`.

Without an address it starts a server with the default lexicon. It prints the first render, when the page can
be used, when the moves are there, and the longest task while the pointer moves over the moves: of each, the
median of five visits by new browsers, and their range.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.page.board_page import POSITION
from tests.page.conftest import CHROMIUM, OPTIONS
from tests.service.serving import running

SLOWER = 4
VISITS = 5
OBSERVE = """
new MutationObserver((changes, observer) => {
    if (!document.querySelector("#lexicon option")) return;
    window.usable = performance.now();
    observer.disconnect();
}).observe(document, {subtree: true, childList: true});
window.tasks = [];
new PerformanceObserver(list => tasks.push(...list.getEntries().map(one => [one.startTime, one.duration])))
    .observe({type: "longtask", buffered: true});
"""


def measured(base: str) -> dict[str, list[float]]:
    """Return each figure of all visits."""
    visits = [visit(base) for _ in range(VISITS)]
    return {name: [figures[name] for figures in visits] for name in visits[0]}


def visit(base: str) -> dict[str, float]:
    """Return the figures of one visit."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(OBSERVE)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(f"{base}#cgp={POSITION.replace(' ', '+')}")
        page.wait_for_selector("#moves tbody tr")
        there = page.evaluate("performance.now()")
        usable = page.evaluate("usable")
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
        figures = measured(sys.argv[1])
    else:
        data = os.environ.get("KIBITZ_DATA")
        with (
            tempfile.TemporaryDirectory() as folder,
            running(Path(data or folder), KIBITZ_LEXICON="scowl80") as server,
        ):
            figures = measured(f"http://127.0.0.1:{server.port}/")
    for name, values in figures.items():
        low, middle, high = min(values), statistics.median(values), max(values)
        print(f"{name:46} {middle:6.0f} ms  ({low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main()
