"""The service over HTTP: `kibitz serve`, gunicorn and sockets."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.service.serving import (
    PATIENCE,
    ROOT,
    SERVE,
    Server,
    environment,
    on_terminal,
    running,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask.testing import FlaskClient

    from tests.service.redis_server import RedisServer

BODY = {
    "tiles": [{"at": "8G", "letter": "C"}, {"at": "8H", "letter": "A"}, {"at": "8I", "letter": "B"}],
    "rack": "ADEFS",
}
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with running(data) as started:
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


def test_a_connection_stays_open(server: Server) -> None:
    connection = server.connect()
    connection.connect()
    port = connection.sock.getsockname()[1]
    for _ in range(3):
        connection.request("POST", "/analyze", json.dumps(BODY), JSON)
        response = connection.getresponse()
        assert response.status == 200
        response.read()
        assert connection.sock.getsockname()[1] == port
    connection.close()


def test_an_answer_that_the_client_has_is_304(server: Server) -> None:
    path = "/analyze?cgp=15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15%20ADE/%200/0%200"
    status, headers, _ = server.ask("GET", path)
    assert status == 200
    status, again, body = server.ask("GET", path, headers={"If-None-Match": headers["etag"]})
    assert (status, body, again["etag"]) == (304, b"", headers["etag"])


def refused(
    connection: http.client.HTTPConnection, path: str, body: Any, **options: Any
) -> tuple[int, str, bool]:
    """Send a body that is refused; return status, code, and whether the connection was open afterwards."""
    connection.request("POST", path, body, JSON, **options)
    response = connection.getresponse()
    problem = json.loads(response.read())
    assert response.getheader("Content-Type") == "application/problem+json"
    assert problem["status"] == response.status
    return response.status, problem["code"], response.getheader("Connection") != "close"


@pytest.mark.parametrize("megabytes", [0.3, 1.5, 8, 9, 20])
@pytest.mark.parametrize(("path", "status", "code"), [
    ("/analyze", 413, "body_too_large"),
    ("/nowhere", 404, "not_found"),
    ("/livez", 405, "method_not_allowed"),
])  # fmt: skip
def test_a_refused_body_gets_its_complete_answer_and_a_true_connection_header(
    server: Server, megabytes: float, path: str, status: int, code: str
) -> None:
    connection = server.connect()
    for _ in range(2):
        found = refused(connection, path, b" " * int(megabytes * (1 << 20)))
        assert found == (status, code, megabytes <= 8)
        if not found[2]:
            break
        port = connection.sock.getsockname()[1]
        connection.request("GET", "/livez")
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b'{"status":"ok"}')
        assert connection.sock.getsockname()[1] == port, "http.client connects again if it has to"
    connection.close()


@pytest.mark.parametrize("length", [0, 2, 300_000])
def test_a_chunked_body_gets_its_411(server: Server, length: int) -> None:
    chunks = iter([b" " * 65_000] * (length // 65_000) + [b" " * (length % 65_000)])
    connection = server.connect()
    assert refused(connection, "/analyze", chunks, encode_chunked=True) == (411, "length_required", False)
    connection.close()


def test_what_will_not_be_read_is_not_waited_for(server: Server) -> None:
    """The answer and the end of the connection come while the client has sent one byte of its body."""
    head = ANALYZE + b"Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(head + b"{")
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert (response.status, response.getheader("Connection")) == (413, "close")
        assert json.loads(response.read())["code"] == "body_too_large"
        assert connection.recv(1) == b""


@pytest.mark.parametrize("method", ["POST", "GET"])
@pytest.mark.parametrize("path", ["/analyze", "/livez", "/nowhere"])
@pytest.mark.parametrize("chunks", [b"zz\r\n", b"2\r\n{}xy"], ids=["size", "end"])
def test_chunks_that_are_none_are_a_400(server: Server, method: str, path: str, chunks: bytes) -> None:
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    status, headers, problem = server.raw(head.encode() + chunks)
    assert (status, problem["code"], headers["connection"]) == (400, "malformed_body", "close")


ANALYZE = b"POST /analyze HTTP/1.1\r\nHost: x\r\n"
PROBLEMS = [
    (ANALYZE + b"Content-Type: application/json\r\n\r\n", 411, "length_required"),
    (b"TRACE /analyze HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method_not_allowed"),
    (b"GET /%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not_found"),
]


@pytest.mark.parametrize(("data_sent", "status", "code"), PROBLEMS)
def test_odd_requests_get_a_problem(server: Server, data_sent: bytes, status: int, code: str) -> None:
    got, headers, body = server.raw(data_sent)
    assert (got, body["code"]) == (status, code)
    assert headers["content-type"] == "application/problem+json"
    assert body["request_id"] == headers["x-request-id"]
    if status == 405:
        assert "POST" in headers["allow"]


# gunicorn refuses these itself, in HTML, before the application sees them.
NO_REQUESTS = [
    b"GARBAGE\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /livez HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /livez HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 200 + b"\r\n",
    b"GET /livez HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 20_000 + b"\r\n\r\n",
    ANALYZE + b"Content-Length: -1\r\n\r\n",
    ANALYZE + b"Content-Length: 1_0\r\n\r\n",
    ANALYZE + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
    ANALYZE + b"Transfer-Encoding: magic\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
]


@pytest.mark.parametrize("data_sent", NO_REQUESTS)
def test_what_is_no_request_is_refused_and_the_connection_closed(server: Server, data_sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(data_sent)
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert 400 <= response.status <= 501
        assert response.getheader("Connection") == "close"
        response.read()


def test_silent_and_dripping_clients_do_not_delay_others(server: Server) -> None:
    """60 connections on which nothing is sent, and 10 on which a byte of a body is sent now and then."""
    head = ANALYZE + b"Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"
    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(70)
        ]
        dripping = clients[60:]
        for client in dripping:
            client.sendall(head)
        slowest = 0.0
        for _ in range(20):
            for client in dripping:
                client.sendall(b" ")
            started = time.monotonic()
            assert server.ask("GET", "/livez")[0] == 200
            slowest = max(slowest, time.monotonic() - started)
            assert server.ask("POST", "/analyze", BODY)[0] == 200
        for client in dripping:
            client.setblocking(False)
            with pytest.raises(BlockingIOError):  # it is still open, and nothing has been answered
                client.recv(1)
    print(f"slowest /livez: {1000 * slowest:.1f} ms")


@pytest.mark.process
def test_every_line_of_a_request_carries_its_id(data: Path) -> None:
    with running(data, KIBITZ_REDIS_URL="redis://:hidden-word@127.0.0.1:1/0") as server:
        server.ask("POST", "/analyze", BODY, {"X-Request-ID": "mine.1", "Authorization": "Bearer hidden-key"})
        _, lines, err = server.stop()
    mine = [line for line in lines if line.get("request_id") == "mine.1"]
    assert {line["event"] for line in mine} == {"redis_unavailable", "request"}
    assert "hidden" not in json.dumps(lines) + err


@pytest.mark.process
def test_requests_are_logged_as_json(data: Path) -> None:
    with running(data) as server:
        server.ask("POST", "/analyze", BODY)
        server.ask("GET", "/nowhere")
        server.ask("GET", "/livez")
        _, lines, _ = server.stop()
    assert all({"timestamp", "level", "event"} <= set(line) for line in lines)
    requests = [line for line in lines if line["event"] == "request" and line["path"] != "/readyz"]
    assert [(line["method"], line["path"], line["status"]) for line in requests] == [
        ("POST", "/analyze", 200),
        ("GET", "/nowhere", 404),
    ], "a healthy probe is logged only at the level debug"
    assert requests[0]["cache"] == "miss"
    assert requests[0]["lexicon"] == "small"
    assert requests[0]["bytes"] > 0 < requests[0]["ms"]


@pytest.mark.process
def test_a_full_disk_under_the_log_loses_lines_and_no_request(data: Path) -> None:
    with running(data, wrapper=["sh", "-c", 'exec "$@" > /dev/full', "sh"]) as server:
        assert server.ask("POST", "/analyze", BODY)[0] == 200
        assert server.ask("GET", "/nowhere")[0] == 404


def test_workers_share_answers_in_redis(data: Path, own_redis: RedisServer) -> None:
    with running(
        data,
        KIBITZ_WORKERS="2",
        KIBITZ_REDIS_URL=own_redis.url,
    ) as server:
        searched = {**BODY, "simulate": {"iterations": 20, "candidates": 2}}
        found = [server.ask("POST", "/analyze", searched) for _ in range(20)]
    assert len({body for _, _, body in found}) == 1
    assert sum('desc="miss"' in headers["server-timing"] for _, headers, _ in found) == 1


@pytest.mark.process
def test_an_unknown_setting_ends_the_start(data: Path) -> None:
    code, lines, err = Server(data, KIBITZ_THREAD="30").result()
    assert (code, lines) == (2, [])
    assert "KIBITZ_THREAD is not a setting of kibitz; did you mean KIBITZ_THREADS?" in err
    assert "Traceback" not in err


@pytest.mark.process
def test_an_unknown_lexicon_ends_the_start_without_a_traceback(data: Path) -> None:
    code, lines, err = Server(data, KIBITZ_LEXICON="nowhere").result()
    assert code != 0
    assert "there is no lexicon 'nowhere'" in err
    assert "Traceback" not in f"{lines}{err}"


@pytest.mark.process
def test_a_port_that_is_taken_ends_the_start(data: Path) -> None:
    with running(data) as server:
        done = subprocess.run(
            [sys.executable, "-c", SERVE, "serve", "--port", str(server.port)],
            env={**os.environ, "KIBITZ_DATA": str(data)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"Error: port {server.port} of 127.0.0.1: Address already in use; "
        "choose another with --port or KIBITZ_PORT"
    )


@pytest.mark.process
def test_on_a_terminal_the_last_line_names_the_page_to_open(data: Path) -> None:
    with on_terminal(data) as (process, port, terminal):
        printed = ""
        while f"Open http://127.0.0.1:{port}/" not in printed.splitlines():
            printed += os.read(terminal, 10_000).decode()  # OSError at the end of the process
        assert "Booting worker" in printed
        process.terminate()
        assert process.wait(20) == 0


@pytest.mark.process
def test_a_unix_socket_is_removed_at_the_end(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "kibitz.sock"
    server = Server(data, KIBITZ_HOST=f"unix:{path}")
    try:
        wait_until(path.exists)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
            connection.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
            assert b" 200 " in connection.recv(100)
        assert server.stop()[0] == 0
        assert not path.exists()
    finally:
        server.kill()


@pytest.mark.process
def test_a_socket_of_systemd_is_used(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        # As systemd does: the socket is descriptor 3, and LISTEN_PID is the process's own id.
        given = f"import os; os.dup2({listener.fileno()}, 3); os.environ['LISTEN_PID'] = str(os.getpid())"
        process = subprocess.Popen(
            [sys.executable, "-c", f"{given}; {SERVE}", "serve", "--port", str(port)],
            cwd=ROOT,
            env={**environment(data), "LISTEN_FDS": "1"},
            pass_fds=(listener.fileno(),),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(b"GET /livez HTTP/1.0\r\n\r\n")
        assert b" 200 " in connection.recv(100)
    process.terminate()
    assert process.communicate(timeout=PATIENCE)[1] == b""
    assert process.returncode == 0
