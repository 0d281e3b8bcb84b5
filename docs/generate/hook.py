"""What mkdocs calls while it builds the site: it fills in the generated parts and adds pages from elsewhere.

A page marks with `<!-- commands -->`, `<!-- operations -->` or `<!-- settings -->` where a generated part
stands. The parts are made of the command line, the OpenAPI document and the settings themselves.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from command_line import commands_markdown, settings_markdown  # noqa: E402
from http_api import operations_markdown  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ELSEWHERE = {
    "architecture.md": "ARCHITECTURE.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "runbook.md": "deploy/RUNBOOK.md",
}
"""Pages of the site that lie outside of docs/."""


@cache
def commands() -> str:
    """Return the commands as Markdown."""
    from service.cli import kibitz

    return commands_markdown(kibitz)


@cache
def operations() -> str:
    """Return the operations of the HTTP service as Markdown."""
    from service.app import create_app
    from service.settings import Settings

    app = create_app(Settings.from_environment(log_level="error"))
    return operations_markdown(app.extensions["openapi"])


@cache
def settings() -> str:
    """Return the table of the settings as Markdown."""
    from service.settings import Settings

    return settings_markdown(Settings.table())


PARTS = {"<!-- commands -->": commands, "<!-- operations -->": operations, "<!-- settings -->": settings}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere in the repository."""
    for name, source in ELSEWHERE.items():
        text = (ROOT / source).read_text("utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the generated parts in the places that a page marks."""
    for mark, part in PARTS.items():
        if mark in markdown:
            markdown = markdown.replace(mark, part())
    return markdown
