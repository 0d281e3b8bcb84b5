"""/metrics: what Prometheus scrapes, of all workers together."""

from __future__ import annotations

from flask import Blueprint, Response, request

from service.keys import caller
from service.problems import Problem
from service.settings import is_loopback
from service.state import state

blueprint = Blueprint("metrics", __name__)


@blueprint.route("/metrics")
def metrics() -> Response:
    """Return the metrics, to loopback or the owner of a key only."""
    service = state()
    if not (caller().keyed or is_loopback(request.remote_addr or "localhost")):
        raise Problem(401, "key_required", "metrics are for loopback, or for the owner of an API key")
    if service.jobs is not None:
        for name, number in service.jobs.counts().items():
            service.metrics.jobs.labels(name).set(number)
    body, media_type = service.metrics.render(request.headers.get("Accept", ""))
    return Response(body, content_type=media_type, headers={"Cache-Control": "no-store"})
