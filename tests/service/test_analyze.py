"""/analyze: what holds for every answer and for every error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.service.analyze_requests import CAB_CGP, post

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_the_same_bytes_every_time_with_and_without_the_cache(client: FlaskClient, app: Any) -> None:
    from engine import AnalysisOptions, AnalysisRequest, analyze, parse_cgp
    from service.documents import dump_analysis

    first = post(client, cgp=CAB_CGP, top_n=50)
    second = post(client, cgp=CAB_CGP, top_n=50)
    assert 'cache;desc="hit"' in second.headers["Server-Timing"]
    position = parse_cgp(CAB_CGP, lexicon="small")
    bare = analyze(
        AnalysisRequest(position, AnalysisOptions(top_n=50)),
        app.extensions["kibitz"].catalogue.open("small"),
    )
    assert first.data == second.data == dump_analysis(bare)


def test_times_are_only_in_the_header(client: FlaskClient) -> None:
    response = post(client, cgp=CAB_CGP, top_n=77)
    names = [part.split(";")[0] for part in response.headers["Server-Timing"].split(", ")]
    assert names == ["board", "gen", "eval", "total", "cache"]
    assert "timings" not in response.get_json()


def test_the_order_of_the_fields_is_fixed(client: FlaskClient) -> None:
    pairs = json.loads(post(client, cgp=CAB_CGP).data, object_pairs_hook=list)
    assert [name for name, _ in pairs] == [
        "position",
        "sort",
        "evaluator",
        "phase",
        "play_count",
        "exchange_count",
        "moves",
        "compare",
        "phonies",
        "explanation",
        "warnings",
        "provenance",
    ]


def test_an_error_suggests_a_correction(client: FlaskClient) -> None:
    asked = {"tiles": [{"at": "8D", "leter": "Q"}], "rack": "A", "topn": 3, "simulate": {"iteration": 5}}
    errors = {e["pointer"]: e["detail"] for e in client.post("/analyze", json=asked).get_json()["errors"]}
    assert errors["/tiles/0/leter"] == "no such field; did you mean letter? known here: at, letter, blank"
    assert errors["/topn"].startswith("no such field; did you mean top_n? known here: top_n, offset, sort, ")
    assert "did you mean iterations?" in errors["/simulate/iteration"]
    rows = client.post("/analyze", json={"rows": ["..."], "rack": "A"}).get_json()
    assert rows["detail"] == "must have 10 to 26 rows"
    query = client.get("/analyze?cgp=x&topn=1").get_json()
    assert "did you mean top_n?" in query["detail"]
