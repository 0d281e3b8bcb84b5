"""Annotate the records of a folder, in one process or several, for `kibitz batch`.

Each record gives one file, whose first line names all its inputs; the file is written again only if they have
changed. Files are written under a temporary name and renamed, so that none is ever incomplete.
"""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import (
    AnnotationOptions,
    Catalogue,
    EngineError,
    __version__,
    annotation_key,
    annotation_notes,
    read_gcg,
    use_simd,
)
from service.cli.options import RECORD_BYTES_READ
from service.cli.output_file import write_complete
from service.game_lexicon import named_lexicon
from service.schemas.annotation_answers import dump_notes, dump_refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from engine import Lexicon, Notice

SUFFIX: Final = ".ndjson"
SUMMARY: Final = "summary.json"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold the result of one record: its summary, or the error.

    `faults`: a sentence for each fault of the record, which names the line. `fresh`: whether the file was
    written by this run.
    """

    name: str
    summary: dict[str, Any] | None
    error: str | None
    faults: list[str]
    fresh: bool


@dataclass(frozen=True, slots=True)
class FolderWork:
    """Hold what a worker process needs: the folders, the options and the lexicons.

    `lexicon`: used for all records, or None. `default`: used for records that name no installed lexicon.
    `data`: the folder of the tables.
    `simd`: the vector path, None for the best.
    """

    directory: Path
    output: Path
    lexicon: str | None
    options: AnnotationOptions
    data: Path
    default: str
    simd: int | None = None


class RecordFolder:
    """Annotate the records of a folder into an output folder."""

    def __init__(self, work: FolderWork) -> None:
        self._work = work
        names = (path.relative_to(work.directory) for path in work.directory.rglob("*.gcg") if path.is_file())
        self.files = sorted(names)

    def annotate(self, workers: int) -> Iterator[Outcome]:
        """Annotate the records without an up-to-date annotation; yield the outcome of all, ordered by name.

        Raises EngineError if the lexicon of the options cannot be opened, and with the code "worker_killed"
        if a worker process was killed.
        """
        self._work.output.mkdir(parents=True, exist_ok=True)
        annotator = _Annotator(self._work)
        annotator.open_first()
        if workers == 1:
            yield from map(annotator.annotate, self.files)
            return
        # Processes, because most of the work is Python code; spawned, because forking is unsafe while a
        # thread draws the progress bar.
        pool = ProcessPoolExecutor(
            min(workers, max(1, len(self.files))),
            multiprocessing.get_context("spawn"),
            initializer=start_worker,
            initargs=(self._work,),
        )
        try:
            # Ctrl-C signals the whole process group. The workers inherit the mask; this process ends them.
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            outcomes = pool.map(_annotate, self.files)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            yield from outcomes
        except BrokenProcessPool:
            detail = "a worker process was killed; run the command again: it continues where it stopped"
            raise EngineError(detail, code="worker_killed") from None
        except BaseException:  # Ctrl-C: do not wait for the records that are being annotated
            for process in multiprocessing.active_children():
                process.kill()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def left_over(self) -> list[str]:
        """Return the names of the annotations whose records no longer exist."""
        expected = {f"{name}{SUFFIX}" for name in self.files}
        output = self._work.output
        found = (path.relative_to(output) for path in output.rglob(f"*.gcg{SUFFIX}"))
        return sorted(path.as_posix() for path in found if str(path) not in expected)

    def save_summary(self, totals: dict[str, Any]) -> None:
        """Write the totals to summary.json in the output folder."""
        write_complete(self._work.output / SUMMARY, orjson.dumps(totals, option=orjson.OPT_INDENT_2))


def totals(outcomes: list[Outcome]) -> dict[str, Any]:
    """Add up the summaries of the records."""
    summaries = [outcome.summary for outcome in outcomes if outcome.summary is not None]
    players = [player for summary in summaries for player in summary["players"]]
    names = ("turns", "judged", "bingos", "missed_bingos", "phonies", "phonies_taken_back")
    return {
        "records": len(outcomes),
        "annotated": len(summaries),
        "refused": len(outcomes) - len(summaries),
        "with_faults": sum(bool(outcome.faults) for outcome in outcomes),
        **{name: sum(player[name] for player in players) for name in names},
        "mistakes": {
            name: sum(player["mistakes"][name] for player in players)
            for name in ("none", "small", "medium", "large")
        },
        "equity_loss": round(sum(player["equity_loss"] for player in players), 3),
        "errors": {outcome.name: outcome.error for outcome in outcomes if outcome.error is not None},
        "faults": {outcome.name: outcome.faults for outcome in outcomes if outcome.faults},
    }


class _Annotator:
    """Annotate records in one process."""

    def __init__(self, work: FolderWork) -> None:
        self._work = work
        self._catalogue = Catalogue(work.data)

    def open_first(self) -> None:
        """Open the lexicon for records that name none; build its tables if they are missing."""
        self._open(self._work.lexicon or self._work.default)

    def annotate(self, name: Path) -> Outcome:
        """Annotate one record unless its annotation is up to date; errors are part of the outcome."""
        work = self._work
        target = work.output / f"{name}{SUFFIX}"
        try:
            with (work.directory / name).open("rb") as file:
                data = file.read(RECORD_BYTES_READ)
        except OSError as error:
            return Outcome(name.as_posix(), None, error.strerror or str(error), [], fresh=False)
        lexicon, refusal = None, None
        warnings: tuple[Notice, ...] = ()
        try:
            reading = read_gcg(data)
            named = reading.record.lexicon
            lexicon, warnings = named_lexicon(named, work.lexicon, work.default, self._open)
        except EngineError as error:
            refusal = error
        first = self._first(name, data, lexicon)
        if (stored := _read(target, first)) is not None:
            return _outcome(name, stored, fresh=False)
        if lexicon is not None:
            try:
                faults = (*reading.faults, *reading.warnings)
                notes = annotation_notes(reading.record, lexicon, work.options, faults)
                lines = [first, *dump_notes(notes, warnings)]
            except EngineError as error:
                refusal = error
        if refusal is not None:
            lines = [first, dump_refusal(refusal)]
        target.parent.mkdir(parents=True, exist_ok=True)
        write_complete(target, b"".join(lines))
        return _outcome(name, lines, fresh=True)

    def _first(self, name: Path, data: bytes, lexicon: Lexicon | None) -> bytes:
        """Return the first line of an annotation, which names all its inputs."""
        line = {
            "type": "record",
            "file": name.as_posix(),
            "sha256": sha256(data).hexdigest(),
            "engine_version": __version__,
            "lexicon": None if lexicon is None else lexicon.id,
            "annotation": None if lexicon is None else annotation_key(lexicon, self._work.options),
        }
        return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)

    def _open(self, name: str) -> Lexicon:
        return self._catalogue.ensure(name)


_worker: _Annotator | None = None
"""The annotator of a worker process."""


def start_worker(work: FolderWork) -> None:
    """Prepare a worker process: choose its vector path, and open its catalogue."""
    global _worker
    use_simd(work.simd)
    _worker = _Annotator(work)


def _annotate(name: Path) -> Outcome:
    if _worker is None:
        raise RuntimeError("runs in a worker process only")
    return _worker.annotate(name)


def _outcome(name: Path, lines: list[bytes], *, fresh: bool) -> Outcome:
    summary, error = None, None
    found: list[dict[str, Any]] = []
    for text in lines:
        line = orjson.loads(text)
        if line["type"] == "summary":
            summary = line
        elif line["type"] == "error":
            error = line["detail"]
        elif line["type"] == "game":  # its faults are all errors of the record
            found = [fault for fault in line["faults"] if not fault["warning"]]
    faults = [fault["detail"] for fault in sorted(found, key=lambda fault: fault["line"])]
    return Outcome(name.as_posix(), None if error else summary, error, faults, fresh)


def _read(path: Path, first: bytes) -> list[bytes] | None:
    """Return the lines of a finished file if its inputs are those that `first` names."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError:
        return None
    return lines if lines and lines[0] == first else None
