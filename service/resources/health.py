"""/livez and /readyz, for the supervisor and the proxy of this process."""

from __future__ import annotations

from typing import Final

from engine import Text
from service.blueprint import Blueprint
from service.problems import Problem
from service.resources import examples
from service.schemas.answers import HealthSchema
from service.state import draining, state
from service.view_rules import public

NOT_CACHED: Final = {"Cache-Control": "no-store"}

blueprint = Blueprint("health", __name__, description="State of this process")


@blueprint.route("/livez")
@public
@blueprint.doc(operationId="livez")
@blueprint.response(200, HealthSchema, example=examples.HEALTH)
def livez() -> tuple[dict[str, str], int, dict[str, str]]:
    """Return 200 while the process runs."""
    return {"status": "ok"}, 200, NOT_CACHED


@blueprint.route("/readyz")
@public
@blueprint.doc(operationId="readyz")
@blueprint.response(200, HealthSchema, example=examples.HEALTH)
@blueprint.problems(503)
def readyz() -> tuple[dict[str, str], int, dict[str, str]]:
    """Return 200 if requests may be sent here: the default lexicon is open and sound. Ignores Redis."""
    if draining.value:
        raise Problem(503, "draining", Text("the server is about to stop"), headers={"Retry-After": "5"})
    service = state()
    service.tables.open(service.settings.lexicon)  # a damaged table is a 503; a bundled one is built again
    return {"status": "ok"}, 200, NOT_CACHED
