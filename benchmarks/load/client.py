"""A small HTTP/1.1 client over raw sockets, so fast that the server is the bottleneck."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_TIMING: Final = re.compile(rb"\r\nserver-timing: *([^\r]*)", re.IGNORECASE)
_PART: Final = re.compile(r"(\w+);dur=([0-9.]+)")
_CLOSES: Final = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
_TIMEOUT: Final = 30.0  # seconds without any answer after which a run ends

NO_ANSWER: Final = 0
"""The status of a request whose connection broke before its answer was complete."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold one answer: status, seconds until the client had it, Server-Timing header, size in bytes."""

    status: int
    seconds: float
    timing: str
    size: int = 0

    def engine_ms(self) -> float:
        """Return the milliseconds of the stages board and gen of Server-Timing."""
        parts = {name: float(value) for name, value in _PART.findall(self.timing)}
        return parts.get("board", 0.0) + parts.get("gen", 0.0)

    @property
    def is_hit(self) -> bool:
        """Whether the answer came from the cache."""
        return 'cache;desc="hit"' in self.timing


@dataclass
class Run:
    """Hold the answers of a run, and the seconds from its first request to its last answer."""

    seconds: float = 0.0
    replies: list[Reply] = field(default_factory=list)


def post(path: str, body: bytes) -> bytes:
    """Return a POST request as bytes."""
    head = f"POST {path} HTTP/1.1\r\nHost: load\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


class Wire:
    """A keep-alive connection; one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._received = b""
        self._end: int | None = None  # length of the answer, once its header is complete
        self.started = 0.0
        self.socket = self._connect()

    def _connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self._port), timeout=_TIMEOUT)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, request: bytes, started: float | None = None) -> None:
        """Send a request; its time runs from `started`, by default from now."""
        self.started = time.perf_counter() if started is None else started
        try:
            self.socket.sendall(request)
        except OSError:  # closed while idle: connect again and resend, as any client does
            self.renew()
            self.socket.sendall(request)

    def renew(self) -> None:
        """Connect again."""
        self.socket.close()
        self._received, self._end = b"", None
        self.socket = self._connect()

    def receive(self) -> Reply | None:
        """Read the bytes that have arrived; return the answer if it is complete."""
        try:
            chunk = self.socket.recv(1 << 18)
        except OSError:
            chunk = b""
        if not chunk:
            return Reply(NO_ANSWER, time.perf_counter() - self.started, "")
        self._received = self._received + chunk if self._received else chunk
        if self._end is None:
            head = self._received.find(b"\r\n\r\n")
            length = _LENGTH.search(self._received, 0, max(head, 0))
            if head < 0 or length is None:
                return None
            self._end = head + 4 + int(length[1])
        if len(self._received) < self._end:
            return None
        now, data = time.perf_counter(), self._received
        head = data.find(b"\r\n\r\n") + 2
        timing = _TIMING.search(data, 0, head)
        server_timing = timing[1].decode("latin-1") if timing else ""
        reply = Reply(int(data[9:12]), now - self.started, server_timing, len(data))
        self._received, self._end = b"", None
        if _CLOSES.search(data, 0, head):
            self.renew()
        return reply

    def ask(self, request: bytes) -> Reply:
        """Send a request and wait for its answer."""
        self.send(request)
        while (reply := self.receive()) is None:
            pass
        if reply.status == NO_ANSWER:
            self.renew()
        return reply


def closed_loop(port: int, requests: Iterator[bytes], connections: int, seconds: float) -> Run:
    """Keep `connections` requests in flight for `seconds`; each answer is followed by the next request."""
    run = Run()
    wires = [Wire(port) for _ in range(connections)]
    with selectors.DefaultSelector() as selector:
        started = time.perf_counter()
        stop = started + seconds
        for wire in wires:
            selector.register(wire.socket, selectors.EVENT_READ, wire)
            wire.send(next(requests))
        busy = connections
        while busy:
            ready = selector.select(_TIMEOUT)
            if not ready:
                run.replies += [Reply(NO_ANSWER, _TIMEOUT, "")] * busy
                break
            for key, _ in ready:
                wire = key.data
                reply = wire.receive()
                if reply is None:
                    continue
                run.replies.append(reply)
                _follow(selector, wire, key.fileobj, broken=reply.status == NO_ANSWER)
                if time.perf_counter() < stop:
                    wire.send(next(requests))
                else:
                    selector.unregister(
                        wire.socket
                    )  # the server may close it before the others have finished
                    busy -= 1
        run.seconds = time.perf_counter() - started
    for wire in wires:
        wire.socket.close()
    return run


def open_loop(port: int, requests: Iterator[bytes], per_second: float, seconds: float) -> Run:
    """Send a request every 1 / `per_second`, for `seconds`, without waiting for earlier answers."""
    run = Run()
    idle: deque[Wire] = deque()
    wires: list[Wire] = []
    total = max(round(per_second * seconds), 1)
    sent = 0
    with selectors.DefaultSelector() as selector:
        started = time.perf_counter()
        while len(run.replies) < total:
            due = started + sent / per_second
            now = time.perf_counter()
            if sent < total and now >= due:
                if idle:
                    wire = idle.popleft()
                else:
                    wire = Wire(port)
                    wires.append(wire)
                    selector.register(wire.socket, selectors.EVENT_READ, wire)
                before = wire.socket
                wire.send(next(requests), due)
                _follow(selector, wire, before, broken=False)
                sent += 1
                continue
            ready = selector.select(due - now if sent < total else _TIMEOUT)
            if not ready and sent == total:
                run.replies += [Reply(NO_ANSWER, _TIMEOUT, "")] * (total - len(run.replies))
            for key, _ in ready:
                wire = key.data
                if (reply := wire.receive()) is not None:
                    run.replies.append(reply)
                    _follow(selector, wire, key.fileobj, broken=reply.status == NO_ANSWER)
                    idle.append(wire)
        run.seconds = time.perf_counter() - started
    for wire in wires:
        wire.socket.close()
    return run


def _follow(selector: selectors.BaseSelector, wire: Wire, before: object, *, broken: bool) -> None:
    """Register the socket of a wire with the selector if it has changed."""
    if broken:
        wire.renew()
    if wire.socket is not before:
        with suppress(KeyError, ValueError):
            selector.unregister(before)  # type: ignore[arg-type]
        selector.register(wire.socket, selectors.EVENT_READ, wire)
