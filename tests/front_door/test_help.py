"""Every command's help: an example that can be typed, a meaning for each option, and the same exit codes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from inspect import cleandoc
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from kibitz.cli import EXIT_INTERRUPTED, kibitz
from tests.documentation.test_documents import commands_in, read_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield every command that is not a group, with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


COMMANDS = dict(commands(kibitz))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_and_gives_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = COMMANDS[name]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert (parameter.help or "").strip().endswith((".", "]")), f"{name} {parameter.opts}"
    examples = [
        example
        for example in commands_in(cleandoc(command.help or ""), indent="")
        if f"kibitz {name}" in example
    ]
    assert examples, f"the help of kibitz {name} has no example"
    for example in examples:
        typed, *_ = re.split(r" {3,}| [<>] | \| ", example)  # an explanation, or a file or pipe
        read_command(typed, tmp_path, monkeypatch, strict=True)


def test_every_command_is_tested() -> None:
    assert {"analyze", "lexicon build", "bench movegen", "leaves import"} <= set(COMMANDS)


def test_a_file_that_cannot_be_written_is_refused_like_any_wrong_input(tmp_path: Path) -> None:
    cgp = "15/15/15/15/15/15/15/7CARE4/15/15/15/15/15/15/15 / 0/0 0"
    done = CliRunner().invoke(kibitz, ["board", cgp, "--svg", str(tmp_path / "none" / "board.svg")])
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: ")


@pytest.mark.process
def test_ctrl_c_ends_a_command_with_its_code_and_no_traceback() -> None:
    code = (
        "import click, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & would have it ignored\n"
        "from kibitz.cli import kibitz, signature\n"
        "signature.signature_command.callback = lambda: os.kill(os.getpid(), signal.SIGINT)\n"
        "kibitz(['signature'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert (done.returncode, done.stderr) == (EXIT_INTERRUPTED, "\n")
    assert signal.SIGINT + 128 == EXIT_INTERRUPTED
