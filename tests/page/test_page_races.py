"""Answers that come late: what a person has done since then stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.page.board_page import EMPTY, POSITION, cgp_of, opened, rows_of
from tests.page.game_records import RECORD
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.service.serving import Server

ENDLESS_ANSWERS = """
    const real = fetch;
    window.fetch = async (path, init) => {
        const answer = await real(path, init);
        if (init.method !== "GET" || !path.startsWith("/jobs/")) return answer;
        window.begun = true;
        const body = new ReadableStream({
            start(stream) { init.signal.addEventListener("abort", () => stream.error(init.signal.reason)); },
        });
        return new Response(body, answer);
    };
"""
HEAR_ALERTS = """
    window.alerts = [];
    const box = document.getElementById("alert");
    new MutationObserver(() => { if (!box.hidden) alerts.push(box.textContent); })
        .observe(box, {childList: true, attributes: true});
"""


def held(page: Page, path: str) -> list[Route]:
    """Hold only the next request to a path, until the test releases it."""
    waiting: list[Route] = []
    page.route(path, lambda route: route.continue_() if waiting else waiting.append(route))
    return waiting


def release(page: Page, waiting: list[Route]) -> None:
    """Answer the held request, and wait until the page has read the answer."""
    with page.expect_response(waiting[0].request.url):
        waiting[0].continue_()
    page.wait_for_timeout(200)


def take_a_tile_away(page: Page) -> None:
    """Take the last tile from a full rack, which makes it another position."""
    page.focus("#rack")
    page.keyboard.press("Backspace")
    expect(page.locator(".strip .tile")).to_have_count(6)


def test_a_search_that_is_dropped_while_an_answer_arrives_shows_no_alert(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as page:
        page.evaluate(f"() => {{ {ENDLESS_ANSWERS} {HEAR_ALERTS} }}")
        page.select_option("#seconds", "20")
        page.click("#ahead")
        wait_until(lambda: page.evaluate("window.begun"))
        page.focus("#rack")
        page.keyboard.press("Backspace")
        page.wait_for_selector("#facts:has-text('legal plays')")
        assert page.evaluate("alerts") == []


def test_a_late_answer_to_play_does_not_overwrite_what_came_after(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        waiting = held(page, "**/play")
        page.click("#moves tbody tr:first-child")
        page.click("#play")
        take_a_tile_away(page)
        after = cgp_of(page)
        release(page, waiting)
        assert cgp_of(page) == after
        assert page.locator(".strip .tile").count() == 6


def test_a_late_hint_is_not_shown_for_another_position(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        waiting = held(page, "**/hints")
        page.click("#tab-words")
        page.click(".words .hints button")
        take_a_tile_away(page)
        release(page, waiting)
        assert page.locator(".words .hintlist li").count() == 0
        assert page.inner_text(".words .hints button") == "A hint"


def test_a_record_that_is_read_late_does_not_replace_a_later_position(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as page:
        waiting = held(page, "**/analyze")
        page.click("#more")
        page.fill("#cgp", RECORD)
        page.press("#cgp", "Tab")
        wait_until(lambda: page.evaluate("1") and waiting)
        page.click("#clear")
        expect(page.locator("#board .tile")).to_have_count(0)
        release(page, waiting)
        assert rows_of(page) == ["15"] * 15


def test_moves_of_the_board_before_a_play_cannot_be_chosen(browser: Browser, server: Server) -> None:
    with opened(browser, server, POSITION.replace("DEEHRST/", "DEEHRST/AEINORT")) as page:
        waiting = held(page, "**/analyze")
        page.click("#moves tbody tr:first-child")
        page.click("#play")
        wait_until(lambda: page.evaluate("1") and waiting)
        expect(page.locator("#moves tbody tr")).to_have_count(0)
        release(page, waiting)
        expect(page.locator("#moves tbody tr")).not_to_have_count(0)


def test_late_moves_are_not_listed_for_another_position(browser: Browser, server: Server) -> None:
    with opened(browser, server, EMPTY) as page:
        waiting = held(page, "**/analyze")
        page.focus("#rack")
        page.keyboard.type("DOG")
        wait_until(lambda: page.evaluate("1") and waiting)
        page.clock.install()
        page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # the page asks after a pause
        page.keyboard.press("Backspace")
        release(page, waiting)
        expect(page.locator("#moves tbody tr")).to_have_count(0)
        page.clock.resume()
        expect(page.locator("#moves tbody tr:has-text('8G DO')")).to_have_count(1)
