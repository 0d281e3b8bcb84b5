"""Texts of boards and tile sets are checked by the parsers that read them, and each fault has its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import kibitz

if TYPE_CHECKING:
    from flask.testing import FlaskClient

HEADING = "letter,count,value,is_vowel\n"
EMPTY = ["." * 10] * 10


def check(client: FlaskClient, **texts: str) -> dict[str, Any]:
    response = client.post("/equipment/check", json=texts)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def places(found: dict[str, Any]) -> list[tuple[str, int | None, str | None]]:
    return [(one["code"], one["line"], one["square"]) for one in found["faults"]]


@pytest.mark.parametrize("name", ["standard15", "super21"])
def test_a_board_without_faults_is_read(client: FlaskClient, name: str) -> None:
    layout = kibitz.board_layout(name)
    starts = " ".join(f"{row + 1}{chr(65 + column)}" for row, column in layout.starts)
    found = check(client, board="\r\n".join([*layout.rows(), f"starts {starts}"]))
    assert found["faults"] == []
    assert found["tile_set"] is None
    assert found["board"]["sha256"] == layout.sha256


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            ["x" + "." * 9, *EMPTY[:8], "." * 9 + "y"],
            [("unknown_square", 1, "1A"), ("unknown_square", 10, "10J")],
        ),
        (["." * 11, *EMPTY[1:]], [("bad_row_width", 1, None)]),
        ([*EMPTY, "starts 5E 11A"], [("start_off_board", 11, None)]),
        (EMPTY, [("no_start_square", None, None)]),
        (EMPTY[1:], [("bad_board_size", None, None)]),
        ([], [("bad_board_size", None, None)]),
        (["\u202e" + "." * 9, *EMPTY[1:], "starts 1A"], [("unknown_square", 1, "1A")]),
    ],
)
def test_each_fault_of_a_board_has_its_square_or_line(
    client: FlaskClient, rows: list[str], expected: list[tuple[str, int | None, str | None]]
) -> None:
    found = check(client, board="\n".join(rows))
    assert places(found)[: len(expected)] == expected
    assert found["board"] is None


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ["?,2,1,0", "A,99,1,1", "A,1,100,1"],
            [("bad_value", 2), ("bad_count", 3), ("letter_twice", 4), ("bad_value", 4)],
        ),
        (["a,1,1,1", "ABCD,1,1,0"], [("bad_letter", 2), ("bad_letter", 3)]),
        (
            ["A,1,1,1", "B,,1,0", "", "C,٣,1,0"],
            [("bad_tile_set", 3), ("bad_tile_set", 4), ("bad_tile_set", 5)],
        ),
        (["A,0,1,1"], [("bad_total", None)]),
        ([], [("no_letters", None)]),
        (["?,1,0,0", "?,1,0,0"], [("letter_twice", 3)]),
        (["A,1,1,1"] * 1000, [("letter_twice", 3)]),
    ],
)
def test_each_fault_of_a_tile_set_has_its_line(
    client: FlaskClient, lines: list[str], expected: list[tuple[str, int | None]]
) -> None:
    found = check(client, tile_set=HEADING + "\n".join(lines))
    assert [place[:2] for place in places(found)][: len(expected)] == expected
    assert found["tile_set"] is None


def test_a_tile_set_without_faults_is_read_with_a_board_that_has_some(client: FlaskClient) -> None:
    found = check(client, tile_set=kibitz.tile_set("spanish").csv, board="x\n")
    assert found["tile_set"]["sha256"] == kibitz.tile_set("spanish").sha256
    assert {one["field"] for one in found["faults"]} == {"board"}


def test_the_answer_is_bounded_and_in_the_language_of_the_client(client: FlaskClient) -> None:
    found = check(client, board="\n".join(["x" * 26] * 26), tile_set=HEADING + "\n" * 8_000)
    assert {
        name: [one["field"] for one in found["faults"]].count(name) for name in ("board", "tile_set")
    } == {
        "board": 200,
        "tile_set": 127,
    }
    response = client.post("/equipment/check", json={"board": ""}, headers={"Accept-Language": "de"})
    assert response.headers["Content-Language"] == "de"
    assert "Zeilen" in response.get_json()["faults"][0]["detail"]


def test_a_request_without_a_text_or_with_a_long_one_is_refused(client: FlaskClient) -> None:
    for body, pointer in (({}, "/board"), ({"board": "." * 8_193}, "/board"), ({"tile_set": 1}, "/tile_set")):
        response = client.post("/equipment/check", json=body)
        assert response.status_code == 422
        assert [one["pointer"] for one in response.get_json()["errors"]] == [pointer]


def test_a_tile_set_in_another_request_is_pointed_at(client: FlaskClient) -> None:
    letters = [{"letter": "A", "count": 1}, {"letter": "a", "count": 1}]
    response = client.post("/analyze", json={"tiles": [], "rack": "A", "tile_set": letters})
    assert [one["pointer"] for one in response.get_json()["errors"]] == ["/tile_set/1"]
