"""Boards and tile sets of files, in every command that takes one, and `kibitz board check`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.command_line.conftest import Run

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
BOARD, TILES = str(EXAMPLES / "diamond12.txt"), str(EXAMPLES / "half.csv")
CGP = "/".join(["12"] * 12) + " AEINRST/ 0/0 0"


def test_the_example_is_checked_and_drawn(run: Run) -> None:
    done = run("board", "check", BOARD)
    assert done.exit_code == 0
    assert "12 x 12 squares, 68 of them premium squares; start: 6F, 6G, 7F, 7G; symmetric" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()[1:13]]
    assert [(row[0], len(row)) for row in rows] == [(str(number), 14) for number in range(1, 13)]
    assert rows[5] == ["6", "=", "·", "'", "·", "'", "*", "*", "'", "·", "'", "·", "=", "6"]


def test_every_fault_is_named_with_line_and_square(run: Run, tmp_path: Path) -> None:
    lines = Path(BOARD).read_text().splitlines()
    file = tmp_path / "board.txt"
    file.write_text(
        "\n".join([f"{lines[0][:3]}x{lines[0][4:]}", lines[1][1:], *lines[2:12], "starts 6F 13A"])
    )
    done = run("board", "check", str(file))
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        f"{file}: line 1: 'x' at 1D is not a kind of square; known: . T D Q t d q *",
        f"{file}: line 2: row 2 of the board is 11 squares wide; it must be 12",
        f"{file}: line 13: '13A' is not a square of this board, as 1A is",
    ]
    assert [line.split()[0] for line in done.stdout.splitlines() if line.endswith("<")] == ["1", "2", "13"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a board has 10 to 26 rows, this one has 0"),
        (
            "...............\n" * 14,
            "the board has 14 rows of 15 squares; it must have as many",
        ),
        ("............\n" * 12, "the board needs a start square"),
        ("............\n" * 12 + "starts", "line 13: starts needs a square"),
    ],
)
def test_impossible_boards(run: Run, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "board.txt"
    file.write_text(text)
    done = run("board", "check", str(file))
    assert (done.exit_code, said in done.stderr) == (1, True)


def test_a_file_that_is_no_text_or_is_missing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    assert run("board", "check", str(file)).exit_code == 2
    file.write_bytes(b"\xff" * 10)
    done = run("board", "check", str(file))
    assert (done.exit_code, "is not a text in UTF-8" in done.stderr) == (2, True)


def test_a_position_on_a_board_of_a_file(run: Run) -> None:
    done = run("analyze", CGP, "--board", BOARD, "--tiles", TILES, "--top", "1")
    assert done.exit_code == 0, done.output
    assert "6A ANESTRI     158" in done.output  # T and both start squares D: (5 + 2 + 2) x 3 x 2 x 2 + 50
    assert "40 tiles in the bag" in done.output
    drawn = run("board", CGP, "--board", BOARD)
    assert "  6  =  ·  '  ·  '  *  *" in drawn.output
    named = run("board", f"{CGP} bdn wwf15;", "--board", BOARD)  # the option replaces what the CGP says
    assert named.output == drawn.output
    hinted = run("hint", CGP, "--board", BOARD, "--evaluator", "greedy", "--reveal")
    assert "for 158 points" in hinted.output


def test_a_file_with_the_name_of_a_known_board_is_not_taken_for_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "wwf15.txt"
    file.write_text(Path(BOARD).read_text().replace("starts", "Starts"))
    done = run("analyze", CGP, "--board", str(file), "--top", "1", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["position"]["board"] == "own-wwf15"


def test_a_game_with_its_own_board_and_tiles_is_saved_with_them(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    lines = f"-\nsave {file}\nquit\n"
    done = run("play", "--board", BOARD, "--tiles", TILES, "--level", "1", "--seed", "3", input=lines)
    assert "(40 in the bag)" in done.output
    again = run("play", "--load", str(file), input="quit\n")
    assert again.exit_code == 0, again.output
    for line in (
        r"^  You: 0   Level 1: \d+   \(\d+ in the bag\)$",
        "^  Your tiles: .*$",
        "^ 12  =  ·  ·  '.*$",
    ):
        assert (
            re.findall(line, done.output, re.MULTILINE)[-1]
            == re.findall(line, again.output, re.MULTILINE)[-1]
        )


def test_faulty_files_of_options(run: Run, tmp_path: Path) -> None:
    board, tiles = tmp_path / "board.txt", tmp_path / "tiles.csv"
    board.write_text("....\n")
    tiles.write_text("letter,count,value,is_vowel\nA,9,1,1\nB,x,3,0\nC,2\n")
    for option, file, said in (
        ("--board", board, "a board has 10 to 26 rows, this one has 1"),
        (
            "--tiles",
            tiles,
            "line 3 of the tile set is unreadable: 'x' is not a number; line 4 of",
        ),
    ):
        done = run("play", option, str(file))
        assert done.exit_code == 2
        assert f"{file}: " in done.stderr
        assert said in done.stderr
    spanish = run("play", "--tiles", "spanish")
    assert "is spelled with the letters of english, not with those of spanish" in spanish.stderr


def test_records_and_matches_on_a_board_of_a_file(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "game.gcg"
    record.write_text("#player1 ann Ann\n#player2 bo Bo\n>ann: AEINRST 6A ANESTRI +158 158\n")
    options = ("--board", BOARD, "--tiles", TILES)
    assert run("record", "check", str(record), *options).exit_code == 0
    wrong = run("record", "check", str(record), "--tiles", TILES)
    assert (wrong.exit_code, "158" in wrong.output) == (1, True)
    played = run("match", "greedy", "static", "--games", "2", "--threads", "1", "--board", BOARD)
    assert played.exit_code == 0, played.output
