"""Build the table of one bundled lexicon: the process that `service.table_builds` starts.

Its arguments are the descriptor of the build lock, the data folder, the folder of bundled lexicons, and the
id. It prints the completed share, a number a line; if it fails, the last line of standard error says why.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from engine import Catalogue, EngineError, total_progress

NICENESS = 10
"""Requests that are being answered come first."""


def _print(share: float) -> None:
    with suppress(OSError):  # the server has stopped; finish the table for the next start
        os.write(sys.stdout.fileno(), f"{share:.3f}\n".encode())


def main() -> None:
    """Build the table; exit with status 1 and the reason if that fails."""
    lock, data, bundled, lexicon_id = sys.argv[1:]
    os.nice(NICENESS)
    with suppress(OSError):  # if memory runs out, the system ends this process, not the server
        Path("/proc/self/oom_score_adj").write_text("1000")
    catalogue = Catalogue(Path(data), bundled=Path(bundled))
    try:
        catalogue.ensure(lexicon_id, total_progress(_print), lock=int(lock))
    except (EngineError, OSError, MemoryError) as error:
        sys.exit(str(error) or "there is not enough memory")


if __name__ == "__main__":
    main()
