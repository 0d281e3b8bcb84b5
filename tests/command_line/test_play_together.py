"""`kibitz play` with several people: hidden tiles, clocks, taking back, saving and loading."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import kibitz
from kibitz.cli import play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.command_line.conftest import Run

ANN_AND_BOB = ("--seat", "Ann", "--seat", "Bob", "--seed", "5")
MIXED = ("--seat", "Ann", "--seat", "level:2", "--seat", "Bob", "--seed", "5")


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that each prompt of a move takes, in order; then none."""
    seconds: list[float] = []

    def moments() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += seconds.pop(0) if seconds else 0.0
            yield now

    now = moments()
    monkeypatch.setattr(play, "monotonic", lambda: next(now))
    return seconds


def test_tiles_are_shown_only_after_enter_and_only_those_of_the_player_on_turn(run: Run) -> None:
    racks = [str(rack) for rack in kibitz.Game(kibitz.Lexicon.open("scowl80"), 2, seed=5).racks]
    done = run("play", *ANN_AND_BOB, input=typed("", "-", "", "-"))
    events = re.findall(r"(\w+): press Enter to see your tiles|Your tiles: (.*)", done.output)
    shown = [name or "".join(tiles.split()) for name, tiles in events]
    assert shown == ["Ann", racks[0], "Bob", racks[1], "Ann"]


def test_one_person_is_not_asked_to_look_away(run: Run) -> None:
    done = run("play", "--seat", "Ann", "--seat", "level:1", "--seed", "5", input=typed("-", "quit", ""))
    assert "press Enter" not in done.output
    assert re.search(r"Ann's move> -\nAnn passes\.\nLevel 1 plays ", done.output)


def test_a_game_of_people_and_levels_is_ranked(run: Run) -> None:
    people = [line for _ in range(60) for line in ("", "-")]
    tiles = str(Path(__file__).parents[2] / "docs/examples/half.csv")
    done = run("play", *MIXED, "--tiles", tiles, "--rules", "french", input=typed(*people))
    assert done.exit_code == 0
    lines = done.output[done.output.index("The game is over:") :].splitlines()[1:]
    ranks = [int(line.split(".")[0]) for line in lines]
    finals = [int(re.search(r"= *(-?\d+)", line)[1]) for line in lines]  # type: ignore[index]
    assert lines[0].startswith("  1. Level 2 ")
    assert finals == sorted(finals, reverse=True)
    assert ranks == [1 + sum(other > final for other in finals) for final in finals]


def test_back_undoes_the_last_move_of_a_person_with_the_answers(run: Run) -> None:
    lines = ("back", "-", "", "back", "", "moves", "quit")
    done = run("play", *MIXED, input=typed("", *lines))
    assert "That is not possible: there is no move of yours to take back" in done.output
    after = done.output[done.output.index("The last move of Ann is taken back.") :]
    assert "Ann: press Enter" in after
    assert "Nobody has moved yet." in after


def test_no_move_is_taken_back_against_the_clock(run: Run, clock: list[float]) -> None:
    done = run("play", *ANN_AND_BOB, "--time-per-game", "5m", input=typed("", "-", "", "back", "quit", ""))
    assert "That is not possible: in a game with a time limit no move is taken back" in done.output


def test_the_list_of_moves_hides_exchanged_tiles(run: Run) -> None:
    done = run("play", *ANN_AND_BOB, input=typed("", "-A", "", "-", "", "moves", "quit", ""))
    table = done.output[done.output.index("Moves\n") :]
    assert re.search(r"1 +Ann +exchange of 1 tile +0 +0", table)
    assert re.search(r"2 +Bob +pass +0 +0", table)


def test_who_is_late_for_a_move_passes(run: Run, clock: list[float]) -> None:
    clock += [61.0, 60.0, 0.0]
    done = run("play", *ANN_AND_BOB, "--time-per-move", "1m", input=typed("", "-A", "", "-", "", "moves"))
    assert "Time: 1:00 for this move" in done.output
    assert "The time for the move is over: Ann passes." in done.output
    assert "Bob passes." in done.output
    assert re.search(r"1 +Ann +pass \(time over\)", done.output)
    assert re.search(r"2 +Bob +pass  ", done.output)


