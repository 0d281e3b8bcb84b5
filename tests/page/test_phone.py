"""A phone, 390 x 844: the keyboard of the device, and the card of the chosen move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.page.board_page import EMPTY, PHONE, focused, opened, rows_of, square

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, CDPSession, Page

    from tests.service.serving import Server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page on a phone with an empty board, and the keyboard of the device open for square 8D."""
    with opened(browser, server, EMPTY, device=PHONE, lexicon="palabras") as page:
        square(page, "8D").tap()
        assert page.is_visible("#keyboard")
        page.tap("#device")
        yield page


def compose(session: CDPSession, text: str) -> None:
    """Show a text that is being composed, as the keyboards of Android do with every word."""
    session.send(
        "Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
    )


def test_a_button_opens_the_keyboard_of_the_device(page: Page) -> None:
    assert page.is_hidden("#keyboard")
    assert focused(page) == "typing"
    page.keyboard.insert_text("pe")
    assert rows_of(page)[7] == "3PE10"
    square(page, "9D").tap()
    assert page.is_hidden("#keyboard"), "it stays the keyboard of choice"
    assert focused(page) == "typing"
    page.keyboard.insert_text("a")
    page.keyboard.press("Backspace")
    assert rows_of(page)[8] == "15"
    page.tap("#keys")
    assert page.is_visible("#keyboard")


def test_a_word_that_is_composed_is_laid_letter_by_letter(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    for text in ("p", "pe", "per", "pe", "peñ"):
        compose(session, text)
    assert rows_of(page)[7] == "3PEÑ9"
    session.send("Input.insertText", {"text": "peño"})  # the keyboard ends the composition with its word
    assert rows_of(page)[7] == "3PEÑO8"
    compose(session, "s")
    session.send("Input.insertText", {"text": "s"})
    assert rows_of(page)[7] == "3PEÑOS7"
    page.keyboard.insert_text(" ")
    compose(session, "a")
    session.send("Input.insertText", {"text": "a"})
    assert rows_of(page)[7] == "3PEÑOSA6"
    page.keyboard.insert_text("o")
    assert rows_of(page)[8] == "8O6", "the space bar has turned the direction"


def test_a_key_without_a_name_types(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    for text in "pe":
        unnamed = {"key": "Unidentified", "windowsVirtualKeyCode": 229, "nativeVirtualKeyCode": 229}
        session.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **unnamed})
        session.send("Input.insertText", {"text": text})
        session.send("Input.dispatchKeyEvent", {"type": "keyUp", **unnamed})
    assert rows_of(page)[7] == "3PE10"


def test_a_dead_key_makes_one_letter(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    compose(session, "~")
    assert rows_of(page)[7] == "15"
    session.send("Input.insertText", {"text": "ñ"})
    assert rows_of(page)[7] == "3Ñ11"


def test_the_rack_is_typed_with_it(page: Page) -> None:
    page.tap("#keys")
    page.tap("#rack")
    assert page.get_attribute("#rack", "inputmode") == "none"
    page.tap("#device")
    assert focused(page) == "rack"
    assert page.get_attribute("#rack", "inputmode") == "text"
    session = page.context.new_cdp_session(page)
    for text in ("p", "pe"):
        compose(session, text)
    session.send("Input.insertText", {"text": "pe"})
    expect(page.locator(".strip .tile")).to_have_count(2)
    assert page.is_hidden("#keyboard")


def boxes(page: Page) -> tuple[Any, Any, Any]:
    found = [page.locator(one).bounding_box() for one in ("#board", "#moves [aria-selected=true]", ".chosen")]
    return found[0], found[1], found[2]


def test_the_card_of_the_chosen_move_does_not_cover_its_row(browser: Browser, server: Server) -> None:
    with opened(browser, server, device=PHONE) as page:
        for place in (2, 14, 3, 25):
            row = page.locator("#moves tbody tr").nth(place)
            row.scroll_into_view_if_needed()
            row.tap()
            if place == 3:
                page.tap(".chosen summary")
            page.wait_for_timeout(300)
            board, chosen, card = boxes(page)
            assert board["y"] + board["height"] <= chosen["y"] + 1, place
            assert chosen["y"] + chosen["height"] <= card["y"] + 1, place
            assert card["y"] + card["height"] <= 844
