"""Open pages that are not the page at /: of another site, or files on the disk."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page


@contextmanager
def visits(browser: Browser, *, offline: bool = False) -> Iterator[Callable[..., Page]]:
    """Open addresses of pages, each in a window of its own; no script may fail, no style may be refused.

    offline: nothing may be asked of a server.
    """
    faults: list[str] = []
    contexts = []

    def visit(address: str, *, width: int = 1200, scheme: Any = "light", **options: Any) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 844}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        if offline:
            page.on("request", lambda request: request.url.startswith("http") and faults.append(request.url))
        page.goto(address)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not faults
