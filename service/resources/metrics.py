"""/metrics: what Prometheus asks for, for all workers together."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import Response, request

from service.jobs.interface import JobsUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from service.jobs.interface import Jobs
    from service.observability.counts import Counts


def serve_metrics(app: Flask, counts: Counts) -> None:
    """Add the route to `app`; it is for the operator and stands in no contract."""

    @app.get("/metrics")
    def metrics() -> Response:
        with _jobs_told(app, counts):
            text, media_type = counts.told(request.headers.get("Accept", ""))
        return Response(text, content_type=media_type, headers={"Cache-Control": "no-store"})


@contextmanager
def _jobs_told(app: Flask, counts: Counts) -> Iterator[None]:
    """Let the gauges of jobs say what their back end knows; it speaks for all workers, so one tells it."""
    jobs: Jobs | None = app.config["JOBS"]
    try:
        figures = {} if jobs is None else jobs.figures()
    except JobsUnavailableError:
        figures = {}
    for state, number in figures.items():
        counts.jobs.put(state, value=number)
    yield
    for state in figures:
        counts.jobs.put(state, value=0.0)
