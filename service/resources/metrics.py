"""/metrics: what Prometheus asks for, for all workers together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, request

if TYPE_CHECKING:
    from flask import Flask

    from service.observability.counts import Counts


def serve_metrics(app: Flask, counts: Counts) -> None:
    """Add the route to `app`; it is for the operator and stands in no contract."""

    @app.get("/metrics")
    def metrics() -> Response:
        text, media_type = counts.told(request.headers.get("Accept", ""))
        return Response(text, content_type=media_type, headers={"Cache-Control": "no-store"})
