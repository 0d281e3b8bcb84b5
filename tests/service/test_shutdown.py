"""The end of the service: drained, interrupted, or stopped while it builds a table."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from engine.lexicon.store import TableFile
from tests.service.serving import (
    PATIENCE,
    ROOT,
    SERVE,
    Server,
    environment,
    free_port,
    on_terminal,
    running,
    wait_until,
)

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

BODY = {
    "tiles": [{"at": "8G", "letter": "C"}, {"at": "8H", "letter": "A"}, {"at": "8I", "letter": "B"}],
    "rack": "ADEFS",
}
JSON = {"Content-Type": "application/json"}


def answers(port: int) -> bool:
    """Return whether a server on this port answers /livez."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
        connection.sendall(b"GET /livez HTTP/1.0\r\n\r\n")
        return b" 200 " in connection.recv(100)
    return False


def is_refused(port: int) -> bool:
    """Return whether nothing listens on this port any more."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=20).close()
    except ConnectionError as error:
        return isinstance(error, ConnectionRefusedError)
    return False


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_sigterm_fails_readyz_first_and_then_finishes_requests_in_flight(data: Path, workers: str) -> None:
    with running(data, KIBITZ_WORKERS=workers, KIBITZ_DRAIN_SECONDS="2") as server:
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: server.ask("GET", "/readyz")[0] == 503)
        status, headers, body = server.ask("GET", "/readyz")
        assert (status, json.loads(body)["code"], headers["retry-after"]) == (503, "draining", "5")
        assert server.ask("GET", "/livez")[0] == 200
        assert server.ask("POST", "/analyze", BODY)[0] == 200
        # A request that is half sent when the port closes is answered all the same.
        connection = server.connect()
        payload = json.dumps(BODY).encode()
        connection.putrequest("POST", "/analyze")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(payload)))
        connection.endheaders(payload[:5])
        wait_until(lambda: not answers(server.port))
        connection.send(payload[5:])
        response = connection.getresponse()
        assert response.status == 200
        assert response.read()
        connection.close()
        assert server.result()[0] == 0


@pytest.mark.parametrize("workers", ["2", pytest.param("1", marks=pytest.mark.slow)])
def test_a_load_loses_nothing_when_the_server_drains(data: Path, workers: str) -> None:
    """Clients keep connections open, and connect again when an answer or the server closes one."""
    with running(data, KIBITZ_WORKERS=workers, KIBITZ_DRAIN_SECONDS="0.5") as server:
        statuses: list[int] = []
        lost: list[Exception] = []

        def load() -> None:
            while True:
                connection = server.connect()
                try:
                    connection.connect()
                except OSError:
                    return  # the port is closed: a balancer would use another server
                try:
                    for _ in range(50):
                        connection.request("POST", "/analyze", json.dumps(BODY), JSON)
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
        wait_until(lambda: len(statuses) > 100)
        code, lines, _ = server.stop()
        for client in clients:
            client.join()
        assert code == 0
        assert set(statuses) == {200}
        # Only a connection opened at the moment the port closes may be reset, one a client at most.
        assert len(lost) <= len(clients), lost
        assert all(isinstance(error, ConnectionError) for error in lost), lost
        logged = len([line for line in lines if line["event"] == "request" and line["path"] == "/analyze"])
        assert len(statuses) <= logged <= len(statuses) + len(lost)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_after_the_drain_clients_are_refused_while_a_request_is_in_flight(data: Path, workers: str) -> None:
    """They can turn to another server at once; connected, they would wait for that request and be reset."""
    with running(data, KIBITZ_WORKERS=workers) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as half:
            half.sendall(b"POST /analyze HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")
            wait_until(lambda: server.metric("kibitz_requests_in_flight") > 1)
            server.process.send_signal(signal.SIGTERM)
            wait_until(lambda: is_refused(server.port))
            assert all(is_refused(server.port) for _ in range(16))
        assert server.result()[0] == 0


def test_a_second_sigterm_stops_at_once(data: Path) -> None:
    with running(data, KIBITZ_DRAIN_SECONDS="300") as server:
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: server.ask("GET", "/readyz")[0] == 503)
        assert server.stop()[0] == 0


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_ctrl_c_stops_at_once(data: Path, workers: str) -> None:
    with running(data, KIBITZ_WORKERS=workers, KIBITZ_DRAIN_SECONDS="300") as server:
        code, lines, err = server.stop(signal.SIGINT)
        assert (code, err) == (0, "")
        assert all({"timestamp", "level", "component", "event"} <= set(line) for line in lines)
        assert any(line["event"].startswith("Listening at: http://127.0.0.1:") for line in lines)


def test_ctrl_c_in_a_terminal_shows_no_traceback(data: Path) -> None:
    """The terminal signals every process, and the master its workers once more, while they end."""
    for _ in range(3):
        with running(data) as server:
            with ThreadPoolExecutor(8) as threads:
                assert set(threads.map(lambda _: server.ask("GET", "/boards")[0], range(16))) == {200}
            os.killpg(server.process.pid, signal.SIGINT)
            assert server.result()[::2] == (0, "")


def test_a_closed_terminal_stops_the_server(data: Path) -> None:
    with on_terminal(data) as (process, port, _):
        wait_until(lambda: answers(port))
        process.send_signal(signal.SIGHUP)
        assert process.wait(60) == 0


def test_under_nohup_it_outlives_its_terminal_and_its_parent(data: Path) -> None:
    port = free_port()
    begin = f"nohup {sys.executable} -c '{SERVE}' serve --port {port} < /dev/null > /dev/null 2>&1 & echo $!"
    shell = subprocess.run(
        ["sh", "-c", begin], cwd=ROOT, env=environment(data), capture_output=True, check=True
    )
    number = int(shell.stdout)
    try:
        wait_until(lambda: answers(port))
        os.kill(number, signal.SIGHUP)  # to gunicorn: replace the workers, gracefully
        time.sleep(1.2)  # a worker looks for its parent every second
        wait_until(lambda: answers(port))
        os.kill(number, signal.SIGTERM)
        wait_until(lambda: not answers(port))
    finally:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def test_workers_end_with_a_killed_master(data: Path) -> None:
    with running(data, KIBITZ_WORKERS="2") as server:
        wait_until(lambda: len(server.workers()) == 2)
        server.process.kill()
        wait_until(lambda: not answers(server.port))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stopped_while_it_builds_a_table_it_leaves_a_complete_one_or_none(
    tmp_path: Path, number: int
) -> None:
    server = Server(tmp_path, KIBITZ_LEXICON="scowl80")
    try:
        wait_until((tmp_path / "tables").exists)
        os.killpg(server.process.pid, number)  # a terminal and systemd signal the whole group
        code, lines, err = server.result()
    finally:
        server.kill()
    assert code in (-number, 130)
    assert [line for line in lines if line["level"] == "error"] == []
    assert "Traceback" not in err
    for left in (tmp_path / "tables").iterdir():
        if left.suffix not in (".lock", ".tmp"):
            TableFile.open(left).close()


STOPPED_BEFORE_IT_BEGAN = """
import os, signal, sys, time
from types import SimpleNamespace
from service import gunicorn_conf

