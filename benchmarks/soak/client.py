"""A client of the deployment: one connection, one request at a time, every byte of the answer."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import Self

JSON: Final = {"Content-Type": "application/json"}
AS_JOB: Final = JSON | {"Prefer": "respond-async"}
TIMEOUT: Final = 30.0

NO_ANSWER: Final = 0
"""The status of a request that got no complete answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold an answer: status and body, and the seconds of the monotonic clock at its begin and end."""

    status: int
    body: bytes
    sent: float
    ended: float


class Client:
    """Send requests to one address, on a connection that is renewed when it breaks."""

    def __init__(self, address: str, port: int = 80, timeout: float = TIMEOUT) -> None:
        self._connection = HTTPConnection(address, port, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def ask(self, path: str, body: bytes | None = None, headers: dict[str, str] = JSON) -> Answer:
        """Send a GET, or with a body a POST, and wait for the answer."""
        if self._dropped():
            self._connection.close()
        sent = time.monotonic()
        try:
            self._connection.request("GET" if body is None else "POST", path, body, headers)
            response = self._connection.getresponse()
            found = Answer(response.status, response.read(), sent, time.monotonic())
        except (OSError, HTTPException) as error:
            self._connection.close()
            text = f"{type(error).__name__}: {error}"
            return Answer(NO_ANSWER, text.encode(), sent, time.monotonic())
        return found

    def _dropped(self) -> bool:
        """Return whether the server has closed the connection: an idle one has nothing to read."""
        socket = self._connection.sock
        return socket is not None and bool(select.select([socket], [], [], 0)[0])
