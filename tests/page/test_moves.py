"""The list of moves: it appears by itself, is sorted and filtered, and a chosen move is on the board."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error, expect

from tests.page.board_page import DESKTOP, PHONE, POSITION, cgp_of, focused, moves, opened, square, squares
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Route

    from tests.service.serving import Server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with POSITION and its moves."""
    with opened(browser, server) as page:
        yield page


def analysis(server: Server, **options: Any) -> Any:
    """Return the answer of the API for POSITION."""
    body = {"cgp": POSITION, "sort": "equity", "top_n": 50, "include_exchanges": True, **options}
    return json.loads(server.ask("POST", "/analyze", body)[2])


def column(page: Page, name: str) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        f"#moves tbody .c-{name}", "all => all.map(one => one.textContent)"
    )
    return found


def test_the_moves_are_those_of_the_api(page: Page, server: Server) -> None:
    answer = analysis(server)
    listed = moves(page)
    assert len(listed) == 30
    assert column(page, "score") == [str(move["score"]) for move in answer["moves"][:30]]
    assert f"{answer['play_count']:,} legal plays" in page.inner_text("#facts")
    assert answer["moves"][0]["move"] in page.inner_text("#heard")


def test_they_change_with_the_rack(page: Page) -> None:
    best = page.locator("#moves tbody tr:has(.c-leave:has-text('T'))")
    assert best.count() > 0
    page.focus("#rack")
    page.keyboard.press("Backspace")
    expect(best).to_have_count(0)
    assert len(moves(page)) == 30


def scroll_to_the_end(page: Page, end: str) -> None:
    """Scroll until the line below the list says that it is complete."""

    def is_complete() -> bool:
        page.locator("p.end").scroll_into_view_if_needed()
        page.locator("#moves tbody tr").last.scroll_into_view_if_needed()
        return page.inner_text("p.end") == end

    wait_until(is_complete)


def test_there_are_more_on_scrolling_without_end(page: Page, server: Server) -> None:
    answer = analysis(server, top_n=200)
    count = answer["play_count"] + answer["exchange_count"] + 1
    assert page.inner_text("p.end") == f"30 of {count:,} moves"
    scroll_to_the_end(page, f"{count:,} of {count:,} moves")
    listed = moves(page)
    assert len(set(listed)) == len(listed) == count > 200
    last = analysis(server, offset=count - 1)["moves"][-1]
    assert column(page, "score")[150] == str(answer["moves"][150]["score"])
    assert column(page, "score")[-1] == str(last["score"])
    assert page.get_attribute("#moves", "aria-rowcount") == str(count + 1)


def test_words_are_sorted_and_filtered_over_all_moves(page: Page, server: Server) -> None:
    pages = [analysis(server, top_n=200, offset=at)["moves"] for at in range(0, 2_000, 200)]
    every = [move for moves in pages for move in moves]
    words = sorted((move["word"] or f"~{move['move']}") for move in every)
    page.click('[data-sort="move"]')
    expect(page.locator("p.end")).to_have_text(f"30 of {len(every):,} moves")
    wait_until(lambda: [text.split(" ", 1)[1].upper() for text in moves(page)] == words[:30])
    page.click(".filter summary")
    page.get_by_label("Tiles laid").select_option("1")
    short = [move for move in every if move["kind"] == "play" and move["tiles_used"] == 1]
    assert len(short) > len([move for move in every[:200] if move["tiles_used"] == 1])
    scroll_to_the_end(page, f"{len(short)} of {len(every):,} moves pass the filter")
    assert sorted(column(page, "score")) == sorted(str(move["score"]) for move in short)


@pytest.mark.parametrize("name", ["score", "win_pct"])
def test_a_column_sorts_all_moves(page: Page, server: Server, name: str) -> None:
    page.click(f'[data-sort="{name}"]')
    best = analysis(server, sort=name)["moves"]
    expect(page.locator(f"#moves tbody .c-{name}").first).to_have_text(
        str(best[0]["score"]) if name == "score" else f"{best[0]['win_pct']:.1f}"
    )
    values = [float(value) for value in column(page, name)]
    assert values == sorted(values, reverse=True)
    assert page.get_attribute(f"th.c-{name}", "aria-sort") == "descending"


def test_words_sort_in_their_order(page: Page) -> None:
    page.click('[data-sort="move"]')
    words = [text.split(" ", 1)[1].upper() for text in moves(page) if text[0].isalnum()]
    assert words == sorted(words)


