"""The rule set that a person chooses: in the link, the history, the moves, the search and the games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.page.board_page import EMPTY, POSITION, address, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request

    from tests.service.serving import Server


def fields(request: Request) -> dict[str, object]:
    sent: dict[str, object] = request.post_data_json
    return sent


def test_the_rules_change_the_moves_the_link_and_the_search(browser: Browser, server: Server) -> None:
    bingos = EMPTY.replace(" / ", " AEFMRRS/ ")
    with opened(browser, server, bingos) as page:
        score = page.locator("#moves tbody tr.bingo .c-score").first
        before = int(score.inner_text())
        page.click("#more") if page.is_hidden("#rules") else None
        names = page.locator("#rules option").all_inner_texts()
        assert names[0] == "Usual for the word list"
        assert "English (Words With Friends)" in names
        with page.expect_request("**/analyze") as asked:
            page.select_option("#rules", "wwf")
        assert fields(asked.value)["rules"] == "wwf"
        expect(score).to_have_text(str(before - 15))
        assert "rules=wwf" in page.url
        with page.expect_request(lambda one: "respond-async" in str(one.headers)) as search:
            page.click("#ahead")
        assert fields(search.value)["rules"] == "wwf"
        page.click("#ahead")
        page.go_back()
        expect(score).to_have_text(str(before))
        assert page.input_value("#rules") == ""
        assert "rules" not in page.url
        page.go_forward()
        expect(score).to_have_text(str(before - 15))


def test_a_link_brings_its_rules_also_when_it_is_pasted(browser: Browser, server: Server) -> None:
    link = address(server, POSITION, lexicon="palabras", board="wordfeud15", rules="spanish")
    with opened(browser, server, POSITION, lexicon="palabras", board="wordfeud15", rules="spanish") as page:
        assert page.input_value("#rules") == "spanish"
    with opened(browser, server, None) as page:
        page.click("#more") if page.is_hidden("#cgp") else None
        page.fill("#cgp", link)
        page.press("#cgp", "Tab")
        expect(page.locator("#board .tile")).to_have_count(7)
        chosen = [page.input_value(f"#{name}") for name in ("lexicon", "layout", "rules")]
        assert chosen == ["palabras", "wordfeud15", "spanish"]
        page.fill("#cgp", address(server, POSITION, rules="nonsense"))
        page.press("#cgp", "Tab")
        assert page.input_value("#rules") == ""


def test_a_game_is_played_by_the_rules_that_are_chosen(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        page.click("#tab-play")
        page.select_option("#seat-1", "person")
        page.select_option("#gamerules", "wwf")
        page.click("#begin")
        page.click("#showtiles")
        page.click("#exchange")
        with page.expect_request("**/play") as asked:
            page.click("#doexchange")
        assert fields(asked.value)["rules"] == {"id": "wwf", "challenge_rule": "void"}
