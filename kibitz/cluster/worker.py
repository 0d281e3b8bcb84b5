"""Play games and annotate records on a worker of a Dask cluster, after checking its tables."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from distributed import WorkerPlugin, get_worker

from engine import (
    Catalogue,
    Deadline,
    EngineError,
    GameControl,
    PartPlayer,
    __version__,
    learned_tables,
    use_simd,
)
from kibitz.archives.record_annotator import annotation_lines
from service.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Worker

    from engine import AnnotationOptions, GameWork, Lexicon, Notice, Played

Result = TypeVar("Result")

_SHOWN: Final = 12
"""How many digits of a checksum are shown."""

_interrupts: dict[str, tuple[str, Deadline]] = {}
"""The tasks that this process runs: by key, the command of the task and the deadline that stops it."""


class StopPlugin(WorkerPlugin):
    """Stop the tasks of a command that are cancelled: Dask forgets them, but cannot end their threads."""

    def __init__(self, command: str) -> None:
        self._command = command

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        """Stop a task that is no longer executed although it has not ended."""
        if start == "executing" and finish != "memory" and str(key) in _interrupts:
            _interrupts[str(key)][1].cut()

    def teardown(self, worker: Worker) -> None:
        """Stop all tasks of the command, which has ended."""
        for command, interrupt in list(_interrupts.values()):
            if command == self._command:
                interrupt.cut()


def run_task(command: str, function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function with a deadline and the arguments; the deadline is cut to stop the function.

    `command`: the name under which a StopPlugin stops the task.
    """
    worker = get_worker()
    key, interrupt = str(worker.get_current_task()), Deadline()
    _interrupts[key] = command, interrupt
    if command not in worker.plugins:  # the command ended before the thread got to this task
        interrupt.cut()
    try:
        return function(interrupt, *arguments)
    finally:
        _interrupts.pop(key, None)


@dataclass(frozen=True, slots=True)
class LexiconReference:
    """Name a lexicon and its tables, so that another process can check whether it has the same.

    `words`: the checksum of words and tile set; `learned`: kind and name of each learned table that the work
    depends on; `version`: that of kibitz.
    """

    id: str
    words: str
    learned: tuple[tuple[str, str | None], ...]
    version: str

    @classmethod
    def of(cls, lexicon: Lexicon, *, learned: bool = True) -> LexiconReference:
        """Return the reference to an open lexicon, with its learned tables or without."""
        tables = tuple(learned_tables(lexicon).items()) if learned else ()
        return cls(lexicon.id, lexicon.content_sha256, tables, __version__)


def play_part(
    interrupt: Deadline, reference: LexiconReference, work: GameWork[Result], part: range
) -> Played[Result]:
    """Play a part of a work on this worker.

    Raises EngineError, which names the worker, as `opened` does, and GameInterrupted.
    """
    return _player(reference).play(work, part, GameControl(interrupt))


def annotate_record(
    interrupt: Deadline,
    reference: LexiconReference,
    first: bytes,
    data: bytes,
    warnings: tuple[Notice, ...],
    options: AnnotationOptions,
) -> list[bytes]:
    """Return what `annotation_lines` returns, with the lexicon of this worker; raises as `opened`."""
    return annotation_lines(first, data, opened(reference), warnings, options, interrupt)


@lru_cache(maxsize=8)
def _player(reference: LexiconReference) -> PartPlayer:
    return PartPlayer(opened(reference))


def worker_settings() -> Settings:
    """Return the settings of this worker; raise EngineError, which names the worker, for wrong ones."""
    try:
        return Settings.from_environment()
    except SettingsError as error:
        raise _refusal(f"its settings are wrong: {error}", "worker_settings") from None


@lru_cache(maxsize=1)
def worker_catalogue() -> Catalogue:
    """Return the catalogue of this worker, and choose its vector path; raises as `worker_settings`."""
    settings = worker_settings()
    use_simd(settings.simd)
    return Catalogue(settings.data)


def check_version(version: str) -> None:
    """Raise EngineError, which names the worker, if the command has another version of kibitz."""
    if version != __version__:
        raise _refusal(
            f"it has kibitz {__version__}, this command kibitz {version}; start it with the same kibitz",
            "other_version",
        )


@lru_cache(maxsize=8)
def opened(reference: LexiconReference) -> Lexicon:
    """Open a lexicon of this worker; build the tables of a bundled one first if they are missing.

    Raises EngineError, which names the worker and says what to do, if it has another version of kibitz, no
    such lexicon, other words, or other learned tables.
    """
    check_version(reference.version)
    catalogue = worker_catalogue()
    path = catalogue.table_path(reference.id)
    try:
        lexicon = catalogue.ensure(reference.id)
    except EngineError as error:
        reason = f"{error}; or copy the table from the machine of this command to {path} there"
        raise _refusal(reason, error.code) from None
    if lexicon.content_sha256 != reference.words:
        raise _refusal(
            f"its {reference.id} has other words ({lexicon.content_sha256[:_SHOWN]}, those of this command "
            f"are {reference.words[:_SHOWN]}); copy the table from the machine of this command to {path} "
            "there, and start the worker again",
            "other_words",
        )
    own = learned_tables(lexicon)
    for kind, name in reference.learned:
        if own[kind] != name:
            raise _refusal(
                f"it has learned another table of {kind} for {reference.id} ({own[kind] or 'none'}, this "
                f"command {name or 'none'}); make {path.parents[1] / 'learned'} there the same as on the "
                "machine of this command, and start the worker again",
                "other_learned",
            )
    return lexicon


def _refusal(reason: str, code: str) -> EngineError:
    """Return an error that begins with the address and the host of this worker."""
    return EngineError(f"worker {get_worker().address} on {platform.node()}: {reason}", code=code)
