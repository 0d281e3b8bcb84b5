"""KIBITZ_SIMD: the kernels of a command take this vector path, or one line says why they cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import AnnotationOptions, simd_level, use_simd
from kibitz.archives.record_annotator import FolderWork
from kibitz.cli.workers import start_worker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.command_line.conftest import Run


@pytest.fixture(autouse=True)
def _default_path() -> Iterator[None]:
    yield
    use_simd(None)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("9", "Error: KIBITZ_SIMD=9: this processor has no vector path 9; it has 0 (plain)"),
        ("avx2", "Error: KIBITZ_SIMD=avx2: must be 0 (plain C), 1 (AVX2) or 2 (AVX-512)"),
        ("-1", "Error: KIBITZ_SIMD=-1: must be 0"),
    ],
)
def test_a_path_that_does_not_exist_ends_every_command_with_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, value: str, message: str
) -> None:
    monkeypatch.setenv("KIBITZ_SIMD", value)
    done = run("judge", "cab")
    assert done.exit_code == 2
    assert done.output.startswith(message)
    assert len(done.output.splitlines()) == 1


def test_a_worker_process_of_a_batch_takes_the_path(tmp_path: Path) -> None:
    start_worker(FolderWork(tmp_path, tmp_path, (), AnnotationOptions(), tmp_path, "scowl80", simd=0))
    assert simd_level() == 0


def test_a_command_takes_the_path(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_SIMD", "0")
    assert run("judge", "cab").exit_code == 0
    assert simd_level() == 0
