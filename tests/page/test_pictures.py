"""Pictures of boards for chats and READMEs: dark ones, and PNG."""

from __future__ import annotations

import sys
from struct import unpack
from typing import TYPE_CHECKING

import pytest

from engine import board_svg, parse_cgp
from engine.position import png

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

CGP = "15/15/15/15/15/15/15/6CaB6/15/15/15/15/15/15/15 / 0/0 0"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def width(content: bytes) -> int:
    assert content.startswith(SIGNATURE)
    found: int = unpack(">I", content[16:20])[0]
    return found


@pytest.mark.parametrize("value", ["1", "true"])
def test_a_dark_picture_is_a_parameter_away(client: FlaskClient, value: str) -> None:
    dark = client.get("/board.svg", query_string={"cgp": CGP, "dark": value})
    assert dark.text == board_svg(parse_cgp(CGP), dark=True)
    light = client.get("/board.svg", query_string={"cgp": CGP})
    assert light.text == board_svg(parse_cgp(CGP))
    assert light.headers["ETag"] != dark.headers["ETag"]
    assert client.post("/board.svg", json={"cgp": CGP, "dark": True}).data == dark.data


def test_a_png_for_chats(client: FlaskClient) -> None:
    drawn = client.get("/board.png", query_string={"cgp": CGP, "size": 300, "dark": 1})
    assert drawn.content_type == "image/png"
    assert drawn.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert width(drawn.data) == 300
    assert client.post("/board.png", json={"cgp": CGP, "size": 300, "dark": True}).data == drawn.data
    known = {"If-None-Match": drawn.headers["ETag"]}
    again = client.get("/board.png", query_string={"cgp": CGP, "size": 300, "dark": 1}, headers=known)
    assert (again.status_code, again.data) == (304, b"")
    large = client.get("/board.png", query_string={"cgp": CGP, "size": 2_001})
    assert (large.status_code, large.get_json()["code"]) == (422, "out_of_range")


def test_letters_are_drawn(client: FlaskClient) -> None:
    with_letters = client.get("/board.png", query_string={"cgp": CGP}).data
    others = client.get("/board.png", query_string={"cgp": CGP.replace("CaB", "CaD")}).data
    assert with_letters != others


def test_a_png_is_drawn_once(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/board.png", query_string={"cgp": CGP, "size": 123})
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert client.get("/board.png", query_string={"cgp": CGP, "size": 123}).data == first.data


def test_without_the_extra_its_name_is_in_the_answer(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    png.has_letters.cache_clear()
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    answer = client.get("/board.png", query_string={"cgp": CGP, "size": 124})
    assert (answer.status_code, answer.get_json()["code"]) == (501, "png_missing")
    assert "pip install 'kibitz[png]'" in answer.get_json()["detail"]


def test_without_a_font_nothing_is_drawn(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """resvg leaves letters out silently; a board without letters is worse than none."""
    import resvg_py

    draw = resvg_py.svg_to_bytes
    png.has_letters.cache_clear()
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda **given: draw(**given, skip_system_fonts=True))
    answer = client.get("/board.png", query_string={"cgp": CGP, "size": 125})
    assert (answer.status_code, answer.get_json()["code"]) == (501, "fonts_missing")
    png.has_letters.cache_clear()


def test_the_command_line_writes_them(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from kibitz.cli import kibitz

    svg, picture = tmp_path / "board.svg", tmp_path / "board.png"
    asked = ["board", CGP, "--svg", str(svg), "--png", str(picture), "--dark", "--size", "200"]
    done = CliRunner().invoke(kibitz, asked)
    assert done.exit_code == 0, done.output
    assert svg.read_text("utf-8") == board_svg(parse_cgp(CGP), size=200, dark=True)
    assert width(picture.read_bytes()) == 200
    before = picture.read_bytes()
    done = CliRunner().invoke(kibitz, ["board", CGP, "--png", str(picture), "--size", "3000"])
    assert done.exit_code == 2
    assert "at most 2000 pixels" in done.output
    assert picture.read_bytes() == before
