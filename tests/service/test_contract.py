"""The documented contract: examples run, shapes are those of the answers, schemathesis finds nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import schemathesis
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from engine import __version__
from service.resources import examples
from service.schemas.answers import AnalysisSchema, ProvenanceSchema
from service.schemas.hint import HintSchema
from service.schemas.leaves import LeavesSchema
from service.schemas.play import TurnSchema
from service.schemas.word_answers import JudgementSchema, WordPageSchema, WordReportSchema
from tests.service.operations import operations

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

GETS = ["/lexicons", "/boards", "/tile-sets", "/version", "/livez", "/readyz"]


@pytest.fixture(scope="session")
def spec(app: Flask) -> dict[str, Any]:
    document: dict[str, Any] = app.test_client().get("/openapi.json").get_json()
    return document


@pytest.mark.parametrize("name", examples.REQUESTS)
def test_every_example_of_a_body_can_be_run(bundled_client: FlaskClient, name: str) -> None:
    response = bundled_client.post("/analyze", json=examples.REQUESTS[name]["value"])
    assert response.status_code == 200, response.text
    answer = response.get_json()
    assert answer["play_count"] > 0
    assert all(item["legal"] for item in answer["compare"])


POSTS = {
    "/hints": examples.HINTS,
    "/leaves": examples.LEAVES,
    "/play": examples.TURNS,
    "/words/judge": examples.JUDGEMENTS,
    "/lexicons/scowl80/search": examples.SEARCHES,
    "/board.svg": examples.PICTURES,
}


@pytest.mark.parametrize(("path", "name"), [(path, name) for path in POSTS for name in POSTS[path]])
def test_every_example_of_another_body_can_be_run(bundled_client: FlaskClient, path: str, name: str) -> None:
    response = bundled_client.post(path, json=POSTS[path][name]["value"])
    assert response.status_code == 200, response.text
    if path == "/board.svg":
        assert response.text.startswith("<svg ")
        return
    shapes = {
        "/hints": HintSchema,
        "/leaves": LeavesSchema,
        "/play": TurnSchema,
        "/words/judge": JudgementSchema,
    }
    shape: Any = shapes.get(path, WordPageSchema)()
    answer = response.get_json()
    shape.load(answer)
    assert list(answer) == list(shape.fields)
    assert list(answer["provenance"]) == list(ProvenanceSchema().fields)
    assert answer.get("acceptable", True)
    assert answer.get("legal", True)
    assert answer.get("words") != []


WORD, SEARCH = "/lexicons/{lexicon}/words/{word}", "/lexicons/{lexicon}/search"


@pytest.mark.parametrize("path", [WORD, SEARCH, "/board.svg"])
def test_the_example_of_every_parameter_can_be_run(
    bundled_client: FlaskClient, spec: dict[str, Any], path: str
) -> None:
    parameters = spec["paths"][path]["get"]["parameters"]
    query = {item["name"]: item["schema"]["example"] for item in parameters if "example" in item["schema"]}
    address = path.format(**{item["name"]: item["example"] for item in parameters if item["in"] == "path"})
    response = bundled_client.get(address, query_string=query)
    assert response.status_code == 200, response.text
    if "/words/" in path:
        answer = response.get_json()
        WordReportSchema().load(answer)
        assert list(answer) == list(WordReportSchema().fields)


def test_the_example_of_the_query_can_be_run(bundled_client: FlaskClient, spec: dict[str, Any]) -> None:
    query = {
        item["name"]: item["schema"]["example"]
        for item in spec["paths"]["/analyze"]["get"]["parameters"]
        if "example" in item["schema"]
    }
    response = bundled_client.get("/analyze", query_string=query)
    assert response.status_code == 200, response.text
    body = {"cgp": query["cgp"], "top_n": query["top_n"]}
    assert bundled_client.post("/analyze", json=body).data == response.data


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


def test_the_answer_has_exactly_the_documented_fields_in_their_order(client: FlaskClient) -> None:
    body = {"tiles": [], "rack": "CABDEFE", "compare": ["8D CAB", "8H ZZZ", "nonsense", "-"]}
    answer = client.post("/analyze", json=body).get_json()
    AnalysisSchema().load(answer)
    assert list(answer) == list(AnalysisSchema().fields)
    move = AnalysisSchema().fields["moves"].inner.schema  # type: ignore[attr-defined]
    assert list(answer["moves"][0]) == list(move.fields)


def test_the_document_is_openapi_3_1_with_problems(spec: dict[str, Any]) -> None:
    assert spec["openapi"] == "3.1.0"
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            for status, response in operation["responses"].items():
                if status[0] in "45":
                    if "$ref" in response:
                        response = spec["components"]["responses"][response["$ref"].split("/")[-1]]
                    assert list(response["content"]) == ["application/problem+json"], (method, path, status)


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
    assert 'data-path="/lexicons/scowl80/words/CARE"' in page.text
    for word in ("POST", "/analyze", "top_n", "AnalyzeBody", "bingo_expectation"):
        assert word in page.text
    again = client.get("/docs", headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304


def test_every_operation_has_examples_and_every_one_can_be_run(
    bundled_client: FlaskClient, spec: dict[str, Any]
) -> None:
    """Whatever is added to the document: each body, or the examples of the parameters."""
    for operation in operations(spec):
        if "job_id" in operation.in_path:
            continue  # there is no job before somebody has asked for one: test_jobs
        assert operation.bodies or operation.method == "GET", f"{operation} needs an example"
        lacking = set(operation.in_path) - set(operation.parameters)
        assert not lacking, f"{operation} needs an example of {lacking}"
        answers = spec["paths"][operation.path][operation.method.lower()]["responses"]
        for body in operation.bodies or (None,):
            response = operation.call(bundled_client, body)
            assert response.status_code in (200, 202), (str(operation), response.text)
            assert response.mimetype in answers[str(response.status_code)]["content"], str(operation)


ALSO_POST = ("/analyze", SEARCH, "/board.svg")
OPERATIONS = [
    *(("GET", path) for path in (*ALSO_POST, WORD, *GETS)),
    *(
        ("POST", path)
        for path in (*ALSO_POST, "/words/judge", "/hints", "/leaves", "/play", "/games/annotate")
    ),
]


EXAMPLES = {"/analyze": 60, "/leaves": 8, "/play": 8}


def test_schemathesis_is_let_loose_on_every_operation(spec: dict[str, Any]) -> None:
    """Here on most of them; on jobs and batches, which need more than a client, in their own tests."""
    others = [one for one in operations(spec) if not one.path.startswith(("/jobs/", "/batch"))]
    assert sorted(OPERATIONS) == sorted((one.method, one.path) for one in others)


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
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
        # Not every request that fits the schema is a possible position, and a 422 is how that is said.
        excluded = [positive_data_acceptance]
        response = case.call()
        if response.status_code == 413:  # which schemathesis does not count among refusals
            excluded.append(negative_data_rejection)
        case.validate_response(response, excluded_checks=excluded)

    check()
