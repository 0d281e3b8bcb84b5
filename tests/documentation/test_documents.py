"""The documents name only commands, options and files that exist."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from pathlib import Path

import click
import pytest

from kibitz.cli import kibitz

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "deploy/RUNBOOK.md",
]
# Names in the documents that stand for files of the reader.
FILES = (
    "leaves.csv",
    "leaves.klv2",
    "game.gcg",
    "positions.cgp",
    "words.txt",
    "enable1.txt",
    "greedy_twl06.tsv",
    "FILE",
    "keys",
    "heuri.match",
    "board.txt",
    "tiles.csv",
    "game.json",
    "mine.json",
    "games.tar.gz",
    "games.zip",
    "slips.csv",
)
SETTINGS = r"(?:KIBITZ_\w+=\S+ )*"


def commands_of(document: Path) -> list[str]:
    """Return every `kibitz ...` of a document, its lines joined."""
    return commands_in(document.read_text("utf-8"))


def commands_in(text: str, indent: str = " " * 4) -> list[str]:
    """Return every `kibitz ...` of a text, in backquotes or on an indented line of its own."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)]
    lines = re.findall(rf"^{indent}({SETTINGS}kibitz .*)$", text, re.MULTILINE)
    return [command for command in spans + lines if re.match(rf"{SETTINGS}kibitz [a-z]", command)]


COMMANDS = [
    (document.name, command) for document in DOCUMENTS for command in dict.fromkeys(commands_of(document))
]


@pytest.mark.parametrize(("document", "command"), COMMANDS)
def test_a_command_in_the_documents_is_one(
    document: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands of docs/commands.md can be typed as they are; others may be a command's name alone."""
    read_command(command, tmp_path, monkeypatch, strict=document in ("README.md", "commands.md"))


def read_command(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strict: bool) -> None:
    """Let click parse a command, with options, choices and files, but do not run it.

    Unless `strict`, a command may lack its parameters.
    """
    monkeypatch.chdir(tmp_path)
    if not (tmp_path / "docs").exists():
        (tmp_path / "docs").symlink_to(ROOT / "docs")
    for name in FILES:
        (tmp_path / name).touch()
    for name in ("DIRECTORY", "annotated", "tests/golden"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "tests/golden/greedy_games.tsv").touch()
    words = [word for word in shlex.split(command, comments=True) if not word.startswith("KIBITZ_")][1:]
    context = click.Context(kibitz, **kibitz.context_settings)  # click caches the names of --help
    here: click.Command = kibitz
    while words and isinstance(here, click.Group):
        name, found, words = here.resolve_command(context, words)
        assert found is not None, command
        here, context = found, click.Context(found, parent=context, info_name=name)
    if words and words[-1] in ("...", "…"):
        words.pop()
    try:
        with (
            suppress(click.exceptions.Exit),
            here.make_context(context.info_name, words, parent=context.parent),
        ):
            pass
    except click.MissingParameter:
        if words or strict:
            raise
    except click.exceptions.NoArgsIsHelpError:
        assert not words


def test_the_documents_name_many_commands() -> None:
    assert len(COMMANDS) > 60


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_the_targets_of_links_exist(document: Path) -> None:
    text = document.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not target.startswith(("http:", "https:")):
            assert (document.parent / target).exists(), target
