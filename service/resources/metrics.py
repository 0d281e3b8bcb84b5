"""/metrics: the metrics of all workers for Prometheus."""

from __future__ import annotations

from flask import Blueprint, Response, request

from service.state import state
from service.view_rules import local

blueprint = Blueprint("metrics", __name__)


@blueprint.route("/metrics")
@local
def metrics() -> Response:
    """Return the metrics in a format that the Accept header allows."""
    service = state()
    if service.jobs is not None:
        for name, number in service.jobs.counts().items():
            service.metrics.jobs.labels(name).set(number)
    body, media_type = service.metrics.render(request.headers.get("Accept", ""))
    return Response(body, content_type=media_type, headers={"Cache-Control": "no-store"})
