"""The first visit: what an empty board offers, and the word list, which is in view on every tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.page.board_page import EMPTY, PHONE, POSITION, address, cgp_of, focused, opened, rows_of, tab_to
from tests.page.game_records import TURNS, open_record, selected

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.service.serving import Server


def test_an_empty_board_offers_four_ways_to_begin(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        links = page.get_by_role("navigation", name="Training").get_by_role("link")
        expect(links).to_have_text(["Puzzles", "Topping", "Word quiz"])
        page.click("#opengame")
        assert focused(page) == "Open a file"
        page.click("#tab-moves")
        page.click("#playgame")
        assert focused(page) == "begin"
        page.click("#tab-moves")
        page.click("#typeposition")
        page.keyboard.type("cab")
        assert rows_of(page)[7] == "7CAB5"
        assert page.is_hidden(".welcome")
        page.click("#undo")
        page.click("#example")
        page.wait_for_selector("#moves tbody tr")
        assert cgp_of(page).split()[1].endswith("/")
        assert page.is_hidden(".welcome")


def test_the_keyboard_alone_opens_an_example_with_any_tiles(browser: Browser, server: Server) -> None:
    with opened(browser, server, EMPTY, lexicon="palabras") as page:
        page.focus("#tab-moves")
        tab_to(page, "example")
        page.keyboard.press("Enter")
        page.wait_for_selector("#moves tbody tr")
        assert focused(page) == "panel-moves", "the button has gone"


def test_a_tap_opens_the_tiles_to_type_a_position(browser: Browser, server: Server) -> None:
    with opened(browser, server, None, device=PHONE) as page:
        page.tap("#typeposition")
        page.tap('[data-key="C"]')
        assert rows_of(page)[7] == "7C7"


def test_another_word_list_judges_what_is_open_on_every_tab(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.click("#tab-words")
        page.fill("#judged", "cab")
        page.click("#judge")
        page.wait_for_selector(".ruled.yes")
        page.select_option("#lexicon", "palabras")
        page.wait_for_selector(".ruled.no")
        page.select_option("#lexicon", "small")
        page.click("#tab-games")
        open_record(page)
        page.click(f"{TURNS} >> nth=2")
        with page.expect_request("**/games/annotate?**lexicon=palabras**"):
            page.select_option("#lexicon", "palabras")
        page.wait_for_selector(TURNS)
        assert selected(page) == "3", "the turn stays in view"
        assert page.input_value("#lexicon") == "palabras"


def test_the_word_list_says_what_it_is_and_how_to_get_another(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        page.select_option("#lexicon", "palabras")
        assert page.inner_text("#listfacts") == "", "nothing is known of it"
        page.select_option("#lexicon", "polish")
        assert page.inner_text("#listfacts") == "Polish · not a tournament list"
        page.select_option("#lexicon", "+")
        assert page.input_value("#lexicon") == "polish"
        assert "--id ID" in page.inner_text("#missing")
        page.click("#closemissing")
        assert focused(page) == "lexicon"
        assert page.is_hidden("#missing")


@pytest.mark.parametrize("link", ["csw24", "<b>"])
def test_a_link_names_a_word_list_that_is_not_there(browser: Browser, server: Server, link: str) -> None:
    with opened(browser, server, None) as page:
        page.goto(address(server, POSITION, lexicon=link))
        page.wait_for_selector("#moves tbody tr")
        expect(page.locator("#missing")).to_be_visible(visible=link == "csw24")
        if link == "csw24":
            assert "kibitz lexicon build --words FILE --tiles SET --id csw24" in page.inner_text("#missing")
        assert page.input_value("#lexicon") == "small"
