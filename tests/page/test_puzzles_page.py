"""The page at /puzzles: the mistakes of several records as puzzles, whose themes are said afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.page.accessibility import violations
from tests.page.board_page import square, watched
from tests.page.game_records import RECORD
from tests.page.test_topping_page import NARROW, SEEDED, SMALL_TARGETS

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server

OTHER = """#player1 ann Ann Ek
#player2 cy Cy Ro
>ann: AABBCEG 8H BAG +14 14
>cy: DEEHRST - +0 14
"""


def lay(page: Page, at: str, letters: str) -> None:
    """Tap a square, then tiles of the rack."""
    square(page, at).tap()
    for letter in letters:
        page.locator(f"#rackbox .tile[data-letter={letter}]:not(.used)").first.tap()


def check(page: Page) -> None:
    """Check what can be seen of a view."""
    assert violations(page) == []
    assert page.eval_on_selector_all("button, select, a", SMALL_TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_records_become_puzzles_by_theme(browser: Browser, server: Server, tmp_path: Path) -> None:
    files = {
        "a.gcg": RECORD,
        "b.txt": OTHER,
        "letter.gcg": "Dear aunt,\n",
        "long.gcg": "x" * 300_000,
        "c.png": "",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with watched(browser, server, device={**NARROW, "color_scheme": "dark"}, faults=True) as page:
        page.add_init_script(SEEDED)  # the order is that of the records
        page.goto(f"http://127.0.0.1:{server.port}/#lexicon=small")
        page.tap("#tab-games")
        page.fill("#gcg", RECORD)
        page.tap("#annotate")
        page.wait_for_selector("#turns [role=option]")
        page.get_by_role("link", name="Puzzles").tap()
        page.route("**/games/annotate?**", lambda route: route.abort())
        page.tap("#stored")
        page.set_input_files("#folder", tmp_path)
        page.wait_for_selector("#alert .retry")
        assert "history" not in page.inner_text("#alert"), "this page has none"
        check(page)
        page.unroute("**/games/annotate?**")
        page.tap("#alert .retry")
        expect(page.locator("#begin")).to_be_focused()
        expect(page.locator(".faults li")).to_contain_text(
            [f"{tmp_path.name}/letter.gcg: ", f"{tmp_path.name}/long.gcg: This file is too long"]
        )
        assert page.inner_text("#known").startswith("3 games, "), "the picture is no record"
        page.select_option("#player", "Ann Ek")
        page.select_option("#theme", "bingo")
        page.tap("#begin")
        expect(page.locator("#puzzle .big")).to_have_text("Puzzle 1 of 1")
        assert "bingo" not in page.inner_text("main").lower(), "the theme is part of the puzzle"
        lay(page, "8H", "CAB")
        check(page)
        page.tap("#check")
        expect(page.locator("#puzzleverdict")).to_contain_text("played: ✕ large mistake")
        expect(page.locator(".theme")).to_have_text("Missed bingo · Judged by: Equity")
        page.reload()
        lay(page, "8D", "CABBAGE")
        page.tap("#check")
        expect(page.locator("#puzzleverdict")).to_contain_text("Yes, that is")
        check(page)
        page.tap("#endpuzzle")
        expect(page.locator(".rounds tbody tr")).to_have_text(["Missed bingo11"])
        check(page)
        page.tap("#again")
        page.select_option("#theme", "")
        page.tap("#begin")
        page.tap("#reveal")
        expect(page.locator(".theme")).to_be_visible()
        page.tap("#nextpuzzle")
        page.tap("#endpuzzle")
        expect(page.locator("#view .big")).to_have_text("0 of 1 solved")
        expect(page.locator("#repeat")).to_be_visible()
