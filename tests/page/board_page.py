"""Open the page at / and read what it shows."""

from __future__ import annotations

from contextlib import contextmanager
from math import isqrt
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server

POSITION = "15/15/15/15/15/15/15/7CABBAGe1/15/15/15/15/15/15/15 DEEHRST/ 3/20 0"
EMPTY = "/".join(["15"] * 15) + " / 0/0 0"
# Two published positions: an empty bag, and one tile in the bag.
ENDGAME = (
    "9A1PIXY/9S1L3/2ToWNLETS1O3/9U1DA1R/3GERANIAL1U1I/9g2T1C/8WE2OBI/6EMU4ON/6AID3GO1/5HUN4ET1/4ZA1T4ME1/"
    "1Q1FAKEY3JOES/FIVE1E5IT1C/5SPORRAN2A/6ORE2N2D BGIV/DEHILOR 384/389 0"
)
PREENDGAME = (
    "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/"
    "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ 356/378 0"
)
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def address(server: Server, cgp: str | None = POSITION, **settings: str) -> str:
    """Return the address of the page with a position."""
    base = f"http://127.0.0.1:{server.port}/"
    if cgp is None:
        return base
    parts = [f"{name}={value}" for name, value in settings.items()]
    return f"{base}#cgp={cgp.replace(' ', '+')}" + "".join(f"&{one}" for one in parts)


@contextmanager
def watched(
    browser: Browser,
    server: Server,
    *,
    device: dict[str, Any] = DESKTOP,
    faults: bool = False,
    service_workers: Literal["allow", "block"] = "block",
    **options: Any,
) -> Iterator[Page]:
    """Open a tab in which no script may fail and, unless `faults` is true, no request.

    Nothing may be asked of another server. `service_workers`: "allow" lets the page be stored for later.
    """
    context = browser.new_context(**device, service_workers=service_workers, **options)
    page = context.new_page()
    page.set_default_timeout(20_000)
    found: list[str] = []
    own = (f"http://127.0.0.1:{server.port}/", "blob:")
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda one: found.append(one.text) if one.type == "error" and not faults else None)
    page.on("request", lambda one: None if one.url.startswith(own) else found.append(one.url))
    yield page
    page.goto("about:blank")  # as closing the tab does, it ends a search
    context.close()
    assert not found, found


@contextmanager
def opened(
    browser: Browser,
    server: Server,
    cgp: str | None = POSITION,
    *,
    device: dict[str, Any] = DESKTOP,
    faults: bool = False,
    service_workers: Literal["allow", "block"] = "block",
    texts: dict[str, Any] | None = None,
    **settings: str,
) -> Iterator[Page]:
    """Open the page with a position in a tab that is `watched`.

    `texts`: those of its language, if not the server's.
    """
    with watched(browser, server, device=device, faults=faults, service_workers=service_workers) as page:
        if texts is not None:
            answer = {"language": "de", "messages": texts}
            page.route("**/messages/*", lambda route: route.fulfill(json=answer))
        page.goto(address(server, cgp, **settings))
        page.wait_for_selector("#board .sq")
        if not faults:
            page.wait_for_selector("#lexicon option", state="attached")
            if cgp and cgp.split()[1].split("/")[0]:
                page.wait_for_selector("#moves tbody tr")
        yield page


def squares(page: Page, kind: str) -> list[str]:
    """Return the names of the squares of a kind (tile, ghost, bad, cur), in reading order."""
    found: list[int] = page.eval_on_selector_all(
        "#board .sq", f"all => all.flatMap((one, at) => one.classList.contains('{kind}') ? [at] : [])"
    )
    side = isqrt(page.locator("#board .sq").count())
    return [f"{at // side + 1}{chr(65 + at % side)}" for at in found]


def square(page: Page, name: str) -> Any:
    """Return the locator of a square such as 8H."""
    side = isqrt(page.locator("#board .sq").count())
    return page.locator("#board .sq").nth((int(name[:-1]) - 1) * side + ord(name[-1]) - 65)


def cgp_of(page: Page) -> str:
    """Return the position that the address holds."""
    return parse_qs(page.evaluate("location.hash.slice(1)"))["cgp"][0]


def rows_of(page: Page) -> list[str]:
    """Return the rows of the board in the address."""
    return cgp_of(page).split(" ")[0].split("/")


def moves(page: Page) -> list[str]:
    """Return the moves of the list: "O8 DERTH", with the letters of the board in lower case as they are."""
    found: list[str] = page.eval_on_selector_all(
        "#moves tbody tr", "all => all.map(row => row.cells[0].textContent)"
    )
    return found


def module(page: Page, name: str, expression: str) -> Any:
    """Return the value of an expression of a module of the page, `it`."""
    src = page.get_attribute("script[type=module]", "src") or ""
    return page.evaluate(f"import('{src.replace('page.js', name)}').then(it => {expression})")


def focused(page: Page) -> str:
    """Return what has the focus: an id, the accessible name of a square or button, or "nothing"."""
    found: str = page.evaluate(
        """() => {
            let one = document.activeElement;
            while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
            if (one === document.body) return 'nothing';
            return one.id || one.getAttribute('aria-label') || one.textContent || one.tagName;
        }"""
    )
    return found


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until what `focused` returns starts with `wanted`."""
    for _ in range(60):
        if focused(page).startswith(wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")
