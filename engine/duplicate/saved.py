"""A game of duplicate as values of text and numbers: what was drawn, laid and written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self, TypeVar

from engine.duplicate.slips import Slip
from engine.errors import EngineError, InvalidInput, excerpt, quoted
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.lexicon import Lexicon

NAME: Final = "kibitz duplicate "
FORMAT: Final = "kibitz duplicate 1"
MAX_CHARACTERS: Final = 1 << 22
"""The length of the longest text that `parsed` accepts: an evening of a thousand players."""

_SLIP: Final = ("player", "at", "word", "mark")
_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class SavedRound:
    """Hold a closed round: the rack drawn, the top laid, and the slips."""

    rack: str
    top: str
    slips: tuple[Slip, ...]


@dataclass(frozen=True, slots=True)
class SavedDuplicate:
    """Hold everything of a game but its words; `rack`: that of the open round, None if there is none."""

    lexicon_id: str
    sha256: str
    rules: str
    seed: int
    rounds: tuple[SavedRound, ...]
    rack: str | None

    @property
    def racks(self) -> tuple[str | None, ...]:
        """The racks of the closed rounds and of the open one."""
        return (*[one.rack for one in self.rounds], self.rack)

    def document(self) -> dict[str, Any]:
        """Return the game as values of JSON."""
        return {
            "format": FORMAT,
            "lexicon": {"id": self.lexicon_id, "sha256": self.sha256},
            "rules": self.rules,
            "seed": self.seed,
            "rounds": [
                {
                    "rack": one.rack,
                    "top": one.top,
                    "slips": [{name: getattr(slip, name) for name in _SLIP} for slip in one.slips],
                }
                for one in self.rounds
            ],
            "rack": self.rack,
        }

    def check_words(self, lexicon: Lexicon) -> None:
        """Raise InvalidInput if a lexicon has other words than that of the game."""
        if self.sha256 != lexicon.sha256:
            raise InvalidInput(
                Text("the game was played with another word list than that of {lexicon}", lexicon=lexicon.id),
                code="other_word_list",
                field="lexicon",
            )

    @classmethod
    def of(cls, document: Any) -> Self:
        """Return the game of a document; raise InvalidInput naming what is missing or of another kind."""
        game = _part(document, dict, FORMAT)
        _check_format(game.get("format"))
        words, rack = _field(game, "lexicon", dict), game.get("rack")
        return cls(
            lexicon_id=_field(words, "id", str),
            sha256=_field(words, "sha256", str),
            rules=_field(game, "rules", str),
            seed=_field(game, "seed", int),
            rounds=tuple([_round(index, one) for index, one in enumerate(_field(game, "rounds", list))]),
            rack=None if rack is None else _part(rack, str, "rack"),
        )


def parsed(text: str) -> Any:
    """Return the values of a text in JSON; raise InvalidInput."""
    if len(text) > MAX_CHARACTERS:
        _refuse(Text("it has more than {most} characters", most=MAX_CHARACTERS))
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        _refuse(Text("it is not JSON"))


def in_game(error: EngineError) -> EngineError:
    """Return an error about a part of a saved game, with the place of this part."""
    return type(error)(error.message, code=error.code, field=f"game/{error.field}", params=error.params)


def in_round(index: int, error: EngineError) -> InvalidInput:
    """Return the error in a round of a saved game, by its index from 0."""
    where = Text("round {number}", number=index + 1)
    return InvalidInput(
        Text("{where}: {fault}", where=where, fault=error.message),
        code=error.code,
        field=f"game/rounds/{index}",
        params={"where": where, **error.params},
    )


def _round(index: int, given: Any) -> SavedRound:
    one = _part(given, dict, "rounds")
    slips = [_part(slip, dict, "slips") for slip in _field(one, "slips", list)]
    values = [[_field(slip, name, str) for name in _SLIP] for slip in slips]
    try:
        return SavedRound(
            _field(one, "rack", str), _field(one, "top", str), tuple([Slip(*slip) for slip in values])
        )
    except EngineError as error:
        raise in_round(index, error) from error


def _field(values: Mapping[str, Any], name: str, kind: type[_Kind]) -> _Kind:
    return _part(values.get(name), kind, name)


def _part(value: Any, kind: type[_Kind], name: str) -> _Kind:
    if not isinstance(value, kind) or isinstance(value, bool):
        _refuse(Text("{part} is missing or of another kind", part=name))
    return value


def _check_format(form: Any) -> None:
    if form == FORMAT:
        return
    if isinstance(form, str) and form.startswith(NAME):
        raise InvalidInput(
            Text(
                "the game was saved by another version of kibitz, as '{format}'; this one reads {known}",
                format=excerpt(form),
                known=quoted(FORMAT),
            ),
            code="other_version",
            field="game/format",
            params={"format": excerpt(form), "known": [FORMAT]},
        )
    _refuse(Text("its format is not '{format}'", format=FORMAT))


def _refuse(reason: str) -> NoReturn:
    raise InvalidInput(
        Text("this is not a saved game: {reason}", reason=reason), code="bad_game", field="game"
    ) from None
