"""The operation on games of duplicate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import DuplicateGame, InvalidInput, Slip
from service.logs import add_log_fields
from service.operations.operation import operation
from service.schemas.duplicate import DuplicateRequestSchema, dump_duplicate
from service.schemas.pointers import pointing
from service.schemas.reading import open_lexicon

if TYPE_CHECKING:
    from engine import Lexicon
    from service.operations.operation import Call


@operation(DuplicateRequestSchema())
def duplicate(data: dict[str, Any], call: Call) -> bytes:
    """Begin a game of duplicate, or judge the slips of a round, lay the top and draw the next rack."""
    with pointing(data):
        game = _game(data, call.default)
        if "slips" in data:
            game = game.play(_slips(data["slips"], game.number), top=data.get("top"))
    add_log_fields(lexicon=game.lexicon.id)
    return dump_duplicate(game, call.lang)


def _game(data: dict[str, Any], default: str) -> DuplicateGame:
    """Return the game of a request, or a new one."""

    def opened(name: str | None) -> Lexicon:
        return open_lexicon(None, name, default)[0]

    if "game" in data:
        return DuplicateGame.from_document(data["game"], opened)
    return DuplicateGame.begin(opened(data.get("lexicon")), data.get("rules"), seed=data.get("seed", 0))


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
