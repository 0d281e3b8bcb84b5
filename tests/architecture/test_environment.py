"""The engine reads no environment variables; the caller passes what it needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.source_imports import source_files

ROOT = Path(__file__).resolve().parents[2]
READING = re.compile(r"\b(environb?|getenvb?|secure_getenv|expandvars)\b")

ALLOWED = {"engine/data_folder.py"}
"""It reads XDG_CACHE_HOME, by the XDG standard the user's cache folder."""


def readers(root: Path) -> set[str]:
    """Return the files of the engine and the library that read the environment."""
    names = {path: str(path.relative_to(root)) for path in source_files(root)}
    return {
        name
        for path, name in names.items()
        if name.startswith(("engine/", "kibitz/")) and READING.search(path.read_text("utf-8"))
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
