"""No circle of imports: a module can be read, tested and moved without those that depend on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.circles import circles
from tests.architecture.test_floors import plant

ROOT = Path(__file__).resolve().parents[2]

KNOWN = [
    [
        "engine.analysis.moves",
        "engine.analysis.presolving",
        "engine.analysis.ranking",
        "engine.analysis.request",
        "engine.analysis.searched",
        "engine.analysis.searching",
        "engine.analysis.simulating",
        "engine.analysis.solving",
    ],
]
"""The circles that still exist. When one is gone it must go from this list too."""


def test_there_is_no_circle_but_the_known_ones() -> None:
    assert circles(ROOT) == KNOWN


PLANTED = {
    "at the top": "from engine.rules.b import y",
    "in a function": "def f():\n    from engine.rules import b\n",
    "for types only": "import typing\nif typing.TYPE_CHECKING:\n    from engine.rules.b import Y\n",
    "of the package": "import engine.rules.b",
    "relative": "from . import b",
    "through a third module": "from engine.rules.c import z",
}


@pytest.mark.parametrize("text", PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_circle_is_found(tmp_path: Path, text: str) -> None:
    plant(
        tmp_path,
        {
            "engine/rules/__init__.py": "from engine.rules.a import x",
            "engine/rules/a.py": text,
            "engine/rules/b.py": "from engine.rules.a import x",
            "engine/rules/c.py": "from engine.rules.b import y",
        },
    )
    (found,) = circles(tmp_path)
    assert {"engine.rules.a", "engine.rules.b"} <= set(found)


def test_a_circle_through_a_kernel_is_found(tmp_path: Path) -> None:
    files = {"engine/rules/a.py": "from engine.rules import k", "engine/rules/k.pyi": ""}
    plant(tmp_path, {**files, "engine/rules/k.pyx": "# text\nfrom engine.rules.a import x\n"})
    assert circles(tmp_path) == [["engine.rules.a", "engine.rules.k"]]
    plant(tmp_path, {**files, "engine/rules/k.pyx": "cimport engine.rules.a\n"})
    assert circles(tmp_path) == []
