"""The learned tables of the bundled lists: which list they name."""

from __future__ import annotations

import lzma
from typing import TYPE_CHECKING

import pytest

from engine.lexicon.lexicon import BUNDLED
from engine.lexicon.manifest import manifest_of
from engine.lexicon.store import TableFile
from lexicons.pack_learned import rebind

if TYPE_CHECKING:
    from pathlib import Path

PACKED = sorted(path for path in BUNDLED.glob("*/*.kibitz.xz") if manifest_of(path.parent) is not None)


def unpacked(packed: Path, folder: Path) -> TableFile:
    path = folder / "table"
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    return TableFile.open(path)


@pytest.mark.parametrize("packed", PACKED, ids=lambda path: f"{path.parent.name}-{path.name}")
@pytest.mark.long
def test_a_table_names_the_list_in_its_folder(packed: Path, tmp_path: Path) -> None:
    manifest = manifest_of(packed.parent)
    assert manifest is not None
    file = unpacked(packed, tmp_path)
    assert (file.meta["lexicon"], file.meta["word_list_sha256"]) == (manifest.id, manifest.sha256)


def test_a_table_that_is_kept_says_what_it_was_learned_with(tmp_path: Path) -> None:
    packed = tmp_path / "win_pct.kibitz.xz"
    packed.write_bytes((BUNDLED / "scowl80" / "win_pct.kibitz.xz").read_bytes())
    before = unpacked(packed, tmp_path)
    values, first = before.section("values").copy(), before.meta["word_list_sha256"]
    for sha256 in ("1" * 64, "2" * 64):
        rebind(packed, sha256)
        after = unpacked(packed, tmp_path)
        assert (after.meta["word_list_sha256"], after.meta["learned_with"]) == (sha256, first)
        assert (after.section("values") == values).all()
