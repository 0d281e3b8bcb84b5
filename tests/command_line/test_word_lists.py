"""`kibitz lexicon diff` and `kibitz lexicon word-lists`: what a federation prints."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from engine import Catalogue, tile_set
from kibitz.cli import kibitz

if TYPE_CHECKING:
    from pathlib import Path

    from tests.command_line.conftest import Run


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Two lists of Spanish words, one of them in upper case and without accents."""
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("ica\nchica\nicó\nllama\nam\n", "utf-8")
    new.write_text("ICA\nRICA\nICO\nLLAMA\nLLAMAR\n", "utf-8")
    return str(old), str(new)


def test_a_diff_counts_first(run: Run, files: tuple[str, str]) -> None:
    done = run("lexicon", "diff", *files, "--tiles", "spanish")
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines() if line.strip()]
    assert lines[0] == ["From", "old.txt", "to", "new.txt", "(spanish)"]
    assert lines[2] == ["2", "1", "0", "0", "1", "0"]
    assert lines[6] == ["all", "5", "5", "2", "2", "2"]
    assert lines[7:9] == [["Words", "added,", "4", "tiles:", "1"], ["RICA"]]
    assert ["ICA", "R", "[CH]"] in lines
    counts = run("lexicon", "diff", *files, "--tiles", "spanish", "--counts").output
    assert done.output.startswith(counts)
    assert "RICA" not in counts


def test_a_diff_as_csv_and_json(run: Run, files: tuple[str, str]) -> None:
    arguments = ("lexicon", "diff", *files, "--tiles", "spanish", "--format")
    found = rows(run(*arguments, "csv").output)
    assert [(row["change"], row["word"]) for row in found] == [
        ("added", "RICA"), ("added", "LLAMAR"), ("gone", "AM"), ("gone", "CHICA"), ("hooks", "ICA"),
        ("hooks", "LLAMA"),
    ]  # fmt: skip
    assert (found[4]["front_added"], found[4]["front_gone"], found[5]["back_added"]) == ("R", "[CH]", "R")
    assert rows(run(*arguments, "csv", "--counts").output)[0] == {
        "length": "2", "old": "1", "new": "0", "added": "0", "gone": "1", "hooks": "0",
    }  # fmt: skip
    answer = json.loads(run(*arguments, "json").output)
    assert answer["total"] == {"old": 5, "new": 5, "added": 2, "gone": 2, "hooks": 2}
    assert (answer["added"], answer["gone"]) == (["RICA", "LLAMAR"], ["AM", "CHICA"])
    assert answer["hooks"][1] == {
        "word": "LLAMA", "front_added": [], "back_added": ["R"], "front_gone": [], "back_gone": [],
    }  # fmt: skip
    assert "hooks" not in json.loads(run(*arguments, "json", "--counts").output)


def test_a_lexicon_is_compared_with_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("QI\nZZQ\nA1\n", "utf-8")
    done = run("lexicon", "diff", "scowl80", str(path), "--format", "json")
    assert "1 lines are not playable" in done.stderr
    answer = json.loads(done.stdout)
    assert answer["added"] == ["ZZQ"]
    assert answer["max_length"] == 16
    assert answer["total"]["gone"] == answer["total"]["old"] - 1


def test_what_cannot_be_compared(run: Run, files: tuple[str, str], tmp_path: Path) -> None:
    for arguments, said in (
        (files, "name the tile set of the files with --tiles SET"),
        ((*files, "--tiles", "klingon"), "there is no tile set 'klingon'"),
        (("scowl80", files[0], "--tiles", "spanish"), "tile sets differ (english and spanish)"),
        (("scowl80", str(tmp_path / "none.txt")), "cannot read the word list"),
        (("scowl80", "scowl80", "--tiles", "english"), "--tiles is for files"),
        (("scowl80", "nothing"), "there is no lexicon 'nothing'"),
    ):
        done = run("lexicon", "diff", *arguments)
        assert done.exit_code == 2, done.output
        assert said in done.output
        assert "Traceback" not in done.output


def test_the_lists_are_named_and_counted(run: Run) -> None:
    done = run("lexicon", "word-lists", "scowl80")
    assert done.exit_code == 0, done.output
    found = {line.split()[0]: line.split()[1:3] for line in done.output.splitlines()[2:]}
    assert found["twos"][1] == "2"
    assert found["words"] == ["247,763", "2-15"]
    assert list(found)[-1] == "stems"


