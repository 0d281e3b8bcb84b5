"""Clients who leave: what was done for them alone stops within a second, what others wait for goes on."""

from __future__ import annotations

import json
import socket
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from service.protection import audience
from service.protection.audience import Audience, has_gone, while_present
from service.resources import examples
from tests.service.long_work import ASYNC, RACK, endless, search
from tests.service.nginx import nginx_before
from tests.service.serving import running, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.service.serving import Server


GAME = Path(__file__).parents[1] / "annotation" / "golden" / "game0.gcg"


class Guests:
    """Stand-ins for clients: each has a connection, and may wait for work in a thread of its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._here = threading.local()
        self.ends: list[socket.socket] = []
        monkeypatch.setattr(audience, "connection", lambda: getattr(self._here, "socket", None))

    def enter(self) -> socket.socket:
        """Give this thread a client; return the client's own end."""
        self._here.socket, theirs = socket.socketpair()
        self.ends += [self._here.socket, theirs]
        return theirs

    def leave(self) -> None:
        for end in self.ends:
            end.close()


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> Iterator[Guests]:
    found = Guests(monkeypatch)
    yield found
    found.leave()


class TestAudience:
    def test_work_is_cut_when_the_last_has_gone(self, guests: Guests) -> None:
        known = Audience()
        first = guests.enter()
        with known.waiting("a") as work:
            deadline = work.deadline()
            second = guests.enter()
            with known.waiting("a") as same:
                assert same is work
                first.close()
                time.sleep(2 * audience.LOOK_SECONDS)
                assert not deadline.passed
                second.shutdown(socket.SHUT_WR)
                wait_until(lambda: deadline.passed, 5)
                assert work.deadline().passed, "what has not begun does not begin"
                guests.enter()
                with known.waiting("a") as other:  # whoever comes now gets an answer of their own
                    assert other.name != work.name
                    assert not other.deadline().passed
        with known.waiting("a") as later:
            assert later.name not in (work.name, other.name)

    def test_who_is_answered_leaves_nothing_behind(self, guests: Guests) -> None:
        known = Audience()
        for key in ("a", None, "a", None):
            theirs = guests.enter()
            with known.waiting(key) as work:
                pass
            theirs.close()
            time.sleep(0.01)
            assert not work.deadline().passed
        assert not known._works
        assert not known._clients

    def test_without_a_connection_one_is_always_there(self, guests: Guests) -> None:
        known = Audience()
        with known.waiting("a") as work:
            theirs = guests.enter()
            with known.waiting("a"):
                theirs.close()
                wait_until(lambda: not known._clients, 5)
                assert not work.deadline().passed

    def test_the_thread_ends_when_there_is_nothing_to_see(
        self, guests: Guests, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(audience, "IDLE_SECONDS", 0.01)
        known = Audience()
        for _ in range(2):
            theirs = guests.enter()
            with known.waiting("a") as work:
                deadline = work.deadline()
                theirs.close()
                wait_until(lambda: deadline.passed, 5)  # noqa: B023 - at once
            wait_until(lambda: not known._watching, 5)

    def test_pieces_end_with_their_reader(self, guests: Guests) -> None:
        theirs = guests.enter()
        pieces = while_present(iter([b"1", b"2", b"3"]))
        theirs.sendall(b"more to ask")  # what is not read yet is no sign of leaving
        assert next(pieces) == b"1"
        assert not has_gone(audience.connection())
        theirs.close()
        assert list(pieces) == []
        assert not has_gone(None)


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with running(data, KIBITZ_HEAVY_AT_ONCE="2", KIBITZ_CACHE_BYTES="0", KIBITZ_SYNC_MS="60000") as started:
        yield started


def begin(server: Server, path: str, body: Any) -> HTTPConnection:
    """Send a request and do not wait for its answer."""
    connection = server.connect()
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    return connection


def busy(server: Server) -> float:
    return server.metric("kibitz_heavy_running")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/analyze", {**endless(40), "max_ms": 60_000}),
        (
            "/analyze",
            {**examples.BY_ENDGAME, "endgame": {"method": "bstar", "nodes": 10**9}, "max_ms": 60_000},
        ),
        ("/analyze", {**examples.BY_PREENDGAME, "preendgame": {"nodes": 10**9}, "max_ms": 60_000}),
        ("/games/annotate", {"gcg": GAME.read_text("utf-8"), "simulate": {"iterations": 2_000}}),
    ],
    ids=["simulation", "endgame", "preendgame", "annotation"],
)
def test_a_search_stops_when_its_client_has_gone(server: Server, path: str, body: Any) -> None:
    connection = begin(server, path, body)
    wait_until(lambda: busy(server) == 1)
    time.sleep(0.3)
    assert busy(server) == 1
    connection.close()
    wait_until(lambda: busy(server) == 0)


def test_a_proxy_tells_that_the_client_has_gone(server: Server, tmp_path: Path) -> None:
    with nginx_before(server.port, tmp_path) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=20)
        body = json.dumps({**endless(43), "max_ms": 60_000})
        connection.request("POST", "/analyze", body, {"Content-Type": "application/json"})
        wait_until(lambda: busy(server) == 1)
        connection.close()
        wait_until(lambda: busy(server) == 0)


def test_who_stays_gets_the_whole_answer(server: Server) -> None:
    body = search(41, iterations=20_000)
    leaving, staying = begin(server, "/analyze", body), begin(server, "/analyze", body)
    wait_until(lambda: busy(server) == 2)
    leaving.close()
    time.sleep(2 * audience.LOOK_SECONDS)
    assert busy(server) == 2, "the one who left has a thread that waits still"
    found = json.loads(staying.getresponse().read())
    staying.close()
    assert found["provenance"]["stopped_by"] != "deadline"
    gone = begin(server, "/analyze", body)
    wait_until(lambda: busy(server) == 1)
    gone.close()
    again = json.loads(server.ask("POST", "/analyze", body)[2])
    assert again == found


def test_a_stream_of_events_ends_with_its_reader(server: Server) -> None:
    address = server.ask(
        "POST", "/analyze", json.dumps(endless(42)), {"Content-Type": "application/json", **ASYNC}
    )
    location = address[1]["location"]
    for _ in range(2):  # there is room for one stream
        connection = server.connect()
        connection.request("GET", location + "/events")
        response = connection.getresponse()
        assert response.status == 200
        assert response.readline() == b"retry: 2000\n"
        left = time.monotonic()
        response.close()
        connection.close()
        wait_until(lambda: server.metric("kibitz_requests_in_flight") == 1)
        wait_until(lambda: server.ask("POST", "/analyze", RACK)[0] == 200)
        time.sleep(max(0.0, left + 0.8 - time.monotonic()))
    assert server.ask("DELETE", location)[0] == 200
