"""Find the circles of imports: modules that need each other, directly or through others.

Every import counts: at the top of a module, in a function, for type checkers only, and in the type stub or
the source of a kernel.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tests.architecture.arrows import PYTHON, cython_arrows, module_of, python_arrows, source_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Imports = dict[str, set[str]]


def imports(root: Path) -> Imports:
    """Return which modules of the tree each module imports."""
    found: Imports = defaultdict(set)
    for path in source_files(root):
        if path.suffix in PYTHON:
            arrows = python_arrows(root, path)
        elif path.suffix == ".pyx":
            arrows = cython_arrows(root, path, at_run_time=True)
        else:
            continue
        module = module_of(root, path)
        found[module] |= {arrow.target for arrow in arrows} - {module}
    return {module: targets & found.keys() for module, targets in found.items()}


def circles(root: Path) -> list[list[str]]:
    """List the circles of the tree: each the names of the modules that depend on each other, sorted."""
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
