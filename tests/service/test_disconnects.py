"""Disconnected clients: a search stops when all clients that wait for it have disconnected."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask

from service.disconnects import POLL_SECONDS, on_disconnect, until_disconnect
from service.resources import examples
from service.single_flight import SingleFlight
from tests.service.nginx import nginx_before
from tests.service.serving import PATIENCE, running, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Deadline
    from tests.service.serving import Server

GAME = Path(__file__).parents[1] / "annotation" / "golden" / "game0.gcg"
RACK = {"tiles": [], "rack": "CABDEFE", "top_n": 2}

LONG_ENDGAME = (
    "6MOO1VIRLS/1EJECTA6A1/2I2AEON4R1/2BAH6X1N1/2SLID4GIFTS/4DONG1OR1R1i/7HOURLY1Z/FE4DINT1A2Y/RECLINE2I1N3/"
    "EW1ATAP2E1G3/M10U3/D3PATOOTIE3/15/15/15 ?AEEKSU/BEIQUVW 276/321 0"
)
"""It takes the solver more than ten seconds."""

JOINING = 0.5
"""Seconds, far more than a thread needs until it waits for another's result."""

# The longest simulation of each turn that is no job.
ANNOTATED = {"iterations": 600, "candidates": 10, "plies": 2}


def simulation(seed: int, iterations: int = 200_000) -> dict[str, Any]:
    """Return a request that computes until its deadline, with the default number of iterations."""
    plan = {"iterations": iterations, "candidates": 100, "plies": 10, "method": "monte_carlo"}
    return {**RACK, "simulate": plan, "seed": seed, "max_ms": 59_000}


@contextmanager
def request_of(connection: socket.socket | None) -> Iterator[None]:
    """Enter a request that came over this connection."""
    environ = {} if connection is None else {"gunicorn.socket": connection}
    with Flask("test").test_request_context(environ_base=environ):
        yield


@pytest.fixture
def pairs() -> Iterator[list[tuple[socket.socket, socket.socket]]]:
    """Connections: the server's end and the client's."""
    pairs = [socket.socketpair() for _ in range(4)]
    yield pairs
    for pair in pairs:
        for end in pair:
            end.close()


class TestOnDisconnect:
    @pytest.mark.parametrize("how", ["close", "shutdown"])
    def test_it_calls_back_once(self, pairs: list[tuple[socket.socket, socket.socket]], how: str) -> None:
        (ours, theirs), calls = pairs[0], []
        with request_of(ours), on_disconnect(lambda: calls.append(1)):
            theirs.sendall(b"the next request")  # unread data is not a disconnect
            time.sleep(2 * POLL_SECONDS)
            assert calls == []
            if how == "close":
                theirs.close()
            else:
                theirs.shutdown(socket.SHUT_WR)
            wait_until(lambda: bool(calls))
            time.sleep(2 * POLL_SECONDS)
        assert calls == [1]

    def test_who_disconnects_later_is_not_noticed(
        self, pairs: list[tuple[socket.socket, socket.socket]]
    ) -> None:
        (ours, theirs), calls = pairs[0], []
        with request_of(ours), on_disconnect(lambda: calls.append(1)):
            pass
        theirs.close()
        time.sleep(2 * POLL_SECONDS)
        assert calls == []

    def test_a_request_may_watch_twice(self, pairs: list[tuple[socket.socket, socket.socket]]) -> None:
        (ours, theirs), calls = pairs[0], []
        with request_of(ours), on_disconnect(lambda: calls.append("outer")):
            with on_disconnect(lambda: calls.append("inner")):
                pass
            theirs.close()
            wait_until(lambda: bool(calls))
        assert calls == ["outer"]

    def test_without_a_connection_nothing_is_watched(self) -> None:
        with on_disconnect(lambda: pytest.fail("called back")):
            pass
        with request_of(None), on_disconnect(lambda: pytest.fail("called back")):
            pass

    def test_chunks_end_with_the_connection(self, pairs: list[tuple[socket.socket, socket.socket]]) -> None:
        ours, theirs = pairs[0]
        with request_of(ours):
            chunks = until_disconnect(iter([b"1", b"2", b"3"]))
        assert next(chunks) == b"1"
        assert next(chunks) == b"2"
        theirs.close()
        assert list(chunks) == []
        with request_of(None):
            assert list(until_disconnect(iter([b"1", b"2"]))) == [b"1", b"2"]


class Computation:
    """Compute until cut or released, and return which of both."""

    def __init__(self) -> None:
        self.begun, self.release = threading.Event(), threading.Event()
        self.calls = 0

    def __call__(self, deadline: Deadline) -> str:
        self.calls += 1
        self.begun.set()
        while not deadline.passed and not self.release.wait(0.005):
            pass
        return "cut" if deadline.passed else "complete"


