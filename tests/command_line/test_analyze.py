"""`kibitz analyze`: a board and a table for people, the service's answer for programs."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING

from rich.console import Console

from engine import parse_cgp, tile_set
from kibitz.cli.board import board_text, players_text

if TYPE_CHECKING:
    from tests.command_line.conftest import Run

ANEROID = "15/15/15/15/15/15/15/5ANERoID3/15/15/15/15/15/15/15 AEINRST/ 12/34 0"


def plain(text: object) -> list[str]:
    console = Console(file=io.StringIO(), width=120)
    console.print(text)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def test_the_board_shows_tiles_blanks_premium_squares_and_coordinates() -> None:
    lines = plain(board_text(parse_cgp(ANEROID)))
    assert lines[0].split() == list("ABCDEFGHIJKLMNO")
    assert lines[1].split() == ["1", *"=··'···=···'··=", "1"]
    assert lines[8].split() == ["8", *"=··'·ANERoID··=", "8"]
    assert lines[15].split()[0] == "15"
    for name in ("triple word", "double word", "triple letter", "double letter", "blank"):
        assert name in lines[-1]
    assert "start" not in lines[-1]


def test_an_empty_board_shows_its_start_square() -> None:
    lines = plain(board_text(parse_cgp("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0")))
    assert lines[8].split()[8] == "*"
    assert "start square" in lines[-1]


def test_tiles_of_two_characters_keep_the_columns_straight() -> None:
    text = "15/15/15/15/15/15/15/5A[RR]O[ch]A5/15/15/15/15/15/15/15 [LL]AE/ 0/0 0"
    position = parse_cgp(text, tile_set=tile_set("spanish"))
    lines = plain(board_text(position))
    assert lines[8].split() == ["8", *"=··'·", "A", "RR", "O", "ch", "A", *"·'··=", "8"]
    assert len(lines[7]) == len(lines[8]) == len(lines[9])
    assert "A E LL" in plain(players_text(position))[0]


def test_a_board_of_26_squares_has_26_columns() -> None:
    rows = "/".join(["26"] * 26)
    from engine import BoardLayout

    layout = BoardLayout.from_rows(["." * 26] * 26, [(13, 13)])
    lines = plain(board_text(parse_cgp(f"{rows} / 0/0 0", layout=layout)))
    assert lines[0].split()[-1] == "Z"
    assert lines[26].split()[0] == "26"


def test_analyze_prints_board_players_and_moves_without_colour_codes(run: Run) -> None:
    done = run("analyze", "--cgp", ANEROID, "--top", "3")
    assert done.exit_code == 0, done.output
    assert "\x1b" not in done.output
    lines = done.output.splitlines()
    assert any(line.split()[:3] == ["on", "turn", "12"] for line in lines)
    ranks = [line.split() for line in lines if line.strip()[:2] in ("1 ", "2 ", "3 ")]
    points = [next(int(cell) for cell in cells[2:] if cell.isdigit()) for cells in ranks[-3:]]
    assert points == sorted(points, reverse=True)
    assert "plays" in done.output


def test_phonies_and_compared_moves_are_named(run: Run) -> None:
    phony = ANEROID.replace("5ANERoID3", "5XQZ7")
    done = run("analyze", "--cgp", phony, "--compare", "8A QQQ", "--compare", "I8 .A")
    assert done.exit_code == 0, done.output
    assert "not in the lexicon: XQZ at 8F" in done.output
    assert "8A QQQ" in done.output


def test_exchanges_are_listed_even_if_the_best_plays_are_better(run: Run) -> None:
    plays = run("analyze", ANEROID, "--top", "3", "--simulate", "quackle", "--iterations", "40").stdout
    for search in ((), ("--simulate", "quackle", "--iterations", "40")):
        done = run("analyze", ANEROID, "--top", "3", "--exchanges", *search)
        assert done.exit_code == 0, done.output
        table = done.stdout[done.stdout.index(" plays, ") :].split("simulation:")[0].splitlines()
        others = [line.split() for line in table if re.match(r" *\d+  -", line)]
        assert len(others) == 3
        assert all(int(rank) > 3 and int(points) == 0 for rank, _, points, *_ in others)
    assert not re.search(r"^ *\d+  -", plays, re.MULTILINE)


def test_json_is_the_service_s_answer(run: Run) -> None:
    done = run("analyze", "--cgp", ANEROID, "--top", "2", "--json")
    body = json.loads(done.stdout)
    assert body["position"]["lexicon"] == "scowl80"
    assert len(body["moves"]) == 2
    assert (body["evaluator"], body["sort"]) == ("static", "equity")
    assert body["moves"][0]["equity"] >= body["moves"][1]["equity"]
    assert body["provenance"]["leaves"].startswith("scowl80/")


def test_the_position_may_come_from_standard_input(run: Run) -> None:
    done = run("analyze", "--cgp", "-", "--json", input=f"{ANEROID}\n")
    assert json.loads(done.stdout)["play_count"] > 0


def test_positions_of_standard_input_are_analyzed_one_a_line(run: Run) -> None:
    done = run("analyze", "-", "--json", "--top", "1", input=f"{ANEROID}\n\n{ANEROID}\n")
    first, second = done.stdout.splitlines()
    assert json.loads(first)["moves"] == json.loads(second)["moves"] != []
    refused = run("analyze", "-", "--json", "--top", "1", input=f"{ANEROID}\nnonsense\n")
    assert (refused.exit_code, len(refused.stdout.splitlines())) == (2, 1)
    assert json.loads(refused.stderr)["detail"].startswith("line 2: a CGP has four fields")


def test_an_unknown_operation_is_a_warning(run: Run) -> None:
    done = run("analyze", f"{ANEROID} colour red;", "--top", "1")
    assert done.exit_code == 0
    assert done.stderr == "Warning: the operation colour of the CGP is unknown and ignored.\n"


def test_an_impossible_request_is_one_line_on_standard_error(run: Run) -> None:
    for arguments in (
        ["--cgp", "nonsense"],
        ["--cgp", ANEROID, "--lexicon", "none-such"],
        ["--cgp", ANEROID.replace("AEINRST", "ZZZ")],
    ):
        done = run("analyze", *arguments)
        assert done.exit_code == 2
        assert done.stderr.startswith("Error: ")
        assert done.stdout == ""


def test_another_lexicon_than_that_of_the_position_is_a_warning_at_the_top(run: Run) -> None:
    done = run("analyze", f"{ANEROID} lex CSW21;", "--lexicon", "scowl80")
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith(
        "Warning: the position names the lexicon CSW21, but the words are those of scowl80: CSW21 is not"
    )
    assert done.output.startswith(done.stderr), "above the board and the table"
    assert run("analyze", f"{ANEROID} lex SCOWL80;").stderr == ""


def test_a_lexicon_that_is_not_installed_is_a_warning_as_over_http(run: Run) -> None:
    done = run("analyze", f"{ANEROID} lex CSW21;")
    assert done.exit_code == 0, done.output
    assert done.stderr == (
        "Warning: the lexicon CSW21 is not installed; the words are those of scowl80.\n"
        "Choose another lexicon with --lexicon ID; kibitz lexicon list shows them.\n"
    )
    assert done.output.startswith(done.stderr), "above the board and the table"
    refused = run("analyze", ANEROID, "--lexicon", "csw21")
    assert refused.exit_code == 2
    assert "there is no lexicon 'csw21'" in refused.stderr


def test_the_best_move_is_explained_in_a_language(run: Run) -> None:
    english = run("analyze", ANEROID, "--compare", "9A QI", "--compare", "-", "--explain")
    spanish = run("analyze", ANEROID, "--explain", "--lang", "es", "--compare", "-")
    assert "against a pass: +" in english.stdout
    assert "sobre un pase en equity: +" in spanish.stdout
    found = json.loads(run("analyze", ANEROID, "--explain", "--compare", "-", "--json").stdout)
    assert found["explanation"]["text"] in english.stdout
    assert "Equity of" not in run("analyze", ANEROID).stdout
    refused = run("analyze", ANEROID, "--explain", "--lang", "xx")
    assert refused.exit_code == 2
    assert "'en', 'es', 'fr'" in refused.stderr
