"""Open the lexicons of requests; build the table of a bundled one when it is first requested.

A build is a process of low priority, `service.table_build`. Requests build one table at a time, so that a
small machine has the memory; the process holds a lock meanwhile, and its note says how far it is. So all
workers and servers with the same data folder know of a build. Requests are answered 503 until it is ready.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from math import ceil
from threading import Lock
from typing import TYPE_CHECKING, Final

from engine import DamagedTable, MissingTable, Text, params_of
from service.logs import get_logger
from service.problems import Problem
from service.table_build import BuildNote, note_path, read_note

if TYPE_CHECKING:
    from engine import Catalogue, Lexicon

RETRY_SECONDS: Final = 60.0
"""The time after a failed build before it may be started again."""

WORDS_A_SECOND: Final = 30_000
"""The assumed speed of a build, from which its time is estimated before its progress is known."""

KNOWN_SHARE: Final = 0.1
"""The completed share of a build above which the remaining time is estimated."""

log = get_logger("kibitz.tables")


class TableBuilds:
    """Open lexicons by id, and build those that are bundled at their first request."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._bundled = frozenset(catalogue.bundled_ids())
        self._processes: dict[str, subprocess.Popen[bytes]] = {}  # by lexicon, until its end is seen
        self._lock = Lock()

    def open(self, name: str) -> Lexicon:
        """Return a lexicon, in any case of its id.

        Raises what `Catalogue.open` raises, but for a bundled lexicon whose table is missing, outdated or
        damaged a Problem: 503 `table_not_ready` while it is built, which this starts, or
        `table_build_failed`; the header Retry-After says when to ask again.
        """
        if (found := self._catalogue.opened(name)) is not None:
            return found
        lexicon_id = name.lower()
        if lexicon_id not in self._bundled:
            return self._catalogue.open(name)
        if not self.is_building(lexicon_id):  # do not read a table again while it is being replaced
            try:
                return self._catalogue.open(name)
            except (MissingTable, DamagedTable):
                self._start(lexicon_id)
        raise self._not_ready(lexicon_id)

    def is_building(self, lexicon_id: str) -> bool:
        """Return whether the table of a bundled lexicon is being built on this machine for a request."""
        note = self._note(lexicon_id)
        if note is not None and note.ended_at:
            return False
        process = self._processes.get(lexicon_id)
        if process is not None and process.poll() is None:
            return True
        return note is not None and self._catalogue.is_building(lexicon_id)

    def share(self, lexicon_id: str) -> float | None:
        """Return the completed share of a build for a request, None if there is none."""
        if not self.is_building(lexicon_id):
            return None
        note = self._note(lexicon_id)
        return 0.0 if note is None else note.share

    def close(self) -> None:
        """End the builds that this process has started; the next request for the lexicon starts it again."""
        for lexicon_id, process in list(self._processes.items()):
            process.terminate()
            if process.wait() == -signal.SIGTERM:
                note_path(self._catalogue, lexicon_id).unlink(missing_ok=True)

    def _note(self, lexicon_id: str) -> BuildNote | None:
        return read_note(note_path(self._catalogue, lexicon_id))

    def _start(self, lexicon_id: str) -> None:
        """Start to build a table, unless its last build has just failed or another build is running."""
        with self._lock:
            self._note_death(lexicon_id)
            if lexicon_id in self._processes or self._retry_seconds(lexicon_id):
                return
            if self._catalogue.is_building(lexicon_id) or self._other_building(lexicon_id) is not None:
                return
            with suppress(OSError):  # there is none, or the folder cannot be written, as the build will say
                note_path(self._catalogue, lexicon_id).unlink()
            folders = str(self._catalogue.data_directory), str(self._catalogue.bundled)
            self._processes[lexicon_id] = subprocess.Popen(  # noqa: S603 - the id is that of a bundled lexicon
                [sys.executable, "-m", "service.table_build", *folders, lexicon_id],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the server, which ends the build itself
            )

    def _note_death(self, lexicon_id: str) -> None:
        """Note that the last build was killed, whichever worker started it; its process cannot do that."""
        process = self._processes.get(lexicon_id)
        if process is not None and process.poll() is None:
            return
        status = 0 if process is None else self._processes.pop(lexicon_id).returncode
        was_killed = status < 0 and status != -signal.SIGTERM  # of `close`
        note = self._note(lexicon_id) or (BuildNote(time.time()) if was_killed else None)
        if note is None or note.ended_at or self._is_any_building():
            return
        # When another worker's build died nobody saw: a note of days ago must delay nothing.
        ended_at = time.time() if was_killed else note.started_at
        replace(note, ended_at=ended_at, failed=True).write(note_path(self._catalogue, lexicon_id))
        ended = f"ended with status {status}" if was_killed else "was killed"
        log.error(
            "table_build_failed", lexicon=lexicon_id, reason=f"its process {ended}, as for lack of memory"
        )

    def _is_any_building(self) -> bool:
        """Return whether a process builds a table for a request; it locks before it writes its note."""
        lock = self._catalogue.claim_requested_build()
        if lock is not None:
            os.close(lock)
        return lock is None

    def _not_ready(self, lexicon_id: str) -> Problem:
        """Return the Problem of a table that is not ready."""
        is_building = self.is_building(lexicon_id) or self._catalogue.is_building(lexicon_id)
        if not is_building and (seconds := self._retry_seconds(lexicon_id)):
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
        others = self._bundled - {lexicon_id}
        return next((other for other in others if self.is_building(other)), None)

    def _retry_seconds(self, lexicon_id: str) -> int:
        """Return the seconds until a failed build may start again, 0 if none has just failed."""
        note = self._note(lexicon_id)
        if note is None or not note.failed:
            return 0
        return max(0, ceil(note.ended_at + RETRY_SECONDS - time.time()))

    def _seconds_left(self, lexicon_id: str, share: float) -> int:
        """Return the estimated seconds until a table is built, at least 1."""
        note = self._note(lexicon_id)
        passed = time.time() - note.started_at if note is not None and self.is_building(lexicon_id) else 0.0
        if share >= KNOWN_SHARE:
            return max(1, ceil(passed * (1 - share) / share))
        manifest = self._catalogue.manifest(lexicon_id)
        words = 0 if manifest is None else manifest.word_count
        return max(1, ceil(words / WORDS_A_SECOND - passed))


def _problem(code: str, detail: Text, seconds: int, **more: float) -> Problem:
    params = {**params_of(detail), **more}
    params.pop("done", None)  # `share` has it already, as a number
    return Problem(503, code, detail, params=params, headers={"Retry-After": str(seconds)})
