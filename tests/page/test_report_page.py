"""The report of an annotated game in a real browser: a file of its own, with and without scripts."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from kibitz.cli import kibitz
from tests.page.accessibility import violations
from tests.page.visits import visits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

GAME = Path(__file__).parents[1] / "annotation" / "golden" / "game0.gcg"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a game, written by `kibitz annotate --html`."""
    done = CliRunner().invoke(kibitz, ["annotate", str(GAME), "--html"])
    assert done.exit_code == 0, done.output
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_bytes(done.stdout_bytes)
    return path


@pytest.fixture
def opened(browser: Browser, report: Path) -> Iterator[Callable[..., Page]]:
    """Open the report from the disk."""
    with visits(browser, offline=True) as visit:
        yield partial(visit, report.as_uri())


def placed(page: Page) -> str:
    """Return the letters of the play on the board, in the order of the squares."""
    return "".join(page.locator("kibitz-board .ghost .letter").all_inner_texts())


def test_the_board_follows_the_turns(opened: Callable[..., Page]) -> None:
    page = opened()
    page.get_by_text("8C SPRIGS").first.click()
    assert placed(page) == "SPRIGS"
    assert page.inner_text("#turn") == "Turn 2: bo played 8C SPRIGS"
    page.get_by_role("button", name="Best").click()
    assert placed(page) == "PRIGS"
    assert page.inner_text("#turn") == "Turn 2: best was 8D PRIGS"
    page.get_by_role("button", name="Next turn").click()
    assert placed(page) == "LCH"
    page.keyboard.press("ArrowLeft")
    assert placed(page) == "SPRIGS"
    page.get_by_role("button", name="Next mistake").click()
    assert page.inner_text("#turn").startswith("Turn 3: ")
    page.locator(".course").click(position={"x": 1, "y": 100})
    assert page.inner_text("#turn").startswith("Before turn 1 of ann")
    assert page.locator("details[open]").count() == 1


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (1200, "dark"), (390, "dark")])
def test_axe_finds_nothing(opened: Callable[..., Page], width: int, scheme: str) -> None:
    page = opened(width=width, scheme=scheme)
    page.get_by_text("11B WAfFIe").first.click()
    assert not violations(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "it never scrolls aside"


def test_on_a_phone_the_board_stands_in_its_turn(opened: Callable[..., Page]) -> None:
    page = opened(width=390, has_touch=True)
    page.get_by_text("8C SPRIGS").first.tap()
    expect(page.locator("details[open] kibitz-board .ghost")).to_have_count(6)
    page.get_by_role("button", name="Next turn").tap()
    expect(page.locator("details[open] kibitz-board .ghost")).to_have_count(3)


def test_without_scripts_the_turns_and_their_figures_are_there(opened: Callable[..., Page]) -> None:
    page = opened(java_script_enabled=False)
    text = page.inner_text("body")
    assert "8C SPRIGS" in text
    assert "The board needs JavaScript" in text
    page.locator("summary").nth(1).click()
    assert page.locator("details").nth(1).get_by_role("row", name="best 8D PRIGS").is_visible()
    assert not page.locator("#viewer").is_visible()
    assert page.locator(".course").is_visible()


def test_the_report_is_small_dark_at_night_and_has_a_main_landmark(
    opened: Callable[..., Page], report: Path
) -> None:
    assert report.stat().st_size < 200_000
    background = "getComputedStyle(document.body).backgroundColor"
    light, dark = opened(), opened(scheme="dark")
    assert sum(map(int, re.findall(r"\d+", dark.evaluate(background))[:3])) < 150
    assert light.evaluate(background) != dark.evaluate(background)
    assert light.get_by_role("main").count() == 1
