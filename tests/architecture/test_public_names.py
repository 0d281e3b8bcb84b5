"""The names that can be imported from `engine`."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import engine

ROOT = Path(__file__).resolve().parents[2]


def imported() -> set[str]:
    """Return every name that the other parts import from `engine`."""
    return {
        alias.name
        for part in ("kibitz", "service", "lab", "benchmarks")
        for path in (ROOT / part).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "engine"
        for alias in node.names
    }


@pytest.mark.long
def test_every_imported_name_exists() -> None:
    names = imported()
    assert len(names) > 100
    for name in names:
        assert getattr(engine, name) is not None


def test_another_name_raises_an_attribute_error() -> None:
    for name in ("Nonsense", "_private", "game_loops"):
        with pytest.raises(AttributeError, match=f"module 'engine' has no attribute '{name}'"):
            getattr(engine, name)


@pytest.mark.process
def test_a_server_does_not_import_self_play() -> None:
    code = "import sys, service.app; print('engine.selfplay' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
