"""Text from a file never controls the terminal: control characters and markup are shown as they are."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kibitz.cli import kibitz

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue
    from tests.command_line.conftest import Run

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
RED = "\x07\x1b[31m"
"""With a bell, for click takes mere colors away where there is no terminal."""
RECORD = (
    f"#player1 an{RED}n [bold]Ann[/bold]{RED} Ek\n"
    "#player2 b\u202eo [red]Bo\x9b31m\x7f \u202eLi\n"
    f"#title A {RED}title\x07 of [link=http://x.example]two[/link]\u2066\n"
    f"#lexicon CSW21{RED}\n"
    f"#description a {RED}description\n"
    f">an{RED}n: AEITWXY 8E WAXY +34 34\n"
    f"#note one {RED}[blink]line\x9d\n"
    "second \u202eline\n"
    ">b\u202eo: DEEFINO G7 D.FO +11 11\n"
    f">an{RED}n: {RED}AB 1A {RED}NO +1 35\n"
    f">nobody{RED}: ABC 1A NO +1 35\n"
    f"stray {RED}text\n"
)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    path = folder / f"game{RED}[red].gcg"
    path.write_text(RECORD, encoding="utf-8")
    return path


COMMANDS = {
    "check": ("record", "check", "GAME"),
    "check as JSON": ("record", "check", "GAME", "--json"),
    "show": ("record", "show", "GAME"),
    "show a turn with notes": ("record", "show", "GAME", "--turn", "2", "--notes"),
    "show as JSON": ("record", "show", "GAME", "--json"),
    "convert": ("record", "convert", "GAME", "--to", "cgp"),
    "annotate": ("annotate", "GAME"),
    "annotate as JSON": ("annotate", "GAME", "--json"),
    "annotate as page": ("annotate", "GAME", "--html"),
    "batch": ("batch", "FOLDER", "--output", "OUTPUT"),
    "batch as JSON": ("batch", "FOLDER", "--output", "OUTPUT", "--json"),
    "refused": ("annotate", "EMPTY"),
    "no record": ("record", "show", "EMPTY"),
    "perft": ("perft", "GAME"),
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS.keys())
def test_no_control_character_is_sent(
    run: Run, game: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    empty = game.with_name(f"empty{RED}.gcg")
    empty.write_text("")
    places = {
        "GAME": str(game),
        "EMPTY": str(empty),
        "FOLDER": str(game.parent),
        "OUTPUT": str(tmp_path / "out"),
    }
    done = run(*[places.get(word, word) for word in arguments])
    assert not isinstance(done.exception, Exception), done.exception
    assert not CONTROLS.findall(done.output)
    assert "\\x07\\x1b[31m" in done.output or "\\u0007\\u001b[31m" in done.output


@pytest.mark.parametrize("arguments", [("record", "show", "--notes"), ("annotate",)])
def test_names_are_no_markup(run: Run, game: Path, arguments: tuple[str, ...]) -> None:
    shown = " ".join(run(*arguments, str(game)).stdout.split())
    assert "A \\x07\\x1b[31mtitle\\x07 of [link=http://x.example]two[/link]\\u2066" in shown
    assert "an\\x07\\x1b[31mn" in shown
    assert "b\\u202eo" in shown
    if "--notes" in arguments:
        assert "one \\x07\\x1b[31m[blink]line\\x9d" in shown
    untitled = "".join(line for line in RECORD.splitlines(keepends=True) if not line.startswith("#title"))
    game.write_text(untitled, encoding="utf-8")
    shown = run(*arguments, str(game)).stdout
    assert "[bold]Ann[/bold]\\x07\\x1b[31m Ek - [red]Bo\\x9b31m\\x7f \\u202eLi" in shown


def test_json_has_the_same_values(run: Run, game: Path) -> None:
    shown = json.loads(run("record", "show", str(game), "--json").stdout)
    assert shown["players"][1] == {"nick": "b\u202eo", "name": "[red]Bo\x9b31m\x7f \u202eLi"}
    heading = json.loads(run("annotate", str(game), "--json").stdout.splitlines()[0])
    assert heading["title"] == f"A {RED}title\x07 of [link=http://x.example]two[/link]\u2066"


@pytest.mark.process
@pytest.mark.parametrize("arguments", [("record", "convert", "--to", "gcg"), ("annotate", "--gcg")])
def test_a_record_is_written_as_it_is_but_not_to_a_terminal(
    run: Run, bundled: Catalogue, game: Path, arguments: tuple[str, ...]
) -> None:
    assert f"#title A {RED}title" in run(*arguments, str(game)).stdout
    shown = on_terminal(bundled, *arguments, str(game))
    assert not CONTROLS.findall(shown)
    assert "#title A \\x07\\x1b[31mtitle" in shown
    assert "\n#note one \\x07\\x1b[31m[blink]line\\x9d\nsecond \\u202eline\n" in shown


def test_the_name_of_a_lexicon(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(f"cab\nscab\nab\nbad{RED}\n")
    words = ("--words", str(tmp_path / "words.txt"), "--tiles", "english", "--name", f"My [b]{RED}words")
    environment = {"KIBITZ_DATA": str(tmp_path)}
    for arguments in (
        ("build", *words, "--id", "mine"),
        ("list",),
        ("report", "mine"),
        ("report", "mine", "--json"),
    ):
        done = CliRunner().invoke(kibitz, ["lexicon", *arguments], env=environment)
        assert done.exit_code == 0, done.output
        assert not CONTROLS.findall(done.output)
        if arguments[-1] in ("list", "mine"):
            assert ("My [b]\\x07\\x1b[31mwords" in done.output) == (arguments[0] != "build")


def on_terminal(bundled: Catalogue, *arguments: str) -> str:
    """Return what a command writes to a terminal, with plain line ends."""
    master, slave = os.openpty()
    done = subprocess.Popen(
        [sys.executable, "-c", "from kibitz.cli import main; main()", *arguments],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "KIBITZ_DATA": str(bundled.data_directory)},
        stdout=slave,
        stderr=subprocess.DEVNULL,
    )
    os.close(slave)
    written = b""
    try:
        while chunk := os.read(master, 1 << 16):
            written += chunk
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(master)
    assert done.wait() == 0
    return written.decode().replace("\r\n", "\n")
