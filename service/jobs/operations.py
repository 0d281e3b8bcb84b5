"""The operations that a job is made of, each from a loaded request; within an application's context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import annotation_notes, read_gcg
from service.game_lexicon import game_lexicon
from service.schemas.annotate import read_annotation_options
from service.schemas.reading import pointing, read_request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import AnnotationNote, AnnotationOptions, Lexicon
    from service.analyst import Analyst


def analysis(analyst: Analyst, data: dict[str, Any], default: str) -> bytes:
    """Return the answer of /analyze to a loaded request, by the lexicon `default` if it names none.

    Raises Problem.
    """
    wanted, lexicon = read_request(data, service.catalogue, default)
    with pointing(data):
        return analyst.answer(wanted, lexicon).body


class WantedAnnotation(NamedTuple):
    """The notes of an annotation, still to be made, what they are made by, and about how many there are."""

    notes: Iterator[AnnotationNote]
    lexicon: Lexicon
    options: AnnotationOptions
    steps: int


def annotation(analyst: Analyst, data: dict[str, Any], default: str) -> WantedAnnotation:
    """Read a loaded request of /games/annotate, as `analysis` does; raises Problem at once."""
    with pointing(data):
        reading = read_gcg(data["gcg"])
        lexicon = game_lexicon(reading.record, data.get("lexicon"), default, service.catalogue.open)
        faults = (*reading.faults, *reading.warnings)
        options = read_annotation_options(data)
        notes = annotation_notes(reading.record, lexicon, options, faults)
        return WantedAnnotation(notes, lexicon, options, len(reading.record.events) + 3)
