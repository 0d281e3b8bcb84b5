"""Words are judged and looked up, unseen tiles are counted, and hints are given on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.page.board_page import opened, square

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.service.serving import Server


def judged(page: Page, words: str) -> tuple[list[str], str]:
    """Judge words; return those echoed, and the verdict."""
    page.fill("#judged", words)
    page.press("#judged", "Enter")
    page.wait_for_selector(".ruling .ruled")
    return page.locator(".echo .chip").all_inner_texts(), page.inner_text(".ruling .ruled")


def test_words_are_judged_together_as_a_tournament_does(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        page.click("#tab-words")
        assert judged(page, "cab ab bbq") == (["CAB", "AB", "BBQ"], "✕ The play is not acceptable")
        refused = page.inner_html(".ruling")
        assert judged(page, "bbq, ab, cab")[1] == "✕ The play is not acceptable"
        assert page.inner_html(".echo .chip >> nth=0") == "BBQ"
        assert refused.count("class") == page.inner_html(".ruling").count("class"), "no word is marked"
        assert judged(page, "cab cat")[1] == "✓ The play is acceptable"
        page.fill("#judged", "cab abx")
        assert page.inner_text(".ruling") == "", "a verdict does not stay beside other words"
        page.fill("#judged", "ab " * 9)
        page.click("#judge")
        assert "At most 8" in page.inner_text(".ruling")


def test_a_word_is_looked_up_with_hooks_and_anagrams(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        page.click("#tab-words")
        page.fill("#word", "cat")
        page.press("#word", "Enter")
        page.wait_for_selector(".wordreport:has-text('CAT is a word')")
        text = page.inner_text(".wordreport")
        assert "5 points" in text
        assert "ACT" in text
        page.click(".wordreport button:has-text('ACT')")
        page.wait_for_selector(".wordreport:has-text('ACT is a word')")
        hooks = page.locator(".wordreport dd >> nth=0 >> .chip").all_inner_texts()
        assert "F" in hooks
        assert hooks == sorted(hooks)
        page.fill("#word", "xqz")
        page.click("#lookup")
        page.wait_for_selector(".wordreport:has-text('XQZ is not a word')")


def test_unseen_tiles_are_grouped_and_counted(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:  # the server refuses a loose tile
        page.wait_for_selector("#moves tbody tr")
        page.click("#tab-words")
        assert "86 tiles are unseen" in page.inner_text("[aria-label='Unseen tiles']")
        assert page.locator(".group h3").all_inner_texts() == ["Vowels 38", "Consonants 47", "Blanks 1"]
        assert page.locator("[aria-label='A: 7']").count() == 1
        leaves = page.locator("[aria-label='Best leaves'] .chip")
        expect(leaves).to_have_count(6)
        assert [len(one) for one in leaves.all_inner_texts()] == [1, 2, 3, 4, 5, 6]
        assert page.is_hidden('[aria-label="The opponent\'s rack"]'), "there was no move before"
        square(page, "1A").click()
        page.keyboard.type("a")
        assert page.locator("[aria-label='A: 6']").count() == 1


def test_the_last_move_says_what_the_opponent_may_hold(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        page.click("#moves tbody tr:nth-child(9)")
        page.click("#play")
        page.wait_for_selector("#chosentext", state="hidden")
        page.fill("#rack", "AEINRST")
        with page.expect_response("**/opponent-rack") as response:
            page.click("#tab-words")
        answer = response.value.json()
        card = page.locator('[aria-label="The opponent\'s rack"]')
        expect(card).to_contain_text(answer["last_move"])
        more = [one["tile"] for one in answer["tiles"] if one["share"] - one["by_chance"] > 0.02][:6]
        assert card.locator("dt").all_inner_texts() == more
        assert card.locator(".chip").all_inner_texts() == [one["tiles"] for one in answer["leaves"]][:6]


def test_a_late_answer_is_not_shown_beside_other_words(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        page.click("#tab-words")
        waiting: list[Route] = []

        def hold(route: Route) -> None:
            waiting.append(route)

        page.route("**/words/judge", hold)
        page.fill("#judged", "cab")
        with page.expect_request("**/words/judge"):
            page.click("#judge")
        page.fill("#judged", "bbq")
        waiting[0].continue_()
        page.wait_for_timeout(300)
        assert page.inner_text(".ruling") == ""


def test_hints_are_forgotten_when_the_position_changes(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:  # the server refuses a loose tile
        page.wait_for_selector("#moves tbody tr")
        page.click("#tab-words")
        page.click(".words .hints button")
        page.wait_for_selector(".words .hintlist li")
        page.click("#shuffle")
        assert page.locator(".words .hintlist li").count() == 1, "the order of the rack changes nothing"
        square(page, "1A").click()
        page.keyboard.type("a")
        page.wait_for_selector(".words .hintlist li", state="detached")
        assert page.inner_text(".words .hints button") == "A hint"


def test_a_server_that_is_down_is_told_in_words(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.click("#tab-words")
        page.route("**/words/judge", lambda route: route.abort())
        page.fill("#judged", "cab")
        page.click("#judge")
        page.wait_for_selector("#alert .retry")
        page.unroute("**/words/judge")
        page.click("#alert .retry")
        page.wait_for_selector(".ruling .ruled")


def test_a_refusal_does_not_stay_above_a_later_verdict(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.click("#tab-words")
        for field, action, answer in (("#judged", "#judge", ".ruling"), ("#word", "#lookup", ".wordreport")):
            page.fill(field, "c4b")
            page.click(action)
            page.wait_for_selector("#alert:not([hidden])")
            assert page.locator("#alert .retry").count() == 0
            page.fill(field, "cab")
            assert page.is_hidden("#alert")
            page.click(action)
            page.wait_for_selector(f"{answer} .ruled.yes")


def test_a_failed_hint_uses_no_level(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        page.click("#tab-words")
        page.route("**/hints", lambda route: route.abort())
        page.click(".words .hints button")
        page.wait_for_selector("#alert .retry")
        assert page.inner_text(".words .hints button") == "A hint"
        page.unroute("**/hints")
        page.click("#alert .retry")
        page.wait_for_selector(".words .hintlist li")
        assert page.inner_text(".words .hints button") == "Another hint (2 of 5)"
