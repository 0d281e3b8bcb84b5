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


def broken_words(page: Page, selector: str = "body") -> list[str]:
    """Return the words in view that take more than one line."""
    found: list[str] = page.eval_on_selector_all(
        selector,
        r"""all => all.flatMap(one => {
            const found = [];
            const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const node = texts.currentNode;
                if (!node.parentElement.checkVisibility({ opacityProperty: true })) continue;
                for (const { 0: word, index } of node.data.matchAll(/\p{L}{2,}/gu)) {
                    const range = document.createRange();
                    range.setStart(node, index);
                    range.setEnd(node, index + word.length);
                    if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
                }
            }
            return found;
        })""",
    )
    return found


def small_targets(page: Page) -> list[str]:
    """Return what is to be touched and less than 44 pixels high, with its size."""
    found: list[str] = page.eval_on_selector_all(
        "button, select, input, summary, a, #moves tbody tr",
        """all => all.filter(one => one.checkVisibility() && one.id !== "typing")
            .map(one => [one, one.getBoundingClientRect()])
            .filter(([one, box]) => box.height < 43.5 && !one.closest("th, .strip, .rackbox"))
            .map(([one, box]) => `${one.id || one.textContent} ${box.width}x${box.height}`)""",
    )
    return found
