"""--json: which commands have it, and errors as problem objects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
import pytest

from kibitz.cli import kibitz

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.command_line.conftest import Run

WITH_FORMAT = {"lexicon diff", "lexicon word-lists"}
"""They choose JSON among other formats, with --format."""

WITHOUT = {"lexicon fetch", "lexicon generate"}
"""They print a word list, or what a build says in words."""


def commands(name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of a group with their names, or the command itself."""
    context = click.Context(kibitz)
    command = kibitz.get_command(context, name)
    assert command is not None
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            assert found is not None
            yield f"{name} {sub}", found
    else:
        yield name, command


@pytest.mark.parametrize(
    "name", ["report", "duplicate", "match", "perft", "lexicon", "leaves", "bench", "quiz"]
)
def test_commands_that_report_print_json(name: str) -> None:
    lacking = {
        called for called, command in commands(name)
        if not any("--json" in parameter.opts for parameter in command.params)
    }  # fmt: skip
    assert lacking <= WITH_FORMAT | WITHOUT


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["analyze", "nonsense", "--json"], "bad_cgp"),
        (["judge", "qi", "--lexicon", "klingon", "--json"], "unknown_lexicon"),
        (["match", "--json"], "bad_usage"),
        (["lexicon", "list", "--jsno", "--json"], "bad_usage"),
        (["report", "nowhere", "--json"], "bad_usage"),
        (["annotate", "{file}", "--json"], "empty_record"),
        (["lexicon", "verify", "klingon", "--json"], "unknown_lexicon"),
    ],
)
def test_an_error_is_the_problem_object_of_the_api(
    run: Run, tmp_path: Path, arguments: list[str], code: str
) -> None:
    file = tmp_path / "game.gcg"
    file.write_bytes(b"")
    done = run(*[argument.format(file=file) for argument in arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    problem = json.loads(done.stderr)
    assert problem["code"] == code
    assert list(problem) == ["type", "title", "status", "code", "params", "detail", "errors", "request_id"]
    without = run(*[argument.format(file=file) for argument in arguments if argument != "--json"])
    assert "{" not in without.stderr


def test_a_setting_that_is_wrong_is_a_problem_too(run: Run) -> None:
    done = run("lexicon", "list", "--json", env={"KIBITZ_PORT": "many"})
    assert (done.exit_code, json.loads(done.stderr)["code"]) == (2, "bad_settings")


def test_reports_of_lexicons_and_leaves_as_json(run: Run, tmp_path: Path) -> None:
    (verified,) = json.loads(run("lexicon", "verify", "scowl80", "--json").stdout)
    assert verified["id"] == "scowl80"
    rows = json.loads(run("leaves", "value", "S", "ER", "--json").stdout)
    assert [row["leave"] for row in rows] == ["S", "ER"]
    (tmp_path / "list.cgp").write_text("nonsense\n")
    done = run("perft", str(tmp_path / "list.cgp"), "--json")
    assert "list.cgp:1: a CGP has four fields" in json.loads(done.stderr)["detail"]


def test_a_lexicon_is_built_with_a_report_as_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("cab\ncab\nz4\n")
    arguments = ["--words", str(tmp_path / "words.txt"), "--tiles", "english", "--id", "own", "--json"]
    built = json.loads(run("lexicon", "build", *arguments, env={"KIBITZ_DATA": str(tmp_path)}).stdout)
    assert (built["id"], built["word_count"], built["report"]["duplicates"]) == ("own", 1, 1)


def test_the_version_has_a_short_option(run: Run) -> None:
    assert run("-V").stdout == run("--version").stdout
    assert run("-V").stdout.startswith("kibitz ")