gunicorn_conf.when_ready(SimpleNamespace(pid=os.getpid(), LISTENERS=(), signal=lambda number, frame: None))
worker = os.fork()
if not worker:
    gunicorn_conf.post_fork(None, None)
    signal.raise_signal(int(sys.argv[1]))
    os._exit(1)
print(os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT], ids=lambda n: n.name)
def test_a_worker_ends_when_it_is_stopped_before_it_has_begun(number: signal.Signals) -> None:
    """It has only the handlers of the master then, which would leave the signal unread for 30 seconds."""
    script = [sys.executable, "-c", STOPPED_BEFORE_IT_BEGAN, str(int(number))]
    assert subprocess.run(script, capture_output=True, text=True, check=True).stdout == "0\n"


SIGNAL_IN_SUBMIT = """
import os, signal, threading
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import MagicMock
from gunicorn.workers.gthread import ThreadWorker
from service import gunicorn_conf

worker = MagicMock()
worker.tpool = ThreadPoolExecutor(1)
signal.signal(signal.SIGQUIT, lambda *_: ThreadWorker.handle_quit(worker, *_))  # as gunicorn sets it
gunicorn_conf.post_worker_init(worker)
threading.Thread.start = lambda thread: os.kill(os.getpid(), signal.SIGQUIT)
worker.tpool.submit(print)
"""


def test_a_worker_ends_whose_thread_pool_is_taking_a_request(data: Path) -> None:
    """SIGQUIT comes while `submit` holds the lock of the pool."""
    ended = subprocess.run(
        [sys.executable, "-c", SIGNAL_IN_SUBMIT],
        cwd=ROOT,
        env=environment(data),
        timeout=PATIENCE,
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
