"""Annotations of recorded games: reading the request, and writing the answer in both formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import annotation_notes, read_gcg
from service.game_lexicon import game_lexicon
from service.schemas.annotate import dump_document, dump_notes, read_annotation_options
from service.schemas.reading import pointing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from engine import AnnotationNote, AnnotationOptions, Catalogue, Deadline, GcgReading, Lexicon


class RecordRequest(NamedTuple):
    """Hold a loaded request of /games/annotate and what it means; `data["gcg"]` is text or bytes."""

    data: Mapping[str, Any]
    reading: GcgReading
    lexicon: Lexicon
    options: AnnotationOptions

    @property
    def steps(self) -> int:
        """The number of parts of the annotation, about."""
        return len(self.reading.record.events) + 2

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What is not as the record asks: each `code`, `params` and `detail`."""
        named = self.reading.record.lexicon
        if self.data.get("lexicon") or not named or named.lower() == self.lexicon.id:
            return []
        params = {"asked": named, "used": self.lexicon.id}
        detail = f"the record names the lexicon {named}, which is not installed; {self.lexicon.id} was used"
        return [{"code": "lexicon_not_installed", "params": params, "detail": detail}]


def read_record(data: Mapping[str, Any], catalogue: Catalogue, default: str) -> RecordRequest:
    """Read the record of a loaded request, and open its lexicon (`default` if nothing names another).

    Raises a Problem if it is no record, or the options do not fit together.
    """
    with pointing(data):
        reading = read_gcg(data["gcg"])
        lexicon = game_lexicon(reading.record, data.get("lexicon"), default, catalogue.open)
        return RecordRequest(data, reading, lexicon, read_annotation_options(data))


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
