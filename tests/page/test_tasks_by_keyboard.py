"""Every task of the page by the keyboard alone: Tab, arrow keys, Enter and typing, from an unfocused page.

Entering a position is tested in test_position_entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.page.board_page import ENDGAME, POSITION, cgp_of, focused, moves, opened, rows_of, squares, tab_to
from tests.page.game_records import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server

TURNS = "#turns [role=option]"


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with POSITION and its moves."""
    with opened(browser, server) as page:
        yield page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def open_tab(page: Page, name: str) -> None:
    """Choose a tab beside the board."""
    tab_to(page, "tab-")
    while focused(page) != f"tab-{name}":
        page.keyboard.press("ArrowRight")


def test_the_keyboard_alone_sorts_and_filters_the_moves(page: Page) -> None:
    tab_to(page, "Filter")
    press(page, "?")
    assert page.is_visible("#keyhelp")
    assert focused(page) == "Close"
    press(page, "Escape")
    assert page.is_hidden("#keyhelp")
    assert focused(page).startswith("Filter")
    press(page, "Enter", "Tab", "?")
    assert page.input_value("#filter input >> nth=0") == "?", "in a field it is typed"
    press(page, "Backspace")
    page.keyboard.type("he")
    expect(page.locator("#moves tbody tr").first).to_contain_text("HE")
    tab_to(page, "Score")
    press(page, "Enter")
    expect(page.locator("th.c-score")).to_have_attribute("aria-sort", "descending")
    assert focused(page).startswith("Score"), "the focus stays on the title"


def test_one_tab_leads_from_the_chosen_move_to_the_button_that_plays_it(page: Page) -> None:
    best = moves(page)[0]
    tab_to(page, best)
    press(page, "ArrowDown", "ArrowUp", "Tab")
    assert focused(page) == "play"
    press(page, "Enter")
    page.wait_for_selector("#chosentext", state="hidden")
    assert focused(page) == "rack"
    press(page, "Shift+Tab")
    assert cgp_of(page).split()[1] == "/"


def test_the_keyboard_alone_tries_a_move_and_plays_it(page: Page) -> None:
    tab_to(page, "mode-try")
    press(page, "Enter")
    assert focused(page).startswith("H8, "), "typing may begin at once"
    press(page, "?")
    assert page.is_hidden("#keyhelp"), "on the board it makes the next letter a blank"
    press(page, "Escape")
    press(page, "ArrowDown")
    page.keyboard.type("he")
    page.wait_for_selector(".verdict")
    assert squares(page, "ghost") == ["9H", "9I"]
    tab_to(page, "Take the tiles back")
    press(page, "Enter")
    assert squares(page, "ghost") == []
    assert focused(page).startswith("J9, "), "the cursor stays where it was"
    press(page, "ArrowLeft")
    page.keyboard.type("heed")
    page.wait_for_selector(".verdict:has-text('Rank')")
    tab_to(page, "Choose this move")
    press(page, "Enter")
    page.wait_for_selector("#chosentext:has-text('HEED')")
    assert focused(page) == "play", "the button that plays the move comes next"
    press(page, "Enter")
    page.wait_for_selector("#chosentext", state="hidden")
    assert rows_of(page)[8] == "8HEED3"
    assert focused(page) == "rack"


def test_the_keyboard_alone_looks_ahead_and_stops(page: Page) -> None:
    tab_to(page, "ahead")
    press(page, "Tab")
    assert focused(page) == "seconds"
    press(page, "ArrowDown")
    assert page.input_value("#seconds") == "20"
    press(page, "Shift+Tab", "Enter")
    page.wait_for_selector("#facts:has-text('iterations')")
    page.wait_for_selector("#moves tbody tr:first-child small")
    assert focused(page) == "ahead"
    press(page, "Enter")
    page.wait_for_selector("#ahead:has-text('Look ahead')")
    assert focused(page) == "ahead", "the same button stops it, and keeps the focus"
    tab_to(page, moves(page)[0])
    press(page, "ArrowDown", "ArrowUp", "Tab", "Tab")
    assert focused(page) == "Details"
    press(page, "Enter")
    assert "Iterations" in page.inner_text(".chosen")


def test_the_keyboard_alone_walks_along_the_line_of_an_endgame(browser: Browser, server: Server) -> None:
    with opened(browser, server, ENDGAME) as page:
        tab_to(page, "ahead")
        press(page, "Enter")
        page.wait_for_selector("#facts:has-text('Endgame')")
        page.wait_for_selector("#ahead:has-text('Look ahead')")
        tab_to(page, moves(page)[0])
        press(page, "ArrowDown", "ArrowUp")
        tab_to(page, "Details")
        press(page, "Enter", "Tab")
        laid = []
        for _ in range(page.locator(".step").count()):
            press(page, "Enter")
            laid.append(len(squares(page, "ghost")))
            press(page, "Tab")
        assert laid == sorted(laid)
        assert laid[-1] > laid[0]


