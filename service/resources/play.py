"""/play: a turn, by name or by a player of some level, and what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, current_app, g

from engine import Rack, TurnRequest, play_turn
from service.openapi import Blueprint, Operations
from service.resources import examples
from service.schemas.play import PlayBody, TurnShape, dump_turn
from service.schemas.reading import pointing, read_position

if TYPE_CHECKING:
    from service.analyst import Analyst

blueprint = Blueprint("play", __name__, description="Playing a game")

_BODY = PlayBody()


@blueprint.route("/play")
class Play(Operations):
    """A turn of a game."""

    @blueprint.arguments(_BODY, examples=examples.TURNS)
    @blueprint.response(200, TurnShape)
    @blueprint.problems(400, 404, 411, 413, 415, 422, 503)
    def post(self, data: dict[str, Any]) -> Response:
        """Make a move, or let a player of some level make one, and get the position after it."""
        analyst: Analyst = current_app.config["ANALYST"]
        position, lexicon = read_position(data, analyst.catalogue, analyst.settings.lexicon)
        with pointing(data):
            bag = Rack.from_text(data["bag"], position.tile_set.alphabet, "bag") if "bag" in data else None
            wanted = TurnRequest(
                position,
                data.get("move"),
                data.get("level"),
                data["seed"],
                bag,
                data["passes"],
                data.get("max_ms"),
            )
            if wanted.is_heavy:
                with analyst.heavy.slot(), analyst.audience.waiting() as work:
                    turn = play_turn(wanted, lexicon, work.deadline())
            else:
                turn = play_turn(wanted, lexicon)
        g.log_fields = {"lexicon": lexicon.id}
        return Response(dump_turn(turn), mimetype="application/json")
