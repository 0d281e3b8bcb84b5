"""The page at /editor: a board and tiles are drawn, checked, saved as files, and played with."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

import kibitz
from tests.page.accessibility import violations
from tests.page.board_page import square, watched
from tests.page.test_topping_page import NARROW, SMALL_TARGETS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server

FAULTY = "\n".join(["T........x", *[".........."] * 9, "starts 5E 11A", ""])
TOUCHED = "button, select, a, .brushes label, .check, #rows input:not([type=checkbox])"


def drawn(page: Page) -> kibitz.BoardLayout:
    """Return the board in view."""
    found: dict[str, Any] = page.eval_on_selector("#board", "one => one.layout")
    return kibitz.BoardLayout.from_text(
        "\n".join([*found["rows"], f"starts {' '.join(found['starts'])}"]), "drawn"
    )


def saved(page: Page, button: str) -> str:
    """Press a button that saves a file, and return its contents."""
    with page.expect_download() as download:
        page.click(button)
    return Path(download.value.path()).read_text("utf-8")


def check(page: Page) -> None:
    """Check what can be seen of a view."""
    assert violations(page) == []
    assert page.eval_on_selector_all(TOUCHED, SMALL_TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_board_is_drawn_by_touch_and_keys_and_its_faults_are_shown(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    (tmp_path / "faulty.txt").write_text(FAULTY)
    with watched(browser, server, device={**NARROW, "color_scheme": "dark"}) as page:
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("#lexicon option", state="attached")
        page.tap("#tab-play")
        page.get_by_role("link", name="Board editor").tap()
        page.set_input_files("#file", tmp_path / "faulty.txt")
        expect(page.locator("#alert li")).to_contain_text(["Line 1: 'x' at 1J", "Line 11: '11A'"])
        expect(page.locator("#boardfaults li")).to_have_count(1)
        assert square(page, "1J").get_attribute("aria-label") == "J1, fault"
        check(page)
        page.click("#saveboard")
        expect(page.locator("#status")).to_have_text("There are faults to be mended first.")
        page.select_option("#symmetry", "axes")
        page.get_by_role("radio", name="triple word").check()
        square(page, "1A").tap()
        expect(page.locator("#boardfacts")).to_have_text("No faults. Premium squares: 4, start: 5E.")
        page.get_by_role("radio", name="start square").check()
        page.select_option("#symmetry", "all")
        square(page, "6F").tap()
        square(page, "3B").tap()  # and one of its images
        page.keyboard.press("Control+z")
        page.keyboard.press("q")
        expect(page.locator("#heard")).to_have_text(re.compile("^3B .* 2C.*: quadruple letter$"))
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")  # a start square and its images
        page.keyboard.press("Control+z")
        page.reload()
        expect(page.locator("#boardfacts")).to_contain_text("Premium squares: 12")
        written = saved(page, "#saveboard")
        layout = kibitz.BoardLayout.from_text(written, "own")
        assert layout.canonical() == drawn(page).canonical()
        assert layout.rows()[0] == "T........T"
        assert [layout.rows()[row][column] for row, column in ((1, 2), (2, 1), (8, 7), (7, 8))] == ["q"] * 4
        assert layout.starts == ((4, 4), (4, 5), (5, 4), (5, 5))
        check(page)


def test_a_board_and_tiles_of_ones_own_are_played_with_and_saved(
    browser: Browser, server: Server, words: kibitz.Lexicon, tmp_path: Path
) -> None:
    with watched(browser, server, faults=True) as page:
        page.goto(f"http://127.0.0.1:{server.port}/editor")
        page.fill("#side", "11")
        page.press("#side", "Tab")
        page.select_option("#boards", "empty")
        page.get_by_role("radio", name="double word").check()
        square(page, "2B").hover()
        page.mouse.down()
        for at in ("2C", "2D"):
            square(page, at).hover()
        page.mouse.up()
        assert drawn(page).rows()[1] == ".DDD......."
        page.keyboard.press("Control+z")
        assert drawn(page).rows()[1] == "." * 11, "a stroke is undone at once"
        square(page, "2B").click()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("t")
        assert drawn(page).rows()[1] == ".Dt........"
        page.get_by_label("A: tiles").fill("64")
        page.click("#add")
        page.keyboard.type("a1")
        page.keyboard.press("Tab")
        expect(page.get_by_label("A1: tiles")).to_be_focused()
        expect(page.locator("#why1")).to_have_text("! the count of A must be 0 to 63")
        expect(page.locator("#why27")).to_have_text("! 'A1' is not a letter")
        assert page.get_by_label("A: tiles").get_attribute("aria-invalid") == "true"
        assert violations(page) == []
        page.get_by_label("Letter 27").fill("ch")
        page.get_by_label("A: tiles").fill("20")
        page.get_by_label("A: tiles").press("Tab")
        expect(page.locator("#tilefacts")).to_contain_text("Tiles: 112")
        tiles = kibitz.TileSet.from_csv(saved(page, "#savetiles"), "own")
        assert (tiles.letters[-1], tiles.counts[1], tiles.total) == ("CH", 20, 112)
        page.click("#play")
        expect(page.locator("#alert")).to_contain_text("letters")  # those of the word list are others
        page.get_by_role("button", name="Remove CH").click()
        page.click("#play")
        expect(page.locator("#turn")).to_contain_text("to move")
        assert len(page.evaluate("document.getElementById('board').layout.rows")) == 11
        page.click("#exchange")
        page.click("#doexchange")  # a pass
        expect(page.locator(".log li")).to_have_count(2)
        text = saved(page, "#savegame")
        game = kibitz.Game.from_json(text, words)
        assert (game.position.layout.side, game.position.tile_set.counts[1]) == (11, 20)
        page.click("#leavegame")
        (tmp_path / "game.json").write_text(game.to_json())
        page.set_input_files("#gamefile", tmp_path / "game.json")
        expect(page.locator(".log li")).to_have_count(2)
        again = kibitz.Game.from_json(saved(page, "#savegame"), words)
        assert again.position == game.position
        broken = {**json.loads(text), "layout": {"rows": 7, "starts": []}}
        (tmp_path / "broken.json").write_text(json.dumps(broken))
        page.click("#leavegame")
        page.set_input_files("#gamefile", tmp_path / "broken.json")
        expect(page.locator("#alert")).to_contain_text("This game has a board or tiles of its own")
