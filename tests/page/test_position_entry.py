"""A position is entered on the page: by mouse, by the keyboard alone, and by touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.page.board_page import EMPTY, PHONE, POSITION, cgp_of, focused, opened, rows_of, square, squares
from tests.page.game_records import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with an empty board."""
    with opened(browser, server, EMPTY) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with an empty board on a phone."""
    with opened(browser, server, EMPTY, device=PHONE) as page:
        yield page


def test_words_are_typed_in_both_directions(page: Page) -> None:
    square(page, "8H").click()
    page.keyboard.type("cab")
    square(page, "9H").click()
    square(page, "9H").click()
    page.keyboard.type("or")
    assert rows_of(page)[7:10] == ["7CAB5", "7O7", "7R7"]
    assert squares(page, "cur") == ["11H"]


def test_blanks_are_typed_with_shift_or_a_question_mark(page: Page) -> None:
    square(page, "8H").click()
    page.keyboard.press("Shift+C")
    page.keyboard.type("a?b")
    assert rows_of(page)[7] == "7cAb5"
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    assert rows_of(page)[7] == "7c7"


def test_the_keyboard_alone_enters_a_position(page: Page) -> None:
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "board":
            break
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.keyboard.type("ha")
    assert rows_of(page)[6:8] == ["7H7", "7A7"]
    assert focused(page) == "H9, empty"
    page.keyboard.press("Tab")
    assert focused(page) == "rack"
    page.keyboard.type("deehrs?")
    assert cgp_of(page).split()[1] == "DEEHRS?/"
    page.wait_for_selector("#moves tbody tr")


def test_a_word_past_the_edge_loses_no_letter_silently(page: Page) -> None:
    square(page, "8N").click()
    page.keyboard.type("abc")
    assert rows_of(page)[7] == "13AB"
    assert "C was not laid" in page.inner_text("#status")
    page.keyboard.press("Backspace")
    assert rows_of(page)[7] == "13A1"


def test_a_square_says_where_it_is_and_what_it_holds(page: Page) -> None:
    square(page, "8H").click()
    assert focused(page) == "H8, star, double word, empty"
    page.keyboard.type("q")
    page.keyboard.press("ArrowLeft")
    assert focused(page) == "H8, star, double word, Q, 10 points"


def test_tiles_of_two_letters_are_typed(browser: Browser, server: Server) -> None:
    # The server refuses the boards between: a slow machine asks about some of them.
    with opened(browser, server, EMPTY, lexicon="palabras", faults=True) as page:
        page.wait_for_selector("#lexicon option", state="attached")
        square(page, "8H").click()
        page.keyboard.type("chico")
        assert rows_of(page)[7] == "7[CH]ICO4"
        square(page, "9A").click()
        page.keyboard.type("calle")
        assert rows_of(page)[8] == "CA[LL]E11"
        square(page, "10M").click()
        page.keyboard.type("arr")
        assert rows_of(page)[9] == "12A[RR]1"
        page.locator("#rack").type("perroch")
        assert cgp_of(page).split()[1] == "PE[RR]O[CH]/"


def test_two_tiles_are_not_one_of_two_letters(browser: Browser, server: Server) -> None:
    position = EMPTY.replace(" / ", " ACHLL/ ")
    with opened(browser, server, position, device=PHONE, lexicon="palabras") as page:
        tiles = page.locator("#rackbox .tile")
        assert tiles.count() == 5, "the server writes [CH] for the tile"
        for _ in range(8):
            page.click("#shuffle")
            assert sorted(cgp_of(page).split()[1][:-1]) == list("ACHLL")
        page.locator("#rack").click()
        page.click('#keyboard [data-key="L"]')
        assert tiles.count() == 6, "the keyboard of tiles has LL as a key of its own"
        page.click('#keyboard [data-key="LL"]')
        assert cgp_of(page).split()[1].endswith("L[LL]/")


def test_tiles_of_two_letters_are_typed_from_the_rack(browser: Browser, server: Server) -> None:
    position = EMPTY.replace(" / ", " [CH]ICO[LL]C?/ ")
    with opened(
        browser, server, position, lexicon="palabras", faults=True
    ) as page:  # a word at the edge is not legal
        page.wait_for_selector("#lexicon option", state="attached")
        page.click("#mode-try")  # puts the cursor on the center
        page.keyboard.type("chico")
        assert page.locator("#rackbox .tile.used").count() == 4
        assert squares(page, "ghost") == ["8H", "8I", "8J", "8K"]
        page.keyboard.press("Escape")
        square(page, "15N").click()
        page.keyboard.type("ach")
        assert "was not laid" not in page.inner_text("#status")
        assert squares(page, "ghost") == ["15N", "15O"]
    with opened(
        browser, server, EMPTY.replace(" / ", " [CH]IO[LL]/ "), lexicon="palabras", faults=True
    ) as page:  # a word at the edge is not legal
        page.wait_for_selector("#lexicon option", state="attached")
        page.click("#mode-try")  # puts the cursor on the center
        page.keyboard.type("chi")
        page.keyboard.type("llo")
        assert squares(page, "ghost") == ["8H", "8I", "8J", "8K"]
        page.click("#mode-setup")
        square(page, "9H").click()
        page.keyboard.type("chi")
        page.click("#mode-try")
        square(page, "9H").click()
        page.keyboard.type("chio")
        assert squares(page, "ghost") == ["9J"], "the tile CH on the board is typed over by both letters"


def test_dead_keys_and_the_keyboards_of_phones_type_tiles(browser: Browser, server: Server) -> None:
    with opened(browser, server, EMPTY, lexicon="palabras") as page:
        square(page, "8H").click()
        page.keyboard.type("a")
        session = page.context.new_cdp_session(page)
        session.send(
            "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Dead", "windowsVirtualKeyCode": 229}
        )
        session.send("Input.imeSetComposition", {"text": "~", "selectionStart": 1, "selectionEnd": 1})
        session.send("Input.insertText", {"text": "ñ"})
        page.keyboard.type("o")
        assert rows_of(page)[7] == "7AÑO5"
        session.send(
            "Input.dispatchKeyEvent",
            {"type": "rawKeyDown", "key": "Unidentified", "windowsVirtualKeyCode": 229},
        )
        for text in ("c", "ca", "cal"):  # such a keyboard composes the whole word
            session.send(
                "Input.imeSetComposition",
                {"text": text, "selectionStart": len(text), "selectionEnd": len(text)},
            )
        assert rows_of(page)[7] == "7AÑOCAL2"


def test_letters_are_typed_with_alt(browser: Browser, server: Server) -> None:
    alt, ctrl = 1, 2
    with opened(browser, server, EMPTY, lexicon="palabras") as page:
        square(page, "8H").click()
        session = page.context.new_cdp_session(page)
        for key, modifiers in (("ñ", alt), ("a", alt), ("o", ctrl), ("ñ", alt | ctrl), ("Dead", alt)):
            text = {"text": key} if len(key) == 1 else {}
            session.send(
                "Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "modifiers": modifiers, **text}
            )
        assert rows_of(page)[7] == "7ÑÑ6", "Alt and a letter of ASCII is a shortcut of the browser"
        assert focused(page) == "typing", "the letter of a dead key follows"
        for pressed in ({"ctrlKey": True, "altKey": True}, {}):  # AltGr on Windows, and on other systems
            page.locator("#board").evaluate(
                """(board, pressed) => board.dispatchEvent(new KeyboardEvent("keydown", {
                    key: "e", bubbles: true, cancelable: true, modifierAltGraph: true, ...pressed }))""",
                pressed,
            )
        assert rows_of(page)[7] == "7ÑÑEE4", "AltGr types letters of ASCII too"


@pytest.mark.parametrize(
    "text",
    [
        POSITION,
        POSITION.split()[0]
        .replace("/", "\n")
        .replace("15", "." * 15)
        .replace("7C", ".......C")
        .replace("e1", "e."),
        f"https://elsewhere.example/#cgp={POSITION.replace(' ', '+')}&lexicon=small",
    ],
)
def test_a_position_is_pasted_as_text(page: Page, text: str) -> None:
    if page.is_hidden("#cgp"):
        page.click("#more")
    page.fill("#cgp", text)
    page.press("#cgp", "Tab")
    assert rows_of(page) == POSITION.split()[0].split("/")


def test_a_game_record_is_pasted_at_its_end(page: Page) -> None:
    page.click("#more")
    page.fill("#cgp", "#player1 a A\n#player2 b B\n>a: CABDEEF 8G CAB +14 14\n>b: AEHINST 9H HE +9 9\n")
    page.press("#cgp", "Tab")
    page.wait_for_selector("#board .sq.tile")
    assert rows_of(page)[7] == "6CAB6"


def test_a_finished_game_is_pasted_before_its_last_move(page: Page) -> None:
    page.click("#more")
    page.fill("#cgp", f"{RECORD}>ann: AEGTUVW 9H AE +9 23\n>ann: (DEERST) +14 37\n>bo: (time) -10 2\n")
    page.press("#cgp", "Tab")
    page.wait_for_selector("#rackbox .tile[data-letter=V]")
    assert rows_of(page)[7] == "7CAB5"
    assert page.is_hidden("#alert")


def test_a_text_that_is_no_position_is_named(page: Page) -> None:
    page.click("#more")
    page.fill("#cgp", "foo bar")
    page.press("#cgp", "Tab")
    assert "15/15/…" in page.inner_text("#alert")
    page.fill("#cgp", "14/" + "15/" * 13 + "15")
    page.press("#cgp", "Tab")
    assert "Row 1 has 14 squares, but the board has 15 rows" in page.inner_text("#alert")


def test_scores_and_the_tiles_of_the_opponent_are_set(page: Page) -> None:
    page.click("#more")
    page.fill("#own", "120")
    page.fill("#other", "-4")
    page.fill("#theirs", "qz")
    page.press("#theirs", "Tab")
    assert cgp_of(page).split(" ", 1)[1] == "/QZ 120/-4 0"


def test_another_board_moves_the_tiles_with_its_center(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:  # the table of the lexicon is too small for it
        page.click("#more")
        page.select_option("#layout", "super21")
        expect(page.locator("#board .sq")).to_have_count(441)
        assert rows_of(page)[10] == "10CABBAGe4"
        assert cgp_of(page).split()[1] == "DEEHRST/"
        page.click("#undo")
        expect(page.locator("#board .sq")).to_have_count(225)
        assert cgp_of(page) == POSITION


def test_a_phone_has_a_keyboard_of_tiles(phone: Page) -> None:
    square(phone, "8H").tap()
    for letter in ("C", "A", "B"):
        phone.tap(f'[data-key="{letter}"]')
    assert rows_of(phone)[7] == "7CAB5"
    assert phone.get_attribute('[data-key="C"] .left', "data-sign") == "1"
    square(phone, "9H").tap()
    square(phone, "9H").tap()
    phone.tap('[data-key="?"]')
    phone.tap('[data-key="O"]')
    assert rows_of(phone)[8] == "7o7"
    phone.tap("#rack")
    for letter in ("D", "?", "E"):
        phone.tap(f'[data-key="{letter}"]')
    assert cgp_of(phone).split()[1] == "D?E/"
    box = phone.locator('[data-key="A"]').bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44


def test_a_fault_is_shown_on_its_square(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        square(page, "1A").click()
        page.keyboard.type("q")
        page.wait_for_selector("#alert:visible")
        assert "1A" in page.inner_text("#alert")
        assert squares(page, "bad") == ["1A"]
        page.keyboard.press("Backspace")
        page.wait_for_selector("#alert", state="hidden")
