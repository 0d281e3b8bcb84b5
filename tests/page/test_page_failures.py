"""What the page says when an answer is late, refused, strange, or does not come."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.page.board_page import POSITION, address, moves, opened
from tests.service.serving import running

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from tests.service.serving import Server


def refuse(page: Page, times: int, **answer: Any) -> list[int]:
    """Answer the next requests for moves instead of the server."""
    asked: list[int] = []

    def once(route: Route) -> None:
        asked.append(1)
        if len(asked) > times:
            route.continue_()
        else:
            route.fulfill(**answer)

    page.route("**/analyze", once)
    return asked


def change_rack(page: Page) -> None:
    page.focus("#rack")
    page.keyboard.press("Backspace")


def test_a_late_answer_is_dropped(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")

        def slow(route: Route) -> None:
            if "DEEHRS/" in route.request.post_data_json["cgp"]:
                time.sleep(0.8)
            route.continue_()

        page.route("**/analyze", slow)
        change_rack(page)
        page.wait_for_timeout(300)
        page.keyboard.type("a")
        expect(page.locator("#moves .c-leave", has_text="A").first).to_be_visible()
        page.wait_for_timeout(1_000)
        assert page.locator("#moves .c-leave", has_text="A").count() > 0


def test_a_busy_server_is_asked_again(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        busy = {"detail": "busy", "code": "too_many_searches"}
        asked = refuse(page, 1, status=503, headers={"Retry-After": "1"}, json=busy)
        change_rack(page)
        page.wait_for_selector("#status:has-text('The server is busy. Trying again in 1 s.')")
        expect(page.locator("#moves .c-leave", has_text="T")).to_have_count(0)
        assert len(asked) == 2
        assert page.is_hidden("#alert")


def test_a_word_list_that_is_being_built_is_said_to_be(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        refuse(
            page, 1, status=503, headers={"Retry-After": "1"}, json={"detail": "x", "code": "table_not_ready"}
        )
        change_rack(page)
        page.wait_for_selector("#status:has-text('preparing this word list')")
        expect(page.locator("#moves .c-leave", has_text="T")).to_have_count(0)


@pytest.mark.parametrize(
    ("status", "html", "said"),
    [
        pytest.param(502, "Bad Gateway", "not available now (status 502)", id="gateway"),
        pytest.param(200, "Log in to the hotel", "A proxy sent an unexpected response", id="hotel"),
    ],
)
def test_html_in_the_place_of_an_answer_is_said_in_words(
    browser: Browser, server: Server, status: int, html: str, said: str
) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        refuse(page, 1, status=status, content_type="text/html", body=f"<html>{html}</html>")
        change_rack(page)
        page.wait_for_selector(f"#alert:has-text('{said}')")
        assert not re.search("<|token|JSON", page.inner_text("#alert"))
        page.click("#alert button")
        page.wait_for_selector("#alert", state="hidden")
        page.wait_for_selector("#moves tbody tr")


CUT_SHORT = """() => {
    const real = fetch;
    window.fetch = async (path, init) => {
        const answer = await real(path, init);
        if (path !== "/analyze") return answer;
        window.fetch = real;
        const body = new ReadableStream({start(stream) { stream.error(new TypeError("network error")); }});
        return new Response(body, answer);
    };
}"""


def test_a_connection_lost_in_the_middle_of_an_answer_is_said_in_words(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as page:
        page.evaluate(CUT_SHORT)
        change_rack(page)
        page.wait_for_selector("#alert:has-text('The server cannot be reached')")
        assert (
            page.inner_text("#alert p")
            == "The server cannot be reached. Check your connection, then try again."
        )
        page.click("#alert button")
        page.wait_for_selector("#alert", state="hidden")
        page.wait_for_selector("#moves tbody tr")


def test_a_server_that_cannot_be_reached_is_tried_again(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        page.context.set_offline(True)
        change_rack(page)
        page.wait_for_selector("#alert:has-text('The server cannot be reached')")
        assert "fetch" not in page.inner_text("#alert")
        page.context.set_offline(False)
        page.click("#alert button")
        page.wait_for_selector("#moves tbody tr")
        assert page.is_hidden("#alert")


def test_a_server_that_is_down_at_the_start_is_tried_again(browser: Browser, server: Server) -> None:
    with opened(browser, server, None, faults=True) as page:
        page.route("**/boards", lambda route: route.abort())
        page.goto("about:blank")
        page.goto(address(server))
        page.wait_for_selector("#alert:has-text('The server cannot be reached')")
        page.unroute("**/boards")
        page.click("#alert button")
        page.wait_for_selector("#moves tbody tr")


@pytest.mark.slow
def test_a_slow_network_is_said_to_be(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")

        waiting: list[Route] = []
        page.route("**/analyze", lambda route: waiting.append(route))
        change_rack(page)
        page.wait_for_selector("#status:has-text('The server is slow to answer')")
        waiting[0].continue_()
        expect(page.locator("#moves .c-leave", has_text="T")).to_have_count(0)


def test_a_key_is_asked_for_after_a_401(browser: Browser, page_data: Path, tmp_path: Path) -> None:
    from service.keys import new_key
    from tests.service.test_keys import write_keys

    key, line = new_key("ann")
    keys = write_keys(tmp_path / "keys", line)
    with (
        running(page_data, KIBITZ_API_KEYS=str(keys), KIBITZ_REQUIRE_KEY="1") as guarded,
        opened(browser, guarded, faults=True) as page,
    ):
        page.wait_for_selector("#alert:has-text('needs an API key')")
        page.fill("#key", key)
        page.press("#key", "Enter")
        page.wait_for_selector("#moves tbody tr")
        assert page.is_hidden("#keybox")
        assert len(moves(page)) == 30


def test_without_scripts_the_page_says_what_to_do(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address(server, POSITION))
    assert "needs JavaScript" in page.inner_text("body")
    context.close()


def test_its_files_are_stored_for_ever_and_compressed(server: Server) -> None:
    html = server.ask("GET", "/")[2].decode()
    path = html.split('src="')[1].split('"')[0]
    headers = server.ask("GET", path, headers={"Accept-Encoding": "gzip"})[1]
    assert "immutable" in headers["cache-control"]
    assert headers["content-encoding"] == "gzip"


def test_a_browser_that_forbids_storage_shows_moves(browser: Browser, server: Server) -> None:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.add_init_script("""
        const forbid = { get() { throw new DOMException("forbidden", "SecurityError"); } };
        Object.defineProperty(window, "localStorage", forbid);
        Object.defineProperty(window, "sessionStorage", forbid);
    """)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address(server, POSITION))
    page.wait_for_selector("#moves tbody tr")
    change_rack(page)
    page.click("#undo")
    page.click("#tab-play")
    context.close()
    assert faults == []
