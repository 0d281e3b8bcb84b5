"""Boards drawn by symbols show the same as boards drawn one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from engine.position import BoardSheet, Play, Position, board_svg, parse_move
from engine.records import parse_cgp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

SVG = "{http://www.w3.org/2000/svg}"
EMPTY = "/".join(["15"] * 15)
CAB = "/".join([*["15"] * 7, "6CaB6", *["15"] * 7])
INHERITED = ("fill", "stroke", "stroke-width", "font-size", "font-weight", "text-anchor", "stroke-dasharray")

Shape = tuple[str, str, tuple[tuple[str, str], ...]]


def shapes(
    element: Element, symbols: dict[str, Element], x: int = 0, y: int = 0, **given: str
) -> Iterator[Shape]:
    """Yield every rectangle, path and text with its place and look, symbols and groups resolved."""
    own = given | {name: element.attrib[name] for name in INHERITED if name in element.attrib}
    tag = element.tag.removeprefix(SVG)
    if tag == "use":
        symbol = symbols[element.attrib["href"][1:]]
        yield from shapes(symbol, symbols, int(element.get("x", 0)), int(element.get("y", 0)), **own)
    elif tag in ("rect", "text"):
        place = (
            f"{float(element.get('x', 0)) + x:g} {float(element.get('y', 0)) + y:g} {element.get('width')}"
        )
        yield tag, f"{place} {element.text or ''}", tuple(sorted(own.items()))
    elif tag == "path":
        yield tag, f"{element.attrib['d']} {element.get('transform')}", tuple(sorted(own.items()))
    for child in element:
        if tag != "use":
            yield from shapes(child, symbols, x, y, **own)


def drawn(position: Position, text: str | None) -> tuple[Counter[Shape], Counter[Shape]]:
    """Return the shapes of a board drawn alone, and of the same board drawn by a sheet."""
    play = parse_move(text, position.board, position.tile_set) if text else None
    assert play is None or isinstance(play, Play)
    sheet = BoardSheet()
    by_sheet = ElementTree.fromstring(sheet.board(position, play, size=440, name="one"))
    alone = ElementTree.fromstring(board_svg(position, play, size=440, name="one"))
    symbols = ElementTree.fromstring(sheet.symbols())
    named = {element.attrib["id"]: element for element in symbols.iter() if "id" in element.attrib}
    assert by_sheet.attrib == alone.attrib
    assert [by_sheet.findtext(f"{SVG}{tag}") for tag in ("title", "desc")] == [
        alone.findtext(f"{SVG}{tag}") for tag in ("title", "desc")
    ]
    return Counter(shapes(alone, {})), Counter(shapes(by_sheet, named))


def test_an_empty_board_is_the_same() -> None:
    alone, by_sheet = drawn(parse_cgp(f"{EMPTY} / 0/0 0"), None)
    assert alone == by_sheet


def test_tiles_blanks_and_a_play_are_the_same() -> None:
    alone, by_sheet = drawn(parse_cgp(f"{CAB} SQ?/ 0/0 0"), "8G ...S")
    assert alone - by_sheet == Counter()
    covered = by_sheet - alone  # the names of the squares below the four tiles, which the tiles hide
    assert {kind for kind, *_ in covered} <= {"path", "text"}
    assert covered.total() <= 4


def test_tiles_of_several_letters_are_the_same() -> None:
    rows = "/".join([*["15"] * 7, "5[CH]I[ll]A6", *["15"] * 7])
    alone, by_sheet = drawn(parse_cgp(f"{rows} / 0/0 0 ld spanish;"), None)
    assert alone - by_sheet == Counter()


def test_each_symbol_is_drawn_once() -> None:
    sheet = BoardSheet()
    position = parse_cgp(f"{CAB} / 0/0 0")
    sheet.board(position, size=440, name="one")
    once = sheet.symbols()
    second = sheet.board(position, size=440, name="two")
    assert sheet.symbols() == once
    assert once.count("<g id=") == 4  # the board, C, a and B
    assert len(second) < 900
