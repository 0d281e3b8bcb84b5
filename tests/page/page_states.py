"""The states of the page: each function leads an opened page into one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import kibitz
from tests.page.board_page import square
from tests.page.game_records import RECORD, game
from tests.page.searching import endless, search, searched

if TYPE_CHECKING:
    from playwright.sync_api import Page


def nothing(page: Page) -> None:
    """An empty board."""


def listed(page: Page) -> None:
    page.click(".filter summary")


def chosen(page: Page) -> None:
    page.click("#moves tbody tr:nth-child(2)")
    page.click(".chosen summary")


def set_up(page: Page) -> None:
    page.click(".filter summary")
    page.click("#keys")
    page.click("#more")


def tried(page: Page) -> None:
    page.click("#mode-try")
    square(page, "9I").click()
    page.keyboard.type("he")
    page.wait_for_selector(".verdict")


def searching(page: Page) -> None:
    endless(page)
    search(page, "60")
    page.wait_for_selector("#moves small")


def stopped(page: Page) -> None:
    page.click("#ahead")
    page.wait_for_selector("#moves small")
    page.click("#ahead")
    page.wait_for_selector(".search + progress", state="hidden")
    page.click("#moves tbody tr:first-child")
    page.click(".chosen summary")
    page.click("#compare")
    page.click("#heat")


def endgame(page: Page) -> None:
    searched(page)
    page.click(".step >> nth=1")


def preendgame(page: Page) -> None:
    searched(page)


def undone(page: Page) -> None:
    page.click("#moves tbody tr:first-child")
    page.click("#play")
    page.wait_for_selector("#chosentext", state="hidden")
    page.click("#undo")
    page.wait_for_selector("#moves tbody tr")


def no_record(page: Page) -> None:
    reviewed(page)
    page.click("#closegame")
    page.select_option("#lexicon", "+")
    page.wait_for_selector("#panel-games .resume")


def reviewed(page: Page) -> None:
    page.click("#tab-games")
    page.fill("#gcg", RECORD)
    page.click("#annotate")
    page.wait_for_selector("#turns [role=option]")
    page.click("#look-best")


def puzzle(page: Page) -> None:
    reviewed(page)
    page.click("#puzzles")
    page.click(".puzzle .hints button")
    page.wait_for_selector(".puzzle .hintlist li")
    page.click("#reveal")


def new_game(page: Page) -> None:
    page.click("#tab-play")
    page.click(".newgame summary")


def load(page: Page, saved: kibitz.Game | str) -> None:
    """Load a saved game from a file."""
    text = saved if isinstance(saved, str) else saved.to_json()
    page.click("#tab-play")
    page.set_input_files(
        "#gamefile", [{"name": "game.json", "mimeType": "application/json", "buffer": text.encode()}]
    )


def played(page: Page, lexicon: kibitz.Lexicon) -> None:
    load(page, game(lexicon, "CABBAGE", "DEEHRST", seats=("Ann", 3)))
    page.wait_for_selector("#playmove:visible")
    square(page, "8D").click()
    page.keyboard.type("cabbage")
    page.wait_for_selector("#laid:has-text('84')")


def challenged(page: Page, lexicon: kibitz.Lexicon) -> None:
    time = kibitz.TimeControl(600)
    load(page, game(lexicon, "CABBAGE", "DEEHRST", challenge="double", time=time))
    page.click("#showtiles")
    square(page, "8G").click()
    page.keyboard.type("bbc")
    page.click("#playmove")
    page.wait_for_selector("#challengeplay:visible")


def exchanged(page: Page, lexicon: kibitz.Lexicon) -> None:
    load(page, game(lexicon, "CABBAGE", "DEEHRST"))
    page.click("#showtiles")
    page.click("#exchange")
    page.click(".exchange .tile >> nth=2")


def game_over(page: Page, lexicon: kibitz.Lexicon) -> None:
    passed = game(lexicon, "CABBAGE", "DEEHRST")
    for _ in range(5):
        passed.play("-")
    load(page, passed)
    page.click("#showtiles")
    page.click("#exchange")
    page.click("#doexchange")
    page.wait_for_selector("#reviewgame")


def words(page: Page) -> None:
    page.click("#tab-words")
    page.fill("#judged", "cab bbq")
    page.press("#judged", "Enter")
    page.wait_for_selector(".ruling .ruled")
    page.fill("#word", "cat")
    page.click("#lookup")
    page.wait_for_selector(".wordreport .ruled")
    page.click(".words .hints button")
    page.wait_for_selector(".words .hintlist li")


def refused(page: Page) -> None:
    page.route("**/analyze", lambda route: route.abort())
    page.focus("#rack")
    page.keyboard.press("Backspace")
    page.wait_for_selector("#alert button")


def locked(page: Page) -> None:
    page.route("**/analyze", lambda route: route.fulfill(status=401, json={"detail": "no key"}))
    page.focus("#rack")
    page.keyboard.press("Backspace")
    page.wait_for_selector("#key")


STATES = [
    nothing,
    listed,
    chosen,
    set_up,
    tried,
    searching,
    stopped,
    endgame,
    preendgame,
    undone,
    no_record,
    reviewed,
    puzzle,
    new_game,
    refused,
    words,
    locked,
]
"""The states that axe-core checks; then those that need a lexicon for their game."""
STATES_OF_A_GAME = [played, challenged, exchanged, game_over]
