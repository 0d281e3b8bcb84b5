"""The table file: its layout is pinned byte for byte, and no damaged byte passes verification."""

from __future__ import annotations

import hashlib
import mmap
import multiprocessing
import os
import shutil
import stat
import struct
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn

from engine.errors import DamagedTable, MissingTable
from engine.lexicon import store
from engine.lexicon.store import TableFile, read_head, write_table_file

if TYPE_CHECKING:
    from pathlib import Path

SECTIONS = {
    "letters": np.arange(5, dtype=np.uint8),
    "empty": np.empty((0, 3), dtype=np.uint32),
    "grid": np.arange(40, dtype=np.int64).reshape(5, 8),
}
META = {"id": "tiny", "word_count": 3}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "tables" / "tiny.kibitz"
    write_table_file(target, META, SECTIONS)
    return target


def test_what_is_written_is_read(path: Path) -> None:
    table = TableFile.open(path)
    assert table.meta == META
    assert list(table.sections) == list(SECTIONS)
    for name, array in SECTIONS.items():
        read = table.section(name)
        assert read.dtype == array.dtype
        np.testing.assert_array_equal(read, array)
        assert not read.flags.writeable or read.size == 0
        assert table.sections[name].bytes == array.nbytes
    assert table.has("grid")
    assert not table.has("septets")


def test_header_is_pinned(path: Path) -> None:
    """Another program must be able to read this; a change here needs a new FORMAT_VERSION."""
    data = path.read_bytes()
    magic, version, head, size = struct.unpack_from("<8sIIQ", data)
    assert (magic, version, head, size) == (b"KIBITZ\r\n", 1, 576, 960)
    assert len(data) == size
    assert data[24:56] == hashlib.sha256(data[:24] + data[56:head]).digest()
    assert data[56:64] == bytes(8)
    first = hashlib.sha256(bytes(range(5)) + bytes(59)).hexdigest()
    assert data[64:head].startswith(
        b'{"meta":{"id":"tiny","word_count":3},"sections":[{"dtype":"|u1","name":"letters","offset":0,'
        b'"sha256":"' + first.encode() + b'","shape":[5],"stored":64},{"dtype":"<u4","name":"empty",'
    )
    assert data[head : head + 64] == bytes(range(5)) + bytes(59)
    golden = "53dd1d358b25a254b04a57c9281f2f92affd5f912c8b5534ca26e4b5d330945c"
    assert hashlib.sha256(data).hexdigest() == golden


def test_sections_are_aligned(path: Path) -> None:
    table = TableFile.open(path)
    assert table.section("letters").ctypes.data % store.ALIGNMENT == 0
    assert table.section("grid").ctypes.data % store.ALIGNMENT == 0


def test_every_flipped_bit_is_refused(path: Path) -> None:
    data = bytearray(path.read_bytes())
    path.chmod(0o644)
    with path.open("r+b") as stream:
        for at in range(len(data)):
            for bit in range(8):
                stream.seek(at)
                stream.write(bytes([data[at] ^ 1 << bit]))
                stream.flush()
                with pytest.raises(DamagedTable, match="kibitz lexicon build tiny"):
                    TableFile.open(path)
            stream.seek(at)
            stream.write(data[at : at + 1])
            stream.flush()
    TableFile.open(path)


def test_every_truncation_is_refused(path: Path) -> None:
    data = path.read_bytes()
    path.chmod(0o644)
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(DamagedTable, match="kibitz lexicon build tiny"):
            TableFile.open(path)
    path.write_bytes(data + b"\0")
    with pytest.raises(DamagedTable, match="it should have 960 bytes and has 961"):
        TableFile.open(path)


@pytest.mark.parametrize("cut", [0, 1, 384, 700, 896, 960])
def test_a_file_cut_short_while_it_is_read_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    """Mapped pages behind the end of a file would kill the process, so that the bytes are read first."""
    path.chmod(0o644)
    honest = os.fstat

    def cut_after_the_first_look(descriptor: int) -> os.stat_result:
        found = honest(descriptor)
        os.truncate(path, cut)
        return found

    monkeypatch.setattr(store.os, "fstat", cut_after_the_first_look)
    if cut == 960:
        TableFile.open(path)
        return
    with pytest.raises(DamagedTable, match="kibitz lexicon build tiny") as caught:
        TableFile.open(path)
    assert caught.value.params["path"] == str(path)
    assert "kibitz lexicon build tiny" in str(caught.value.params["repair"])


