"""`kibitz` and `kibitz lexicon`: what they print, and one clear line for every mistake."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from engine import __version__
from kibitz.cli import COMMANDS, kibitz

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Catalogue


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    return Runner()


class Runner:
    """Run a command line and return its result."""

    def __call__(self, *arguments: object) -> Result:
        return CliRunner().invoke(kibitz, [str(argument) for argument in arguments])

    def ok(self, *arguments: object) -> str:
        result = self(*arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    def refused(self, *arguments: object) -> str:
        """Run a command that must be refused, with exit code 2 and no traceback; return the error."""
        result = self(*arguments)
        assert result.exit_code == 2, result.output
        assert isinstance(result.exception, SystemExit)
        last = result.stderr.splitlines()[-1]
        assert last.startswith("Error: ")
        return last


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("cab\nscab\nab\nab\nAB\nx\nrock'n'roll\nbad1\n")
    return path


def test_version(run: Runner) -> None:
    assert run.ok("--version") == f"kibitz {__version__}\n"


def test_help_names_every_command(run: Runner) -> None:
    text = run.ok("--help")
    for name in COMMANDS:
        assert f"\n  {name} " in text
        assert run.ok(name, "--help")
    assert run("-h").stdout == text


@pytest.mark.parametrize(
    ("typed", "suggestion"),
    [
        (("anlyze",), "No such command 'anlyze'. Did you mean 'analyze'?"),
        (("lexicon", "biuld"), "No such command 'biuld'. Did you mean 'build'?"),
        (("analyze", "--simulat"), "No such option '--simulat'. Did you mean '--simulate'?"),
        (("xyzzy",), "No such command 'xyzzy'."),
    ],
)
def test_an_unknown_name_suggests_the_nearest(run: Runner, typed: tuple[str, ...], suggestion: str) -> None:
    assert run.refused(*typed) == f"Error: {suggestion}"


@pytest.mark.parametrize("group", ["", "lexicon", "leaves", "record", "train", "bench", "experiment"])
def test_the_list_of_commands_shows_whole_sentences(run: Runner, group: str) -> None:
    text = run.ok(*group.split(), "--help")
    summaries = re.split(r"\n  (?=\S)", text[text.index("\nCommands:") :])[1:]
    assert summaries
    for summary in summaries:
        assert re.search(r"[^.]\.\s*$", summary), f"cut: {summary}"


@pytest.mark.process
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_of_the_shell(run: Runner, shell: str) -> None:
    script = run.ok("completion", shell)
    assert "_KIBITZ_COMPLETE" in script
    assert f"{shell}_complete" in script


@pytest.mark.process
def test_completion_completes_commands_and_options() -> None:
    found = subprocess.run(
        [sys.executable, "-c", "from kibitz.cli import main; main()"],
        env={
            **os.environ,
            "_KIBITZ_COMPLETE": "bash_complete",
            "COMP_WORDS": "kibitz ana",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == ["plain,analyze"]


@pytest.mark.process
def test_the_installed_command_starts() -> None:
    code = "import sys, kibitz.cli; print(*[n for n in sys.modules if n in ('numpy', 'engine', 'flask')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "", "the command group must not load what only some commands need"


WITHOUT_EXTRAS = """
import sys
for name in ("flask", "werkzeug", "flask_smorest", "flask_cors", "flask_compress", "webargs",
             "gunicorn", "redis", "rq", "structlog", "cachetools", "prometheus_client", "benchmarks", "lab"):
    sys.modules[name] = None
from kibitz.cli import COMMANDS, FROM_CHECKOUT, kibitz, main
for name in COMMANDS:
    if name not in FROM_CHECKOUT: kibitz.get_command(None, name)
