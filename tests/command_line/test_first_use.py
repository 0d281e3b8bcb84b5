"""Wherever a command takes a lexicon, it builds the tables of a bundled one, and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from engine import Catalogue
from kibitz.cli import kibitz
from tests.lexicon.test_catalogue import shelf

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["shelf"]  # a fixture: a folder of bundled lexicons with the tiny one "tiny"

POSITION = f"{'/'.join(['15'] * 15)} CABSXYZ/ 0/0 0"
COMMANDS = {
    "analyze": ["analyze", POSITION, "--lexicon", "tiny"],
    "analyze_cgp": ["analyze", f"{POSITION} lex tiny;"],
    "annotate": ["annotate", "RECORD", "--lexicon", "tiny"],
    "batch": ["batch", "FOLDER", "--output", "FOLDER/annotated", "--lexicon", "tiny"],
    "board": ["board", POSITION, "--lexicon", "tiny"],
    "hint": ["hint", POSITION, "--lexicon", "tiny"],
    "judge": ["judge", "cab", "--lexicon", "tiny"],
    "match": ["match", "greedy", "greedy", "--games", "2", "--lexicon", "tiny"],
    "perft": ["perft", "RECORD", "--lexicon", "tiny"],
    "play": ["play", "--lexicon", "tiny"],
    "search": ["search", "C..", "--lexicon", "tiny"],
    "leaves": ["leaves", "export", "FOLDER/leaves.csv", "--lexicon", "tiny"],
    "train": ["train", "winpct", "--games", "2", "--lexicon", "tiny"],
    "diff": ["lexicon", "diff", "tiny", "tiny"],
    "report": ["lexicon", "report", "tiny"],
    "word-lists": ["lexicon", "word-lists", "tiny"],
    "default": ["search", "C.."],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_use_builds_and_says_so(
    name: str, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Catalogue.__init__.__kwdefaults__, "bundled", shelf)
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    if name == "default":
        monkeypatch.setenv("KIBITZ_LEXICON", "tiny")
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "game.gcg").write_text("#player1 A A\n#player2 B B\n>A: ABCDEFG 8H CAB +14 14\n")
    places = {"RECORD": str(folder / "game.gcg"), "FOLDER": str(folder)}
    arguments = [places.get(word, word.replace("FOLDER", str(folder))) for word in COMMANDS[name]]
    result = CliRunner().invoke(kibitz, arguments, input="quit\n")
    assert result.stderr.startswith("Building the tables of tiny\n"), result.output
    assert result.stderr.count("Building") == 1
    assert Catalogue(tmp_path / "data").open("tiny").word_count == 4
    again = CliRunner().invoke(kibitz, arguments, input="quit\n")
    assert "Building" not in again.stderr
