"""`kibitz preendgame`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.command_line.conftest import Run

# One tile in the bag; from the tests of [Macondo] (TestStraightforward1PEG).
CGP = (
    "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/"
    "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ACEISUY 356/378 0"
)
ASKED = (CGP, "--lexicon", "scowl80", "--hide-opponent", "--move", "13L ONYX", "--nodes", "30000")


def test_it_shows_how_often_a_move_wins(run: Run) -> None:
    done = run("preendgame", *ASKED, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    (move,) = report["moves"]
    assert (report["bag_count"], report["opponent"], move["draws"]) == (1, "rational", 8)
    assert move["lower"] <= move["win_pct"] <= move["upper"]
    assert sum(draw["weight"] for draw in move["by_draw"]) == 8
    shown = run("preendgame", *ASKED)
    assert shown.exit_code == 0
    assert "13L ONYX" in shown.stdout


def test_it_states_its_conditions(run: Run) -> None:
    """Both commands, where the rules allow exchanges of one tile, and where they do not."""
    by_hand = ("preendgame", "--lexicon", "scowl80", "--candidates", "2", "--nodes", "500")
    by_phase = ("analyze", "--preendgame", "--lexicon", "scowl80", "--candidates", "2", "--nodes", "500")
    for command in (by_hand, by_phase):
        plain = run(*command, CGP)
        assert plain.exit_code == 0, plain.output
        assert "left out by equity; other side: rational" in " ".join(plain.stdout.split())
        assert "were not searched" not in plain.stdout
        done = run(*command, f"{CGP} etl 1;")
        assert "exchanges, which the rules allow here, were not searched" in done.stdout
    report = json.loads(run(*by_hand, f"{CGP} etl 1;", "--json").stdout)
    assert report["exchanges_left_out"]
    (passed,) = [move for move in report["moves"] if move["move"] == "-"]
    assert (passed["certainty"], passed["lower"], passed["upper"]) == ("estimate", 0, 100)


def test_a_move_without_a_settled_draw_shows_no_win_pct(run: Run) -> None:
    for command in (("preendgame",), ("analyze", "--preendgame")):
        done = run(*command, "--lexicon", "scowl80", CGP, "--candidates", "3", "--nodes", "1")
        assert done.exit_code == 0, done.output
        table = done.stdout[done.stdout.index("at least") :]
        rows = [line.split() for line in table.splitlines() if "0/1" in line.split()]
        assert rows
        assert all(row[-6:-3] == ["-", "0.00", "100.00"] and row[-1] == "bound" for row in rows)
        assert "proven: no other" not in done.stdout


def test_an_impossible_preendgame_is_refused(run: Run) -> None:
    done = run("preendgame", CGP, "--lexicon", "scowl80", "--move", "1A ZZZZ")
    assert done.exit_code == 2
    assert "is not a legal play" in done.output
    empty = "15/15/15/15/15/15/15/5CAT7/15/15/15/15/15/15/15 S/Q 10/20 0"
    done = run("preendgame", empty, "--lexicon", "scowl80")
    assert done.exit_code == 2
    assert "a pre-endgame has 1 to 6" in done.output
