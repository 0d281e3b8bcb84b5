"""The OpenAPI document: its examples work, answers match their schemas, schemathesis finds nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import hypothesis
import marshmallow as ma
import pytest
import schemathesis
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from engine import __version__
from service.openapi import API_VERSION
from service.resources import examples
from service.schemas.answers import AnalysisSchema
from tests.service.documented import check_fields
from tests.service.operations import operations

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


@pytest.fixture(scope="session")
def spec(app: Flask) -> dict[str, Any]:
    document: dict[str, Any] = app.test_client().get("/openapi.json").get_json()
    return document


GETS = ("/lexicons", "/boards", "/tile-sets", "/rule-sets", "/version", "/livez", "/readyz")
JOBS = ("/jobs", "/batch")
"""Operations that need more than a client: they have tests of their own."""


@pytest.mark.long
def test_every_operation_has_examples_and_every_one_can_be_run(
    bundled_client: FlaskClient, spec: dict[str, Any]
) -> None:
    """The client asserts that each answer loads by its schema."""
    for operation in operations(spec):
        if "job_id" in operation.in_path:
            continue  # there is no job before somebody has asked for one: test_jobs
        assert operation.bodies or operation.method != "POST", f"{operation} needs an example"
        missing = set(operation.in_path) - set(operation.parameters)
        assert not missing, f"{operation} needs an example of {missing}"
        answers = spec["paths"][operation.path][operation.method.lower()]["responses"]
        for body in operation.bodies or (None,):
            response = operation.call(bundled_client, body)
            if operation.path.startswith(JOBS) and response.status_code == 401:
                continue
            assert response.status_code in (200, 202), (str(operation), response.text)
            assert response.mimetype in answers[str(response.status_code)]["content"], str(operation)


@pytest.mark.parametrize("name", examples.REQUESTS)
def test_the_examples_show_what_they_say(bundled_client: FlaskClient, name: str) -> None:
    answer = bundled_client.post("/analyze", json=examples.REQUESTS[name]["value"]).get_json()
    assert answer["play_count"] > 0
    assert answer["warnings"] == []
    assert all(item["legal"] for item in answer["compare"])


def test_the_example_of_the_query_is_answered_as_the_same_body(
    bundled_client: FlaskClient, spec: dict[str, Any]
) -> None:
    (operation,) = [one for one in operations(spec) if str(one) == "GET /analyze"]
    body = {name: operation.parameters[name] for name in ("cgp", "top_n")}
    assert operation.call(bundled_client).data == bundled_client.post("/analyze", json=body).data


@pytest.mark.parametrize("path", GETS)
def test_every_example_of_an_answer_has_the_shape_of_the_answer(
    bundled_client: FlaskClient, spec: dict[str, Any], path: str
) -> None:
    documented = spec["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["example"]
    response = bundled_client.get(path)
    assert response.status_code == 200
    assert shape(response.get_json()) == shape(documented)


def shape(value: Any) -> Any:
    """Reduce an answer to its field names and types, the first item of a list standing for all."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value[:1]]
    return type(value).__name__


def test_a_field_more_or_less_than_documented_is_noticed(client: FlaskClient) -> None:
    body = {"tiles": [], "rack": "CABDEFE", "compare": ["8D CAB", "8H ZZZ", "nonsense", "-"]}
    answer = client.post("/analyze", json=body).get_json()
    check_fields(answer, AnalysisSchema())
    first = answer["moves"][0]
    for wrong in ({**first, "more": 1}, {"rank": 1}, {**first, "rank": "1"}, dict(reversed(first.items()))):
        with pytest.raises((ma.ValidationError, AssertionError)):
            check_fields({**answer, "moves": [wrong]}, AnalysisSchema())


def test_the_document_is_openapi_3_1_with_problems(spec: dict[str, Any]) -> None:
    assert spec["openapi"] == "3.1.0"
    assert spec["info"]["version"] == API_VERSION
    assert [server["url"] for server in spec["servers"]] == ["/v1", "/"]
    names: list[str] = []
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            names.append(operation["operationId"])
            for status, response in operation["responses"].items():
                if status[0] in "45":
                    if "$ref" in response:
                        response = spec["components"]["responses"][response["$ref"].split("/")[-1]]
                    # An address that is too long is refused by gunicorn, with a page of its own.
                    kind = "text/html" if status == "414" else "application/problem+json"
                    assert list(response["content"]) == [kind], (method, path, status)
    assert len(names) == len(set(names))
    assert all(name.isidentifier() for name in names)


