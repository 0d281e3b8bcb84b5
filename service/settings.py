"""The settings of the service: KIBITZ_* variables of the environment, read by environs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from environs import Env, EnvValidationError
from marshmallow import ValidationError
from marshmallow.validate import Length, OneOf, Range, Regexp

from engine.data_folder import default_data_folder

PREFIX = "KIBITZ_"

# Variables of the build and the tests.
FOREIGN = frozenset({"KIBITZ_DEBUG", "KIBITZ_IN_PLACE", "KIBITZ_LAB", "KIBITZ_SHARED_DATA"})

LOG_LEVELS = ("debug", "info", "warning", "error")
MAX_WORDS = 400
"""The greatest value of `max_words`."""


class SettingsError(Exception):
    """Report unknown and invalid `KIBITZ_*` variables, one a line."""


def check_redis_url(url: str) -> None:
    """Raise ValidationError for an address that is not one of Redis, without repeating the address."""
    if url and not url.startswith(("redis://", "rediss://", "unix://")):
        raise ValidationError("must start with redis://, rediss:// or unix://")
    try:
        urlsplit(url).port  # noqa: B018 - raises for a port that is no number
    except ValueError:
        raise ValidationError("must have a port from 0 to 65535, as in redis://localhost:6379") from None


def _check_origin(origin: str) -> None:
    # flask-cors treats an origin with other characters as a regular expression.
    if origin != "*" and not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]+)?", origin):
        raise ValidationError("must be origins such as https://example.org, separated by commas, or *")


def _check_origins(origins: list[str]) -> None:
    for origin in origins:
        _check_origin(origin.strip())


def _check_path(path: Path) -> None:
    if path == Path():
        raise ValidationError("must not be empty")


def is_loopback(host: str) -> bool:
    """Return whether an address to listen on can be reached from this machine only."""
    return host == "localhost" or host == "::1" or host.startswith(("127.", "unix:"))


def _setting(default: Any, kind: str, text: str, *, secret: bool = False, validate: Any = None) -> Any:
    """Declare a setting: its default, the environs method that reads it, its meaning and its validator."""
    metadata = {"kind": kind, "help": text, "validate": validate}
    if callable(default):
        return field(default_factory=default, metadata=metadata, repr=not secret)
    return field(default=default, metadata=metadata, repr=not secret)


def _integer(default: int | None, low: int, high: int, text: str) -> Any:
    return _setting(default, "int", text, validate=Range(low, high))


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one service process; the variable of `field` is `KIBITZ_FIELD`."""

    host: str = _setting("127.0.0.1", "str", "address to listen on", validate=Length(1))
    port: int = _integer(8080, 0, 65535, "port to listen on")
    workers: int = _integer(1, 1, 64, "worker processes")
    threads: int = _integer(
        80, 8, 1024, "threads per worker: each answers one request or holds one open connection"
    )
    searches: int = _integer(2, 1, 64, "searches at once, per worker; more are refused with 503")
    data: Path = _setting(  # noqa: RUF009
        default_data_folder,
        "path",
        "folder of the built tables; default: the user's cache",
        validate=_check_path,
    )
    lexicon: str = _setting(
        "club",
        "str",
        "default lexicon",
        validate=Regexp(r".*\S", error="must not be empty"),
    )
    simd: int | None = _integer(
        None, 0, 2, "vector path: 0 plain C, 1 AVX2, 2 AVX-512; default: the best of the processor"
    )
    redis_url: str = _setting(
        "", "str", "Redis for cache, jobs and rate limits", secret=True, validate=check_redis_url
    )
    redis_timeout_ms: int = _integer(75, 5, 1000, "time-out of a cache operation in Redis, in milliseconds")
    cache_bytes: int = _integer(4 << 20, 0, 1 << 40, "bytes of the cache in each process; 0: none")
    cache_seconds: int = _integer(86_400, 1, 31_536_000, "lifetime of a cache entry in Redis")
    cache_key: str = _setting(
        "", "str", "secret that authenticates cached values and jobs in Redis by HMAC", secret=True
    )
    max_body_bytes: int = _integer(65_536, 1_024, 1 << 26, "largest JSON body")
    max_gcg_bytes: int = _integer(262_144, 1_024, 1 << 20, "largest body with a game record")
    max_batch_bytes: int = _integer(
        8 << 20,
        1_024,
        1 << 28,
        "largest body of a batch; all open jobs together have at most four times that",
    )
    max_depth: int = _integer(16, 4, 64, "deepest nesting of a JSON body")
    max_top_n: int = _integer(200, 1, 10_000, "most moves listed in one answer")
    max_compare: int = _integer(50, 0, 1_000, "most moves compared in one request")
    max_search_threads: int = _integer(4, 1, 256, "most threads of one search")
    max_table_mb: int = _integer(256, 1, 65_536, "largest table of one search, in megabytes")
    max_words: int = _integer(20, 1, MAX_WORDS, "most words of one judgement")
    sync_ms: int = _integer(
        10_000,
        1,
        60_000,
        "milliseconds of the longest search or explanation answered at once; a search with a longer max_ms "
        "becomes a job",
    )
    batch_lines: int = _integer(10_000, 1, 1_000_000, "most lines of a batch")
    batch_items: int = _integer(
        100,
        1,
        10_000,
        "longest JSON array, and most explanations, of a batch answered at once; a longer one becomes a job",
    )
    jobs_queued: int = _integer(64, 0, 100_000, "most jobs waiting or running; 0: no jobs")
    jobs_per_caller: int = _integer(16, 0, 100_000, "most jobs of one caller waiting or running; 0: no limit")
    job_threads: int = _integer(1, 1, 64, "jobs at once in this process, where there is no Redis")
    job_seconds: int = _integer(86_400, 1, 31_536_000, "how long the result of a job is stored")
    job_bytes: int = _integer(256 << 20, 0, 1 << 40, "bytes of the largest result, without Redis of all")
    streams: int = _integer(8, 1, 256, "event streams at once, per worker")
    api_keys: Path | None = _setting(  # noqa: RUF009
        None, "path", "file of API keys; see kibitz key", validate=_check_path
    )
    require_key: bool = _setting(False, "bool", "answer only requests with an API key")
    rate_per_minute: int | None = _integer(
        None, 0, 1_000_000, "requests a minute without a key; 0: no limit; default: 60, none on loopback"
    )
    key_per_minute: int = _integer(600, 0, 1_000_000, "requests a minute with a key; 0: no limit")
    proxies: int = _integer(0, 0, 8, "trusted proxies in front (X-Forwarded-For)")
    cors_origins: tuple[str, ...] = _setting(
        (), "list", "origins whose pages may call the API; *: all", validate=_check_origins
    )
    drain_seconds: float = _setting(
        2.0, "float", "seconds between failing /readyz and closing the port, after SIGTERM",
        validate=Range(0, 300),
    )  # fmt: skip
    graceful_seconds: int = _integer(30, 1, 3_600, "time for requests in flight, after SIGTERM")
    traces: bool = _setting(
        False, "bool", "send traces by OpenTelemetry, to OTEL_EXPORTER_OTLP_ENDPOINT; needs kibitz[telemetry]"
    )
    log_level: str = _setting(
        "info", "str", "lowest level logged: " + ", ".join(LOG_LEVELS), validate=OneOf(LOG_LEVELS)
    )

    @property
    def anonymous_per_minute(self) -> int:
        """Requests a minute of a client without a key; 0: no limit."""
        if self.rate_per_minute is None:
            return 0 if is_loopback(self.host) else 60
        return self.rate_per_minute

    @classmethod
    def from_environment(cls, **overrides: Any) -> Settings:
        """Read the settings from the environment; `overrides` that are not None replace them.

        Raises SettingsError with every unknown variable and every invalid value.
        """
        names = {PREFIX + item.name.upper() for item in fields(cls)}
        faults = [
            _unknown(name, names)
            for name in sorted(os.environ)
            if name.startswith(PREFIX) and name not in names and name not in FOREIGN
        ]
        env = Env(eager=False, prefix=PREFIX)
        values = {}
        for item in fields(cls):
            name = item.name.upper()
            if PREFIX + name in os.environ and overrides.get(item.name) is None:
                read = getattr(env, item.metadata["kind"])
                values[item.name] = read(name, validate=item.metadata["validate"])
        try:
            env.seal()
        except EnvValidationError as error:
            messages = cast("dict[str, list[str]]", error.error_messages)
            faults += [f"{name}: {' '.join(texts)}" for name, texts in messages.items()]
        if values.get("require_key") and not values.get("api_keys"):
            faults.append("KIBITZ_REQUIRE_KEY needs a file of keys: set KIBITZ_API_KEYS")
        if faults:
            raise SettingsError("\n".join(faults))
        values |= {name: value for name, value in overrides.items() if value is not None}
        for name, value in values.items():
            if isinstance(value, Path):
                values[name] = value.expanduser()
            elif isinstance(value, list):
                values[name] = tuple(item.strip() for item in value)
        return cls(**values)

    @classmethod
    def table(cls) -> list[tuple[str, str, str]]:
        """Return (variable, default, meaning) of every setting, in the order of declaration."""
        rows = []
        for item in fields(cls):
            default = "" if callable(item.default_factory) or item.default == () else str(item.default)
            rows.append((PREFIX + item.name.upper(), default, item.metadata["help"]))
        return rows


def _unknown(name: str, names: set[str]) -> str:
    """Return the message about an unknown variable, with the most similar setting."""
    known = sorted(known.removeprefix(PREFIX) for known in names)
    near = get_close_matches(name.removeprefix(PREFIX), known, n=1)
    hint = f"; did you mean {PREFIX}{near[0]}?" if near else "; kibitz serve --help lists the settings"
    return f"{name} is not a setting of kibitz{hint}"
