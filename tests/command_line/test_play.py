"""`kibitz play`: a game against the computer to its end; only the tiles of the user are shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import kibitz

if TYPE_CHECKING:
    from tests.command_line.conftest import Run


def test_a_game_is_played_to_its_end(run: Run) -> None:
    done = run("play", "--level", "2", "--seed", "4", input="\n".join(["-"] * 40))
    assert done.exit_code == 0, done.output
    assert done.output.startswith("You, Level 2; scowl80, seed 4.")
    plays = re.findall(r"^Level 2 plays (\w+ \S+) for (\d+)\.$", done.output, re.MULTILINE)
    assert plays
    assert re.search(r"^You pass\.$", done.output, re.MULTILINE)
    ending = done.output[done.output.index("The game is over:") :].splitlines()
    assert ending[0].endswith(("Level 2 went out.", "Everyone passed.", "Too many turns without points."))
    lines = [
        re.fullmatch(r"  (\d)\. (\S+(?: \d)?) +(\d+) +([-+]\d+) = +(-?\d+).*", line) for line in ending[1:3]
    ]
    totals = {line[2]: [int(line[group]) for group in (3, 4, 5)] for line in lines if line}
    assert totals["Level 2"][0] == sum(int(score) for _, score in plays)
    assert [line[1] for line in lines if line] == ["1", "2"]
    for score, adjustment, final in totals.values():
        assert score + adjustment == final
    assert list(totals) == sorted(totals, key=lambda name: -totals[name][2])


def test_hints_help_faults_and_leaving(run: Run) -> None:
    typed = ["", "help", "hint", "hint", "8D ZZZZZ", "nonsense", "board", "quit"]
    seats = ("--seat", "level:3", "--seat", "level:3", "--seat", "You")
    done = run("play", *seats, "--seed", "4", input="\n".join(typed) + "\n\n")
    assert done.exit_code == 0
    assert re.findall(r"^(Level 3.*) plays ", done.output, re.MULTILINE) == ["Level 3", "Level 3 (2)"]
    assert re.search(r"^  Level 3: \d+   Level 3 \(2\): \d+   You: 0   ", done.output, re.MULTILINE)
    assert "leave the game" in done.output
    assert done.output.count('Type a move, such as "8D WORD", or help; "-" passes.') == 1
    assert done.output.count("Look at the") == 1  # the second hint says more than the first
    assert done.output.count("That is not possible: ") == 2
    assert done.output.count("Your tiles: ") == 2
    assert "there is no legal play 'nonsense'" in done.output
    assert done.output.rstrip().endswith("You have left the game.")


def test_a_play_of_the_user_is_described_in_a_sentence(run: Run) -> None:
    best = kibitz.Game(kibitz.Lexicon.open("scowl80"), seed=4).position.plays()[0]
    done = run("play", "--level", "1", "--seed", "4", input=f"{best.text}\n")
    assert f"You play {best.text} for {best.score}.\n" in done.output
    assert "Level 1 plays " in done.output


def test_impossible_games_are_refused(run: Run) -> None:
    five = [word for name in "ABCDE" for word in ("--seat", name)]
    for arguments, said in (
        (("--level", "11"), "11 is not in the range"),
        (five, "a game has 2 to 4 players, not 5"),
        (("--seat", "Ann"), "a game has 2 to 4 players, not 1"),
        (("--seat", "Ann", "--seat", "Ann"), "every player needs a name of their own"),
        (("--seat", "Ann", "--seat", "levl:4"), "'levl:4' is neither a name nor level:N"),
        (("--seat", "Ann", "--seat", "level:0"), "'level:0': a level is a number from 1 to 10"),
        (("--seat", "Ann", "--seat", "Bob", "--level", "3"), "--level cannot be given beside --seat"),
        (("--time-per-game", "25"), "'25' is not a time such as 25m"),
        (("--time-per-move", "0s"), "'0s' is not a time such as 25m"),
        (("--overtime", "loss"), "--overtime needs --time-per-game"),
        (("--board", "nowhere"), "there is no board 'nowhere'"),
        (("--board", "nowhere.txt"), "nowhere.txt: No such file"),
        (("--seed", "-1"), "-1 is not in the range"),
    ):
        done = run("play", *arguments)
        assert (done.exit_code, "Traceback" in done.output) == (2, False)
        assert said in done.output


def test_a_match_of_levels(run: Run) -> None:
    done = run("match", "level9", "level2", "--games", "2", "--threads", "1")
    assert done.exit_code == 0, done.output
    assert "level9 won" in done.output
    assert re.search(r"; mean spread [-+][\d.]+ .*points a game\.", done.output)
    mixed = run("match", "level1", "static", "--games", "2", "--threads", "1")
    assert mixed.exit_code == 0, mixed.output
    assert "level1 won 0.00" in mixed.output
