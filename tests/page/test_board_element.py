"""The element <kibitz-board> on a page of another site, in a real browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from engine.records import read_gcg, replay_game
from tests.page.accessibility import violations
from tests.page.visits import visits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.page.site import Site
    from tests.service.serving import Server

GCG = """#player1 Ann Ann Arden
#player2 Bob Bob Borden
>Ann: ?EINRST 8D NITRES +14 14
>Bob: ABC -AB +0 0
>Ann: AEFGHIX I8 .AXE +24 38
>Ann: AEFGHIX -- -24 14
>Bob: ABCDEFG - +0 0
>Ann: QAEFGHI (challenge) +5 19
>Bob: AABCDFG J3 no +99 99
>Ann: (QU) +22 41
>Bob: ABCDEFG (time) -10 89
"""
ROWS = "15/15/15/15/15/15/15/7CARE4/7O7/7Q7/7UI1[CH]iX2/15/15/15/15"
CGP = f"{ROWS} AEINRST/ 0/12 0"
HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A site</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy"
content="default-src 'none'; script-src {server} 'unsafe-inline'; connect-src *; style-src 'self'">
<script type="module" src="{server}/kibitz-board.js"></script></head>
<body><main><h1>A site</h1>{body}</main></body></html>"""


@pytest.fixture
def embed(browser: Browser, server: Server, site: Site) -> Iterator[Callable[..., Page]]:
    """Open a page of the other site with this body."""
    with visits(browser) as visit:

        def opening(body: str, width: int = 390, **options: Any) -> Page:
            html = HTML.format(server=f"http://127.0.0.1:{server.port}", body=body)
            page = visit(site.write("page.html", html), width=width, **options)
            page.wait_for_selector("kibitz-board .sq")
            return page

        yield opening


def names(page: Page) -> dict[str, str]:
    """Return the accessible name of each square by its first part, "H8"."""
    found = page.eval_on_selector_all("kibitz-board .sq", "all => all.map(one => one.ariaLabel)")
    return {name.split(",")[0]: name for name in found}


def focused(page: Page) -> str:
    return str(
        page.evaluate("document.querySelector('kibitz-board').shadowRoot.activeElement?.ariaLabel ?? ''")
    )


def test_a_page_of_another_site_shows_a_position(embed: Callable[..., Page]) -> None:
    page = embed(f'<kibitz-board cgp="{CGP}" play="N8 SAGIEsT"></kibitz-board>')
    named = names(page)
    assert len(named) == 225
    assert named["H8"] == "H8, star, double word, C, 3 points"
    assert named["H7"] == "H7, empty"
    assert named["A1"] == "A1, triple word, empty"
    assert named["L11"] == "L11, blank I"
    assert named["K11"].startswith("K11, double word, CH")
    assert named["N10"] == "N10, triple letter, G, 2 points, chosen play"
    assert named["N13"] == "N13, blank S, chosen play"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(embed: Callable[..., Page], scheme: str) -> None:
    page = embed(f'<kibitz-board cgp="{CGP}" play="N8 SAGIEsT"></kibitz-board>', scheme=scheme)
    assert not violations(page)


def test_arrow_keys_move_one_focus_through_the_board(embed: Callable[..., Page]) -> None:
    page = embed(f'<button>before</button><kibitz-board cgp="{CGP}"></kibitz-board><button>after</button>')
    page.evaluate(
        "heard = []; addEventListener('square', event => heard.push(Object.values(event.detail).join(' ')))"
    )
    page.focus("button:has-text('before')")
    page.keyboard.press("Tab")
    assert focused(page).startswith("H8")
    ways = {"ArrowLeft": "G8", "ArrowDown": "G9", "Home": "A9", "ArrowUp": "A8", "Control+End": "O15"}
    for key, square in ways.items():
        page.keyboard.press(key)
        assert focused(page).split(",")[0] == square, key
    page.keyboard.press("Enter")
    assert page.evaluate("heard") == [
        "111 8G arrow", "126 9G arrow", "120 9A arrow", "105 8A arrow", "224 15O arrow", "224 15O press"
    ]  # fmt: skip
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "after", "the board is one tab stop"
    page.keyboard.press("Shift+Tab")
    assert focused(page).split(",")[0] == "O15"


def test_axe_finds_nothing_in_a_game_with_faults(embed: Callable[..., Page]) -> None:
    for scheme, width in (("light", 1000), ("dark", 390)):
        page = embed(game(GCG), scheme=scheme, width=width)
        page.evaluate("board = document.querySelector('kibitz-board')")
        assert not violations(page)
        page.evaluate("board.faults = ['1A', '8D']; board.cursor = {index: 3, down: true}; board.step = 1")
        assert not violations(page)


