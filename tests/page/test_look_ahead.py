"""Looking ahead: results change during a search, remain after stop, and each tab has its own search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.page.board_page import ENDGAME, PREENDGAME, moves, opened, squares
from tests.page.searching import endless, search, searched
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with POSITION and its moves."""
    with opened(browser, server) as page:
        yield page


def test_the_figures_move_while_it_runs_and_stop_keeps_them(page: Page) -> None:
    endless(page)
    search(page, "20")
    page.wait_for_selector("#facts:has-text('iterations')")
    page.wait_for_selector("#moves tbody tr:first-child small")
    early = page.inner_text("#facts")
    expect(page.locator("#facts")).not_to_have_text(early)
    page.click("#ahead")
    page.wait_for_selector("#facts:has-text('stopped by you')")
    assert "±" in page.inner_text("#moves tbody tr:first-child .c-win_pct")
    assert page.inner_text("#ahead") == "Look ahead"
    page.click("#moves tbody tr:first-child")
    page.click(".chosen summary")
    details = page.inner_text(".chosen")
    assert "Iterations" in details
    assert "Opponent's next move" in details
    assert "stopped by you" in page.inner_text("#heard")
    assert page.locator("#board .heat").count() == 0
    page.click("#heat")
    assert page.get_attribute("#heat", "aria-pressed") == "true"
    shown = page.locator("#board .sq:has(.heat)")
    percents = [int(one.get_attribute("data-sign") or "") for one in page.locator("#board .heat").all()]
    names = [one.get_attribute("aria-label") or "" for one in shown.all()]
    assert [f"{one} % of replies" for one in percents] == [name.split(", ")[-1] for name in names]
    assert 100 <= sum(percents) <= 700, "a reply lays one to seven tiles"
    before = page.locator("#board .heat").evaluate_all("all => all.map(one => one.dataset.sign)")
    page.click("#moves tbody tr:nth-child(2)")
    after = page.locator("#board .heat").evaluate_all("all => all.map(one => one.dataset.sign)")
    assert after != before, "those to the move in view"
    page.click("#heat")
    assert page.locator("#board .heat").count() == 0


@pytest.mark.slow
def test_a_search_of_five_seconds_takes_them_and_says_how_it_ended(page: Page) -> None:
    endless(page)
    with page.expect_request("**/analyze") as request:
        search(page, "5")
    assert request.value.post_data_json["max_ms"] == 5_000
    page.wait_for_selector("#facts:has-text('iterations')")
    page.wait_for_selector("#ahead:has-text('Look ahead')")
    facts = page.inner_text("#facts")
    assert facts.startswith("Simulation, after 5 s, ")
    assert "not complete" not in facts


def test_another_position_drops_the_search(page: Page, server: Server) -> None:
    before = server.metric('kibitz_jobs{state="cancelled"}')
    endless(page)
    search(page, "60")
    page.wait_for_selector("#facts:has-text('iterations')")
    page.focus("#rack")
    page.keyboard.press("Backspace")
    page.wait_for_selector("#facts:has-text('legal plays')")
    wait_until(lambda: server.metric('kibitz_jobs{state="cancelled"}') == before + 1)
    assert page.inner_text("#ahead") == "Look ahead"
    assert page.is_hidden("#alert")


def test_a_tab_stops_only_its_own_search(browser: Browser, server: Server, page: Page) -> None:
    with opened(browser, server) as other:
        endless(page)
        endless(other)
        search(page, "20")
        search(other, "20")
        page.wait_for_selector("#facts:has-text('iterations')")
        other.wait_for_selector("#facts:has-text('iterations')")
        other.click("#ahead")
        other.wait_for_selector("#facts:has-text('stopped by you')")
        seen = page.inner_text("#facts")
        expect(page.locator("#facts")).not_to_have_text(seen)
        assert page.inner_text("#ahead") == "Stop"
        page.click("#ahead")
        page.wait_for_selector("#facts:has-text('stopped by you')")


@pytest.mark.slow
def test_a_closed_tab_stops_its_search(browser: Browser, server: Server) -> None:
    before = server.metric('kibitz_jobs{state="cancelled"}')
    with opened(browser, server) as page:
        endless(page)
        search(page, "60")
        page.wait_for_selector("#facts:has-text('iterations')")
        page.goto("about:blank")
    wait_until(lambda: server.metric('kibitz_jobs{state="cancelled"}') == before + 1)


def test_a_busy_server_does_not_end_the_search(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        refused = []

        def once(route: Any) -> None:
            if not refused:
                refused.append(True)
                route.fulfill(
                    status=429,
                    headers={"Retry-After": "1"},
                    json={"detail": "too many requests", "code": "x"},
                )
            else:
                route.continue_()

        endless(page)
        with page.expect_response("**/jobs/*"):
            search(page, "20")
        page.route("**/jobs/*", once)
        page.wait_for_selector("#status:has-text('The server is busy. Trying again in 1 s.')")
        page.wait_for_selector("#facts:has-text('iterations')")
        page.click("#ahead")
        page.wait_for_selector("#facts:has-text('stopped by you')")
        assert refused


def test_an_endgame_is_drawn_move_by_move(browser: Browser, server: Server) -> None:
    with opened(browser, server, ENDGAME) as page:
        searched(page, "Endgame")
        steps = page.locator(".step")
        assert steps.count() > 1
        laid = []
        for at in range(steps.count()):
            steps.nth(at).click()
            laid.append(len(squares(page, "ghost")))
        assert laid == sorted(laid)
        assert laid[-1] > laid[0]


def test_a_proven_best_never_wins_less_than_another(browser: Browser, server: Server) -> None:
    with opened(browser, server, ENDGAME) as page:
        searched(page, "Endgame")
        shown = page.eval_on_selector_all(
            "#moves .c-win_pct", "all => all.slice(1).map(one => one.textContent)"
        )
        most = [float(text.split("–")[-1]) for text in shown if text != "–"]
        assert most[0] == max(most)
        assert len(moves(page)) > 3


def test_a_pre_endgame_shows_its_draws(browser: Browser, server: Server) -> None:
    with opened(browser, server, PREENDGAME) as page:
        searched(page, "Pre-endgame")
        assert page.locator(".bags li").count() == 7
        assert "settled" in page.inner_text(".chosen")
