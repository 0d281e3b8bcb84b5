"""axe-core on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page


OPTIONS = {
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # names contain the text that is seen
    "resultTypes": ["violations"],  # what passes is not described, which takes longer than the check itself
}
"""What axe-core does not do by default."""


def violations(page: Page, *selectors: str) -> list[str]:
    """Return a line for every rule of axe-core that the page breaks, with the elements that break it.

    `selectors`: the parts to check, by default all; a long page takes axe-core a minute.
    """
    found = Axe().run(page, list(selectors) or None, OPTIONS).response["violations"]
    return [
        f"{rule['id']}: {rule['help']} ({', '.join(str(node['target']) for node in rule['nodes'][:5])})"
        for rule in found
    ]


def broken_words(page: Page, selector: str) -> list[str]:
    """Return the texts of a single word, such as names of buttons, that take more than one line."""
    found: list[str] = page.eval_on_selector_all(
        selector,
        r"""all => all.flatMap(one => {
            const text = document.createRange();
            text.selectNodeContents(one.firstChild ?? one);
            const isWord = /^\p{L}+$/u.test(text.toString());
            return isWord && text.getClientRects().length > 1 ? [text.toString()] : [];
        })""",
    )
    return found
