"""Find what the files of kernels import: `cimport`, `import`, `include`, `#include`, `cdef extern from`.

import-linter reads only Python; its contract in pyproject.toml states the floors for both.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIXES = {".pyx", ".pxd", ".pxi", ".pyi", ".h"}
TOP_LEVEL = ("engine", "lexicons", "kibitz", "service", "lab", "benchmarks")
IMPORT = re.compile(r"from\s+(\.*)([\w.]*)\s+c?import\s+\(?(\w*)|c?import\s+([\w., ]+)")
PATHED = re.compile(r"""\s*(?:include|cdef\s+extern\s+from|\#\s*include)\s+["']([^"'<>]+)["']""")
STRING = re.compile(r'"""(?:.|\n)*?"""')


def floors(root: Path) -> dict[str, int]:
    """Return the floor of each package of the engine, 0 for the highest."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = (one["layers"] for one in contracts if one.get("containers") == ["engine"])
    return {name: floor for floor, layer in enumerate(layers) for name in layer.split(" | ")}


def imports(root: Path, path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each module that a file imports, and of each file that it includes."""
    text = STRING.sub(lambda found: "\n" * found[0].count("\n"), path.read_text("utf-8"))
    package = path.relative_to(root).parts[:-1]
    for number, line in enumerate(text.split("\n"), 1):
        if found := PATHED.match(line):
            places = [(base / found[1]).resolve() for base in (path.parent, root)]
            for place in [place for place in places if place.is_file()][:1]:
                yield number, ".".join(place.relative_to(root.resolve()).with_suffix("").parts)
            continue
        for statement in line.partition("#")[0].split(";"):
            if not (found := IMPORT.match(statement.strip())):
                continue
            dots, module, name, several = found.groups()
            if several:
                yield from ((number, one.split(" as ")[0].strip()) for one in several.split(","))
            elif dots:
                base = package[: len(package) - len(dots) + 1]
                yield number, ".".join([*base, module or name])
            else:
                yield number, f"{module}.{name}" if module == "engine" else module


def violations(root: Path, floor_of: dict[str, int]) -> list[str]:
    """List the imports of the engine's kernels that go up, sideways, or to another top-level package."""
    found = []
    for path in sorted((root / "engine").rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        here = path.relative_to(root).parts[1]
        for line, target in imports(root, path):
            top, _, rest = target.partition(".")
            there = rest.partition(".")[0]
            up = top == "engine" and there != here and floor_of.get(there, -1) <= floor_of[here]
            if up or top in TOP_LEVEL[1:]:
                found.append(f"{path.relative_to(root)}:{line}: {target}")
    return found
