"""Structured logs: one JSON object a line on standard output."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import orjson
from flask import has_request_context, request

# structlog imports rich, if it is there, for coloured tracebacks that nobody sees here; without it the
# process starts a tenth of a second sooner and is 5 MB smaller.
_had_rich = "rich" in sys.modules
sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
import structlog  # noqa: E402

if not _had_rich:
    del sys.modules["rich"]

if TYPE_CHECKING:
    from collections.abc import MutableMapping


REQUEST_ID: Final = "kibitz.request_id"
"""Where the environment of a request (WSGI's) has its id."""

# Methods whose level has another name.
_LEVELS: Final = {"warn": "warning", "exception": "error"}


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """Return a logger whose lines carry `name`."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(origin=name)
    return logger


def configure_logs(level: str) -> None:
    """Write JSON lines from `level` up to standard output."""
    structlog.configure(
        processors=[
            _render,  # does all: each processor more costs as much as half of it
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(sys.stdout.buffer),
        cache_logger_on_first_use=False,
    )


def _render(logger: object, method: str, event: MutableMapping[str, Any]) -> bytes:
    """Write a line: what all lines begin with, then the fields as they were given, then the request's id."""
    if "exc_info" in event:
        event = structlog.processors.format_exc_info(logger, method, event)
    now = datetime.now(UTC)
    entry = {
        "timestamp": now,
        "level": _LEVELS.get(method, method),
        "logger": event.pop("origin", "kibitz"),  # structlog itself has a use for the name "logger"
        "event": event.pop("event", ""),
        **event,
    }
    if "request_id" not in event and has_request_context() and REQUEST_ID in request.environ:
        entry["request_id"] = request.environ[REQUEST_ID]
    try:
        return orjson.dumps(entry, default=str, option=orjson.OPT_UTC_Z)
    except TypeError:  # text that is no Unicode: a line with escapes is better than none
        return json.dumps(entry | {"timestamp": now.isoformat().replace("+00:00", "Z")}, default=str).encode()
