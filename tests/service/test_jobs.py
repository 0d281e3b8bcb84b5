"""Jobs: submitted, followed, fetched and cancelled, with threads of the service and with Redis."""

from __future__ import annotations

import json
from dataclasses import replace
from shutil import copytree
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import schemathesis
from schemathesis import GenerationMode

from engine import Catalogue, tile_set
from service.app import create_app
from service.resources import jobs as resource
from service.schemas.jobs import JobSchema
from service.view_rules import NDJSON
from tests.service.long_work import ASYNC, GAME, RACK, code, ended, endless, search, submit
from tests.service.serving import Worker, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from service.settings import Settings
    from tests.service.redis_server import RedisServer


@pytest.fixture(scope="module")
def queued(settings: Settings, data: Path, redis_server: RedisServer) -> Iterator[Flask]:
    """The application with Redis and a worker."""
    worker = Worker(data, redis_server.url)
    yield create_app(replace(settings, redis_url=redis_server.url, cache_seconds=1, streams=1))
    worker.kill()


@pytest.fixture(scope="module")
def threaded(settings: Settings) -> Iterator[Flask]:
    """The application without Redis."""
    app = create_app(replace(settings, streams=1))
    yield app
    app.extensions["kibitz"].jobs.close()


@pytest.fixture(params=["threaded", pytest.param("queued", marks=pytest.mark.process)])
def client(request: pytest.FixtureRequest) -> FlaskClient:
    """A client of an application with either back end."""
    app: Flask = request.getfixturevalue(request.param)
    return app.test_client()


def running(client: FlaskClient, address: str) -> None:
    wait_until(lambda: client.get(address).get_json()["state"] == "running")


@pytest.mark.parametrize("accept", ["application/json", NDJSON])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/analyze", search(1)),
        ("/games/annotate", {"gcg": "#lexicon Klingon\n" + GAME["gcg"]}),
        ("/batch", [{"id": "a", **RACK}, {"id": "b", **GAME}, {"id": "c"}]),
    ],
)
def test_the_result_has_the_bytes_of_the_direct_answer(
    client: FlaskClient, path: str, body: Any, accept: str
) -> None:
    if path == "/analyze":  # else it is in the cache
        body = {**body, "seed": len(accept)}
    headers = {"Accept": accept}
    job = ended(client, submit(client, path, body, headers=headers))
    assert (job["state"], job["problem"]) == ("done", None)
    assert job["done"] == job["total"] > 0
    assert job["submitted_at"] <= job["started_at"] <= job["finished_at"]
    result = client.get(job["result"])
    direct = client.post(path, json=body, headers=headers)
    assert result.data == direct.data
    assert result.headers["Content-Type"] == direct.headers["Content-Type"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/analyze", search(3, explain=True)),
        ("/games/annotate", {**GAME, "explain": True}),
        ("/batch", [{"id": "a", **RACK, "explain": True}, {"id": "b", **GAME, "explain": True}]),
    ],
)
def test_a_job_explains_in_the_language_of_its_request(client: FlaskClient, path: str, body: Any) -> None:
    headers = {"Accept": "application/json", "Accept-Language": "fr"}
    job = ended(client, submit(client, path, body, headers=headers))
    result = client.get(job["result"])
    assert b'"lang":"fr"' in result.data
    assert result.data == client.post(path, json=body, headers=headers).data


def test_the_result_of_a_record_as_plain_text_has_the_bytes_of_the_direct_answer(client: FlaskClient) -> None:
    record = "#player1 ann Åsa\n#player2 bo Bo\n>ann: AEITWXY 8D WAITE +24 24\n".encode("latin-1")
    asked: dict[str, Any] = {"data": record, "content_type": "text/plain"}
    response = client.post("/games/annotate?endgame_nodes=7", **asked, headers=ASYNC)
    job = ended(client, response.headers["Location"])
    direct = client.post("/games/annotate?endgame_nodes=7", **asked)
    assert client.get(job["result"]).data == direct.data
    assert direct.get_json()["game"]["players"][0]["name"] == "Åsa"


