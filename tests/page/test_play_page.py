"""A game is played on the page: against the computer, by several people, with clocks and challenges."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import kibitz
from tests.page.accessibility import violations
from tests.page.board_page import PHONE, focused, module, opened, square, squares
from tests.page.game_records import game
from tests.page.page_states import load

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.service.serving import Server

LOG = ".log li"
OWN_TURN = "#playmove:visible"
TOPS_OF_A_BUTTON = """async () => {
    const top = () => document.getElementById("clearlaid").getBoundingClientRect().top;
    const tops = [top()];
    for (let turns = 0; turns < 200 && !document.getElementById("laid").textContent; turns += 1) {
        tops.push(top());
        await new Promise((done) => setTimeout(done, 20));
    }
    return [...tops, top()];
}"""


def lay(page: Page, at: str, letters: str) -> None:
    """Type tiles from a square to the right."""
    square(page, at).click()
    page.keyboard.type(letters)


def rack(page: Page) -> str:
    return "".join(page.eval_on_selector_all("#rackbox .tile", "all => all.map(one => one.dataset.letter)"))


def scores(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".seatcard .points").all_inner_texts()]


def stored(page: Page) -> dict[str, Any]:
    """Return the game that the browser has stored last."""
    keys = "Object.keys(localStorage).filter(key => key.startsWith('kibitz-game-'))"
    games = page.evaluate(f"{keys}.map(key => JSON.parse(localStorage.getItem(key)))")
    found: dict[str, Any] = max(games, key=lambda one: one["storedAt"])
    return found


def test_a_game_against_the_computer_is_played_and_continued_after_a_reload(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        load(page, game(words, "CABBAGE", "DEEHRST", seats=("Ann", 3)))
        page.wait_for_selector(OWN_TURN)
        assert rack(page) == "AABBCEG"
        lay(page, "8D", "cabbagex")
        page.wait_for_selector("#laid:has-text('84')")
        page.click("#playmove")
        page.wait_for_selector(f"{LOG}:nth-child(2)")
        page.wait_for_selector(OWN_TURN)
        after = scores(page)
        assert after[0] == 84
        assert len(rack(page)) == 7
        page.reload()
        page.wait_for_selector("#lexicon option", state="attached")
        page.click("#tab-play")
        page.click(".resume")
        page.wait_for_selector(OWN_TURN)
        assert scores(page) == after
        assert len(squares(page, "tile")) >= 8
        page.click("#takeback")
        assert scores(page) == [0, 0]
        assert rack(page) == "AABBCEG"
        lay(page, "8D", "cab")
        tops = page.evaluate(TOPS_OF_A_BUTTON)
        assert len(set(tops)) == 1, "what the tiles score does not move the button under a finger"
        page.click("#clearlaid")
        assert squares(page, "ghost") == []
        page.click("#tab-moves")
        assert squares(page, "tile") == [], "the analysed position is back"


def test_neither_the_bag_nor_a_hidden_rack_can_be_seen(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        load(page, game(words, "CABBAGE", "DEEHRST"))
        page.wait_for_selector("#showtiles:visible")
        assert page.inner_text("#showtiles") == "Ann: show my tiles"
        assert rack(page) == ""
        page.click("#showtiles")
        assert rack(page) == "AABBCEG"
        assert page.is_hidden("#moves"), "no analysis of a game that is played"
        lay(page, "8H", "cab")
        page.click("#playmove")
        page.wait_for_selector("#showtiles:has-text('Bo')")
        assert rack(page) == ""
        page.click("#showtiles")
        assert rack(page) == "DEEHRST"
        shown = page.inner_text("body") + page.evaluate("location.href")
        assert stored(page)["steps"][0]["after"]["bag"] not in shown
        assert "AABBCEG" not in shown


def test_the_tiles_are_shuffled_fairly(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        orders = Counter(
            module(
                page,
                "match.js",
                "Array.from({length: 6000}, () => it.shuffled(['A', 'B', 'C']).join(''))",
            )
        )
        assert len(orders) == 6
        assert all(850 < count < 1150 for count in orders.values()), orders


def test_a_play_that_the_rules_refuse_costs_nothing(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        load(page, game(words, "CABBAGE", "DEEHRST", seats=("Ann", 3)))
        page.wait_for_selector(OWN_TURN)
        lay(page, "8G", "bbc")
        page.click("#playmove")
        page.wait_for_selector("#alert:not([hidden])")
        assert "BBC" in page.inner_text("#alert")
        assert rack(page) == "AABBCEG"
        assert page.locator(LOG).count() == 0
        page.keyboard.press("Escape")
        page.click("#exchange")
        page.click(".exchange .tile >> nth=2")
        page.click(".exchange .tile >> nth=3")
        assert page.inner_text("#doexchange") == "Exchange 2 tiles"
        page.click("#doexchange")
        page.wait_for_selector(f"{LOG}:nth-child(2)")
        assert "exchanges 2 tiles" in page.inner_text(f"{LOG} >> nth=1")
        assert Counter(rack(page)) != Counter("AABBCEG")


def test_challenges_follow_the_chosen_rule(browser: Browser, server: Server, words: kibitz.Lexicon) -> None:
    with opened(browser, server, None) as page:
        load(page, game(words, "CABBAGE", "DEEHRST", challenge="double"))
        page.click("#showtiles")
        lay(page, "8G", "bbc")
        page.click("#playmove")
        page.wait_for_selector("#challengeplay:visible")
        assert scores(page)[0] > 0
        page.click("#challengeplay")
        page.wait_for_selector(f"{LOG}:nth-child(2)")
        assert scores(page) == [0, 0]
        assert page.inner_text("#showtiles") == "Bo: show my tiles", "the phony has cost Ann the turn"
        assert sorted(stored(page)["steps"][-1]["after"]["racks"][0]) == list("AABBCEG")
        page.click("#showtiles")
        lay(page, "8H", "he")
        page.click("#playmove")
        page.wait_for_selector("#challengeplay:visible")
        page.click("#challengeplay")
        page.wait_for_selector(f"{LOG}:nth-child(5)")
        assert page.inner_text("#showtiles") == "Bo: show my tiles", "it has cost Ann the turn"
        with page.expect_download() as download:
            page.click("#saverecord")
        record = download.value.path().read_text()
        assert [line.split(": ")[1].split(" ", 1)[1] for line in record.splitlines() if line[0] == ">"] == [
            "8G BBC +18 18",
            "-- -18 0",
            "8H HE +10 10",
            "- +0 0",
        ]


def test_the_time_for_a_turn_ends_it(browser: Browser, server: Server, words: kibitz.Lexicon) -> None:
    with opened(browser, server, None) as page:
        load(page, game(words, "CABBAGE", "DEEHRST", time=kibitz.TimeControl(60, 1)))
        page.wait_for_timeout(1_200)
        assert page.locator(LOG).count() == 0, "the clock stands while the tiles are hidden"
        page.click("#showtiles")
        assert page.is_hidden("#takeback")
        assert page.is_hidden(".playing .hints")
        page.wait_for_selector(f"{LOG}:has-text('passes')")
        assert page.inner_text("#showtiles") == "Bo: show my tiles"
        assert stored(page)["steps"][0]["after"]["timeLeft"][0] < 59.5


def test_a_server_that_is_down_loses_nothing_of_the_game(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None, faults=True) as page:
        load(page, game(words, "CABBAGE", "DEEHRST", seats=("Ann", 3)))
        page.wait_for_selector(OWN_TURN)
        lay(page, "8D", "cabbage")
        page.route("**/play", lambda route: route.abort())
        page.click("#playmove")
        page.wait_for_selector("#alert .retry")
        assert len(squares(page, "ghost")) == 7
        assert page.locator(LOG).count() == 0
        page.unroute("**/play")
        page.click("#alert .retry")
        page.wait_for_selector(f"{LOG}:nth-child(2)")
        assert scores(page)[0] == 84


def test_a_game_is_saved_to_a_file_and_loaded_from_it(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        load(page, "{ this is no game }")
        page.wait_for_selector("#alert:has-text('not a saved game')")
        load(page, game(words, "CABBAGE", "DEEHRST", "AEINNOT", seats=("Ann", "Bo", "Cy")))
        page.click("#showtiles")
        lay(page, "8D", "cabbage")
        page.click("#playmove")
        page.wait_for_selector("#showtiles:has-text('Bo')")
        with page.expect_download() as download:
            page.click("#savegame")
        text = download.value.path().read_text()
        page.click("#leavegame")
        assert page.is_visible("#begin")
        assert focused(page) == "begin"
        load(page, text)
        page.wait_for_selector("#showtiles:has-text('Bo')")
        assert scores(page) == [84, 0, 0]


def test_two_tabs_show_the_same_game_and_do_not_undo_each_other(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        load(page, game(words, "CABBAGE", "DEEHRST"))
        page.wait_for_selector("#showtiles:visible")
        other = page.context.new_page()
        other.goto(page.url)
        other.wait_for_selector("#lexicon option", state="attached")
        other.click("#tab-play")
        other.click(".resume")
        other.click("#showtiles")
        lay(other, "8D", "cabbage")
        other.click("#playmove")
        other.wait_for_selector("#showtiles:has-text('Bo')")
        page.wait_for_selector("#showtiles:has-text('Bo')")
        assert scores(page) == [84, 0]


def test_the_keyboard_alone_plays_a_game(browser: Browser, server: Server, words: kibitz.Lexicon) -> None:
    with opened(browser, server, None) as page:
        load(page, game(words, "CABBAGE", "DEEHRST", seats=("Ann", 3)))
        page.wait_for_selector(OWN_TURN)
        while focused(page) != "H8, star, double word, empty":
            page.keyboard.press("Tab")
        page.keyboard.type("cab")
        while focused(page) != "playmove":
            page.keyboard.press("Tab")
        waiting: list[Route] = []
        page.route(
            "**/play",
            lambda route: (
                waiting.append(route) if "level" in route.request.post_data_json else route.continue_()
            ),
        )
        page.keyboard.press("Enter")
        page.wait_for_selector("#turn:has-text('thinking')")
        page.wait_for_timeout(100)
        assert focused(page) == "playmove", "the focus stays while the computer thinks"
        waiting[0].continue_()
        page.unroute("**/play")
        page.wait_for_selector(f"{LOG}:nth-child(2)")
        assert focused(page) == "playmove", "the focus is not lost"
        while focused(page) != "exchange":
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        while focused(page) != "doexchange":
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(f"{LOG}:nth-child(4)")
        assert focused(page) == "playmove"


def test_the_end_of_a_game_leads_to_its_annotation(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        passed = game(words, "CABBAGE", "DEEHRST")
        for _ in range(5):
            passed.play("-")
        load(page, passed)
        page.click("#showtiles")
        page.click("#exchange")
        assert page.inner_text("#doexchange") == "Pass"
        page.click("#doexchange")
        page.wait_for_selector("#reviewgame")
        assert "too many turns without points" in page.inner_text("#turn")
        assert focused(page) == "reviewgame"
        assert page.locator(".ranks li").first.inner_text().startswith("Bo")
        page.click("#reviewgame")
        page.wait_for_selector("#turns [role=option]")


@pytest.mark.slow
def test_levels_play_a_whole_game_which_is_annotated(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        text = game(words, "CABBAGE", "DEEHRST", seats=(5, 8))
        load(page, text)
        page.wait_for_selector("#reviewgame", timeout=60_000)
        assert not violations(page)
        over = stored(page)["steps"][-1]["after"]["over"]
        assert over["reason"] == "went_out"
        page.click("#reviewgame")
        page.wait_for_selector("#turns [role=option]")
        assert page.locator(".faults").count() == 0, page.inner_text(".faults")
        finals = page.locator(".players .score").all_inner_texts()
        assert [int(one) for one in finals] == over["final"]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_phone_plays_a_game(browser: Browser, server: Server, words: kibitz.Lexicon, scheme: str) -> None:
    with opened(browser, server, None, device={**PHONE, "color_scheme": scheme}) as page:
        page.tap("#tab-play")
        assert violations(page) == []
        page.tap("#begin")
        page.wait_for_selector(OWN_TURN)
        board, own = (page.locator(one).bounding_box() for one in ("#board", "#rackbox"))
        assert board is not None
        assert own is not None
        assert board["y"] + board["height"] <= own["y"] + 1, "the board does not cover the rack"
        assert own["y"] + own["height"] <= 844
        page.tap("#leavegame")
        load(page, game(words, "CABBAGE", "DEEHRST", seats=("Ann", 3)))
        page.wait_for_selector(OWN_TURN)
        square(page, "8D").tap()
        for at in (4, 0, 2):
            page.tap(f"#rackbox .tile >> nth={at}")
        assert squares(page, "ghost") == ["8D", "8E", "8F"]
        page.tap("#clearlaid")
        square(page, "8H").tap()
        for at in (4, 0, 2):
            page.tap(f"#rackbox .tile >> nth={at}")
        page.tap("#playmove")
        page.wait_for_selector(f"{LOG}:nth-child(2)")
        page.wait_for_selector(OWN_TURN)
        page.tap("#exchange")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
        heights = page.eval_on_selector_all(
            "#panel-play button", "all => all.filter(one => one.offsetParent).map(one => one.offsetHeight)"
        )
        assert min(heights) >= 44
