"""Structured logs: one JSON object a line on standard output."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import orjson
from flask import g, has_request_context

# structlog imports rich, if it is there, for coloured tracebacks that nobody sees here; without it the
# process starts a tenth of a second sooner and is 5 MB smaller.
_had_rich = "rich" in sys.modules
sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
import structlog  # noqa: E402

if not _had_rich:
    del sys.modules["rich"]

if TYPE_CHECKING:
    from collections.abc import MutableMapping

FIRST = ("timestamp", "level", "logger", "event")


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """Return a logger whose lines carry `name`."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(origin=name)
    return logger


def configure_logs(level: str) -> None:
    """Write JSON lines from `level` up to standard output."""
    structlog.configure(
        processors=[
            _add_request_id,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(sys.stdout.buffer),
        cache_logger_on_first_use=False,
    )


def _add_request_id(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    if has_request_context() and "request_id" in g:
        event.setdefault("request_id", g.request_id)
    return event


def _render(_logger: object, _method: str, event: MutableMapping[str, Any]) -> bytes:
    event["logger"] = event.pop("origin", "kibitz")  # structlog itself has a use for the name "logger"
    first = {name: event.pop(name) for name in FIRST if name in event}
    entry = first | dict(event)
    try:
        return orjson.dumps(entry, default=str)
    except TypeError:  # text that is no Unicode: a line with escapes is better than none
        return json.dumps(entry, default=str).encode()
