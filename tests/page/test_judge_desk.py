"""The word judge of a tournament at /judge: one verdict in the browser, and nothing that leads away."""

from __future__ import annotations

import random
import re
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from engine import LANGUAGES, __version__
from tests.page.accessibility import broken_words, violations
from tests.page.test_board_element import contrast
from tests.page.test_offline import CONTROLLED, away  # noqa: F401 - a fixture
from tests.page.test_page_scripts import STATIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Locator, Page

    import kibitz
    from tests.service.serving import Server

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
DESK = "/judge#lexicon=small"
START = datetime(2026, 1, 1, tzinfo=UTC)
VERDICTS_STAY = """
const later = setTimeout;
setTimeout = (act, ms, ...more) => (ms === 10_000 ? 0 : later(act, ms, ...more));
"""
ARRIVED = "verdict => { for (const one of verdict.getAnimations({subtree: true})) one.finish(); }"
SHARED = {"api.js", "dom.js", "storage.js", "texts.js"}
"""The modules of the page that the word judge uses too."""


@contextmanager
def opened(
    browser: Browser,
    server: Server,
    path: str = DESK,
    *,
    device: dict[str, Any] = DESKTOP,
    service_workers: Literal["allow", "block"] = "block",
    stands: bool = True,
    **options: Any,
) -> Iterator[Page]:
    """Open the word judge; no script may fail, and nothing foreign may be loaded.

    stands: its clock stands; otherwise the clock goes, as axe-core needs it, but verdicts stay.
    """
    context = browser.new_context(**device, service_workers=service_workers, **options)
    page = context.new_page()
    page.set_default_timeout(20_000)
    found: list[str] = []
    base = f"http://127.0.0.1:{server.port}"
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", lambda one: None if one.url.startswith(f"{base}/") else found.append(one.url))
    if stands:
        page.clock.install(time=START)
    else:
        page.add_init_script(VERDICTS_STAY)
    page.goto(base + path)
    if "#" in path:
        page.wait_for_selector("#desk")
    if stands:
        page.clock.pause_at(START + timedelta(days=1))
    yield page
    context.close()
    assert not found


def verdict(page: Page) -> Locator:
    return page.locator("#verdict")


def judge(page: Page, text: str) -> str:
    """Type words, press Enter, and return the verdict."""
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    said: str = page.inner_text("#verdict .ruling")
    return said


def next_play(page: Page) -> None:
    """Wait out the verdict."""
    page.clock.fast_forward(10_000)
    expect(verdict(page)).to_be_hidden()


def test_a_play_gets_one_verdict_that_does_not_name_a_word(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        assert judge(page, "cab cat") == "ACCEPTABLE"
        assert page.inner_text(".echo") == "CAB CAT"
        next_play(page)
        assert page.input_value("#words") == "", "the next players see nothing of it"
        assert judge(page, "cab bbq") == "NOT ACCEPTABLE"
        first = page.inner_html("#verdict")
        next_play(page)
        judge(page, "bbq cab")
        assert page.inner_html("#verdict").replace("BBQ CAB", "CAB BBQ") == first, "no word is marked"


def test_a_verdict_goes_by_a_tap_by_a_key_and_by_itself(browser: Browser, server: Server) -> None:
    with opened(browser, server, device=TABLET) as page:
        judge(page, "cab")
        page.clock.fast_forward(9_900)
        expect(verdict(page)).to_be_visible()
        page.clock.fast_forward(100)
        expect(verdict(page)).to_be_hidden()
        acts: list[Callable[[], None]] = [
            lambda: page.touchscreen.tap(400, 900),
            lambda: page.keyboard.press("x"),
        ]
        for clear in acts:
            judge(page, "cab")
            clear()
            expect(verdict(page)).to_be_visible()  # a second tap of the one who judged
            page.clock.fast_forward(1_000)
            clear()
            expect(verdict(page)).to_be_hidden()
            assert page.input_value("#words") == "", "it does nothing else"
            expect(page.locator("#words")).to_be_focused()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("ab " * 9, "At most 8 words are judged at once."),
        ("cab c4b", "There is no tile for 4."),
        ("cab a", "A word has two tiles or more."),
    ],
)
def test_what_cannot_be_judged_gets_no_verdict(
    browser: Browser, server: Server, typed: str, said: str
) -> None:
    with opened(browser, server) as page:
        page.keyboard.press("Enter")
        expect(verdict(page)).to_be_hidden()  # nothing is typed
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(page.locator("#fault")).to_have_text(said)
        expect(verdict(page)).to_be_hidden()
        page.keyboard.type("b")
        expect(page.locator("#fault")).to_have_text("")
        page.keyboard.press("Escape")
        assert page.input_value("#words") == ""