def test_a_clock_ends_the_turn_while_a_person_types(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    now = [0.0]

    def rings_at_once(_: int, seconds: float) -> None:
        """Let the first limit pass in no time."""
        if seconds and not asked:
            asked.append(seconds)
            now[0] += seconds
            signal.raise_signal(signal.SIGALRM)

    monkeypatch.setattr(play, "monotonic", lambda: now[0])
    monkeypatch.setattr("kibitz.cli.clocks.signal.setitimer", rings_at_once)
    before = signal.getsignal(signal.SIGALRM)
    done = run("play", *ANN_AND_BOB, "--time-per-move", "1m", input=typed("", "", "moves"))
    assert asked == [pytest.approx(60, abs=0.1)]
    assert "The time for the move is over: Ann passes.\nBob: press Enter" in done.output
    assert re.search(r"1 +Ann +pass \(time over\)", done.output)
    assert signal.getsignal(signal.SIGALRM) is before


def test_tiles_are_cleared_from_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich then takes the output for a terminal
    done = run("play", *ANN_AND_BOB, input=typed("", "-A"))
    before, _, after = done.output.rpartition("\x1b[2J\x1b[3J\x1b[H")
    assert "Your tiles" in before
    assert "Your tiles" not in after
    assert after.startswith("Ann exchanges 1 tile.\nBob: press Enter")


def test_several_lines_of_a_turn_take_time_together(run: Run, clock: list[float]) -> None:
    clock += [40.0, 25.0]
    done = run("play", *ANN_AND_BOB, "--time-per-move", "1m", input=typed("", "help", "-A"))
    assert "The time for the move is over: Ann passes." in done.output


def test_overtime_costs_ten_points_a_minute(run: Run, clock: list[float]) -> None:
    clock += [0.0, 0.0, 120.0 + 61, 0.0]
    lines = [line for _ in range(6) for line in ("", "-")]
    done = run("play", *ANN_AND_BOB, "--time-per-game", "2m", input=typed(*lines))
    assert "Time: Ann 2:00, Bob 2:00" in done.output
    assert "Time: Ann -1:01 (-20 points), Bob 2:00" in done.output
    assert re.search(r"\d\. Ann +0 +-\d+ -20 for time = +-\d+", done.output)
    assert done.output.index("  1. Bob") < done.output.index("  2. Ann")


def test_overtime_may_cost_the_game(run: Run, clock: list[float]) -> None:
    clock += [0.0, 121.0]
    lines = typed("", "-", "", "-A")
    done = run("play", *ANN_AND_BOB, "--time-per-game", "2m", "--overtime", "loss", input=lines)
    assert "The time of Bob is over." in done.output
    assert "The game is over: Bob lost on time." in done.output
    assert done.output.index("  1. Ann") < done.output.index("  2. Bob")


def test_a_saved_game_goes_on_with_its_clocks(run: Run, clock: list[float], tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    clock += [20.0, 30.0]
    began = run("play", *MIXED, "--time-per-game", "5m", input=typed("", "-", "", f"save {file}", "quit"))
    assert f"Saved. Continue it with: kibitz play --load {file}" in began.output
    assert began.output.count("Save the game?") == 0  # it is saved already
    again = run("play", "--load", str(file), input=typed("", "quit"))
    assert again.output.startswith("Ann, Level 2, Bob; scowl80, seed 5.")
    assert "Bob: press Enter" in again.output
    assert "Time: Ann 4:40, Bob 4:30" in again.output
    assert list(tmp_path.iterdir()) == [file]


def test_leaving_asks_for_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    left = run("play", *ANN_AND_BOB, input=typed("", "-", "", "quit", str(tmp_path / "no" / "x"), str(file)))
    assert "It cannot be saved: " in left.output
    assert json.loads(file.read_text())["format"] == "kibitz game 2"
    without = run("play", *ANN_AND_BOB, input=typed("", "-", "", "quit", ""))
    assert "Saved" not in without.output
    assert without.output.rstrip().endswith("You have left the game.")


def test_a_game_that_could_not_be_saved_is_asked_about_again(run: Run, tmp_path: Path) -> None:
    wrong = (str(tmp_path / "no" / "x"), "~nobody-of-this-name/x", "a\0b", str(tmp_path))
    lines = ("", "-", "", *[f"save {name}" for name in wrong], "y", "quit", str(tmp_path / "a game"))
    done = run("play", *ANN_AND_BOB, input=typed(*lines))
    assert done.output.count("It cannot be saved: ") == len(wrong)
    assert f"kibitz play --load '{tmp_path}/a game'" in done.output


def test_the_end_of_the_input_loses_no_game(run: Run) -> None:
    done = run("play", *ANN_AND_BOB, input=typed("", "-"))
    saved = re.findall(r"Saved\. Continue it with: kibitz play --load (\S+)", done.output)
    assert len(saved) == 1
    again = run("play", "--load", saved[0], input=typed("", "moves"))
    assert re.search(r"1 +Ann +pass", again.output)
    other = run("play", *ANN_AND_BOB, input=typed("", "-", "", "-"))  # does not replace the first one
    assert f"kibitz play --load {saved[0]}" not in other.output


def test_ctrl_c_while_the_computer_thinks_asks_too(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kibitz.cli.play_session.best_move", interrupted)
    file = tmp_path / "game.json"
    done = run("play", *MIXED, input=typed("", "-", str(file)))
    assert done.exit_code == 0
    assert "Save the game?" in done.output
    assert len(json.loads(file.read_text())["actions"]) == 1


def test_another_file_is_replaced_only_if_that_is_wanted(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    lines = ("", "-", "", f"save {file}", "n", "save", "quit", "")
    done = run("play", *ANN_AND_BOB, input=typed(*lines))
    assert "exists. Replace it?" in done.output
    assert "Type a name too, such as: save game.json" in done.output
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "game.json: this is not a saved game: it is not JSON"),
        (b'{"format": "kibitz game 2"', "this is not a saved game: it is not JSON"),
        (b'{"format": "kibitz game 2"}', "a part of it is missing or of another kind"),
        (b'{"format": "chess"}', "its format is not 'kibitz game 2'"),
        (b'{"format": "kibitz game 7"}', "saved by another version of kibitz, as 'kibitz game 7'"),
        (b"\xff\xfe", "is not a text in UTF-8: byte 1"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused(run: Run, tmp_path: Path, text: bytes, said: str) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(text)
    done = run("play", "--load", str(file))
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output


def test_a_loaded_game_takes_no_other_settings(run: Run, tmp_path: Path) -> None:
    for option in (("--seat", "Ann"), ("--level", "3"), ("--board", "wwf15"), ("--time-per-game", "5m")):
        done = run("play", "--load", str(tmp_path / "game.json"), *option)
        assert (done.exit_code, f"{option[0]} cannot be given beside --load" in done.stderr) == (2, True)
    assert run("play", "--load", str(tmp_path / "none.json")).stderr.endswith("No such file or directory\n")
