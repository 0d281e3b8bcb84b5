"""All but the engine and lexicons use only public names and documented extension points of other packages."""

from __future__ import annotations

import ast
import builtins
import inspect
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
CHECKED = [
    path
    for part in ("kibitz", "service", "lab", "benchmarks")
    for path in sorted((ROOT / part).rglob("*.py"))
]
OWN: Final = frozenset({"service", "lab", "benchmarks", "engine", "kibitz", "lexicons"})

EXTENSION_POINTS: Final = frozenset(
    {
        "builtins.Exception",
        "builtins.str",
        "click.ClickException",
        "click.Group",
        "click.ParamType",
        "distributed.WorkerPlugin",
        "enum.Enum",
        "enum.StrEnum",
        "flask.Flask",
        "flask.json.provider.JSONProvider",
        "flask.views.MethodView",
        "flask_smorest.Blueprint",
        "gunicorn.glogging.Logger",
        "gunicorn.workers.gthread.ThreadWorker",
        "io.RawIOBase",
        "logging.Formatter",
        "logging.Handler",
        "marshmallow.Schema",
        "rq.Queue",
        "rq.job.Job",
        "typing.Generic",
        "typing.NamedTuple",
        "typing.Protocol",
        "typing.TypedDict",
        "webargs.flaskparser.FlaskParser",
        "werkzeug.exceptions.HTTPException",
        "werkzeug.serving.WSGIRequestHandler",
    }
)
"""The classes of other packages that may be subclassed, as their documentation says."""

EXTENSION_MODULES: Final = ("marshmallow.fields.", "marshmallow.validate.")
"""Modules whose classes are all extension points."""

# Public names with an underscore: methods of NamedTuple, two that marshmallow fields override, and os._exit.
DOCUMENTED: Final = frozenset(
    {"_asdict", "_fields", "_make", "_replace", "_deserialize", "_serialize", "_exit"}
)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_" and name not in DOCUMENTED


class Imports(ast.NodeVisitor):
    """Collect the full names of what a module imports."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            self.names[alias.asname or top] = alias.name if alias.asname else top

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.names[alias.asname or alias.name] = f"{node.module}.{alias.name}"


def dotted(node: ast.expr, names: dict[str, str], local: set[str]) -> str | None:
    """Return the full name of a base class; None for one of the module itself."""
    if isinstance(node, ast.Subscript):  # Generic[Result]
        return dotted(node.value, names, local)
    if isinstance(node, ast.Attribute):
        before = dotted(node.value, names, local)
        return None if before is None else f"{before}.{node.attr}"
    if not isinstance(node, ast.Name):
        return ast.unparse(node)
    if node.id in local:
        return None
    return names.get(node.id, f"builtins.{node.id}" if hasattr(builtins, node.id) else node.id)


def faults(source: str) -> Iterator[str]:
    """Yield a line for each private name of another package, and for each subclass of an internal class."""
    tree = ast.parse(source)
    imports = Imports()
    imports.visit(tree)
    local = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import_faults(node)
        elif isinstance(node, ast.Attribute) and is_private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                yield f"{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("getattr", "setattr", "hasattr", "delattr") and len(node.args) > 1:
                name = node.args[1]
                if isinstance(name, ast.Constant) and is_private(str(name.value)):
                    yield f"{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.ClassDef):
            for base in node.bases:
                full = dotted(base, imports.names, local)
                if full is None or full.partition(".")[0] in OWN or full in EXTENSION_POINTS:
                    continue
                if not full.startswith(EXTENSION_MODULES):
                    yield f"{node.lineno}: class {node.name} of {full}"


def _import_faults(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    modules = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        modules = [f"{node.module}.{name}" for name in modules]
    for module in modules:
        if module.partition(".")[0] not in OWN and any(map(is_private, module.split("."))):
            yield f"{node.lineno}: import of {module}"


@pytest.mark.parametrize("path", CHECKED, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_public_names_are_used(path: Path) -> None:
    assert list(faults(path.read_text("utf-8"))) == []


def test_no_private_method_is_overridden() -> None:
    """A subclass must not override a private method."""
    for path in CHECKED:
        module = import_module(
            ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        )
        for name, found in inspect.getmembers(module, inspect.isclass):
            foreign = [base for base in found.__mro__ if base.__module__.partition(".")[0] not in OWN]
            if found in foreign or found.__module__ != module.__name__:
                continue
            methods = {inner for inner, value in vars(found).items() if inspect.isfunction(value)}
            for base in foreign:
                assert not [inner for inner in methods & set(vars(base)) if is_private(inner)], name


@pytest.mark.parametrize(
    "source",
    [
        "import flask\nflask.current_app._get_current_object()",
        "from prometheus_client import values\nvalues.ValueClass._lock",
        "def f(other): return other._cache",
        "import rq._worker",
        "from redis._parsers import Encoder",
        "from redis.connection import _HIREDIS",
        "getattr(app, '_got_first_request')",
        "setattr(app, '_x', 1)",
        "from gunicorn.arbiter import Arbiter\nclass Own(Arbiter): pass",
        "from gunicorn.workers import gthread\nclass Own(gthread.TConn): pass",
        "import flask\nclass Context(flask.ctx.AppContext): pass",
        "from limits.storage import Storage\nclass Own(Storage): pass",
        "from rq import Worker as Base\nclass Own(Base): pass",
        "import threading\nclass Own(threading.Thread): pass",
    ],
)
def test_private_uses_are_found(source: str) -> None:
    assert list(faults(source))


@pytest.mark.parametrize(
    "source",
    [
        "class A:\n    def f(self): return self._x, type(self).__name__, self.__dict__",
        "import marshmallow as ma\nclass A(ma.Schema): pass\nclass B(ma.fields.Integer): pass",
        "from service.keys import _network",
        "class A(Exception): pass\nclass B(A): pass",
        "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass A(Generic[T]): pass",
        "caller._replace(name='x')",
        "from __future__ import annotations\nfor _ in range(3): pass",
    ],
)
def test_public_uses_are_not(source: str) -> None:
    assert list(faults(source)) == []
