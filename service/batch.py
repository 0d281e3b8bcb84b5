"""Annotating many records, in one process or several: a file in, a file out, taken up again where it stopped.

A finished file begins with a line that names all it was made of; it is made again only if that has changed.
Files are written in one step, so that there are no halves of them.
"""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import (
    AnnotationOptions,
    Catalogue,
    EngineError,
    SimulationPlan,
    __version__,
    annotation_key,
    annotation_notes,
    read_gcg,
)
from service.game_lexicon import game_lexicon
from service.pipes import PipeWorker, WorkerDiedError
from service.schemas.annotate import dump_notes, dump_refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Lexicon
    from service.settings import Settings

SUFFIX: Final = ".ndjson"
SUMMARY: Final = "summary.json"
LONGEST: Final = (1 << 20) + 1
"""How many bytes are read of a file: one more than a record may have, so that the reader can refuse it."""

WORKER: Final = "service.batch_worker"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Tell what a record gave: its summary line, or the error; `fresh` if the file was made just now.

    `faults`: what is wrong with the record, a sentence each that names the line.
    """

    name: str
    summary: dict[str, Any] | None
    error: str | None
    faults: list[str]
    fresh: bool


class Batch:
    """The records of a folder and the folder of their annotations."""

    def __init__(
        self,
        directory: Path,
        output: Path,
        lexicon: str | None,
        options: AnnotationOptions,
        settings: Settings,
    ) -> None:
        self.directory = directory
        self.output = output
        self.files = sorted(
            path.relative_to(directory) for path in directory.rglob("*.gcg") if path.is_file()
        )
        self._work = BatchWork(directory, output, lexicon, options, settings)
        self._settings = settings

    def run(self, workers: int) -> Iterator[Outcome]:
        """Annotate what is not yet annotated and yield the outcome of every record, in the order of names.

        Raises the engine's errors for a lexicon that was asked for and is not to be had, and EngineError
        (code "worker_killed") if a worker did not live to the end.
        """
        self.output.mkdir(parents=True, exist_ok=True)
        self._work.open_first()
        if workers == 1:
            yield from map(self._work.annotate, self.files)
            return
        # Processes of their own: annotating is Python for the greater part, which threads would not share.
        processes = [PipeWorker(WORKER, self._settings) for _ in range(min(workers, len(self.files)))]
        free: SimpleQueue[PipeWorker] = SimpleQueue()
        for process in processes:
            free.put(process)
        pool = ThreadPoolExecutor(workers)
        try:
            yield from pool.map(lambda name: self._outsourced(name, free), self.files)
        except WorkerDiedError:
            raise EngineError(
                "a worker process was killed; run the command again, it goes on where it was",
                code="worker_killed",
            ) from None
        finally:
            for process in processes:
                process.kill()
            pool.shutdown(cancel_futures=True)
            for process in processes:
                process.close()

    def _outsourced(self, name: Path, free: SimpleQueue[PipeWorker]) -> Outcome:
        """Have a worker annotate a record; raises WorkerDiedError."""
        worker = free.get()
        try:
            ((outcome, _), _) = worker.ask({**self._work.described(), "name": name.as_posix()})
        finally:
            free.put(worker)  # be it dead: then it says so to the next one as well
        return Outcome(**{field: outcome[field] for field in Outcome.__dataclass_fields__})

    def left_over(self) -> list[str]:
        """Return the annotations in the output folder, by name, whose records are no longer there."""
        made = {f"{name}{SUFFIX}" for name in self.files}
        found = (path.relative_to(self.output) for path in self.output.rglob(f"*.gcg{SUFFIX}"))
        return sorted(path.as_posix() for path in found if str(path) not in made)

    def save_summary(self, totals: dict[str, Any]) -> None:
        """Write the totals beside the annotations."""
        _write(self.output / SUMMARY, orjson.dumps(totals, option=orjson.OPT_INDENT_2))


def totals(outcomes: list[Outcome]) -> dict[str, Any]:
    """Add up what the records gave."""
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


class BatchWork:
    """What a process needs to annotate records."""

    def __init__(
        self,
        directory: Path,
        output: Path,
        lexicon: str | None,
        options: AnnotationOptions,
        settings: Settings,
    ) -> None:
        self._directory = directory
        self._output = output
        self._lexicon = lexicon
        self._options = options
        self._catalogue = Catalogue(settings.data)
        self._default = settings.lexicon

    def described(self) -> dict[str, Any]:
        """Return all but the settings, for a worker."""
        return {
            "directory": str(self._directory),
            "output": str(self._output),
            "lexicon": self._lexicon,
            "options": asdict(self._options),
        }

    @classmethod
    def of(cls, described: dict[str, Any], settings: Settings) -> BatchWork:
        """Make of a description what it describes."""
        options = dict(described["options"])
        plan = options.pop("simulate")
        return cls(
            Path(described["directory"]),
            Path(described["output"]),
            described["lexicon"],
            AnnotationOptions(**options, simulate=plan and SimulationPlan(**plan)),
            settings,
        )

    def open_first(self) -> None:
        """Open the lexicon that serves records without one, building its tables if need be."""
        self._open(self._lexicon or self._default)

    def annotate(self, name: Path) -> Outcome:
        """Annotate one record, unless that is done; whatever is wrong with it is told, not raised."""
        target = self._output / f"{name}{SUFFIX}"
        try:
            with (self._directory / name).open("rb") as file:
                data = file.read(LONGEST)
        except OSError as error:
            return Outcome(name.as_posix(), None, error.strerror or str(error), [], False)
        lexicon, refusal = None, None
        try:
            reading = read_gcg(data)
            lexicon = game_lexicon(reading.record, self._lexicon, self._default, self._open)
        except EngineError as error:
            refusal = error
        first = self._first(name, data, lexicon)
        if (kept := _read(target, first)) is not None:
            return _outcome(name, kept, fresh=False)
        if lexicon is not None:
            try:
                faults = (*reading.faults, *reading.warnings)
                notes = annotation_notes(reading.record, lexicon, self._options, faults)
                lines = [first, *dump_notes(notes)]
            except EngineError as error:
                refusal = error
        if refusal is not None:
            lines = [first, dump_refusal(refusal)]
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(target, b"".join(lines))
        return _outcome(name, lines, fresh=True)

    def _first(self, name: Path, data: bytes, lexicon: Lexicon | None) -> bytes:
        """Return the line that names all that the others follow from."""
        line = {
            "type": "record",
            "file": name.as_posix(),
            "sha256": sha256(data).hexdigest(),
            "engine_version": __version__,
            "lexicon": None if lexicon is None else lexicon.id,
            "annotation": None if lexicon is None else annotation_key(lexicon, self._options),
        }
        return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)

    def _open(self, name: str) -> Lexicon:
        return self._catalogue.ensure(name)


def _outcome(name: Path, lines: list[bytes], *, fresh: bool) -> Outcome:
    summary, error = None, None
    found: list[dict[str, Any]] = []
    for text in lines:
        line = orjson.loads(text)
        if line["type"] == "summary":
            summary = line
        elif line["type"] == "error":
            error = line["detail"]
        found += [fault for fault in line.get("faults", ()) if not fault["warning"]]
    faults = [fault["detail"] for fault in sorted(found, key=lambda fault: fault["line"])]
    return Outcome(name.as_posix(), None if error else summary, error, faults, fresh)


def _read(path: Path, first: bytes) -> list[bytes] | None:
    """Return the lines of a finished file if it was made of the same as `first` says."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError:
        return None
    return lines if lines and lines[0] == first else None


def _write(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
