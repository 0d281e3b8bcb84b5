"""Annotate the records of a folder or an archive for `kibitz batch`.

Each record gives one file, whose first line names all its inputs; the file is written again only if they have
changed. Files are written under a temporary name and renamed, so that none is ever incomplete. The process of
the command reads and writes all files; workers (`workers.py`) annotate.
"""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import wait
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import MISTAKES
from kibitz.archives.archive_members import SUMMARY
from kibitz.archives.record_annotator import RecordTask
from kibitz.archives.record_source import ANNOTATION_ENDING, RecordSource
from kibitz.cli.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from kibitz.archives.archive_members import SourceRecord
    from kibitz.archives.record_annotator import FolderWork
    from kibitz.cli.workers import RecordWorkers

_LAST_LINES: Final = (b'{"type":"end",', b'{"type":"error",')
"""The last line of an annotation begins with one of these."""

_COUNTS: Final = ("turns", "judged", "bingos", "missed_bingos", "phonies", "phonies_taken_back")
"""The counts of a player that are added up."""

TICK_SECONDS: Final = 0.5
"""How often the workers are looked at while the next record is being annotated."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold the result of one record: its summary, or the error.

    `lines`: those of its annotation, none if no annotation could be written; `lexicon`: the one used, "" if
    none was; `error`: code and detail;
    `faults`: line, code and detail of each fault of the record, ordered by line; `fresh`: whether the file
    was written by this run.
    """

    name: str
    lines: list[bytes]
    summary: dict[str, Any] | None
    error: dict[str, Any] | None
    faults: list[dict[str, Any]]
    fresh: bool
    lexicon: str = ""


class RecordFolder:
    """Annotate the records of a folder or an archive into an output folder.

    `work`: as passed to the constructor; `names`: the names of the records.
    """

    def __init__(self, work: FolderWork) -> None:
        self.work = work
        self._source = RecordSource(work.source)
        self.names = self._source.names

    def annotate(self, workers: RecordWorkers) -> Iterator[Outcome]:
        """Annotate the records without an up-to-date annotation; yield the outcome of all, in their order."""
        self.work.output.mkdir(parents=True, exist_ok=True)
        waiting: deque[tuple[SourceRecord, list[bytes], Future[list[bytes] | None] | None]] = deque()

        def next_outcome() -> Outcome:
            record, stored, future = waiting.popleft()
            while future is not None and not future.done():
                wait([future], TICK_SECONDS)
                _ = workers.ahead  # prints a notice if no worker is left
            return self._outcome(record, stored, None if future is None else future.result())

        for record in self._source.records():
            stored, future = self._stored(record), None
            if record.error is None:
                future = workers.submit(RecordTask(record.name, record.data, stored[0] if stored else None))
            waiting.append((record, stored, future))
            if len(waiting) >= workers.ahead:
                yield next_outcome()
        while waiting:
            yield next_outcome()

    def _stored(self, record: SourceRecord) -> list[bytes]:
        """Return the lines of the last annotation of a record, none without a whole one."""
        if record.error is not None:
            return []
        try:
            lines = self._target(record.name).read_bytes().splitlines(keepends=True)
        except OSError:
            return []
        is_whole = bool(lines) and lines[-1].startswith(_LAST_LINES) and lines[-1].endswith(b"\n")
        return lines if is_whole else []

    def _outcome(self, record: SourceRecord, stored: list[bytes], lines: list[bytes] | None) -> Outcome:
        """Write the annotation of a record unless the stored one is up to date, and return the outcome."""
        if record.error is not None:
            error = {"code": record.error.code, "detail": str(record.error)}
            return Outcome(record.name, [], None, error, [], fresh=False)
        if lines is None:
            return _read_outcome(record.name, stored, fresh=False)
        target = self._target(record.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, b"".join(lines))
        return _read_outcome(record.name, lines, fresh=True)

    def _target(self, name: str) -> Path:
        return self.work.output / f"{name}{ANNOTATION_ENDING}"

    def left_over(self) -> list[str]:
        """Return the names of the annotations whose records no longer exist."""
        expected = {f"{name}{ANNOTATION_ENDING}" for name in self.names}
        output = self.work.output
        found = {path.relative_to(output).as_posix() for path in output.rglob(f"*{ANNOTATION_ENDING}")}
        return sorted(found - expected)

    def save_summary(self, totals: dict[str, Any]) -> None:
        """Write the totals to summary.json in the output folder."""
        write_atomically(self.work.output / SUMMARY, orjson.dumps(totals, option=orjson.OPT_INDENT_2))


def _read_outcome(name: str, lines: list[bytes], *, fresh: bool) -> Outcome:
    """Return the outcome that the lines of an annotation state."""
    summary, error, lexicon = None, None, ""
    found: list[dict[str, Any]] = []
    for text in lines:
        line = orjson.loads(text)
        if line["type"] == "summary":
            summary = line
        elif line["type"] == "error":
            error = {"code": line["code"], "detail": line["detail"]}
        elif line["type"] == "record":
            lexicon = line["lexicon"] or ""
        elif line["type"] == "game":  # its faults are all errors of the record
            found = [fault for fault in line["faults"] if not fault["warning"]]
    found.sort(key=lambda fault: fault["line"])
    faults = [{name: fault[name] for name in ("line", "code", "detail")} for fault in found]
    return Outcome(name, lines, None if error else summary, error, faults, fresh, lexicon)


class RecordTotals:
    """Add up outcomes; `faulty`: those that were refused or have faults, without their lines.

    `done` and `fresh`: how many records were added, and how many of them were annotated by this run.
    """

    def __init__(self) -> None:
        self.done = self.fresh = 0
        self.faulty: list[Outcome] = []
        self._annotated = 0
        self._counts: Counter[str] = Counter()
        self._mistakes: Counter[str] = Counter()
        self._lexicons: Counter[str] = Counter()
        self._equity_loss = 0.0

    def add(self, outcome: Outcome) -> None:
        """Add the outcome of a record."""
        self.done += 1
        self.fresh += outcome.fresh
        if outcome.error is not None or outcome.faults:
            self.faulty.append(replace(outcome, lines=[], summary=None))
        if outcome.summary is None:
            return
        self._annotated += 1
        self._lexicons[outcome.lexicon] += 1
        for player in outcome.summary["players"]:
            self._counts.update({name: player[name] for name in _COUNTS})
            self._mistakes.update(player["mistakes"])
            self._equity_loss += player["equity_loss"]

    @property
    def refused(self) -> int:
        """The number of records that were refused."""
        return self.done - self._annotated

    def as_dict(self) -> dict[str, Any]:
        """Return the totals as they are saved."""
        return {
            "records": self.done,
            "annotated": self._annotated,
            "refused": self.refused,
            "with_faults": sum(bool(outcome.faults) for outcome in self.faulty),
            **{name: self._counts[name] for name in _COUNTS},
            "lexicons": dict(self._lexicons.most_common()),
            "mistakes": {name: self._mistakes[name] for name in MISTAKES},
            "equity_loss": round(self._equity_loss, 3),
            "errors": {outcome.name: outcome.error for outcome in self.faulty if outcome.error is not None},
            "faults": {outcome.name: outcome.faults for outcome in self.faulty if outcome.faults},
        }
