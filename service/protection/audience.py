"""Who still waits for an answer: work that nobody waits for any more is cut short.

A thread looks at the connections of those who wait for heavy work. A client that has closed its side of the
connection, or half of it, counts as gone, as it does for nginx.
"""

from __future__ import annotations

import select
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Final, Protocol

from flask import has_request_context, request

from engine import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOK_SECONDS: Final = 0.25
"""How often the thread looks: nobody works for longer for a client that has gone."""

IDLE_SECONDS: Final = 30.0
"""How long the thread stays without anything to look at."""

_CLOSED: Final = getattr(select, "POLLRDHUP", 0)  # Linux; elsewhere only a connection closed wholly is seen


class Connection(Protocol):
    """What is looked at of a socket."""

    def fileno(self) -> int:
        """Return its number in this process."""


def connection() -> Connection | None:
    """Return the connection of the current request, None outside of one and under another server."""
    if not has_request_context():
        return None
    found: Connection | None = request.environ.get("gunicorn.socket")
    return found


def has_gone(one: Connection | None) -> bool:
    """Tell whether the client at the other end has hung up."""
    return one is not None and bool(_gone([one], 0))


def while_present(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces of an answer to the current request until its client has gone."""
    client = connection()

    def present() -> Iterator[bytes]:
        while not has_gone(client) and (piece := next(pieces, None)) is not None:
            yield piece

    return present()


@dataclass(eq=False)
class Attended:
    """Work that some wait for, under a name of its own."""

    key: str
    name: str
    waiting: int = 0
    _abandoned: bool = False
    _deadline: Deadline = field(default_factory=Deadline)

    def deadline(self) -> Deadline:
        """Return a deadline for whoever does the work: it is cut when all who wait have gone."""
        self._deadline = Deadline()
        if self._abandoned:
            self._deadline.cut()
        return self._deadline

    def abandon(self) -> None:
        """Cut the work short, or its beginning, should it only be about to begin."""
        self._abandoned = True
        self._deadline.cut()


class Audience:
    """Know who waits for what in this process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._works: dict[str, Attended] = {}
        self._clients: dict[int, tuple[Connection, Attended]] = {}
        self._tickets = count()
        self._watching = False

    @contextmanager
    def waiting(self, key: str | None = None) -> Iterator[Attended]:
        """Wait with the client of the current request for the work of this key; without one for its own.

        Whoever comes after all have gone, and the work was cut, waits for other work, under another name.
        """
        client = connection()
        with self._changed:
            ticket = next(self._tickets)
            name = f"{key} {ticket}"
            work = self._works.setdefault(key or name, Attended(key or name, name))
            work.waiting += 1
            if client is not None:
                self._clients[ticket] = client, work
                self._watch()
        try:
            yield work
        finally:
            with self._changed:
                # One whose client has gone has left already.
                if client is None or self._clients.pop(ticket, None) is not None:
                    self._leave(work)

    def _leave(self, work: Attended) -> bool:
        """Take one off those who wait; tell whether it was the last."""
        work.waiting -= 1
        if not work.waiting:
            del self._works[work.key]
        return not work.waiting

    def _watch(self) -> None:
        if self._watching:
            self._changed.notify()
            return
        self._watching = True
        threading.Thread(target=self._look, name="kibitz-audience", daemon=True).start()

    def _look(self) -> None:
        while True:
            with self._changed:
                if not self._changed.wait_for(lambda: self._clients, IDLE_SECONDS):
                    self._watching = False
                    return
                seen = dict(self._clients)
            numbers = _gone([client for client, _ in seen.values()], LOOK_SECONDS)
            with self._changed:
                for ticket, (client, work) in seen.items():
                    # Who has been answered meanwhile is no longer there; the number may be another's by now.
                    if ticket in self._clients and client.fileno() in numbers:
                        del self._clients[ticket]
                        if self._leave(work):
                            work.abandon()


def _gone(clients: list[Connection], seconds: float) -> set[int]:
    """Return the numbers of the connections whose other end has hung up; wait for one at most so long."""
    poller = select.poll()
    for client in clients:
        poller.register(client.fileno(), _CLOSED)
    return {number for number, _ in poller.poll(1_000 * seconds)}
