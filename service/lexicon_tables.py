"""Open the tables of the default lexicon before the first request; build them if necessary."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from engine import DamagedTable, MissingTable, leave_table, win_pct_table

if TYPE_CHECKING:
    from engine import Catalogue
    from service.settings import Settings


def open_tables(catalogue: Catalogue, settings: Settings) -> None:
    """Open the default lexicon with its leave table and win% table.

    The table of a bundled lexicon is built if it is missing, outdated or damaged. Raises NotFound,
    MissingTable or DamagedTable, whose messages say what to do.
    """
    try:
        lexicon = catalogue.open(settings.lexicon)
    except (MissingTable, DamagedTable):
        if catalogue.manifest(settings.lexicon.lower()) is None:
            raise
        _build(settings)
        lexicon = catalogue.open(settings.lexicon)
    for learned in (leave_table, win_pct_table):
        with suppress(MissingTable):  # a damaged one stops the start
            learned(lexicon)


def _build(settings: Settings) -> None:
    """Build the table by `kibitz lexicon build`, in another process so that its memory is freed."""
    subprocess.run(  # noqa: S603 - its arguments are settings of the operator
        [
            *(sys.executable, "-c", "from kibitz.cli import main; main()"),
            *("lexicon", "build", "--if-missing", "--", settings.lexicon),
        ],
        env={**os.environ, "KIBITZ_DATA": str(settings.data)},
        stdout=subprocess.DEVNULL,
        check=False,  # it prints the error; `catalogue.open` raises
    )
