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
    assert done.output.startswith("Level 2, scowl80, seed 4.")
    plays = re.findall(r"^Level 2 plays (\w+ \S+) for (\d+)\.$", done.output, re.MULTILINE)
    assert plays
    assert re.search(r"^You pass\.$", done.output, re.MULTILINE)
    ending = done.output[done.output.index("The game is over:") :].splitlines()
    assert ending[0].endswith(("Level 2 went out.", "Everyone passed.", "Too many turns without points."))
    totals = {line.split("  ")[1]: re.findall(r"[-+]?\d+", line[10:]) for line in ending[1:3]}
    assert int(totals["Level 2"][0]) == sum(int(score) for _, score in plays)
    for score, adjustment, final in (numbers[:3] for numbers in totals.values()):
        assert int(score) + int(adjustment) == int(final)
    assert ending[1 + ("Level 2" in ending[2])].endswith("*")


def test_hints_help_faults_and_leaving(run: Run) -> None:
    typed = ["", "help", "hint", "hint", "8D ZZZZZ", "nonsense", "board", "quit"]
    done = run("play", "--level", "3", "--seed", "4", "--players", "3", "--second", input="\n".join(typed))
    assert done.exit_code == 0
    assert re.findall(r"^Player (\d) plays ", done.output, re.MULTILINE) == ["2", "3"]
    assert re.search(r"^  Player 2: \d+   Player 3: \d+   You: 0   ", done.output, re.MULTILINE)
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
    assert f"\nYou play {best.text} for {best.score}.\n" in done.output
    assert "Level 1 plays " in done.output


def test_impossible_games_are_refused(run: Run) -> None:
    for arguments in (("--level", "11"), ("--players", "5"), ("--board", "nowhere"), ("--seed", "-1")):
        done = run("play", *arguments)
        assert (done.exit_code, "Traceback" in done.output) == (2, False)


def test_a_match_of_levels(run: Run) -> None:
    done = run("match", "level9", "level2", "--games", "2", "--threads", "1")
    assert done.exit_code == 0, done.output
    assert "level9 won" in done.output
    assert re.search(r"; mean spread [-+][\d.]+ .*points a game\.", done.output)
    mixed = run("match", "level1", "static", "--games", "2", "--threads", "1")
    assert mixed.exit_code == 0, mixed.output
    assert "level1 won 0.00" in mixed.output
