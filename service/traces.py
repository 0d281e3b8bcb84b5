"""Traces by OpenTelemetry, which is imported only if KIBITZ_TRACES is set.

The standard variables of OpenTelemetry choose the destination and the sampling: OTEL_EXPORTER_OTLP_ENDPOINT,
OTEL_TRACES_SAMPLER. The application is instrumented before the processes fork; each process starts its own
exporter afterwards, because the thread of an exporter does not survive a fork.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from flask import request

from engine.extras import install_command
from service.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flask import Flask
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

NOT_TRACED: Final = "livez,readyz,metrics"

EXPORT_SECONDS: Final = 2.0
"""The most time that an export may take; it is short because a job waits for its last export."""

_tracer: Tracer | None = None
_provider: TracerProvider | None = None


def trace_requests(app: Flask) -> None:
    """Start tracing: every request of `app` and every `span` of this process becomes a span.

    Raises SettingsError if the extra `telemetry` is not installed.
    """
    global _tracer
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http import trace_exporter  # noqa: F401 - `start_export` needs it
        from opentelemetry.instrumentation.flask import FlaskInstrumentor
    except ImportError:
        raise SettingsError(f"KIBITZ_TRACES needs OpenTelemetry: {install_command('telemetry')}") from None
    FlaskInstrumentor().instrument_app(  # type: ignore[no-untyped-call]
        app, excluded_urls=NOT_TRACED, enable_commenter=False
    )

    @app.before_request
    def hide_query() -> None:
        """Leave positions out of the traces, as they are left out of the logs."""
        trace.get_current_span().set_attributes({"http.target": request.path, "url.query": ""})

    _tracer = trace.get_tracer("kibitz")


def start_export() -> None:
    """Export the spans of this process; call it after the last fork. Does nothing without KIBITZ_TRACES."""
    global _provider
    if _tracer is None or _provider is not None:
        return
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    os.environ.setdefault("OTEL_SERVICE_NAME", "kibitz")
    _provider = TracerProvider()
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=EXPORT_SECONDS)))
    trace.set_tracer_provider(_provider)


def stop_export() -> None:
    """Export the last spans of this process, at its end."""
    if _provider is not None:
        _provider.shutdown()


@contextmanager
def span(name: str, parent: Mapping[str, str] | None = None, **attributes: Any) -> Iterator[Span | None]:
    """Trace the block as a span with these attributes; yield None if nothing is traced.

    `parent`: the `trace_headers` of another process, whose trace the span joins.
    """
    if _tracer is None:
        yield None
        return
    from opentelemetry.propagate import extract

    context = None if parent is None else extract(parent)
    named = {f"kibitz.{key}": value for key, value in attributes.items()}
    with _tracer.start_as_current_span(name, context, attributes=named) as found:
        yield found


def trace_headers() -> dict[str, str]:
    """Return the headers with which another process joins the current trace; empty if nothing is traced."""
    headers: dict[str, str] = {}
    if _tracer is not None:
        from opentelemetry.propagate import inject

        inject(headers)
    return headers
