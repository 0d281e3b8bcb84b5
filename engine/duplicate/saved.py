"""A game of duplicate as JSON values: what was drawn, laid and written, from which the rest follows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from engine.duplicate.game import DuplicateGame
from engine.duplicate.slips import Slip
from engine.errors import EngineError, InvalidInput, excerpt
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.lexicon import Lexicon

FORMAT: Final = "kibitz duplicate 1"
MAX_CHARACTERS: Final = 1 << 22
"""The length of the longest text that `read_duplicate` accepts: an evening of a thousand players."""

_SLIP: Final = ("player", "at", "word", "mark")
_Kind = TypeVar("_Kind")


def duplicate_document(game: DuplicateGame) -> dict[str, Any]:
    """Return a game as values of JSON."""
    return {
        "format": FORMAT,
        "lexicon": {"id": game.lexicon.id, "sha256": game.lexicon.sha256},
        "rules": game.rules.id,
        "seed": game.seed,
        "rounds": [
            {
                "rack": str(one.rack),
                "top": one.top.text,
                "slips": [{name: getattr(judged.slip, name) for name in _SLIP} for judged in one.slips],
            }
            for one in game.rounds
        ],
        "rack": None if game.current is None else str(game.current.rack),
    }


def duplicate_of(document: Any, open_lexicon: Callable[[str], Lexicon]) -> DuplicateGame:
    """Return the game of the values that `duplicate_document` returned; every play is judged again.

    Raises InvalidInput for other values, naming the round of a wrong one, for another version of the format
    (code "other_version") and for another word list ("other_word_list"); and what opening the lexicon raises.
    """
    game = _part(document, dict, "it is not an object")
    if game.get("format") != FORMAT:
        _refuse_format(game.get("format"))
    words = _field(game, "lexicon", dict)
    lexicon = open_lexicon(_field(words, "id", str))
    if _field(words, "sha256", str) != lexicon.sha256:
        raise InvalidInput(
            Text("the game was played with another word list than that of {lexicon}", lexicon=lexicon.id),
            code="other_word_list",
            field="game/lexicon",
        )
    rules, seed = _field(game, "rules", str), _field(game, "seed", int)
    rounds = [_part(one, dict, "a round is not an object") for one in _field(game, "rounds", list)]
    racks = [_field(one, "rack", str) for one in rounds] + [game.get("rack")]
    found = DuplicateGame.begin(lexicon, rules, seed=seed, rack=_rack(racks[0]))
    for number, (one, following) in enumerate(zip(rounds, racks[1:], strict=True), start=1):
        slips = [_slip(slip) for slip in _field(one, "slips", list)]
        try:
            found = found.closed(slips, _field(one, "top", str), _rack(following))
        except EngineError as error:
            where = Text("round {number}", number=number)
            raise InvalidInput(
                Text("{where}: {fault}", where=where, fault=error.message),
                code=error.code,
                field=f"game/rounds/{number - 1}",
                params={"where": where, **error.params},
            ) from error
    return found


def read_duplicate(text: str, open_lexicon: Callable[[str], Lexicon]) -> DuplicateGame:
    """Return the game of a text in JSON; raises as `duplicate_of`."""
    if len(text) > MAX_CHARACTERS:
        _refuse(Text("it has more than {most} characters", most=MAX_CHARACTERS))
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        _refuse(Text("it is not JSON"))
    return duplicate_of(document, open_lexicon)


def _slip(given: Any) -> Slip:
    values = _part(given, dict, "a slip is not an object")
    return Slip(*[_field(values, name, str) for name in _SLIP])


def _rack(given: Any) -> str | None:
    return None if given is None else _part(given, str, "a rack is not a text")


def _field(values: Mapping[str, Any], name: str, kind: type[_Kind]) -> _Kind:
    return _part(values.get(name), kind, f"{name} is missing or of another kind")


def _part(value: Any, kind: type[_Kind], fault: str) -> _Kind:
    if not isinstance(value, kind) or isinstance(value, bool):
        _refuse(fault)
    return value


def _refuse_format(form: Any) -> NoReturn:
    if isinstance(form, str) and form.startswith(FORMAT.rstrip("1")):
        raise InvalidInput(
            Text(
                "the game was saved by another version of kibitz, as '{format}'; this one reads {known}",
                format=excerpt(form),
                known=f"'{FORMAT}'",
            ),
            code="other_version",
            field="game",
            params={"format": excerpt(form), "known": [FORMAT]},
        )
    _refuse(Text("its format is not '{format}'", format=FORMAT))


def _refuse(reason: str) -> NoReturn:
    raise InvalidInput(
        Text("this is not a saved game: {reason}", reason=reason), code="bad_game", field="game"
    ) from None
