"""Find every import arrow of the source tree, in Python, Cython and C, and judge it by the floors.

An arrow goes from a file to a module: `import`, `from .. import`, `cimport`, `include`, `#include` and
`cdef extern from` with a path. A file may point to its own package and to packages on lower floors.
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

# The house, ground floor first. Packages on one floor do not know each other.
FLOORS: tuple[frozenset[str], ...] = (
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
"""The parts that may import packages from elsewhere."""
FLOOR_OF = {package: number for number, floor in enumerate(FLOORS) for package in floor}

# What the engine may know of the world outside, beside the standard library.
ENGINE_FRIENDS = frozenset({"numpy", "cython", "Cython", "libc", "libcpp", "cpython", "posix"})
PYTHON = {".py", ".pyi"}
CYTHON = {".pyx", ".pxd", ".pxi"}


@dataclass(frozen=True)
class Arrow:
    """Say that a line of a file imports a module."""

    path: Path
    line: int
    target: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.target}"


def source_files(root: Path) -> Iterator[Path]:
    """Yield the source files of the parts of the house, less the C that Cython writes."""
    for top in PARTS:
        for path in sorted((root / top).rglob("*")):
            written_by_cython = path.suffix == ".c" and path.with_suffix(".pyx").exists()
            if path.suffix in PYTHON | CYTHON | {".h", ".c"} and not written_by_cython:
                yield path


def module_of(root: Path, path: Path) -> str:
    """Return the dotted name of the module that a file defines."""
    parts = list(path.relative_to(root).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def is_module(root: Path, name: str) -> bool:
    """Tell whether a dotted name is a package or a module of this tree."""
    place = root.joinpath(*name.split("."))
    return place.is_dir() or any(place.with_suffix(suffix).is_file() for suffix in PYTHON | CYTHON)


@lru_cache(maxsize=256)
def names_offered(front: Path) -> frozenset[str]:
    """Return the names in the `__all__` of a package; a function may have the name of its module."""
    if not front.is_file():
        return frozenset()
    for node in ast.parse(front.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value))
    return frozenset()


def resolve(root: Path, path: Path, level: int, module: str, names: list[str]) -> list[str]:
    """Return the modules meant by `from <level dots><module> import <names>`."""
    base = module
    if level:
        package = module_of(root, path).split(".")
        if path.stem != "__init__":
            package.pop()
        package = package[: len(package) - (level - 1)]
        base = ".".join([*package, module] if module else package)
    offered = names_offered(root.joinpath(*base.split("."), "__init__.py"))
    inner = [f"{base}.{name}" for name in names if name not in offered and is_module(root, f"{base}.{name}")]
    return inner + ([base] if len(inner) < len(names) or not names else [])


def python_arrows(root: Path, path: Path) -> Iterator[Arrow]:
    """Yield the arrows of a Python file, those inside functions and behind TYPE_CHECKING included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Arrow(path, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
            for target in resolve(root, path, node.level, node.module or "", names):
                yield Arrow(path, node.lineno, target)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = ast.unparse(node.func).rpartition(".")[2]
            name = node.args[0].value
            if called in {"import_module", "__import__"} and isinstance(name, str):
                level = len(name) - len(name.lstrip("."))
                for target in resolve(root, path, level, name.lstrip("."), []):
                    yield Arrow(path, node.lineno, target)


LONG_STRING = re.compile(r'"""(?:.|\n)*?"""|' r"'''(?:.|\n)*?'''")
FROM = re.compile(r"from\s+(\.*)([\w.]*)\s+c?import\s+(.+)")
IMPORT = re.compile(r"c?import\s+(.+)")
PATHED = re.compile(r"""(?:include\s+|cdef\s+extern\s+from\s+)["']([^"'<>]+)["']""")
C_INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def blanked(match: re.Match[str]) -> str:
    """Return the match with everything but its line ends removed, so that line numbers stay."""
    return "\n" * match.group().count("\n")


def cython_arrows(root: Path, path: Path, *, at_run_time: bool = False) -> Iterator[Arrow]:
    """Yield the arrows of a Cython file; `at_run_time`: only those that Python follows when it loads it."""
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
                    yield Arrow(path, number, target)
            elif found := IMPORT.match(words):
                for name in found[1].split(","):
                    yield Arrow(path, number, name.split(" as ")[0].strip())
            elif found := PATHED.match(words):
                yield from path_arrow(root, path, number, found[1])


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line number, line) with lines joined that a backslash or an open bracket continues."""
    held, first, depth = "", 0, 0
    for number, line in enumerate(text.split("\n"), 1):
        if not held:
            first = number
        depth += line.count("(") - line.count(")")
        held += line.removesuffix("\\") + " "
        if depth <= 0 and not line.endswith("\\"):
            yield first, held.strip()
            held, depth = "", 0
    if held.strip():
        yield first, held.strip()


def c_arrows(root: Path, path: Path) -> Iterator[Arrow]:
    """Yield the arrows of a C file or header: what it includes by a path in quotes."""
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        if found := C_INCLUDE.match(line):
            yield from path_arrow(root, path, number, found[1])


def path_arrow(root: Path, path: Path, number: int, target: str) -> Iterator[Arrow]:
    """Yield the arrow to a file named by a path: relative to the file, or to the root of the tree."""
    for base in (path.parent, root):
        place = (base / target).resolve()
        if place.is_file() and place.is_relative_to(root.resolve()):
            inside = PurePosixPath(place.relative_to(root.resolve()))
            yield Arrow(path, number, ".".join((*inside.parent.parts, inside.stem)))
            return


def arrows(root: Path) -> Iterator[Arrow]:
    """Yield every arrow of the tree."""
    for path in source_files(root):
        if path.suffix in PYTHON:
            yield from python_arrows(root, path)
        elif path.suffix in CYTHON:
            yield from cython_arrows(root, path)
        else:
            yield from c_arrows(root, path)


def home_of(module: str) -> str | None:
    """Return the package with a floor that a module belongs to; None if it has none, or is not ours."""
    parts = module.split(".")
    if parts[0] in PARTS[1:] or parts == ["engine"]:
        return parts[0]
    package = ".".join(parts[:2])
    return package if package in FLOOR_OF else None


def fault(root: Path, arrow: Arrow) -> str | None:
    """Return what is wrong with an arrow, or None."""
    here, there = home_of(module_of(root, arrow.path)), home_of(arrow.target)
    top = arrow.target.split(".")[0]
    if top not in PARTS:
        if here in OUTSIDE or top in ENGINE_FRIENDS or top in sys.stdlib_module_names:
            return None
        return f"the engine knows nothing of {top}"
    if here is None or here == there:
        return None
    if there is None:
        return f"{arrow.target} has no floor: give its package one"
    if here in PARTS[1:] and there.startswith("engine.") and arrow.target != there:
        return "beside the engine, its public names only are imported"
    if FLOOR_OF[there] == FLOOR_OF[here]:
        return f"sideways, from {here} to {there}"
    if FLOOR_OF[there] > FLOOR_OF[here]:
        return f"up, from {here} to {there}"
    return None


def violations(root: Path) -> list[str]:
    """List the arrows that point up or sideways, and the modules that stand on no floor."""
    found = [f"{arrow}: {wrong}" for arrow in arrows(root) if (wrong := fault(root, arrow))]
    homeless = [path for path in source_files(root) if home_of(module_of(root, path)) is None]
    return found + [f"{path}: has no floor: give its package one" for path in homeless]
