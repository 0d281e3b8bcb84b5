"""The engine reads no environment variables but the data folder's; the caller passes what it needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READING = re.compile(r"\b(environb?|getenvb?|secure_getenv|expandvars)\b")

ALLOWED = {"engine/data_folder.py"}
"""It reads KIBITZ_DATA, and XDG_CACHE_HOME, by the XDG standard the user's cache folder."""

SOURCES = {".py", ".pyi", ".pyx", ".pxd", ".pxi", ".h"}


def readers(root: Path) -> set[str]:
    """Return the files of the engine and the library that read the environment; the command line may."""
    paths = [*(root / "engine").rglob("*.*"), *(root / "kibitz").glob("*.*")]
    return {
        path.relative_to(root).as_posix()
        for path in paths
        if path.suffix in SOURCES and READING.search(path.read_text("utf-8"))
    }


def test_only_the_default_data_folder_depends_on_the_environment() -> None:
    assert readers(ROOT) == ALLOWED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("engine/a.py", "import os\nx = os.environ.get('KIBITZ_SIMD')\n"),
        ("engine/a.py", "from os import getenv\n"),
        ("engine/a.pyx", "from libc.stdlib cimport getenv\n"),
        ("engine/a.h", 'const char *path = getenv("KIBITZ_SIMD");\n'),
        ("kibitz/__init__.py", "import os\nos.environb\n"),
    ],
)
def test_a_planted_reader_is_found(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text(text)
    assert readers(tmp_path) == {name}
