"""A table damaged under a running server: a worker that starts after the crash refuses it."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.service.serving import Server, running, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.process

BODY = {"tiles": [], "rack": "CABDEFE"}


@pytest.fixture
def table(data: Path, tmp_path: Path) -> Path:
    """A table of one's own, to damage: read-only, as it was written."""
    path = tmp_path / "tables" / "small.kibitz"
    path.parent.mkdir()
    shutil.copy(data / "tables" / "small.kibitz", path)
    assert path.stat().st_mode & 0o777 == 0o444
    return path


def ask(server: Server, method: str, path: str, body: object = None) -> tuple[int, str]:
    """Return status and code of an answer; 0 and the error if a dying worker gave none."""
    try:
        status, _, text = server.ask(method, path, body)
    except (OSError, HTTPException) as error:
        return 0, type(error).__name__
    return status, json.loads(text).get("code", "")


def damage(path: Path, change: Callable[[bytearray], object]) -> None:
    """Change the file in place, as no program of kibitz does: the mapping changes under all processes."""
    content = bytearray(path.read_bytes())
    change(content)
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.truncate(len(content))
        file.write(content)
    path.chmod(0o444)


def cut_short(content: bytearray) -> None:
    del content[len(content) // 8 :]


def flip_bits(content: bytearray) -> None:
    chance = random.Random(20_000)
    for _ in range(20_000):
        content[chance.randrange(4096, len(content))] ^= 1 << chance.randrange(8)


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("change", [cut_short, flip_bits])
def test_a_worker_that_restarts_refuses_the_table(
    data: Path, table: Path, workers: int, change: Callable[[bytearray], object]
) -> None:
    sound = Path(shutil.copy(table, table.parent / "sound"))
    with running(table.parents[1], KIBITZ_WORKERS=str(workers), KIBITZ_CACHE_BYTES="0") as server:
        wait_until(lambda: len(server.workers()) == workers)
        first = set(server.workers())
        damage(table, change)
        for turn in range(30):  # some worker may die of it
            ask(server, "POST", "/analyze", {**BODY, "rack": "ABCDEFGHIJKL"[turn % 6 :][:7]})
        for worker in first:  # and those that have not
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGSEGV)
        wait_until(lambda: len(server.workers()) == workers and not first & set(server.workers()))
        wait_until(lambda: ask(server, "GET", "/readyz")[0] == 503)
        second = server.workers()
        for _ in range(10):
            assert ask(server, "GET", "/livez") == (200, "")
            status, code = ask(server, "GET", "/readyz")
            assert (status, code) == (503, "damaged_table")
            assert ask(server, "POST", "/analyze", BODY) == (503, "damaged_table")
        time.sleep(1.5)
        assert server.workers() == second, "it does not crash again and again"
        # The repair, as `kibitz lexicon build` does it: a new file takes the path.
        sound.replace(table)
        wait_until(lambda: ask(server, "GET", "/readyz") == (200, ""))
        assert ask(server, "POST", "/analyze", BODY) == (200, "")
        assert server.stop()[0] == 0


def test_a_worker_that_restarts_after_the_repair_reads_the_new_file(data: Path, table: Path) -> None:
    """The master maps the old file, of the same contents once, which is damaged still."""
    sound = Path(shutil.copy(table, table.parent / "sound"))
    with running(table.parents[1], KIBITZ_CACHE_BYTES="0") as server:
        damage(table, cut_short)
        sound.replace(table)
        (worker,) = server.workers()
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: server.workers() not in ([], [worker]))
        wait_until(lambda: ask(server, "GET", "/readyz") == (200, ""))
        (worker,) = server.workers()
        for turn in range(6):
            body = {**BODY, "rack": "ABCDEFGHIJKL"[turn:][:7]}
            assert ask(server, "POST", "/analyze", body) == (200, "")
        assert server.workers() == [worker]


@pytest.mark.parametrize("change", [cut_short, flip_bits])
def test_the_error_about_a_damaged_table_names_the_repair(
    table: Path, change: Callable[[bytearray], object]
) -> None:
    damage(table, change)
    code, lines, err = Server(table.parents[1]).result()
    assert code != 0
    assert "kibitz lexicon build" in err
    assert "Traceback" not in f"{lines}{err}"
