"""Look ahead on the page: start a search, make it endless, or wait for its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ENDLESS = {"iterations": 200_000, "candidates": 30, "plies": 6}


def endless(page: Page) -> None:
    """Let the simulations of the page compare more moves than they can decide between."""

    def change(route: Route) -> None:
        body = route.request.post_data_json
        if "phase" in body:
            body["simulate"] |= ENDLESS
        route.continue_(post_data=body)

    page.route("**/analyze", change)


def search(page: Page, seconds: str = "5") -> None:
    """Start a search."""
    page.select_option("#seconds", seconds)
    page.click("#ahead")


def searched(page: Page, kind: str = "") -> None:
    """Wait for the end of a search, of this kind, and open the details of the best move."""
    search(page)
    page.wait_for_selector(".search + progress", state="hidden")
    page.wait_for_selector(f"#facts:has-text('{kind}')")
    page.click("#moves tbody tr:first-child")
    page.click(".chosen summary")
