"""/livez and /readyz, for whoever starts, watches and replaces this process."""

from __future__ import annotations

from typing import Final

from flask import current_app

from service.openapi import Blueprint
from service.problems import Problem
from service.resources import examples
from service.schemas.answers import HealthShape

FRESH: Final = {"Cache-Control": "no-store"}  # yesterday's health is none

blueprint = Blueprint("health", __name__, description="State of this process")


@blueprint.route("/livez")
@blueprint.response(200, HealthShape, example=examples.HEALTH)
def livez() -> tuple[dict[str, str], int, dict[str, str]]:
    """Tell that the process answers."""
    return {"status": "ok"}, 200, FRESH


@blueprint.route("/readyz")
@blueprint.response(200, HealthShape, example=examples.HEALTH)
@blueprint.problems(503)
def readyz() -> tuple[dict[str, str], int, dict[str, str]]:
    """Tell whether to send requests here; the lexicon is open, and the cache has no say in it."""
    if current_app.config["IS_DRAINING"]():
        raise Problem(503, "draining", "the server is about to stop", headers={"Retry-After": "5"})
    return {"status": "ok"}, 200, FRESH
