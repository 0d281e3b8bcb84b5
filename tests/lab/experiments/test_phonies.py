"""`kibitz experiment phonies`: a lexicon beside the word list of a club."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kibitz.cli import kibitz
from lab.experiments.phonies import agreements, refused_plays

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Lexicon


def test_precision_and_recall_by_length() -> None:
    by_length = agreements(["AA", "AB", "CAT", "BAKE", "ZYMURGY"], ["AA", "CAT", "DOG", "ZYMURGY"])
    assert (by_length["2"].precision, by_length["2"].recall) == (0.5, 1.0)
    assert (by_length["3"].precision, by_length["3"].recall) == (1.0, 0.5)
    assert by_length["2 to 8"].common == 3
    assert (by_length["2 to 8, unseen"].generated, by_length["2 to 8, unseen"].listed) == (2, 2)


def test_a_lexicon_refuses_no_play_of_its_own(made_up: Lexicon) -> None:
    assert refused_plays(made_up, made_up, 2).value == 0.0


@pytest.mark.long
def test_the_command_prints_the_shares(
    made_up: Lexicon, made_up_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(made_up_data))
    words = sorted(made_up)
    club = tmp_path / "club.txt"
    club.write_text("\n".join(words[: len(words) // 2]))
    options = ["--lexicon", "made-up", "--against", str(club), "--games", "5", "--output", str(tmp_path)]
    done = CliRunner().invoke(kibitz, ["experiment", "phonies", *options])
    assert done.exit_code == 0, done.output
    assert "made-up: plays with a word that list-club lacks" in done.output
    report = json.loads((tmp_path / "phonies-made-up-list-club.json").read_text("utf-8"))
    assert report["refused"]["value"] == 0.0  # the lexicon has all words of the club
    assert 0 < report["phonies"]["low"] < report["phonies"]["value"] < report["phonies"]["high"] < 1
    assert report["lengths"]["2 to 8"]["recall"] == 1.0
