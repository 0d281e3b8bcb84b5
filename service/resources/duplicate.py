"""/duplicate: arbitrate a game of duplicate, whose state the caller stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import DuplicateGame, InvalidInput, Slip
from service.json_parser import Blueprint
from service.languages import CONTENT_LANGUAGE, answer_language, with_language_headers
from service.logs import add_log_fields
from service.resources import examples
from service.schemas.duplicate import DuplicateRequestSchema, DuplicateSchema, dump_duplicate
from service.schemas.pointers import pointing
from service.schemas.reading import open_lexicon

if TYPE_CHECKING:
    from engine import Lexicon

blueprint = Blueprint("duplicate", __name__, description="Games of duplicate")


@blueprint.route("/duplicate")
class Duplicate(MethodView):
    """A game of duplicate."""

    @blueprint.doc(operationId="duplicate")
    @blueprint.arguments(DuplicateRequestSchema(), examples=examples.DUPLICATE)
    @blueprint.response(200, DuplicateSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Begin a game of duplicate, or judge the slips of a round, lay the top and draw the next rack."""
        with pointing(data):
            game = _game(data)
            if "slips" in data:
                game = game.play(_slips(data["slips"], game.number), top=data.get("top"))
        add_log_fields(lexicon=game.lexicon.id)
        body = dump_duplicate(game, answer_language())
        return with_language_headers(Response(body, mimetype="application/json"))


def _game(data: dict[str, Any]) -> DuplicateGame:
    """Return the game of a request, or a new one."""
    if "game" in data:
        return DuplicateGame.from_document(data["game"], _opened)
    return DuplicateGame.begin(_opened(data.get("lexicon")), data.get("rules"), seed=data.get("seed", 0))


def _opened(name: str | None) -> Lexicon:
    return open_lexicon(None, name)[0]


def _slips(given: list[dict[str, Any]], number: int) -> dict[int, list[Slip]]:
    """Return the slips by round; without any, the open round has none."""
    slips: dict[int, list[Slip]] = {} if given else {number: []}
    for index, item in enumerate(given):
        values = {name: value for name, value in item.items() if name != "round"}
        try:
            slips.setdefault(item.get("round", number), []).append(Slip(**values))
        except InvalidInput as error:
            field = f"slips/{index}/{error.field}"
            raise InvalidInput(error.message, code=error.code, field=field) from None
    return slips