def test_the_keyboard_alone_undoes_and_redoes(page: Page) -> None:
    tab_to(page, moves(page)[0])
    press(page, "ArrowDown", "ArrowUp", "Tab", "Enter")
    page.wait_for_selector("#chosentext", state="hidden")
    after = cgp_of(page)
    tab_to(page, "undo")
    press(page, "Enter")
    expect(page.locator(".strip .tile")).to_have_count(7)
    assert cgp_of(page) == POSITION
    assert focused(page) == "undo", "the button keeps the focus, though nothing is left to undo"
    tab_to(page, "redo")
    press(page, "Enter")
    expect(page.locator(".strip .tile")).to_have_count(0)
    assert cgp_of(page) == after
    press(page, "Control+z")
    expect(page.locator(".strip .tile")).to_have_count(7)


def test_the_keyboard_alone_goes_through_a_game_and_its_puzzles(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        open_tab(page, "games")
        tab_to(page, "gcg")
        page.keyboard.insert_text(RECORD)
        tab_to(page, "annotate")
        press(page, "Enter")
        page.wait_for_selector(TURNS)
        assert focused(page) == "turns"
        press(page, "ArrowRight", "ArrowRight", "Home")
        assert page.get_attribute("#turns", "aria-activedescendant") == "turn-0"
        tab_to(page, "look-best")
        press(page, "Enter")
        assert len(squares(page, "ghost")) == 7
        assert focused(page) == "look-best"
        tab_to(page, "savegcg")
        with page.expect_download() as download:
            press(page, "Enter")
        assert download.value.suggested_filename.endswith(".gcg")
        assert focused(page) == "savegcg"
        tab_to(page, "puzzles")
        press(page, "Enter")
        assert focused(page) == "check"
        tab_to(page, "A hint")
        press(page, "Enter")
        page.wait_for_selector(".puzzle .hintlist li")
        assert focused(page).startswith("Another hint")
        tab_to(page, "H8, ")
        press(page, *["ArrowLeft"] * 6)
        page.keyboard.type("cabbage")
        tab_to(page, "check")
        press(page, "Enter")
        page.wait_for_selector("#puzzleverdict:has-text('best move')")
        tab_to(page, "nextpuzzle")
        press(page, "Enter")
        assert "Puzzle 2" in page.inner_text(".puzzle .big")
        assert focused(page) == "check"
        tab_to(page, "endpuzzle")
        press(page, "Enter")
        assert focused(page) == "turns"
        tab_to(page, "closegame")
        press(page, "Enter")
        assert focused(page) == "Open a file"


def test_the_keyboard_alone_starts_a_game_leaves_it_and_goes_on(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        open_tab(page, "play")
        tab_to(page, "seat-1")
        press(page, "Home", "ArrowDown")
        assert page.inner_text("#seat-1 option:checked") == "Computer, level 1"
        tab_to(page, "begin")
        press(page, "Enter")
        page.wait_for_selector("#playmove:visible")
        assert focused(page) == "playmove"
        tab_to(page, "exchange")
        press(page, "Enter")
        assert page.evaluate("document.activeElement.closest('.exchange') !== null"), "the first tile"
        press(page, "Space")
        tab_to(page, "doexchange")
        assert page.inner_text("#doexchange") == "Exchange 1 tile"
        press(page, "Enter")
        page.wait_for_selector(".log li:nth-child(2)")
        page.wait_for_selector("#playmove:visible")
        assert focused(page) == "playmove", "the focus is not lost"
        tab_to(page, "takeback")
        press(page, "Enter")
        expect(page.locator(".log li")).to_have_count(0)
        assert focused(page) != "nothing"
        tab_to(page, "leavegame")
        press(page, "Enter")
        assert focused(page) == "begin"
        tab_to(page, "Continue: ")
        press(page, "Enter")
        page.wait_for_selector("#playmove:visible")
        assert focused(page) == "playmove"


def test_the_keyboard_alone_judges_and_looks_up_words(page: Page) -> None:
    open_tab(page, "words")
    tab_to(page, "judged")
    page.keyboard.type("cab cat")
    press(page, "Enter")
    page.wait_for_selector(".ruling .ruled:has-text('acceptable')")
    assert focused(page) == "judged", "the next words can be typed"
    tab_to(page, "word")
    page.keyboard.type("cat")
    press(page, "Enter")
    page.wait_for_selector(".wordreport:has-text('CAT is a word')")
    tab_to(page, "ACT")
    press(page, "Enter")
    page.wait_for_selector(".wordreport:has-text('ACT is a word')")
    assert focused(page) != "nothing"
    tab_to(page, "A hint")
    for count in (1, 2):
        press(page, "Enter")
        page.wait_for_selector(f".words .hintlist li >> nth={count - 1}")
    assert focused(page).startswith("Another hint")
