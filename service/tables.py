"""The table of the default lexicon: there before the first request."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from engine import DamagedTable, MissingTable, leave_table, win_pct_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Catalogue
    from service.settings import Settings


def open_tables(catalogue: Catalogue, settings: Settings) -> None:
    """Open the default lexicon and what was learned with it.

    The table of a bundled lexicon is built if it is missing, outdated or damaged.

    With `settings.verify` every table is opened, and so checked, first. Raises the engine's NotFound,
    MissingTable or DamagedTable, whose messages say what to do.
    """
    if settings.verify:
        for entry in catalogue.entries():
            if entry.built or entry.problem:
                in_child(lambda name=entry.id: catalogue.open(name))  # type: ignore[misc]
    try:
        lexicon = catalogue.open(settings.lexicon)
    except (MissingTable, DamagedTable):
        if catalogue.manifest(settings.lexicon.lower()) is None:
            raise
        in_child(lambda: _build(catalogue, settings))
        lexicon = catalogue.open(settings.lexicon)
    for learned in (leave_table, win_pct_table):
        with suppress(MissingTable):  # a damaged one stops the start
            learned(lexicon)


def _build(catalogue: Catalogue, settings: Settings) -> None:
    from service.cli.progress import build_progress

    with build_progress(f"Building the tables of {settings.lexicon} in {settings.data}") as progress:
        catalogue.ensure(settings.lexicon, progress)


def in_child(work: Callable[[], object]) -> None:
    """Run `work` in a forked process: the memory that it takes goes with it.

    Raises DamagedTable with the message of whatever the work raised.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        code = 1
        try:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)  # the server's handlers are not for this process
            work()
            code = 0
        except BaseException as error:
            os.write(writer, str(error).encode("utf-8", "backslashreplace")[:4000])
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        message = pipe.read().decode()
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        raise DamagedTable(message or "the building of the table was cut off", code="table_not_ready")
