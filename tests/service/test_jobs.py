"""Jobs: submitted, followed, fetched, let go of; in processes of the service, and by Redis and workers."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import redis
import schemathesis
from click.testing import CliRunner
from schemathesis import GenerationMode

from service.app import create_app
from service.cli import kibitz
from service.jobs import records
from service.jobs.interface import NewJob, QueueFullError
from service.jobs.records import JobRecords
from service.protection.keys import new_key
from service.resources import examples
from service.resources import jobs as resource
from service.schemas.jobs import JobShape
from tests.service.serving import Worker, children, running, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from service.settings import Settings
    from tests.service.redis_server import RedisServer

ASYNC = {"Prefer": "respond-async"}
GAME = examples.GAMES["game"]["value"]
RACK = {"tiles": [], "rack": "CABDEFE", "top_n": 2}


def search(seed: int, iterations: int = 200, **options: Any) -> dict[str, Any]:
    plan = {"iterations": iterations, "candidates": 5, "plies": 4, "method": "heuri_samp"}
    return {**RACK, "simulate": plan, "seed": seed, "max_ms": 10_000} | options


def endless(seed: int) -> dict[str, Any]:
    plan = {"iterations": 200_000, "candidates": 100, "plies": 10, "method": "monte_carlo"}
    return {**RACK, "simulate": plan, "seed": seed, "max_ms": 60_000}


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


def submit(client: FlaskClient, path: str, body: Any, **options: Any) -> str:
    """Submit and return the job's address."""
    headers = ASYNC | options.pop("headers", {})
    response = client.post(path, json=body, headers=headers, **options)
    assert response.status_code == 202, response.text
    job = response.get_json()
    assert response.headers["Location"] == f"/jobs/{job['id']}"
    assert response.headers["Preference-Applied"] == "respond-async"
    JobShape().load(job)
    assert list(job) == list(JobShape().fields)
    return response.headers["Location"]


def ended(client: FlaskClient, address: str) -> dict[str, Any]:
    """Wait for the end of a job and return it."""
    wait_until(lambda: client.get(address).get_json()["state"] not in ("queued", "running"), 40)
    job: dict[str, Any] = client.get(address).get_json()
    return job


def code(response: TestResponse) -> tuple[int, str]:
    assert response.mimetype == "application/problem+json"
    return response.status_code, response.get_json()["code"]


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
    assert b"event: end" in client.get(address + "/events").data


def test_a_cancelled_job_stops_within_a_second(client: FlaskClient, request: pytest.FixtureRequest) -> None:
    parent = os.getpid()
    if request.node.callspec.params["client"] == "queued":
        parent = request.getfixturevalue("queued")[1].process.pid
    address = submit(client, "/analyze", endless(11))
    wait_until(lambda: client.get(address).get_json()["state"] == "running")
    wait_until(lambda: bool(working(parent)))
    mine = working(parent)
    assert code(client.get(address + "/result")) == (409, "job_not_done")
    began = time.monotonic()
    assert client.delete(address).get_json()["state"] == "cancelled"
    wait_until(lambda: bool(mine - working(parent)), 5)
    assert time.monotonic() - began < 1
    assert code(client.get(address + "/result")) == (410, "job_cancelled")
    assert client.delete(address).status_code == 200
    # Whoever wants it again gets it.
    assert submit(client, "/analyze", endless(11)) == address
    wait_until(lambda: client.get(address).get_json()["state"] == "running")
    client.delete(address)


def working(parent: int) -> set[int]:
    """Return the processes that do jobs: of a worker, or of this service."""
    found = set()
    for number in children(parent):
        with suppress(OSError):
            words = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
            if {b"service.jobs.local_worker", b"worker"} & set(words):
                found.add(number)
    return found


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


def test_a_job_that_cannot_be_done_fails_with_the_problem_that_the_request_would_have_got(
    client: FlaskClient,
) -> None:
    body = search(13, players=[{}, {}, {}])
    job = ended(client, submit(client, "/analyze", body))
    assert (job["state"], job["result"]) == ("failed", None)
    at_once = client.post("/analyze", json=body)
    assert at_once.status_code == 422
    for found in (client.get(f"/jobs/{job['id']}/result").get_json(), job["problem"]):
        assert {**found, "request_id": None} == {**at_once.get_json(), "request_id": None}


