"""The scripts of the page: types, by TypeScript over JSDoc, lint rules, and size."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "scripts"
STATIC = Path(__file__).parents[2] / "service" / "static"
PAGE = sorted([*(STATIC / "page").iterdir(), STATIC / "kibitz-board.js"])
SERVICE_WORKER = STATIC.parent / "templates" / "service-worker.js"
MOST_BYTES = 100_000


@pytest.fixture(scope="module")
def programs() -> Path:
    """The folder with tsc and biome, installed by npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed; `make test` installs it")
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=HERE, check=True)
    return HERE / "node_modules"


def run(*command: str | Path) -> None:
    done = subprocess.run(
        command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_the_types_are_right(programs: Path) -> None:
    run(programs / ".bin" / "tsc", "--project", ".")


@pytest.mark.slow
def test_no_rule_of_biome_is_broken(programs: Path) -> None:
    [biome, *_] = programs.glob("@biomejs/cli-*/biome")  # the package of this machine; the other stays empty
    run(biome, "lint", "--config-path", HERE, "--error-on-warnings", *PAGE)


def test_the_page_is_small() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in [*PAGE, SERVICE_WORKER]}
    assert sum(sizes.values()) < MOST_BYTES, sizes


def test_a_module_is_short() -> None:
    long = {path.name: len(path.read_text().splitlines()) for path in (STATIC / "page").glob("*.js")}
    assert {name: lines for name, lines in long.items() if lines > 300} == {}
