"""Build the table of one bundled lexicon: the process that `service.table_builds` starts, and its note.

Its arguments are the data folder, the folder of bundled lexicons, and the id. It ends at once if another
process builds a table for a request. While it builds, its note beside the table says how far it is.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import orjson

from engine import Catalogue, EngineError, total_progress
from service.logs import configure_logs, get_logger

NICENESS: Final = 10
"""Requests that are being answered come first."""

log = get_logger("kibitz.tables")


@dataclass(frozen=True, slots=True)
class BuildNote:
    """When a build started, its completed share, when it ended or 0, and whether it failed.

    Times are in seconds since 1970.
    """

    started_at: float
    share: float = 0.0
    ended_at: float = 0.0
    failed: bool = False

    def write(self, path: Path) -> None:
        """Replace the note of a lexicon."""
        new = path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):  # a full disk; the build itself says so
            new.write_bytes(orjson.dumps(asdict(self)))
            new.replace(path)


def note_path(catalogue: Catalogue, lexicon_id: str) -> Path:
    """Return where the note of a lexicon is."""
    return catalogue.tables / f".{lexicon_id}.build"


def read_note(path: Path) -> BuildNote | None:
    """Return the note of the last build, None if there is none."""
    try:
        return BuildNote(**orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError, TypeError):
        return None


def main() -> None:
    """Build the table; exit with status 1 if that fails, and log why."""
    data, bundled, lexicon_id = sys.argv[1:]
    os.nice(NICENESS)
    configure_logs("info")
    catalogue = Catalogue(Path(data), bundled=Path(bundled))
    path = note_path(catalogue, lexicon_id)
    note = BuildNote(time.time())

    def progress(share: float) -> None:
        replace(note, share=round(share, 3)).write(path)

    try:
        if catalogue.claim_requested_build() is None:  # held until this process ends
            return
        note.write(path)
        log.info("table_build_started", lexicon=lexicon_id)
        catalogue.ensure(lexicon_id, total_progress(progress))
    except (EngineError, OSError, MemoryError) as error:
        replace(note, ended_at=time.time(), failed=True).write(path)
        reason = str(error) or "there is not enough memory"
        log.error("table_build_failed", lexicon=lexicon_id, reason=reason)
        sys.exit(1)
    ended_at = time.time()
    replace(note, share=1.0, ended_at=ended_at).write(path)
    log.info("table_built", lexicon=lexicon_id, seconds=round(ended_at - note.started_at, 3))


if __name__ == "__main__":
    main()
