"""`kibitz quiz`: cards, their schedule, and the file of the user's progress."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CardProgress, InvalidInput, read_zyzzyva, write_zyzzyva
from engine.lexicon.word_study.card_formats import BOX_DAYS
from kibitz.cli.quiz_file import QuizFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    from engine.lexicon.catalogue import Catalogue
    from tests.command_line.conftest import Run

    Quiz = Callable[..., Result]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "quiz.json"


@pytest.fixture
def quiz(run: Run, path: Path) -> Quiz:
    def call(*arguments: str, **options: Any) -> Result:
        return run("quiz", *arguments, "--file", str(path), **options)

    return call


def cards_of(path: Path) -> dict[str, Any]:
    cards: dict[str, Any] = json.loads(path.read_text())["cards"]
    return cards


def test_answers_come_in_any_order_on_any_number_of_lines(quiz: Quiz, path: Path) -> None:
    done = quiz("anagrams", "CARE", "--json", input="race, acre\nzzq\nCARE acer\n")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert (result["asked"], result["right"], result["missed"]) == (1, 1, [])
    assert "1/1  ACER  (4)" in done.stderr
    assert "Not an answer: zzq" in done.stderr
    assert "2 of 4 found" in done.stderr
    card = cards_of(path)["ACER"]
    assert (card["correct"], card["incorrect"], card["streak"]) == (1, 0, 1)


def test_what_is_missed_is_shown_and_asked_again(quiz: Quiz, path: Path) -> None:
    done = quiz("anagrams", "CARE", input="race\n\nacer acre care race\n")
    assert "Missed: ACER ACRE CARE\n" in done.output
    assert done.output.count("(4)") == 2
    assert "Asked: 1. Right at once: 0. Left: 0 due, 0 new." in done.output
    card = cards_of(path)["ACER"]
    assert (card["correct"], card["incorrect"], card["streak"]) == (1, 1, 1)


def test_a_missed_card_comes_sooner_than_one_with_wrong_words_than_a_right_one(
    quiz: Quiz, path: Path
) -> None:
    quiz("anagrams", "QUIZ", input="\n")
    quiz("anagrams", "CARE", input="zzq acer acre care race\n")
    quiz("anagrams", "JUMP", input="jump\n")
    cards = cards_of(path)
    stability = [cards[question]["stability"] for question in ("IQUZ", "ACER", "JMPU")]
    assert stability == sorted(set(stability))
    due = [cards[question]["due"] for question in ("IQUZ", "ACER", "JMPU")]
    assert due == sorted(due)


def test_an_interrupted_quiz_loses_nothing(quiz: Quiz, path: Path) -> None:
    done = quiz("twos", "--new", "3", input="zzz\n\nba be bi bo by\n")
    assert done.exit_code == 0
    assert f"Stopped. All answers are saved in {path}." in done.output
    assert list(cards_of(path)) == ["A?", "B?"]
    again = json.loads(quiz("twos", "--new", "0", "--json").stdout)
    assert (again["asked"], again["due"]) == (0, 0)
    assert again["new"] == json.loads(quiz("twos", "--json", input="").stdout)["new"] > 15


def test_cards_that_are_due_come_first_and_the_longest_due_before_others(quiz: Quiz, path: Path) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    file = QuizFile(path, "scowl80")
    for question, days in (("B?", 1), ("H?", 3), ("D?", -2)):
        due = now - timedelta(days=days)
        file.cards[question] = CardProgress(due, due - timedelta(days=2), 2.0, 5.0, 1, 0, 1)
    file.cards["F?"] = CardProgress(now)
    file.save()
    status = json.loads(quiz("status", "--json").stdout)
    assert status["beginnings"] == {"cards": 4, "due": 2, "new": 1}
    done = quiz("review", input="\n\n\n")
    asked = [line.split()[1] for line in done.output.splitlines() if line.endswith(")")]
    assert asked[:3] == ["H?", "B?", "F?"]
    assert done.output.startswith("Due: 2. New: 1.\n")
    assert {question: card["incorrect"] for question, card in cards_of(path).items()} == {
        "B?": 1, "H?": 1, "D?": 0, "F?": 1,
    }  # fmt: skip


def test_hooks_and_threes(quiz: Quiz, path: Path) -> None:
    hooks = quiz("hooks", "QI", input="qis\n")
    assert "1/1  _QI_  (1)" in hooks.output
    threes = quiz("threes", "--new", "1", input="\n")
    assert "/1  A" in threes.output
    assert set(cards_of(path)) >= {"_QI_"}


def test_options_choose_what_is_asked(quiz: Quiz) -> None:
    options = ("--min-length", "7", "--max-length", "7", "--max-place", "5", "--sort", "probability")
    done = json.loads(quiz("anagrams", *options, "--json", input="").stdout)
    assert 0 < done["new"] <= 5
    nothing = json.loads(quiz("hooks", "--includes", "QZ", "--max-length", "2", "--json").stdout)
    assert (nothing["asked"], nothing["due"], nothing["new"]) == (0, 0, 0)


def test_a_card_that_no_word_answers_is_not_asked(quiz: Quiz, path: Path) -> None:
    due = datetime(2020, 1, 1, tzinfo=UTC)
    QuizFile(path, "scowl80", {"QQZ": CardProgress(due, due, 1.0, 5.0, 1, 0, 1)}).save()
    done = json.loads(quiz("review", "--json").stdout)
    assert (done["asked"], done["due"]) == (0, 1)


GOOD = {
    "due": "2026-01-01T00:00:00Z", "last_review": "2025-12-01T00:00:00Z", "stability": 3.5, "difficulty": 5,
    "correct": 2, "incorrect": 0, "streak": 2,
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "not a quiz file"),
        ("[" * 100_000, "not a quiz file"),
        ('{"version": NaN}', "not a quiz file"),
        ("[]", "not a quiz file"),
        ('"\\ud800"', "not a quiz file"),
        ('{"version": 2, "lexicon": "scowl80", "cards": {}}', "version"),
        ('{"version": 1, "lexicon": "klingon", "cards": {}}', "about the lexicon klingon"),
        ({**GOOD, "due": "yesterday"}, "cards: ACER: due"),
        ({**GOOD, "due": "0001-01-01T00:00:00+14:00"}, "cards: ACER: due"),
        ({**GOOD, "stability": 1e99}, "cards: ACER: stability"),
        ({**GOOD, "stability": None}, "null together"),
        ({**GOOD, "difficulty": "many"}, "cards: ACER: difficulty"),
        ({**GOOD, "correct": -1}, "cards: ACER: correct"),
        ({**GOOD, "streak": 10**30}, "not a quiz file"),
        ({**GOOD, "more": 1}, "cards: ACER: more"),
        ({}, "cards: ACER: "),
    ],
)
def test_a_file_that_is_no_quiz_is_refused_and_left_as_it_is(
    quiz: Quiz, path: Path, content: str | dict[str, Any], said: str
) -> None:
    if isinstance(content, dict):
        content = json.dumps({"version": 1, "lexicon": "scowl80", "cards": {"ACER": content}})
    path.write_text(content)
    for arguments in (("status",), ("review",), ("anagrams", "CARE")):
        done = quiz(*arguments)
        assert (done.exit_code, said in done.output, "Traceback" in done.output) == (2, True, False)
    assert path.read_text() == content


def test_the_file_is_named_by_the_lexicon(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("quiz", "anagrams", "JUMP", input="jump\n")
    assert [path.name for path in tmp_path.iterdir()] == ["quiz-scowl80.json"]


def test_a_question_of_the_file_that_cannot_be_read_is_named(quiz: Quiz, path: Path) -> None:
    path.write_text(json.dumps({"version": 1, "lexicon": "scowl80", "cards": {"A4": GOOD}}))
    done = quiz("review", "--json")
    assert done.exit_code == 2
    assert json.loads(done.stderr.splitlines()[-1])["code"] == "unknown_letter"


ZYZZYVA = """question,correct,incorrect,streak,last_correct,difficulty,cardbox,next_scheduled
AEINRST,5,1,3,1790000000,50,3,1791000000
CAER,1,0,1,1790000000,50,1,1790400000
JUMP,0,2,-2,0,50,0,1790000000
EGUI,3,0,3,1790000000,50,,
QQZ,0,0,0,0,50,0,1790000000
"""


def test_the_table_of_zyzzyva_is_read_and_written(quiz: Quiz, path: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "source.csv", tmp_path / "target.csv"
    source.write_text(ZYZZYVA)
    done = json.loads(quiz("import", str(source), "--format", "zyzzyva", "--json").stdout)
    assert (done["added"], done["known"], done["left_out"]) == (3, 0, 2)
    cards = cards_of(path)
    assert cards["AEINRST"]["stability"] == BOX_DAYS[3]
    assert (cards["JMPU"]["incorrect"], cards["JMPU"]["streak"]) == (2, -2)
    again = json.loads(quiz("import", str(source), "--format", "zyzzyva", "--json").stdout)
    assert (again["added"], again["known"]) == (0, 3)
    written = json.loads(quiz("export", str(target), "--format", "zyzzyva", "--json").stdout)
    assert written["cards"] == 3
    rows = {row["question"]: row for row in csv.DictReader(target.read_text().splitlines())}
    expected = {row["question"]: row for row in csv.DictReader(ZYZZYVA.splitlines())}
    assert rows["AEINRST"] == expected["AEINRST"]
    assert rows["ACER"] == {**expected["CAER"], "question": "ACER"}


def test_hooks_of_zyzzyva_are_words(quiz: Quiz, path: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "source.csv", tmp_path / "target.csv"
    source.write_text("question,cardbox,next_scheduled\r\nQI,2,1790000000\r\n")
    quiz("import", str(source), "--format", "zyzzyva", "--cards", "hooks")
    assert list(cards_of(path)) == ["_QI_"]
    quiz("export", str(target), "--format", "zyzzyva", "--cards", "hooks")
    assert target.read_text().splitlines()[1].startswith("QI,0,0,0,0,50,2,")
    quiz("export", str(target), "--format", "zyzzyva")
    assert len(target.read_text().splitlines()) == 1


counts = st.integers(0, 1000)


@settings(max_examples=60, deadline=None)
@given(
    counts=st.tuples(counts, counts, st.integers(-50, 50)),
    days=st.floats(0.01, 36_500),
    due=st.integers(86_400 * 400, 5_000_000_000),
)
def test_what_zyzzyva_gets_it_gives_back(
    bundled: Catalogue, counts: tuple[int, int, int], days: float, due: int
) -> None:
    last = datetime.fromtimestamp(due, UTC) - timedelta(days=1)
    card = CardProgress(datetime.fromtimestamp(due, UTC), last, days, 5.0, *counts)
    text = write_zyzzyva({"ACER": card}, "anagrams")
    (read,) = read_zyzzyva(text, bundled.open("scowl80"), "anagrams").cards.values()
    assert (read.due, read.correct, read.incorrect, read.streak) == (card.due, *counts)
    assert read.stability == min(BOX_DAYS, key=lambda box: abs(box - days))
    assert write_zyzzyva({"ACER": read}, "anagrams") == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no column question"),
        ("question\nCARE\n", "no column cardbox"),
        ("question,cardbox,next_scheduled\nC4RE,1,1\n", "line 2"),
        ("question,cardbox,next_scheduled\nCARE,x,1\n", "line 2: cardbox"),
        ("question,cardbox,next_scheduled\nCARE,1\nCARE,²,1\n", "line 3: cardbox"),
        ("question,cardbox,next_scheduled\nCARE,1,99999999999999999999999\n", "line 2: next_scheduled"),
        ("question,cardbox,next_scheduled\nCARE,1,-5\n", "line 2: next_scheduled"),
        ("question,cardbox,next_scheduled,streak\nCARE,1,5,1e9\n", "line 2: streak"),
        ("question,cardbox,next_scheduled\n\0,1,1\n", "line "),
        ('question,cardbox,next_scheduled\n"' + "x" * 200_000 + '",1,1\n', "line "),
    ],
)
def test_a_table_that_cannot_be_read_changes_nothing(
    quiz: Quiz, path: Path, tmp_path: Path, text: str, said: str
) -> None:
    source = tmp_path / "source.csv"
    source.write_text(text)
    done = quiz("import", str(source), "--format", "zyzzyva")
    assert (done.exit_code, said in done.output, "Traceback" in done.output) == (2, True, False), done.output
    assert not path.exists()


def test_notes_of_anki_become_new_cards(quiz: Quiz, path: Path, tmp_path: Path, run: Run) -> None:
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_text('#separator:Semicolon\n#html:false\n_QI_;qis\n\n"ACER";acre\nA?\nQQZ;none\nAEQL\n')
    done = json.loads(quiz("import", str(source), "--format", "anki", "--json").stdout)
    assert (done["added"], done["left_out"]) == (3, 2)
    assert list(cards_of(path)) == ["_QI_", "ACER", "A?"]
    quiz("review", input="qis\nacer acre care race\n")
    done = json.loads(quiz("import", str(source), "--format", "anki", "--json").stdout)
    assert (done["added"], done["known"]) == (1, 2)
    assert cards_of(path)["ACER"]["correct"] == 1
    quiz("export", str(target), "--format", "anki")
    lines = target.read_text().splitlines()
    assert lines[:3] == ["#separator:Tab", "#html:false", "#columns:Question\tAnswer"]
    assert lines[4] == "ACER\tACER ACRE CARE RACE"
    listed = run("lexicon", "word-lists", "scowl80", "twos", "--format", "anki", "--limit", "9").output
    source.write_text(listed)
    done = json.loads(quiz("import", str(source), "--format", "anki", "--json").stdout)
    assert done["added"] + done["left_out"] == 9


def test_notes_that_cannot_be_read_are_named(quiz: Quiz, path: Path, tmp_path: Path) -> None:
    source = tmp_path / "source.txt"
    for text, said in (("#separator:Tab\n# more\nC4\n", "line 3"), ("#separator:\n", "separator"),
                       ("#separator:\"\nACER", "separator"), ("AINRS + ?\tx\n", "line 1")):  # fmt: skip
        source.write_text(text)
        done = quiz("import", str(source), "--format", "anki")
        assert (done.exit_code, said in done.output, path.exists()) == (2, True, False), (text, done.output)
    source.write_bytes(b"\xff\xfe")
    assert "UTF-8" in quiz("import", str(source), "--format", "anki").output


def test_without_fsrs_the_extra_is_named(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fsrs", None)
    done = quiz("twos")
    assert (done.exit_code, "kibitz[quiz]" in done.output) == (2, True)
    assert quiz("status").exit_code == 0


def test_a_new_card_has_no_memory(path: Path) -> None:
    path.write_text(json.dumps({"version": 1, "lexicon": "x", "cards": {"A?": {
        **GOOD, "last_review": None, "stability": None, "difficulty": None}}}))  # fmt: skip
    assert QuizFile.open(path, "x").is_new("A?")
    with pytest.raises(InvalidInput, match="not about y"):
        QuizFile.open(path, "y")