class TestSingleFlight:
    def start(
        self,
        flights: SingleFlight[str],
        compute: Computation,
        connection: socket.socket | None,
        results: list[tuple[str, bool]],
    ) -> threading.Thread:
        def run() -> None:
            with request_of(connection):
                results.append(flights.do("key", compute))

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def test_simultaneous_calls_compute_once(self) -> None:
        flights: SingleFlight[str] = SingleFlight()
        compute, results = Computation(), list[tuple[str, bool]]()
        threads = [self.start(flights, compute, None, results)]
        assert compute.begun.wait(PATIENCE)
        threads += [self.start(flights, compute, None, results) for _ in range(3)]
        time.sleep(JOINING)
        compute.release.set()
        for thread in threads:
            thread.join()
        assert sorted(results) == [("complete", False)] + [("complete", True)] * 3
        assert compute.calls == 1

    def test_other_keys_and_later_calls_compute_again(self) -> None:
        flights: SingleFlight[str] = SingleFlight()
        done = [flights.do(key, lambda _, key=key: key * 2) for key in ("a", "b", "a")]  # type: ignore[misc]
        assert done == [("aa", False), ("bb", False), ("aa", False)]

    def test_an_error_reaches_all_callers_and_is_forgotten(self) -> None:
        flights: SingleFlight[int] = SingleFlight()
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                flights.do("key", lambda _: 1 // 0)
        assert flights.do("key", lambda _: 1) == (1, False)

    def test_it_is_cut_when_the_last_client_disconnects(
        self, pairs: list[tuple[socket.socket, socket.socket]]
    ) -> None:
        flights: SingleFlight[str] = SingleFlight()
        first, second = Computation(), Computation()
        results: list[tuple[str, bool]] = []
        threads = [self.start(flights, first, pairs[0][0], results)]
        assert first.begun.wait(PATIENCE)
        threads.append(self.start(flights, second, pairs[1][0], results))
        time.sleep(JOINING)
        pairs[0][1].close()
        time.sleep(2 * POLL_SECONDS)
        assert results == [], "the second client waits for it still"
        pairs[1][1].close()
        for thread in threads:
            thread.join(PATIENCE)
        assert sorted(results) == [("cut", False), ("cut", True)]
        assert second.calls == 0

    def test_a_client_that_comes_after_the_cut_gets_a_complete_result(
        self, pairs: list[tuple[socket.socket, socket.socket]]
    ) -> None:
        flights: SingleFlight[str] = SingleFlight()
        later = Computation()
        later.release.set()
        cut = threading.Event()
        results: list[tuple[str, bool]] = []

        def stop_slowly(deadline: Deadline) -> str:
            wait_until(lambda: deadline.passed)
            cut.set()
            time.sleep(0.3)
            return "cut"

        def run() -> None:
            with request_of(pairs[0][0]):
                results.append(flights.do("key", stop_slowly))

        thread = threading.Thread(target=run)
        thread.start()
        pairs[0][1].close()
        assert cut.wait(PATIENCE)
        assert flights.do("key", later) == ("complete", False)
        thread.join()
        assert results == [("cut", False)]

    def test_without_a_connection_a_caller_stays(
        self, pairs: list[tuple[socket.socket, socket.socket]]
    ) -> None:
        flights: SingleFlight[str] = SingleFlight()
        compute, results = Computation(), list[tuple[str, bool]]()
        threads = [self.start(flights, compute, None, results)]
        assert compute.begun.wait(PATIENCE)
        threads.append(self.start(flights, compute, pairs[0][0], results))
        time.sleep(JOINING)
        pairs[0][1].close()
        time.sleep(2 * POLL_SECONDS)
        compute.release.set()
        for thread in threads:
            thread.join()
        assert sorted(results) == [("complete", False), ("complete", True)]


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with running(data, KIBITZ_SEARCHES="2", KIBITZ_CACHE_BYTES="0", KIBITZ_SYNC_MS="60000") as started:
        yield started


def begin(server: Server, path: str, body: Any) -> HTTPConnection:
    """Send a request and do not wait for its answer."""
    connection = server.connect()
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    return connection


def searches(server: Server) -> float:
    return server.metric("kibitz_searches_running")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/analyze", simulation(40)),
        ("/analyze", {"cgp": LONG_ENDGAME, "endgame": {"nodes": 10**9}, "max_ms": 59_000}),
        ("/analyze", {**examples.BY_PREENDGAME, "preendgame": {"nodes": 10**9}, "max_ms": 59_000}),
        ("/games/annotate", {"gcg": GAME.read_text("utf-8"), "lexicon": "small", "simulate": ANNOTATED}),
    ],
    ids=["simulation", "endgame", "preendgame", "annotation"],
)
def test_a_search_stops_when_its_client_disconnects(server: Server, path: str, body: Any) -> None:
    """Long before its deadline: a search of 59 seconds that ran on would be seen here."""
    connection = begin(server, path, body)
    wait_until(lambda: searches(server) == 1)
    connection.close()
    wait_until(lambda: searches(server) == 0, 15)


def test_a_proxy_closes_the_connection_of_a_client_that_has_gone(server: Server, tmp_path: Path) -> None:
    with nginx_before(tmp_path, server.port) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request(
            "POST", "/analyze", json.dumps(simulation(43)), {"Content-Type": "application/json"}
        )
        wait_until(lambda: searches(server) == 1)
        connection.close()
        wait_until(lambda: searches(server) == 0, 15)


def test_a_client_that_stays_gets_the_complete_answer(server: Server) -> None:
    body = {**simulation(41, iterations=20_000), "max_ms": 60_000}
    body["simulate"] |= {"candidates": 5, "plies": 4}
    leaving, staying = begin(server, "/analyze", body), begin(server, "/analyze", body)
    wait_until(lambda: server.metric("kibitz_requests_in_flight") == 3)
    leaving.close()
    found = json.loads(staying.getresponse().read())
    staying.close()
    assert found["provenance"]["stopped_by"] != "deadline"
    gone = begin(server, "/analyze", body)
    wait_until(lambda: searches(server) == 1)
    gone.close()
    assert json.loads(server.ask("POST", "/analyze", body)[2]) == found
