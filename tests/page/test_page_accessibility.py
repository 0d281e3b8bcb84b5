"""The page in each of its states: accessible by axe-core, without sideways scrolling, at any size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from engine import LANGUAGES
from service.page_texts import page_texts
from tests.page.accessibility import broken_words, small_targets, violations
from tests.page.board_page import (
    DESKTOP,
    EMPTY,
    ENDGAME,
    PHONE,
    POSITION,
    PREENDGAME,
    focused,
    opened,
    squares,
    tab_to,
)
from tests.page.page_states import STATES, STATES_OF_A_GAME, chosen, set_up, stopped, tried

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

    import kibitz
    from tests.service.serving import Server

POSITIONS = {"nothing": EMPTY, "endgame": ENDGAME, "preendgame": PREENDGAME}
DEVICES = [
    pytest.param(DESKTOP, "dark", id="desktop-dark"),
    pytest.param(PHONE, "light", id="phone-light"),
    pytest.param(DESKTOP, "light", id="desktop-light"),
    pytest.param(PHONE, "dark", id="phone-dark"),
]


def states_and_devices() -> list[Any]:
    """Return every state on every device; each state is checked on one of them by the fast tests."""
    return [
        pytest.param(
            state,
            *device.values,
            id=f"{state.__name__}-{device.id}",
            marks=() if number % 2 == at else pytest.mark.slow,
        )
        for number, state in enumerate([*STATES, *STATES_OF_A_GAME])
        for at, device in enumerate(DEVICES)
    ]


@pytest.mark.parametrize(("state", "device", "scheme"), states_and_devices())
def test_no_rule_of_axe_is_broken_in_any_state(
    browser: Browser,
    server: Server,
    words: kibitz.Lexicon,
    state: Callable[..., None],
    device: dict[str, Any],
    scheme: str,
) -> None:
    """On a phone of 360 pixels the longest words of all languages fit, and targets are large enough."""
    cgp = POSITIONS.get(state.__name__, POSITION)
    device = device | {"color_scheme": scheme, "locale": "de-DE"}
    with opened(
        browser, server, cgp, device=device, faults=True, texts=longest_words(), lexicon="small"
    ) as page:
        page.wait_for_selector("#lexicon option", state="attached")
        if cgp != EMPTY:
            page.wait_for_selector("#moves tbody tr")
        state(page, *([words] if state in STATES_OF_A_GAME else []))
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
        page.context.new_cdp_session(page).send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert broken_words(page) == []
        assert small_targets(page) == []


def longest_words() -> dict[str, Any]:
    """Return the texts of the page, each in the language where it has the longest word."""

    def length(text: str | dict[str, str]) -> int:
        texts = [text] if isinstance(text, str) else text.values()
        return max(len(word) for one in texts for word in re.findall(r"\w+|$", one))

    found: dict[str, Any] = {}
    for language in LANGUAGES:
        for english, text in page_texts(language).items():
            if length(text) > max(length(found.get(english, english)), length(english)):
                found[english] = text
    return found


@pytest.mark.parametrize(
    "state", [stopped, *(pytest.param(one, marks=pytest.mark.slow) for one in (chosen, set_up, tried))]
)
def test_nothing_is_cut_off_at_any_width(
    browser: Browser, server: Server, state: Callable[[Page], None]
) -> None:
    with opened(browser, server) as page:
        state(page)
        for width in (320, 360, 390, 480, 600, 703, 704, 768, 844, 900, 1024, 1280, 2000):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
            last = page.locator("#moves tbody tr:first-child td.c-win_pct").bounding_box()
            assert last is not None
            assert last["x"] + last["width"] <= width, width


@pytest.mark.parametrize("locale", ["es-ES", "fr-FR", "de-DE", "pl-PL", "cs-CZ"])
def test_the_first_move_is_in_view_on_a_phone_in_every_language(
    browser: Browser, server: Server, locale: str
) -> None:
    with opened(browser, server, device={**PHONE, "locale": locale}, lexicon="small") as page:
        assert broken_words(page, "#tabs button, .modes button, #moves .sort") == []
        actions = page.locator("#actions").bounding_box()
        assert actions is not None
        assert actions["height"] < 60, "the buttons stand in one row"
        row = page.locator("#moves tbody tr:first-child").bounding_box()
        assert row is not None
        assert row["x"] >= 8
        assert row["x"] + row["width"] <= 382
        assert row["y"] + row["height"] <= 844


@pytest.mark.parametrize(("width", "height"), [(640, 400), (683, 384), (900, 500)])
def test_in_a_low_window_nothing_covers_the_list(
    browser: Browser, server: Server, width: int, height: int
) -> None:
    with opened(browser, server, device={"viewport": {"width": width, "height": height}}) as page:
        page.click("#moves tbody tr:nth-child(12)")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
        shown = page.eval_on_selector_all(
            "#moves tbody tr",
            """all => all.map(one => one.getBoundingClientRect())
                .filter(({top, bottom}) => top >= 0 && bottom <= innerHeight)
                .map(({left, top, height}) => document.elementFromPoint(left + 9, top + height / 2))
                .map(one => one.closest("tr") !== null)""",
        )
        assert shown
        assert all(shown)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_settings_open_in_view(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        assert page.is_hidden(".trial"), "nothing is tried yet"
        page.click("#more")
        box = page.locator("#setup").bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800
        page.select_option("#looks", "slate")
        page.keyboard.press("Escape")
        assert page.is_hidden("#setup")
        assert focused(page) == "more"
        page.click("#more")
        page.click("#moves tbody tr:nth-child(2)")
        assert page.is_hidden("#setup"), "a click elsewhere closes them"
        page.reload()
        page.wait_for_selector("#moves tbody tr")
        assert page.input_value("#looks") == "slate"
        assert page.evaluate("document.body.dataset.tiles") == "slate"
        page.emulate_media(media="print")
        shown = [
            page.is_visible(one) for one in ("#board", "#moves", ".tabs", "#actions", ".search", ".sites")
        ]
        assert shown == [True, True, False, False, False, False]


def test_text_of_twice_the_size_fits(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for width in (390, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width


def test_targets_are_large_enough_for_a_finger(browser: Browser, server: Server) -> None:
    with opened(browser, server, device=PHONE) as page:
        chosen(page)
        page.tap("#keys")
        page.tap("#more")
        assert small_targets(page) == []


def test_there_is_one_tab_stop_for_the_board_and_one_for_the_moves(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        page.locator("body").press("Tab")
        stops = []
        for _ in range(40):
            stops.append(focused(page))
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement === document.body"):
                break
        assert sum(one.startswith(("A", "H")) and ", " in one for one in stops) == 1, "the board"
        assert sum("DERTH" in one or "HEED" in one for one in stops) == 1, "the moves"
        assert len(stops) < 30


def test_arrow_keys_move_a_cursor_that_is_announced(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        tab_to(page, "H8, ")
        said = []
        for key in ("ArrowRight", "ArrowDown", "End"):
            page.keyboard.press(key)
            said.append(focused(page))
        assert said == ["I8, A, 1 point", "I9, double letter, empty", "O9, empty"]
        assert squares(page, "cur") == ["9O"]
        page.keyboard.type("s")
        assert page.inner_text("#heard") == "S", "what was typed is spoken"


def test_results_and_hints_are_live_regions(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        live = {one.get_attribute("id") for one in page.get_by_role("status", include_hidden=True).all()}
        assert {"status", "heard", "laid", "turn", "puzzleverdict"} <= live
        assert page.get_attribute("#alert", "role") == "alert"
        assert "legal plays. Best: " in page.inner_text("#heard")
        page.click("#tab-words")
        page.click(".words .hints button")
        page.wait_for_selector(".words [role=status] .hintlist li")
        page.fill("#judged", "cab")
        page.press("#judged", "Enter")
        page.wait_for_selector(".words [role=status] .ruled")


def test_points_are_readable_on_a_phone(browser: Browser, server: Server) -> None:
    with opened(browser, server, device=PHONE) as page:
        page.tap("#keys")
        for part in ("#board", "#rackbox", "#keyboard"):
            sizes = page.locator(f"{part} .points").evaluate_all(
                """all => all.filter(one => one.checkVisibility())
                    .map(one => parseFloat(getComputedStyle(one).fontSize))"""
            )
            assert sizes, part
            assert min(sizes) >= 9, part


def test_the_focus_stays_near_what_disappears(browser: Browser, server: Server) -> None:
    with opened(browser, server, faults=True) as page:
        page.wait_for_selector("#moves tbody tr")
        page.route("**/analyze", lambda route: route.fulfill(status=401, json={"detail": "no key"}))
        tab_to(page, "rack")
        page.keyboard.press("Backspace")
        page.wait_for_selector("#key")
        while focused(page) != "key":
            page.keyboard.press("Tab")
        page.unroute("**/analyze")
        page.keyboard.type("any")
        page.keyboard.press("Enter")
        page.wait_for_selector("#moves tbody tr")
        assert focused(page) == "Analysis", "the field of the key has gone"
        page.route("**/analyze", lambda route: route.abort())
        tab_to(page, "rack")
        page.keyboard.press("Backspace")
        page.wait_for_selector("#alert .retry")
        page.unroute("**/analyze")
        tab_to(page, "Try again")
        page.keyboard.press("Enter")
        page.wait_for_selector("#moves tbody tr")
        assert focused(page) == "Analysis", "the button has gone"
        page.keyboard.press("Tab")
        assert focused(page) == "tab-moves", "Tab leads on from there"
