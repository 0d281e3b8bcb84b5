"""A package imports only from lower floors: the imports of the tree, and planted faults."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source_imports import source_files, source_imports, violations

ROOT = Path(__file__).resolve().parents[2]


def plant(root: Path, files: dict[str, str]) -> None:
    for name in ("engine/__init__.py", "service/__init__.py", "benchmarks/__init__.py", *files):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name, text in files.items():
        (root / name).write_text(text)


def test_no_import_goes_up_or_sideways() -> None:
    assert violations(ROOT) == []


def test_imports_are_found_in_every_kind_of_source() -> None:
    suffixes = {path.suffix for path in source_files(ROOT)}
    assert {".py", ".pyi", ".pyx", ".pxd", ".h"} <= suffixes
    kinds = {one.path.suffix for one in source_imports(ROOT) if one.target.startswith("engine")}
    assert {".py", ".pyx", ".h"} <= kinds


UP_AND_SIDEWAYS = {
    "up": ("engine/position/board.py", "from engine.movegen import Plays", "up, from engine.position"),
    "up to the engine": ("engine/rules/a.py", "from engine import tile_set", "up, from engine.rules to"),
    "up, relative": ("engine/rules/a.py", "from ..position import Rack", "up, from engine.rules"),
    "up, relative module": ("engine/rules/a.py", "from .. import position", "up, from engine.rules"),
    "up, from a package": ("engine/rules/__init__.py", "from ..position import x", "up, from engine.rules"),
    "up, deep inside": ("engine/rules/a/b.py", "from ...position import x", "up, from engine.rules"),
    "inside a function": ("engine/rules/a.py", "def f():\n    import engine.position.rack\n", "a.py:2: "),
    "for types only": (
        "engine/rules/a.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from engine.lexicon import Lexicon\n",
        "up, from engine.rules",
    ),
    "by name": ("engine/rules/a.py", "import importlib\nimportlib.import_module('engine.position')", "up,"),
    "sideways": ("engine/records/cgp.py", "import engine.lexicon", "sideways, from engine.records"),
    "sideways in Cython": ("engine/lexicon/x.pyx", "cimport engine.records.y as y", "sideways"),
    "cimport": ("engine/lexicon/x.pyx", "from engine.loaded_board.b cimport Row", "up, from engine.lexicon"),
    "relative cimport": ("engine/lexicon/x.pyx", "from ..movegen cimport kernel", "up, from engine.lexicon"),
    "second of a line": ("engine/lexicon/x.pyx", "import os; from engine.movegen import y", "up,"),
    "over two lines": ("engine/lexicon/x.pyx", "from engine.movegen cimport (\n    a,\n    b)", "x.pyx:1: "),
    "Cython header": ("engine/lexicon/x.pxd", "  from engine.movegen.y cimport z", "up,"),
    "Cython include file": ("engine/lexicon/x.pxi", "cimport numpy, engine.movegen.y", "up,"),
    "type stub": ("engine/lexicon/x.pyi", "from engine.movegen.y import Z", "up,"),
    "include": ("engine/lexicon/x.pyx", 'include "../movegen/part.pxi"', "up, from engine.lexicon"),
    "extern": ("engine/lexicon/x.pxd", 'cdef extern from "../movegen/k.h" nogil:\n    pass', "up,"),
    "extern from the root": ("engine/lexicon/x.pxd", 'cdef extern from "engine/movegen/k.h":\n  pass', "up,"),
    "C header": ("engine/lexicon/x.h", '#pragma once\n# include "../movegen/k.h"\n', "x.h:2: "),
    "the service": ("engine/analysis.py", "import service.cache", "up, from engine.analysis to service"),
    "past a package": (
        "service/app.py",
        "from engine.movegen.part import generator",
        "only its public names",
    ),
    "past a package, library": ("kibitz/__init__.py", "import engine.movegen.part", "only its public names"),
    "the benchmarks": ("service/app.py", "def f():\n    import benchmarks.load", "up, from service to bench"),
    "past a package, measuring": ("benchmarks/a.py", "import engine.movegen.part", "only its public names"),
    "past a package by name": ("service/app.py", "from engine.movegen import part", "only its public names"),
    "the service, library": ("kibitz/__init__.py", "import service.cache", "up, from kibitz to service"),
    "web in the library": ("kibitz/__init__.py", "import flask", "must not import flask"),
    "web in the engine": (
        "engine/analysis.py",
        "def f():\n    from flask import g\n",
        "must not import flask",
    ),
    "terminal in the engine": ("engine/lexicon/a.py", "import rich.progress", "must not import rich"),
    "unknown package": ("engine/utils/a.py", "", "engine/utils/a.py: has no floor"),
    "module without a floor": ("engine/movegen/a.py", "import engine.attic.b", "engine.attic.b has no floor"),
}


@pytest.mark.parametrize(("name", "text", "said"), UP_AND_SIDEWAYS.values(), ids=UP_AND_SIDEWAYS.keys())
def test_a_planted_fault_is_found(tmp_path: Path, name: str, text: str, said: str) -> None:
    others = {"engine/movegen/part.pxi": "", "engine/movegen/k.h": "", "engine/position/__init__.py": ""}
    plant(tmp_path, {**others, "engine/movegen/__init__.py": "", name: text})
    found = violations(tmp_path)
    assert len(found) == 1, found
    assert said in found[0]


def test_imports_from_lower_floors_are_no_fault(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "engine/__init__.py": "from engine.analysis import analyze",
            "engine/analysis.py": "from engine.movegen import generator\nimport numpy as np",
            "engine/movegen/__init__.py": "from .kernel import run\nfrom . import plays",
            "engine/movegen/plays.py": "import hashlib",
            "engine/movegen/kernel.pyx": (
                '"""Reads a board.\n\nfrom engine.analysis import nothing\n"""\n'
                "# cimport engine.selfplay\n"
                "from libc.stdint cimport uint32_t\n"
                "cimport numpy as cnp\n"
                'cdef extern from "kernel.h" nogil:\n    pass\n'
                "from engine.lexicon.tables cimport Tables\n"
            ),
            "engine/movegen/kernel.h": '#include <stdint.h>\n#include "../lexicon/tables.h"\n',
            "engine/lexicon/tables.h": "",
            "engine/lexicon/tables.pxd": "from posix.mman cimport mmap\n",
            "kibitz/__init__.py": "from engine.movegen import plays_of\n",
            "service/app.py": "import flask\nfrom engine import analyze\nfrom service.cache import Cache\n",
            "service/pages.py": "import kibitz\nfrom engine.movegen import generator\n",
            "service/cache.py": "import redis",
            "benchmarks/load.py": "import click\nfrom engine import analyze\nfrom service.cache import C",
        },
    )
    assert violations(tmp_path) == []


def test_only_the_command_group_imports_the_benchmarks_and_only_when_they_are_called() -> None:
    naming = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "service").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and str(node.value).split(".")[0] == "benchmarks"
    }
    assert naming == {"service/cli/__init__.py"}
    code = (
        "import sys, service.app\n"
        "from service.cli import COMMANDS, MEASURING, kibitz\n"
        "for name in COMMANDS:\n"
        "    if name not in MEASURING: kibitz.get_command(None, name)\n"
        "print(*(name for name in sys.modules if name.startswith('benchmarks')))\n"
        "print(*(kibitz.get_command(None, name).name for name in MEASURING))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["", "bench experiment"]
