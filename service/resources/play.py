"""/play: make a move, or let a computer player move, and return the next position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import Deadline, Rack, TimeControl, TurnRequest, TurnTime, play_turn
from service.disconnects import on_disconnect
from service.documents import dump_turn
from service.json_parser import Blueprint
from service.languages import CONTENT_LANGUAGE, answer_language, with_language_headers
from service.logs import add_log_fields
from service.resources import examples
from service.schemas.play import PlayRequestSchema, TurnSchema
from service.schemas.pointers import pointing
from service.schemas.reading import read_position
from service.state import state

if TYPE_CHECKING:
    from engine import Position

blueprint = Blueprint("play", __name__, description="Playing a game")


@blueprint.route("/play")
class Play(MethodView):
    """A turn of a game."""

    @blueprint.doc(operationId="play")
    @blueprint.arguments(PlayRequestSchema(), examples=examples.TURNS)
    @blueprint.response(200, TurnSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Make a move, or let a computer player move, and return the next position."""
        position, lexicon, warnings = read_position(data)
        with pointing(data):
            wanted = TurnRequest(
                position,
                data.get("move"),
                data.get("level"),
                data["seed"],
                _tiles(data, "bag", position),
                data["passes"],
                data.get("max_ms"),
                _time(data),
                data["allow_phonies"],
                _tiles(data, "drawn", position),
            )
            if wanted.is_search:
                deadline = Deadline.after(state().settings.sync_ms)
                with state().searches.slot(), on_disconnect(deadline.cut):
                    turn = play_turn(wanted, lexicon, deadline)
            else:
                turn = play_turn(wanted, lexicon)
        add_log_fields(lexicon=lexicon.id)
        body = dump_turn(turn, warnings, answer_language())
        return with_language_headers(Response(body, mimetype="application/json"))


def _tiles(data: dict[str, Any], name: str, position: Position) -> Rack | None:
    return Rack.from_text(data[name], position.tile_set.alphabet, name) if name in data else None


def _time(data: dict[str, Any]) -> TurnTime | None:
    """Return the times of a turn; None for a game without a clock."""
    if "time" not in data:
        return None
    given = data["time"]
    control = TimeControl(per_move=given.get("per_move"), overtime=given["overtime"])
    return TurnTime(given["taken"], tuple(given.get("left", ())), control)