main()
"""


@pytest.mark.process
def test_a_plain_installation_runs_every_command_but_those_of_the_service(run: Runner) -> None:
    def alone(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", WITHOUT_EXTRAS, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    for arguments in (("serve",), ("engine",), ("worker",), ("key", "ann")):
        refused = alone(*arguments)
        assert refused.returncode == 2
        assert refused.stderr.startswith("Error: the service is not installed; run: ")
        assert refused.stderr.endswith(" -m pip install 'kibitz[service]'\n")
    document = json.loads(alone("analyze", "--json").stderr)
    assert document["code"] == "bad_usage"


def test_build_list_verify_report(run: Runner, words: Path, tmp_path: Path) -> None:
    built = run.ok(
        "lexicon", "build", "--words", words, "--tiles", "english", "--id", "Mine", "--name", "My [b]words"
    )
    assert built.startswith("mine: 3 words of 8 lines (utf-8)")
    assert "2 duplicates" in built
    assert "1 too short" in built
    assert "1 unplayable: no tile for '\"'" not in built
    assert "line 7: 'rock'n'roll': no tile for '''" in built
    assert "line 8: 'bad1': no tile for '1'" in built
    listed = run.ok("lexicon", "list")
    assert "scowl80" in listed
    assert "not built" in listed
    assert "My [b]words" in listed
    entries = {entry["id"]: entry for entry in json.loads(run.ok("lexicon", "list", "--json"))}
    assert entries["mine"]["built"]
    assert entries["mine"]["word_count"] == 3
    assert entries["scowl80"]["bundled"]
    assert "all bytes are correct" in run.ok("lexicon", "verify")
    report = json.loads(run.ok("lexicon", "report", "MINE", "--json"))
    assert report["words_by_length"] == {"2": 1, "3": 1, "4": 1}
    # AB: A, B; CAB: C, A, B, AB; SCAB: S, C, A, B, AB, CAB
    assert (report["placed_occurrences"], report["internal_words"]) == (12, 6)
    assert report["occurrences_by_length"] == {"1": 9, "2": 2, "3": 1, "4": 0}
    assert report["id_ranges"]["other words"] == [29, 29]
    shown = run.ok("lexicon", "report", "mine")
    assert "distinct placed internal words" in shown
    assert "of length 4 and more" in shown
    assert "Ids in the thesis's numbering" in shown
    assert "100.0 %" in shown


def test_tables_added_later_are_named(run: Runner, words: Path) -> None:
    run.ok("lexicon", "build", "--words", words, "--tiles", "english", "--id", "mine")
    printed = run.ok("lexicon", "build", "mine", "--bingos")
    assert printed.startswith("mine: with the bingo tables, ")


def test_one_flipped_byte_is_refused_with_the_remedy(run: Runner, words: Path, tmp_path: Path) -> None:
    run.ok("lexicon", "build", "--words", words, "--tiles", "english", "--id", "mine")
    path = tmp_path / "data" / "tables" / "mine.kibitz"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.chmod(0o644)
    path.write_bytes(data)
    for arguments in (("lexicon", "verify"), ("lexicon", "verify", "mine")):
        message = run.refused(*arguments)
        assert "checksum of section" in message
        assert "run: kibitz lexicon build mine" in message
    run.ok("lexicon", "build", "mine", "--words", words, "--tiles", "english")
    run.ok("lexicon", "verify")


@pytest.mark.long
def test_the_bundled_lexicon(bundled: Catalogue, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(bundled.data_directory))
    before = bundled.table_path("scowl80").stat().st_mtime_ns
    assert run.ok("lexicon", "build", "scowl80", "--if-missing") == ""
    assert bundled.table_path("scowl80").stat().st_mtime_ns == before
    report = json.loads(run.ok("lexicon", "report", "scowl80", "--json"))
    assert report["word_count"] == sum(report["words_by_length"].values()) == 247_763
    assert report["licence"]


def test_word_lists_of_other_shapes(run: Runner, tmp_path: Path) -> None:
    czech = tmp_path / "cz.txt.gz"
    czech.write_bytes(gzip.compress("kůň\nžluťoučký\n".encode("cp1250")))
    built = run.ok(
        "lexicon", "build", "--words", czech, "--tiles", "czech", "--id", "cz", "--encoding", "cp1250"
    )
    assert built.startswith("cz: 2 words of 2 lines (cp1250)")
    tiles = tmp_path / "tiny.csv"
    tiles.write_text("letter,count,value,is_vowel\n?,2,0,0\nA,5,1,1\nB,5,3,0\n")
    path = tmp_path / "ab.txt"
    path.write_text("ab\nba\nabc\n")
    assert "2 words of 3 lines" in run.ok("lexicon", "build", "--words", path, "--tiles", tiles, "--id", "ab")
    assert run.ok("lexicon", "build", "--words", path, "--tiles", "english", "--id", "w", "--wide")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("build",), "give the ID of a bundled lexicon"),
        (
            ("build", "nope"),
            "'nope' is not bundled with kibitz (bundled: club, danish, dutch, french, polish, ",
        ),
        (("build", "scowl80", "--tiles", "english"), "--tiles needs --words FILE"),
        (("build", "--words", "WORDS", "--id", "x"), "--words needs --tiles SET, one of: catalan, czech"),
        (("build", "--words", "WORDS", "--tiles", "klingon", "--id", "x"), "there is no tile set 'klingon'"),
        (
            ("build", "--words", "WORDS", "--tiles", "no.csv", "--id", "x"),
            "no.csv: No such file or directory",
        ),
        (("build", "--words", "WORDS", "--tiles", "english", "--id", "../x"), "is not a lexicon id"),
        (("build", "--words", "WORDS", "--tiles", "english", "--id", "scowl80"), "is bundled with kibitz"),
        (("build", "--words", "WORDS", "--tiles", "english", "--id", "x", "y"), "give one id"),
        (
            ("build", "--words", "/nowhere", "--tiles", "english", "--id", "x"),
            "cannot read the word list /nowhere",
        ),
        (
            ("build", "--words", "WORDS", "--tiles", "english", "--id", "x", "--encoding", "q"),
            "no text encoding 'q'",
        ),
        (("report", "nope"), "there is no lexicon 'nope'; known: club, danish, "),
        (("verify", "scowl80"), "run: kibitz lexicon build scowl80"),
        (("verify", "nope"), "there is no lexicon 'nope'"),
    ],
)
def test_mistakes(run: Runner, words: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in run.refused("lexicon", *(words if word == "WORDS" else word for word in arguments))


def test_an_unknown_setting_is_an_error(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATTA", "x")
    message = run.refused("lexicon", "list")
    assert message.endswith("KIBITZ_DATTA is not a setting of kibitz; did you mean KIBITZ_DATA?")


def test_an_unknown_setting_suggests_only_what_is_near(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_FOO", "x")
    message = run.refused("lexicon", "list")
    assert message.endswith("KIBITZ_FOO is not a setting of kibitz; kibitz serve --help lists the settings")


def test_a_data_folder_that_cannot_be_made(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "file"))
    assert "Not a directory" in run.refused("lexicon", "build", "scowl80")


def test_nothing_built_yet(run: Runner) -> None:
    assert run.ok("lexicon", "verify") == "no lexicon is built yet\n"
