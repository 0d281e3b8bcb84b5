"""The words of the page in the language of the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from engine import __version__
from tests.page.board_page import address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server

POLISH = {
    "language": "pl",
    "messages": {
        "Undo": "Cofnij",
        "Redo {what}": "Ponów: {what}",
        "{count} move": {
            "one": "{count} ruch",
            "few": "{count} ruchy",
            "many": "{count} ruchów",
            "other": "{count} ruchu",
        },
    },
}


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page that has imported texts.js as `texts`; the server's Polish is POLISH."""
    page = browser.new_page(locale="cs-CZ")
    page.route("**/messages/pl", lambda route: route.fulfill(json=POLISH))
    page.route("**/messages/de", lambda route: route.abort())
    page.goto(f"http://127.0.0.1:{server.port}/docs")
    page.evaluate(
        f"import('/static/{__version__}/page/texts.js').then((module) => {{ window.texts = module; }})"
    )
    yield page
    page.close()


def test_texts_are_shown_in_the_loaded_language(page: Page) -> None:
    page.evaluate("texts.loadTexts('pl')")
    assert page.evaluate("[document.documentElement.lang, texts.language()]") == ["pl", "pl"]
    assert page.evaluate("texts.t('Undo')") == "Cofnij"
    assert page.evaluate("texts.t('Redo {what}', { what: 'QI' })") == "Ponów: QI"
    assert page.evaluate("texts.t('Not translated {x}', { x: 1 })") == "Not translated 1"
    counts = "[1, 3, 5, 1234567].map((n) => texts.tn('{count} move', '{count} moves', n))"
    assert page.evaluate(counts) == ["1 ruch", "3 ruchy", "5 ruchów", "1\xa0234\xa0567 ruchów"]


def test_english_stays_without_an_answer_of_the_server(page: Page) -> None:
    page.evaluate("texts.loadTexts('de')")
    assert page.evaluate("[document.documentElement.lang, texts.t('Undo')]") == ["en", "Undo"]
    counts = "[1, 2].map((n) => texts.tn('{count} move', '{count} moves', n))"
    assert page.evaluate(counts) == ["1 move", "2 moves"]


def test_a_language_that_was_chosen_goes_before_those_of_the_browser(
    browser: Browser, server: Server
) -> None:
    page = browser.new_page(locale="cs-CZ")
    page.goto(address(server, lexicon="small"))
    menu = page.get_by_label("Jazyk")
    page.wait_for_selector("#language option", state="attached")
    assert menu.locator("option").all_inner_texts()[:2] == ["English", "Español"]
    assert menu.input_value() == "cs"
    menu.select_option("pl")
    page.wait_for_selector("html[lang=pl]")
    page.goto(address(server, None))
    page.wait_for_selector("#lexicon option", state="attached")
    assert page.get_by_label("Język").input_value() == "pl"
    with page.expect_request("**/analyze") as asked:
        page.goto(address(server, lexicon="small"))
        page.reload()
    assert asked.value.headers["accept-language"] == "pl"
    page.close()


def test_the_texts_of_the_html_are_translated(page: Page) -> None:
    page.evaluate(
        """() => {
            document.body.innerHTML = '<p title="Undo"> Undo <b id="own"></b></p>';
            document.getElementById("own").textContent = "QI";
        }"""
    )
    shown = "document.querySelector('p').outerHTML"
    page.evaluate("texts.loadTexts('pl')")
    assert page.evaluate(shown) == '<p title="Cofnij"> Cofnij <b id="own">QI</b></p>'


@pytest.mark.parametrize(
    ("locale", "language", "title", "opponent"),
    [
        ("es-MX", "es", "Posición", "Fichas del rival, si se conocen"),
        ("de-AT", "de", "Stellung", "Steine des Gegners, falls bekannt"),
        ("pl-PL", "pl", "Pozycja", "Płytki przeciwnika, jeśli znane"),
        ("it-IT", "en", "Position", "Opponent's tiles, if known"),
    ],
)
def test_the_page_has_the_language_of_the_browser(
    browser: Browser, server: Server, locale: str, language: str, title: str, opponent: str
) -> None:
    page = browser.new_page(locale=locale)
    page.goto(address(server, lexicon="small"))
    page.wait_for_selector(".table[aria-label='" + title + "']")
    expect(page.locator("body")).to_contain_text(opponent)
    assert page.evaluate("document.documentElement.lang") == language
    page.close()


@pytest.mark.parametrize(("locale", "lexicon"), [("pl-PL", "polish"), ("de-DE", "small"), ("en-US", "small")])
def test_the_first_word_list_is_in_the_language_of_the_page_and_always_in_view(
    browser: Browser, server: Server, locale: str, lexicon: str
) -> None:
    page = browser.new_page(locale=locale)
    page.goto(address(server, None))
    page.wait_for_selector("#lexicon option", state="attached")
    for panel in ("games", "play", "words", "moves"):
        page.click(f"#tab-{panel}")
        assert page.input_value("#lexicon") == lexicon
        assert page.is_visible("#lexicon")
    page.select_option("#lexicon", "palabras")
    assert "lexicon=palabras" in page.url
    page.close()
