"""The processes that run jobs: killed, stopped, and given jobs that they must not run."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import zlib
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis
from click.testing import CliRunner

from kibitz.cli import kibitz
from service.app import create_app
from service.jobs_rq import SignedSerializer, open_queue
from tests.service.long_work import ASYNC, GAME, RACK, Bomb, code, ended, endless, search, submit
from tests.service.serving import ROOT, Worker, children, running, wait_until

if TYPE_CHECKING:
    from service.settings import Settings
    from tests.service.redis_server import RedisServer

JSON = {"Content-Type": "application/json", **ASYNC}


def test_the_job_of_a_killed_process_starts_again(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    """Its worker starts another process; the result has the bytes of the direct answer."""
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    worker = Worker(data, own_redis.url)
    try:
        body = search(16, iterations=20_000, max_ms=60_000)
        address = submit(client, "/analyze", body)
        wait_until(lambda: client.get(address).get_json()["state"] == "running")
        (first,) = worker.children()
        os.kill(first, signal.SIGKILL)
        job = ended(client, address)
        assert job["state"] == "done", job
        direct = create_app(settings).test_client().post("/analyze", json={**body, "max_ms": 10_000})
        assert client.get(job["result"]).data == direct.data
    finally:
        worker.kill()


@pytest.mark.slow
def test_the_job_of_a_killed_worker_starts_again(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    """RQ notices within 75 seconds that the worker is dead, and gives its job to another one."""
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    workers = [Worker(data, own_redis.url) for _ in range(2)]
    try:
        body = search(17, iterations=20_000, max_ms=60_000)
        address = submit(client, "/analyze", body)
        wait_until(lambda: client.get(address).get_json()["state"] == "running")
        (busy,) = [worker for worker in workers if worker.children()]
        busy.kill()
        wait_until(lambda: client.get(address).get_json()["state"] == "done", 100)
        direct = create_app(settings).test_client().post("/analyze", json={**body, "max_ms": 10_000})
        assert client.get(address + "/result").data == direct.data
    finally:
        for worker in workers:
            worker.kill()


@pytest.mark.slow
def test_a_job_taken_by_a_killed_worker_starts_again(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    """A worker that dies before its job has started leaves it in RQ's intermediate queue."""
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    address = submit(client, "/analyze", search(19))
    with redis.Redis.from_url(own_redis.url) as connection:
        queue = open_queue(connection)
        (taken,) = queue.get_job_ids()
        connection.lmove(queue.key, queue.intermediate_queue_key, "RIGHT", "LEFT")
        assert queue.get_job_ids() == []
    worker = Worker(data, own_redis.url)
    try:
        wait_until(lambda: client.get(address).get_json()["state"] == "done", 100)
        assert taken in address
    finally:
        worker.kill()


def test_a_worker_killed_during_maintenance_does_not_stop_it(own_redis: RedisServer) -> None:
    """Its lock expires before the next maintenance of another one."""
    with redis.Redis.from_url(own_redis.url) as connection:
        queue = open_queue(connection)
        assert queue.acquire_maintenance_lock()
        assert not queue.acquire_maintenance_lock()
        assert 0 < connection.ttl(queue.registry_cleaning_key) <= 10


