"""Find import cycles: modules that import each other, directly or through others.

Every import counts: at the top of a module, in a function, for type checkers only, and in the type stub or
the source of a kernel.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from tests.architecture.source_imports import PYTHON, cython_imports, module_of, python_imports, source_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Imports = dict[str, set[str]]

HOLDERS = frozenset({"service.state"})
"""Modules through which the parts of the application get each other. They import the parts for type checkers
only, and these imports do not count."""


def imports(root: Path) -> Imports:
    """Return which modules of the tree each module imports."""
    found: Imports = defaultdict(set)
    for path in source_files(root):
        if path.suffix in PYTHON:
            found_imports = python_imports(root, path)
        elif path.suffix == ".pyx":
            found_imports = cython_imports(root, path, at_run_time=True)
        else:
            continue
        module = module_of(root, path)
        ignored = _lines_for_types(path) if module in HOLDERS else set()
        found[module] |= {one.target for one in found_imports if one.line not in ignored} - {module}
    return {module: targets & found.keys() for module, targets in found.items()}


def _lines_for_types(path: Path) -> set[int]:
    """Return the numbers of the lines that only type checkers read."""
    blocks = [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
    ]
    return {line for block in blocks for line in range(block.lineno, (block.end_lineno or 0) + 1)}


def cycles(root: Path) -> list[list[str]]:
    """List the cycles of the tree, each as the sorted names of its modules."""
    return sorted(sorted(group) for group in _components(imports(root)) if len(group) > 1)


def _components(graph: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Yield the strongly connected components of a graph (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []

    def visit(module: str) -> Iterator[set[str]]:
        order[module] = lowest[module] = len(order)
        path.append(module)
        for target in sorted(graph[module]):
            if target not in order:
                yield from visit(target)
                lowest[module] = min(lowest[module], lowest[target])
            elif target in path:
                lowest[module] = min(lowest[module], order[target])
        if lowest[module] == order[module]:
            start = path.index(module)
            yield set(path[start:])
            del path[start:]

    for module in sorted(graph):
        if module not in order:
            yield from visit(module)