@pytest.mark.long
def test_a_list_is_printed_with_hooks(run: Run) -> None:
    lines = run("lexicon", "word-lists", "scowl80", "threes").output.splitlines()
    assert lines[0].startswith("scowl80: threes, 3 tiles (")
    car = next(line for line in lines if " CAR " in line).split()
    assert (car[0], car[1], car[3]) == ("S", "CAR", "5")
    assert {"D", "E", "T"} < set(car[2])
    ranked = run("lexicon", "word-lists", "scowl80", "bingos", "--max-length", "7", "--limit", "3").output
    assert ranked.splitlines()[1].split() == ["before", "word", "after", "points", "rank", "one", "in"]
    assert len(ranked.splitlines()) == 5
    stems = run("lexicon", "word-lists", "scowl80", "stems", "--limit", "1").output
    assert "1. AEINST\n" in stems
    assert "RETINAS" in next(line for line in stems.splitlines() if line.startswith("  R "))


def test_a_list_as_csv_and_json(run: Run) -> None:
    arguments = ("lexicon", "word-lists", "scowl80", "bingos", "--max-length", "7", "--limit", "50")
    found = rows(run(*arguments, "--format", "csv").output)
    assert len(found) == 50
    assert [int(row["rank"]) for row in found] == sorted(int(row["rank"]) for row in found)
    answer = json.loads(run(*arguments, "--format", "json").output)
    assert answer["list"] == "bingos"
    assert [word["word"] for word in answer["words"]] == [row["word"] for row in found]
    stems = rows(run("lexicon", "word-lists", "scowl80", "stems", "--limit", "2", "--format", "csv").output)
    assert {row["stem"] for row in stems if row["rank"] == "1"} == {"AEINST"}
    assert len([row for row in stems if row["rank"] == "1"]) == int(stems[0]["letter_count"])


@pytest.mark.long
def test_anki_gets_its_documented_headers_and_a_note_a_line(run: Run) -> None:
    arguments = ("lexicon", "word-lists", "scowl80", "bingos", "--max-length", "7", "--limit", "20")
    head, notes = anki(run(*arguments, "--format", "anki").output)
    assert head == ["#separator:Tab", "#html:false", "#columns:Question\tAnswer\tTags", "#tags column:3"]
    assert all(len(note) == 3 and note[2] == "kibitz scowl80 scowl80-bingos" for note in notes)
    for question, answer, _ in notes:  # all words of the tiles, each between its hooks
        words = [next(part for part in one.split("-") if part.isupper()) for one in answer.split(", ")]
        asked = json.loads(run("search", "--tiles", question, "--json").output)
        assert words == [found["word"] for found in asked["words"]]
    _, notes = anki(run("lexicon", "word-lists", "scowl80", "twos", "--format", "anki").output)
    assert len(notes) > 50
    assert all(question == f"_{answer.split()[1]}_" for question, answer, _ in notes)
    _, notes = anki(run("lexicon", "word-lists", "scowl80", "stems", "--format", "anki").output)
    assert (len(notes), notes[0][0]) == (100, "AEINST + ?")


def anki(text: str) -> tuple[list[str], list[list[str]]]:
    """Split a file for Anki into its header lines and its notes; every line is one note."""
    lines = text.splitlines()
    return lines[:4], [line.split("\t") for line in lines[4:]]


@pytest.mark.long
def test_all_lists_go_to_a_folder(run: Run, tmp_path: Path) -> None:
    done = run(
        "lexicon", "word-lists", "scowl80", "--limit", "5", "--format", "csv",
        "--output", str(tmp_path / "lists"),
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    written = {path.name: len(rows(path.read_text("utf-8"))) for path in (tmp_path / "lists").iterdir()}
    assert len(written) == 11
    assert written["scowl80-twos.csv"] == 5
    assert written["scowl80-hooks.csv"] == 15


def test_wrong_lists_are_refused(run: Run) -> None:
    for arguments in (
        ("scowl80", "nouns"),
        ("nothing", "twos"),
        ("scowl80", "twos", "--min-length", "5", "--max-length", "4"),
        ("scowl80", "--max-length", "4"),
        ("scowl80", "--limit", "4"),
        ("scowl80", "--format", "csv"),
        ("scowl80", "stems", "--max-length", "4"),
        ("scowl80", "twos", "--format", "pdf"),
    ):
        done = run("lexicon", "word-lists", *arguments)
        assert (done.exit_code, "Traceback" in done.output) == (2, False)


def test_a_word_that_no_draw_forms_is_listed(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("PIZZAZZ\n")  # English has one Z and two blanks
    Catalogue(tmp_path).build_from(tmp_path / "words.txt", tile_set("english"), lexicon_id="pizza")
    arguments = ("lexicon", "word-lists", "pizza", "bingos")
    done = CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(tmp_path), "COLUMNS": "110"})
    assert done.exit_code == 0, done.output
    assert done.output.split()[-4:] == ["PIZZAZZ", "45", "1", "never"]
