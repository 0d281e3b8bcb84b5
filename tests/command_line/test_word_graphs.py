"""Files of other engines: `lexicon build` and `export`, `leaves import` and `export`."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.command_line.conftest import Run

WORDS = ["AB", "BAA", "CAB", "CABS", "ZA"]


@pytest.fixture
def built(run: Run, tmp_path: Path) -> dict[str, str]:
    """Build a small lexicon in a folder of its own; return the environment that finds it."""
    (tmp_path / "words.txt").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(WORDS).encode())
    environment = {"KIBITZ_DATA": str(tmp_path / "data")}
    words = str(tmp_path / "words.txt")
    done = run("lexicon", "build", "--words", words, "--tiles", "english", "--id", "few", env=environment)
    assert done.exit_code == 0, done.output
    return environment


def test_words_go_out_and_come_in(run: Run, built: dict[str, str], tmp_path: Path) -> None:
    graph, text = str(tmp_path / "few.kwg"), tmp_path / "again.txt"
    done = run("lexicon", "export", "few", graph, env=built)
    assert done.exit_code == 0, done.output
    done = run("lexicon", "build", "--words", graph, "--tiles", "english", "--id", "again", env=built)
    assert done.exit_code == 0, done.output
    assert "5 words of 5 lines (KWG)" in done.output
    done = run("lexicon", "export", "few", graph, "--json", env=built)
    assert json.loads(done.stdout) == {
        "path": graph,
        "words": 5,
        "bytes": (tmp_path / "few.kwg").stat().st_size,
    }
    assert run("lexicon", "export", "again", str(text), env=built).exit_code == 0
    assert text.read_text().split() == WORDS
    assert run("lexicon", "export", "again", "-", env=built).output.split() == WORDS
    flagged = tmp_path / "flagged"
    assert run("lexicon", "export", "again", str(flagged), "--kwg", env=built).exit_code == 0
    assert flagged.read_bytes() == (tmp_path / "few.kwg").read_bytes()


def test_a_damaged_graph_is_one_line_and_nothing_is_written(
    run: Run, built: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "few.kwg"
    run("lexicon", "export", "few", str(path), env=built)
    path.write_bytes(path.read_bytes()[:-8])
    done = run("lexicon", "build", "--words", str(path), "--tiles", "english", "--id", "cut", env=built)
    assert done.exit_code == 2
    assert "incomplete" in done.output
    assert "Traceback" not in done.output
    assert not list((tmp_path / "data").rglob("cut*"))


@pytest.mark.long
def test_leaves_go_out_and_come_in(run: Run, built: dict[str, str], tmp_path: Path) -> None:
    csv, graph = tmp_path / "some.csv", str(tmp_path / "few.klv2")
    csv.write_text("?,25\nS,8.25\nQ,-7\nER,4.5\n")
    few = ("--lexicon", "few")
    assert run("leaves", "import", str(csv), *few, env=built).exit_code == 0
    asked = ("leaves", "value", "?", "S", "Q", "ER", "EQRS", *few)
    before = run(*asked, env=built).output
    assert run("leaves", "export", graph, *few, env=built).exit_code == 0
    shutil.rmtree(tmp_path / "data" / "learned")
    done = run("leaves", "import", graph, *few, env=built)
    assert done.exit_code == 0, done.output
    count = 914_624
    assert f"{count} leaves from the file, 0 derived" in done.output
    assert run(*asked, env=built).output == before
    done = run("leaves", "import", str(csv.rename(tmp_path / "some.klv2")), *few, env=built)
    assert done.exit_code == 2
    assert "the leaves cannot be read" in done.output