def test_a_filter_leaves_the_moves_that_pass(page: Page) -> None:
    page.click(".filter summary")
    page.get_by_label("Contains").fill("he")
    expect(page.locator("#moves tbody tr").first).to_contain_text("HE")
    assert all("HE" in text.upper() for text in moves(page))
    page.get_by_label("Contains").fill("")
    page.get_by_label("Leave", exact=True).fill("ees")
    wait_until(lambda: all(leave.count("E") == 2 and "S" in leave for leave in column(page, "leave")))
    page.get_by_label("Leave", exact=True).fill("")
    page.get_by_label("Tiles laid").select_option("2")
    wait_until(lambda: {len(leave) for leave in column(page, "leave")} == {5})
    page.get_by_label("Tiles laid").select_option("7")
    page.get_by_label("Contains").fill("zzz")
    page.wait_for_selector(".empty:has-text('No move passes the filter')")


def test_a_chosen_move_is_on_the_board(page: Page, server: Server) -> None:
    page.click("#moves tbody tr:nth-child(2)")
    placed = analysis(server)["moves"][1]["placed"]
    assert sorted(squares(page, "ghost")) == sorted(tile["at"] for tile in placed)
    assert page.get_attribute("#moves tbody tr:nth-child(2)", "aria-selected") == "true"
    page.hover("#moves tbody tr:nth-child(4)")
    over = [tile["at"] for tile in analysis(server)["moves"][3]["placed"]]
    expect(page.locator("#board .ghost")).to_have_count(len(over))
    assert sorted(squares(page, "ghost")) == sorted(over)
    page.mouse.move(2, 2)
    expect(page.locator("#board .ghost")).to_have_count(len(placed))


def test_two_moves_stand_side_by_side(page: Page, server: Server) -> None:
    best, second, third = analysis(server)["moves"][:3]
    page.click("#moves tbody tr:nth-child(3)")
    page.click(".chosen summary")
    page.click("#compare")
    assert focused(page) == "compare"
    assert third["word"].lower() in page.inner_text(".pair").lower()
    assert best["word"].lower() in page.inner_text(".pair").lower(), "at first beside the best move"
    shown = page.locator(".pair tbody tr:first-child td").all_inner_texts()
    assert shown == [str(third["score"]), str(best["score"])]
    page.wait_for_selector(".pair + div p")
    assert best["move"] in page.inner_text(".pair + div"), "the sentences of the explanation"
    held: list[Route] = []
    page.route("**/analyze", lambda route: held.append(route))
    page.click("#moves tbody tr:nth-child(4)")
    page.click("#moves tbody tr:nth-child(2)")  # before the sentences about the fourth are there
    shown = page.locator(".pair tbody tr:first-child td").all_inner_texts()
    assert shown == [str(third["score"]), str(second["score"])], "then beside any other"
    page.wait_for_timeout(500)
    page.unroute("**/analyze")
    for route in held:
        with suppress(Error):  # the page has cut one off
            route.continue_()
    page.wait_for_selector(".pair + div p >> nth=1")
    assert page.locator(".pair + div p").count() == 2, "how much better than either the best move is"
    page.click("#compare")
    assert page.locator(".pair").count() == 0


def test_the_keyboard_walks_the_list_and_plays(page: Page) -> None:
    page.focus("#moves tbody tr:first-child")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#moves tbody tr:nth-child(3)", "aria-selected") == "true"
    assert page.locator("#moves tbody tr:nth-child(3)").evaluate("one => one === document.activeElement")
    assert len(squares(page, "ghost")) > 0
    page.keyboard.press("Tab")
    assert focused(page) == "play"
    page.keyboard.press("Enter")
    page.wait_for_selector("#chosentext", state="hidden")
    assert focused(page) == "rack"
    assert cgp_of(page).split()[1] == "/"


def test_a_played_move_turns_the_position_over(page: Page, server: Server) -> None:
    best = analysis(server)["moves"][0]
    page.click("#moves tbody tr:first-child")
    page.click("#play")
    page.wait_for_selector("#chosentext", state="hidden")
    assert {tile["at"] for tile in best["placed"]} < set(squares(page, "tile"))
    assert cgp_of(page).split(" ", 1)[1] == f"/ 20/{3 + best['score']} 0"
    page.wait_for_selector(".empty:has-text('Type your rack')")


