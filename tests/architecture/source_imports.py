"""List every import of the source tree, in Python, Cython and C, and those that break the order of packages.

An import is an `import`, `from .. import`, `cimport`, `include`, `#include`, or a `cdef extern from` with a
path. A file may import from its own package and from packages on lower floors.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# The packages, lowest floor first. Packages on the same floor do not import each other.
FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"engine.messages"}),
    frozenset({"engine.data_folder", "engine.errors", "engine.version"}),
    frozenset({"engine.rules"}),
    frozenset({"engine.position"}),
    frozenset({"engine.records", "engine.lexicon"}),
    frozenset({"engine.loaded_board"}),
    frozenset({"engine.movegen"}),
    frozenset({"engine.evaluation"}),
    frozenset({"engine.search"}),
    frozenset({"engine.selfplay"}),
    frozenset({"engine.analysis"}),
    frozenset({"engine.library"}),
    frozenset({"engine"}),
    frozenset({"kibitz"}),
    frozenset({"service"}),
    frozenset({"benchmarks"}),
)
PARTS = ("engine", "kibitz", "service", "benchmarks")
OUTSIDE = ("service", "benchmarks")
"""The parts that may import any installed package."""
FLOOR_OF = {package: number for number, floor in enumerate(FLOORS) for package in floor}

# What the engine may import beside the standard library; babel for messages in several languages.
ENGINE_DEPENDENCIES = frozenset({"numpy", "babel", "cython", "Cython", "libc", "libcpp", "cpython", "posix"})
PYTHON = {".py", ".pyi"}
CYTHON = {".pyx", ".pxd", ".pxi"}


@dataclass(frozen=True)
class SourceImport:
    """An import of a module in a line of a file."""

    path: Path
    line: int
    target: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.target}"


def source_files(root: Path) -> Iterator[Path]:
    """Yield the source files of PARTS, without the C files that Cython generates."""
    for top in PARTS:
        for path in sorted((root / top).rglob("*")):
            generated = path.suffix == ".c" and path.with_suffix(".pyx").exists()
            if path.suffix in PYTHON | CYTHON | {".h", ".c"} and not generated:
                yield path


def module_of(root: Path, path: Path) -> str:
    """Return the dotted name of the module that a file defines."""
    parts = list(path.relative_to(root).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def is_module(root: Path, name: str) -> bool:
    """Return whether a dotted name is a package or a module of the tree."""
    place = root.joinpath(*name.split("."))
    return place.is_dir() or any(place.with_suffix(suffix).is_file() for suffix in PYTHON | CYTHON)


@lru_cache(maxsize=256)
def public_names(init: Path) -> frozenset[str]:
    """Return the names in the `__all__` of a package; a function may have the name of its module."""
    if not init.is_file():
        return frozenset()
    for node in ast.parse(init.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value))
    return frozenset()


def resolve(root: Path, path: Path, level: int, module: str, names: list[str]) -> list[str]:
    """Return the modules that `from <level dots><module> import <names>` imports."""
    base = module
    if level:
        package = module_of(root, path).split(".")
        if path.stem != "__init__":
            package.pop()
        package = package[: len(package) - (level - 1)]
        base = ".".join([*package, module] if module else package)
    public = public_names(root.joinpath(*base.split("."), "__init__.py"))
    inner = [f"{base}.{name}" for name in names if name not in public and is_module(root, f"{base}.{name}")]
    return inner + ([base] if len(inner) < len(names) or not names else [])


def python_imports(root: Path, path: Path) -> Iterator[SourceImport]:
    """Yield the imports of a Python file, including those in functions and under TYPE_CHECKING."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield SourceImport(path, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
            for target in resolve(root, path, node.level, node.module or "", names):
                yield SourceImport(path, node.lineno, target)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = ast.unparse(node.func).rpartition(".")[2]
            name = node.args[0].value
            if called in {"import_module", "__import__"} and isinstance(name, str):
                level = len(name) - len(name.lstrip("."))
                for target in resolve(root, path, level, name.lstrip("."), []):
                    yield SourceImport(path, node.lineno, target)


