"""Annotations of recorded games: reads the request, and writes the answer in one of `MEDIA_TYPES`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine import (
    annotated_record,
    annotation_notes,
    annotation_of,
    format_gcg,
    read_gcg,
)
from service.annotation_report import annotation_page
from service.schemas.annotate import read_annotation_options
from service.schemas.annotation_answers import dump_document, dump_notes
from service.schemas.pointers import pointing
from service.schemas.reading import open_record_lexicon
from service.state import state
from service.view_rules import HTML, JSON, NDJSON, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from engine import AnnotationNote, AnnotationOptions, Deadline, GcgReading, Lexicon, Notice

MEDIA_TYPES: Final = (JSON, NDJSON, TEXT, HTML)
"""Those of an answer: a document, its lines, the record with notes, and a page."""


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

    If neither names a lexicon, it is `default`, which is by default that of the settings, or another one with
    the tiles of the record. Raises a Problem if the text is no record, or the options contradict each other.
    """
    with pointing(data):
        reading = read_gcg(data["gcg"])
        lexicon, warnings = open_record_lexicon(reading.record, data.get("lexicon"), default)
        options = read_annotation_options(data)
        said = tuple([warning.rendered(options.lang) for warning in warnings])
        return RecordRequest(data, reading, lexicon, options, said)


def check_record(wanted: RecordRequest) -> None:
    """Raise the Problem that annotating the record would raise."""
    _notes(wanted, None)


def annotation_document(
    wanted: RecordRequest,
    media_type: str = JSON,
    deadline: Deadline | None = None,
    progress: Callable[[int], None] | None = None,
) -> bytes:
    """Return an annotation as one JSON document, as a GCG record with notes (TEXT), or as a page (HTML).

    Its sentences are in the language that the request names, else in English.

    If `deadline` passes, only the turns until then are judged. `progress` is called with the number of parts
    done. Raises a Problem if the record cannot be annotated.
    """
    notes = []
    for note in _notes(wanted, deadline):
        notes.append(note)
        if progress is not None:
            progress(len(notes))
    if media_type == JSON:
        return dump_document(notes, wanted.warnings)
    annotation = annotation_of(wanted.reading.record, notes)
    language = wanted.options.lang
    if media_type == TEXT:
        with pointing(wanted.data):
            return format_gcg(annotated_record(annotation, language)).encode()
    return annotation_page(annotation, language).encode()


def annotation_lines(wanted: RecordRequest, deadline: Deadline | None = None) -> Iterator[bytes]:
    """Yield an annotation line by line as its turns are judged; raises the same as `annotation_document`."""
    return dump_notes(_notes(wanted, deadline), wanted.warnings)


def _notes(wanted: RecordRequest, deadline: Deadline | None) -> Iterator[AnnotationNote]:
    """Return the notes of an annotation, from the cache of this process if it has them."""
    annotations = state().annotations
    key = (wanted.data["gcg"], wanted.lexicon, wanted.options)
    if (found := annotations.get(key)) is not None:
        return iter(found)
    reading = wanted.reading
    faults = (*reading.faults, *reading.warnings)
    with pointing(wanted.data):
        notes = annotation_notes(reading.record, wanted.lexicon, wanted.options, faults, deadline)
    return annotations.stored(key, notes, deadline)
