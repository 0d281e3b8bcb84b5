"""`kibitz board` and `kibitz analyze --svg`: a drawn position, with a given play or the best move."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from engine import board_svg, parse_cgp, parse_move
from kibitz.cli.board import board_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.command_line.conftest import Run

CGP = "15/15/15/15/15/15/15/7CARE4/15/15/15/15/15/15/15 AEINRST/ 0/12 0"
PLAY = "K4 NeAR.T"


def test_a_play_is_drawn_on_the_board(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert run("board", CGP, "--play", PLAY, "--svg", str(file), "--size", "300").exit_code == 0
    position = parse_cgp(CGP)
    move = parse_move(PLAY, position.board, position.tile_set)
    assert file.read_text("utf-8") == board_svg(position, move, size=300)  # type: ignore[arg-type]
    assert ElementTree.fromstring(file.read_text("utf-8")).get("width") == "300"
    shown = run("board", CGP, "--play", PLAY).stdout.splitlines()
    column = [line.split()[11] for line in shown[4:10]]
    assert column == list("NeARET")
    assert "blank" in shown[17]


def test_an_exchange_draws_the_board_alone(run: Run) -> None:
    assert run("board", CGP, "--play", "-AE").stdout == run("board", CGP).stdout


def test_the_tiles_of_a_play_have_a_colour_of_their_own() -> None:
    position = parse_cgp(CGP)
    move = parse_move("K4 NEAR.T", position.board, position.tile_set)
    text = board_text(position, move)  # type: ignore[arg-type]
    styles = {text.plain[span.start : span.end].strip(): str(span.style) for span in text.spans}
    assert styles["N"] != styles["C"]


def test_the_best_move_is_drawn(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "best.svg"
    done = run("analyze", CGP, "--svg", str(file), "--json", "--top", "1")
    assert done.exit_code == 0, done.output
    position = parse_cgp(CGP)
    best = parse_move(json.loads(done.stdout)["moves"][0]["move"], position.board, position.tile_set)
    assert file.read_text("utf-8") == board_svg(position, best)  # type: ignore[arg-type]


def test_a_drawing_that_fails_leaves_the_file_unchanged(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    file.write_text("as it was")
    done = run("board", CGP, "--play", "nonsense", "--svg", str(file))
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: ")
    assert file.read_text() == "as it was"
