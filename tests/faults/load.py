"""Clients that keep a server busy and check every byte of its answers."""

from __future__ import annotations

import http.client
import select
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from tests.faults.questions import Question

JSON = {"Content-Type": "application/json"}

ROOM = {"KIBITZ_SEARCHES": "16"}
"""Settings with a slot for a search of every client: what is refused then is refused for the fault."""


@dataclass(frozen=True)
class Reply:
    """The outcome of one request; `status` 0 if no answer came. `port` is the client's end."""

    sent: float
    ended: float
    status: int
    right: bool
    port: int
    error: str = ""


@dataclass(frozen=True)
class Tally:
    """The outcomes of all requests."""

    replies: tuple[Reply, ...]

    @property
    def requests(self) -> int:
        return len(self.replies)

    @property
    def lost(self) -> list[Reply]:
        """The number of requests without a complete answer."""
        return [reply for reply in self.replies if reply.status == 0]

    @property
    def wrong(self) -> list[Reply]:
        """Answers with another status than 200, or with other bytes."""
        return [reply for reply in self.replies if reply.status and not reply.right]

    @property
    def slowest(self) -> float:
        """Seconds of the slowest answer."""
        return max((reply.ended - reply.sent for reply in self.replies if reply.status), default=0.0)

    def between(self, begin: float, end: float) -> int:
        """Count the right answers to requests sent between two moments."""
        return sum(reply.right and begin <= reply.sent < end for reply in self.replies)


class Load:
    """Ask the questions again and again, by `clients` threads with one open connection each.

    `port` returns where to connect; None ends the client. As HTTP clients do, a client checks whether the
    server has closed its connection before it sends anything on it.
    """

    def __init__(
        self,
        port: Callable[[], int | None],
        questions: Sequence[Question],
        *,
        clients: int = 4,
        pause: float = 0.0,
        timeout: float = 30.0,
    ) -> None:
        self._port = port
        self._questions = questions
        self._pause = pause
        self._timeout = timeout
        self._stopping = threading.Event()
        self._replies: list[list[Reply]] = [[] for _ in range(clients)]
        self._threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(clients)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    @property
    def tally(self) -> Tally:
        """The outcomes of the requests so far."""
        return Tally(tuple(reply for replies in self._replies for reply in list(replies)))

    def wait_for(self, requests: int) -> None:
        """Return when so many more requests have been answered."""
        wanted = sum(map(len, self._replies)) + requests
        deadline = time.monotonic() + 60
        while sum(map(len, self._replies)) < wanted:
            assert time.monotonic() < deadline, "the server answers too slowly for this test"
            time.sleep(0.01)

    def _ask(self, number: int) -> None:
        connection: http.client.HTTPConnection | None = None
        replies = self._replies[number]
        turn = number * len(self._questions) // len(self._threads)  # so that the clients do not march in step
        while not self._stopping.is_set():
            if connection is None or _dropped(connection):
                port = self._port()
                if port is None:
                    break
                if connection is not None:
                    connection.close()
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=self._timeout)
            question = self._questions[turn % len(self._questions)]
            turn += 1
            replies.append(_reply(connection, question))
            if replies[-1].status == 0:
                connection.close()
                connection = None
            if self._pause:
                time.sleep(self._pause)
        if connection is not None:
            connection.close()


def _reply(connection: http.client.HTTPConnection, question: Question) -> Reply:
    sent, port = time.monotonic(), 0
    try:
        if connection.sock is None:
            connection.connect()
        port = connection.sock.getsockname()[1]
        connection.request("POST", "/analyze", question.payload, JSON)
        response = connection.getresponse()
        body = response.read()
    except (OSError, http.client.HTTPException) as error:
        return Reply(sent, time.monotonic(), 0, False, port, f"{type(error).__name__}: {error}")
    right = response.status == 200 and body == question.expected
    error = "" if right else body[:300].decode(errors="replace")
    return Reply(sent, time.monotonic(), response.status, right, port, error)


def _dropped(connection: http.client.HTTPConnection) -> bool:
    """Return whether a connection is closed: there is nothing to read from an idle one."""
    return connection.sock is None or bool(select.select([connection.sock], [], [], 0)[0])
