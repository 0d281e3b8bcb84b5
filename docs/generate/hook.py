"""What mkdocs calls while it builds the site: it fills in the generated parts and adds pages from elsewhere.

A page marks with `<!-- commands -->` and the like where a generated part stands. The parts are generated from
the command line, the library's names, the OpenAPI document and the settings.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from inspect import isclass, isfunction
from pathlib import Path
from posixpath import dirname, relpath
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from command_line import commands_markdown, settings_markdown  # noqa: E402
from http_api import operations_markdown  # noqa: E402
from openapi import document  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ELSEWHERE = {
    "architecture.md": "ARCHITECTURE.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "runbook.md": "deploy/RUNBOOK.md",
    "word-lists.md": "lexicons/SOURCES.md",
}
"""Pages of the site that lie outside of docs/."""


BIBLIOGRAPHY = "bibliography.md"
KEYS = re.findall(r"^\| \[(\w+)\] \|", (ROOT / "docs" / BIBLIOGRAPHY).read_text("utf-8"), re.MULTILINE)
CITATION = re.compile(rf"\[({'|'.join(KEYS)})(,[^\]]*)?\](?![(\[])")
"""A key of the bibliography in brackets, with a chapter or section after it, or without."""


@cache
def commands() -> str:
    """Return the commands as Markdown."""
    from kibitz.cli import kibitz

    return commands_markdown(kibitz)


@cache
def operations() -> str:
    """Return the operations of the HTTP service as Markdown."""
    return operations_markdown(document())


@cache
def settings() -> str:
    """Return the table of the settings as Markdown."""
    from service.settings import Settings

    return settings_markdown(Settings.table())


@cache
def names() -> str:
    """Return the directives that make mkdocstrings document every public name of the library, by kind."""
    import kibitz

    public = {name: getattr(kibitz, name) for name in kibitz.__all__ if not name.startswith("_")}
    kinds = {
        "Functions": [name for name, each in public.items() if isfunction(each)],
        "Errors": [name for name, each in public.items() if isclass(each) and issubclass(each, Exception)],
    }
    others = [name for name in public if name not in kinds["Functions"] + kinds["Errors"]]
    kinds = {"Classes and types": others, **kinds}
    parts = [[f"## {kind}", *(f"::: kibitz.{name}" for name in names)] for kind, names in kinds.items()]
    return "\n\n".join(part for kind in parts for part in kind)


PARTS = {
    "<!-- commands -->": commands,
    "<!-- names -->": names,
    "<!-- operations -->": operations,
    "<!-- settings -->": settings,
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere in the repository."""
    for name, source in ELSEWHERE.items():
        text = (ROOT / source).read_text("utf-8")
        for folder in ("](docs/", "](../docs/"):
            text = text.replace(folder, "](")
        for other, path in ELSEWHERE.items():
            text = text.replace(f"]({path}", f"]({other}")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the element <kibitz-board> with a game in the place that a page marks.

    The script is part of the page, because a browser loads no module from a site that is read from disk.
    """
    from service.annotation_report import element_script

    script = element_script()
    gcg = (ROOT / "docs" / "examples" / "game.gcg").read_text("utf-8")
    return html.replace(
        '<div id="kibitz-game"></div>',
        f'<kibitz-board turn="9"><script type="text/x-gcg">{gcg}</script></kibitz-board>'
        f'<script type="module">{script}</script>',
    )


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the generated parts in the places that a page marks, and link what it cites to the bibliography."""
    for mark, part in PARTS.items():
        if mark in markdown:
            markdown = markdown.replace(mark, part())
    if page.file.src_uri == BIBLIOGRAPHY:
        return CITATION.sub(r'<span id="\1">\\[\1\\]</span>', markdown)
    for name, source in ELSEWHERE.items():
        markdown = markdown.replace(f"](../{source}", f"]({name}")
    path = relpath(BIBLIOGRAPHY, dirname(page.file.src_uri) or ".")

    def link(cited: re.Match[str]) -> str:
        return f"[\\[{cited[1]}{cited[2] or ''}\\]]({path}#{cited[1]})"

    return CITATION.sub(link, markdown)
