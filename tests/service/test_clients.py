"""A Python client generated from the OpenAPI document is fully typed, and works."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.resources.examples import GAMES
from tests.service.serving import running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.testing import FlaskClient

HERE = Path(__file__).parent / "clients"
CGP = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/14 0"
GCG = GAMES["game"]["value"]["gcg"]

pytestmark = pytest.mark.client


@pytest.fixture
def document(client: FlaskClient, tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(client.get("/openapi.json").data)
    return path


@pytest.fixture(scope="module")
def address(data: Path) -> Iterator[str]:
    with running(data, KIBITZ_LOG_LEVEL="error") as server:
        yield f"http://127.0.0.1:{server.port}"


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def best_move(client: FlaskClient) -> str:
    best = client.post("/analyze", json={"cgp": CGP, "top_n": 1}).get_json()["moves"][0]
    return f"{best['move']} {best['score']}\n"


def test_a_python_client_is_typed_and_works(
    client: FlaskClient, document: Path, tmp_path: Path, address: str
) -> None:
    programs = Path(sys.executable).parent
    output = run(
        programs / "openapi-python-client", "generate", "--path", document, "--meta", "none",
        "--config", HERE / "openapi-python-client.yml", "--output-path", tmp_path / "kibitz_client",
        folder=tmp_path,
    )  # fmt: skip
    # A record as text, and lines of JSON, are other ways to say what the typed bodies say.
    problems = re.findall(r"(?:Unsupported|Cannot|Could not) .*", output)
    assert problems == [
        "Unsupported content type text/plain",
        "Unsupported content type application/x-ndjson",
    ]
    annotations = list(untyped(tmp_path / "kibitz_client"))
    assert annotations == []

    shutil.copy(HERE / "analyze.py", tmp_path)
    run(programs / "mypy", "--strict", "analyze.py", "kibitz_client", folder=tmp_path)
    assert run(sys.executable, "analyze.py", f"{address}/v1", CGP, GCG, folder=tmp_path) == best_move(client)


def untyped(package: Path) -> Iterator[str]:
    """Yield what is not typed: fields of models, and what operations take and return."""
    for path in package.glob("models/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            fields = node.body if isinstance(node, ast.ClassDef) else []
            for field in fields:
                if isinstance(field, ast.AnnAssign) and is_untyped(field.annotation):
                    yield f"{path.name}: {ast.unparse(field)}"
    for path in package.glob("api/*/*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                assert node.returns
                if is_untyped(node.returns) or is_untyped(node.args):
                    yield f"{path.name}: {node.name}"


def is_untyped(annotation: ast.AST) -> bool:
    return re.search(r"\b(Any|object)\b", ast.unparse(annotation)) is not None
