"""`kibitz judge` and `kibitz search`: verdicts by exit code, words in a table or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.command_line.conftest import Run

CAB = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 / 0/0 0"


def test_judge_prints_the_consequences_but_no_word(run: Run) -> None:
    done = run("judge", "cab", "QAT", "--rule", "5pt", "--per", "word")
    assert (done.exit_code, done.output.splitlines()) == (
        0,
        ["2 words: acceptable in scowl80", "rule 5pt: the play stands, the player gets 10 points"],
    )
    done = run("judge", "cab", "zzq")
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "2 words: NOT acceptable in scowl80",
        "rule double: the tiles are taken back, the player loses the turn",
    ]


@pytest.mark.parametrize(
    ("rule", "play", "said"),
    [
        ("void", "8G ...Q", "the tiles are taken back, the player plays again"),
        ("triple", "8G ...Q", "the tiles are taken back, the player loses the game"),
        ("triple", "8G ...S", "the play stands, the challenger loses the game"),
        ("double", "8G ...S", "the play stands, the challenger loses the turn"),
        ("single", "8G ...S", "the play stands"),
    ],
)
def test_judge_a_play(run: Run, rule: str, play: str, said: str) -> None:
    done = run("judge", "--cgp", CAB, "--play", play, "--rule", rule)
    assert done.exit_code == (0 if "stands" in said else 1)
    assert done.output.splitlines()[1] == f"rule {rule}: {said}"
    answer = json.loads(run("judge", "--cgp", CAB, "--play", play, "--rule", rule, "--json").output)
    assert (answer["consequence"]["rule"], answer["word_count"]) == (rule, 1)


@pytest.mark.parametrize(
    "arguments",
    [(), ("cab", "--play", "8G ...S"), ("--play", "8G ...S"), ("--cgp", CAB), ("cab", "--cgp", CAB)],
)
def test_judge_needs_words_or_a_play(run: Run, arguments: tuple[str, ...]) -> None:
    done = run("judge", *arguments)
    assert done.exit_code == 2
    assert "give either WORDs, or --cgp and --play" in done.output


def test_judge_ignores_blanks_around_a_word(run: Run) -> None:
    assert run("judge", " Qi ").exit_code == 0


def test_judge_reads_a_line_at_a_time_from_standard_input(run: Run) -> None:
    done = run("judge", "-", input="qi za\n\nzzq\n")
    assert done.exit_code == 1
    verdicts = [line for line in done.stdout.splitlines() if "word" in line]
    assert verdicts == ["2 words: acceptable in scowl80", "1 word: NOT acceptable in scowl80"]
    refused = run("judge", "-", input="qi\nz4q\n")
    assert (refused.exit_code, refused.stderr.startswith("Error: line 2: ")) == (2, True)


def test_judge_answers_in_the_language_of_the_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def marked(text: str, language: str, **_: object) -> str:
        return f"<{language}>{text}"

    monkeypatch.setattr("engine.messages.text.translated", marked)
    monkeypatch.setattr("engine.messages.translated", marked)
    for arguments in (("--lang", "fr", "judge", "cab"), ("judge", "cab", "--lang", "fr")):
        verdict, consequence = run(*arguments).stdout.splitlines()
        assert verdict == "<fr>1 word: acceptable in scowl80"
        assert consequence.startswith("<fr>rule double: <fr>the play stands, <fr>the challenger loses")


def test_judge_refuses_a_text_that_is_not_a_word(run: Run) -> None:
    for word in ("a1", "a"):
        done = run("judge", word)
        assert (done.exit_code, "Traceback" in done.output) == (2, False)


def test_search_lists_words_with_their_hooks(run: Run) -> None:
    done = run("search", "?ARE", "--limit", "4")
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines()]
    assert lines[0][1] == "words,"
    assert ["S", "CARE", "DRSTX", "6"] in lines


def test_search_as_json(run: Run) -> None:
    done = run("search", "--tiles", "AEINRS?", "--json", "--limit", "500")
    answer = json.loads(done.output)
    assert answer["total"] == len(answer["words"]) > 30
    assert {"word": "RETINAS", "tiles": "REtINAS", "length": 7, "score": 6} in answer["words"]
    some = json.loads(run("search", "--tiles", "QI?", "--some", "--max-length", "2", "--json").output)
    assert {"QI", "Qi"} & {found["tiles"] for found in some["words"]} == {"QI"}


def words_of(run: Run, *arguments: str) -> list[str]:
    done = run("search", *arguments, "--json", "--limit", "9999")
    assert done.exit_code == 0, done.output
    return [found["word"] for found in json.loads(done.stdout)["words"]]


def test_search_by_every_condition(run: Run, tmp_path: Path) -> None:
    assert words_of(run, "[^AEIOU][AEIOU]", "--includes", "q") == ["QI"]
    without_u = words_of(run, "--includes", "Q", "--excludes", "U", "--max-length", "4")
    assert {"QI", "QAT"} < set(without_u)
    assert all("Q" in word and "U" not in word for word in without_u)
    around = ("--takes-prefix", "s", "--takes-suffix", "d", "--min-points", "9")
    assert words_of(run, "?A??", *around) == ["MAZE"]
    likely = ("--min-length", "7", "--max-length", "7", "--sort", "probability")
    first = words_of(run, *likely, "--max-place", "3")
    assert first == words_of(run, *likely)[:3]
    ranked = words_of(run, "--min-length", "7", "--max-length", "7", "--max-rank", "1")
    assert set(ranked) <= set(words_of(run, "--tiles", first[0]))
    anagrams = words_of(run, "--min-anagrams", "9", "--max-length", "5", "--min-vowels", "1")
    assert set(words_of(run, "--tiles", anagrams[0])) <= set(anagrams)
    (tmp_path / "mine.txt").write_text("qi\nza\n")
    mine = str(tmp_path / "mine.txt")
    assert words_of(run, "--in-lexicon", mine) == ["QI", "ZA"]
    twos = words_of(run, "--max-length", "2")
    assert words_of(run, "--max-length", "2", "--not-in-lexicon", mine) == sorted({*twos} - {"QI", "ZA"})
    assert words_of(run, "--not-in-lexicon", "scowl80") == []


def test_search_refuses_an_invalid_pattern(run: Run) -> None:
    for arguments in (
        ("c4",), ("--min-length", "9", "--max-length", "3"), ("--tiles", "c*"), ("[]",), ("--includes", "?"),
        ("--min-points", "9", "--max-points", "3"), ("--in-lexicon", "none"), ("--in-lexicon", "no/file"),
        ("--sort", "length"), ("--min-rank", "0"),
    ):  # fmt: skip
        done = run("search", *arguments)
        assert (done.exit_code, "Traceback" in done.output) == (2, False)


@pytest.mark.long
def test_hints_say_more_at_each_level_and_show_the_play_only_on_request(run: Run) -> None:
    opening = "/".join(["15"] * 15) + " AEINRST/ 0/0 0"
    lines = ["There is a bingo."]
    assert run("hint", "--cgp", opening).output.splitlines() == lines
    shown = run("hint", "--cgp", "-", "--level", "5", input=opening).output.splitlines()
    assert shown[0] == lines[0]
    assert shown[3] == "It takes these tiles: A E I N R S T"
    assert [line.split()[0] for line in shown] == ["There", "Look", "It", "It", "Its"]
    revealed = run("hint", opening, "--reveal").output.splitlines()
    assert len(revealed) == 2
    assert sorted(revealed[1].removeprefix("It is ").split(",")[0].split()[1]) == list("AEINRST")
    as_json = json.loads(run("hint", "--cgp", opening, "--level", "2", "--json").output)
    assert (as_json["level"], as_json["tiles"], as_json["move"]) == (2, None, None)
    assert run("hint", "--cgp", opening, "--level", "6").exit_code == 2


@pytest.mark.long
def test_a_hint_names_the_tiles_of_an_exchange_at_level_four_only(run: Run) -> None:
    position = "/".join(["15"] * 7 + ["6CAB6"] + ["15"] * 7) + " IIUUVVW/ 0/14 0"
    said = ["It is best to exchange tiles."]
    assert run("hint", position, "--level", "3").output.splitlines() == said
    first, tiles = run("hint", position, "--level", "5", "--reveal").output.splitlines()
    assert [first] == said
    assert tiles.startswith("Exchange these tiles: ")
    assert set(tiles.split(": ")[1].split()) <= set("IUVW")
    first, move = run("hint", position, "--level", "1", "--reveal").output.splitlines()
    assert [first] == said
    assert move.startswith("It is -")


def test_a_hint_without_a_play_does_not_call_for_the_pass(run: Run) -> None:
    """With the evaluator greedy, which values no exchange though one is legal."""
    position = "/".join(["15"] * 7 + ["6CAB6"] + ["15"] * 7) + " QV/ 0/14 0"
    shown = run("hint", position, "--evaluator", "greedy", "--reveal").output.splitlines()
    assert shown == ["There is no play.", "It is the pass."]
