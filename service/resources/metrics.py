"""/metrics: what Prometheus asks for, for all workers together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response

from service.observability.metrics import CONTENT_TYPE

if TYPE_CHECKING:
    from flask import Flask

    from service.observability.counts import Counts


def serve_metrics(app: Flask, counts: Counts) -> None:
    """Add the route to `app`; it is for the operator and stands in no contract."""

    @app.get("/metrics")
    def metrics() -> Response:
        return Response(counts.text(), content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})
