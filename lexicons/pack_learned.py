"""Compress a learned table and store it beside the bundled word list.

    python lexicons/pack_learned.py scowl80 leaves TABLE.kibitz

TABLE.kibitz is the output of `kibitz train leaves` or `kibitz train winpct`; lexicons/SOURCES.md gives the
commands. The section `racks` (how many racks each leave was seen on) is omitted, because it is a third of the
size and only a report needs it; the standard errors are included.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from pathlib import Path

from engine.lexicon.store import TableFile, write_table_file

LEFT_OUT = {"racks"}


def pack(lexicon_id: str, kind: str, table: Path) -> Path:
    """Write `<kind>.kibitz.xz` beside the lexicon's word list and return its path."""
    file = TableFile.open(table)
    if file.meta["kind"] != kind or file.meta["lexicon"] != lexicon_id:
        raise SystemExit(f"{table} is a table of {file.meta['kind']} of {file.meta['lexicon']}")
    sections = {name: file.section(name) for name in file.sections if name not in LEFT_OUT}
    target = Path(__file__).parent / lexicon_id / f"{kind}.kibitz.xz"
    with tempfile.TemporaryDirectory() as folder:
        slim = Path(folder) / table.name
        write_table_file(slim, file.meta, sections)
        target.write_bytes(lzma.compress(slim.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    return target


if __name__ == "__main__":
    packed = pack(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
    print(f"{packed}: {packed.stat().st_size} bytes")
