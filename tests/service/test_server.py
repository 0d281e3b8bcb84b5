"""The service as it runs: `kibitz serve`, gunicorn, sockets, signals."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
import redis

from engine.lexicon.store import TableFile
from service.cache.redis import PREFIX
from tests.service.serving import Server, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask.testing import FlaskClient

BODY = {
    "tiles": [{"at": "8G", "letter": "C"}, {"at": "8H", "letter": "A"}, {"at": "8I", "letter": "B"}],
    "rack": "ADEFS",
}


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with running(data, KIBITZ_DRAIN_SECONDS="0") as started:
        yield started


def test_it_answers_as_the_application_does(server: Server, client: FlaskClient) -> None:
    status, headers, body = server.ask("POST", "/analyze", BODY)
    assert status == 200
    assert body == client.post("/analyze", json=BODY).data
    assert "total;dur=" in headers["server-timing"]
    assert len(headers["x-request-id"]) == 32


def test_many_threads_get_the_same_bytes(server: Server) -> None:
    answers: list[bytes] = []

    def ask(number: int) -> None:
        for turn in range(5):
            answers.append(server.ask("POST", "/analyze", {**BODY, "top_n": 1 + turn})[2])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 40
    assert len(set(answers)) == 5


def test_a_connection_is_kept(server: Server) -> None:
    connection = server.connect()
    for _ in range(3):
        connection.request("POST", "/analyze", json.dumps(BODY), {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert response.status == 200
        response.read()
    connection.close()


def test_a_known_answer_is_304(server: Server) -> None:
    path = "/analyze?cgp=15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15%20ADE/%200/0%200"
    status, headers, _ = server.ask("GET", path)
    assert status == 200
    status, again, body = server.ask("GET", path, headers={"If-None-Match": headers["etag"]})
    assert (status, body, again["etag"]) == (304, b"", headers["etag"])


@pytest.mark.parametrize("length", [300_000, 3_000_000])
def test_a_large_body_gets_its_413_and_the_connection_lives(server: Server, length: int) -> None:
    status, headers, body = server.ask(
        "POST", "/analyze", b" " * length, {"Content-Type": "application/json"}
    )
    assert (status, json.loads(body)["code"]) == (413, "body_too_large")
    assert headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("length", [0, 2, 300_000])
def test_a_chunked_body_gets_its_411(server: Server, length: int) -> None:
    chunks = iter([b" " * 65_000] * (length // 65_000) + [b" " * (length % 65_000)])
    connection = server.connect()
    connection.request("POST", "/analyze", chunks, {"Content-Type": "application/json"}, encode_chunked=True)
    response = connection.getresponse()
    assert response.status == 411
    assert json.loads(response.read())["code"] == "length_required"
    connection.close()


RAW = [
    (b"POST /analyze HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\r\n", 411, "length_required"),
    (b"POST /analyze HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: magic\r\n\r\n", 411, "length_required"),
    (b"TRACE /analyze HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method_not_allowed"),
    (b"GARBAGE\r\n\r\n", 400, "bad_request"),
    (b"GET / HTTP/9.9\r\n\r\n", 400, "bad_request"),
    (b"GET /livez HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n", 400, "bad_request"),
    (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri_too_long"),
    (b"GET /livez HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431, "headers_too_large"),
    (b"GET /livez HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 20_000 + b"\r\n\r\n", 431, "headers_too_large"),
    (b"POST /analyze HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400, "bad_request"),
    (b"POST /analyze HTTP/1.1\r\nHost: x\r\nContent-Length: 1_0\r\n\r\n", 400, "bad_request"),
    (
        b"POST /analyze HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
        400,
        "bad_request",
    ),
    (b"GET /%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not_found"),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "bad_request"),
]


@pytest.mark.parametrize(("data_sent", "status", "code"), RAW)
def test_what_is_no_request_is_a_problem_too(
    server: Server, data_sent: bytes, status: int, code: str
) -> None:
    got, headers, body = server.raw(data_sent)
    assert (got, body["code"]) == (status, code)
    assert headers["content-type"] == "application/problem+json"
    assert body["request_id"] == headers["x-request-id"]
    if status == 405:
        assert "POST" in headers["allow"]


def test_clients_that_fall_silent_do_not_stop_the_others(data: Path) -> None:
    head = b"POST /analyze HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with running(data, KIBITZ_STALL_SECONDS="1", KIBITZ_DRAIN_SECONDS="0") as server:
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(8)]  # of four threads
        for number, connection in enumerate(silent):
            connection.sendall(head if number % 2 else head + b"Content-Length: 9\r\n\r\n{")
        assert server.ask("GET", "/livez")[0] == 200
        answer = silent[0].recv(4096)
        assert answer.startswith(b"HTTP/1.1 400")
        assert b"body_incomplete" in answer
        for connection in silent:
            connection.close()
        code, lines, _ = server.stop()
        assert code == 0
        assert not [line for line in lines if line["level"] == "error"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_sigterm_fails_readyz_first_and_then_finishes_what_is_under_way(data: Path, workers: str) -> None:
    with running(data, KIBITZ_WORKERS=workers, KIBITZ_DRAIN_SECONDS="1") as server:
        server.process.send_signal(signal.SIGTERM)
        while server.ask("GET", "/readyz")[0] == 200:  # the port closes in the end, which is an error
            time.sleep(0.01)
        assert json.loads(server.ask("GET", "/readyz")[2])["code"] == "draining"
        status, headers, _ = server.ask("POST", "/analyze", BODY)
        assert (status, headers["connection"]) == (200, "close"), "clients are to go elsewhere"
        # A request that is half sent when the port closes is answered all the same.
        connection = server.connect()
        payload = json.dumps(BODY).encode()
        connection.putrequest("POST", "/analyze")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(payload)))
        connection.endheaders(payload[:5])
        time.sleep(1.2)
        with pytest.raises((ConnectionRefusedError, ConnectionResetError)):
            server.ask("GET", "/livez")
        connection.send(payload[5:])
        response = connection.getresponse()
        assert response.status == 200
        assert response.read()
        connection.close()
        assert server.result()[0] == 0


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_load_loses_nothing_when_the_server_drains(data: Path, workers: str) -> None:
    """Clients that keep their connections, and connect anew when told to or refused: no answer is lost."""
    with running(data, KIBITZ_WORKERS=workers, KIBITZ_DRAIN_SECONDS="0.5") as server:
        statuses: list[int] = []
        lost: list[Exception] = []

        def load() -> None:
            while True:
                connection = server.connect()
                try:
                    connection.connect()
                except OSError:
                    return  # the port is closed: a balancer has gone elsewhere by now
                try:
                    for _ in range(50):
                        connection.request(
                            "POST", "/analyze", json.dumps(BODY), {"Content-Type": "application/json"}
                        )
                        response = connection.getresponse()
                        response.read()
                        statuses.append(response.status)
                        if response.getheader("Connection") == "close":
                            break
                except OSError as error:
                    lost.append(error)
                finally:
                    connection.close()

        clients = [threading.Thread(target=load) for _ in range(8)]
        for client in clients:
            client.start()
        time.sleep(0.3)
        code, lines, _ = server.stop()
        for client in clients:
            client.join()
        assert code == 0
        assert set(statuses) == {200}
        # Only who connects in the very moment in which the port closes may be reset, one a client at most.
        assert len(lost) <= len(clients), lost
        assert all(isinstance(error, ConnectionError) for error in lost), lost
        logged = len([line for line in lines if line["event"] == "request"])
        assert len(statuses) <= logged <= len(statuses) + len(lost)


def test_every_line_of_a_request_carries_its_id(data: Path) -> None:
    with running(
        data, KIBITZ_REDIS_URL="redis://:hidden-word@127.0.0.1:1/0", KIBITZ_DRAIN_SECONDS="0"
    ) as server:
        # What the evaluator looks at is asked of Redis and claimed there: two failures within the request.
        body = {**BODY, "evaluator": "heuri5"}
        server.ask("POST", "/analyze", body, {"X-Request-ID": "mine.1", "Authorization": "Bearer hidden-key"})
        _, lines, err = server.stop()
    mine = [line for line in lines if line.get("request_id") == "mine.1"]
    assert {line["event"] for line in mine} == {"cache_unavailable", "request"}
    assert "hidden" not in json.dumps(lines) + err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_stops_at_once(data: Path, workers: str) -> None:
    with running(data, KIBITZ_WORKERS=workers, KIBITZ_DRAIN_SECONDS="60") as server:
        code, lines, _ = server.stop(signal.SIGINT)  # waits for less than the drain would take
        assert code == 0
        assert all({"timestamp", "level", "logger", "event"} <= set(line) for line in lines)
        assert any(line["event"].startswith("Ready: 127.0.0.1:") for line in lines)


def test_two_workers_share_redis(data: Path, own_redis: Any) -> None:
    with running(
        data, KIBITZ_WORKERS="2", KIBITZ_REDIS_URL=own_redis.url, KIBITZ_DRAIN_SECONDS="0"
    ) as server:
        bodies, timings = set(), []
        for turn in range(20):
            with redis.Redis.from_url(own_redis.url) as raw:
                while turn and not raw.keys(PREFIX + "*"):  # it is stored soon, not at once
                    time.sleep(0.005)
            _, headers, body = server.ask("POST", "/analyze", BODY)
            bodies.add(body)
            timings.append(headers["server-timing"])
        assert len(bodies) == 1
        assert sum('desc="miss"' in timing for timing in timings) == 1


def test_equal_requests_to_two_workers_are_computed_once(data: Path, own_redis: Any) -> None:
    with running(
        data,
        KIBITZ_WORKERS="2",
        KIBITZ_REDIS_URL=own_redis.url,
        KIBITZ_REDIS_TIMEOUT_MS="1000",  # the machine may be busy, and this is not about time-outs
        KIBITZ_DRAIN_SECONDS="0",
    ) as server:
        bodies: list[bytes] = []
        start = threading.Barrier(20)
        body = {**BODY, "rack": "ADEFG??", "tiles": [], "top_n": 200, "evaluator": "heuri6"}

        def ask() -> None:
            start.wait()
            for _ in range(10):
                status, _, answer = server.ask("POST", "/analyze", body)
                assert status == 200
                bodies.append(answer)

        threads = [threading.Thread(target=ask) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(bodies) == 200
        assert len(set(bodies)) == 1
        assert b'kibitz_answers_total{source="computed"} 1.0\n' in server.ask("GET", "/metrics")[2]


def test_an_unknown_setting_is_told_at_once(data: Path) -> None:
    server = Server(data, KIBITZ_THREAD="3")
    code, lines, err = server.result()
    assert (code, lines) == (2, [])
    assert "KIBITZ_THREAD is no setting of kibitz; did you mean KIBITZ_THREADS?" in err
    assert "Traceback" not in err


def test_an_unknown_lexicon_is_told_without_a_traceback(data: Path) -> None:
    server = Server(data, KIBITZ_LEXICON="nowhere")
    code, lines, err = server.result()
    assert code != 0
    assert "there is no lexicon 'nowhere'" in err
    assert "Traceback" not in f"{lines}{err}"


def test_a_flipped_byte_is_refused_by_a_start_with_full_verification(data: Path, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    damaged = bytearray((data / "tables" / "small.kibitz").read_bytes())
    damaged[len(damaged) // 2] ^= 4
    (tmp_path / "tables" / "small.kibitz").write_bytes(damaged)
    TableFile.open(tmp_path / "tables" / "small.kibitz").close()  # the cheap check does not see it
    server = Server(tmp_path, KIBITZ_VERIFY="1")
    code, lines, err = server.result()
    assert code != 0
    assert "kibitz lexicon build" in err
    assert "Traceback" not in f"{lines}{err}"


def test_a_port_that_is_taken_is_told_at_once(data: Path) -> None:
    with running(data) as server:
        command = [sys.executable, "-c", "from service.cli import main; main()", "serve"]
        done = subprocess.run(
            [*command, "--port", str(server.port)],
            env={**os.environ, "KIBITZ_DATA": str(data)},
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"Error: port {server.port} of 127.0.0.1: Address already in use; "
        "choose another with --port or KIBITZ_PORT"
    )
