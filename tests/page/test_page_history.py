"""Undo and redo, the browser's Back and Forward, and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.page.board_page import POSITION, address, cgp_of, focused, opened, rows_of, square

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with POSITION and its moves."""
    with opened(browser, server) as page:
        yield page


def shows(page: Page, rack: str) -> None:
    expect(page.locator(".strip .tile")).to_have_count(len(rack))
    assert cgp_of(page).split()[1] == f"{rack}/"


def take_a_tile_away(page: Page) -> None:
    page.focus("#rack")
    page.keyboard.press("Backspace")
    shows(page, "DEEHRS")


def test_a_played_move_is_undone_and_redone(page: Page) -> None:
    page.click("#moves tbody tr:first-child")
    page.click("#play")
    shows(page, "")
    after = cgp_of(page)
    page.click("#undo")
    shows(page, "DEEHRST")
    assert cgp_of(page) == POSITION
    page.wait_for_selector("#moves tbody tr")
    page.click("#redo")
    shows(page, "")
    assert cgp_of(page) == after


def test_back_and_forward_of_the_browser_do_the_same(page: Page) -> None:
    take_a_tile_away(page)
    page.go_back()
    shows(page, "DEEHRST")
    page.go_forward()
    shows(page, "DEEHRS")


def test_undo_never_leaves_the_page(page: Page) -> None:
    assert page.get_attribute("#undo", "aria-disabled") == "true"
    page.focus("#undo")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert cgp_of(page) == POSITION


def test_a_typed_word_is_undone_as_one(page: Page) -> None:
    square(page, "9H").click()
    page.keyboard.type("he")
    page.keyboard.press("Control+z")
    expect(page.locator("#board .tile")).to_have_count(7)
    assert cgp_of(page) == POSITION
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("#board .tile")).to_have_count(9)
    assert rows_of(page)[8] == "7HE6"


def test_a_cleared_board_comes_back(page: Page) -> None:
    page.click("#more")
    page.click("#clear")
    expect(page.locator("#board .tile")).to_have_count(0)
    assert "Undo" in page.inner_text("#status")
    page.click("#undo")
    expect(page.locator("#board .tile")).to_have_count(7)


def test_editing_the_address_restores_its_position(page: Page) -> None:
    page.evaluate("location.hash = '#cgp=' + '15/'.repeat(7) + '7HE6/' + '15/'.repeat(6) + '15+AB/+1/2+0'")
    shows(page, "AB")
    assert rows_of(page)[7] == "7HE6"
    page.go_back()
    shows(page, "DEEHRST")
    page.evaluate("location.hash = '#nonsense'")
    page.wait_for_selector("#alert:visible")
    shows(page, "DEEHRST")


def test_a_link_restores_everything(page: Page, browser: Browser, server: Server) -> None:
    page.click("#more")
    page.fill("#theirs", "qz")
    page.press("#theirs", "Tab")
    page.select_option("#lexicon", "palabras")
    page.select_option("#layout", "wordfeud15")
    with opened(browser, server, None, faults=True) as other:
        other.goto(page.url)
        other.wait_for_selector("#board .tile")
        assert other.input_value("#lexicon") == "palabras"
        assert other.input_value("#layout") == "wordfeud15"
        assert cgp_of(other) == POSITION.replace("DEEHRST/", "DEEHRST/QZ")
        assert other.url == page.url


def test_links_of_earlier_versions_still_open(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        old = POSITION.replace("/", "%2F").replace(" ", "%20")
        page.goto("about:blank")
        page.goto(f"{address(server, None)}#{old}")
        page.wait_for_selector("#moves tbody tr")
        assert cgp_of(page) == POSITION


def test_a_reload_keeps_the_position_and_the_way_back(page: Page) -> None:
    take_a_tile_away(page)
    page.reload()
    page.wait_for_selector("#moves tbody tr")
    shows(page, "DEEHRS")
    page.click("#undo")
    shows(page, "DEEHRST")


def test_the_focus_is_never_lost(page: Page) -> None:
    page.focus(".strip .tile:first-child")
    for _ in range(7):
        page.keyboard.press("Delete")
    assert focused(page) == "rack"
    page.keyboard.type("deehrst")
    page.wait_for_selector("#moves tbody tr")
    page.focus("#undo")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert focused(page) == "undo"