def test_a_job_whose_process_always_dies_is_given_up(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    worker = Worker(data, own_redis.url)
    killed: set[int] = set()
    try:
        address = submit(client, "/analyze", endless(18))

        def failed() -> bool:
            for process in set(worker.children()) - killed:
                os.kill(process, signal.SIGKILL)
                killed.add(process)
            return bool(client.get(address).get_json()["state"] == "failed")

        wait_until(failed)
        assert len(killed) == 5
        job = client.get(address).get_json()
        assert (job["problem"]["status"], job["problem"]["code"]) == (503, "job_given_up")
        assert job["finished_at"]
        refused = client.get(address + "/result")
        assert code(refused) == (503, "job_given_up")
        assert refused.headers["Retry-After"]
    finally:
        worker.kill()


def test_a_job_that_does_not_stop_by_itself_is_killed(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    worker = Worker(data, own_redis.url)
    try:
        address = submit(client, "/analyze", endless(19))
        wait_until(lambda: client.get(address).get_json()["state"] == "running")
        (process,) = worker.children()
        os.kill(process, signal.SIGSTOP)
        job = client.delete(address).get_json()
        assert (job["state"], job["result"]) == ("cancelled", None)
        wait_until(lambda: process not in worker.children())
        again = submit(client, "/games/annotate", GAME)
        assert ended(client, again)["state"] == "done", "the worker lives"
    finally:
        worker.kill()


def test_what_lies_in_redis_is_never_unpickled(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    """Neither by the worker, whose process would end, nor by the service."""
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    store = redis.Redis.from_url(own_redis.url)
    bomb = pickle.dumps(Bomb())
    evil = {"data": bomb, "status": "queued", "origin": "kibitz", "meta": bomb}
    store.hset("rq:job:" + "e" * 32, mapping=evil)
    store.rpush("rq:queue:kibitz", "e" * 32)
    assert code(client.get("/jobs/" + "e" * 32)) == (503, "jobs_unavailable")
    for meta in (b"[]", b"null", b"{}", b'{"kind": "analyze"}', b"nonsense"):
        store.hset("rq:job:" + "d" * 32, mapping={**evil, "meta": meta})
        assert code(client.get("/jobs/" + "d" * 32)) == (503, "jobs_unavailable")
    worker = Worker(data, own_redis.url)
    try:
        address = submit(client, "/games/annotate", GAME)
        assert ended(client, address)["state"] == "done"
        assert worker.process.poll() is None
    finally:
        worker.kill()


FORGED = "f" * 32
NAMED = "f" * 31 + "0"
SECRET = "of the service and its workers"


@pytest.mark.parametrize("secret", ["", SECRET], ids=["no key", "key"])
def test_no_function_that_redis_names_is_called(
    settings: Settings, data: Path, own_redis: RedisServer, tmp_path: Path, secret: str
) -> None:
    """Neither as a job nor when a job ends; the forger has the key, if there is one."""
    client = create_app(replace(settings, redis_url=own_redis.url, cache_key=secret)).test_client()
    store = redis.Redis.from_url(own_redis.url)
    called = tmp_path / "called"

    def forge(job_id: str, *call: object, **fields: str) -> None:
        key, sign = f"rq:job:{job_id}", SignedSerializer(secret.encode()).dumps
        task = zlib.compress(sign(call))
        meta = sign({"job": job_id, "kind": "analyze", "total": 1, "owner": None, "trace": {}})
        times = {"created_at": "2026-01-01T00:00:00.000000Z", "origin": "kibitz", "status": "queued"}
        store.hset(key, mapping={"data": task, "meta": meta, **times, **fields})
        store.rpush("rq:queue:kibitz", job_id)

    callbacks = {
        f"{end}_callback_name": "tests.service.long_work.leave_a_trace" for end in ("success", "failure")
    }
    forge(FORGED, "os.system", None, [f"touch {called}"], {})
    forge(NAMED, "service.jobs_worker.do_job", None, [NAMED, "analyze", "", {}], {}, **callbacks)
    worker = Worker(data, own_redis.url, KIBITZ_CACHE_KEY=secret, TRACE=str(called))
    try:
        assert ended(client, submit(client, "/games/annotate", GAME))["state"] == "done"
        assert not called.exists()
        assert store.hget(f"rq:job:{FORGED}", "status") == b"failed"
        assert store.hget(f"rq:job:{NAMED}", "status") == b"finished", "it ran, and nothing after it"
    finally:
        worker.kill()


def test_with_a_secret_forged_jobs_and_results_are_refused(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url, cache_key=SECRET)).test_client()
    store = redis.Redis.from_url(own_redis.url)
    worker = Worker(data, own_redis.url, KIBITZ_CACHE_KEY=SECRET)
    try:
        first = submit(client, "/games/annotate", GAME)
        second = submit(client, "/batch", [RACK])
        assert [ended(client, address)["state"] for address in (first, second)] == ["done", "done"]
        first_id, second_id = (address.rpartition("/")[2] for address in (first, second))
        genuine = client.get(first + "/result").data

        stream = f"rq:results:{first_id}"
        ((_, fields),) = store.xrange(stream)
        other = store.xrange(f"rq:results:{second_id}")[0][1]
        for value in (
            b64encode(b'{"body": "forged"}'),
            b64encode(SignedSerializer(b"").dumps({"job": first_id, "body": "forged"})),
            other[b"return_value"],  # that of another job, sealed with the key
        ):
            forged = store.xadd(stream, {**fields, b"return_value": value})
            assert code(client.get(first + "/result")) == (503, "jobs_unavailable")
            store.xdel(stream, forged)
        assert client.get(first + "/result").data == genuine

        store.hset(f"rq:job:{first_id}", "meta", store.hget(f"rq:job:{second_id}", "meta"))
        assert code(client.get(first)) == (503, "jobs_unavailable")

        copied = {**store.hgetall(f"rq:job:{second_id}"), b"status": b"queued"}
        store.hset(f"rq:job:{FORGED}", mapping=copied)
        store.rpush("rq:queue:kibitz", FORGED)
        wait_until(lambda: store.hget(f"rq:job:{FORGED}", "status") == b"failed")
    finally:
        worker.kill()


def test_with_a_secret_a_forged_idempotency_key_leads_to_no_other_job(
    settings: Settings, own_redis: RedisServer
) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url, cache_key=SECRET)).test_client()
    store = redis.Redis.from_url(own_redis.url)
    mine = {"headers": {"Idempotency-Key": "mine"}}
    address = submit(client, "/games/annotate", GAME, **mine)
    assert submit(client, "/games/annotate", GAME, **mine) == address
    other = submit(client, "/batch", [RACK])
    (name,) = store.keys("kibitz-idempotency:*")
    digest = store.get(name).split()[-1]
    store.set(name, other.rpartition("/")[2].encode() + b" " + digest)
    assert submit(client, "/games/annotate", GAME, **mine) not in (address, other)


