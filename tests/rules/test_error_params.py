"""Every error of the engine carries the values that its message names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine import errors
from engine.errors import EngineError

ENGINE = Path(errors.__file__).parent
ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, EngineError)
}

# Where the message stands among the arguments of whatever makes a fault or an error. The names that begin
# with "_" are helpers of one module each, which pass the message and `params` on.
MESSAGE_AT = {
    **dict.fromkeys(sorted(ERRORS), 0),
    **dict.fromkeys(("Fault", "LineFault", "MoveFault"), 1),
    **dict.fromkeys(("_damaged", "_fault", "_refuse", "_report", "_warn"), 1),
    "_refused": 0,
}


def makers(tree: ast.AST, scope: ast.AST) -> list[tuple[ast.Call, str, ast.AST]]:
    """List the calls of a module that make a fault: the call, its name, the function it stands in."""
    found: list[tuple[ast.Call, str, ast.AST]] = []
    for node in ast.iter_child_nodes(tree):
        inner = node if isinstance(node, ast.FunctionDef) else scope
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).removeprefix("self.")
            if name in MESSAGE_AT and len(node.args) > MESSAGE_AT[name]:
                found.append((node, name, scope))
        found += makers(node, inner)
    return found


def resolved(value: ast.expr, scope: ast.AST) -> ast.expr:
    """Return what a variable was set to last before it is used; anything else as it is."""
    if not isinstance(value, ast.Name):
        return value
    assigned = [
        (node.lineno, node.value)
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.value is not None
        and node.lineno < value.lineno
        and ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target) == value.id
    ]
    return max(assigned, key=lambda pair: pair[0])[1] if assigned else value


def is_text(message: ast.expr, scope: ast.AST) -> bool:
    """Tell whether a message is a Text, whose values are the params, or the template of one."""
    message = resolved(message, scope)
    return isinstance(message, ast.Call) and ast.unparse(message.func) in ("Text", "message")


def interpolated(message: ast.expr, scope: ast.AST) -> set[str]:
    """Return the expressions of which a message repeats the value."""
    message = resolved(message, scope)
    if isinstance(message, ast.Constant):
        return set()
    parts = [node for node in ast.walk(message) if isinstance(node, ast.FormattedValue)]
    return {ast.unparse(part.value) for part in parts} or {ast.unparse(message)}


def passed_on(message: ast.expr, scope: ast.AST) -> bool:
    """Tell whether a message is, or begins with, what the caller of a helper gave."""
    if not isinstance(scope, ast.FunctionDef):
        return False
    names = {node.id for node in ast.walk(resolved(message, scope)) if isinstance(node, ast.Name)}
    return bool(names & {argument.arg for argument in scope.args.args} & {"detail", "sentence", "what"})


def takes_none(scope: ast.AST) -> bool:
    """Tell whether a function is a helper without `params`, so that no caller gives it a value."""
    if not isinstance(scope, ast.FunctionDef) or scope.name not in MESSAGE_AT:
        return False
    return "params" not in {argument.arg for argument in (*scope.args.args, *scope.args.kwonlyargs)}


def lacking(path: Path) -> list[str]:
    """Name the places of a module where a message repeats more values than `params` holds."""
    found = []
    tree = ast.parse(path.read_text("utf-8"))
    for call, name, scope in makers(tree, tree):
        given = next((word.value for word in call.keywords if word.arg == "params"), None)
        message = call.args[MESSAGE_AT[name]]
        if is_text(message, scope) and not (isinstance(given, ast.Dict) and not given.keys):
            continue
        wanted = interpolated(message, scope)
        if passed_on(message, scope) and takes_none(scope):
            continue
        params = None if given is None else resolved(given, scope)
        if isinstance(params, ast.Dict) and not passed_on(message, scope):
            count = len(params.keys)
        else:
            count = 0 if params is None else len(wanted)  # the `params` of another error, say
        if count < len(wanted):
            found.append(f"{path.relative_to(ENGINE)}:{call.lineno}: {sorted(wanted)}")
    return found


@pytest.mark.parametrize(
    "folder", sorted({path.relative_to(ENGINE).parts[0] for path in ENGINE.rglob("*.py")} - {"errors.py"})
)
def test_every_message_that_names_a_value_has_params(folder: str) -> None:
    place = ENGINE / folder
    paths = [place] if place.suffix == ".py" else sorted(place.rglob("*.py"))
    assert [line for path in paths for line in lacking(path)] == []
