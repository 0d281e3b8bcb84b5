"""What is chosen can be seen: a contrast of at least 3 to 1 to what is beside it, in computed colors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.page.board_page import DESKTOP, PHONE, opened, square
from tests.page.test_board_element import contrast

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server

ROWS = """() => {
    const chosen = document.querySelector("#moves [aria-selected=true]");
    const paper = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const color = getComputedStyle(at).backgroundColor;
            if (color !== "rgba(0, 0, 0, 0)") return color;
        }
    };
    return {
        ring: getComputedStyle(chosen).boxShadow.match(/rgb\\([^)]*\\)/)[0],
        around: parseFloat(getComputedStyle(chosen).boxShadow.split("px ")[3]),
        beside: [chosen, chosen.previousSibling, chosen.nextSibling].map(paper),
        inks: [...chosen.querySelectorAll("td, .at, .word, i")].map((one) => getComputedStyle(one).color),
    };
}"""

CURSOR = """() => {
    const root = document.getElementById("board").shadowRoot;
    const chosen = root.querySelector(".cur");
    const style = getComputedStyle(chosen);
    const sign = getComputedStyle(chosen, "::after");
    return {
        square: style.backgroundColor, outer: style.outlineColor,
        inner: style.boxShadow.match(/rgb\\([^)]*\\)/)[0],
        widths: [style.outlineWidth, style.boxShadow.split("px ")[3]].map(parseFloat),
        beside: [...root.querySelectorAll(".sq")].map((one) => getComputedStyle(one).backgroundColor),
        frame: getComputedStyle(root.querySelector(".grid")).backgroundColor,
        sign: [sign.color, sign.backgroundColor],
    };
}"""


def chosen_row(page: Page) -> Any:
    page.click("#moves tbody tr:nth-child(3)")
    page.mouse.move(2, 2)
    return page.evaluate(ROWS)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_chosen_row_and_the_cursor_can_be_seen(
    browser: Browser, server: Server, device: dict[str, Any], scheme: str
) -> None:
    with opened(browser, server, device=device | {"color_scheme": scheme}) as page:
        row = chosen_row(page)
        assert row["around"] >= 2
        assert all(contrast(row["ring"], color) >= 3 for color in row["beside"])
        assert all(contrast(row["beside"][0], ink) >= 4.5 for ink in row["inks"])
        for name in ("1A", "15O", "8A", "2B", "6B", "4A", "5A", "8H"):  # triple words, and other premiums
            square(page, name).click()
            cursor = page.evaluate(CURSOR)
            rings = (cursor["outer"], cursor["inner"])
            assert min(cursor["widths"]) >= 1.5
            for color in {cursor["square"], cursor["frame"], *cursor["beside"]}:
                assert max(contrast(color, ring) for ring in rings) >= 3, (name, color)
            assert contrast(*rings) >= 3
            assert contrast(*cursor["sign"]) >= 4.5
