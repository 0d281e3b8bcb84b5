"""Random values in every field of every request are answered or refused by a problem, in time."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from engine import DuplicateGame, InvalidInput, format_cgp, parse_cgp
from service.app import create_app
from service.settings import Settings
from tests.faults.test_linear import CGP_UNITS, EMPTY, GCG_UNITS, MEGABYTE
from tests.faults.work import assert_linear, not_stuck
from tests.service.operations import Operation, operations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask
    from werkzeug.test import TestResponse

    from engine import Lexicon

LIMIT = Settings().max_body_bytes
UNITS = sorted({*CGP_UNITS, *GCG_UNITS, "\x00", "\u202e", "🂡", "٣", "ǆ", "'", "%", "{}", "Q8H "})
ORDINARY = [
    *(
        "A",
        "8H",
        "H8 CAB",
        "-",
        "-ABC",
        "ABC?",
        "greedy",
        "static",
        "small",
        "english",
        "standard15",
        "exact",
    ),
    *(0, 1, 7, 10, 50, -1, True, False, None, [], {}, ["A"], [{}], ["." * 15] * 15, {"id": "english"}),
]

texts = st.text(max_size=30) | st.builds(
    lambda unit, times: (unit * times)[: LIMIT // 4],
    st.sampled_from(UNITS),
    st.sampled_from([1, 2, 15, 64, 65, 1_000, LIMIT // 4]),
)
numbers = st.integers() | st.integers(-5, 300) | st.floats(allow_nan=False, allow_infinity=False)
values = st.sampled_from(ORDINARY) | st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def known(app: Flask, lexicon: Lexicon) -> list[Operation]:
    """The operations, those of a lexicon or of a saved game on the small one."""
    found = operations(app.test_client().get("/openapi.json").get_json())
    for operation in found:
        if "lexicon" in operation.in_path:
            operation.parameters["lexicon"] = "small"
        for body in operation.bodies:
            if "game" in body:
                body["game"] = DuplicateGame.begin(lexicon, body["game"]["rules"], seed=3).document
    return found


def check(response: TestResponse, asked: object) -> None:
    """Assert that a request was answered, or refused by a problem with a code of ours."""
    if response.status_code < 400:
        list(response.response)  # a stream fails while it is read
        return
    assert response.mimetype == "application/problem+json", (asked, response.text)
    problem = response.get_json()
    assert problem["status"] == response.status_code
    # 503 is the answer to too many searches, never to the content of a request.
    assert response.status_code < 500, (asked, problem)
    assert problem["code"] != "bad_request", (asked, problem)


@pytest.mark.parametrize("examples", [300, pytest.param(6_000, marks=pytest.mark.slow)])
def test_any_value_in_any_field_of_a_body(
    app: Flask, known: list[Operation], examples: int, fault_row: Callable[[str, int, str], None]
) -> None:
    client = app.test_client()
    fields = [(operation, field) for operation in known for field in operation.fields]
    assert len(fields) > 100

    @given(st.sampled_from(fields), values)
    @hypothesis_settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    def ask(place: tuple[Operation, tuple[str | int, ...]], value: Any) -> None:
        operation, field = place
        body = operation.body_with(field, value)
        check(operation.call(client, body), (str(operation), body))

    ask()
    fault_row(f"anything in any of {len(fields)} fields of bodies", examples, "0 but 4xx problems")


@pytest.mark.parametrize("examples", [150, pytest.param(3_000, marks=pytest.mark.slow)])
def test_any_value_of_any_parameter(
    app: Flask, known: list[Operation], examples: int, fault_row: Callable[[str, int, str], None]
) -> None:
    client = app.test_client()
    names = [(operation, name) for operation in known for name in (*operation.queries, *operation.in_path)]
    assert len(names) > 30

    @given(st.sampled_from(names), texts.map(lambda text: text[:8_000]) | st.sampled_from(ORDINARY[:20]))
    @hypothesis_settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    def ask(place: tuple[Operation, str], value: Any) -> None:
        operation, name = place
        check(operation.call(client, **{name: value}), (str(operation), name, value))

    ask()
    fault_row(f"anything in any of {len(names)} parameters", examples, "0 but 4xx problems")


SHAPES: dict[str, Callable[[int], Any]] = {
    "a text": lambda size: "A" * size,
    "a text of many words": lambda size: "8H CAB, " * (size // 8),
    "a list of texts": lambda size: ["A"] * (size // 5),
    "a list of objects": lambda size: [{"a": 1}] * (size // 10),
    "an object of many names": lambda size: {f"{number:06}": 1 for number in range(size // 13)},
}

MAX_LINES_PER_BYTE = 10
"""Lines of Python that a byte of a request may cost at most; a request of 64 KiB then takes 50 ms."""


def paths(*quick: str) -> list[Any]:
    """Return every path of a POST that takes positions, records or words; those not quick are marked slow."""
    every = (
        "/analyze",
        "/games/annotate",
        "/hints",
        "/leaves",
        "/opponent-rack",
        "/play",
        "/duplicate",
        "/words/judge",
        "/board.svg",
        "/equipment/check",
    )
    return [
        path if path in quick else pytest.param(path, marks=pytest.mark.slow)
        for path in (*every, "/quiz/reviews", "/lexicons/{lexicon}/search", "/lexicons/{lexicon}/cards")
    ]


def long_fields(known: list[Operation], path: str) -> Iterator[Callable[[int], str]]:
    """Yield for each field of a POST, and each shape, the function from a length to a body as long."""
    operation = next(one for one in known if one.path == path and one.method == "POST")
    fields = [field for field in operation.fields if path != "/analyze" or len(field) == 1]
    for field, shape in product(fields, SHAPES.values()):
        yield lambda size, field=field, shape=shape: json.dumps(operation.body_with(field, shape(size)))


@pytest.mark.parametrize("path", paths("/analyze", "/games/annotate"))
def test_the_work_for_a_field_grows_no_faster_than_the_field(
    app: Flask, known: list[Operation], path: str, fault_row: Callable[[str, int, str], None]
) -> None:
    client, address = app.test_client(), path.format(lexicon="small")
    size = LIMIT // 2

    def take(body: str) -> None:
        check(client.post(address, data=body, content_type="application/json"), body[:1_000])

    lines = [assert_linear(take, make, size) for make in long_fields(known, path)]
    most = max(lines) / size
    fault_row(f"POST {path}: fields of {size:,} bytes", len(lines), f"0; at most {most:.1f} lines a byte")
    assert most <= MAX_LINES_PER_BYTE


@pytest.mark.parametrize("path", paths("/games/annotate"))
def test_a_megabyte_in_a_field(settings: Settings, known: list[Operation], path: str) -> None:
    client = create_app(replace(settings, max_body_bytes=2 * MEGABYTE)).test_client()
    for make in long_fields(known, path):
        body = make(MEGABYTE)
        with not_stuck():
            check(
                client.post(path.format(lexicon="small"), data=body, content_type="application/json"),
                body[:1_000],
            )


@given(st.lists(st.sampled_from([*CGP_UNITS, *f"{EMPTY} / 0 1 ".split(" "), "15/", "ABC/", "0/0", " 0 "])))
@hypothesis_settings(deadline=None, max_examples=150)
def test_a_cgp_of_any_pieces(pieces: list[str]) -> None:
    for text in ("".join(pieces), f"{EMPTY} " + " ".join(pieces), f"{EMPTY} ABC?/ 0/0 0 " + "".join(pieces)):
        try:
            position = parse_cgp(text)
        except InvalidInput:
            continue
        assert parse_cgp(format_cgp(position)).board == position.board
