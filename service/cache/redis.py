"""The Redis back end: short time-outs, no retries, a breaker, and values that prove themselves."""

from __future__ import annotations

import time
from threading import Lock, local
from typing import TYPE_CHECKING, Any
from weakref import WeakSet
from zlib import crc32

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.cache.breaker import Breaker
from service.cache.envelope import seal, unseal
from service.observability.structured import get_logger

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PREFIX = "kibitz:"
CLAIM_PREFIX = "kibitz-claim:"

LATECOMERS_MS = 200
"""How long a claim outlives the storing of its value: longer than anyone takes from a miss to a claim."""

log = get_logger("kibitz.cache")


class _Line:
    """A connection, and how many replies to what was only told are still to come on it."""

    __slots__ = ("__weakref__", "connection", "owed")

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.owed = 0

    def exchange(self, packed: Any, count: int) -> list[Any]:
        """Send packed commands; return the replies owed and `count` more, errors of Redis among them."""
        replies: list[Any] = []
        connection, self.owed, count = self.connection, 0, self.owed + count
        try:
            connection.send_packed_command(packed, check_health=False)
            for _ in range(count):
                try:
                    replies.append(connection.read_response())
                except redis.ResponseError as error:  # the others are read all the same
                    replies.append(error)
        except BaseException:
            connection.disconnect()  # what is still to come would be taken for the answer to another question
            raise
        return replies


class _Lines:
    """A connection to Redis for each thread, kept open: a pool's checks take as long as a question."""

    def __init__(self, url: str, told_wrong: Callable[[Exception], None], **options: Any) -> None:
        """Take the address; `told_wrong` hears of the error that a command of `tell` turns out to be."""
        self._pool = redis.ConnectionPool.from_url(url, **options)  # knows how to make one from a URL
        self._told_wrong = told_wrong
        self._own = local()
        self._all: WeakSet[_Line] = WeakSet()
        self._lock = Lock()

    def ask(self, *commands: tuple[Any, ...]) -> list[Any]:
        """Send commands in one go and return their replies; raises the first error of all."""
        replies = self._exchange(commands, len(commands))
        for reply in replies:
            if isinstance(reply, redis.ResponseError):
                raise reply
        return replies

    def tell(self, *commands: tuple[Any, ...]) -> None:
        """Send commands whose replies nobody waits for: they are read with the next ones of this thread."""
        self._exchange(commands, 0)
        self._own.line.owed = len(commands)

    def _exchange(self, commands: tuple[tuple[Any, ...], ...], count: int) -> list[Any]:
        """Send commands and return `count` replies; those owed from before are heard first.

        A connection that Redis has closed since its last use is opened anew, once.
        """
        line: _Line | None = getattr(self._own, "line", None)
        if line is None:
            line = self._own.line = _Line(self._pool.make_connection())
            with self._lock:
                self._all.add(line)
        # The client packs a value of more than 6,000 bytes into a piece of its own, each sent by itself.
        packed = [b"".join(line.connection.pack_commands(commands))]
        known = line.connection.is_connected
        try:
            replies = line.exchange(packed, count)
        except redis.TimeoutError:
            raise
        except redis.ConnectionError:
            if not known:
                raise
            replies = line.exchange(packed, count)
        first = len(replies) - count
        for reply in replies[:first]:
            if isinstance(reply, redis.ResponseError):
                self._told_wrong(reply)
        return replies[first:]

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for line in self._all:
                line.connection.disconnect()


class RedisStore:
    """Keep entries in Redis at `url` for `life` seconds; wait at most `timeout` seconds for each step.

    Lives are up to a tenth shorter, by key, so that what was stored together does not die together.
    A failure of any kind counts for the breaker and reads as an empty cache.
    """

    def __init__(
        self, url: str, *, timeout: float = 0.075, life: int = 86_400, breaker: Breaker | None = None
    ) -> None:
        self._lines = _Lines(
            url,
            lambda error: self._failed("put", error),
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
            health_check_interval=0,
        )
        self._life = life
        # The time-out is per read of the socket: a server that drips its answer passes it every time.
        # Such an answer comes late once or twice, then the breaker holds the next ones back.
        self._patience = 4 * timeout
        self.breaker = breaker or Breaker()
        self.failures = 0
        self.fetched = 0
        self._claims: set[str] = set()

    size = 0  # what Redis holds is its own affair

    @property
    def held_back(self) -> bool:
        """Whether Redis is asked nothing for a while, since it failed."""
        return self.breaker.is_open

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, or None, by a single MGET."""
        nothing: list[bytes | None] = [None] * len(keys)
        if not keys or not self.breaker.allows():
            return nothing
        started = time.monotonic()
        try:
            (values,) = self._lines.ask(("MGET", *[PREFIX + key for key in keys]))
            if not isinstance(values, list) or len(values) != len(keys):
                raise ValueError("MGET gave no list of the right length")
            found = [
                None if value is None else unseal(key, value) for key, value in zip(keys, values, strict=True)
            ]
        except Exception as error:  # whatever a broken server provokes, the answer must not depend on it
            self._failed("get", error)
            return nothing
        self._judge(started)
        self.fetched += len(keys) - found.count(None)
        return found

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Store the entries; waits for Redis only if others wait for one of them."""
        claimed = self._claims.intersection(entries)
        self._claims -= claimed
        if not entries or not self.breaker.allows():
            return
        started = time.monotonic()
        try:
            (self._lines.ask if claimed else self._lines.tell)(
                *[
                    ("SET", PREFIX + key, seal(key, value), "EX", self._life_of(key))
                    for key, value in entries.items()
                ],
                *[("PEXPIRE", CLAIM_PREFIX + key, LATECOMERS_MS) for key in claimed],
            )
        except Exception as error:  # as above
            self._failed("put", error)
            return
        self._judge(started)

    def claim(self, key: str, seconds: float) -> bool:
        """Tell whether the caller is to compute `key`; True as well if Redis cannot tell."""
        if not self.breaker.allows():
            return True
        started = time.monotonic()
        try:
            (taken,) = self._lines.ask(("SET", CLAIM_PREFIX + key, b"", "NX", "PX", int(seconds * 1000)))
            if taken not in (b"OK", None):
                raise ValueError("SET gave neither OK nor nil")
        except Exception as error:  # as above
            self._failed("claim", error)
            return True
        self._judge(started)
        if taken:
            self._claims.add(key)
        return taken is not None

    def release(self, key: str) -> None:
        """Give up a claim."""
        self._claims.discard(key)
        if not self.breaker.allows():
            return
        try:
            self._lines.ask(("DEL", CLAIM_PREFIX + key))
        except Exception as error:  # as above; it dies by itself
            self._failed("release", error)

    def _life_of(self, key: str) -> int:
        return self._life - crc32(key.encode()) % (self._life // 10 + 1)

    def close(self) -> None:
        """Close the connections."""
        self._lines.close()

    def _judge(self, started: float) -> None:
        if time.monotonic() - started > self._patience:
            self._failed("wait", TimeoutError("an answer came, but far too late"))
        else:
            self.breaker.succeeded()

    def _failed(self, doing: str, error: Exception) -> None:
        self.failures += 1
        if self.breaker.failed():
            log.warning("cache_unavailable", doing=doing, error=f"{type(error).__name__}: {error}"[:200])
