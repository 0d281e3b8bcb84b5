"""The page at /quiz: flash cards, whose progress the browser stores as the file of `kibitz quiz` has it."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from engine import flash_card
from kibitz.cli.quiz_file import QuizFile
from tests.page.accessibility import violations
from tests.page.board_page import DESKTOP, watched
from tests.page.test_topping_page import NARROW, SMALL_TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    import kibitz
    from tests.service.serving import Server

STORED = "kibitz-quiz-1-small"
LONG_AGO = {
    "due": "2020-01-04T00:00:00Z", "last_review": "2020-01-01T00:00:00Z", "stability": 3.0, "difficulty": 5.0,
    "correct": 1, "incorrect": 0, "streak": 1,
}  # fmt: skip


@contextmanager
def opened(
    browser: Browser, server: Server, *, device: dict[str, Any] = DESKTOP, **options: Any
) -> Iterator[Page]:
    """Open the page with a small lexicon."""
    with watched(browser, server, device=device, faults=True, **options) as page:
        page.goto(f"http://127.0.0.1:{server.port}/quiz#lexicon=small")
        page.wait_for_selector("#start")
        yield page


def cards_of(page: Page) -> dict[str, Any]:
    cards: dict[str, Any] = json.loads(page.evaluate(f"localStorage['{STORED}']"))["cards"]
    return cards


def answers_of(words: kibitz.Lexicon, question: str) -> list[str]:
    spelled = words.tile_set.alphabet.word
    return [spelled(word) for word in flash_card(words, question).answers]


def test_cards_are_asked_graded_and_saved_as_the_command_does(
    browser: Browser, server: Server, words: kibitz.Lexicon, tmp_path: Path
) -> None:
    file = tmp_path / "quiz.json"
    file.write_text(json.dumps({"version": 1, "lexicon": "small", "cards": {"B?": LONG_AGO}}))
    with opened(browser, server) as page:
        page.set_input_files("#file", file)
        expect(page.locator("#progress dd")).to_have_text(["1", "0", "1", "0"])
        assert violations(page) == []
        page.fill("#most", "2")
        page.click("#begin")
        expect(page.locator(".question")).to_have_attribute("aria-label", "B")  # what is due comes first
        page.keyboard.type("zz ")
        expect(page.locator(".said")).to_have_text("Not an answer: ZZ")
        page.keyboard.type(" ".join(answers_of(words, "B?")).lower())
        page.keyboard.press("Enter")
        expect(page.locator("#nextcard")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".question")).to_have_attribute("aria-label", "A")
        page.click("#reveal")
        expect(page.locator(".missed")).to_have_count(len(answers_of(words, "A?")))
        page.wait_for_selector("#nextcard")
        assert violations(page) == []
        page.click("#stop")
        expect(page.locator("#status")).to_have_text("Asked: 2. Right at once: 1.")
        with page.expect_download() as download:
            page.click("#save")
        download.value.save_as(file)
        read = QuizFile.open(file, "small")
        assert [(one.correct, one.incorrect, one.streak) for one in read.cards.values()] == [
            (2, 0, 2),
            (0, 1, -1),
        ]
        missed = read.cards["A?"]
        assert missed.last_review is not None
        assert missed.due > missed.last_review
        page.reload()
        expect(page.locator("#progress dd")).to_have_text(["0", "0", "1", "1"])
        page.click("summary")
        page.select_option("#program", "anki")
        file.write_text("#separator:Tab\nCAT\tx\n" + "\n".join(["_AB_"] * 250) + "\n")
        page.set_input_files("#import", file)
        expect(page.locator("#progress dd")).to_have_text(["0", "2", "1", "1"])
        with page.expect_download() as download:
            page.click("#export")
        download.value.save_as(file)
        assert [line.split("\t")[0] for line in file.read_text().splitlines()[3:]] == [
            "B?",
            "A?",
            "ACT",
            "_AB_",
        ]


def test_answers_are_rated_by_hand_on_a_phone(browser: Browser, server: Server) -> None:
    with opened(browser, server, device=NARROW, color_scheme="dark") as page:
        page.select_option("#choice", "hooks")
        page.fill("[name=pattern]", "A?")
        page.tap("#byhand")
        assert page.eval_on_selector_all("button, select, a, input[type=number]", SMALL_TARGETS) == []
        page.tap("#begin")
        page.wait_for_selector("#answer")
        first = page.get_attribute(".question", "aria-label")
        page.tap("#reveal")
        assert page.eval_on_selector_all("button, select, a, #answer", SMALL_TARGETS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert violations(page) == []
        page.tap("[data-rating=easy]")
        expect(page.locator(".question")).not_to_have_attribute("aria-label", first or "")
        (card,) = cards_of(page).values()
        assert (card["correct"], card["streak"]) == (1, 1)


def test_what_cannot_be_done_is_told_in_words(browser: Browser, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "quiz.json"
    with opened(browser, server) as page:
        for content, said in (
            ("[]", "not the progress of a quiz"),
            (
                json.dumps({"version": 1, "lexicon": "small", "cards": {"A?": {**LONG_AGO, "due": 5}}}),
                "not the",
            ),
            (json.dumps({"version": 1, "lexicon": "klingon", "cards": {}}), "klingon, is not on this server"),
        ):
            file.write_text(content)
            page.set_input_files("#file", file)
            expect(page.locator("#fault")).to_contain_text(said)
        refusal = {"status": 422, "code": "bad_card", "detail": "it was never due"}
        page.route("**/quiz/reviews", lambda route: route.fulfill(status=422, json=refusal))
        page.reload()
        expect(page.locator("#fault")).to_contain_text("it was never due")
        page.unroute("**/quiz/reviews")
        page.click("#fault button")
        page.wait_for_selector("#start")
