"""Annotations of recorded games: reads the request, and writes the answer as JSON or NDJSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import annotation_notes, read_gcg
from service.schemas.annotate import read_annotation_options
from service.schemas.annotation_answers import dump_document, dump_notes
from service.schemas.pointers import pointing
from service.schemas.reading import open_lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from engine import AnnotationNote, AnnotationOptions, Deadline, GcgReading, Lexicon, Notice


class RecordRequest(NamedTuple):
    """A loaded request of /games/annotate with its record, lexicon, options and warnings.

    `data["gcg"]` is text or bytes.
    """

    data: Mapping[str, Any]
    reading: GcgReading
    lexicon: Lexicon
    options: AnnotationOptions
    warnings: tuple[Notice, ...]

    @property
    def steps(self) -> int:
        """The approximate number of parts of the annotation."""
        return len(self.reading.record.events) + 2


def read_record(data: Mapping[str, Any], default: str | None = None) -> RecordRequest:
    """Read the record of a loaded request and open its lexicon.

    If neither names a lexicon, it is `default`, which is by default that of the settings. Raises a Problem if
    the text is no record, or the options contradict each other.
    """
    with pointing(data):
        reading = read_gcg(data["gcg"])
        lexicon, warnings = open_lexicon(reading.record.lexicon, data.get("lexicon"), default)
        return RecordRequest(data, reading, lexicon, read_annotation_options(data), warnings)


def check_record(wanted: RecordRequest) -> None:
    """Raise the Problem that annotating the record would raise."""
    _notes(wanted, None)


def annotation_document(
    wanted: RecordRequest,
    deadline: Deadline | None = None,
    progress: Callable[[int], None] | None = None,
) -> bytes:
    """Return an annotation as one JSON document; if `deadline` passes, only the turns judged until then.

    `progress` is called with the number of parts done. Raises a Problem if the record cannot be annotated.
    """
    notes = []
    for note in _notes(wanted, deadline):
        notes.append(note)
        if progress is not None:
            progress(len(notes))
    return dump_document(notes, wanted.warnings)


def annotation_lines(wanted: RecordRequest, deadline: Deadline | None = None) -> Iterator[bytes]:
    """Yield an annotation line by line as its turns are judged; raises the same as `annotation_document`."""
    return dump_notes(_notes(wanted, deadline), wanted.warnings)


def _notes(wanted: RecordRequest, deadline: Deadline | None) -> Iterator[AnnotationNote]:
    reading = wanted.reading
    faults = (*reading.faults, *reading.warnings)
    with pointing(wanted.data):
        return annotation_notes(reading.record, wanted.lexicon, wanted.options, faults, deadline)
