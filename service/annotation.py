"""Annotations of recorded games: reading the request, and writing the answer in both formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import annotation_notes, read_gcg
from service.game_lexicon import named_lexicon
from service.schemas.annotate import dump_document, dump_notes, read_annotation_options
from service.schemas.pointers import pointing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from engine import AnnotationNote, AnnotationOptions, Catalogue, Deadline, GcgReading, Lexicon, Notice


class RecordRequest(NamedTuple):
    """Hold a loaded request of /games/annotate and what it means; `data["gcg"]` is text or bytes.

    `warnings` are what is not as the record asks.
    """

    data: Mapping[str, Any]
    reading: GcgReading
    lexicon: Lexicon
    options: AnnotationOptions
    warnings: tuple[Notice, ...]

    @property
    def steps(self) -> int:
        """The number of parts of the annotation, about."""
        return len(self.reading.record.events) + 2


def read_record(data: Mapping[str, Any], catalogue: Catalogue, default: str) -> RecordRequest:
    """Read the record of a loaded request, and open its lexicon (`default` if nothing names another).

    Raises a Problem if it is no record, or the options do not fit together.
    """
    with pointing(data):
        reading = read_gcg(data["gcg"])
        named, asked = reading.record.lexicon, data.get("lexicon")
        lexicon, warnings = named_lexicon(named, asked, default, catalogue.open)
        return RecordRequest(data, reading, lexicon, read_annotation_options(data), warnings)


def check_record(wanted: RecordRequest) -> None:
    """Raise the Problem that annotating the record would raise, without annotating it."""
    _notes(wanted, None)


def annotation_document(
    wanted: RecordRequest,
    deadline: Deadline | None = None,
    progress: Callable[[int], None] | None = None,
) -> bytes:
    """Return an annotation as one JSON document; after `deadline` the turns judged by then.

    `progress` is called with the number of parts done. Raises a Problem if the record cannot be annotated as
    the request asks.
    """
    notes = []
    for note in _notes(wanted, deadline):
        notes.append(note)
        if progress is not None:
            progress(len(notes))
    return dump_document(notes, wanted.warnings)


def annotation_lines(wanted: RecordRequest, deadline: Deadline | None = None) -> Iterator[bytes]:
    """Return an annotation as lines of JSON, each as soon as its turn is judged; raises as the document."""
    return dump_notes(_notes(wanted, deadline), wanted.warnings)


def _notes(wanted: RecordRequest, deadline: Deadline | None) -> Iterator[AnnotationNote]:
    reading = wanted.reading
    faults = (*reading.faults, *reading.warnings)
    with pointing(wanted.data):
        return annotation_notes(reading.record, wanted.lexicon, wanted.options, faults, deadline)