def game(gcg: str, attributes: str = "") -> str:
    return f'<kibitz-board {attributes}><script type="text/x-gcg">{gcg}</script></kibitz-board>'


def status(page: Page) -> str:
    return page.inner_text("kibitz-board [role=status]")


def test_a_game_is_stepped_through(embed: Callable[..., Page]) -> None:
    page = embed(game(GCG, 'turn="1"'))
    assert status(page) == "Turn 1 of 9: Ann plays 8D NITRES for 14. Ann 14, Bob 0"
    assert names(page)["I8"] == "I8, S, 1 point, chosen play"
    assert page.get_attribute("kibitz-board .rack", "aria-label") == "Rack: ? E I N R S T"
    said = []
    page.focus("kibitz-board [aria-current]")
    for _ in range(6):
        page.keyboard.press("ArrowDown")
        said.append(status(page).partition(": ")[2])
        assert page.evaluate("document.querySelector('kibitz-board').shadowRoot.activeElement.ariaCurrent"), (
            "the focus is on the current turn"
        )
    assert said == [
        "Bob exchanges AB. Ann 14, Bob 0",
        "Ann plays I8 .AXE for 24. Ann 38, Bob 0",
        "Ann takes back a phony, \u221224. Ann 14, Bob 0",
        "Bob passes. Ann 14, Bob 0",
        "Ann gets 5 for a challenge. Ann 19, Bob 0",
        "Bob plays J3 no for 99. Ann 19, Bob 99",
    ]
    assert names(page)["I9"] == "I9, double letter, empty", "the phony has been taken off"
    assert names(page)["J4"] == "J4, blank O, chosen play"
    page.click("kibitz-board button[aria-label='Last turn']")
    assert status(page) == "Turn 9 of 9: Bob loses 10 on time. Ann 41, Bob 89"
    page.click("kibitz-board button[aria-label='Previous turn']")
    assert status(page) == "Turn 8 of 9: Ann gets 22 for QU. Ann 41, Bob 99"
    page.keyboard.press("Home")
    assert status(page) == "Start of the game"
    assert names(page)["I8"].endswith("empty")
    assert page.get_attribute("kibitz-board button[aria-label='First turn']", "aria-disabled") == "true"


def test_a_fault_of_a_record_names_its_line_and_the_rest_is_shown(
    embed: Callable[..., Page], site: Site
) -> None:
    broken = GCG.replace("J3 no", "J14 noisy").replace(">Bob: ABC -AB +0 0", "nothing\n>Bob; ABC")
    address = site.write(
        "broken.gcg", broken.replace("+24 38", "+24 39").replace("Arden", "Ardén").encode("latin-1")
    )
    page = embed(f'<kibitz-board src="{address}"></kibitz-board>')
    page.wait_for_selector("kibitz-board .faults")
    assert page.eval_on_selector_all("kibitz-board .faults li", "all => all.map(one => one.textContent)") == [
        "Line 5: this is no turn",
        "Line 6: the total is 39, not 38",
        "Line 7: the total is 14, not 15",
        "Line 10: J14 noisy goes off the board",
    ]
    assert page.inner_text("kibitz-board dt >> nth=0") == "Ann Ardén", "a record in ISO-8859-1"
    page = embed('<kibitz-board cgp="15/14"></kibitz-board>')
    shown = page.inner_text("kibitz-board [role=alert]")
    assert shown == "this is no position: 2 rows of 2 squares are expected, row 1 has 15"


def test_a_record_may_leave_out_totals_and_racks(embed: Callable[..., Page]) -> None:
    page = embed(
        game(
            "#player1 Ann Ann\n#player2 Bob Bob\n"
            ">Ann: UNKNOWN 8D NITRES +14\n#note a fine start\n>Bob: J8 JO +9\n"
        )
    )
    assert status(page) == "Turn 2 of 2: Bob plays J8 JO for 9. Ann 14, Bob 9"
    page.click("kibitz-board button[aria-label='Previous turn']")
    assert page.inner_text("kibitz-board .note") == "a fine start"
    assert page.locator("kibitz-board .rack .tile").count() == 0
    assert page.locator("kibitz-board .faults").count() == 0


def test_a_record_that_cannot_be_loaded_is_reported(embed: Callable[..., Page]) -> None:
    page = embed("<kibitz-board></kibitz-board>")
    page.evaluate("fetch = () => Promise.resolve(new Response('', {status: 404}))")
    page.evaluate("document.querySelector('kibitz-board').setAttribute('src', 'nowhere.gcg')")
    page.wait_for_selector("kibitz-board [role=alert]")
    assert page.inner_text("kibitz-board [role=alert]") == "The record could not be loaded: HTTP 404"


