"""/board.svg: every tile in its place, marks that do not depend on color, and nothing harmful."""

from __future__ import annotations

from dataclasses import fields
from itertools import product
from operator import or_
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Board,
    BoardLayout,
    Play,
    Position,
    TileSet,
    board_layout,
    parse_cgp,
    parse_move,
    rule_set,
    tile_set,
)
from engine.position.svg import DARK, LIGHT, MARGIN, SQUARE, board_svg
from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

SVG = "{http://www.w3.org/2000/svg}"
EMPTY_CGP = "/".join(["15"] * 15) + " / 0/0 0"
CAB_CGP = "15/15/15/15/15/15/15/6CaB6/15/15/15/15/15/15/15 / 0/0 0"
ALLOWED = {"svg", "title", "desc", "g", "rect", "text", "path"}


def parsed(text: str) -> ElementTree.Element:
    """Read a picture, which must hold nothing but shapes and text."""
    root = ElementTree.fromstring(text)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name
            assert name != "style"
            assert "url(" not in value
    return root


def letters(root: ElementTree.Element, side: int, margin: int = MARGIN) -> dict[tuple[int, int], str]:
    """Say which letters are written on which squares: (row, column) to text, points and labels apart."""
    tiles = root.findall(f"{SVG}g")[-1]
    found = {}
    for text in tiles.findall(f"{SVG}text"):
        if text.get("font-weight") == "bold":
            column, row = ((float(text.get(name, "")) - margin) // SQUARE for name in ("x", "y"))
            found[int(row), int(column)] = text.text or ""
    assert all(0 <= row < side and 0 <= column < side for row, column in found)
    return found


class TestDrawing:
    @settings(max_examples=40, deadline=None)
    @given(data=st.data())
    def test_every_tile_is_where_it_lies(self, data: st.DataObject) -> None:
        tiles = tile_set(data.draw(st.sampled_from(["english", "spanish", "catalan", "polish"])))
        side = data.draw(st.sampled_from([10, 15, 21, 26]))
        squares = data.draw(
            st.dictionaries(
                st.tuples(*[st.integers(0, side - 1)] * 2),
                st.builds(or_, st.integers(1, tiles.alphabet.size), st.sampled_from([0, 0x80])),
                max_size=12,
            )
        )
        layout = BoardLayout.from_rows(["t" + "." * (side - 2) + "Q"] * side, [(1, 1)])
        board = Board.empty(side).with_tiles((row, column, code) for (row, column), code in squares.items())
        position = Position(board, layout, tiles, rule_set("english"))
        coordinates = data.draw(st.booleans())
        root = parsed(board_svg(position, coordinates=coordinates))
        expected = {place: tiles.alphabet.letter(code) for place, code in squares.items()}
        assert letters(root, side, MARGIN if coordinates else 4) == expected
        dashed = [rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke-dasharray")]
        assert len(dashed) == sum(code >= 0x80 for code in squares.values())

    def test_a_play_is_drawn_on_the_board(self) -> None:
        position = parse_cgp(CAB_CGP)
        play = parse_move("8G ...S", position.board, position.tile_set)
        assert isinstance(play, Play)
        drawn = board_svg(position, play)
        root = parsed(drawn)
        assert letters(root, 15) == {(7, 6): "C", (7, 7): "A", (7, 8): "B", (7, 9): "S"}
        assert [rect.get("stroke-width") for rect in root.iter(f"{SVG}rect")].count("3") == 1
        description = root.findtext(f"{SVG}desc") or ""
        assert "Row 8: G C, H a, I B, J S played now." in description
        assert drawn == board_svg(position, play)

    def test_title_and_description_repeat_it_in_words(self) -> None:
        root = parsed(board_svg(parse_cgp(CAB_CGP)))
        assert root.get("role") == "img"
        named = (root.get("aria-labelledby") or "").split()
        assert [root.find(f"{SVG}{tag}").get("id") for tag in ("title", "desc")] == named  # type: ignore[union-attr]
        assert root.findtext(f"{SVG}title") == "Board of 15 by 15 squares, 3 tiles"
        assert all(group.get("aria-hidden") == "true" for group in root.findall(f"{SVG}g"))
        assert parsed(board_svg(parse_cgp(EMPTY_CGP))).findtext(f"{SVG}desc") == "No tile has been played."

    def test_a_page_can_have_the_same_board_twice(self) -> None:
        for name in ("one", "two"):
            root = parsed(board_svg(parse_cgp(CAB_CGP), name=name))
            assert root.get("aria-labelledby") == f"{name}-title {name}-desc"
            assert [element.get("id") for element in root.iter() if element.get("id")] == [
                f"{name}-title",
                f"{name}-desc",
            ]

    def test_what_tiles_share_is_written_once(self) -> None:
        """A report shows some fifty boards."""
        full = "/".join(["ABCDEFGHIJKLMNO"] * 15) + " / 0/0 0"
        assert len(board_svg(parse_cgp(full))) < 180 * 225

    @pytest.mark.parametrize("name", ["standard15", "super21", "wordfeud15", "wwf15"])
    def test_premium_squares_have_names_until_they_are_covered(self, name: str) -> None:
        layout = board_layout(name)
        empty = "/".join([str(layout.side)] * layout.side) + " / 0/0 0"
        root = parsed(board_svg(parse_cgp(empty, layout=layout)))
        labels = [text.text for text in root.iter(f"{SVG}text") if (text.text or "")[-1:] in ("W", "L")]
        labels = [text for text in labels if text and len(text) == 2]
        marks = "".join(layout.rows())
        for mark, label in (("T", "3W"), ("D", "2W"), ("Q", "4W"), ("t", "3L"), ("d", "2L"), ("q", "4L")):
            under_stars = sum(layout.rows()[row][column] == mark for row, column in layout.starts)
            assert labels.count(label) == marks.count(mark) - under_stars
        stars = [path for path in root.iter(f"{SVG}path") if path.get("transform")]
        assert len(stars) == len(layout.starts)

    def test_what_is_written_can_be_read(self) -> None:
        for palette in (LIGHT, DARK):
            looks = [getattr(palette, field.name) for field in fields(palette) if field.name != "premiums"]
            for look in (*looks, *palette.premiums.values()):
                assert contrast(look.fill, look.ink) >= 4.5, look

    def test_a_dark_picture_differs_in_nothing_but_its_colors(self) -> None:
        def shapes(dark: bool) -> list[tuple[str, list[tuple[str, str]], str | None]]:
            root = parsed(board_svg(parse_cgp(CAB_CGP), dark=dark))
            return sorted(
                (one.tag, sorted(pair for pair in one.items() if pair[0] not in colors), one.text)
                for one in root.iter()
                if one.tag not in (f"{SVG}g", f"{SVG}path")  # premium squares are grouped by their color
            )

        colors = ("fill", "stroke")
        assert shapes(dark=True) == shapes(dark=False)
        assert board_svg(parse_cgp(CAB_CGP)) != board_svg(parse_cgp(CAB_CGP), dark=True)

    def test_letters_cannot_break_out(self) -> None:
        """The tile sets allow no such letters; the drawing does not rely on it."""
        tiles = TileSet.from_letters([{"letter": "L'L", "count": 1}, {"letter": "A", "count": 1, "value": 1}])
        cgp = EMPTY_CGP.replace("15/" * 8, "15/" * 7 + "7[L'L]A6/")
        position = parse_cgp(cgp, tile_set=tiles)
        assert letters(parsed(board_svg(position)), 15) == {(7, 7): "L'L", (7, 8): "A"}


def contrast(one: str, other: str) -> float:
    """The contrast of two colors as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class TestOverHttp:
    def test_every_way_to_give_a_board(self, client: FlaskClient) -> None:
        rows = ["." * 15] * 7 + ["......CaB......"] + ["." * 15] * 7
        tiles = [
            {"at": "8G", "letter": "C"},
            {"at": "8H", "letter": "A", "blank": True},
            {"at": "8I", "letter": "B"},
        ]
        got = client.get("/board.svg", query_string={"cgp": CAB_CGP})
        assert got.status_code == 200
        assert got.content_type == "image/svg+xml; charset=utf-8"
        assert got.headers["Content-Security-Policy"] == "default-src 'none'"
        assert got.headers["X-Content-Type-Options"] == "nosniff"
        for body in ({"rows": rows}, {"tiles": tiles}, {"cgp": CAB_CGP}):
            assert client.post("/board.svg", json=body).data == got.data
        again = client.get(
            "/board.svg", query_string={"cgp": CAB_CGP}, headers={"If-None-Match": got.headers["ETag"]}
        )
        assert (again.status_code, again.data) == (304, b"")
        other = client.get("/board.svg", query_string={"cgp": CAB_CGP, "size": 100, "play": "8G ...S"})
        assert other.headers["ETag"] != got.headers["ETag"]
        assert parsed(other.text).get("width") == "100"

    def test_an_impossible_position_can_be_looked_at(self, client: FlaskClient) -> None:
        rows = ["ZZZZZZZZ......." + ""] + ["." * 15] * 14
        assert client.post("/board.svg", json={"rows": rows}).status_code == 200
        assert client.post("/board.svg", json={"rows": rows, "play": "-"}).status_code == 200
        operation = client.get("/openapi.json").get_json()["paths"]["/board.svg"]["post"]
        assert "may be impossible" in operation["description"]

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ({}, [("/cgp", "missing_field")]),
            ({"cgp": CAB_CGP, "size": "10"}, [("/size", "out_of_range")]),
            ({"cgp": CAB_CGP, "play": "8G FACE"}, [("/play", "square_taken")]),
            ({"cgp": CAB_CGP, "board": "round"}, [("/board", "unknown_board")]),
            ({"cgp": CAB_CGP, "onload": "alert(1)"}, [("/onload", "unknown_field")]),
        ],
    )
    def test_what_cannot_be_drawn(
        self, client: FlaskClient, query: dict[str, Any], expected: list[tuple[str, str]]
    ) -> None:
        response = client.get("/board.svg", query_string=query)
        assert (response.status_code, codes(response)) == (422, expected)

    def test_text_of_the_request_never_reaches_the_picture(self, client: FlaskClient) -> None:
        for nasty, place in product(("<script>", '"><svg onload=x>', "]]>"), ("lm", "gid", "ti")):
            response = client.get("/board.svg", query_string={"cgp": f"{CAB_CGP} {place} {nasty};"})
            assert response.status_code in (200, 422)
            if response.status_code == 200:
                assert nasty not in response.text
                parsed(response.text)
