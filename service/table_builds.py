"""Open the lexicons of requests; build the table of a bundled one when it is first requested.

A build is a process of low priority. It holds the build lock of its lexicon, which commands and other servers
also take, and the lock of requested builds: requests build one table at a time, so that a small machine has
the memory. Requests are answered 503 until the table is ready. All workers of a server share the state of a
build, because each of them answers requests for it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from ctypes import c_double
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from multiprocessing import RawValue
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from engine import DamagedTable, MissingTable, Text, params_of
from service.logs import get_logger
from service.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Catalogue, Lexicon

RETRY_SECONDS: Final = 60.0
"""The time after a failed build before it may be started again."""

WORDS_A_SECOND: Final = 30_000
"""The assumed speed of a build, from which its time is estimated before its progress is known."""

KNOWN_SHARE: Final = 0.1
"""The completed share of a build above which the remaining time is estimated."""

log = get_logger("kibitz.tables")


@dataclass(frozen=True, slots=True)
class _Build:
    """Hold when a build started and when one failed, in monotonic seconds or 0, and the completed share.

    All are in memory that processes share.
    """

    started_at: c_double = field(default_factory=lambda: RawValue(c_double))
    failed_at: c_double = field(default_factory=lambda: RawValue(c_double))
    share: c_double = field(default_factory=lambda: RawValue(c_double))


class TableBuilds:
    """Open lexicons by id, and build those that are bundled at their first request.

    Create it before the workers are forked: they share the state of the builds.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._builds = {name: _Build() for name in catalogue.bundled_ids()}
        self._starting = Lock()
        self._processes: dict[str, subprocess.Popen[str]] = {}  # by lexicon, until its end is noted

    def open(self, name: str) -> Lexicon:
        """Return a lexicon, in any case of its id.

        Raises what `Catalogue.open` raises, but for a bundled lexicon whose table is missing, outdated or
        damaged a Problem: 503 `table_not_ready` while it is built, which this starts, or
        `table_build_failed`; the header Retry-After says when to ask again.
        """
        lexicon_id = name.lower()
        if lexicon_id not in self._builds:
            return self._catalogue.open(name)
        if not self.is_building(lexicon_id):  # do not read a table again while it is being replaced
            try:
                return self._catalogue.open(name)
            except (MissingTable, DamagedTable) as error:
                self._start(lexicon_id, str(error))
        raise self._not_ready(lexicon_id)

    def is_building(self, lexicon_id: str) -> bool:
        """Return whether the table of a bundled lexicon is being built on this machine for a request."""
        build = self._builds.get(lexicon_id)
        started = build is not None and build.started_at.value != 0
        return started and self._catalogue.is_building(lexicon_id)

    def share(self, lexicon_id: str) -> float | None:
        """Return the completed share of a build for a request, None if there is none."""
        return self._builds[lexicon_id].share.value if self.is_building(lexicon_id) else None

    def close(self) -> None:
        """End the builds that this process has started; the next request for the lexicon starts it again."""
        for process in list(self._processes.values()):
            process.terminate()

    def _start(self, lexicon_id: str, reason: str) -> None:
        """Start to build a table, unless its last build has just failed or another build is running."""
        build = self._builds[lexicon_id]
        claims = self._catalogue.claim_requested_build, partial(self._catalogue.claim_build, lexicon_id)
        locks: list[int] = []
        with self._starting, ExitStack() as closing:
            if lexicon_id in self._processes or self._retry_seconds(build):
                return
            try:
                for claim in claims:
                    lock = claim()
                    if lock is None:
                        return
                    closing.callback(os.close, lock)
                    locks.append(lock)
                process = self._build_process(lexicon_id, locks)
            except OSError as error:
                self._note_failure(lexicon_id, str(error))
                return
            build.started_at.value, build.share.value = monotonic(), 0.0
            self._processes[lexicon_id] = process
            Thread(target=self._follow, args=(lexicon_id, process), daemon=True).start()
        log.info("table_build_started", lexicon=lexicon_id, reason=reason)

    def _build_process(self, lexicon_id: str, locks: Sequence[int]) -> subprocess.Popen[str]:
        """Start the process of a build, which holds the locks; the last of them is that of the lexicon."""
        folders = str(self._catalogue.data_directory), str(self._catalogue.bundled)
        return subprocess.Popen(  # noqa: S603 - the id is that of a bundled lexicon
            [sys.executable, "-m", "service.table_build", str(locks[-1]), *folders, lexicon_id],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=locks,
            start_new_session=True,  # Ctrl-C is for the server, which ends the build itself
        )

    def _follow(self, lexicon_id: str, process: subprocess.Popen[str]) -> None:
        """Note the progress of a build, and its end."""
        build = self._builds[lexicon_id]
        started_at = build.started_at.value
        try:
            with process:
                for line in process.stdout or ():
                    build.share.value = float(line)
                reasons = (process.stderr.read() if process.stderr else "").strip().splitlines()
            seconds = round(monotonic() - started_at, 3)
            if build.started_at.value == started_at:  # else another worker has already started a new build
                build.started_at.value = 0.0
            if process.returncode == 0:
                log.info("table_built", lexicon=lexicon_id, seconds=seconds)
            elif process.returncode != -signal.SIGTERM:  # of `close`
                ended = f"its process ended with status {process.returncode}, as for lack of memory"
                self._note_failure(lexicon_id, reasons[-1] if reasons else ended)
        finally:
            del self._processes[lexicon_id]

    def _note_failure(self, lexicon_id: str, reason: str) -> None:
        self._builds[lexicon_id].failed_at.value = monotonic()
        log.error("table_build_failed", lexicon=lexicon_id, reason=reason)

    def _not_ready(self, lexicon_id: str) -> Problem:
        """Return the Problem of a table that is not ready."""
        build = self._builds[lexicon_id]
        is_building = self._catalogue.is_building(lexicon_id)
        if not is_building and (seconds := self._retry_seconds(build)):
            failed = Text(
                "the tables of {lexicon} could not be built, and the log of the server says why; "
                "a request in {seconds} s tries it again",
                lexicon=lexicon_id,
                seconds=seconds,
            )
            return _problem("table_build_failed", failed, seconds)
        share = self.share(lexicon_id) or 0.0
        seconds = self._seconds_left(lexicon_id, share)
        if not is_building and (other := self._other_building(lexicon_id)) is not None:
            seconds += self._seconds_left(other, self.share(other) or 0.0)
            waiting = Text(
                "the tables of {lexicon} are built after those of {other}: ask again in {seconds} s",
                lexicon=lexicon_id,
                other=other,
                seconds=seconds,
            )
            return _problem("table_not_ready", waiting, seconds, share=share)
        building = Text(
            "the tables of {lexicon} are being built, {done} done: ask again in {seconds} s",
            lexicon=lexicon_id,
            done=f"{share:.0%}",
            seconds=seconds,
        )
        return _problem("table_not_ready", building, seconds, share=share)

    def _other_building(self, lexicon_id: str) -> str | None:
        """Return the lexicon that is being built now, for which other builds wait; None if there is none."""
        return next(
            (other for other in self._builds if other != lexicon_id and self.is_building(other)), None
        )

    def _retry_seconds(self, build: _Build) -> int:
        """Return the seconds until a failed build may start again, 0 if none has just failed."""
        failed_at = build.failed_at.value
        return max(0, ceil(failed_at + RETRY_SECONDS - monotonic())) if failed_at else 0

    def _seconds_left(self, lexicon_id: str, share: float) -> int:
        """Return the estimated seconds until a table is built, at least 1."""
        started_at = self._builds[lexicon_id].started_at.value
        passed = monotonic() - started_at if started_at else 0.0
        if share >= KNOWN_SHARE:
            return max(1, ceil(passed * (1 - share) / share))
        manifest = self._catalogue.manifest(lexicon_id)
        words = 0 if manifest is None else manifest.word_count
        return max(1, ceil(words / WORDS_A_SECOND - passed))


def _problem(code: str, detail: Text, seconds: int, **more: float) -> Problem:
    params = {**params_of(detail), **more}
    params.pop("done", None)  # `share` has it already, as a number
    return Problem(503, code, detail, params=params, headers={"Retry-After": str(seconds)})