def test_words_are_entered_and_judged_by_touch(browser: Browser, server: Server) -> None:
    with opened(browser, server, "/judge#lexicon=palabras", device=TABLET) as page:
        assert page.get_attribute("#words", "inputmode") == "none", "the keyboard of the device stays away"
        for key in ("CH", "I", "C", "O", "O"):
            page.get_by_role("button", name=key, exact=True).tap()
        page.get_by_role("button", name="Remove the last letter").tap()
        page.get_by_role("button", name="Next word").tap()
        for key in ("A", "Ñ", "O"):
            page.get_by_role("button", name=key, exact=True).tap()
        assert page.input_value("#words") == "CHICO AÑO"
        page.get_by_role("button", name="Judge").tap()
        assert page.inner_text(".ruling") == "ACCEPTABLE"
        next_play(page)
        page.get_by_role("button", name="A", exact=True).tap()
        page.get_by_role("button", name="Clear").tap()
        assert page.input_value("#words") == ""
        small = page.eval_on_selector_all(
            "button",
            """all => all.filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())
                .filter(box => Math.min(box.width, box.height) < 44)""",
        )
        assert small == []


def test_the_keyboard_alone_judges_with_tab_too(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        expect(page.locator("#keys")).to_be_hidden()
        page.keyboard.type("cab")
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Judge")).to_be_focused()
        page.keyboard.type("s")  # a letter goes to the words from anywhere
        assert page.input_value("#words") == "cabs"
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.inner_text(".ruling") == "ACCEPTABLE"


def test_the_list_and_its_version_are_always_in_view(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    said = f"Small: {len(words):,} words, version {words.sha256[:8]}"
    with opened(browser, server) as page:
        expect(page.locator("#list")).to_have_text(said)
        judge(page, "cab")
        box = page.locator("#list").bounding_box()
        assert box is not None
        assert page.locator("#list").is_visible()
        assert box["y"] + box["height"] <= 800
        on_top = "([x, y]) => document.elementsFromPoint(x, y).some(one => one.id === 'verdict')"
        assert page.evaluate(on_top, [box["x"] + 5, box["y"] + 5])
        assert page.evaluate("getComputedStyle(document.getElementById('list')).zIndex") == "2"


def test_verdicts_are_those_of_the_service(browser: Browser, server: Server, words: kibitz.Lexicon) -> None:
    rng = random.Random(1)
    listed = rng.sample(list(words), 60)
    changed = [
        word[:at] + rng.choice("ABCDEIRST") + word[at + 1 :] for word in listed if (at := len(word) // 2)
    ]
    plays = [rng.sample([*listed, *changed], rng.randint(1, 4)) for _ in range(150)]
    with opened(browser, server) as page:
        found = page.evaluate(
            """async ([version, plays]) => {
                const { judged, readWordList } = await import(`/static/${version}/judge/word_list.js`);
                const list = readWordList(await (await fetch("/lexicons/small/graph")).json());
                return plays.map((play) => judged(list, play.join(" ")).acceptable);
            }""",
            [__version__, plays],
        )
        asked = page.evaluate(
            """plays => Promise.all(plays.map(async (words) => {
                const headers = { "Content-Type": "application/json" };
                const body = JSON.stringify({ words });
                const answer = await fetch("/words/judge", { method: "POST", headers, body });
                return (await answer.json()).acceptable;
            }))""",
            plays,
        )
    assert found == asked
    assert len(set(found)) == 2


def test_it_is_started_once_for_a_list_and_fills_the_screen(browser: Browser, server: Server) -> None:
    with opened(browser, server, "/judge") as page:
        page.wait_for_selector("#lexicon option", state="attached")
        assert page.locator("#lexicon option:checked").inner_text() == "Small"
        page.select_option("#lexicon", "palabras")
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#words")).to_be_focused()
        expect(page.locator("#list")).to_contain_text("Palabras: 6 words")
        assert page.url.endswith("/judge#lexicon=palabras"), "a reload opens the same list"
        page.wait_for_selector(":root:fullscreen")
        page.evaluate("document.exitFullscreen()")
        page.get_by_role("button", name="Clear").click()
        page.wait_for_selector(":root:fullscreen")  # the next tap fills it again


SHORTCUTS = (
    ["F5", "F11", "F1", "Escape", "BrowserBack", "ContextMenu"]
    + [f"Control+{key}" for key in "rwtnlpofu"]
    + ["Meta+l", "Alt+ArrowLeft", "Alt+Home", "Alt+d"]
)


def test_no_key_gesture_or_link_leads_away(browser: Browser, server: Server) -> None:
    with opened(browser, server) as page:
        assert page.locator("a, area, iframe, form[action]").count() == 0
        page.evaluate(
            """() => {
                window.kept = {};
                addEventListener("keydown", (event) => { kept[event.key] = event.defaultPrevented; });
            }"""
        )
        prevented = """([key, options]) => !document.getElementById("words").dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }))"""
        names = {"Control": "ctrlKey", "Meta": "metaKey", "Alt": "altKey"}
        for shortcut in SHORTCUTS:
            *modifiers, key = shortcut.split("+")
            assert page.evaluate(prevented, [key, {names[one]: True for one in modifiers}]), shortcut
        for key, options in [
            ("a", {}),
            ("A", {"shiftKey": True}),
            ("ą", {"ctrlKey": True, "altKey": True, "modifierAltGraph": True}),
            ("å", {"altKey": True}),
            ("Backspace", {}),
            ("Tab", {}),
            ("+", {"ctrlKey": True}),
        ]:
            assert not page.evaluate(prevented, [key, options]), key
        for name in ("contextmenu", "drop", "dragover"):
            event = f"new Event('{name}', {{ bubbles: true, cancelable: true }})"
            assert not page.evaluate(f"document.body.dispatchEvent({event})"), name
        page.evaluate("history.back()")
        assert judge(page, "cab") == "ACCEPTABLE"
        assert page.url.endswith(DESK)


def test_only_its_own_files_are_loaded(browser: Browser, server: Server) -> None:
    loaded: set[str] = set()
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.on("request", lambda one: loaded.add(urlsplit(one.url).path))
    page.goto(f"http://127.0.0.1:{server.port}{DESK}")
    page.wait_for_selector("#desk")
    context.close()
    static = f"/static/{__version__}"
    own = {f"{static}/judge/{path.name}" for path in (STATIC / "judge").iterdir()}
    shared = {f"{static}/page/{name}" for name in SHARED}
    assert loaded - {f"{static}/icon.svg"} == own | shared | {"/judge", "/lexicons", "/lexicons/small/graph"}


def test_it_works_without_the_server_once_it_is_loaded(browser: Browser, away: Server) -> None:  # noqa: F811
    with opened(browser, away, service_workers="allow", locale="de-DE") as page:
        page.evaluate(CONTROLLED)
        expect(page.locator("#list")).to_have_text(re.compile(" · "))
        away.kill()
        page.reload()
        page.wait_for_selector("#desk")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator("#list")).to_have_text(re.compile(" · "))
        page.keyboard.type("cab abx")
        page.keyboard.press("Enter")
        expect(verdict(page)).to_have_class("no")


def test_a_list_that_cannot_be_loaded_is_told_in_words(browser: Browser, server: Server) -> None:
    with opened(browser, server, "/judge") as page:
        page.wait_for_selector("#lexicon option", state="attached")
        page.route("**/graph", lambda route: route.abort())
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#status")).to_contain_text("The server cannot be reached")
        page.unroute("**/graph")
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#words")).to_be_focused()
        expect(page.locator("#status")).to_have_text("")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESKTOP, TABLET], ids=["desktop", "tablet"])
