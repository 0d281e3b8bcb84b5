"""The page at /topping: one person plays duplicate against the top."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from engine import DuplicateGame, duplicate_rule_ids
from tests.page.accessibility import violations
from tests.page.board_page import DESKTOP, PHONE, square, squares, watched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    import kibitz
    from tests.service.serving import Server

NARROW = {**PHONE, "viewport": {"width": 360, "height": 740}}
START = datetime(2026, 1, 1, tzinfo=UTC)
SEED = 3
SEEDED = f"crypto.getRandomValues = (numbers) => numbers.fill({SEED});"
SMALL_TARGETS = """all => all.filter(one => one.checkVisibility())
    .map(one => [one.id, one.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < 43.9).map(([id]) => id)"""


@contextmanager
def opened(
    browser: Browser,
    server: Server,
    *,
    device: dict[str, Any] = DESKTOP,
    stands: bool = False,
    **options: Any,
) -> Iterator[Page]:
    """Open the form of a new game, whose tiles SEED determines. `stands`: the clock stands."""
    with watched(browser, server, device=device, **options) as page:
        if stands:
            page.clock.install(time=START)
        page.add_init_script(SEEDED)
        page.goto(f"http://127.0.0.1:{server.port}/topping#lexicon=small")
        page.wait_for_selector("#lexicon option", state="attached")
        if stands:
            page.clock.pause_at(START + timedelta(hours=1))
        yield page


def begin(page: Page) -> None:
    page.click("#begin")
    page.wait_for_selector("#hand:visible")


def lay(page: Page, play: kibitz.Play) -> None:
    """Type a play that lies across: the tiles of the board are skipped."""
    at, word = play.text.split()
    square(page, at).click()
    for letter in word.replace(".", ""):
        page.keyboard.type(letter.lower() if letter.isupper() else f"?{letter}")


def hand_in(page: Page) -> None:
    page.click("#hand")
    page.wait_for_selector("#next")


def test_a_game_by_mouse_and_keys_is_judged_as_duplicate(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    game = DuplicateGame.begin(words, "dutch", seed=SEED)
    assert game.current is not None
    first = game.current
    with opened(browser, server) as page:
        assert violations(page) == []
        offered = page.eval_on_selector_all("#rules option", "all => all.map(one => one.value)")
        assert set(offered) == {"", *duplicate_rule_ids()}
        page.select_option("#rules", "dutch")
        page.select_option("#seconds", "")
        begin(page)
        expect(page.locator("#clock")).to_be_hidden()
        lay(page, first.top)
        page.reload()
        page.wait_for_selector("#hand:has-text('Hand in')")
        assert len(squares(page, "ghost")) == len(first.top.text.split()[1]), "the tiles laid are still there"
        assert violations(page) == []
        hand_in(page)
        expect(page.get_by_role("status").first).to_have_text(f"That is the top: {first.top.score} points.")
        expect(page.locator("#view")).to_contain_text(f"Word list: SmallRack: {first.rack}")
        expect(page.locator("#next")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_selector("#hand:visible")
        assert page.evaluate("document.activeElement.id") == "board", "who uses keys can type at once"
        game = game.play({})
        assert game.current is not None
        hand_in(page)
        top = game.current.top.score
        share = f"{100 * first.top.score / (first.top.score + top):.1f}%"
        expect(page.locator("#view")).to_contain_text(
            f"{first.top.score} of {first.top.score + top} points, {share}"
        )
        assert squares(page, "ghost"), "the top is shown on the board"
        assert violations(page) == []
        page.click("#finish")
        expect(page.locator(".rounds tbody tr")).to_have_count(2)
        expect(page.locator(".rounds tbody tr").nth(1).locator(".lost")).to_have_text(f"\u2212{top}")
        assert violations(page) == []
        link = urlsplit(page.get_attribute(".rounds a >> nth=1", "href") or "")
        assert link.path == "/"
        assert parse_qs(link.fragment)["cgp"][0].split()[1] == f"{game.current.rack}/"
        page.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text; }")
        page.click("#copy")
        copied = page.evaluate("copied").splitlines()
        assert copied[0] == "kibitz, Small, dutch"
        assert copied[2].split("\t")[:4] == [
            "1",
            str(first.rack),
            first.top.text,
            str(first.top.score),
        ]
        page.click("#again")
        expect(page.locator("#begin")).to_be_focused()


def test_a_round_by_touch_ends_with_its_time(browser: Browser, server: Server) -> None:
    with opened(browser, server, device=NARROW, stands=True, color_scheme="dark") as page:
        begin(page)
        expect(page.locator("#clock")).to_have_text("3:00")
        square(page, "8H").tap()
        for at in range(3):
            page.locator("#rackbox .tile").nth(at).tap()
        assert squares(page, "ghost") == ["8H", "8I", "8J"]
        assert page.eval_on_selector_all("button, select, a", SMALL_TARGETS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        square(page, "8I").drag_to(square(page, "2B"))
        page.clock.run_for(1)  # until then a click is part of the drag
        page.tap("#hand")
        expect(page.locator("#alert")).to_have_text("The tiles must lie in one line without a gap.")
        square(page, "2B").drag_to(square(page, "8I"))
        expect(page.locator("#alert")).to_be_hidden()
        page.clock.run_for(151_000)
        expect(page.locator("#status")).to_have_text("30 seconds left")
        page.clock.run_for(30_000)
        page.wait_for_selector("#next")
        sheet = page.evaluate("JSON.parse(localStorage['kibitz-topping-1']).sheet")
        assert sheet["rounds"][0]["slips"][0]["move"].startswith("8H"), "what lay on the board counts"
        page.tap("#finish")
        page.wait_for_selector(".rounds")
        assert page.eval_on_selector_all("button, select, a", SMALL_TARGETS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
