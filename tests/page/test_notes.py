"""Notes to positions and turns: saved in the browser, in the link, and in the record of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.page.board_page import DESKTOP, PHONE, POSITION, opened
from tests.page.game_records import TURNS, open_record

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Browser, Locator, Page

    from tests.service.serving import Server


def open_notes(page: Page) -> Locator:
    if page.is_hidden("#note"):
        if page.is_hidden("#notes"):
            page.click("#more")
        page.click("#notes summary")
    return page.locator("#note")


def write(note: Locator, text: str) -> None:
    note.fill(text)
    note.blur()


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_note_belongs_to_its_position(browser: Browser, server: Server, device: dict[str, Any]) -> None:
    with opened(browser, server, device=device) as page:
        note = open_notes(page)
        note.fill("DERTH gives up the S hook & more")
        page.focus("#rack")
        page.keyboard.press("Backspace")
        expect(note).to_have_value("")
        page.click("#undo")
        expect(note).to_have_value("DERTH gives up the S hook & more")
        page.click("#shuffle")
        expect(note).to_have_value("DERTH gives up the S hook & more")
        page.reload()
        page.wait_for_selector("#moves tbody tr")
        expect(note).to_have_value("DERTH gives up the S hook & more")
        assert note.is_visible(), "a note that exists is shown"


def test_a_short_note_is_in_the_link_and_a_long_one_is_not(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        note = open_notes(page)
        write(note, "Fish? ¿Pescar?\nNo.")
        with opened(browser, server, None) as other:
            other.goto(page.evaluate("location.href"))
            expect(other.locator("#note")).to_have_value("Fish? ¿Pescar?\nNo.")
            write(other.locator("#note"), "my own")
            other.goto("about:blank")
            other.goto(page.evaluate("location.href"))
            expect(other.locator("#note")).to_have_value("my own")
        write(note, "x" * 301)
        assert "note=" not in page.evaluate("location.hash")
        write(note, "")
        assert "note=" not in page.evaluate("location.hash")
        page.reload()
        page.wait_for_selector("#moves tbody tr")
        assert page.is_hidden("#note")


def test_a_note_to_a_turn_is_exported_with_the_record(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        before = page.url
        open_record(page)
        page.click(f"{TURNS} >> nth=2")
        write(open_notes(page), "I should have\nplayed on")
        assert page.evaluate("location.href") == before, "a turn is not the position of the link"
        page.click(f"{TURNS} >> nth=0")
        expect(page.locator("#note")).to_have_value("")
        with page.expect_download() as saved:
            page.click("#savegcg")
        lines = Path(saved.value.path()).read_text().splitlines()
        turns = [at for at, line in enumerate(lines) if line.startswith(">")]
        assert lines[turns[2] + 1 : turns[2] + 3] == ["#note I should have", "#note played on"]
        assert sum("played on" in line for line in lines) == 1
        page.click("#tab-moves")
        expect(page.locator("#note")).to_have_value("")
        assert POSITION.split()[0] in page.url


def test_a_game_that_is_played_shows_no_notes(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        page.click("#tab-play")
        page.click("#begin")
        page.wait_for_selector("#turn")
        assert page.is_hidden("#notes")
