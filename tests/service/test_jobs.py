"""Jobs: submitted, followed, fetched, let go of; in processes of the service, and by Redis and workers."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from shutil import copytree
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import redis
import schemathesis
from schemathesis import GenerationMode

from engine import Catalogue, tile_set
from service.app import create_app
from service.cache.redis import PREFIX
from service.jobs.batch_lines import NDJSON
from service.protection.keys import new_key
from service.resources import jobs as resource
from tests.service.long_work import ASYNC, GAME, RACK, code, ended, endless, search, submit, working
from tests.service.serving import Worker, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from service.settings import Settings
    from tests.service.redis_server import RedisServer


@pytest.fixture(scope="module")
def queued(settings: Settings, data: Path, redis_server: RedisServer) -> Iterator[tuple[Flask, Worker]]:
    """The application with Redis, and the worker that does its jobs."""
    worker = Worker(data, redis_server.url)
    yield create_app(replace(settings, redis_url=redis_server.url, cache_seconds=1)), worker
    worker.kill()


@pytest.fixture(params=["local", "queued"])
def client(request: pytest.FixtureRequest, app: Flask) -> FlaskClient:
    """A client of an application with either back end."""
    if request.param == "local":
        return app.test_client()
    found: tuple[Flask, Worker] = request.getfixturevalue("queued")
    return found[0].test_client()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/analyze", search(1)),
        ("/games/annotate", GAME),
        ("/batch", [{"id": "a", **RACK}, {"id": "b", **GAME}, {"id": "c"}]),
    ],
)
def test_the_result_is_what_would_have_been_answered_at_once(
    client: FlaskClient, path: str, body: Any
) -> None:
    address = submit(client, path, body)
    job = ended(client, address)
    assert (job["state"], job["problem"]) == ("done", None)
    assert job["done"] == job["total"] > 0
    assert job["submitted_at"] <= job["started_at"] <= job["finished_at"]
    assert submit(client, path, body) == address if path != "/analyze" else True
    result = client.get(job["result"])
    at_once = client.post(path, json=body)
    assert result.data == at_once.data
    assert result.headers["Content-Type"] == at_once.headers["Content-Type"]


def test_a_batch_with_searches_or_too_many_items_is_a_job(client: FlaskClient) -> None:
    lines = "\n".join(json.dumps({"id": number, **RACK}) for number in range(3))
    searching = lines + "\n" + json.dumps({"id": "s", **search(2)})
    response = client.post("/batch", data=searching.encode(), content_type="application/x-ndjson")
    assert response.status_code == 202
    job = ended(client, response.headers["Location"])
    assert job["total"] == 4
    found = client.get(job["result"]).data.splitlines()
    alone = client.post("/analyze", json=search(2)).data
    assert found[3] == b'{"id":"s","line":4,"status":200,"answer":' + alone + b"}"
    many = client.post("/batch", json=[RACK] * 101)
    assert many.status_code == 202
    results = client.get(ended(client, many.headers["Location"])["result"]).get_json()
    assert [item["line"] for item in results] == list(range(1, 102))


@pytest.mark.parametrize(
    ("body", "media_type"), [(b"\n", "application/x-ndjson"), (b"[]", "application/json")]
)
def test_a_batch_of_nothing_has_a_result_too(client: FlaskClient, body: bytes, media_type: str) -> None:
    at_once = client.post("/batch", data=body, content_type=media_type)
    response = client.post("/batch", data=body, content_type=media_type, headers=ASYNC)
    result = client.get(ended(client, response.headers["Location"])["result"])
    assert (result.status_code, result.data) == (200, at_once.data)


def test_what_is_short_or_known_is_answered_at_once(client: FlaskClient) -> None:
    for path, body in (("/analyze", RACK), ("/analyze", search(3, max_ms=900))):
        assert client.post(path, json=body, headers=ASYNC).status_code == 200
    client.post("/analyze", json=search(4))
    assert client.post("/analyze", json=search(4), headers=ASYNC).status_code == 200
    assert client.post("/analyze", json=search(5), headers={"Prefer": "wait=5"}).status_code == 200
    assert client.post("/analyze", json=search(6, max_ms=10_001)).status_code == 202


def test_the_events_end_with_the_job(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "KEEP_ALIVE_SECONDS", 0.3)
    address = submit(client, "/analyze", endless(10))
    wait_until(lambda: client.get(address).get_json()["state"] == "running")
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


def test_a_search_tells_the_seconds_that_it_has_taken_of_those_it_may(client: FlaskClient) -> None:
    address = submit(client, "/analyze", {**endless(33), "max_ms": 30_001})
    wait_until(lambda: client.get(address).get_json()["done"] == 1)
    job = client.get(address).get_json()
    assert (job["state"], job["total"]) == ("running", 31)
    with client.get(address + "/events", buffered=False) as response:
        events = [chunk for _, chunk in zip(range(2), response.response, strict=False)]
    assert [json.loads(event.partition(b"data: ")[2])["done"] for event in events[1:]] == [1]
    client.delete(address)


def test_a_cancelled_job_stops_within_a_second(client: FlaskClient, request: pytest.FixtureRequest) -> None:
    parent = os.getpid()
    if request.node.callspec.params["client"] == "queued":
        parent = request.getfixturevalue("queued")[1].process.pid
    address = submit(client, "/analyze", endless(11))
    wait_until(lambda: client.get(address).get_json()["state"] == "running")
    wait_until(lambda: bool(working(parent)))
    mine = working(parent)
    assert code(client.get(address + "/result")) == (409, "job_not_done")
    assert client.delete(address).get_json()["state"] == "cancelled"
    wait_until(lambda: bool(mine - working(parent)))  # left alone it would search for a minute
    assert code(client.get(address + "/result")) == (410, "job_cancelled")
    assert client.delete(address).status_code == 200
    # Whoever wants it again gets it.
    assert submit(client, "/analyze", endless(11)) == address
    wait_until(lambda: client.get(address).get_json()["state"] == "running")
    client.delete(address)


def test_the_work_goes_on_until_the_last_holder_lets_go(
    settings: Settings, redis_server: RedisServer, tmp_path: Path
) -> None:
    keys = {}
    for name in ("ann", "bob", "cy"):
        keys[name], line = new_key(name)
        with (tmp_path / "keys").open("a") as file:
            file.write(line + "\n")
    for redis_url in (None, redis_server.url):
        changed = replace(settings, api_keys=tmp_path / "keys", redis_url=redis_url)
        client = create_app(changed).test_client()
        ann, bob, cy = ({"Authorization": f"Bearer {keys[name]}"} for name in keys)
        address = submit(client, "/analyze", endless(12), headers=ann)
        for _ in range(2):  # a repeat is no further reference
            assert submit(client, "/analyze", endless(12), headers=bob) == address
        assert code(client.delete(address, headers=cy)) == (404, "no_reference")
        assert client.delete(address, headers=bob).get_json()["state"] in ("queued", "running")
        assert code(client.delete(address, headers=bob)) == (404, "no_reference")
        assert client.delete(address, headers=ann).get_json()["state"] == "cancelled"


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
def test_a_fault_is_told_at_once_and_not_when_its_turn_has_come(
    client: FlaskClient, asked: dict[str, Any], fault: str
) -> None:
    wanted = {name: value for name, value in (search(13) | asked).items() if value is not None}
    at_once = client.post("/analyze", json=wanted)
    refused = client.post("/analyze", json=wanted, headers=ASYNC)
    assert [error["code"] for error in refused.get_json()["errors"]] == [fault]
    assert refused.status_code == at_once.status_code == 422
    assert {**refused.get_json(), "request_id": None} == {**at_once.get_json(), "request_id": None}


def test_a_job_that_cannot_be_done_fails_with_the_problem_that_the_request_would_have_got(
    settings: Settings, own_redis: RedisServer, tmp_path: Path
) -> None:
    """Its worker lacks the lexicon."""
    copytree(settings.data, tmp_path / "data")
    (tmp_path / "few.txt").write_text("AB\nCAB\n")
    Catalogue(tmp_path / "data").build_from(tmp_path / "few.txt", tile_set("english"), lexicon_id="few")
    client = create_app(
        replace(settings, redis_url=own_redis.url, data=tmp_path / "data", lexicon="few")
    ).test_client()
    worker = Worker(settings.data, own_redis.url)
    try:
        job = ended(client, submit(client, "/analyze", search(13)))
        assert (job["state"], job["result"]) == ("failed", None)
        at_once = create_app(settings).test_client().post("/analyze", json=search(13, lexicon="few"))
        assert at_once.status_code == 404
        for found in (client.get(f"/jobs/{job['id']}/result").get_json(), job["problem"]):
            assert {**found, "request_id": None} == {**at_once.get_json(), "request_id": None}
    finally:
        worker.kill()


def test_a_full_queue_says_so(settings: Settings, own_redis: RedisServer) -> None:
    for redis_url in (None, own_redis.url):
        client = create_app(replace(settings, jobs_queued=1, redis_url=redis_url)).test_client()
        address = submit(client, "/analyze", endless(14))
        assert submit(client, "/analyze", endless(14)) == address
        refused = client.post("/batch", json=[RACK], headers=ASYNC)
        assert code(refused) == (503, "queue_full")
        assert refused.headers["Retry-After"]
        assert counted(client, "kibitz_refused_total", "queue") == 1
        assert counted(client, "kibitz_jobs", "queued", "running") == 1
        client.delete(address)
        assert counted(client, "kibitz_jobs", "cancelled") == 1
        assert counted(client, "kibitz_jobs", "queued", "running") == 0


def test_one_caller_cannot_fill_the_queue(settings: Settings, own_redis: RedisServer, tmp_path: Path) -> None:
    key, line = new_key("ann")
    (tmp_path / "keys").write_text(line)
    ann = {"Authorization": f"Bearer {key}"}
    for redis_url in (None, own_redis.url):
        changed = replace(settings, jobs_each=2, redis_url=redis_url, api_keys=tmp_path / "keys")
        client = create_app(changed).test_client()
        mine = [submit(client, "/analyze", endless(seed)) for seed in (30, 31)]
        assert submit(client, "/analyze", endless(30)) == mine[0], "a job that one has is none more"
        refused = client.post("/batch", json=[RACK], headers=ASYNC)
        assert code(refused) == (429, "too_many_jobs")
        assert refused.headers["Retry-After"]
        assert counted(client, "kibitz_refused_total", "jobs") == 1
        others = submit(client, "/analyze", endless(32), headers=ann)
        assert submit(client, "/analyze", endless(32)) == others, "to join others costs nothing"
        client.delete(others)
        client.delete(mine[0])
        mine[0] = submit(client, "/batch", [RACK])
        for address in mine:
            assert client.delete(address).get_json()["state"] == "cancelled"
        client.delete(others, headers=ann)


def test_a_batch_is_answered_as_by_the_service_that_took_it_in(
    settings: Settings, own_redis: RedisServer, tmp_path: Path
) -> None:
    """Whatever the default lexicon of the worker is; and every line keeps its number."""
    copytree(settings.data, tmp_path / "data")
    (tmp_path / "few.txt").write_text("AB\nCAB\n")
    Catalogue(tmp_path / "data").build_from(tmp_path / "few.txt", tile_set("english"), lexicon_id="few")
    worker = Worker(tmp_path / "data", own_redis.url, KIBITZ_LEXICON="few")
    try:
        client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
        body = "\n\n\n".join(json.dumps({"id": letter, **RACK}) for letter in "ab").encode()
        at_once = client.post("/batch", data=body, content_type=NDJSON)
        queued = client.post("/batch", data=body, content_type=NDJSON, headers=ASYNC)
        job = ended(client, queued.headers["Location"])
        assert client.get(job["result"]).data == at_once.data
        lines = [json.loads(line) for line in at_once.data.splitlines()]
        assert [line["line"] for line in lines] == [1, 4]
        assert [line["answer"]["position"]["lexicon"] for line in lines] == ["small", "small"]
    finally:
        worker.kill()


def test_what_a_job_has_computed_lies_in_redis(settings: Settings, own_redis: RedisServer) -> None:
    worker = Worker(settings.data, own_redis.url)
    try:
        client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
        racks = ["ABCDEF" + letter for letter in "GHILNORT"]
        for number, items in enumerate((racks[:4], racks[4:])):
            body = [{"id": str(at), "tiles": [], "rack": rack} for at, rack in enumerate(items)]
            assert ended(client, submit(client, "/batch", body))["state"] == "done"
            with redis.Redis.from_url(own_redis.url) as raw:
                assert len(list(raw.scan_iter(PREFIX + "*"))) == 4 * (number + 1)
    finally:
        worker.kill()


def counted(client: FlaskClient, name: str, *labels: str) -> float:
    """Add up what a metric says of these labels at one moment."""
    told = client.get("/metrics").text
    one = "|".join(labels)
    found = re.findall(rf'^{name}\{{[^}}]*="(?:{one})"[^}}]*\}} (\S+)$', told, re.MULTILINE)
    return sum(map(float, found))


def test_an_unknown_job_is_not_found(client: FlaskClient) -> None:
    known = submit(client, "/games/annotate", GAME)
    for address in (
        "/jobs/" + "0" * 64,
        "/jobs/x",
        "/jobs/" + "é" * 300,
        known + ":holders",
        known + ":input",
    ):
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
    for changed in (
        replace(settings, jobs_queued=0),
        replace(settings, workers=2),
        replace(settings, redis_url=own_redis.url),
    ):
        client = create_app(changed).test_client()
        assert client.post("/analyze", json=search(15), headers=ASYNC).status_code == 200
        assert client.post("/games/annotate", json=GAME, headers=ASYNC).status_code == 200
        for response in (
            client.post("/batch", json=[RACK], headers=ASYNC),
            client.get("/jobs/" + "0" * 64),
            client.get("/jobs/" + "0" * 64 + "/events"),
        ):
            assert code(response) == (503, "jobs_unavailable")
            assert response.headers["Retry-After"]
        assert client.get("/metrics").status_code == 200


def test_results_go_when_their_time_has_come_or_there_are_too_many(settings: Settings) -> None:
    client = create_app(replace(settings, job_bytes=3_000)).test_client()
    first, second = (submit(client, "/games/annotate", {**GAME, "endgame_nodes": n}) for n in (1, 2))
    assert ended(client, second)["state"] == "done"
    assert client.get(first).status_code == 404
    short = create_app(replace(settings, job_seconds=1)).test_client()
    address = submit(short, "/games/annotate", GAME)
    wait_until(lambda: short.get(address).status_code == 404)


OPERATIONS = [
    ("GET", "/jobs/{job_id}"),
    ("DELETE", "/jobs/{job_id}"),
    ("GET", "/jobs/{job_id}/result"),
    ("GET", "/jobs/{job_id}/events"),
    ("POST", "/batch"),
]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
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
        case.validate_response(
            case.call(), excluded_checks=[schemathesis.specs.openapi.checks.positive_data_acceptance]
        )

    check()