def test_what_a_job_has_computed_is_in_the_cache_of_all(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    worker = Worker(data, own_redis.url)
    try:
        assert ended(client, submit(client, "/analyze", search(30)))["state"] == "done"
        assert ended(client, submit(client, "/batch", [search(31)]))["state"] == "done"
    finally:
        worker.kill()
    for body in (search(30), search(31)):
        answer = client.post("/analyze", json=body)
        assert answer.status_code == 200
        assert 'cache;desc="hit"' in answer.headers["Server-Timing"]


def test_a_worker_finishes_its_job_before_it_stops(
    settings: Settings, data: Path, own_redis: RedisServer
) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    worker = Worker(data, own_redis.url)
    try:
        address = submit(client, "/analyze", search(20, iterations=20_000, max_ms=60_000))
        wait_until(lambda: client.get(address).get_json()["state"] == "running")
        worker.process.send_signal(signal.SIGTERM)
        assert worker.process.wait(60) == 0
        assert client.get(address).get_json()["state"] == "done"
    finally:
        worker.kill()


@pytest.mark.process
def test_the_jobs_of_a_server_end_with_it(data: Path) -> None:
    with running(data) as server:
        status, found, _ = server.ask("POST", "/analyze", json.dumps(endless(21)), JSON)
        assert status == 202
        wait_until(lambda: json.loads(server.ask("GET", found["location"])[2])["state"] == "running")
        mine = [server.process.pid, *children(server.process.pid)]
        os.kill(server.process.pid, signal.SIGKILL)
        wait_until(lambda: not [number for number in mine if is_alive(number)])


@pytest.mark.process
def test_a_server_that_is_stopped_ends_its_streams_and_its_jobs(data: Path) -> None:
    with running(data, KIBITZ_DRAIN_SECONDS="0.5", KIBITZ_GRACEFUL_SECONDS="30") as server:
        address = server.ask("POST", "/analyze", json.dumps(endless(22)), JSON)[1]["location"]
        connection = server.connect()
        connection.request("GET", address + "/events")
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 2000\n"
        wait_until(lambda: json.loads(server.ask("GET", address)[2])["state"] == "running")
        exit_code, lines, _ = server.stop()
        assert exit_code == 0
        assert b"event: progress" in stream.read()
        connection.close()
        assert not [line for line in lines if line["level"] == "error"]


@pytest.mark.process
def test_a_stream_whose_client_disconnects_leaves_room_for_another(data: Path) -> None:
    with running(data, KIBITZ_STREAMS="1") as server:
        address = server.ask("POST", "/analyze", json.dumps(endless(23)), JSON)[1]["location"]
        connection = server.connect()
        connection.request("GET", address + "/events")
        assert connection.getresponse().readline() == b"retry: 2000\n"
        assert server.ask("GET", address + "/events")[0] == 503
        connection.close()

        def follows() -> bool:
            other = server.connect()
            other.request("GET", address + "/events")
            status = other.getresponse().status
            other.close()
            return status == 200

        wait_until(follows)


@pytest.mark.process
def test_streams_and_searches_leave_threads_for_the_rest(data: Path) -> None:
    """With the fewest threads that the settings allow."""
    with running(data, KIBITZ_SEARCHES="1", KIBITZ_STREAMS="1") as server:
        address = server.ask("POST", "/analyze", json.dumps(endless(24)), JSON)[1]["location"]
        following, searching = server.connect(), server.connect()
        following.request("GET", address + "/events")
        assert following.getresponse().readline() == b"retry: 2000\n"
        body = json.dumps({**endless(25), "max_ms": 9_000})
        searching.request("POST", "/analyze", body, {"Content-Type": "application/json"})
        wait_until(lambda: server.metric("kibitz_searches_running") == 1)
        assert server.ask("GET", "/livez")[0] == 200
        assert server.ask("POST", "/analyze", RACK)[0] == 200
        refused = server.ask("POST", "/analyze", {**search(26), "max_ms": 9_000})
        assert (refused[0], json.loads(refused[2])["code"]) == (503, "busy")
        refused = server.ask("GET", address + "/events")
        assert (refused[0], json.loads(refused[2])["code"]) == (503, "too_many_streams")
        following.close()
        searching.close()


def is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.process
def test_a_worker_without_redis_exits_with_one_line(data: Path, tmp_path: Path) -> None:
    url = f"unix://{tmp_path}/none.sock"
    environment = {"KIBITZ_REDIS_URL": url, "KIBITZ_DATA": str(data), "KIBITZ_LEXICON": "small"}
    found = subprocess.run(
        [sys.executable, "-c", "from kibitz.cli import main; main()", "worker"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    assert found.returncode == 2
    assert found.stderr.startswith(b"Error: Redis does not answer: ")
    assert found.stderr.count(b"\n") == 1


def test_a_worker_needs_redis() -> None:
    found = CliRunner().invoke(kibitz, ["worker"], env={"KIBITZ_REDIS_URL": ""})
    assert found.exit_code == 2
    assert found.output == "Error: KIBITZ_REDIS_URL is not set: a worker gets its jobs through Redis\n"
