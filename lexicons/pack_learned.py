"""Compress a learned table and store it beside the bundled word list, or in the folder of its tile set.

    python lexicons/pack_learned.py scowl80 leaves TABLE.kibitz
    python lexicons/pack_learned.py --coarse french leaves TABLE.kibitz
    python lexicons/pack_learned.py danish leaves

TABLE.kibitz is the output of `kibitz train leaves`, `kibitz train winpct` or `kibitz train words`;
lexicons/SOURCES.md gives the commands. The section `racks` (how many racks each leave was seen on) is omitted
because it is a third of the size and only a report needs it; the standard errors are included.

Without TABLE.kibitz, the table here is bound to its list after a few words have changed: it names the list
as it is now, and in `learned_with` the one that it was learned with.
"""

from __future__ import annotations

import argparse
import lzma
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.evaluation.leave_ranks import LEAVE_TILES
from engine.lexicon.manifest import manifest_of
from engine.lexicon.store import TableFile, write_table_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

LEFT_OUT: Final = {"racks"}
LEFT_OUT_IF_COARSE: Final = {"racks", "plain"}

# Hundredths of a point. The values of leaves of six tiles have standard errors of about a point.
STEP: Final = 10
STEP_OF_SIX_TILES: Final = 100


def pack(lexicon_id: str, kind: str, table: Path, *, coarse: bool) -> Path:
    """Write `<kind>.kibitz.xz` beside the list, or `<list>.<kind>.kibitz.xz` if it is not bundled."""
    file = TableFile.open(table)
    if file.meta["kind"] != kind or file.meta["lexicon"] != lexicon_id:
        raise SystemExit(f"{table} is a table of {file.meta['kind']} of {file.meta['lexicon']}")
    target = packed_table(lexicon_id, kind)
    if manifest_of(target.parent) is None:
        target = target.parents[1] / file.meta["tile_set"] / f"{lexicon_id}.{target.name}"
    left_out = LEFT_OUT_IF_COARSE if coarse else LEFT_OUT
    sections = {name: file.section(name) for name in file.sections if name not in left_out}
    if coarse and kind == "leaves":
        largest = next(size["leaves"] for size in file.meta["sizes"] if size["tiles"] == LEAVE_TILES)
        sections = {name: rounded(values, largest) for name, values in sections.items()}
    store(target, file.meta, sections)
    return target


def rebind(target: Path, sha256: str) -> None:
    """Let a packed table name another form of its list, by SHA-256, and the one that it was learned with."""
    with tempfile.NamedTemporaryFile() as stream:
        stream.write(lzma.decompress(target.read_bytes()))
        stream.flush()
        file = TableFile.open(Path(stream.name))
    sections = {name: file.section(name) for name in file.sections}
    learned_with = file.meta.get("learned_with", file.meta["word_list_sha256"])
    store(target, {**file.meta, "word_list_sha256": sha256, "learned_with": learned_with}, sections)


def packed_table(lexicon_id: str, kind: str) -> Path:
    """Return the path of the packed table of a bundled list."""
    return Path(__file__).parent / lexicon_id / f"{kind}.kibitz.xz"


def store(target: Path, meta: Mapping[str, Any], sections: Mapping[str, NDArray[Any]]) -> None:
    """Write a table file, compressed."""
    with tempfile.TemporaryDirectory() as folder:
        slim = Path(folder) / "table"
        write_table_file(slim, meta, sections)
        target.write_bytes(lzma.compress(slim.read_bytes(), preset=9 | lzma.PRESET_EXTREME))


def rounded(values: NDArray[Any], largest: int) -> NDArray[Any]:
    """Return values in coarser steps; the last `largest` values are those of leaves of six tiles."""
    steps = np.full(len(values), STEP)
    steps[len(values) - largest :] = STEP_OF_SIX_TILES
    coarse: NDArray[Any] = (np.rint(values / steps) * steps).astype(values.dtype)
    return coarse


def main() -> None:
    """Read the arguments, and print the path and size of the packed table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--coarse", action="store_true", help="round the values, omit those for `combined`")
    parser.add_argument("lexicon")
    parser.add_argument("kind", choices=["leaves", "win_pct", "words"])
    parser.add_argument(
        "table", type=Path, nargs="?", help="by default the one here, for the list as it is now"
    )
    asked = parser.parse_args()
    if asked.table is None:
        packed = packed_table(asked.lexicon, asked.kind)
        manifest = manifest_of(packed.parent)
        if manifest is None:
            raise SystemExit(f"{asked.lexicon} is not bundled")
        rebind(packed, manifest.sha256)
    else:
        packed = pack(asked.lexicon, asked.kind, asked.table, coarse=asked.coarse)
    print(f"{packed}: {packed.stat().st_size} bytes")


if __name__ == "__main__":
    main()
