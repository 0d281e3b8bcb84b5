"""The documentation at /docs in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.page.accessibility import broken_words, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server


def opened(browser: Browser, server: Server, width: int, scheme: Any) -> Page:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.port}/docs")
    page.wait_for_selector("main section")
    return page


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_overflows(
    browser: Browser, server: Server, width: int, scheme: str
) -> None:
    page = opened(browser, server, width, scheme)
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    page.locator('.operation[data-path="/boards"] button').click()
    page.wait_for_selector("pre:has-text('200')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert broken_words(page, "main th") == []
    assert not violations(page, "header", "nav", "#draw_board", '[data-path="/boards"]', "#Problem")
    page.context.close()


@pytest.mark.slow
def test_axe_finds_nothing_on_the_whole_page(browser: Browser, server: Server) -> None:
    page = opened(browser, server, 1200, "dark")
    assert not violations(page)
    page.context.close()


def test_the_contents_lead_to_every_operation_and_object(browser: Browser, server: Server) -> None:
    page = opened(browser, server, 1200, "light")
    targets = page.eval_on_selector_all("nav li a", "all => all.map(one => one.hash.slice(1))")
    sections = page.eval_on_selector_all("main section", "all => all.map(one => one.id)")
    assert targets == sections
    assert len(set(sections)) == len(sections)
    assert "`" not in page.inner_text("main"), "code is marked up"
    assert page.locator("main code", has_text="max_ms").count() > 0
    page.context.close()


def test_the_contents_are_closed_on_a_phone(browser: Browser, server: Server) -> None:
    page = opened(browser, server, 390, "light")
    assert not page.locator("nav li").first.is_visible()
    page.get_by_text("Contents", exact=True).click()
    page.get_by_role("link", name="POST /analyze", exact=True).click()
    assert page.locator(":target h2").inner_text() == "POST /analyze"
    page.context.close()
