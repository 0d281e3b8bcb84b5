"""The report of an archive in a real browser: a file that fetches nothing, accessible, light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kibitz.archives.player_reports import ArchiveReport, PlayerReport, Ratio
from kibitz.archives.report_page import archive_page
from tests.page.accessibility import violations

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

NAMES = ("Ann", "$x^2$", "<b>alert(1)</b>", "Zoë\x1b[31m", "a very long name of a player indeed")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of five players with figures of every kind: with an interval, without one, unknown."""
    unknown = Ratio(None, None, None)
    seconds = {"midgame": Ratio(31.5, 29.5, 33.5), "preendgame": Ratio(60.0, 51.0, 69.0), "endgame": unknown}
    players = tuple(
        [
            PlayerReport(
                name, 9 - place, 120, 110, Ratio(80.0 - 9 * place, 76.0 - 9 * place, 84.0 - 9 * place),
                Ratio(0.9 + place, 0.5 + place, 1.3 + place), Ratio(1.5 + place, 1.1 + place, 1.9 + place), 9,
                place, Ratio(90.0 - place, None, None),
                unknown, Ratio(12.5 + place, 9.5, 20.5), Ratio(40.0, None, None), seconds,
            )
            for place, name in enumerate(NAMES)
        ]
    )  # fmt: skip
    path = tmp_path_factory.mktemp("archive") / "report.html"
    path.write_text(archive_page(ArchiveReport(45, 600, ("scowl80",), players)), "utf-8")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (1200, "dark"), (390, "dark")])
def test_the_page_is_accessible_and_asks_nothing_of_a_server(
    browser: Browser, report: Path, width: int, scheme: Any
) -> None:
    faults: list[str] = []
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: message.type == "error" and faults.append(message.text))
    page.on("request", lambda request: request.url.startswith("http") and faults.append(request.url))
    page.goto(report.as_uri())
    assert not violations(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "it never scrolls aside"
    assert page.locator("main").count() == 1
    assert page.locator("tbody th").all_inner_texts()[:3] == list(NAMES[:3])
    drawn = page.locator("svg text").all_text_contents()
    assert {"Ann", "$x^2$", "<b>alert(1)</b>", "a very long name of a p…"} <= set(drawn)
    ink = page.evaluate("getComputedStyle(document.querySelector('svg text')).fill")
    assert ink == page.evaluate("getComputedStyle(document.body).color")
    page.close()
    assert not faults