def test_a_full_queue_says_so(settings: Settings, own_redis: RedisServer) -> None:
    for redis_url in (None, own_redis.url):
        client = create_app(replace(settings, jobs_queued=1, redis_url=redis_url)).test_client()
        address = submit(client, "/analyze", endless(14))
        assert submit(client, "/analyze", endless(14)) == address
        refused = client.post("/batch", json=[RACK], headers=ASYNC)
        assert code(refused) == (503, "queue_full")
        assert refused.headers["Retry-After"]
        assert counted(client, "kibitz_refused_total", "queue") == 1
        assert counted(client, "kibitz_jobs", "queued") + counted(client, "kibitz_jobs", "running") == 1
        client.delete(address)
        assert counted(client, "kibitz_jobs", "cancelled") == 1
        assert counted(client, "kibitz_jobs", "queued") + counted(client, "kibitz_jobs", "running") == 0


def counted(client: FlaskClient, name: str, label: str) -> float:
    found = re.search(
        rf'^{name}\{{[^}}]*="{label}"[^}}]*\}} (\S+)$', client.get("/metrics").text, re.MULTILINE
    )
    return float(found[1]) if found else 0.0


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


class TestRecords:
    JOB = NewJob("a" * 64, "analyze", b"{}", "application/json", 1)

    @pytest.fixture
    def known(self, own_redis: RedisServer) -> JobRecords:
        found = JobRecords(own_redis.url, 60)
        assert found.submit(self.JOB, "ann", 2)
        return found

    def test_only_the_holder_of_the_lease_gives_a_result(
        self, known: JobRecords, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        name = self.JOB.id
        monkeypatch.setattr(records, "LEASE_SECONDS", 0.3)
        assert known.begin(name, "first") == 1
        assert known.begin(name, "second") == -1
        assert known.renew(name, "first", 0)
        assert known.overdue(()) == []
        time.sleep(0.4)
        assert known.overdue({name}) == []
        assert known.overdue(()) == [name]
        assert known.begin(name, "second") == 2
        assert not known.renew(name, "first", 1)
        known.put(name, "first", 0, b"stale")
        assert not known.finish(name, "first", 1, None)
        known.put(name, "second", 0, b"fresh ")
        known.put(name, "second", 1, b"and whole")
        assert known.finish(name, "second", 1, None, 2)
        result = known.result(name)
        assert result is not None
        assert b"".join(result) == b"fresh and whole"
        assert known.begin(name, "third") == 0
        assert not known.submit(self.JOB, "bob", 2)
        assert known.figures()["done"] == 1

    def test_a_job_wanted_again_waits_for_the_one_that_was_cancelled(self, known: JobRecords) -> None:
        name = self.JOB.id
        assert known.begin(name, "first") == 1
        assert known.let_go(name, "ann")
        assert known.submit(self.JOB, "bob", 2)
        assert known.begin(name, "second") == -1
        assert not known.renew(name, "first", 0), (
            "the first sees that it was cancelled, and gives the lease back"
        )
        assert known.begin(name, "second") == 1
        assert known.input(name) == b"{}"

    def test_a_result_that_redis_dropped_is_made_anew(
        self, known: JobRecords, own_redis: RedisServer
    ) -> None:
        """Redis has a bound on its memory: what has an end may go, and the record may outlive it."""
        name, client = self.JOB.id, redis.Redis.from_url(own_redis.url)
        for dropped in ("all", "a piece"):
            assert known.begin(name, dropped) == 1
            known.put(name, dropped, 0, b"first")
            known.put(name, dropped, 1, b"second")
            assert known.finish(name, dropped, 1, None, 2)
            assert not known.submit(self.JOB, "bob", 2)
            key = f"kibitz-job:{name}:result:{dropped}"
            if dropped == "all":
                client.delete(key)
            else:
                client.lpop(key)
            assert known.result(name) is None
            assert known.submit(self.JOB, "bob", 2)

    def test_a_damaged_record_is_no_surprise(self, known: JobRecords, own_redis: RedisServer) -> None:
        name, client = self.JOB.id, redis.Redis.from_url(own_redis.url)
        known.begin(name, "first")
        known.put(name, "first", 0, b"right")
        known.finish(name, "first", 1, None, 1)
        client.lset(f"kibitz-job:{name}:result:first", 0, pickle.dumps(Bomb()))
        assert known.result(name) is None
        for value in (b"nonsense", pickle.dumps(Bomb())):
            client.hset(f"kibitz-job:{name}", "state", value)
            with pytest.raises(records.JobsUnavailableError):
                known.state(name)
        client.set(f"kibitz-job:{'b' * 64}", b"no hash")
        with pytest.raises(records.JobsUnavailableError):
            known.state("b" * 64)

    def test_too_many_are_refused_and_the_same_are_not(self, known: JobRecords) -> None:
        known.submit(replace(self.JOB, id="b" * 64), "ann", 2)
        assert not known.submit(self.JOB, "bob", 2)
        with pytest.raises(QueueFullError):
            known.submit(replace(self.JOB, id="c" * 64), "ann", 2)


class Bomb:
    """What would end this process if anybody unpickled it."""

    def __reduce__(self) -> Any:
        return os._exit, (3,)


def test_a_killed_worker_s_job_is_taken_up_again(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    """Two workers; the one that is at it dies; what the other gives is what is answered at once."""
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    store = redis.Redis.from_url(own_redis.url)
    # A letter from elsewhere: RQ's own format, and poison.
    store.hset("rq:job:evil", mapping={"data": pickle.dumps(Bomb()), "status": "queued", "origin": "kibitz"})
    store.rpush("rq:queue:kibitz", "evil")
    workers = [Worker(data, own_redis.url) for _ in range(2)]
    try:
        body = search(16, iterations=20_000, max_ms=60_000)
        address = submit(client, "/analyze", body)
        wait_until(lambda: any(worker.children() for worker in workers))
        time.sleep(0.5)
        (busy,) = [worker for worker in workers if worker.children()]
        assert client.get(address).get_json()["state"] == "running"
        busy.kill()
        at_once = create_app(settings).test_client().post("/analyze", json={**body, "max_ms": 10_000})
        job = ended(client, address)
        assert job["state"] == "done", job
        assert client.get(job["result"]).data == at_once.data
        assert store.hget(f"kibitz-job:{job['id']}", "attempts") == b"2"
        (other,) = [worker for worker in workers if worker is not busy]
        own_redis.kill()  # without which a worker ends in peace too
        other.process.send_signal(signal.SIGTERM)
        assert other.process.wait(10) == 0
    finally:
        for worker in workers:
            worker.kill()


def test_a_local_process_that_dies_is_replaced(settings: Settings) -> None:
    client = create_app(settings).test_client()
    body = search(17, iterations=12_000, max_ms=60_000)
    before = working(os.getpid())
    address = submit(client, "/analyze", body)
    wait_until(lambda: client.get(address).get_json()["state"] == "running")
    wait_until(lambda: bool(working(os.getpid()) - before))
    for number in working(os.getpid()) - before:
        os.kill(number, signal.SIGKILL)
    assert ended(client, address)["state"] == "done"


def test_the_processes_of_a_server_end_with_it(data: Path) -> None:
    with running(data) as server:
        headers = {"Content-Type": "application/json", **ASYNC}
        status, found, _ = server.ask("POST", "/analyze", json.dumps(endless(18)), headers)
        assert status == 202
        (main,) = server.workers()
        wait_until(lambda: json.loads(server.ask("GET", found["location"])[2])["state"] == "running")
        wait_until(lambda: bool(children(main)))
        mine = children(main)
        os.kill(main, signal.SIGKILL)
        wait_until(lambda: not [number for number in mine if is_alive(number)], 5)


def test_a_server_that_is_told_to_stop_ends_its_streams_and_its_jobs(data: Path) -> None:
    with running(data, KIBITZ_DRAIN_SECONDS="0.5", KIBITZ_GRACEFUL_SECONDS="20") as server:
        headers = {"Content-Type": "application/json", **ASYNC}
        address = server.ask("POST", "/analyze", json.dumps(endless(19)), headers)[1]["location"]
        connection = server.connect()
        connection.request("GET", address + "/events")
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 2000\n"
        (main,) = server.workers()
        wait_until(lambda: bool(children(main)))
        mine = children(main)
        began = time.monotonic()
        code, lines, _ = server.stop()
        assert code == 0
        assert time.monotonic() - began < 10
        assert b"event: progress" in stream.read()
        connection.close()
        assert not [line for line in lines if line["level"] == "error"]
        wait_until(lambda: not [number for number in mine if is_alive(number)], 5)


def is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_worker_needs_redis() -> None:
    found = CliRunner().invoke(kibitz, ["worker"], env={"KIBITZ_REDIS_URL": ""})
    assert found.exit_code == 2
    assert found.output == "Error: KIBITZ_REDIS_URL is not set: jobs come to a worker by Redis\n"


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
