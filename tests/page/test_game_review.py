"""A recorded game is opened, walked through, replayed as puzzles, and saved with notes."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error

from engine import format_history, read_gcg
from tests.page.accessibility import violations
from tests.page.board_page import PHONE, cgp_of, focused, module, opened, square, squares
from tests.page.game_records import RECORD, TURNS, open_record, selected
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from tests.service.serving import Server


def test_a_game_of_woogles_is_opened_like_its_gcg(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        open_record(page, json.dumps(format_history(read_gcg(RECORD).record)), "club.json")
        page.wait_for_selector(TURNS)
        assert page.locator(TURNS).count() == 4
        assert ".json" in str(page.get_attribute("#gcgfile", "accept"))


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_a_record_is_walked_through_with_what_was_played_and_what_was_best(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as page:
        analysed = cgp_of(page)
        open_record(page)
        page.wait_for_selector(TURNS)
        assert page.locator(TURNS).count() == 4
        assert page.get_attribute(f"{TURNS} >> nth=0 >> .mistake [role=img]", "aria-label") == "large mistake"
        assert "large mistake" in page.inner_text(".judgement")
        heads = page.locator(".players thead th").all_inner_texts()
        assert heads == ["Score", "▲", "◆", "✕", "Mistake Index", "Luck"]
        row = page.locator(".players tbody tr >> nth=0 >> td").all_inner_texts()
        small, medium, large, index = map(float, row[1:5])
        assert large >= 1
        assert index == round(0.2 * small + 0.5 * medium + large, 1)
        assert squares(page, "ghost") == ["8H", "8I", "8J"]
        page.click("#look-best")
        assert "CABBAGE" in page.inner_text("#look-best")
        assert len(squares(page, "ghost")) == 7
        assert focused(page) == "look-best"
        page.click(f"{TURNS} >> nth=2")
        assert selected(page) == "3"
        assert "Exchange" in page.inner_text("#look-played")
        page.click("#next")
        assert squares(page, "tile") == ["7H", "7I", "8H", "8I", "8J"]
        box = page.locator(".chart").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] - 15, box["y"] + 20)
        assert page.inner_text(".tip").startswith("Turn 4: bo 7H HE +12")
        assert selected(page) == "4", "only a click chooses a turn"
        page.mouse.click(box["x"] + 5, box["y"] + 20)
        assert selected(page) == "1"
        page.click("#next")
        page.click("#tomoves")
        page.wait_for_selector("#moves tbody tr")
        assert cgp_of(page).split()[1] == "DEEHRST/"
        page.go_back()
        page.wait_for_selector("#moves tbody tr")
        assert cgp_of(page) == analysed
        page.click("#tab-games")
        assert selected(page) == "2", "the review stays where it was"
        page.go_forward()
        assert page.get_attribute("#tab-moves", "aria-selected") == "true"


def test_the_keyboard_alone_opens_a_record_and_walks_through_it(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        page.focus("#tab-moves")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert focused(page) == "gcg"
        page.keyboard.insert_text(RECORD)
        while focused(page) != "annotate":
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(TURNS)
        assert focused(page) == "turns"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert selected(page) == "2"
        page.keyboard.press("End")
        assert selected(page) == "4"
        assert page.get_attribute("#turns", "aria-activedescendant") == "turn-3"
        page.focus("#plot")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert selected(page) == "2"
        assert page.get_attribute("#plot", "aria-valuenow") == "2"
        said = page.get_attribute("#plot", "aria-valuetext") or ""
        assert re.match(r"Turn 2: bo Pass \+0.* · ann [\d.]+ %", said)
        assert page.inner_text(".tip") == said
        marked = page.locator(f"{TURNS}:has(.mistake [role=img]) .n").all_inner_texts()
        assert marked[0] == "1"
        page.keyboard.press("Home")
        page.keyboard.press("m")
        assert selected(page) == marked[1]
        page.keyboard.press("Shift+M")
        assert selected(page) == "1"
        page.keyboard.press("Shift+M")
        assert (selected(page), page.inner_text("#status")) == ("1", "There is no further mistake.")


def test_mistakes_are_found_again_with_hints(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        open_record(page)
        page.click("#puzzles")
        assert squares(page, "ghost") == [], "the puzzle does not show the move"
        hint = page.locator(".puzzle .hints button")
        page.route("**/hints", lambda route: route.abort())
        hint.click()
        page.wait_for_selector("#alert:not([hidden])")
        assert page.locator(".puzzle .hintlist li").count() == 0
        page.unroute("**/hints")
        page.click("#alert .retry")
        page.wait_for_selector(".puzzle .hintlist li")
        assert hint.inner_text() == "Another hint (2 of 5)", "a failed request uses up no level"
        for number in range(2, 7):
            hint.click()
            page.wait_for_selector(f".puzzle .hintlist li >> nth={number - 1}")
        assert page.inner_text(".puzzle .hintlist li >> nth=0") == "There is a bingo."
        assert "CABBAGE" in page.inner_text(".puzzle .hintlist li >> nth=5")
        square(page, "8H").click()
        page.keyboard.type("ba")
        page.click("#check")
        page.wait_for_selector("#puzzleverdict:has-text('Not the best')")
        page.keyboard.press("Tab")
        square(page, "8H").click()
        for _ in range(2):
            page.keyboard.press("Delete")
            page.keyboard.press("ArrowRight")
        square(page, "8D").click()
        page.keyboard.type("cabbage")
        page.click("#check")
        page.wait_for_selector("#puzzleverdict:has-text('best move')")
        page.click("#nextpuzzle")
        assert "Puzzle 2" in page.inner_text(".puzzle .big")
        assert page.inner_text("#puzzleverdict") == ""
        page.click("#endpuzzle")
        assert selected(page) == "2"


def test_a_faulty_record_names_its_lines(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        open_record(page, "this is a letter to my aunt\n")
        page.wait_for_selector("#alert:not([hidden])")
        assert page.is_visible("#gcgfile + button")
        open_record(page, RECORD.replace(">ann: AABBCEG 8H CAB +14 14", ">ann AABBCEG\n>bo CAB"))
        page.wait_for_selector("#alert:has-text('line 4')")
        assert "line 3" in page.inner_text("#alert")
        open_record(page, RECORD + ">bo nothing here\n")
        page.wait_for_selector(TURNS)
        page.click(".faults summary")
        assert "line 7" in page.inner_text(".faults")


def test_the_game_is_saved_as_gcg_with_notes_and_as_a_report(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        open_record(page)
        page.wait_for_selector(TURNS)
        saved = {}
        for kind in ("gcg", "html"):
            with page.expect_download() as download:
                page.click(f"#save{kind}")
            assert download.value.suggested_filename == f"club.{kind}"
            saved[kind] = download.value.path().read_text()
        assert "#note kibitz: best 8B CABBAGE" in saved["gcg"]
        assert saved["html"].startswith("<!doctype html>")
        assert page.is_hidden(".work")


def test_a_dropped_file_is_opened(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        data = page.evaluate_handle(
            "text => { const data = new DataTransfer(); "
            "data.items.add(new File([text], 'x.gcg')); return data; }",
            RECORD,
        )
        page.dispatch_event("body", "dragover", {"dataTransfer": data})
        page.dispatch_event("body", "drop", {"dataTransfer": data})
        page.wait_for_selector(TURNS)
        assert page.get_attribute("#tab-games", "aria-selected") == "true"


def test_a_late_annotation_does_not_replace_a_later_one(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        waiting: list[Route] = []

        def hold_the_first(route: Route) -> None:
            if waiting:
                route.continue_()
            else:
                waiting.append(route)

        page.route(re.compile("annotate"), hold_the_first)
        open_record(page)
        page.wait_for_selector(".work:not([hidden])")
        page.wait_for_timeout(50)
        open_record(page, RECORD.replace("player2 bo", "player2 cy").replace(">bo", ">cy"))
        page.wait_for_selector(TURNS)
        with suppress(Error):  # the page has cancelled it
            waiting[0].continue_()
        page.wait_for_timeout(500)
        assert "cy" in page.inner_text(".players")


def test_a_server_that_is_down_loses_no_record(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.route(re.compile("annotate"), lambda route: route.abort())
        open_record(page)
        page.wait_for_selector("#alert .retry")
        page.wait_for_selector("#moves tbody tr", state="attached")  # these moves do not take the alert away
        assert "cannot be reached" in page.inner_text("#alert")
        page.unroute(re.compile("annotate"))
        page.click("#alert .retry")
        page.wait_for_selector(TURNS)


def test_a_refused_record_stays_and_is_tried_again_with_another_list(
    browser: Browser, server: Server
) -> None:
    spanish = "#player1 ann Ann\n#player2 bo Bo\n#tile-distribution spanish\n>ann: AAÑOEEE 8H AÑO +20 20\n"
    with opened(browser, server, faults=True) as page:
        page.click("#tab-games")
        page.select_option("#recordlexicon", "small")
        open_record(page, spanish, "año.gcg")
        page.wait_for_selector("#alert:not([hidden])")
        assert "año is not annotated yet" in page.inner_text("#refused")
        page.select_option("#recordlexicon", "palabras")
        page.wait_for_selector(TURNS)
        assert page.is_hidden("#alert")
        page.click("#closegame")
        assert page.inner_text("#refused") == ""


FAST = "const real = setTimeout; window.setTimeout = (act, ms) => real(act, ms / 300);"


def test_a_list_that_is_being_built_is_said_to_be_until_it_is_there(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        asked: list[Route] = []

        def build(route: Route) -> None:
            asked.append(route)
            if len(asked) <= 8:
                problem = {"detail": "x", "code": "table_not_ready"}
                route.fulfill(status=503, headers={"Retry-After": "30"}, json=problem)

        page.route(re.compile("annotate"), build)
        open_record(page)
        page.wait_for_selector("#status:has-text('preparing')")
        page.click("#stopannotation")
        page.wait_for_selector("#annotate")
        page.evaluate(FAST)
        open_record(page)
        while len(asked) < 9:
            page.wait_for_timeout(50)
        assert "preparing this word list" in page.inner_text("#status")
        assert page.evaluate("getComputedStyle(document.getElementById('status')).animationName") == "none"
        asked[-1].continue_()
        page.wait_for_selector(TURNS)
        assert page.inner_text("#status") == ""


ANSWER = """({
    game: {players: [{nick: "ann"}, {nick: "bo"}]},
    turns: [[40, 40, "none"], [55, 55, "small"], [0, 100, "medium"], [70, 70, "large"]].map(
        ([low, high, mistake], at) => ({
            player: 0, best: {}, number: at + 1, mistake,
            win_pct_before_low: low, win_pct_before_high: high})),
})"""


def test_what_is_not_proven_is_a_band_and_small_mistakes_are_no_puzzles(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as page:
        picture = module(page, "chart.js", f"it.chart({ANSWER}, () => {{}}).element.outerHTML")
        line, band = (re.findall(rf'class="{name}" d="([^"]*)"', picture)[0] for name in ("line", "range"))
        assert line.count("M") == 2, "a gap where the win% may be anything"
        assert "58" not in line, "the middle, 50 %"
        assert re.fullmatch(r"M\S+ 108V8h\S+V108z", band)
        words = re.findall(r"<text[^>]*>([^<]*)<", picture)
        assert words == ["▲", "◆", "✕", "0 %", "50 %", "100 %", "1", "2", "3", "4", "↑ ann", "↓ bo"]
        assert module(page, "turns.js", f"it.mistakesOf({ANSWER}).map(({{turn}}) => turn.number)") == [3, 4]


JOB = {"id": "x", "kind": "annotate", "state": "running", "done": 3, "total": 6}


def test_all_turns_are_searched_beside_the_review_and_after_a_reload(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as page:
        keys: list[str] = []
        job = dict(JOB)

        def begin(route: Route) -> None:
            keys.append(route.request.headers["idempotency-key"])
            route.fulfill(status=202, json=job)

        def follow(route: Route) -> None:
            if route.request.method == "DELETE":
                job["state"] = "cancelled"
            elif route.request.url.endswith("result"):
                found = page.request.post(f"{page.url.split('#')[0]}games/annotate", data={"gcg": RECORD})
                annotation = found.json()
                annotation["game"]["simulation"] = "monte_carlo"
                annotation["turns"][1]["mistake"] = "small"
                route.fulfill(json=annotation)
                return
            route.fulfill(json=job)

        page.route(re.compile("annotate.*seconds"), begin)
        page.route("**/jobs/x**", follow)
        open_record(page)
        page.click("#searchturns")
        page.wait_for_selector(".work:has-text('turn 3 of 4')")
        assert focused(page) == "stopannotation"
        page.click(f"{TURNS} >> nth=2")
        with page.expect_download():
            page.click("#savegcg")
        assert page.is_visible(".work"), "a file does not end the search"
        page.reload()
        page.wait_for_selector(".work:has-text('turn 3 of 4')")
        assert selected(page) == "3"
        assert keys[0] == keys[1], "the same search continues"
        page.click("#stopannotation")
        page.wait_for_selector("#searchturns")
        assert page.locator(f"{TURNS} >> nth=1 >> .mistake [role=img]").get_attribute("aria-label") != (
            "small mistake"
        ), "what was known is still shown"
        job["state"] = "done"
        page.click("#searchturns")
        page.wait_for_selector(f"{TURNS} >> nth=1 >> [aria-label='small mistake']")
        assert selected(page) == "3"
        assert page.is_hidden("#searchturns")


@pytest.mark.slow
def test_a_long_annotation_shows_its_progress_and_is_stopped(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        open_record(page)
        page.click("#searchturns")
        page.wait_for_selector(".work:not([hidden])")
        page.click("#stopannotation")
        page.wait_for_selector(".work", state="hidden")
        assert page.is_visible(TURNS)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_phone_shows_the_review_without_scrolling_sideways(
    browser: Browser, server: Server, scheme: str, tmp_path: Path
) -> None:
    with opened(browser, server, device={**PHONE, "color_scheme": scheme}) as page:
        page.tap("#tab-games")
        assert (violations(page), overflow(page)) == ([], 0)
        open_record(page)
        page.wait_for_selector(TURNS)
        page.tap("#next")
        assert selected(page) == "2"
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        board = page.locator("#board").bounding_box()
        assert board is not None
        assert board["y"] == 0, "the board stays in view"
        assert (violations(page), overflow(page)) == ([], 0)
        page.tap("#puzzles")
        page.tap(".puzzle .hints button")
        page.wait_for_selector(".puzzle .hintlist li")
        assert (violations(page), overflow(page)) == ([], 0)
        heights = page.eval_on_selector_all(
            "#panel-games button", "all => all.filter(one => one.offsetParent).map(one => one.offsetHeight)"
        )
        assert min(heights) >= 44


def test_a_finger_slides_along_the_curve_and_taps_on_turns(browser: Browser, server: Server) -> None:
    events = "".join(f">ann: AABBCEG - +0 0\n>bo: DEEHRST - +0 {0}\n" for _ in range(10))
    with opened(browser, server, device=PHONE) as page:
        page.tap("#tab-games")
        open_record(page, RECORD.split(">")[0] + events)
        page.wait_for_selector(TURNS)
        page.evaluate("document.querySelector('.chart').scrollIntoView({block: 'end'})")
        box = page.locator(".chart").bounding_box()
        assert box is not None
        fingers = page.context.new_cdp_session(page)
        y = box["y"] + box["height"] / 2
        chosen = []
        for kind, share in (("touchStart", 0.1), ("touchMove", 0.4), ("touchMove", 0.6), ("touchMove", 0.9)):
            points = [{"x": box["x"] + share * box["width"], "y": y}]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            page.wait_for_timeout(50)
            chosen.append(int(selected(page)))
        wait_until(lambda: int(selected(page)) >= 15)
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert chosen == sorted(chosen)
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        row = page.locator(TURNS).nth(4)
        row.scroll_into_view_if_needed()
        place = row.bounding_box()
        assert place is not None
        page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        wait_until(lambda: selected(page) == "5")
        for one in ("#board", ".turnhead", ".judgement", f"{TURNS} >> nth=4"):
            place = page.locator(one).bounding_box()
            assert place is not None
            assert place["y"] >= 0, one
            assert place["y"] + place["height"] <= 844, one


def test_players_of_whom_no_turn_was_judged_have_no_percentage(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        open_record(
            page, RECORD.replace("bo: DEEHRST -", "bo: UNKNOWN -").replace("bo: DEEHRST 7H", "bo: EH 7H")
        )
        page.wait_for_selector(TURNS)
        ann, bo = page.locator(".players tbody tr").all_inner_texts()
        assert "% without a mistake" in ann
        assert "judged" not in ann
        assert "%" not in bo
        assert "0 of 2 turns judged" in bo