def test_lines_that_are_no_text_are_answered_by_a_job_as_at_once(client: FlaskClient) -> None:
    body = b'\xff\xfe\n\n{"id": "\xc3\xa9"}\r\n' + json.dumps(RACK).encode()
    queued = client.post("/batch", data=body, content_type=NDJSON, headers=ASYNC)
    job = ended(client, queued.headers["Location"])
    direct = client.post("/batch", data=body, content_type=NDJSON)
    assert client.get(job["result"]).data == direct.data
    assert [json.loads(line)["line"] for line in direct.data.splitlines()] == [1, 3, 4]


def test_a_batch_with_searches_or_many_items_is_a_job(client: FlaskClient) -> None:
    lines = "\n".join(json.dumps({"id": number, **RACK}) for number in range(3))
    searching = lines + "\n" + json.dumps({"id": "s", **search(2)})
    response = client.post("/batch", data=searching.encode(), content_type=NDJSON)
    assert response.status_code == 202
    job = ended(client, response.headers["Location"])
    assert job["total"] == job["done"] == 4
    found = client.get(job["result"]).data.splitlines()
    alone = client.post("/analyze", json=search(2)).data
    assert found[3] == b'{"id":"s","line":4,"status":200,"answer":' + alone + b"}"
    many = client.post("/batch", json=[RACK] * 101)
    assert many.status_code == 202
    job = ended(client, many.headers["Location"])
    assert job["done"] == 101
    assert [item["line"] for item in client.get(job["result"]).get_json()] == list(range(1, 102))


def test_a_batch_with_many_explanations_is_a_job(client: FlaskClient) -> None:
    for count, status in ((100, 200), (101, 202)):
        items = [{**RACK, "top_n": 1, "explain": True}] * count + [RACK]
        lines = "\n".join(map(json.dumps, items))
        assert client.post("/batch", data=lines.encode(), content_type=NDJSON).status_code == status


def test_every_turn_of_an_explained_game_counts_in_a_batch(client: FlaskClient) -> None:
    game = {"gcg": "#player1 a A\n#player2 b B\n>a: CAB 8G CAB +14 14\n", "explain": True}
    for count, status in ((4, 200), (5, 202)):
        lines = "\n".join(map(json.dumps, [game] * count))
        assert client.post("/batch", data=lines.encode(), content_type=NDJSON).status_code == status


@pytest.mark.parametrize(("body", "media_type"), [(b"\n", NDJSON), (b"[]", "application/json")])
def test_a_batch_of_nothing_has_a_result_too(client: FlaskClient, body: bytes, media_type: str) -> None:
    direct = client.post("/batch", data=body, content_type=media_type)
    response = client.post("/batch", data=body, content_type=media_type, headers=ASYNC)
    result = client.get(ended(client, response.headers["Location"])["result"])
    assert (result.status_code, result.data) == (200, direct.data)


def test_what_is_short_or_cached_is_answered_at_once(client: FlaskClient) -> None:
    for path, body in (("/analyze", RACK), ("/analyze", search(3, max_ms=900))):
        assert client.post(path, json=body, headers=ASYNC).status_code == 200
    client.post("/analyze", json=search(4))
    assert client.post("/analyze", json=search(4), headers=ASYNC).status_code == 200
    assert client.post("/analyze", json=search(5), headers={"Prefer": "wait=5"}).status_code == 200
    assert client.post("/analyze", json=search(6, max_ms=10_001)).status_code == 202


def test_a_repeated_request_gets_its_job_even_when_the_answer_is_cached(client: FlaskClient) -> None:
    headers = {"Idempotency-Key": "again"}
    address = submit(client, "/analyze", search(40), headers=headers)
    job = ended(client, address)
    assert submit(client, "/analyze", search(40), headers=headers) == address
    assert client.post("/analyze", json=search(40), headers=ASYNC).data == client.get(job["result"]).data