def test_a_file_that_shrinks_after_its_bytes_were_checked_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_and_map(descriptor: int, size: int, **options: int) -> mmap.mmap:
        os.truncate(path, 100)
        return mmap.mmap(descriptor, size, **options)

    path.chmod(0o644)
    monkeypatch.setattr(store, "mmap", SimpleNamespace(mmap=cut_and_map, ACCESS_READ=mmap.ACCESS_READ))
    with pytest.raises(DamagedTable, match="shrank"):
        TableFile.open(path)


def test_a_disk_that_fails_is_a_damaged_table(path: Path) -> None:
    def fail(*_: object) -> int:
        raise OSError(5, "Input/output error")

    stream = SimpleNamespace(readinto=fail)
    problem = store._Problem(path, "run: x")
    with pytest.raises(DamagedTable, match=r"reading it failed \(Input/output error\); run: x"):
        store._check_sections(stream, read_head(path), problem)  # type: ignore[arg-type]


def test_a_list_of_tables_reads_the_head_alone(path: Path) -> None:
    head = read_head(path)
    assert (head.meta, head.sha256) == (META, TableFile.open(path).sha256)
    data = bytearray(path.read_bytes())
    path.chmod(0o644)
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :])
        if at < head.data_at:
            with pytest.raises(DamagedTable):
                read_head(path)
        else:
            assert read_head(path).size == len(data)
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(DamagedTable):
            read_head(path)


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_table_is_written_for_all_to_read_and_none_to_write(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "tiny.kibitz"
    before = os.umask(umask)
    try:
        write_table_file(path, META, SECTIONS)
        write_table_file(path, {"id": "other"}, SECTIONS)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o444
    assert TableFile.open(path).meta == {"id": "other"}


@given(
    array=stn.arrays(
        st.sampled_from(["u1", "<u2", "<i4", "<u8", "<f8"]), stn.array_shapes(min_side=0, max_dims=3)
    )
)
def test_any_array_round_trips(tmp_path_factory: pytest.TempPathFactory, array: np.ndarray) -> None:
    path = tmp_path_factory.getbasetemp() / "any.kibitz"
    write_table_file(path, {}, {"x": array})
    np.testing.assert_array_equal(TableFile.open(path).section("x"), array)


def test_same_input_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.kibitz"
    write_table_file(again, dict(reversed(META.items())), SECTIONS)
    assert again.read_bytes() == path.read_bytes()
    assert TableFile.open(again).sha256 == TableFile.open(path).sha256


def test_a_missing_file_and_a_missing_part_name_the_command(path: Path) -> None:
    with pytest.raises(MissingTable, match="run: kibitz lexicon build twl06"):
        TableFile.open(path.with_name("twl06.kibitz"))
    with pytest.raises(MissingTable, match="no part 'septets'"):
        TableFile.open(path).section("septets")


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.kibitz"
    path.write_bytes(b"AA\nAAH\n" * 100)
    with pytest.raises(DamagedTable, match="it is not a kibitz table"):
        TableFile.open(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(DamagedTable, match="folder"):
        TableFile.open(path)


def test_another_version_is_refused_by_name(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "FORMAT_VERSION", 2)
    with pytest.raises(DamagedTable, match="version 1, this kibitz reads 2") as caught:
        TableFile.open(path)
    assert caught.value.code == "table_version"


def test_an_object_array_is_not_stored(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="dtype object"):
        write_table_file(tmp_path / "x.kibitz", {}, {"x": np.array([None])})
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file_and_no_other(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_table_file(path, {"id": "other"}, SECTIONS)
    assert path.read_bytes() == before
    assert [item.name for item in path.parent.iterdir()] == ["tiny.kibitz"]


def _rewrite(path: Path, times: int) -> None:
    for _ in range(times):
        write_table_file(path, META, SECTIONS)


@pytest.mark.process
def test_readers_never_see_half_a_file(path: Path) -> None:
    writers = [
        multiprocessing.get_context("spawn").Process(target=_rewrite, args=(path, 40)) for _ in range(2)
    ]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        TableFile.open(path).close()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert [item.name for item in path.parent.iterdir()] == ["tiny.kibitz"]


def test_an_open_table_outlives_its_replacement(path: Path) -> None:
    table = TableFile.open(path)
    grid = table.section("grid")
    write_table_file(path, META, {"grid": np.zeros((5, 8), dtype=np.int64)})
    np.testing.assert_array_equal(grid, SECTIONS["grid"])
    table.close()  # the array keeps the mapping alive
    assert grid[4, 7] == 39
    shutil.rmtree(path.parent)
    assert grid[4, 7] == 39
