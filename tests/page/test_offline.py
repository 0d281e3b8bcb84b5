"""The page while the server is away: what works, what it says, and that an older page is never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.page.board_page import POSITION, address, cgp_of, opened, rows_of, square
from tests.service.serving import Server, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

CONTROLLED = """() => {
    const worker = navigator.serviceWorker;
    const controlled = worker.ready.then(() => worker.controller || new Promise(done => {
        worker.addEventListener("controllerchange", done);
    }));
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error("no worker")), 60_000));
    return Promise.race([controlled.then(() => {}), late]);
}"""
STORED = """async () => {
    const found = [];
    for (const name of await caches.keys()) {
        for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname);
    }
    return found.sort();
}"""


@pytest.fixture
def away(page_data: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    server = Server(page_data, KIBITZ_RATE_PER_MINUTE="0")
    server.wait()
    yield server
    if server.process.returncode is None:
        server.kill()


def stored(page: Page) -> list[str]:
    """Return the paths that the browser has stored, once the page and its files are among them."""
    page.evaluate(CONTROLLED)  # wait_for_function needs eval, which the page forbids
    found: list[str] = page.evaluate(STORED)
    assert "/" in found
    return found


def works_without_a_server(page: Page) -> None:
    square(page, "9H").click()
    page.keyboard.type("he")
    assert rows_of(page)[8] == "7HE6"
    page.keyboard.press("Control+z")
    expect(page.locator("#board .tile")).to_have_count(7)
    assert cgp_of(page) == POSITION


def test_the_board_works_while_the_server_is_away(browser: Browser, away: Server) -> None:
    with opened(browser, away, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        away.kill()
        works_without_a_server(page)
        alert = page.locator("#alert")
        expect(alert).to_contain_text("The server cannot be reached")
        expect(alert).to_contain_text("The board, its history, links and notes work without it.")


def test_it_is_said_once(browser: Browser, away: Server) -> None:
    with opened(browser, away, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        away.kill()
        square(page, "9H").click()
        page.keyboard.type("h")
        page.wait_for_selector("#alert p")
        page.evaluate(
            """() => {
                window.said = 0;
                const count = () => { window.said += 1; };
                new MutationObserver(count).observe(document.getElementById("alert"), {childList: true});
            }"""
        )
        page.keyboard.type("e")
        page.wait_for_timeout(1_000)
        assert page.evaluate("window.said") == 0
        assert page.is_visible("#alert")


def test_a_reload_without_the_server_shows_the_page_again(browser: Browser, away: Server) -> None:
    with opened(browser, away, faults=True, service_workers="allow") as page:
        page.wait_for_selector("#moves tbody tr")
        found = stored(page)
        lists = {"/", "/judge", "/boards", "/lexicons", "/rule-sets", "/tile-sets"}
        assert lists < set(found)
        assert all(path in lists or path.startswith("/static/") for path in found), "nothing else is stored"
        away.kill()
        page.reload()
        page.wait_for_selector("#board .tile")
        works_without_a_server(page)
        assert page.input_value("#lexicon") == "small"
        page.wait_for_selector("#alert:has-text('work without it')")


def test_a_browser_that_is_online_gets_the_page_of_the_server(browser: Browser, away: Server) -> None:
    with opened(browser, away, service_workers="allow") as page:
        stored(page)
        page.evaluate(  # as if an older version had been stored
            """async () => {
                for (const name of await caches.keys()) {
                    const store = await caches.open(name);
                    for (const request of await store.keys()) await store.put(request, new Response("old"));
                }
            }"""
        )
        page.goto("about:blank")
        page.goto(address(away, POSITION))
        page.wait_for_selector("#moves tbody tr")
        assert page.evaluate("navigator.serviceWorker.controller !== null")
        assert page.inner_text("h1") == "kibitz"


def test_its_store_has_the_digest_of_its_files(browser: Browser, away: Server) -> None:
    status, headers, script = away.ask("GET", "/service-worker.js")
    assert status == 200
    assert headers["content-type"].startswith("text/javascript")
    assert headers["cache-control"] == "no-cache"
    with opened(browser, away, service_workers="allow") as page:
        stored(page)
        [name] = page.evaluate("caches.keys()")
        page.evaluate(
            """async () => {
                await caches.open("kibitz of an older version");
                await caches.open("of another page");
                await (await navigator.serviceWorker.ready).unregister();
            }"""
        )
        # A page that registers while the worker is still going gets it back: wait until it has gone.
        page.goto(f"http://127.0.0.1:{away.port}/livez")
        wait_until(
            lambda: not page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)")
        )
        page.goto(address(away, POSITION))
        stored(page)
        names = page.evaluate("caches.keys()")
        assert sorted(names) == sorted([name, "of another page"])
        assert name.removeprefix("kibitz ") in script.decode()
