"""The page at /, in a real browser over a real server."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from tests.service.serving import running, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from tests.service.serving import Server

CHROMIUM = shutil.which("chromium")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LONG = {"simulate": {"iterations": 200_000, "candidates": 100, "plies": 10, "method": "heuri_samp"}}
POSITION = "15/15/15/15/15/15/15/7CABBAGe1/15/15/15/15/15/15/15 DEEHRST/ 3/20 0"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with running(data) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with POSITION on it."""
    with opened(browser, server) as page:
        yield page


@contextmanager
def opened(browser: Browser, server: Server) -> Iterator[Page]:
    """Open the page with POSITION on it; nothing may be asked of another server, and no script may fail."""
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(base) else faults.append(request.url))
    base = f"http://127.0.0.1:{server.port}/"
    page.goto(base)
    page.wait_for_selector("#board .square")
    page.fill("#cgp", POSITION)
    page.press("#cgp", "Enter")
    yield page
    page.close()
    assert not faults


def squares(page: Page, kind: str) -> list[str]:
    found = page.eval_on_selector_all(f"#board .{kind}", "all => all.map(one => one.dataset.at)")
    return [str(one) for one in found]


def test_the_moves_are_those_of_the_api_and_a_chosen_one_is_on_the_board(page: Page, server: Server) -> None:
    page.click("#go")
    page.wait_for_selector("#moves tbody tr")
    wanted = {"cgp": POSITION, "sort": "equity", "top_n": 25, "include_exchanges": True}
    answer = json.loads(server.ask("POST", "/analyze", wanted)[2])
    shown = page.eval_on_selector_all("#moves tbody tr", "all => all.map(row => row.cells[1].textContent)")
    assert shown == [move["move"] for move in answer["moves"]]
    assert f"{answer['play_count']} legal plays" in page.inner_text("#facts")
    page.click("#moves tbody tr:nth-child(2)")
    assert squares(page, "ghost") == sorted(
        (tile["at"] for tile in answer["moves"][1]["placed"]), key=lambda at: (int(at[:-1]), at[-1])
    )


def test_looking_ahead_shows_what_was_found(page: Page) -> None:
    page.check("#ahead")
    page.click("#go")
    page.wait_for_selector("#moves tbody tr", timeout=20_000)
    assert page.inner_text("#facts").startswith("simulated")
    titles = page.eval_on_selector_all("#moves th", "all => all.map(one => one.textContent)")
    assert "sim. win%" in titles
    shown = page.inner_text(f"#moves tbody tr:first-child td:nth-child({titles.index('sim. win%') + 1})")
    assert "±" in shown
    for width in (1280, 400):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (
            "the page itself never scrolls aside"
        )


def test_a_long_search_is_followed_to_its_end_and_can_be_stopped(browser: Browser, data: Path) -> None:
    with running(data, KIBITZ_SYNC_MS="1000") as server, opened(browser, server) as page:
        asking = {**LONG, "max_ms": 1_500}
        page.route(
            "**/analyze", lambda route: route.continue_(post_data=route.request.post_data_json | asking)
        )
        page.check("#ahead")
        page.click("#go")
        page.wait_for_selector("#busy:has-text('of at most 2 s')")
        assert page.is_visible("#stop")
        page.wait_for_selector("#moves tbody tr")
        assert page.inner_text("#facts").startswith("simulated, not complete")
        assert page.is_hidden("#stop")
        assert page.inner_text("#busy") == ""
        del asking["max_ms"]
        page.select_option("#seconds", "60")
        for number, stop in enumerate(("#stop", "#clear"), 1):  # what belongs to another board is not shown
            page.fill("#rack", "DEEHRS" + "AO"[number - 1])
            page.press("#rack", "Tab")
            page.click("#go")
            page.wait_for_selector("#busy:has-text('of at most 60 s')")
            page.click(stop)
            page.wait_for_selector("#go:enabled")
            wait_until(lambda: server.metric('kibitz_jobs{state="cancelled"}') == number)  # noqa: B023 - at once
            assert page.is_hidden("#moves")
            assert page.is_hidden("#faults")


def test_a_move_is_played_and_the_other_is_on_turn(page: Page) -> None:
    page.click("#go")
    page.click("#moves tbody tr:first-child")
    move, points = page.inner_text("#chosentext").split(", ")
    placed = set(squares(page, "ghost"))
    page.click("#play")
    page.wait_for_selector("#chosen", state="hidden")
    assert placed
    assert placed < set(squares(page, "tile")), move
    assert page.input_value("#own") == "20"
    assert page.input_value("#other") == str(3 + int(points.split()[0]))
    assert page.input_value("#rack") == ""
    assert page.input_value("#theirs") == ""


