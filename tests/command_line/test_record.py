"""`kibitz record`: games checked line by line, shown with their board, and written as GCG or CGP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from engine import parse_cgp, read_gcg
from kibitz.cli import kibitz

if TYPE_CHECKING:
    from pathlib import Path

GAME = """#title A game made up
#lexicon NWL23
#player1 ann Ann Ek
#player2 bo Bo Li
>ann: AEITWXY 8D WAITE +24 24
#note first
>bo: DEEFINO 7C DEFO +22 22
>bo: DEEFINO -- -22 0
>ann: ABCDXYY - +0 24
>bo: DEEFINO -DEE +0 0
"""
FAULTY = GAME + ">ann: (time) -10 14\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(kibitz, ["record", *arguments], env={"COLUMNS": "110"})


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.gcg"
    path.write_text(GAME, encoding="utf-8")
    return str(path)


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    path = tmp_path / "faulty.gcg"
    path.write_text(FAULTY, encoding="utf-8")
    return str(path)


def test_check_lists_faults_by_line_and_sets_the_exit_code(game: str, faulty: str) -> None:
    good = run("check", game)
    assert good.exit_code == 0
    assert good.stdout.splitlines() == [f"{game}: ok: 5 of 5 events, 24 - 0, not over"]
    bad = run("check", game, faulty)
    assert bad.exit_code == 1
    assert f"{faulty}: 1 fault" in bad.stdout
    assert "fault early_time_penalty: line 11: a time penalty before the end of the game" in bad.stdout


def test_check_for_programs(game: str, faulty: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.gcg"
    empty.write_bytes(b"")
    result = run("check", "--json", game, faulty, str(empty))
    assert result.exit_code == 1
    good, bad, none = (json.loads(line) for line in result.stdout.splitlines())
    assert (good["faults"], good["warnings"]) == ([], [])
    assert (good["tile_set"], good["scores"], good["over"]) == ("english", [24, 0], False)
    assert good["players"][0] == {"nick": "ann", "name": "Ann Ek"}
    (fault,) = bad["faults"]
    assert fault == {
        "line": 11,
        "code": "early_time_penalty",
        "field": "gcg/11/event",
        "detail": "line 11: a time penalty before the end of the game",
    }
    assert [fault["code"] for fault in none["faults"]] == ["empty_record"]


def test_check_continues_after_a_file_that_is_not_a_record(game: str, tmp_path: Path) -> None:
    path = tmp_path / "big.gcg"
    path.write_bytes(b"#" * (2 << 20))
    result = run("check", str(path), game)
    assert result.exit_code == 1
    assert "refused: a game record has at most" in result.stdout
    assert f"{game}: ok" in result.stdout


def test_convert_writes_the_canonical_record(game: str) -> None:
    result = run("convert", game, "--to", "gcg")
    assert result.exit_code == 0
    assert result.stdout.startswith("#character-encoding UTF-8\n#player1 ann Ann Ek\n")
    assert read_gcg(result.stdout).record == read_gcg(GAME).record


@pytest.mark.parametrize("arguments", [("convert", "--to", "gcg"), ("convert", "--to", "cgp"), ("show",)])
def test_a_file_that_is_not_a_record_is_neither_converted_nor_shown(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk\neggs\n")
    result = run(*arguments, str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "this is not a game record" in result.stderr


def test_convert_writes_any_position(game: str) -> None:
    third = parse_cgp(run("convert", game, "--to", "cgp", "--turn", "3").stdout)
    assert third.board.tile_count == 9
    assert [player.score for player in third.players] == [22, 24]
    last = parse_cgp(run("convert", game, "--to", "cgp").stdout)
    assert last.board.tile_count == 5
    assert last.zero_turns == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", "cgp", "--turn", "9"], "there is no turn 9"),
        (["--to", "gcg", "--turn", "2"], "--turn needs --to cgp"),
        (["--to", "cgp", "--tiles", "klingon"], "there is no tile set 'klingon'"),
        (["--to", "pdf"], "'pdf' is not one of"),
    ],
)
def test_an_impossible_conversion_is_one_line(game: str, arguments: list[str], said: str) -> None:
    result = run("convert", game, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_show_lists_the_events_and_the_board(game: str) -> None:
    result = run("show", game, "--notes")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].strip() == "A game made up"
    assert lines[2].split() == ["1", "ann", "AEITWXY", "8D", "WAITE", "+24", "24", "first"]
    assert lines[4].split() == ["3", "bo", "DEEFINO", "taken", "back", "-22", "0"]
    assert lines[6].split() == ["5", "bo", "DEEFINO", "-DEE", "+0", "0"]
    board = next(line for line in lines if line.startswith("  8 "))
    assert "W  A  I  T  E" in board
    assert [line.split()[0] for line in lines[-3:-1]] == ["ann", "bo"]


def test_show_one_turn_and_the_faults(faulty: str) -> None:
    result = run("show", faulty, "--turn", "3")
    assert "before turn 3: bo" in result.stdout
    players = [
        line.split()[:2] for line in result.stdout.splitlines() if line.startswith(("  bo  ", "  ann "))
    ]
    assert players == [["bo", "22"], ["ann", "24"]]
    assert "D  E  F  O" in next(line for line in result.stdout.splitlines() if line.startswith("  7 "))
    assert "line 11: a time penalty before the end of the game" in result.stdout


def test_show_for_programs(game: str) -> None:
    shown = json.loads(run("show", game, "--json").stdout)
    assert [turn["kind"] for turn in shown["turns"]] == ["play", "play", "phony", "pass", "exchange"]
    assert [turn["points"] for turn in shown["turns"]] == [24, 22, -22, 0, 0]
    assert shown["turns"][0]["note"] == "first"
    for turn in shown["turns"]:
        parse_cgp(turn["cgp"]).check()
    assert parse_cgp(shown["final"]).zero_turns == 3


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for command in (["check"], ["show"], ["convert", "--to", "gcg"]):
        result = run(*command, str(tmp_path / "none.gcg"))
        assert result.exit_code == 2
        assert "Traceback" not in result.output
