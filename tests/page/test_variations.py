"""Variations of a recorded game: another move is tried from a turn on, named, found again, and exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.page.accessibility import violations
from tests.page.board_page import cgp_of, opened
from tests.page.game_records import TURNS, open_record, selected

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server


def play_first(page: Page) -> None:
    """Play the best move, and wait for the next player's moves, or that their rack is asked for."""
    page.click("#moves tbody tr:first-child")
    page.click("#play")
    page.mouse.move(2, 2)  # away from the moves, which would be shown
    page.wait_for_selector(".chosen", state="hidden")


def test_a_variation_is_played_named_found_again_and_exported(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        open_record(page)
        page.wait_for_selector(TURNS)
        page.click("#tomoves")
        steps = page.locator(".branch .step")
        expect(steps).to_have_text(["Turn 1"])
        play_first(page)
        expect(page.locator("#board .played")).to_have_count(7)
        assert cgp_of(page).split()[1] == "DEEHRST/", "the rack of the next turn"
        play_first(page)
        expect(steps).to_have_count(3)
        end = cgp_of(page)
        steps.nth(1).click()
        expect(steps.nth(1)).to_have_attribute("aria-current", "step")
        expect(steps.nth(2)).to_contain_text("›")
        page.click("#moves tbody tr:nth-child(2)")
        page.click("#play")
        expect(steps).to_have_count(3)
        page.fill("#variation", "Fish")
        assert violations(page, ".branch") == []
        page.press("#variation", "Enter")
        assert selected(page) == "1"
        page.reload()
        page.click("#panel-games .resume:has-text('Fish: 8B CABBAGE')")
        steps.nth(1).click()
        expect(steps).to_have_count(4)
        steps.nth(2).click()
        assert cgp_of(page).split()[0] == end.split()[0], "the whole tree is stored"
        page.click("#backtogame")
        with page.expect_download() as download:
            page.click("#savegcg")
        lines = download.value.path().read_text().splitlines()
        turn = next(at for at, line in enumerate(lines) if line.startswith(">ann"))
        assert lines[turn + 1].startswith("#note Variation Fish: 8B CABBAGE +")
        page.on("dialog", lambda dialog: dialog.accept())
        page.click("#panel-games .turn .stored li button:last-child")
        expect(page.locator("#panel-games .turn .resume")).to_have_count(0)
