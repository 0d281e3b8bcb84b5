"""The documentation site builds without a warning, and holds every command, path, name and setting."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

import kibitz
from kibitz.cli import kibitz as commands
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon.catalogue import Catalogue

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(bundled: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "KIBITZ_DATA": str(bundled.data_directory), "NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stderr
    return folder


def text_of(page: Path) -> str:
    """Return what a page shows, without its tags."""
    return unescape(re.sub(r"<[^>]*>", "", page.read_text("utf-8")))


def command_paths(group: click.Group, path: str = "kibitz") -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path} {name}"
        if isinstance(command, click.Group):
            yield from command_paths(command, f"{path} {name}")


def test_every_command_is_on_its_page(site: Path) -> None:
    shown = text_of(site / "command-line.html")
    assert [path for path in command_paths(commands) if path not in shown] == []


def test_every_path_of_the_http_interface_is_on_its_page(site: Path, bundled: Catalogue) -> None:
    from service.app import create_app

    app = create_app(Settings(data=bundled.data_directory, log_level="error"))
    document = app.extensions["openapi"]
    shown = text_of(site / "http-api.html")
    operations = [f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item]
    assert len(operations) > 20
    assert [operation for operation in operations if operation not in shown] == []


def test_every_name_of_the_library_is_in_the_reference(site: Path) -> None:
    page = (site / "library-reference.html").read_text("utf-8")
    names = [name for name in kibitz.__all__ if not name.startswith("_")]
    assert [name for name in names if f'id="kibitz.{name}"' not in page] == []


def test_every_setting_is_on_the_page_of_the_operations(site: Path) -> None:
    shown = text_of(site / "operations.html")
    assert [name for name, _, _ in Settings.table() if name not in shown] == []


def test_a_reader_of_the_site_needs_no_other_server(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"?(\S+)", page.read_text("utf-8")
        )
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == [], page


def test_every_picture_is_shown_and_every_picture_shown_is_there() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    shown = {
        (page.parent / target).resolve()
        for page in pages
        for form in (r"!\[[^\]]*\]\(([^)]+)\)", r"src(?:set)?=\"([\w./-]+\.(?:svg|png))\"")
        for target in re.findall(form, page.read_text("utf-8"))
    }
    stored = {path for kind in ("svg", "png") for path in (ROOT / "docs").rglob(f"*.{kind}")}
    assert shown == stored
    assert max(path.stat().st_size for path in stored) < 200_000


def test_what_is_cited_is_in_the_bibliography() -> None:
    text = (ROOT / "docs" / "bibliography.md").read_text("utf-8")
    keys = set(re.findall(r"^\| \[(\w+)\] \|", text, re.MULTILINE))
    citation = re.compile(r"\[([A-Z]\w+), (?:chapter|section|table|figure|appendix)")
    for folder in ("engine", "lexicons", "kibitz", "service", "lab", "benchmarks", "docs"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in {".py", ".pyx", ".pxd", ".pxi", ".pyi", ".h", ".md"}:
                unknown = set(citation.findall(path.read_text("utf-8"))) - keys
                assert unknown == set(), path


def test_the_pages_that_the_sources_name_are_there() -> None:
    for folder in ("engine", "lexicons", "kibitz", "service", "lab", "benchmarks", "deploy", "tests"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in {".py", ".pyx", ".pxd", ".pxi", ".pyi", ".h", ".md"}:
                for named in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text("utf-8")):
                    assert (ROOT / named).exists(), f"{path}: {named}"
