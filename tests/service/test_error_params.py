"""Every error item has a code and params: the values in its message, for other languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import marshmallow as ma
import pytest
from marshmallow.class_registry import get_class

from service.problems import ErrorItem, Problem
from service.schemas.error_message import ErrorMessage, UnknownField
from service.schemas.fields import RequestSchema
from tests.service.operations import operations

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

OPENING = {"tiles": [], "rack": "ABC"}
CAB = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/14 0"
CASES: list[tuple[dict[str, Any], str, str, dict[str, Any]]] = [
    *[(OPENING | {"top_n": n}, "/top_n", "out_of_range", {"min": 1, "max": 200}) for n in (0, 201, 10_001)],
    (OPENING | {"top_n": "1"}, "/top_n", "wrong_type", {"expected": "integer", "given": "string"}),
    (OPENING | {"rack": None}, "/rack", "wrong_type", {"given": "null"}),
    (OPENING | {"rack": 7}, "/rack", "wrong_type", {"expected": "string", "given": "number"}),
    (OPENING | {"rack": "A\n"}, "/rack", "invalid_text", {}),
    (
        OPENING | {"expect_bingos": []},
        "/expect_bingos",
        "wrong_type",
        {"expected": "boolean", "given": "list"},
    ),
    (OPENING | {"compare": {}}, "/compare", "wrong_type", {"expected": "list", "given": "object"}),
    *[
        (OPENING | {"compare": ["-"] * n}, "/compare", "out_of_range", {"min": 0, "max": 50})
        for n in (51, 1_001)
    ],
    (OPENING | {"threads": 5}, "/threads", "out_of_range", {"min": 1, "max": 4}),
    (OPENING | {"endgame": {"table_mb": 257}}, "/endgame/table_mb", "out_of_range", {"min": 1, "max": 256}),
    (OPENING | {"simulate": 1}, "/simulate", "wrong_type", {"expected": "object"}),
    (
        OPENING | {"phase": "x"},
        "/phase",
        "unknown_choice",
        {"choices": ["auto", "simulate", "preendgame", "endgame"]},
    ),
    ({"tiles": [{"at": "8D"}], "rack": "A"}, "/tiles/0/letter", "missing_field", {}),
    ({"rack": "A"}, "", "one_position_needed", {"given": []}),
    ({"cgp": CAB, "tiles": []}, "", "one_position_needed", {"given": ["cgp", "tiles"]}),
    ({"rows": ["..."], "rack": "A"}, "/rows", "out_of_range", {"min": 10, "max": 26}),
    ({"rows": ["." * 11] * 11, "rack": "A"}, "/rows", "board_needed", {"rows": 11}),
    (
        OPENING | {"players": [{"rack": "D"}, {}]},
        "/players/0/rack",
        "two_racks",
        {"rack": "ABC", "other": "D"},
    ),
]


@pytest.mark.parametrize(("body", "pointer", "code", "params"), CASES)
def test_the_values_of_a_message_are_its_params(
    client: FlaskClient, body: dict[str, Any], pointer: str, code: str, params: dict[str, Any]
) -> None:
    problem = client.post("/analyze", json=body).get_json()
    (item,) = problem["errors"]
    assert (item["pointer"], item["code"], item["params"]) == (pointer, code, params)
    assert (problem["code"], problem["params"], problem["detail"]) == (code, params, item["detail"])


def test_an_unknown_field_has_its_name_and_the_known_ones(client: FlaskClient) -> None:
    (item,) = client.post("/analyze", json=OPENING | {"topn": 1}).get_json()["errors"]
    assert item["params"]["name"] == "topn"
    assert {"top_n", "cgp", "simulate"} <= set(item["params"]["known"])
    assert item["detail"].startswith("no such field; did you mean top_n? known here: ")


@pytest.mark.parametrize(
    ("body", "code", "params"),
    [
        ('{"a": 1, "a": 2}', "duplicate_key", {"key": "a"}),
        ("[" * 17 + "]" * 17, "too_deep", {"limit": 16}),
        ('{"a":\n }', "malformed_json", {"line": 2, "column": 2}),
        (b'{"a": "\xff"}', "malformed_json", {"byte": 8}),
        ('{"a": "\\ud800"}', "malformed_json", {}),
        ('{"a": ' + "1" * 5_000 + "}", "malformed_json", {}),
        ('{"a": NaN}', "malformed_json", {}),
        ("[]", "wrong_type", {"expected": "object", "given": "list"}),
    ],
)
def test_a_body_that_is_no_request_has_params_too(
    client: FlaskClient, body: str | bytes, code: str, params: dict[str, Any]
) -> None:
    problem = client.post("/analyze", data=body, content_type="application/json").get_json()
    assert (problem["code"], problem["params"]) == (code, params)
    for python in ("codec", "sys.", "surrogates", "(char"):
        assert python not in problem["detail"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/analyze", OPENING),
        ("/games/annotate", {"gcg": ">ann: AEITWXY 8D WAITE +24 24"}),
        ("/words/judge", {"words": ["cab"]}),
        ("/batch", []),
    ],
)
def test_a_field_in_the_query_of_a_json_request_is_an_error(
    client: FlaskClient, path: str, body: Any
) -> None:
    problem = client.post(f"{path}?evaluator=greedy", json=body).get_json()
    (item,) = problem["errors"]
    assert (item["pointer"], item["code"]) == ("/evaluator", "unknown_field")
    assert item["params"] == {"name": "evaluator"}


@pytest.mark.parametrize("number", [21, 401])
def test_an_error_about_the_number_of_words_names_the_limit_in_force(
    client: FlaskClient, number: int
) -> None:
    problem = client.post("/words/judge", json={"words": ["cab"] * number}).get_json()
    assert (problem["code"], problem["params"]) == ("out_of_range", {"min": 1, "max": 20})


def test_faults_of_the_engine_keep_their_params(client: FlaskClient) -> None:
    rows = ["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 6 + ["Z" + "." * 14]
    errors = client.post("/analyze", json={"rows": rows, "rack": "A" * 8}).get_json()["errors"]
    assert {item["pointer"] for item in errors} == {"/rows/14", "/rack"}
    for item in errors:
        assert item["params"], item
        for value in item["params"].values():
            shown = value if isinstance(value, list) else [value]
            assert not value or all(str(one) in item["detail"] for one in shown), item


def test_many_errors_are_counted_and_the_first_are_shown(client: FlaskClient) -> None:
    problem = client.post("/analyze", json={"tiles": [{}] * 400, "rack": "A"}).get_json()
    assert (problem["code"], problem["params"]) == ("invalid_request", {"count": 800})
    assert len(problem["errors"]) == 50


def test_every_message_of_every_request_has_a_code(app: Flask) -> None:
    """A message of marshmallow itself would have the code `invalid_value`."""
    document = app.test_client().get("/openapi.json").get_json()
    names = [name for name in document["components"]["schemas"] if name.endswith(("Request", "Options"))]
    assert len(names) >= 8
    for name in names:
        schema: Any = get_class(name + "Schema")()
        assert isinstance(schema, RequestSchema)
        for field in schema.fields.values():
            for key in ("required", "null"):
                assert isinstance(field.error_messages[key], ErrorMessage), (name, field.name)
            for validator in field.validators:
                assert isinstance(validator.error, ErrorMessage), (name, field.name)
    assert any(operations(document))


def test_a_message_holds_what_it_names() -> None:
    template = ErrorMessage("out_of_range", "must be from {min} to {max}, not {what!r}", unit="points")
    filled = template.format(min=1, max=5, what="{x}", input="secret" * 1_000)
    assert filled == "must be from 1 to 5, not '{x}'"
    assert filled.params == {"unit": "points", "min": 1, "max": 5, "what": "{x}"}
    assert isinstance(filled, ErrorMessage)
    assert filled.code == "out_of_range"
    unknown = UnknownField.named("x" * 100, ["rack"])
    assert unknown.params["name"] == "x" * 40
    with pytest.raises(ma.ValidationError) as caught:
        raise ma.ValidationError(filled, "field")
    assert caught.value.messages[0] is filled


def test_a_problem_of_several_faults_has_their_number() -> None:
    items = [ErrorItem("/a", "x", "one", {"n": 1}), ErrorItem("/b", "y", "two")]
    assert Problem.invalid(items).params == {"count": 2}
    assert Problem.invalid(items[:1]).params == {"n": 1}
    assert re.fullmatch("the request has 7 faults", Problem.invalid(items, count=7).description or "")
