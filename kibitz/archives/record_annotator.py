"""The annotation of one record of a batch, as the lines of its file.

It has two steps. `plan` finds the lexicon, and states all inputs in the first line; `annotation_lines` does
the work, here or on another machine with the same lexicon.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import orjson

from engine import (
    Catalogue,
    EngineError,
    __version__,
    annotation_key,
    annotation_notes,
    read_gcg,
    record_lexicon,
)
from service.schemas.annotation_answers import dump_notes, dump_refusal

if TYPE_CHECKING:
    from pathlib import Path

    from engine import AnnotationOptions, Deadline, Lexicon, Notice


@dataclass(frozen=True, slots=True)
class FolderWork:
    """Hold what a worker process needs: the options and the lexicons.

    `source`: a folder or an archive of records; `output`: the folder of the annotations. `lexicons`: those
    asked for, none or several. `default`: used without them for records that name no installed lexicon.
    `data`: the folder of the tables. `simd`: the vector path, None for the best.
    """

    source: Path
    output: Path
    lexicons: tuple[str, ...]
    options: AnnotationOptions
    data: Path
    default: str
    simd: int | None = None


class RecordTask(NamedTuple):
    """A record to annotate: its name, its bytes, and the first line of its last annotation, None without."""

    name: str
    data: bytes
    stored: bytes | None


class RecordPlan(NamedTuple):
    """How a record is annotated: with a lexicon and warnings, or not at all if `lexicon` is None.

    `first`: the first line of the annotation, which names all inputs; `refusal`: its second line if the
    record is not annotated, else empty.
    """

    first: bytes
    lexicon: Lexicon | None
    warnings: tuple[Notice, ...]
    refusal: bytes


class RecordPlanner:
    """Find out how the records of a batch are annotated."""

    def __init__(self, work: FolderWork) -> None:
        self._work = work
        self._catalogue = Catalogue(work.data)

    def plan(self, task: RecordTask) -> RecordPlan:
        """Return how a record is annotated."""
        lexicon, refusal = None, b""
        warnings: tuple[Notice, ...] = ()
        try:
            record, work = read_gcg(task.data).record, self._work
            lexicon, warnings = record_lexicon(
                record, work.lexicons, work.default, self._catalogue, self._catalogue.ensure
            )
        except EngineError as error:
            refusal = dump_refusal(error)
        line = {
            "type": "record",
            "file": task.name,
            "sha256": sha256(task.data).hexdigest(),
            "engine_version": __version__,
            "lexicon": None if lexicon is None else lexicon.id,
            "annotation": None if lexicon is None else annotation_key(lexicon, self._work.options),
        }
        first = orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
        return RecordPlan(first, lexicon, warnings, refusal)


def annotation_lines(
    first: bytes,
    data: bytes,
    lexicon: Lexicon,
    warnings: tuple[Notice, ...],
    options: AnnotationOptions,
    deadline: Deadline | None = None,
) -> list[bytes]:
    """Return the lines of an annotation of a record that can be read; an error is one of them.

    `first`, `warnings`: those of the plan; `deadline`: ends the work early, and its lines are incomplete.
    """
    reading = read_gcg(data)
    faults = (*reading.faults, *reading.warnings)
    try:
        notes = annotation_notes(reading.record, lexicon, options, faults, deadline=deadline)
        return [first, *dump_notes(notes, warnings)]
    except EngineError as error:
        return [first, dump_refusal(error)]