def test_tiles_are_typed(page: Page) -> None:
    page.click('[data-at="9H"]')
    page.keyboard.type("ab")
    page.click('[data-at="1O"]')
    page.click('[data-at="1O"]')
    page.keyboard.press("c")
    page.keyboard.press("Shift+D")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.press("Shift+E")
    rows = page.input_value("#cgp").split()[0].split("/")
    assert rows[0] == "14e"
    assert rows[8] == "7AB6"


def test_a_fault_is_shown_where_it_is(page: Page) -> None:
    page.click('[data-at="1A"]')
    page.keyboard.type("q")
    page.click("#go")
    page.wait_for_selector("#faults:visible")
    assert "1A" in page.inner_text("#faults")
    assert squares(page, "fault") == ["1A"]
    page.fill("#rack", "AAAAAAAAAA")
    page.press("#rack", "Enter")
    page.wait_for_selector("#faults:visible")
    assert page.inner_text("#faults")
    page.fill("#cgp", "15/" * 10 + "14")
    page.press("#cgp", "Enter")
    assert "row 1 has 15 squares, the board 11 rows" in page.inner_text("#faults")
    page.fill("#cgp", "foo bar")
    page.press("#cgp", "Enter")
    assert "a CGP begins with the rows of the board" in page.inner_text("#faults")


def test_a_win_pct_that_is_not_proven_is_a_range(page: Page) -> None:
    def unproven(route: Route) -> None:
        response = route.fetch()
        answer = response.json()
        first, second, *_ = answer["moves"]
        first |= {"win_pct": None, "win_pct_low": 50, "win_pct_high": 100}
        second |= {"win_pct": 100, "win_pct_low": 100, "win_pct_high": 100}
        route.fulfill(response=response, json=answer)

    page.route("**/analyze", unproven)
    page.click("#go")
    page.wait_for_selector("#moves tbody tr")
    rows = page.locator("#moves tbody tr").all_inner_texts()
    assert "\t50–100" in rows[0]
    assert "\t100.0" in rows[1]


def test_a_hint_may_be_to_exchange(page: Page) -> None:
    page.fill("#rack", "UUVVWII")
    page.press("#rack", "Enter")
    page.click("#hint")
    page.wait_for_selector("#facts:text-is('It is best to exchange tiles (again for more)')")
    for _ in range(3):
        page.click("#hint")
    page.wait_for_selector("#facts:has-text('It is best to exchange tiles, with ')")
    assert "again" not in page.inner_text("#facts")


def test_a_hint_reveals_no_word(page: Page) -> None:
    page.click("#hint")
    page.wait_for_selector("#facts:has-text('There is a')")
    shown = [page.inner_text("#facts")]
    for _ in range(4):
        page.click("#hint")
        page.wait_for_selector(f"#facts:not(:text-is({json.dumps(shown[-1])}))")
        shown.append(page.inner_text("#facts"))
    assert len(set(shown)) == 5, "five levels"
    assert "points" in shown[2]
    assert shown[4].startswith(shown[0].removesuffix(" (again for more)"))
    assert not squares(page, "ghost")


def test_another_board_does_not_change_the_rack(page: Page) -> None:
    side = page.locator("#board .square").count()
    page.select_option("#layout", "super21")
    page.wait_for_selector('[data-at="21U"]')
    assert page.locator("#board .square").count() > side
    assert page.input_value("#rack") == "DEEHRST"


def test_a_link_brings_the_position_back(page: Page, browser: Browser) -> None:
    page.fill("#rack", "abc")
    page.press("#rack", "Tab")
    other = browser.new_page()
    other.goto(page.url)
    other.wait_for_selector("#board .tile")
    assert other.input_value("#cgp") == POSITION.replace("DEEHRST", "ABC")
    other.close()


def test_the_documentation_runs_its_examples(page: Page, server: Server) -> None:
    page.goto(f"http://127.0.0.1:{server.port}/docs")
    page.wait_for_selector(".operation button", state="attached")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.locator('.operation[data-path="/boards"] button').first.click()
    page.wait_for_selector(".operation pre:has-text('standard15')")
    judge = page.locator('.operation[data-method="post"][data-path="/words/judge"]')
    judge.locator("button").first.click()
    judge.locator("pre:has-text('200')").first.wait_for()