def test_it_reads_records_as_the_engine_does(
    embed: Callable[..., Page], game_records: dict[str, bytes]
) -> None:
    page = embed("<kibitz-board></kibitz-board>")
    module = page.evaluate("document.querySelector('script[type=module]').src")
    compared = 0
    for name, content in game_records.items():
        reading = read_gcg(content)
        if reading.faults:
            continue
        replay = replay_game(reading.record)
        if replay.faults or not replay.turns or len(replay.turns) < len(reading.record.events):
            continue
        compared += 1
        board = replay.final.board
        alphabet = replay.final.tile_set.alphabet
        tiles = [alphabet.text([code]).strip("[]") if code else "" for code in board.squares]
        totals = [turn.total for turn in replay.turns]
        read = page.evaluate(
            """async ([module, text]) => {
                const {turns} = (await import(module)).readGame(text);
                const shown = tile => tile ? (tile.blank ? tile.letter.toLowerCase() : tile.letter) : "";
                return [turns.map(turn => turn.total), turns.at(-1)?.tiles.map(shown)];
            }""",
            [module, content.decode("utf-8", "replace")],
        )
        assert read == [totals, tiles], name
    assert compared > 5


def test_known_boards_are_those_of_the_service(embed: Callable[..., Page], server: Server) -> None:
    page = embed("<kibitz-board></kibitz-board>")
    boards = json.loads(server.ask("GET", "/boards")[2])["boards"]
    assert boards
    for board in boards:
        layout = page.evaluate(
            """async ([id, side]) => {
                const module = await import(document.querySelector('script[type=module]').src);
                return module.readLayout(id, side);
            }""",
            [board["id"], board["side"]],
        )
        assert layout == {"rows": board["rows"], "starts": board["starts"]}, board["id"]


def test_a_page_draws_its_own_positions(embed: Callable[..., Page]) -> None:
    """The contract with the page at /: properties in, the event `square` out, squares patched."""
    page = embed("<kibitz-board></kibitz-board>", has_touch=True)
    page.evaluate(
        """() => {
            board = document.querySelector("kibitz-board");
            heard = [];
            board.addEventListener("square", event => { heard.push(event.detail); });
            squares = [...board.shadowRoot.querySelectorAll(".sq")];
            tiles = Array(225).fill(null);
            tiles[0] = {letter: "L\u00b7L", blank: false};
            board.values = new Map([["L\u00b7L", 10]]);
            board.position = {side: 15, tiles};
            board.ghosts = [{at: "1B", letter: "QU", blank: true}];
            board.faults = ["8H"];
            board.cursor = {index: 30, down: true};
            board.editable = true;
        }"""
    )
    named = names(page)
    assert named["A1"] == "A1, triple word, L\u00b7L, 10 points"
    assert named["B1"] == "B1, blank QU, chosen play"
    assert named["H8"] == "H8, star, double word, empty, fault"
    assert page.get_attribute("kibitz-board .sq[tabindex='0']", "aria-label") == "A3, empty"
    assert page.get_attribute("kibitz-board [role=grid]", "aria-readonly") == "false"
    page.locator("kibitz-board .sq").nth(16).tap()
    page.evaluate(
        """board.cursor = {index: 16, down: false};
        tiles[16] = {letter: "A", blank: false};
        board.position = {side: 15, tiles};"""
    )
    assert page.evaluate("heard") == [{"index": 16, "at": "2B", "by": "pointer"}]
    assert names(page)["B2"] == "B2, double word, A"
    assert page.evaluate("squares.every(one => one.isConnected)"), "squares are patched"
    assert focused(page) == "B2, double word, A"
    page.evaluate("board.cursor = {index: 17, down: false}")
    expect(page.locator("[aria-label^='C2']")).to_be_focused()
    page.evaluate(
        "() => { board.describe = square => `${square.at} ${square.premium} ${square.tile?.letter ?? ''}` }"
    )
    assert names(page)["1A w3 L\u00b7L"]
    page.evaluate("board.describe = null; board.texts = {empty: 'vac\u00edo', w3: 'triple palabra'}")
    assert names(page)["O1"] == "O1, triple palabra, vac\u00edo"