@pytest.mark.long
def test_a_running_search_shows_what_it_has_found_so_far(client: FlaskClient) -> None:
    address = submit(client, "/analyze", endless(17))
    wait_until(lambda: client.get(address).get_json()["so_far"] is not None)
    job = client.get(address).get_json()
    JobSchema().load(job)
    found = job["so_far"]
    assert found["phase"] == "simulate"
    assert found["spent"]["iterations"] > 0
    assert [move["sim"]["iterations"] > 0 for move in found["moves"]] == [True] * 20
    assert all(move["win_pct"] == move["sim"]["win_pct"] for move in found["moves"])
    assert {move["win_pct_by"] for move in found["moves"]} == {"simulate"}
    assert client.delete(address).get_json()["so_far"] is None
    result = client.get(f"{address}/result").get_json()
    assert result["provenance"]["spent"]["iterations"] >= found["spent"]["iterations"]


def test_the_events_end_with_the_job(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "KEEP_ALIVE_SECONDS", 0.3)
    address = submit(client, "/games/annotate", {**GAME, "simulate": {"iterations": 200_000, "plies": 9}})
    running(client, address)
    response = client.get(address + "/events", buffered=False)
    assert response.mimetype == "text/event-stream"
    lines: list[bytes] = []
    for chunk in response.response:
        lines += chunk.encode() if isinstance(chunk, str) else [chunk]
        if b": keep-alive\n\n" in lines:
            break
    assert lines[0] == b"retry: 2000\n\n"
    assert json.loads(lines[1].partition(b"\ndata: ")[2])["state"] == "running"
    refused = client.get(address + "/events")
    assert code(refused) == (503, "too_many_streams")
    assert refused.headers["Retry-After"]
    client.delete(address)
    last = list(response.response)[-1]
    assert last.startswith(b"event: end\ndata: ")
    assert json.loads(last.partition(b"\ndata: ")[2])["state"] == "cancelled"
    response.close()
    with client.get(address + "/events") as again:
        assert b"event: end" in again.data


def test_the_progress_of_a_search_is_in_seconds(client: FlaskClient) -> None:
    address = submit(client, "/analyze", {**endless(33), "max_ms": 30_001})
    wait_until(lambda: client.get(address).get_json()["done"] == 1)
    job = client.get(address).get_json()
    assert (job["state"], job["total"]) == ("running", 31)
    client.delete(address)


def test_a_cancelled_search_has_the_result_until_then(client: FlaskClient) -> None:
    address = submit(client, "/analyze", endless(11))
    running(client, address)
    assert code(client.get(address + "/result")) == (409, "job_not_done")
    wait_until(lambda: client.get(address).get_json()["done"] >= 1)
    job = client.delete(address).get_json()
    assert job["state"] == "cancelled"
    assert job["finished_at"]
    found = client.get(job["result"]).get_json()
    assert found["provenance"]["stopped_by"] == "deadline"
    assert found["provenance"]["spent"]["iterations"] > 0
    assert len(found["moves"]) == 2
    assert client.delete(address).get_json() == job, "to cancel it again changes nothing"
    other = submit(client, "/analyze", endless(11))
    assert other != address
    client.delete(other)


@pytest.mark.long
def test_a_cancelled_annotation_has_the_turns_until_then(client: FlaskClient) -> None:
    plan = {"iterations": 20_000, "plies": 4, "method": "heuri_samp"}
    events = "".join(f">{nick}: AEITWXY -{letter} +0 0\n" for nick in ("ann", "bo") for letter in "AEIT")
    gcg = "#player1 ann A\n#player2 bo B\n>ann: AEITWXY 8D WAITE +24 24\n" + 6 * events
    address = submit(client, "/games/annotate", {"gcg": gcg, "simulate": plan})
    wait_until(lambda: client.get(address).get_json()["done"] > 2)
    job = client.delete(address).get_json()
    assert job["state"] == "cancelled"
    found = client.get(job["result"]).get_json()
    assert 0 < len(found["turns"]) < 49
    assert found["summary"]["complete"] is False
    assert found["summary"]["turns"] == len(found["turns"])
    assert all(turn["played"]["win_pct_error"] for turn in found["turns"] if turn["played"])


