"""Settings of the service, read from the environment once, typed and checked."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PREFIX = "KIBITZ_"

# Variables that the build and the tests read; the service knows them so as not to call them mistakes.
FOREIGN = frozenset({"KIBITZ_DEBUG", "KIBITZ_SIMD", "KIBITZ_SHARED_DATA"})

LEAST_THREADS = 3
"""What a worker needs to answer at once while a search runs and a stream of events is open."""

LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(Exception):
    """Report every unknown or ill-formed `KIBITZ_*` variable of the environment, one a line."""


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text[:20]) <= high):
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def _seconds(high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0.0 <= value <= high:
            raise ValueError(f"must be a number of seconds from 0 to {high:g}")
        return value

    return read


def _flag(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise ValueError("must be 1 or 0")


def _word(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text.strip()


def _level(text: str) -> str:
    if text.lower() not in LOG_LEVELS:
        raise ValueError("must be one of " + ", ".join(LOG_LEVELS))
    return text.lower()


def redis_url(text: str) -> str | None:
    """Read the address of a Redis, None if it is empty; raises ValueError, which does not repeat it."""
    if text and not text.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must start with redis://, rediss:// or unix://")
    try:
        urlsplit(text).port  # noqa: B018 - it is looked at
    except ValueError:
        raise ValueError("must have a port from 0 to 65535, as in redis://localhost:6379") from None
    return text or None


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in text.split(",") if part.strip())
    for origin in origins:
        if origin != "*" and not re.fullmatch(r"https?://[^/\s,*]+", origin):
            raise ValueError("must be origins such as https://example.org, with commas between, or *")
    return origins


def _file(text: str) -> Path | None:
    return Path(text).expanduser() if text else None


def _folder(text: str) -> Path:
    return Path(_word(text)).expanduser()


def _user_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "kibitz"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_loopback(host: str) -> bool:
    """Tell whether an address to listen on can be reached from this machine alone."""
    return host == "localhost" or host == "::1" or host.startswith(("127.", "unix:"))


def _setting(default: Any, read: Callable[[str], Any], text: str, *, secret: bool = False) -> Any:
    """Declare a setting: its default (called if it is a function), its reader and its meaning."""
    metadata = {"read": read, "help": text}
    if callable(default):
        return field(default_factory=default, metadata=metadata, repr=not secret)
    return field(default=default, metadata=metadata, repr=not secret)


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold the settings of one service process; the variable of `field` is `KIBITZ_FIELD`."""

    host: str = _setting("127.0.0.1", _word, "address to listen on")
    port: int = _setting(8080, _whole(0, 65535), "port to listen on")
    workers: int = _setting(1, _whole(1, 64), "worker processes")
    threads: int = _setting(
        _cores, _whole(1, 256), "threads per worker, three at least; default: one per core"
    )
    data: Path = _setting(_user_cache, _folder, "folder of the built tables; default: the user's cache")  # noqa: RUF009
    lexicon: str = _setting("scowl80", _word, "lexicon of a request that names none")
    verify: bool = _setting(False, _flag, "check every byte of the tables at the start")
    redis_url: str | None = _setting(None, redis_url, "Redis that holds cache and rate limits", secret=True)
    redis_timeout_ms: int = _setting(75, _whole(5, 1000), "longest wait for Redis, in milliseconds")
    cache_bytes: int = _setting(
        4 << 20, _whole(0, 1 << 40), "bytes of the in-process cache, before Redis too; 0: none"
    )
    cache_seconds: int = _setting(86_400, _whole(1, 31_536_000), "life of an entry in Redis")
    max_body_bytes: int = _setting(65_536, _whole(1_024, 1 << 26), "longest JSON body")
    max_gcg_bytes: int = _setting(262_144, _whole(1_024, 1 << 20), "longest body with the record of a game")
    max_depth: int = _setting(16, _whole(4, 64), "deepest nesting of a JSON body")
    max_top_n: int = _setting(200, _whole(1, 10_000), "most moves listed in one answer")
    max_compare: int = _setting(50, _whole(0, 1_000), "most moves compared in one request")
    max_search_threads: int = _setting(4, _whole(1, 256), "most threads of one search")
    max_table_mb: int = _setting(256, _whole(1, 65_536), "largest table of one search, in megabytes")
    heavy_at_once: int = _setting(
        2, _whole(1, 64), "pieces of heavy work at once, per worker; always fewer than threads"
    )
    sync_ms: int = _setting(
        10_000, _whole(1, 60_000), "longest max_ms that is answered at once; beyond it a job is made"
    )
    batch_lines: int = _setting(10_000, _whole(0, 1_000_000), "most lines of a batch answered at once")
    batch_positions: int = _setting(100, _whole(0, 10_000), "most items of a batch in one JSON array")
    batch_threads: int = _setting(1, _whole(1, 64), "threads that share the work of a batch")
    max_batch_bytes: int = _setting(8 << 20, _whole(1_024, 1 << 28), "longest body of a batch")
    jobs_queued: int = _setting(64, _whole(0, 100_000), "most jobs not yet done; 0: none are taken")
    jobs_each: int = _setting(
        16, _whole(0, 100_000), "most jobs of one caller not yet done; 0: no limit but that of all"
    )
    job_workers: int = _setting(1, _whole(1, 64), "processes that do jobs where there is no Redis")
    job_seconds: int = _setting(86_400, _whole(1, 31_536_000), "how long the result of a job is kept")
    job_bytes: int = _setting(256 << 20, _whole(0, 1 << 40), "bytes of results kept where there is no Redis")
    streams_at_once: int = _setting(
        8, _whole(1, 256), "streams of events at once, per worker; always fewer than threads"
    )
    api_keys: Path | None = _setting(None, _file, "file of API keys; see kibitz key")  # noqa: RUF009
    require_key: bool = _setting(False, _flag, "answer nobody without an API key")
    rate_per_minute: int | None = _setting(
        None,
        _whole(0, 1_000_000),
        "requests a minute without a key; 0: no limit; default: 60, but none on loopback",
    )
    key_per_minute: int = _setting(600, _whole(0, 1_000_000), "requests a minute with a key; 0: no limit")
    proxies: int = _setting(0, _whole(0, 8), "proxies in front whose X-Forwarded-For is believed")
    cors_origins: tuple[str, ...] = _setting((), _origins, "origins whose pages may ask; *: all")
    max_words: int = _setting(20, _whole(1, 400), "most words of one judgement")
    drain_seconds: float = _setting(
        1.0, _seconds(300), "time between failing /readyz and closing the port, after SIGTERM"
    )
    graceful_seconds: int = _setting(30, _whole(1, 3_600), "time for requests in flight, after SIGTERM")
    stall_seconds: int = _setting(10, _whole(1, 3_600), "longest silence of a client, sending or reading")
    log_level: str = _setting("info", _level, "least level logged: " + ", ".join(LOG_LEVELS))

    @property
    def strangers_per_minute(self) -> int:
        """Requests a minute of a client without a key; 0: no limit."""
        if self.rate_per_minute is None:
            return 0 if is_loopback(self.host) else 60
        return self.rate_per_minute

    @property
    def server_threads(self) -> int:
        """Threads of a worker: one for heavy work, one for a stream of events, one left for the rest."""
        return max(self.threads, LEAST_THREADS)

    @property
    def heavy_slots(self) -> int:
        """Pieces of heavy work that a worker takes on at once."""
        return min(self.heavy_at_once, self.server_threads - 2)

    @property
    def stream_slots(self) -> int:
        """Streams of events that a worker keeps open at once."""
        return min(self.streams_at_once, (self._spare_threads + 1) // 2)

    @property
    def waiting_seats(self) -> int:
        """Requests of a worker that may wait at once for a search that another one has asked for."""
        return self._spare_threads - self.stream_slots

    @property
    def _spare_threads(self) -> int:
        return self.server_threads - self.heavy_slots - 1

    def environment(self) -> dict[str, str]:
        """Return the variables that give another process these settings."""
        values = {PREFIX + item.name.upper(): getattr(self, item.name) for item in fields(self)}
        return {
            name: ",".join(value) if isinstance(value, tuple) else str(value)
            for name, value in values.items()
            if value is not None and value != ()
        }

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
        """Read the settings from `environ` (default: the process's); `overrides` that are not None win.

        Raises SettingsError naming every unknown variable (and the nearest known one) and every value
        that cannot be read.
        """
        given = os.environ if environ is None else environ
        readers = {PREFIX + item.name.upper(): item for item in fields(cls)}
        values: dict[str, Any] = {}
        faults: list[str] = []
        for name in sorted(given):
            if not name.startswith(PREFIX) or name in FOREIGN:
                continue
            if name not in readers:
                near = get_close_matches(name, [*readers, *sorted(FOREIGN)], n=1, cutoff=0.0)
                faults.append(f"{name} is no setting of kibitz; did you mean {near[0]}?")
                continue
            try:
                values[readers[name].name] = readers[name].metadata["read"](given[name])
            except ValueError as error:
                faults.append(f"{name} {error}")
        if values.get("require_key") and not values.get("api_keys"):
            faults.append("KIBITZ_REQUIRE_KEY needs a file of keys: set KIBITZ_API_KEYS")
        if faults:
            raise SettingsError("\n".join(faults))
        return cls(**values | {name: value for name, value in overrides.items() if value is not None})

    @classmethod
    def table(cls) -> list[tuple[str, str, str]]:
        """List (variable, default, meaning) of every setting, in the order of declaration."""
        rows = []
        for item in fields(cls):
            default = "" if callable(item.default_factory) or item.default == () else str(item.default)
            rows.append((PREFIX + item.name.upper(), default, item.metadata["help"]))
        return rows
