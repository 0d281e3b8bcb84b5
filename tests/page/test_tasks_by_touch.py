"""The tasks of the page by touch on a phone of 390 x 844 pixels: every step is a tap.

Entering a position and playing a game are tested in test_position_entry and test_play_page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.page.board_page import ENDGAME, PHONE, POSITION, cgp_of, opened, rows_of, square, squares
from tests.page.game_records import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server

TURNS = "#turns [role=option]"


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with POSITION and its moves on a phone."""
    with opened(browser, server, device=PHONE) as page:
        yield page


def lay(page: Page, letters: str) -> None:
    """Tap tiles of the rack that are still there."""
    for letter in letters:
        page.locator(f"#rackbox .tile[data-letter={letter}]:not(.used)").first.tap()


def seen(page: Page, selector: str) -> bool:
    """Return whether an element is in the window, above the keyboard of tiles."""
    box = page.locator(selector).first.bounding_box()
    keyboard = page.locator("#keyboard").bounding_box()
    bottom = keyboard["y"] if keyboard else 844
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= bottom


def swipe(page: Page, selector: str, right: int, down: int = 0) -> None:
    """Slide a finger across an element."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for kind, part in (("touchStart", 0), ("touchMove", 0.5), ("touchMove", 1), ("touchEnd", 1)):
        points = [] if kind == "touchEnd" else [{"x": x + part * right, "y": y + part * down}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_tap_chooses_and_plays_a_move(phone: Page) -> None:
    for main in ("#rackbox", "#ahead"):
        box = phone.locator(main).bounding_box()
        assert box is not None
        assert 0.45 < box["y"] / 844 < 0.85, "within the reach of a thumb"
    phone.tap("#keys")
    assert phone.is_visible("#keyboard")
    phone.tap("#moves tbody tr:nth-child(1)")
    assert phone.is_hidden("#keyboard"), "it is not needed for the list"
    phone.tap('[data-sort="score"]')
    expect(phone.locator("th.c-score")).to_have_attribute("aria-sort", "descending")
    phone.tap("#moves tbody tr:nth-child(3)")
    assert len(squares(phone, "ghost")) > 0
    assert seen(phone, "#play")
    phone.tap("#play")
    phone.wait_for_selector("#chosentext", state="hidden")
    assert cgp_of(phone).split()[1] == "/"


def test_taps_try_a_move_and_play_it(phone: Page) -> None:
    phone.tap("#mode-try")
    square(phone, "9H").tap()
    lay(phone, "HE")
    phone.wait_for_selector(".verdict")
    assert squares(phone, "ghost") == ["9H", "9I"]
    assert seen(phone, "#board")
    assert seen(phone, ".verdict"), "no keyboard of tiles hides the score and the rank of the move"
    phone.tap("text=Take the tiles back")
    assert squares(phone, "ghost") == []
    square(phone, "9I").tap()
    lay(phone, "HEED")
    phone.wait_for_selector(".verdict:has-text('Rank')")
    phone.tap("text=Choose this move")
    phone.wait_for_selector("#chosentext:has-text('HEED')")
    assert seen(phone, "#board")
    phone.tap("#play")
    phone.wait_for_selector("#chosentext", state="hidden")
    assert rows_of(phone)[8] == "8HEED3"


def test_a_tap_on_a_blank_asks_for_its_letter(browser: Browser, server: Server) -> None:
    with opened(browser, server, POSITION.replace("DEEHRST", "DEEHRS?"), device=PHONE) as page:
        page.tap("#mode-try")
        square(page, "9I").tap()
        lay(page, "H")
        page.locator("#rackbox .tile.blank").tap()
        page.tap('[data-key="E"]')
        assert squares(page, "ghost") == ["9I", "9J"]
        page.wait_for_selector(".verdict")
        assert page.is_hidden("#keyboard")


def test_taps_look_ahead_and_stop(phone: Page) -> None:
    phone.select_option("#seconds", "20")
    phone.tap("#ahead")
    phone.wait_for_selector("#facts:has-text('iterations')")
    phone.wait_for_selector("#moves tbody tr:first-child small")
    phone.tap("#ahead")
    phone.wait_for_selector("#ahead:has-text('Look ahead')")
    assert "±" in phone.inner_text("#moves tbody tr:first-child .c-win_pct")
    phone.tap("#moves tbody tr:first-child")
    phone.tap(".chosen summary")
    assert "Iterations" in phone.inner_text(".chosen")
    assert seen(phone, "#board")


def test_taps_walk_along_the_line_of_an_endgame(browser: Browser, server: Server) -> None:
    with opened(browser, server, ENDGAME, device=PHONE) as page:
        page.tap("#ahead")
        page.wait_for_selector("#facts:has-text('Endgame')")
        page.wait_for_selector("#ahead:has-text('Look ahead')")
        page.tap("#moves tbody tr:first-child")
        page.tap(".chosen summary")
        steps = page.locator(".step")
        laid = []
        for at in range(steps.count()):
            steps.nth(at).tap()
            laid.append(len(squares(page, "ghost")))
        assert laid == sorted(laid)
        assert laid[-1] > laid[0]
        assert seen(page, "#board")


def test_taps_undo_and_redo(phone: Page) -> None:
    phone.tap("#moves tbody tr:first-child")
    phone.tap("#play")
    phone.wait_for_selector("#chosentext", state="hidden")
    after = cgp_of(phone)
    phone.tap("#undo")
    expect(phone.locator(".strip .tile")).to_have_count(7)
    assert cgp_of(phone) == POSITION
    phone.tap("#redo")
    expect(phone.locator(".strip .tile")).to_have_count(0)
    assert cgp_of(phone) == after
    phone.go_back()
    expect(phone.locator(".strip .tile")).to_have_count(7)
    phone.tap("#more")
    phone.tap("#clear")
    expect(phone.locator("#board .tile")).to_have_count(0)
    phone.tap("#undo")
    expect(phone.locator("#board .tile")).to_have_count(7)


def test_taps_go_through_a_game_and_its_puzzles(browser: Browser, server: Server) -> None:
    with opened(browser, server, device=PHONE) as page:
        page.tap("#tab-games")
        with page.expect_file_chooser() as chooser:
            page.tap("#gcgfile + button")
        record = {"name": "club.gcg", "mimeType": "text/plain", "buffer": RECORD.encode()}
        chooser.value.set_files([record])
        page.wait_for_selector(TURNS)
        page.tap("#look-best")
        assert len(squares(page, "ghost")) == 7
        page.locator(TURNS).nth(3).tap()
        assert page.get_attribute("#turns", "aria-activedescendant") == "turn-3"
        box = page.locator(".chart").bounding_box()
        assert box is not None
        page.locator(".chart").tap(position={"x": 5, "y": 20})
        assert page.get_attribute("#turns", "aria-activedescendant") == "turn-0"
        page.tap("#next")
        assert page.get_attribute("#turns", "aria-activedescendant") == "turn-1"
        for place, right, down, turn in (
            (".turnhead", -120, 10, "turn-2"),
            ("#board", -120, 10, "turn-3"),
            ("#board", 120, 10, "turn-2"),
            (".turnhead", 120, -10, "turn-1"),
            (".turnhead", -20, 0, "turn-1"),
            (".turnhead", -60, -120, "turn-1"),
        ):
            swipe(page, place, right, down)
            expect(page.locator("#turns")).to_have_attribute("aria-activedescendant", turn)
        with page.expect_download() as download:
            page.tap("#savegcg")
        assert download.value.suggested_filename == "club.gcg"
        page.tap("#puzzles")
        page.tap(".puzzle .hints button")
        page.wait_for_selector(".puzzle .hintlist li")
        square(page, "8B").tap()
        lay(page, "CABBAGE")
        page.tap("#check")
        page.wait_for_selector("#puzzleverdict:has-text('best move')")
        page.tap("#endpuzzle")
        page.wait_for_selector(TURNS)


def test_taps_judge_and_look_up_words(phone: Page) -> None:
    phone.tap("#tab-words")
    phone.tap("#judged")
    phone.keyboard.type("cab cat")  # of the phone
    phone.tap("#judge")
    phone.wait_for_selector(".ruling .ruled:has-text('✓')")
    phone.tap("#word")
    phone.keyboard.type("cat")
    phone.tap("#lookup")
    phone.wait_for_selector(".wordreport:has-text('CAT is a word')")
    phone.tap(".wordreport button:has-text('ACT')")
    phone.wait_for_selector(".wordreport:has-text('ACT is a word')")
    for count in (1, 2):
        phone.tap(".words .hints button")
        phone.wait_for_selector(f".words .hintlist li >> nth={count - 1}")
