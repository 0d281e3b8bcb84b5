"""No test asserts how long something took, since that depends on the machine.

A wait may give up: `assert time.monotonic() < deadline` in a `while` loop.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
CLOCKS = {
    name + end
    for name in ("monotonic", "perf_counter", "process_time", "thread_time", "time")
    for end in ("", "_ns")
}


def reads_a_clock(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and (
        (isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS)
        or (isinstance(node.func, ast.Name) and node.func.id in CLOCKS - {"time"})
    )


def is_elapsed(node: ast.AST, names: set[str]) -> bool:
    """Return whether an expression contains a difference of times, or the name of one."""
    return any(
        (
            isinstance(part, ast.BinOp)
            and isinstance(part.op, ast.Sub)
            and any(map(reads_a_clock, (part.left, part.right)))
        )
        or (isinstance(part, ast.Name) and part.id in names)
        for part in ast.walk(node)
    )


def asserted_times(source: str) -> list[int]:
    """Return the lines of assertions on elapsed time, except in waits."""
    tree = ast.parse(source)
    waits = {id(part) for loop in ast.walk(tree) if isinstance(loop, ast.While) for part in ast.walk(loop)}
    names = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and is_elapsed(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert) and id(node) not in waits and is_elapsed(node.test, names)
    ]


@pytest.mark.parametrize(
    "line", ["assert time.monotonic() - began < 1", "took = perf_counter() - began\nassert took < 1"]
)
def test_an_asserted_time_is_found(line: str) -> None:
    assert asserted_times(line)


def test_no_test_asserts_a_time() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{line}"
        for path in sorted(TESTS.rglob("*.py"))
        for line in asserted_times(path.read_text("utf-8"))
    ]
    assert found == []
