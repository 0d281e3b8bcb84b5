"""The processes that do jobs: killed, replaced, ended with their server."""

from __future__ import annotations

import json
import os
import pickle
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import redis
from click.testing import CliRunner

from service.app import create_app
from service.cli import kibitz
from tests.service.long_work import ASYNC, RACK, Bomb, ended, endless, search, submit, working
from tests.service.serving import Worker, children, running, wait_until

if TYPE_CHECKING:
    from service.settings import Settings
    from tests.service.redis_server import RedisServer


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
    with running(data, KIBITZ_DRAIN_SECONDS="0.5", KIBITZ_GRACEFUL_SECONDS="60") as server:
        headers = {"Content-Type": "application/json", **ASYNC}
        address = server.ask("POST", "/analyze", json.dumps(endless(19)), headers)[1]["location"]
        connection = server.connect()
        connection.request("GET", address + "/events")
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 2000\n"
        (main,) = server.workers()
        wait_until(lambda: bool(children(main)))
        mine = children(main)
        code, lines, _ = server.stop()  # waits for less than the time of grace
        assert code == 0
        assert b"event: progress" in stream.read()
        connection.close()
        assert not [line for line in lines if line["level"] == "error"]
        wait_until(lambda: not [number for number in mine if is_alive(number)], 5)


def test_a_stream_and_a_search_leave_a_thread_for_the_rest(data: Path) -> None:
    """However few threads the settings name."""
    with running(data, KIBITZ_THREADS="1", KIBITZ_HEAVY_AT_ONCE="4", KIBITZ_STREAMS_AT_ONCE="4") as server:
        headers = {"Content-Type": "application/json", **ASYNC}
        address = server.ask("POST", "/analyze", json.dumps(endless(20)), headers)[1]["location"]
        following, searching = server.connect(), server.connect()
        following.request("GET", address + "/events")
        stream = following.getresponse()
        assert stream.readline() == b"retry: 2000\n"
        body = json.dumps({**endless(21), "max_ms": 9_000})
        searching.request("POST", "/analyze", body, {"Content-Type": "application/json"})
        wait_until(lambda: server.metric("kibitz_heavy_running") == 1)
        assert server.ask("GET", "/livez")[0] == 200
        assert server.ask("POST", "/analyze", RACK)[0] == 200
        refused = server.ask("POST", "/analyze", {**search(22), "max_ms": 9_000})
        assert (refused[0], json.loads(refused[2])["code"]) == (503, "busy")
        refused = server.ask("GET", address + "/events")
        assert (refused[0], json.loads(refused[2])["code"]) == (503, "too_many_streams")
        assert server.metric("kibitz_heavy_running") == 1, "the search runs still"
        following.close()
        searching.close()


def is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_worker_needs_redis() -> None:
    found = CliRunner().invoke(kibitz, ["worker"], env={"KIBITZ_REDIS_URL": ""})
    assert found.exit_code == 2
    assert found.output == "Error: KIBITZ_REDIS_URL is not set: jobs come to a worker by Redis\n"
