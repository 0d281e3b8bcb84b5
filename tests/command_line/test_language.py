"""The language of what commands print: --lang, else the environment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from kibitz.cli.language import system_language

if TYPE_CHECKING:
    from pathlib import Path

    from tests.command_line.conftest import Run

CGP = "15/15/15/15/15/15/15/7CARE4/15/15/15/15/15/15/15 AEINRST/ 0/12 0"
POLISH = {"LC_ALL": None, "LC_MESSAGES": None, "LANG": "pl_PL.UTF-8"}
GAME = "#player1 ann Ann Ek\n#player2 bo Bo Li\n>ann: ABCDEEF 8G BE +8 8\n>bo: ABDEEST 9H BE +10 10\n"


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "cs_CZ"}, "cs"),
        ({"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "cs_CZ", "LC_ALL": "de"}, "de"),
        ({"LANG": "fr.UTF-8", "LC_ALL": ""}, "fr"),
        ({"LANG": "es_MX@peso"}, "es"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "en"),
    ],
)
def test_the_environment_names_the_language(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert system_language() == language


def test_an_error_is_in_the_language_of_the_environment(run: Run) -> None:
    done = run("analyze", CGP.replace("AEINRST", "AEIN4ST"), env=POLISH)
    assert done.exit_code == 2
    assert done.stderr == "Error: na stojaku: „4” nie jest płytką tego zestawu\n"


def test_lang_goes_before_the_environment_before_and_after_the_command(run: Run) -> None:
    wrong = CGP.replace("AEINRST", "AEIN4ST")
    detail = "v zásobníku: „4“ není kámen této sady"
    assert detail in run("--lang", "cs", "analyze", wrong, env=POLISH).stderr
    assert detail in run("analyze", wrong, "--lang", "cs", env=POLISH).stderr
    assert "in the rack, '4' is not a tile" in run("--lang", "en", "analyze", wrong, env=POLISH).stderr


def test_the_answer_of_analyze_is_in_the_language(run: Run) -> None:
    table = run("analyze", CGP, "--top", "2", "--explain", env=POLISH).stdout
    for words in (
        "na ruchu",
        "przeciwnik",
        "płytki nieznane",
        "w woreczku",
        "zagrania: ",
        "ruch",
        "Equity H8 ",
    ):
        assert words in table
    assert "points" not in table


def test_hints_are_in_the_language(run: Run) -> None:
    done = run("hint", CGP, "--evaluator", "greedy", "--level", "2", "--lang", "de")
    assert done.exit_code == 0
    first, second = done.stdout.splitlines()
    assert first == "Es gibt ein Bingo."
    assert second.startswith("Sehen Sie ")


def test_notes_and_the_page_of_a_game_are_in_the_language(run: Run) -> None:
    gcg = run("annotate", "-", "--gcg", "--lang", "es", input=GAME).stdout
    assert "kibitz: mejor " in gcg
    assert "equidad " in gcg
    page = run("annotate", "-", "--html", "--lang", "cs", input=GAME).stdout
    assert '<html lang="cs">' in page
    assert "Průběh partie" in page
    assert "equity lost" not in page
    table = run("annotate", "-", env=POLISH, input=GAME).stdout
    assert "dokładność" in table
    assert "accuracy" not in table


def said_by_play(run: Run, language: str, file: Path) -> set[str]:
    """Return the lines of games in a language, without boards, tiles and the texts of moves."""
    begun = ("--lang", language, "play")
    together = (*begun, "--seat", "Ann", "--seat", "Bob", "--time-per-move", "9m", "--seed", "5")
    alone = (*begun, "--level", "1", "--seed", "4")
    typed = ["", "help", "hint", "8D ZZZZ", "moves", "-AEI", "back", "save", f"save {file}", f"save {file}"]
    typed += ["n", "moves", "quit", ""]
    passing = ["", "-", "", "-"] * 3
    said = [
        run(*together, input="\n".join(["", *typed[1:]])).output,
        run(*alone, input="\n".join(typed)).output,
        run(*alone, input="\n".join(["-"] * 40)).output,
        run(*together, "--rules", "german", input="\n".join(passing)).output,
    ]
    lines = {line.strip() for text in said for line in text.splitlines()}
    return {line for line in lines if re.search(r"[a-z]{3}", line.replace("scowl80", ""))}


@pytest.mark.parametrize("language", ["fr", "de", "pl", "cs", "es"])
@pytest.mark.long
def test_play_says_nothing_in_english_to_a_reader_of_another_language(
    run: Run, tmp_path: Path, language: str
) -> None:
    english = said_by_play(run, "en", tmp_path / "en.json")
    other = said_by_play(run, language, tmp_path / "other.json")
    assert len(english) > 30
    assert not english & other


def test_a_game_is_played_in_french(run: Run) -> None:
    done = run("--lang", "fr", "play", "--level", "2", "--seed", "4", input="-\nquit\n\n").output
    assert done.startswith("Vous, Niveau 2 ; scowl80, graine 4. Tapez help pour obtenir de l'aide.")
    assert "\nVous passez.\n" in done
    assert re.search(r"^Niveau 2 joue \w+ \S+ pour \d+ points\.$", done, re.MULTILINE)
    assert re.search(r"Votre coup> ", done)
    assert done.endswith("Vous avez quitté la partie.\n")


def test_another_file_is_replaced_after_yes_in_the_language(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    for answer, replaced in (("n", False), ("oui", True), ("y", True)):
        file.write_text("mine")
        run("--lang", "fr", "play", "--level", "1", "--seed", "4", input=f"-\nsave {file}\n{answer}\n")
        assert (file.read_text() != "mine") == replaced


def test_faults_of_a_word_list_are_in_the_language(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("cab\na\nab1\n")
    build = ("lexicon", "build", "--words", str(words), "--tiles", "english", "--id", "mine")
    env = {"LC_ALL": None, "LC_MESSAGES": None, "LANG": "de_DE", "KIBITZ_DATA": str(tmp_path)}
    built = run(*build, env=env).output
    assert "Zeile 3: „ab1“: kein Stein für „1“" in built
    assert "Zeile 2: „a“: zu kurz" in built
    words.write_text("1\n")
    assert "keine Zeile der Wortliste ist ein spielbares Wort" in run(*build, env=env).output
    words.write_bytes(b"\xfd7zXZ\0 broken")
    assert "die Wortliste kann nicht entpackt werden: ihre xz-Daten" in run(*build, env=env).output


def test_the_fault_of_a_damaged_table_is_in_the_language(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine.kibitz").write_text("no table")
    env = {"KIBITZ_DATA": str(tmp_path), **POLISH}
    assert "plik jest krótszy niż jego nagłówek" in run("search", "A*", "--lexicon", "mine", env=env).output
