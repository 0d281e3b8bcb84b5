"""`kibitz lexicon conjugate` and `kibitz lexicon generate`."""

from __future__ import annotations

import json
import lzma
from typing import TYPE_CHECKING

from kibitz.cli.spanish import GENERATORS
from lexicons.spanish_words import SPANISH_LEMMAS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.command_line.conftest import Run


def test_conjugate_prints_the_family_and_a_table(run: Run) -> None:
    done = run("lexicon", "conjugate", "contar")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[:3] == ["contar: family 3, like contar (ar)", "gerund: contando", "participle: contado"]
    assert "vos contás contabas contaste contarás contarías" in [" ".join(line.split()) for line in lines]
    assert "tú cuentes contaras contases contares cuenta" in [" ".join(line.split()) for line in lines]


def test_conjugate_as_json(run: Run) -> None:
    done = run("lexicon", "conjugate", "asolarse", "--json")
    found = json.loads(done.output)
    assert found["verb"] == "asolarse"
    assert [family["number"] for family in found["families"]] == [0, 3]
    assert found["forms"]["present"]["yo"] == ["asolo", "asuelo"]


def test_conjugate_says_why_a_word_is_no_verb(run: Run) -> None:
    done = run("lexicon", "conjugate", "mesa")
    assert done.exit_code == 2
    assert done.output.startswith("Error: 'mesa' is not an infinitive: it does not end in ar, er, ir")


def test_generate_writes_a_list_that_can_be_built(run: Run, tmp_path: Path) -> None:
    lemmas, words = tmp_path / "lemmas.tsv", tmp_path / "words.txt"
    lemmas.write_text("# three\namar\ttransitive\nniño\tfeminine\nhoy\tinvariable\n", "utf-8")
    done = run("lexicon", "generate", "spanish", "--lemmas", str(lemmas), "--output", str(words))
    assert done.exit_code == 0
    assert done.output == f"51 words of 3 lemmas in {words}\n"
    listed = words.read_text("utf-8").splitlines()
    assert len(listed) == 51
    assert listed[0] == "AMA"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lemmas.tsv", "words.txt"]
    built = run("lexicon", "build", "--words", str(words), "--tiles", "spanish", "--id", "amar-test")
    assert "amar-test: 51 words of 51 lines" in built.output


def test_generate_prints_the_words_without_a_file(run: Run, tmp_path: Path) -> None:
    lemmas = tmp_path / "lemmas.tsv"
    lemmas.write_bytes(lzma.compress(b"luz\tplural\n"))
    assert run("lexicon", "generate", "spanish", "--lemmas", str(lemmas)).output == "LUCES\nLUZ\n"


def test_generate_takes_the_lemmas_of_kibitz_by_default(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    lemmas = lzma.decompress(SPANISH_LEMMAS.read_bytes()).decode().splitlines()
    monkeypatch.setitem(
        GENERATORS, "spanish", (lambda given, progress: [lemma.text for lemma in given], SPANISH_LEMMAS)
    )
    expected = [line.split("\t")[0] for line in lemmas if not line.startswith("#")]
    assert run("lexicon", "generate", "spanish").output.splitlines() == expected


def test_generate_names_the_file_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    lemmas, words = tmp_path / "lemmas.tsv", tmp_path / "none" / "words.txt"
    lemmas.write_text("luz\tplural\n")
    done = run("lexicon", "generate", "spanish", "--lemmas", str(lemmas), "--output", str(words))
    assert done.exit_code == 2
    assert f"{words}: No such file" in done.output


def test_generate_names_a_faulty_line_and_writes_nothing(run: Run, tmp_path: Path) -> None:
    lemmas, words = tmp_path / "lemmas.tsv", tmp_path / "words.txt"
    for data, said in (
        (
            b"luz\tplural\ncasa\tplurals\n",
            "line 2 of the lemmas, 'casa\\tplurals': it has the unknown label 'plurals'",
        ),
        (b"luz\tplural\ncasa\xff\tplural\n", f"line 2 of {lemmas} is not text in UTF-8"),
        (lzma.compress(b"luz\tplural\n")[:-8], f"{lemmas} cannot be decompressed"),
    ):
        lemmas.write_bytes(data)
        done = run("lexicon", "generate", "spanish", "--lemmas", str(lemmas), "--output", str(words))
        assert done.exit_code == 2
        assert said in done.output
    assert not words.exists()
    done = run("lexicon", "generate", "spanish", "--lemmas", str(tmp_path / "none"))
    assert (done.exit_code, "No such file" in done.output) == (2, True)