@pytest.mark.parametrize(("width", "scale"), [(240, 1), (390, 3), (1000, 1)])
def test_boards_of_all_sizes_fit_their_container(embed: Callable[..., Page], width: int, scale: int) -> None:
    page = embed(
        f'<div id="box"><kibitz-board cgp="{CGP}"></kibitz-board></div>',
        width=1100,
        device_scale_factor=scale,
    )
    page.evaluate(
        """width => {
            box.attributeStyleMap.set("width", CSS.px(width));
            board = document.querySelector("kibitz-board");
        }""",
        width,
    )
    for side in (10, 15, 21, 26):
        found = page.evaluate(
            """async side => {
                const tiles = Array(side * side).fill(null);
                const letters = ["W", "CH", "L\u00b7L", "QU", "Q"];
                letters.forEach((letter, at) => { tiles[at] = {letter, blank: at % 2 == 1}; });
                board.values = new Map([["W", 4], ["L\u00b7L", 10], ["Q", 10]]);
                board.position = {side, tiles};
                await new Promise(done => setTimeout(done));  // a browser may draw no frame
                const root = board.shadowRoot;
                const all = selector => [...root.querySelectorAll(selector)];
                const width = one => one.getBoundingClientRect().width;
                const inside = one => width(one) <= width(one.parentElement) + 0.5;
                const size = one => parseFloat(getComputedStyle(one).fontSize);
                return {
                    width: width(root.querySelector(".grid")),
                    points: all(".points").filter(one => one.checkVisibility()).map(size),
                    outside: all(".letter, .edge").filter(one => !inside(one)).map(one => one.textContent),
                    square: width(all(".sq")[0]),
                };
            }""",
            side,
        )
        assert found["width"] <= width + 0.5
        assert all(size >= 9 for size in found["points"])
        assert bool(found["points"]) == (found["square"] > 18), (side, found)
        assert not found["outside"], side


def test_cursor_and_focus_stand_out_on_every_square(embed: Callable[..., Page]) -> None:
    """A ring of black and white has a contrast of at least 3 to 1 on every colour; so has a fault's."""
    for scheme in ("light", "dark"):
        page = embed(
            '<kibitz-board layout="super21" cgp="' + "/".join(["21"] * 21) + '"></kibitz-board>',
            scheme=scheme,
        )
        found = page.evaluate(
            """async () => {
                const board = document.querySelector("kibitz-board");
                const squares = [...board.shadowRoot.querySelectorAll(".sq")];
                const rings = [];
                for (const kind of ["w2", "w3", "w4", "l2", "l3", "l4", ""]) {
                    const index = squares.findIndex(one => one.className === `sq ${kind}`.trim());
                    board.cursor = {index, down: false};
                    await new Promise(done => setTimeout(done));  // a browser may draw no frame
                    const style = getComputedStyle(squares[index]);
                    const inner = style.boxShadow.match(/rgba?\\([^)]*\\)/)[0];
                    rings.push([kind, style.backgroundColor, style.outlineColor, inner]);
                }
                return rings;
            }"""
        )
        assert len(found) == 7
        for kind, background, *rings in found:
            assert max(contrast(background, ring) for ring in rings) >= 3, (scheme, kind)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors "rgb(1, 2, 3)", as WCAG defines it."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(color: str) -> float:
    parts = [int(part) / 255 for part in color[color.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colors_follow_the_reader_the_theme_and_the_page(embed: Callable[..., Page]) -> None:
    page = embed(
        f'<kibitz-board cgp="{CGP}" play="1B A"></kibitz-board>', scheme="dark", reduced_motion="reduce"
    )
    plain = "getComputedStyle(document.querySelector('kibitz-board').shadowRoot.querySelectorAll('.sq')[2])"
    color = f"{plain}.backgroundColor"
    dark = page.evaluate(color)
    page.evaluate("document.querySelector('kibitz-board').setAttribute('theme', 'light')")
    assert page.evaluate(color) != dark
    page.evaluate(
        "document.querySelector('kibitz-board').attributeStyleMap.set('--kibitz-plain', 'rgb(1, 2, 3)')"
    )
    assert page.evaluate(color) == "rgb(1, 2, 3)"
    moving = page.evaluate("document.querySelector('kibitz-board').shadowRoot.getAnimations().length")
    assert moving == 0, "nothing moves for who wants no motion"


def test_any_page_may_load_the_element(server: Server) -> None:
    status, headers, body = server.ask("GET", "/kibitz-board.js", headers={"Origin": "https://a.example"})
    assert status == 200
    assert headers["access-control-allow-origin"] == "*"
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert headers["content-type"].startswith("text/javascript")
    again = server.ask("GET", "/kibitz-board.js", headers={"If-None-Match": headers["etag"]})
    assert again[0] == 304
    assert b"\nimport " not in body, "one file, which a site may store"
