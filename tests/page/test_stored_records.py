"""Opened records stay: after a reload, in the list of games, in a link."""

from __future__ import annotations

from random import Random
from string import ascii_letters
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.page.board_page import cgp_of, opened
from tests.page.game_records import RECORD, TURNS, open_record, selected

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.service.serving import Server


def test_a_reload_keeps_the_game_and_the_turn(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        analysed = cgp_of(page)
        open_record(page, RECORD.replace("Ann Ek", "Ann Ék"))
        page.click(f"{TURNS} >> nth=2")
        page.reload()
        page.wait_for_selector(TURNS)
        assert selected(page) == "3"
        assert page.get_attribute("#tab-games", "aria-selected") == "true"
        with page.expect_download() as download:
            page.click("#savegcg")
        assert "Ann Ék" in download.value.path().read_text(), "the bytes of the record are the same"
        page.click("#tab-moves")
        page.reload()
        page.wait_for_selector("#moves tbody tr")
        assert cgp_of(page) == analysed
        page.click("#tab-games")
        assert selected(page) == "3"
        page.click("#closegame")
        page.reload()
        page.click("#tab-games")
        assert page.is_visible("#annotate")


def test_games_opened_before_are_listed_opened_and_removed(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        open_record(page)
        page.click(f"{TURNS} >> nth=1")
        page.click("#closegame")
        open_record(page, RECORD.replace("player2 bo", "player2 cy").replace(">bo", ">cy"))
        page.wait_for_selector(".players:has-text('cy')")
        page.click("#closegame")
        page.reload()
        page.click("#tab-games")
        games = page.locator("#panel-games .resume")
        expect(games).to_have_text(["Open: ann 14, cy 12", "Open: ann 14, bo 12"])
        page.on("dialog", lambda dialog: dialog.accept())
        page.click("#panel-games .stored li:first-child button:last-child")
        expect(games).to_have_text(["Open: ann 14, bo 12"])
        with page.expect_request("**/hints", timeout=20_000) as asked:
            games.click()  # without the server
            page.click("#puzzles")
            page.click(".puzzle .hints button")
        assert asked.value.post_data is not None


def test_a_link_carries_the_game_and_the_turn(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        open_record(page, RECORD.replace("Ann Ek", "Ann Ék"))
        page.click(f"{TURNS} >> nth=2")
        page.click("#copygame")
        page.wait_for_selector("#status:has-text('copied')")
        link = page.evaluate("navigator.clipboard.readText()")
        page.click("#pictureofturn")
        page.wait_for_selector("#status:has-text('picture')")
        kinds = page.evaluate("navigator.clipboard.read().then(all => all.flatMap(one => one.types))")
        assert kinds == ["image/png"]
        with opened(browser, server, None) as other:
            other.goto("about:blank")
            other.goto(link)
            other.wait_for_selector(TURNS)
            assert selected(other) == "3"
            other.reload()
            other.wait_for_selector(TURNS)
            assert selected(other) == "3"
            with other.expect_download() as download:
                other.click("#savegcg")
            assert "Ann Ék" in download.value.path().read_text()
            other.goto("about:blank")
            other.goto(link[:-60])
            other.wait_for_selector("#alert:has-text('no game')")
            page.click("#closegame")
        noise = "".join(Random(7).choices(ascii_letters, k=20_000))
        open_record(page, RECORD.replace("Bo Li", noise))
        page.wait_for_selector(TURNS)
        with page.expect_download() as download:
            page.click("#copygame")
        assert noise in download.value.path().read_text()
