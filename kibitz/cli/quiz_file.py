"""The progress of a quiz: a JSON file of the user with what is known of each card."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self

import marshmallow as ma
import orjson

from engine import CardProgress, InvalidInput, Text, excerpt
from kibitz.cli.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

VERSION: Final = 1


@dataclass(slots=True)
class QuizFile:
    """Hold the cards of a quiz by their questions, and where they are saved."""

    path: Path
    lexicon: str
    cards: dict[str, CardProgress] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, lexicon: str) -> Self:
        """Read a file, or begin one; raise InvalidInput if it is no quiz or that of another lexicon."""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return cls(path, lexicon)
        read = _read(data, path)
        if read["lexicon"] != lexicon:
            raise InvalidInput(
                Text(
                    "{path} is a quiz about the lexicon {id}, not about {other}",
                    path=str(path),
                    id=excerpt(read["lexicon"]),
                    other=lexicon,
                ),
                code="other_lexicon",
            )
        cards = {question: CardProgress(**card) for question, card in read["cards"].items()}
        return cls(path, lexicon, cards)

    def save(self) -> None:
        """Write the file; an interruption leaves the old one."""
        cards = {question: asdict(card) for question, card in self.cards.items()}
        written = {"version": VERSION, "lexicon": self.lexicon, "cards": cards}
        options = orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE
        write_atomically(self.path, orjson.dumps(written, option=options))

    def due(self, now: datetime) -> list[str]:
        """Return the questions that were asked before and are due, the longest due first."""
        found = [question for question, card in self.cards.items() if not card.is_new and card.due <= now]
        return sorted(found, key=lambda question: self.cards[question].due)

    def is_new(self, question: str) -> bool:
        """Return whether a question was never asked."""
        card = self.cards.get(question)
        return card is None or card.is_new


def _time(**options: Any) -> ma.fields.AwareDateTime:
    within = ma.validate.Range(CardProgress.EARLIEST, CardProgress.LATEST)
    return ma.fields.AwareDateTime(format="iso", default_timezone=UTC, validate=within, **options)


def _count(least: int) -> ma.fields.Integer:
    return ma.fields.Integer(
        strict=True, required=True, validate=ma.validate.Range(least, CardProgress.MOST_ANSWERS)
    )


def _number(least: float, most: float) -> ma.fields.Float:
    within = ma.validate.Range(least, most)
    return ma.fields.Float(required=True, allow_none=True, validate=within)


class _CardSchema(ma.Schema):
    due = _time(required=True)
    last_review = _time(required=True, allow_none=True)
    stability = _number(CardProgress.LEAST_DAYS, CardProgress.MOST_DAYS)
    difficulty = _number(1, 10)
    correct = _count(0)
    incorrect = _count(0)
    streak = _count(-CardProgress.MOST_ANSWERS)

    @ma.validates_schema
    def check_memory(self, data: Mapping[str, Any], **_: Any) -> None:
        """Raise ValidationError unless last_review, stability and difficulty are all known or all null."""
        if len({data[name] is None for name in ("last_review", "stability", "difficulty")}) > 1:
            raise ma.ValidationError("last_review, stability and difficulty are null together or not at all")


class _FileSchema(ma.Schema):
    version = ma.fields.Integer(strict=True, required=True, validate=ma.validate.Equal(VERSION))
    lexicon = ma.fields.String(required=True)
    cards = ma.fields.Dict(ma.fields.String(), ma.fields.Nested(_CardSchema), required=True)


def _read(data: bytes, path: Path) -> dict[str, Any]:
    try:
        read: dict[str, Any] = _FileSchema().load(orjson.loads(data))
    except orjson.JSONDecodeError as error:
        reason = str(error)
    except ma.ValidationError as error:
        reason = ": ".join(_first_fault(error.messages))
    else:
        return read
    raise InvalidInput(
        Text("{path} is not a quiz file: {reason}", path=str(path), reason=excerpt(reason, 200)),
        code="bad_quiz_file",
    )


def _first_fault(messages: Any) -> list[str]:
    """Return the path to the first message of marshmallow, and the message."""
    if isinstance(messages, dict):
        name, below = next(iter(messages.items()))
        return [*([] if name in ("_schema", "value") else [str(name)]), *_first_fault(below)]
    return [str(messages[0] if isinstance(messages, list) else messages)]