@pytest.mark.long
def test_headers_are_documented_where_they_work(client: FlaskClient, spec: dict[str, Any]) -> None:
    conditional = 0
    for one in operations(spec):
        operation = spec["paths"][one.path][one.method.lower()]
        headers = [item["name"] for item in operation["parameters"] if item["in"] == "header"]
        expected = ["If-None-Match"] if "304" in operation["responses"] else []
        expected += ["Prefer", "Idempotency-Key"] if "202" in operation["responses"] else []
        expected += (
            ["Accept-Language"]
            if "Content-Language" in operation["responses"]["200"].get("headers", {})
            else []
        )
        assert headers == expected, str(one)
        if one.method != "GET" or one.path.startswith(JOBS):
            continue
        one.parameters.update({"lexicon": "small"} if "lexicon" in one.in_path else {})
        tag = one.call(client).headers.get("ETag")
        assert (tag is not None) == ("If-None-Match" in headers), str(one)
        conditional += tag is not None
    assert conditional >= 9


def test_a_body_is_one_object_with_optional_fields(spec: dict[str, Any]) -> None:
    for one in operations(spec):
        operation = spec["paths"][one.path][one.method.lower()]
        content = operation.get("requestBody", {}).get("content", {})
        for schema in [kind["schema"] for name, kind in content.items() if name == "application/json"]:
            if "$ref" in schema:
                schema = spec["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
                assert schema["type"] == "object", str(one)
                assert schema["additionalProperties"] is False, str(one)
            assert not {"oneOf", "anyOf", "allOf"} & schema.keys(), str(one)


def test_the_documentation_needs_nothing_from_elsewhere(client: FlaskClient) -> None:
    page = client.get("/docs")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert not re.findall(r"(?:src|href)=\"(?!/|#)", page.text)
    for address in (f"/static/{__version__}/docs/docs.css", f"/static/{__version__}/docs/docs.js"):
        assert address in page.text
        with client.get(address) as file:
            assert file.status_code == 200
            assert "max-age=" in file.headers["Cache-Control"]
    assert 'data-path="/lexicons/club/words/CARE"' in page.text
    for word in ("POST", "/analyze", "top_n", "AnalyzeRequest", "bingo_expectation"):
        assert word in page.text
    again = client.get("/docs", headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304


WORD, SEARCH = "/lexicons/{lexicon}/words/{word}", "/lexicons/{lexicon}/search"
GRAPH = "/lexicons/{lexicon}/graph"
CARDS = tuple(f"/lexicons/{{lexicon}}/cards{part}" for part in ("", "/import", "/export"))
STUDY = tuple(f"/lexicons/{{lexicon}}/{name}" for name in ("word-lists", "stems", "diff"))
ALSO_POST = ("/analyze", "/hints", SEARCH, "/board.svg", "/board.png")
OPERATIONS = [
    *(("GET", path) for path in (*ALSO_POST, WORD, GRAPH, *STUDY, *GETS)),
    *(
        ("POST", path)
        for path in (
            *ALSO_POST,
            "/words/judge",
            "/leaves",
            "/opponent-rack",
            "/play",
            "/duplicate",
            *CARDS,
            "/quiz/reviews",
            "/equipment/check",
            "/games/annotate",
        )
    ),
]


EXAMPLES = {"/analyze": 60, "/leaves": 8, "/play": 8}


def test_schemathesis_is_let_loose_on_every_operation(spec: dict[str, Any]) -> None:
    """Here on most of them; on jobs and batches, which need more than a client, in tests/faults."""
    others = [one for one in operations(spec) if not one.path.startswith(JOBS)]
    assert sorted(OPERATIONS) == sorted((one.method, one.path) for one in others)


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.long
def test_schemathesis_finds_nothing(app: Flask, method: str, path: str, mode: GenerationMode) -> None:
    """Requests that fit the document, and requests that do not: every answer is as documented."""
    operation = schemathesis.openapi.from_wsgi("/openapi.json", app)[path][method]
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query):
        return  # nothing that could be wrong

    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    @hypothesis.settings(
        max_examples=EXAMPLES.get(path, 15),
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    def check(case: schemathesis.Case) -> None:
        if case.path_parameters.get("lexicon") == examples.LEXICON:
            case.path_parameters["lexicon"] = "small"  # the other is bundled: its tables would be built
        # A request that satisfies the schema may be an impossible position, which is a 422.
        excluded = [positive_data_acceptance]
        # The client of the tests does not decompress.
        response = case.call(headers={"Accept-Encoding": "identity"})
        if response.status_code in (411, 413):  # which schemathesis does not count among refusals
            excluded.append(negative_data_rejection)
        case.validate_response(response, excluded_checks=excluded)

    check()