@pytest.mark.parametrize(
    "long",
    [endless(7), {**GAME, "simulate": {"iterations": 200_000, "plies": 10, "method": "heuri_samp"}}],
    ids=["search", "game"],
)
def test_a_cancelled_batch_has_the_answers_until_then(client: FlaskClient, long: dict[str, Any]) -> None:
    body = [RACK, RACK, long, RACK]
    address = submit(client, "/batch", body)
    wait_until(lambda: client.get(address).get_json()["done"] == 2)
    job = client.delete(address).get_json()
    found = client.get(job["result"]).get_json()
    assert [item["line"] for item in found] == [1, 2]
    assert found[0]["answer"] == client.post("/analyze", json=RACK).get_json()


def test_a_job_that_waits_is_cancelled_at_once_and_has_no_result(client: FlaskClient) -> None:
    first = submit(client, "/analyze", endless(8))
    running(client, first)
    second = submit(client, "/analyze", endless(9))
    job = client.delete(second).get_json()
    assert (job["state"], job["result"], job["started_at"]) == ("cancelled", None, None)
    assert code(client.get(second + "/result")) == (410, "job_cancelled")
    assert client.get(first).get_json()["state"] == "running"
    client.delete(first)


BELIEVING = {"iterations": 200, "candidates": 5, "opponent_model": "bayes"}


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"players": [{}, {}, {}]}, "not_two_players"),
        ({"zero_turns": 6, "players": [{"score": 1}, {}]}, "game_over"),
        ({"rack": "ZZABCDE"}, "too_many_tiles"),
        ({"rack": None}, "no_rack"),
        ({"sort": "equity", "evaluator": "greedy"}, "sort_unavailable"),
        ({"simulate": BELIEVING, "players": [{}, {"last_move": "8D CAB"}]}, "bad_last_move"),
        ({"simulate": BELIEVING, "players": [{}, {"last_move": "8D"}]}, "bad_move"),
        ({"simulate": None, "endgame": {}}, "bag_not_empty"),
        ({"simulate": None, "preendgame": {}}, "bag_size"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_faulty_request_is_refused_at_once_and_makes_no_job(
    client: FlaskClient, asked: dict[str, Any], fault: str
) -> None:
    wanted = {name: value for name, value in (search(13) | asked).items() if value is not None}
    direct = client.post("/analyze", json=wanted)
    refused = client.post("/analyze", json=wanted, headers=ASYNC)
    assert [error["code"] for error in refused.get_json()["errors"]] == [fault]
    assert refused.status_code == direct.status_code == 422
    assert {**refused.get_json(), "request_id": None} == {**direct.get_json(), "request_id": None}


def test_a_record_that_cannot_be_annotated_makes_no_job(client: FlaskClient) -> None:
    game = {"gcg": "#player1 a A\n#player2 b B\n#player3 c C\n>a: AEITWXY 8D WAITE +24 24\n", "simulate": {}}
    refused = client.post("/games/annotate", json=game, headers=ASYNC)
    assert code(refused) == (422, "not_two_players")
    assert refused.get_json()["errors"][0]["pointer"] == "/simulate"


@pytest.fixture
def few(settings: Settings, tmp_path: Path) -> Path:
    """A data directory that has one more lexicon than that of the other processes, `few`."""
    copytree(settings.data, tmp_path / "data")
    (tmp_path / "few.txt").write_text("AB\nCAB\n")
    Catalogue(tmp_path / "data").build_from(tmp_path / "few.txt", tile_set("english"), lexicon_id="few")
    return tmp_path / "data"


def test_a_failed_job_has_the_problem_that_the_request_would_have_got(
    settings: Settings, own_redis: RedisServer, few: Path
) -> None:
    """Its worker lacks the lexicon."""
    client = create_app(replace(settings, redis_url=own_redis.url, data=few, lexicon="few")).test_client()
    worker = Worker(settings.data, own_redis.url)
    try:
        job = ended(client, submit(client, "/analyze", search(13)))
        assert (job["state"], job["result"]) == ("failed", None)
        assert (job["problem"]["status"], job["problem"]["code"]) == (404, "unknown_lexicon")
        found = client.get(f"/jobs/{job['id']}/result")
        assert code(found) == (404, "unknown_lexicon")
        assert {**found.get_json(), "request_id": None} == job["problem"]
    finally:
        worker.kill()


def test_a_batch_is_answered_as_by_the_service_that_took_it(
    settings: Settings, own_redis: RedisServer, few: Path
) -> None:
    """With any default lexicon of the worker; every line has its own number."""
    worker = Worker(few, own_redis.url, KIBITZ_LEXICON="few")
    try:
        client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
        body = "\n\n\n".join(json.dumps({"id": letter, **RACK}) for letter in "ab").encode()
        direct = client.post("/batch", data=body, content_type=NDJSON)
        queued = client.post("/batch", data=body, content_type=NDJSON, headers=ASYNC)
        job = ended(client, queued.headers["Location"])
        assert client.get(job["result"]).data == direct.data
        lines = [json.loads(line) for line in direct.data.splitlines()]
        assert [line["line"] for line in lines] == [1, 4]
        assert [line["answer"]["position"]["lexicon"] for line in lines] == ["small", "small"]
    finally:
        worker.kill()


def test_an_unknown_job_is_not_found(client: FlaskClient) -> None:
    known = submit(client, "/games/annotate", GAME)
    unknown = ["/jobs/" + "0" * 32, "/jobs/x", "/jobs/" + "é" * 300, known + ":x", known[:-1] + "g"]
    for address in unknown:
        for response in (
            client.get(address),
            client.delete(address),
            client.get(address + "/result"),
            client.get(address + "/events"),
        ):
            assert code(response) == (404, "unknown_job")


def test_without_jobs_long_work_is_done_at_once_where_it_can_be(
    settings: Settings, own_redis: RedisServer
) -> None:
    own_redis.kill()
    for changed, reason in (
        (replace(settings, jobs_queued=0), "takes no jobs"),
        (replace(settings, workers=2), "KIBITZ_WORKERS"),
        (replace(settings, redis_url=own_redis.url), "Redis does not answer"),
    ):
        client = create_app(changed).test_client()
        assert client.post("/analyze", json=search(15), headers=ASYNC).status_code == 200
        assert client.post("/games/annotate", json=GAME, headers=ASYNC).status_code == 200
        for response in (
            client.post("/batch", json=[RACK], headers=ASYNC),
            client.get("/jobs/" + "0" * 32),
            client.get("/jobs/" + "0" * 32 + "/events"),
        ):
            assert code(response) == (503, "jobs_unavailable")
            assert reason in response.get_json()["detail"]
            assert response.headers["Retry-After"]
        assert client.get("/metrics").status_code == 200


OPERATIONS = [
    ("GET", "/jobs"),
    ("GET", "/jobs/{job_id}"),
    ("DELETE", "/jobs/{job_id}"),
    ("GET", "/jobs/{job_id}/result"),
    ("GET", "/jobs/{job_id}/events"),
    ("POST", "/batch"),
]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.long
def test_schemathesis_finds_nothing(app: Flask, method: str, path: str) -> None:
    operation = schemathesis.openapi.from_wsgi("/openapi.json", app)[path][method]

    @hypothesis.given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    @hypothesis.settings(
        max_examples=15,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    def check(case: schemathesis.Case) -> None:
        response = case.call(headers={"Accept-Encoding": "identity"})  # over WSGI it decodes nothing
        case.validate_response(
            response, excluded_checks=[schemathesis.specs.openapi.checks.positive_data_acceptance]
        )

    check()
