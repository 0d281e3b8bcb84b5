"""The TypeScript package in clients/typescript is fully typed, and works in Node and in a browser."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine import __version__
from tests.service.serving import running
from tests.service.test_clients import CGP, best_move, document, run  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.testing import FlaskClient
    from playwright.sync_api import Browser

    from tests.page.site import Site
    from tests.service.serving import Server

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clients" / "typescript"
NODE = ROOT / "tests" / "node"
MODULES = NODE / "node_modules"
EXAMPLE = re.compile(r"```ts\n(.*?)```", re.DOTALL)
WRONG = """
import { kibitz } from "kibitz-client";
const service = kibitz("http://127.0.0.1:8080");
await service.GET("/nowhere");
await service.POST("/analyze", { body: { cgp: "", top_n: "3" } });
const { data } = await service.GET("/lexicons");
data?.lexicons[0].name;
data?.lexicons[0]?.title;
"""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>An app</title><script type="importmap">
{"imports": {"kibitz-client": "./index.js", "openapi-fetch": "./openapi-fetch.js"}}</script>
<script type="module" src="./example.js"></script></html>"""

pytestmark = pytest.mark.client


@pytest.fixture(scope="module")
def service(data: Path) -> Iterator[Server]:
    with running(data, KIBITZ_LOG_LEVEL="error", KIBITZ_CORS_ORIGINS="*") as server:
        yield server


@pytest.fixture
def package(document: Path, tmp_path: Path, service: Server) -> Path:  # noqa: F811 - a fixture
    """The package with its types and, as a module of it, the example of its README."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed; `make test` installs it")
    if not up_to_date(MODULES):
        run(npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", folder=NODE)
    folder = tmp_path / "package"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("node_modules", "dist", "api.ts"))
    (folder / "node_modules").symlink_to(MODULES)
    run(MODULES / ".bin" / "openapi-typescript", document, "--output", "src/api.ts", folder=folder)
    [example] = EXAMPLE.findall((folder / "README.md").read_text("utf-8"))
    example = re.sub(r'"http://[^"]+"', f'"http://127.0.0.1:{service.port}"', example)
    example = re.sub(r'const cgp = ".*?"', f'const cgp = "{CGP}"', example)
    (folder / "src" / "example.ts").write_text(example)
    return folder


def up_to_date(modules: Path) -> bool:
    """Return whether the packages of package-lock.json are installed."""
    installed = modules / ".package-lock.json"
    return installed.exists() and installed.stat().st_mtime >= (NODE / "package-lock.json").stat().st_mtime


def compile_package(folder: Path) -> None:
    run(MODULES / ".bin" / "tsc", "--project", ".", folder=folder)


def test_a_typescript_client_is_typed_and_works(client: FlaskClient, package: Path) -> None:
    types = (package / "src" / "api.ts").read_text()
    types = re.sub(r"/\*.*?\*/", "", types, flags=re.DOTALL)
    types = types.replace("[name: string]: unknown;", "")  # other headers of an answer
    assert not re.findall(r".*\b(?:unknown|any)\b.*", types)
    compile_package(package)
    assert run("node", "dist/example.js", folder=package) == best_move(client)


def test_what_the_service_does_not_have_is_an_error_of_the_compiler(package: Path) -> None:
    (package / "src" / "wrong.ts").write_text(WRONG)
    with pytest.raises(AssertionError) as failed:
        compile_package(package)
    lines = {int(line) for line in re.findall(r"src/wrong\.ts\((\d+),", str(failed.value))}
    assert lines == {4, 5, 7, 8}


def test_it_works_in_a_browser(client: FlaskClient, package: Path, browser: Browser, site: Site) -> None:
    compile_package(package)
    for name in ("index.js", "example.js"):
        site.write(name, (package / "dist" / name).read_bytes())
    site.write("openapi-fetch.js", (MODULES / "openapi-fetch" / "dist" / "index.mjs").read_bytes())
    page = browser.new_page()
    with page.expect_console_message(lambda said: said.type == "log") as said:
        page.goto(site.write("app.html", PAGE))
    assert f"{said.value.text}\n" == best_move(client)
    page.close()


def test_it_has_the_version_and_the_packages_that_are_tested() -> None:
    package = json.loads((PACKAGE / "package.json").read_text())
    tested = json.loads((NODE / "package.json").read_text())["devDependencies"]
    assert package["version"] == __version__
    assert package["dependencies"].items() <= tested.items()
