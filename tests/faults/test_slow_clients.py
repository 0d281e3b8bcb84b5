"""Four hundred clients that send or read slowly, with nginx in front and without."""

from __future__ import annotations

import http.client
import json
import select
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from service.settings import Settings
from tests.faults.load import Load
from tests.service.nginx import nginx_before
from tests.service.serving import running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.faults.questions import Question

pytestmark = pytest.mark.process

SLOW = 400
HEAD = b"POST /analyze HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
LARGE = json.dumps({"tiles": [], "rack": "ADEFG??", "top_n": 200, "evaluator": "greedy"}).encode()
BEGUN = (
    (HEAD, b"X"),  # heads that never end
    (HEAD + b"Content-Length: 60000\r\n\r\n{", b" "),  # bodies that never end
    (
        HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(LARGE), LARGE),
        b"",
    ),  # an answer that the client does not read
)


class SlowClients:
    """Hold connections on which a byte is sent now and then; make new ones for those that are closed."""

    def __init__(self, port: int, number: int, kinds: int, every: float) -> None:
        self.port, self.every = port, every
        self.reopened = 0
        self._kinds = kinds
        self._stopping = threading.Event()
        self._sockets = [self._open(place) for place in range(number)]
        self._thread = threading.Thread(target=self._trickle)
        self._thread.start()

    def _open(self, place: int) -> socket.socket:
        peer = socket.socket()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # for those who do not read
        peer.settimeout(20)
        peer.connect(("127.0.0.1", self.port))
        peer.sendall(BEGUN[place % self._kinds][0])
        return peer

    def _trickle(self) -> None:
        while not self._stopping.wait(self.every):
            for place, peer in enumerate(self._sockets):
                more = BEGUN[place % self._kinds][1]
                try:
                    closed = bool(more) and bool(select.select([peer], [], [], 0)[0])
                    peer.sendall(more)
                except OSError:
                    closed = True
                if closed and not self._stopping.is_set():
                    peer.close()
                    self._sockets[place] = self._open(place)
                    self.reopened += 1

    def close(self) -> None:
        """End all connections."""
        self._stopping.set()
        self._thread.join()
        for peer in self._sockets:
            peer.close()


@contextmanager
def slow_clients(
    port: int, number: int, *, kinds: int = len(BEGUN), every: float = 0.5
) -> Iterator[SlowClients]:
    clients = SlowClients(port, number, kinds, every)
    try:
        yield clients
    finally:
        clients.close()


@pytest.mark.parametrize("seconds", [2.0, pytest.param(25.0, marks=pytest.mark.slow)])
def test_behind_nginx_slow_clients_do_no_harm(
    data: Path,
    tmp_path: Path,
    asked: list[Question],
    seconds: float,
    fault_row: Callable[[str, int, str], None],
) -> None:
    """After 10 seconds nginx ends the first ones, who come again.

    Were they to hold the server's threads, the others would be lost: they wait for 30 seconds at most.
    """
    with (
        running(data, KIBITZ_THREADS="8") as server,
        nginx_before(tmp_path, server.port) as port,
    ):
        with Load(lambda: port, asked, clients=2, pause=0.02) as alone:
            alone.wait_for(len(asked))
        with slow_clients(port, SLOW) as slow, Load(lambda: port, asked, clients=2, pause=0.02) as load:
            load.wait_for(1)
            time.sleep(seconds)
            load.wait_for(len(asked))
            reopened = slow.reopened
        tally = load.tally
        fault_row(
            f"{SLOW} slow connections behind nginx for {seconds:.0f} s, 2 clients beside them",
            tally.requests,
            f"{len(tally.lost) + len(tally.wrong)}; slowest answer {1000 * tally.slowest:.0f} ms "
            f"(without them {1000 * alone.tally.slowest:.0f} ms), {reopened} ended by nginx",
        )
        assert tally.lost == []
        assert tally.wrong == []


def test_behind_nginx_slow_bodies_reach_no_thread(data: Path, tmp_path: Path) -> None:
    """With the default settings, and more of them than the service has threads."""
    with (
        running(data) as server,
        nginx_before(tmp_path, server.port) as port,
        slow_clients(port, 2 * Settings().threads, kinds=2),
    ):
        proxy = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        for _ in range(20):
            proxy.request("GET", "/livez")
            response = proxy.getresponse()
            assert (response.status, response.read()) == (200, b'{"status":"ok"}')
        proxy.close()
        assert server.metric("kibitz_requests_in_flight") == 1, "that of /metrics alone"


def test_without_nginx_as_many_slow_clients_as_threads_stop_the_service(
    data: Path, asked: list[Question], fault_row: Callable[[str, int, str], None]
) -> None:
    """Why the runbook puts a proxy in front; when they leave, the service answers again."""
    with running(data, KIBITZ_THREADS="8") as server:
        with Load(lambda: server.port, asked, clients=1) as load:
            load.wait_for(len(asked))
        with slow_clients(server.port, 16, kinds=2, every=0.2):
            connection = server.connect()
            connection.timeout = 1.0
            connection.request("GET", "/livez")
            with pytest.raises(TimeoutError):
                connection.getresponse()
            connection.close()
        with Load(lambda: server.port, asked, clients=1) as again:
            again.wait_for(len(asked))
        fault_row(
            "16 slow connections without nginx, 8 threads",
            1 + load.tally.requests + again.tally.requests,
            "1: no answer while they were there, answers when they had left",
        )
        assert again.tally.lost == []
        assert again.tally.wrong == []
