"""`kibitz duplicate`: a club evening of three players, played by script; typed slips; what is refused."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import kibitz
from kibitz import Lexicon
from kibitz.duplicate import DuplicateGame

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.catalogue import Catalogue
    from tests.command_line.conftest import Run

COLUMNS = ("round", "player", "at", "word", "mark")


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return Lexicon.open("scowl80", data=bundled.data_directory)


def answer(run: Run, *arguments: str) -> dict[str, Any]:
    """Return what a command prints with --json."""
    done = run("duplicate", *arguments, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def slips_of(sheet: dict[str, Any], lexicon: Lexicon) -> list[tuple[str, str, str, str]]:
    """Return the slips of three players: a good one, a weak one, and one who writes badly."""
    number = sheet["current"]["number"]
    position = kibitz.Position.from_cgp(sheet["cgp"], lexicon)
    good, weak = (kibitz.best_move(position, level=level, seed=number) for level in (8, 2))
    group = [
        ("Ann Ek", *words_of(good), ""),
        ("Bob", *words_of(weak), "warning" if number == 2 else ""),
    ]
    bad = {1: ("8D", "XYZZY"), 2: ("1A", words_of(position.plays()[0])[1]), 3: ("8", "D"), 5: ("", "")}
    if number != 4:  # one slip is not handed in
        group.append(("Çyd", *bad.get(number, words_of(position.plays()[0])), ""))
    return group


def words_of(move: kibitz.Move) -> tuple[str, str]:
    """Return square and word of a play; another move is a pass."""
    square, _, word = move.text.partition(" ") if isinstance(move, kibitz.Play) else ("", "", "")
    return square, word


@pytest.mark.long
def test_a_club_evening_of_three_players(run: Run, lexicon: Lexicon, tmp_path: Path) -> None:
    game, slips, evening = tmp_path / "game.json", tmp_path / "slips.csv", tmp_path / "evening.csv"
    lines: list[tuple[str, ...]] = [COLUMNS]
    sheet = answer(run, "new", str(game), "--rules", "french", "--seed", "11")
    while sheet["current"] is not None:
        group = slips_of(sheet, lexicon)
        lines += [(str(sheet["current"]["number"]), *slip) for slip in group]
        with slips.open("w", newline="") as file:
            csv.writer(file).writerows([COLUMNS[1:], *group])
        sheet = answer(run, "round", str(game), "--slips", str(slips))
    assert sheet["over"] in ("no_rack", "no_play")
    assert len(sheet["rounds"]) > 15
    assert sheet == answer(run, "sheet", str(game))

    # The arbiter's board holds every top, and each is the best play of the library.
    for one, following in zip(sheet["rounds"], [*sheet["rounds"][1:], sheet], strict=True):
        position = kibitz.Position.from_cgp(one["cgp"], lexicon)
        assert position.plays()[0].score == one["points"]
        after = position.after(one["top"])
        assert kibitz.Position.from_cgp(following["cgp"], lexicon).board == after.board
        for slip in one["slips"]:
            legal = slip["verdict"] in ("top", "valid")
            assert slip["points"] == (position.parse_move(slip["move"]).score if legal else 0)  # type: ignore[union-attr]
    assert [slip["verdict"] for one in sheet["rounds"][:3] for slip in one["slips"][2:]] == [
        "invalid",
        "misplaced",
        "unclear",
    ]
    assert [len(one["slips"]) for one in sheet["rounds"][:5]] == [3, 3, 3, 2, 3]

    # Totals, percentages and ranks, counted again.
    total = sum(one["points"] for one in sheet["rounds"])
    assert sheet["top_total"] == total
    for standing in sheet["standings"]:
        own = [s for one in sheet["rounds"] for s in one["slips"] if s["player"] == standing["player"]]
        assert standing["total"] == sum(s["total"] for s in own)
        assert standing["percent"] == round(100 * standing["total"] / total, 2)
        assert standing["rank"] == 1 + sum(s["total"] > standing["total"] for s in sheet["standings"])
    assert {standing["player"] for standing in sheet["standings"]} == {"Ann Ek", "Bob", "Çyd"}

    # The whole evening from one file gives the same, and so does the same file again.
    with evening.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows(lines)
    again = tmp_path / "again.json"
    answer(run, "new", str(again), "--rules", "french", "--seed", "11")
    assert answer(run, "round", str(again), "--slips", str(evening)) == sheet
    assert answer(run, "round", str(again), "--slips", str(evening)) == sheet
    assert again.read_bytes() == game.read_bytes()

    # The sheet as text and as a page.
    text = run("duplicate", "sheet", str(game))
    assert text.exit_code == 0
    first = sheet["standings"][0]
    assert re.search(
        rf"^ 1 +{first['player']} .* {first['total']} +{first['percent']:.2f} ", text.stdout, re.M
    )
    assert "The game is over: " in text.stdout
    page = run("duplicate", "sheet", str(game), "--html", "-")
    assert page.exit_code == 0
    assert page.stdout.startswith("<!doctype html>")
    assert "default-src &#39;none&#39;" in page.stdout or "default-src 'none'" in page.stdout
    for one in sheet["rounds"]:
        assert one["top"] in page.stdout
    assert page.stdout.count("Çyd") == len(sheet["rounds"])  # all rounds but one, and the ranking
    written = run("duplicate", "sheet", str(game), "--html", str(tmp_path / "sheet.html"))
    assert (tmp_path / "sheet.html").read_text("utf-8") == page.stdout
    assert written.stdout == text.stdout


def test_slips_are_typed_and_a_top_is_chosen(run: Run, lexicon: Lexicon, tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    assert run("duplicate", "new", str(game), "--seed", "3").exit_code == 0
    current = DuplicateGame.from_json(game.read_text("utf-8"), lexicon).current
    assert current is not None
    typed = ["Ann 8D", f"Ann {current.top.text}", "Bob Li 8D Q warning", "Bob Li - warning", "", "x", "2"]
    done = run("duplicate", "round", str(game), input="\n".join(typed) + "\n")
    assert done.exit_code == 0, done.output
    assert "That is not possible: a slip is a name, a square and a word" in done.stdout
    assert f"Ann: {current.top.score} (top)" in done.stdout
    assert f"  2. {current.tops[1].text}\n" in done.stdout
    assert re.search(r"^ Bob Li +- +pass +0 +0 +warned", done.stdout, re.MULTILINE)
    after = DuplicateGame.from_json(game.read_text("utf-8"), lexicon)
    assert [one.top for one in after.rounds] == [current.tops[1]]
    # The end of the input ends the slips, and the first of several tops is laid.
    done = run("duplicate", "round", str(game), "--lang", "fr", input="Ann -")
    assert done.exit_code == 0, done.output
    assert len(DuplicateGame.from_json(game.read_text("utf-8"), lexicon).rounds) == 2


def test_a_correction_closes_no_round(run: Run, lexicon: Lexicon, tmp_path: Path) -> None:
    game, slips = tmp_path / "game.json", tmp_path / "slips.csv"
    answer(run, "new", str(game), "--seed", "3")
    slips.write_text("player,at,word\nAnn,,\nEvil\u202e,,\n")
    refused = run("duplicate", "round", str(game), "--slips", str(slips))
    assert refused.exit_code == 2
    assert r"slips.csv: line 3: 'Evil\u202e' is not a name" in refused.stderr
    slips.write_text("player,at,word\nAnn,,\n[red]<b>,,\n")
    before = answer(run, "round", str(game), "--slips", str(slips))
    square, word = before["rounds"][0]["top"].split()
    slips.write_text(f"round,player,at,word\n1,Ann,{square},{word}\n")
    done = run("duplicate", "round", str(game), "--slips", str(slips))
    assert re.search(r"^ Ann .* top ", done.stdout, re.MULTILINE)
    assert re.search(r"^ \[red\]<b> +- +pass ", done.stdout, re.MULTILINE)
    after = answer(run, "sheet", str(game))
    assert after["current"] == before["current"]
    assert after["rounds"][0]["slips"][0]["verdict"] == "top"
    page = run("duplicate", "sheet", str(game), "--html", "-").stdout
    assert "[red]&lt;b&gt;" in page
    assert "<b>" not in page


def test_impossible_requests_are_refused_and_change_nothing(run: Run, tmp_path: Path) -> None:
    game, slips = tmp_path / "game.json", tmp_path / "slips.csv"
    answer(run, "new", str(game), "--seed", "3")
    saved = game.read_bytes()
    slips.write_text("player,at,word\nAnn,8D,QI\n")
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "latin.csv").write_bytes(b"player,at,word\nZo\xeb,,\n")
    for arguments, said in (
        (("new", str(game)), "game.json exists already"),
        (("new", str(tmp_path / "new.json"), "--rules", "frensh"), "did you mean french?"),
        (("new", str(tmp_path / "new.json"), "--lexicon", "klingon"), "there is no lexicon 'klingon'"),
        (("new", str(tmp_path / "new.json"), "--seed", str(2**53)), "the seed must be a whole number"),
        (("new", str(tmp_path / "nowhere" / "new.json")), "No such file or directory"),
        (("round", str(tmp_path / "missing.json")), "missing.json: No such file"),
        (("round", str(tmp_path / "other.json")), "other.json: this is not a saved game"),
        (("round", str(game), "--slips", str(tmp_path / "none.csv")), "none.csv: No such file"),
        (("round", str(game), "--slips", str(tmp_path / "latin.csv")), "is not a text in UTF-8"),
        (("round", str(game), "--slips", str(slips), "--top", "8D QI"), "the rack lacks Q"),
        (("round", str(game), "--slips", str(slips), "--top", "8H IN"), "is no top: a top scores"),
        (("sheet", str(tmp_path / "missing.json")), "missing.json: No such file"),
    ):
        done = run("duplicate", *arguments)
        assert (done.exit_code, "Traceback" in done.output) == (2, False), done.output
        assert said in done.stderr, done.stderr
    assert game.read_bytes() == saved
    assert not (tmp_path / "new.json").exists()