def test_every_view_is_accessible(
    browser: Browser, server: Server, device: dict[str, Any], scheme: str
) -> None:
    with opened(browser, server, "/judge", device=device, color_scheme=scheme, stands=False) as page:
        page.wait_for_selector("#lexicon option", state="attached")
        assert violations(page) == []
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector("#desk")
        page.keyboard.type("cab a")
        page.keyboard.press("Enter")
        expect(page.locator("#fault")).not_to_be_empty()
        assert violations(page) == []
        page.keyboard.press("Escape")
        for text in ("cab", "bbq"):
            judge(page, text)
            page.eval_on_selector("#verdict", ARRIVED)
            assert violations(page) == []
            colors = "([one, name]) => getComputedStyle(one)[name]"
            ruling = page.evaluate_handle("document.querySelector('.ruling')")
            ground = page.evaluate_handle("document.getElementById('verdict')")
            assert (
                contrast(
                    page.evaluate(colors, [ruling, "color"]),
                    page.evaluate(colors, [ground, "backgroundColor"]),
                )
                >= 7
            )
            assert page.locator("#verdict svg").is_visible()
            page.wait_for_timeout(1_000)
            page.keyboard.press("x")
            expect(verdict(page)).to_be_hidden()


def test_nothing_moves_for_those_who_ask_for_that(browser: Browser, server: Server) -> None:
    for motion, moves in (("reduce", 0), ("no-preference", 3)):
        with opened(browser, server, reduced_motion=motion) as page:
            judge(page, "cab")
            assert page.evaluate("document.getAnimations().length") == moves


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fits(browser: Browser, server: Server, language: str) -> None:
    with opened(browser, server, device=TABLET, locale=language) as page:
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.keyboard.type("cab bbq")
        for width in (360, 820, 1280):
            page.set_viewport_size({"width": width, "height": 1180})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert broken_words(page, "#desk button") == []
        page.keyboard.press("Enter")
        for width in (360, 820, 1280):
            page.set_viewport_size({"width": width, "height": 1180})
            assert page.evaluate("document.getElementById('verdict').scrollWidth") <= width
