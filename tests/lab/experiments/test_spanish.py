"""`kibitz experiment spanish`: precision, recall and kinds of errors."""

from __future__ import annotations

import json
import lzma
from typing import TYPE_CHECKING

from click.testing import CliRunner

from kibitz.cli import kibitz
from lab.experiments.spanish import agreement_by_length, error_kinds, spelled
from lexicons.spanish_words import generate, read_lemmas

if TYPE_CHECKING:
    from pathlib import Path

LEMMAS = (
    "amar\ttransitive",
    "acaronar\ttransitive",
    "viajar\ttransitive",
    "xilar\ttransitive",
    "mesa\tplural",
    "fablar\told",
    "blanco\tplural",
    "quizabes\tinvariable",
)
LISTED = (
    *("amar transitive", "viajar intransitive", "mesa invariable", "fablar transitive", "blanco feminine"),
    *("acaronar old", "telefonear intransitive", "lápiz plural", "deportista invariable"),
)


def listed_words() -> list[str]:
    return generate(list(read_lemmas(line.replace(" ", "\t") for line in LISTED)))


def test_agreement_by_length() -> None:
    found = agreement_by_length(spelled(["casa", "calle", "AÑO"]), spelled(["casa", "perro", "mesa"]))
    assert {length: (one.generated, one.listed, one.common) for length, one in found.items()} == {
        None: (3, 3, 1),
        3: (1, 0, 0),
        4: (2, 3, 1),  # LL and RR are one tile
    }
    assert (found[None].precision, found[None].recall) == (1 / 3, 1 / 3)
    assert (found[3].precision, found[3].recall) == (0.0, 1.0)


def test_kinds_of_errors() -> None:
    lemmas = list(read_lemmas(LEMMAS))
    found = error_kinds(lemmas, generate(lemmas), set(listed_words()), lambda *_: None)
    kinds = {(kind.side, kind.name): (kind.words, kind.needs) for kind in found}
    assert kinds["extra", "form of a verb that the list does not conjugate"] == (45, "label old")
    assert kinds["extra", "form of a verb that the list lacks"] == (46, "no such lemma")
    assert kinds["extra", "feminine or plural of a participle"] == (3, "label intransitive")
    assert kinds["extra", "plural or feminine form of a listed word"][0] == 1
    assert kinds["extra", "word with another ending that the list lacks"][0] == 1
    assert kinds["missing", "form of a verb labelled as old"][0] == 45
    assert kinds["missing", "form of an unknown verb in -EAR"][0] == 43
    assert kinds["missing", "feminine form of a known word"][0] == 2
    assert kinds["missing", "unknown word in -ISMO, ISTA"][0] == 1
    assert kinds["missing", "unknown word with another ending"][0] == 2
    assert sum(words for words, _ in kinds.values()) == len(set(generate(lemmas)) ^ set(listed_words()))


def test_the_command_prints_both_tables(tmp_path: Path) -> None:
    lemmas, against = tmp_path / "lemmas.tsv.xz", tmp_path / "list.txt"
    lemmas.write_bytes(lzma.compress("\n".join(LEMMAS).encode()))
    against.write_text("".join(f"{word}\n" for word in listed_words()), "utf-8")
    output = tmp_path / "results"
    arguments = ["--lemmas", lemmas, "--against", against, "--beside", against, "--output", output]
    done = CliRunner().invoke(kibitz, ["experiment", "spanish", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    assert "Words of 8 lemmas" in done.output
    assert "label intransitive" in done.output
    report = json.loads((output / "spanish.json").read_text("utf-8"))
    assert report["lengths"]["beside"]["all"]["recall"] == 1.0
    assert report["lengths"]["generated"]["all"]["listed"] == len(listed_words())
