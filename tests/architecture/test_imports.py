"""What import-linter does not check: imports of kernels, circles, and what engine and library need."""

from __future__ import annotations

import re
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.architecture.kernel_imports import TOP_LEVEL, floors, violations

ROOT = Path(__file__).resolve().parents[2]
FLOORS = floors(ROOT)

HOLDERS = {"service.state"}
"""Through them the parts of the application get each other; their imports for type checkers do not count."""

LINE = re.compile(r"from (\S+) import (\w+)")


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*TOP_LEVEL, include_external_packages=True, cache_dir=None)


def test_no_module_imports_itself_through_others(graph: grimp.ImportGraph) -> None:
    """Every import counts: at the top, in a function, and for type checkers only. Raises CycleError."""
    at_run_time = grimp.build_graph(*TOP_LEVEL, exclude_type_checking_imports=True, cache_dir=None)
    imports = {
        module: {
            target
            for target in (at_run_time if module in HOLDERS else graph).find_modules_directly_imported_by(
                module
            )
            if not imports_kernels(graph, module, target)
        }
        for module in graph.modules
    }
    TopologicalSorter(imports).prepare()


def imports_kernels(graph: grimp.ImportGraph, module: str, package: str) -> bool:
    """Return whether a module imports only kernels of a package, which grimp does not know as modules."""
    details = graph.get_import_details(importer=module, imported=package)
    lines = [LINE.match(one["line_contents"].strip()) for one in details]
    return bool(lines) and all(line is not None and is_kernel(*line.groups()) for line in lines)


def is_kernel(source: str, name: str) -> bool:
    stubs = [f"{module.replace('.', '/')}.pyi" for module in (source, f"{source}.{name}")]
    return any((ROOT / stub).exists() for stub in stubs)


def test_engine_and_library_need_numpy_babel_and_the_extras_png_and_quiz(graph: grimp.ImportGraph) -> None:
    needed = {
        target.partition(".")[0]
        for module in graph.find_descendants("engine") | {"engine", "kibitz"}
        for target in graph.find_modules_directly_imported_by(module)
    }
    assert needed - sys.stdlib_module_names - {"engine"} == {"numpy", "babel", "resvg_py", "fsrs"}


def test_no_kernel_imports_from_above() -> None:
    assert violations(ROOT, FLOORS) == []


PLANTED = {
    "sideways": ("engine/lexicon/x.pyx", "cimport engine.records.y as y"),
    "cimport": ("engine/lexicon/x.pyx", "from engine.loaded_board.b cimport Row"),
    "relative cimport": ("engine/lexicon/x.pyx", "from ..movegen cimport kernel"),
    "second of a line": ("engine/lexicon/x.pyx", "import os; from engine.movegen import y"),
    "over two lines": ("engine/lexicon/x.pyx", "from engine.movegen cimport (\n    a,\n    b)"),
    "in a block": ("engine/lexicon/x.pxd", "  from engine.movegen.y cimport z"),
    "type stub": ("engine/lexicon/x.pyi", "from engine.movegen.y import Z"),
    "Cython include file": ("engine/lexicon/x.pxi", "cimport numpy, engine.movegen.y"),
    "of the whole engine": ("engine/rules/x.pyx", "from engine import tile_set"),
    "include": ("engine/lexicon/x.pyx", 'include "../movegen/part.pxi"'),
    "extern": ("engine/lexicon/x.pxd", 'cdef extern from "../movegen/k.h" nogil:\n    pass'),
    "extern from the root": ("engine/lexicon/x.pxd", 'cdef extern from "engine/movegen/k.h":\n  pass'),
    "C header": ("engine/lexicon/x.h", '#pragma once\n# include "../movegen/k.h"\n'),
    "of the laboratory": ("engine/movegen/x.pyx", "from lab.generators cimport dawg"),
}


def plant(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize(("name", "text"), PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_fault_is_found(tmp_path: Path, name: str, text: str) -> None:
    plant(tmp_path, {"engine/movegen/part.pxi": "", "engine/movegen/k.h": "", name: text})
    (found,) = violations(tmp_path, FLOORS)
    assert found.startswith(name)


def test_imports_from_below_are_no_fault(tmp_path: Path) -> None:
    kernel = (
        '"""Reads a board.\n\nfrom engine.analysis import nothing\n"""\n'
        "# cimport engine.selfplay\n"
        "from libc.stdint cimport uint32_t\n"
        "cimport numpy as cnp\n"
        'cdef extern from "kernel.h" nogil:\n    pass\n'
        "from engine.lexicon.tables cimport Tables\n"
        "from .plays cimport Plays\n"
    )
    header = '#include <stdint.h>\n#include "../lexicon/tables.h"\n'
    files = {"engine/movegen/kernel.pyx": kernel, "engine/movegen/kernel.h": header}
    plant(tmp_path, {**files, "engine/lexicon/tables.h": "", "engine/lexicon/tables.pxd": "cimport posix"})
    assert violations(tmp_path, FLOORS) == []