def test_exchanges_and_the_pass_are_among_them(browser: Browser, server: Server) -> None:
    cgp = POSITION.replace("DEEHRST", "IIUUVWW")
    with opened(browser, server, cgp) as page:
        assert any(text.startswith("Exchange") for text in moves(page))
        page.click("#moves tbody tr:has-text('Exchange')")
        page.click("#play")
        page.wait_for_selector("#chosentext", state="hidden")
        assert cgp_of(page).split(" ", 1)[1] == "/ 20/3 1"


def test_a_win_pct_that_is_not_proven_is_a_range(browser: Browser, server: Server) -> None:
    def unproven(route: Route) -> None:
        response = route.fetch()
        answer = response.json()
        first, second, *_ = answer["moves"]
        first |= {"win_pct": None, "win_pct_low": 50, "win_pct_high": 100}
        second |= {"win_pct": 100, "win_pct_low": 100, "win_pct_high": 100}
        route.fulfill(response=response, json=answer)

    with opened(browser, server, None) as page:
        page.route("**/analyze", unproven)
        page.locator("#rack").type("deehrst")
        page.wait_for_selector("#moves tbody tr")
        assert column(page, "win_pct")[:2] == ["50–100", "100.0"]


def test_the_chosen_move_stays_in_view_on_a_phone(browser: Browser, server: Server) -> None:
    with opened(browser, server, device=PHONE) as page:
        first = page.locator("#moves tbody tr").first.bounding_box()
        assert first is not None
        assert first["y"] <= 700
        row = page.locator("#moves tbody tr").nth(25)
        row.scroll_into_view_if_needed()
        row.tap()
        box = page.locator("#board").bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844
        assert len(squares(page, "ghost")) > 0
        page.tap("#play")
        page.wait_for_selector("#chosentext", state="hidden")


def test_a_move_is_tried_by_typing(page: Page, server: Server) -> None:
    page.click("#mode-try")
    square(page, "9H").click()
    page.keyboard.type("he")
    page.wait_for_selector(".verdict")
    assert squares(page, "ghost") == ["9H", "9I"]
    found = analysis(server, compare=["9H HE"])["compare"][0]
    verdict = page.inner_text(".trial")
    if found["legal"]:
        assert f"{found['move']['score']} points" in verdict
        assert f"Rank {found['move']['rank']}" in verdict
        assert "loses" in verdict
    else:
        assert "Not legal" in verdict
    assert cgp_of(page) == POSITION


def test_a_tried_move_uses_the_tiles_of_the_rack_only(page: Page) -> None:
    page.click("#mode-try")
    square(page, "9H").click()
    page.keyboard.type("hh")
    assert squares(page, "ghost") == ["9H"]
    assert "Your rack has no H left" in page.inner_text("#status")
    assert page.locator(".strip .tile.used").count() == 1
    page.keyboard.press("Backspace")
    assert squares(page, "ghost") == []


def test_typing_over_the_board_keeps_its_letters(page: Page) -> None:
    page.click("#mode-try")
    square(page, "7I").click()
    square(page, "7I").click()
    page.keyboard.type("hated")
    assert squares(page, "ghost") == ["7I", "9I", "10I", "11I"]
    page.wait_for_selector(".trial:has-text('I7 HATED')")
    page.wait_for_selector(".verdict:has-text('Rank')")
    page.click("text=Choose this move")
    page.wait_for_selector("#chosentext:has-text('I7 HATED')")
    page.click("#play")
    page.wait_for_selector("#chosentext", state="hidden")
    assert "11I" in squares(page, "tile")


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["mouse", "touch"])
def test_tiles_are_dragged(browser: Browser, server: Server, device: dict[str, Any]) -> None:
    with opened(browser, server, device=device) as page:
        tile = page.locator(".strip .tile[data-letter='S']")
        drag(page, center(tile), center(square(page, "8O")))
        assert squares(page, "ghost") == ["8O"]
        page.wait_for_selector(".verdict:has-text('Not legal')")
        drag(page, center(square(page, "8O")), center(square(page, "7H")))
        assert squares(page, "ghost") == ["7H"]
        drag(page, center(square(page, "7H")), center(page.locator("#rackbox")))
        assert squares(page, "ghost") == []
        assert cgp_of(page) == POSITION


def center(locator: Any) -> tuple[float, float]:
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag by mouse, or by touch where the page has it."""
    if not page.evaluate("matchMedia('(pointer: coarse)').matches"):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] + 10, start[1])
        page.mouse.move(*end, steps=4)
        page.mouse.up()
        return
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )

    touch("touchStart", start)
    touch("touchMove", (start[0] + 10, start[1]))
    for share in (0.3, 0.6, 1.0):
        touch("touchMove", (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
    touch("touchEnd")
