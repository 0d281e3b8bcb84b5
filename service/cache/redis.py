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
from service.cache.interface import State
from service.cache.writer import Writer
from service.observability.structured import get_logger

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

PREFIX = "kibitz:"
CLAIM_PREFIX = "kibitz-claim:"

LATECOMERS_MS = 200
"""How long a claim outlives the storing of its value: longer than anyone takes from a miss to a claim."""

log = get_logger("kibitz.cache")


class _Lines:
    """A connection to Redis for each thread, kept open: a pool's checks take as long as a question."""

    def __init__(self, url: str, **options: Any) -> None:
        self._pool = redis.ConnectionPool.from_url(url, **options)  # knows how to make one from a URL
        self._own = local()
        self._all: WeakSet[Any] = WeakSet()
        self._lock = Lock()

    def ask(self, *commands: tuple[Any, ...]) -> list[Any]:
        """Send commands in one go and return their replies; raises the first error of all.

        A connection that Redis has closed since its last use is opened anew, once.
        """
        connection = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = self._pool.make_connection()
            with self._lock:
                self._all.add(connection)
        # The client packs a value of more than 6,000 bytes into a piece of its own, each sent by itself.
        packed = [b"".join(connection.pack_commands(commands))]
        known = connection.is_connected
        try:
            replies = _exchange(connection, packed, len(commands))
        except redis.TimeoutError:
            raise
        except redis.ConnectionError:
            if not known:
                raise
            replies = _exchange(connection, packed, len(commands))
        for reply in replies:
            if isinstance(reply, redis.ResponseError):
                raise reply
        return replies

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for connection in self._all:
                connection.disconnect()


def _exchange(connection: Any, packed: Any, count: int) -> list[Any]:
    """Send packed commands and return their replies, errors of Redis among them."""
    replies: list[Any] = []
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
        self._writer = Writer(self._store)

    def state(self) -> State:
        """Tell how Redis does; what it holds is its own affair."""
        return State(0, self.fetched, self.failures, self.breaker.is_open)

    def get_many(self, keys: Sequence[str], *, soon_made: bool = False) -> list[bytes | None]:
        """Return the value of each key, or None, by a single MGET; what is still to be stored is here."""
        own = [self._writer.find(key) for key in keys]
        if None not in own or not self.breaker.allows():
            return own
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
            return own
        self._judge(started)
        self.fetched += len(keys) - found.count(None)
        return [theirs if mine is None else mine for mine, theirs in zip(own, found, strict=True)]

    def put_many(self, entries: Mapping[str, bytes], *, soon_made: bool = False) -> None:
        """Store the entries: at once if others wait for one of them, else soon, by another thread."""
        claimed = self._claims.intersection(entries)
        if claimed:
            self._claims -= claimed
            self._store(entries, claimed)
        elif entries and not self.breaker.is_open and (left := self._writer.add(entries)):
            self._store(left)

    def settle(self, seconds: float = 1.0) -> bool:
        """Wait until all that was put is stored, at most so long; tell whether it is, or was given up."""
        return self._writer.settle(seconds)

    def _store(self, entries: Mapping[str, bytes], claimed: Collection[str] = ()) -> None:
        if not self.breaker.allows():
            return
        started = time.monotonic()
        try:
            self._lines.ask(
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
        """Store what is still to be stored, and close the connections."""
        self.settle()
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
