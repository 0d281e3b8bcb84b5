"""Logs by structlog: one JSON object a line on standard output."""

from __future__ import annotations

import logging  # noqa: TC003 - a configuration names the formatter's type
import sys
from contextlib import suppress
from time import perf_counter
from typing import Any, Final

import orjson
import structlog
from flask import g, has_app_context, has_request_context


class RequestLog:
    """What is logged and counted of a request; `g.log` of the request."""

    __slots__ = ("fields", "id", "is_search", "started")

    def __init__(self, request_id: str) -> None:
        self.id = request_id
        self.started = perf_counter()
        self.fields: dict[str, object] = {}
        self.is_search = False


def request_id() -> str:
    """Return the id of the current request."""
    log: RequestLog = g.log
    return log.id


def add_log_fields(**values: object) -> None:
    """Add fields to the log line of the current request over HTTP, if there is one."""
    if has_request_context():
        g.log.fields.update(values)


def add_request_id(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Add the id of the current request, if there is one."""
    if has_app_context() and "log" in g:
        event["request_id"] = g.log.id
    return event


def add_component(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Add the name of the logger of a library under the name that the service's own lines use."""
    event["component"] = event["_record"].name
    return event


_SHARED: Final[list[structlog.typing.Processor]] = [
    add_request_id,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


class Output:
    """Write lines to standard output; a full disk or a closed pipe loses lines, but fails no request."""

    def msg(self, line: bytes) -> None:
        """Write a line."""
        with suppress(OSError):
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()

    debug = info = warning = error = critical = exception = msg


def configure_logs(level: str) -> None:
    """Write one JSON line to standard output for each event of `level` or above."""
    structlog.configure(
        processors=[*_SHARED, structlog.processors.JSONRenderer(serializer=_dumps)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=Output,
        cache_logger_on_first_use=False,  # tests configure it more than once
    )


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """Return a logger whose lines have `name` in the field `component`."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(component=name)
    return logger


def logging_config(level: str) -> dict[str, Any]:
    """Return a configuration of the standard library's logging that writes the same JSON lines."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": _json_formatter}},
        "handlers": {
            "stdout": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stdout"}
        },
        "root": {"level": "WARNING", "handlers": ["stdout"]},
        "loggers": {
            "gunicorn.error": {"level": level.upper(), "handlers": ["stdout"], "propagate": False},
        },
    }


def _json_formatter() -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*_SHARED, add_component],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(serializer=lambda entry, **_: _dumps(entry).decode()),
        ],
    )


def _dumps(entry: Any, **_: Any) -> bytes:
    return orjson.dumps(entry, default=str)
