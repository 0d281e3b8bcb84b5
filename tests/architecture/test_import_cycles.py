"""There are no import cycles, so that a module can be read, tested and moved without those that import it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.import_cycles import cycles
from tests.architecture.test_floors import plant

ROOT = Path(__file__).resolve().parents[2]


def test_there_is_no_import_cycle() -> None:
    assert cycles(ROOT) == []


PLANTED = {
    "at the top": "from engine.rules.b import y",
    "in a function": "def f():\n    from engine.rules import b\n",
    "for types only": "import typing\nif typing.TYPE_CHECKING:\n    from engine.rules.b import Y\n",
    "of the package": "import engine.rules.b",
    "relative": "from . import b",
    "through a third module": "from engine.rules.c import z",
}


@pytest.mark.parametrize("text", PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_cycle_is_found(tmp_path: Path, text: str) -> None:
    plant(
        tmp_path,
        {
            "engine/rules/__init__.py": "from engine.rules.a import x",
            "engine/rules/a.py": text,
            "engine/rules/b.py": "from engine.rules.a import x",
            "engine/rules/c.py": "from engine.rules.b import y",
        },
    )
    (found,) = cycles(tmp_path)
    assert {"engine.rules.a", "engine.rules.b"} <= set(found)


def test_a_cycle_through_a_kernel_is_found(tmp_path: Path) -> None:
    files = {"engine/rules/a.py": "from engine.rules import k", "engine/rules/k.pyi": ""}
    plant(tmp_path, {**files, "engine/rules/k.pyx": "# text\nfrom engine.rules.a import x\n"})
    assert cycles(tmp_path) == [["engine.rules.a", "engine.rules.k"]]
    plant(tmp_path, {**files, "engine/rules/k.pyx": "cimport engine.rules.a\n"})
    assert cycles(tmp_path) == []
