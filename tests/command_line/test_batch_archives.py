"""`kibitz batch` with zip and tar archives: the same as with a folder, and harmless whatever they contain."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from engine import InvalidInput
from kibitz.archives.archive_members import EXPANSION, archive_members
from kibitz.archives.bounded_file import BoundedFile
from kibitz.archives.record_source import RecordSource
from tests.command_line.test_annotate import SHORT
from tests.command_line.test_batch import contents

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.command_line.conftest import Run

GAME = SHORT.encode()
NAMES = ("a.gcg", "more/b.GCG", "more/notes.txt")


def packed_zip(path: Path, members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def packed_tar(path: Path, members: Mapping[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            one = tarfile.TarInfo(name)
            one.size = len(data)
            archive.addfile(one, io.BytesIO(data))
    return path


def found(path: Path) -> list[tuple[str, str | None]]:
    """The name and the code of the error of each record."""
    return [
        (record.name, None if record.error is None else record.error.code)
        for record in RecordSource(path).records()
    ]


@pytest.mark.process
def test_an_archive_gives_the_files_of_the_folder_that_it_packs(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "more").mkdir(parents=True)
    members = dict.fromkeys(NAMES, GAME)
    for name, data in members.items():
        (folder / name).write_bytes(data)
    assert run("batch", str(folder), "--output", str(tmp_path / "out")).exit_code == 0
    expected = contents(tmp_path / "out")
    assert set(expected) == {"a.gcg.ndjson", "more/b.GCG.ndjson", "summary.json"}
    packed_zip(tmp_path / "games.zip", members)
    packed_tar(tmp_path / "games.tar", {f"./{name}": data for name, data in members.items()})
    for ending in ("gz", "bz2", "xz"):
        packed_tar(tmp_path / f"games.t{ending}", members, f"w:{ending}")
    for number, path in enumerate(sorted(tmp_path.glob("games.*"))):
        output = tmp_path / f"out{number}"
        done = run("batch", str(path), "--output", str(output), "--workers", str(1 + number % 2))
        assert done.exit_code == 0, done.output
        assert contents(output) == expected, path


def test_archives_in_a_folder_count_as_folders(tmp_path: Path) -> None:
    packed_zip(tmp_path / "2024.zip", {"b.gcg": GAME, "a.gcg": GAME})
    packed_tar(tmp_path / "2023.tar.gz", {"/rounds/1/a.gcg": GAME}, "w:gz")
    (tmp_path / "2025.gcg").write_bytes(GAME)
    (tmp_path / "2022.zip").write_bytes(b"no archive")
    assert found(tmp_path) == [
        ("2022.zip", "not_an_archive"),
        ("2023.tar.gz/rounds/1/a.gcg", None),
        ("2024.zip/b.gcg", None),
        ("2024.zip/a.gcg", None),
        ("2025.gcg", None),
    ]


def test_a_file_that_is_no_archive_ends_the_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_bytes(GAME)
    done = run("batch", str(tmp_path / "game.txt"), "--output", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert "game.txt is neither a zip nor a tar archive" in done.stderr
    assert not (tmp_path / "out").exists()


def test_names_cannot_leave_the_output_folder(run: Run, tmp_path: Path) -> None:
    names = (
        "../out.gcg",
        "a/../../b.gcg",
        "/etc/c.gcg",
        "d\udcff.gcg",
        f"{'e' * 250}.gcg",
        "f.gcg.ndjson/f.gcg",
        "summary.json/g.gcg",
        "turns.parquet/h.gcg",
        ".turns.parquet.partial/i.gcg",
        "/".join(["é" * 100] * 6) + "/j.gcg",
    )
    path = packed_tar(tmp_path / "games.tar", {**dict.fromkeys(names, GAME), "good.gcg": GAME})
    output = tmp_path / "below" / "out"
    done = run("batch", str(path), "--output", str(output), "--parquet")
    assert done.exit_code == 1, done.output
    assert set(contents(tmp_path)) == {
        "games.tar", "below/out/etc/c.gcg.ndjson", "below/out/good.gcg.ndjson", "below/out/summary.json",
        "below/out/turns.parquet",
    }  # fmt: skip
    errors = json.loads((output / "summary.json").read_bytes())["errors"]
    assert {error["code"] for error in errors.values()} == {"bad_record_name"}
    assert len(errors) == 9


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_with_a_zip_in_it_is_a_tar(tmp_path: Path, mode: str) -> None:
    inner = packed_zip(tmp_path / "inner.zip", {"inner.gcg": GAME}).read_bytes()
    path = packed_tar(tmp_path / "games.tar", {"outer.gcg": GAME, "inner.zip": inner}, mode)
    assert found(path) == [("outer.gcg", None)]


def test_a_bad_member_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.tar"
    with tarfile.open(path, "w") as archive:
        for name in ("a.gcg", "a.gcg", "folder.gcg", "link.gcg", "b.gcg"):
            one = tarfile.TarInfo(name)
            if name == "folder.gcg":
                one.type = tarfile.DIRTYPE
            elif name == "link.gcg":
                one.type, one.linkname = tarfile.SYMTYPE, "/etc/passwd"
            else:
                one.size = len(GAME)
            archive.addfile(one, io.BytesIO(GAME))
    assert found(path) == [
        ("a.gcg", None), ("a.gcg", "duplicate_record"), ("link.gcg", "not_a_file"), ("b.gcg", None),
    ]  # fmt: skip
    path = packed_zip(tmp_path / "bzip2.zip", {"a.gcg": GAME}, zipfile.ZIP_BZIP2)
    assert found(path) == [("a.gcg", "unsupported_compression")]
    path = packed_zip(tmp_path / "changed.zip", {"a.gcg": GAME, "b.gcg": GAME}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(GAME, GAME[::-1], 1))  # the checksum is wrong
    assert found(path) == [("a.gcg", "damaged_archive"), ("b.gcg", None)]


def test_a_tar_of_long_names_without_a_file_is_damaged(tmp_path: Path) -> None:
    name = tarfile.TarInfo("././@LongLink")
    name.type, name.size = tarfile.GNUTYPE_LONGNAME, 6
    link = name.tobuf(tarfile.GNU_FORMAT) + b"a.gcg".ljust(tarfile.BLOCKSIZE, b"\0")
    path = packed_tar(tmp_path / "games.tar", {"a.gcg": GAME})
    end = path.read_bytes().index(GAME) + -(-len(GAME) // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
    path.write_bytes(path.read_bytes()[:end] + 3000 * link + bytes(2 * tarfile.BLOCKSIZE))
    assert found(path) == [("a.gcg", None), ("games.tar", "damaged_archive")]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_damaged_tar_is_read_up_to_the_damage(tmp_path: Path, mode: str) -> None:
    games = {f"{number}.gcg": Random(number).randbytes(400_000) for number in range(4)}
    path = packed_tar(tmp_path / "games.tar", games, mode)
    data = path.read_bytes()
    assert [code for _, code in found(path)] == [None] * 4
    path.write_bytes(data[: len(data) * 5 // 8])
    records = found(path)
    assert records[-1] == ("games.tar", "damaged_archive")
    assert all(code is None for _, code in records[:-1])
    if mode == "w":
        assert len(records) == 3
        header = data.index(b"2.gcg\0")
        path.write_bytes(data[:header] + b"x" * 512 + data[header + 512 :])
        assert found(path) == [("0.gcg", None), ("1.gcg", None), ("games.tar", "damaged_archive")]


def test_bombs_are_refused_before_they_unpack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.archives.archive_members.LEAST_LIMIT", 1 << 20)
    # A member that is no record, whose contents would be skipped for long.
    path = packed_tar(
        tmp_path / "skip.tar.xz", {"a.gcg": GAME, "zeros": bytes(30 << 20), "b.gcg": GAME}, "w:xz"
    )
    assert EXPANSION * path.stat().st_size < 30 << 20
    assert found(path) == [("a.gcg", None), ("skip.tar.xz", "archive_too_large")]
    # Many records that are too long.
    path = packed_zip(tmp_path / "many.zip", {f"{number}.gcg": bytes(2 << 20) for number in range(8)})
    with pytest.raises(InvalidInput) as caught:
        list(archive_members(path))
    assert caught.value.code == "archive_too_large"
    monkeypatch.setattr("kibitz.archives.archive_members.MAX_MEMBERS", 2)
    assert found(packed_tar(tmp_path / "count.tar", dict.fromkeys("abc", b""))) == [
        ("count.tar", "archive_too_large")
    ]


def test_a_header_of_any_length_is_not_read_into_memory() -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise AssertionError(f"read {size} bytes")

        def tell(self) -> int:
            return 0

    for size in (-1, 1 << 30):
        with pytest.raises(InvalidInput, match="refused"):
            BoundedFile(Endless(), 1 << 40).read(size)  # type: ignore[arg-type]


def test_a_record_longer_than_allowed_is_refused(run: Run, tmp_path: Path) -> None:
    path = packed_zip(tmp_path / "games.zip", {"long.gcg": b"#" * (3 << 20), "a.gcg": GAME})
    done = run("batch", str(path), "--output", str(tmp_path / "out"), "--json")
    summed: dict[str, Any] = json.loads(done.stdout)
    assert {name: error["code"] for name, error in summed["errors"].items()} == {"long.gcg": "gcg_too_long"}
    assert summed["annotated"] == 1
