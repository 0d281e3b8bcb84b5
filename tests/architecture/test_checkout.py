"""The packages that a wheel lacks, lab and benchmarks, are imported only when their commands are called."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.process
def test_a_checkouts_own_packages_are_imported_only_when_their_commands_are_called() -> None:
    naming = {
        path.relative_to(ROOT).as_posix()
        for part in ("service", "kibitz")
        for path in (ROOT / part).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and str(node.value).split(".")[0] in ("benchmarks", "lab")
    }
    assert naming == {"kibitz/cli/__init__.py", "kibitz/cli/perft.py"}
    code = (
        "import sys, service.app\n"
        "from kibitz.cli import COMMANDS, FROM_CHECKOUT, kibitz\n"
        "for name in COMMANDS:\n"
        "    if name not in FROM_CHECKOUT: kibitz.get_command(None, name)\n"
        "print(*(name for name in sys.modules if name.split('.')[0] in ('benchmarks', 'lab')))\n"
        "print(*(kibitz.get_command(None, name).name for name in FROM_CHECKOUT))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["", "bench experiment"]


@pytest.mark.process
@pytest.mark.parametrize("arguments", ["bench movegen --games 1", "perft --generator gordon -"])
def test_without_a_checkout_its_commands_say_where_they_are(arguments: str) -> None:
    code = (
        "import sys\n"
        "class Wheel:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name in ('benchmarks', 'lab'): raise ModuleNotFoundError(name=name)\n"
        "sys.meta_path.insert(0, Wheel())\n"
        "from kibitz.cli import kibitz\n"
        f"kibitz({arguments.split()}, prog_name='kibitz')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, input="")
    assert (done.returncode, done.stdout) == (2, "")
    assert "in a checkout of its repository" in done.stderr