LONG_STRING = re.compile(r'"""(?:.|\n)*?"""|' r"'''(?:.|\n)*?'''")
FROM = re.compile(r"from\s+(\.*)([\w.]*)\s+c?import\s+(.+)")
IMPORT = re.compile(r"c?import\s+(.+)")
PATHED = re.compile(r"""(?:include\s+|cdef\s+extern\s+from\s+)["']([^"'<>]+)["']""")
C_INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def blanked(match: re.Match[str]) -> str:
    """Return only the line ends of a match, so that line numbers do not change."""
    return "\n" * match.group().count("\n")


def cython_imports(root: Path, path: Path, *, at_run_time: bool = False) -> Iterator[SourceImport]:
    """Yield the imports of a Cython file; `at_run_time`: only those that Python executes."""
    text = LONG_STRING.sub(blanked, path.read_text("utf-8"))
    text = re.sub(r"#.*", "", text)
    for number, line in logical_lines(text):
        for statement in line.split(";"):
            words = statement.strip()
            if at_run_time and not re.match(r"import\b|from\b(?!.*\bcimport\b)", words):
                continue
            if found := FROM.match(words):
                names = [name.split(" as ")[0].strip() for name in found[3].strip("() ").split(",")]
                names = [name for name in names if name]
                for target in resolve(root, path, len(found[1]), found[2], names):
                    yield SourceImport(path, number, target)
            elif found := IMPORT.match(words):
                for name in found[1].split(","):
                    yield SourceImport(path, number, name.split(" as ")[0].strip())
            elif found := PATHED.match(words):
                yield from path_import(root, path, number, found[1])


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line number, line) with lines joined that a backslash or an open bracket continues."""
    joined, first, depth = "", 0, 0
    for number, line in enumerate(text.split("\n"), 1):
        if not joined:
            first = number
        depth += line.count("(") - line.count(")")
        joined += line.removesuffix("\\") + " "
        if depth <= 0 and not line.endswith("\\"):
            yield first, joined.strip()
            joined, depth = "", 0
    if joined.strip():
        yield first, joined.strip()


def c_imports(root: Path, path: Path) -> Iterator[SourceImport]:
    """Yield the imports of a C file or header: what it includes by a path in quotes."""
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        if found := C_INCLUDE.match(line):
            yield from path_import(root, path, number, found[1])


def path_import(root: Path, path: Path, number: int, target: str) -> Iterator[SourceImport]:
    """Yield the import of a file given by its path, relative to the importing file or to the root."""
    for base in (path.parent, root):
        place = (base / target).resolve()
        if place.is_file() and place.is_relative_to(root.resolve()):
            inside = PurePosixPath(place.relative_to(root.resolve()))
            yield SourceImport(path, number, ".".join((*inside.parent.parts, inside.stem)))
            return


def source_imports(root: Path) -> Iterator[SourceImport]:
    """Yield every import of the tree."""
    for path in source_files(root):
        if path.suffix in PYTHON:
            yield from python_imports(root, path)
        elif path.suffix in CYTHON:
            yield from cython_imports(root, path)
        else:
            yield from c_imports(root, path)


def home_of(module: str) -> str | None:
    """Return the package on a floor that a module belongs to, None if there is none."""
    parts = module.split(".")
    if parts[0] in PARTS[1:] or parts == ["engine"]:
        return parts[0]
    package = ".".join(parts[:2])
    return package if package in FLOOR_OF else None


def fault(root: Path, found: SourceImport) -> str | None:
    """Return what is wrong with an import, None if nothing is."""
    here, there = home_of(module_of(root, found.path)), home_of(found.target)
    top = found.target.split(".")[0]
    if top not in PARTS:
        if here in OUTSIDE or top in ENGINE_DEPENDENCIES or top in sys.stdlib_module_names:
            return None
        return f"the engine must not import {top}"
    if here is None or here == there:
        return None
    if there is None:
        return f"{found.target} has no floor: give its package one"
    if here in PARTS[1:] and there.startswith("engine.") and found.target != there:
        return "outside the engine only its public names are imported"
    if FLOOR_OF[there] == FLOOR_OF[here]:
        return f"sideways, from {here} to {there}"
    if FLOOR_OF[there] > FLOOR_OF[here]:
        return f"up, from {here} to {there}"
    return None


def violations(root: Path) -> list[str]:
    """List the imports that go up or sideways, and the modules without a floor."""
    found = [f"{one}: {wrong}" for one in source_imports(root) if (wrong := fault(root, one))]
    homeless = [path for path in source_files(root) if home_of(module_of(root, path)) is None]
    return found + [f"{path}: has no floor: give its package one" for path in homeless]
