"""Tables at any width, in one style; and the lines about players, racks and the bag."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine import parse_cgp
from kibitz.cli.board import players_text
from kibitz.cli.search_tables import ending_text
from kibitz.cli.tables import print_table

WORDS = st.lists(st.text("abcdefghij", min_size=1, max_size=12), min_size=1, max_size=4).map(" ".join)
FIGURES = st.from_regex(r"\A[0-9]{1,9}\.[0-9]{1,4} \([0-9]{1,3}%\)\Z")
ROWS = st.lists(st.tuples(FIGURES, WORDS, FIGURES, WORDS), min_size=1, max_size=5)
EMPTY = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"


def printed(table: Table, width: int) -> str:
    """Return a table as it is printed on a terminal of this width."""
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    print_table(table, console)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


@settings(max_examples=50, deadline=None)
@given(
    rows=ROWS, headings=st.tuples(WORDS, WORDS, WORDS, WORDS), width=st.integers(20, 160), boxed=st.booleans()
)
@pytest.mark.long
def test_no_heading_and_no_figure_is_ever_cut(
    rows: list[tuple[str, ...]], headings: tuple[str, ...], width: int, boxed: bool
) -> None:
    table = Table(title="a title that is longer than some of the terminals it is printed on")
    if not boxed:
        table.box = None
    for heading, justify in zip(headings, ("right", "left", "right", "left"), strict=True):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*map(Text, row))
    text = printed(table, width)
    assert "…" not in text
    words = text.split()
    for heading in headings:
        assert set(heading.split()) <= set(words)
    for row in rows:
        assert row[0] in text
        assert row[2] in text
        assert set(row[1].split() + row[3].split()) <= set(words)


def test_a_table_that_fits_is_no_wider_than_the_terminal() -> None:
    table = Table("name", "what it means", box=None)
    table.add_row("first", "some words that must be broken here and there to fit " * 3)
    assert max(map(len, printed(table, 60).splitlines())) <= 60


def test_every_table_has_the_same_style() -> None:
    """Whatever style a command gives its table: no lines, a title at the left, headings below."""
    table = Table("name", "points", title="Results", show_lines=True)
    table.add_row("first", "12")
    plain = Table("name", "points", title="Results", box=None)
    plain.add_row("first", "12")
    assert printed(table, 60) == printed(plain, 60)
    assert printed(table, 60).split() == ["Results", "name", "points", "first", "12"]


def test_a_column_without_a_value_is_left_out() -> None:
    table = Table("move", "win%", "remark")
    table.add_row("8D CARE", "", "")
    table.add_row("8D ACRE", Text(""), "phony")
    assert printed(table, 60).split() == ["move", "remark", "8D", "CARE", "8D", "ACRE", "phony"]
    empty = Table("move", "win%")
    assert printed(empty, 60).split() == ["move", "win%"], "headings of a table without rows stay"


def test_off_a_terminal_a_row_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    table = Table("name", "what it means", box=None)
    table.add_row("first", "some words that are not broken " * 9)
    console = Console(file=io.StringIO())
    print_table(table, console)
    assert len(console.file.getvalue().splitlines()) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("racks", "expected"),
    [
        ("AEINRST/", ("A E I N R S T", "tiles unknown", "86 tiles in the bag")),
        ("AEI/Q", ("A E I  3 of 7 tiles given", "Q  and unknown tiles", "90 tiles in the bag")),
        ("/", ("tiles unknown", "tiles unknown", "93 tiles in the bag")),
    ],
)
def test_the_lines_of_players_show_their_known_tiles(racks: str, expected: tuple[str, ...]) -> None:
    lines = players_text(parse_cgp(f"{EMPTY} {racks} 0/0 0")).plain.splitlines()
    assert all(text in line for text, line in zip(expected, lines, strict=True))
    assert [line.split("  ")[1] for line in lines[:2]] == ["on turn", "opponent"]


def test_several_opponents_are_numbered_and_players_of_a_record_named() -> None:
    position = parse_cgp(f"{EMPTY} AEI/Q/ 0/0/0 0")
    lines = players_text(position).plain.splitlines()
    assert [line.split("  ")[1].strip() for line in lines[:3]] == ["on turn", "opponent 1", "opponent 2"]
    lines = players_text(position, ["ann", "bo", "cy"]).plain.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["ann", "bo", "cy"]


def test_with_an_empty_bag_the_other_rack_is_the_unseen_tiles() -> None:
    """Of VsCanik, a published endgame, with the other rack left out."""
    cgp = (
        "9A1PIXY/9S1L3/2ToWNLETS1O3/9U1DA1R/3GERANIAL1U1I/9g2T1C/8WE2OBI/6EMU4ON/6AID3GO1/5HUN4ET1/"
        "4ZA1T4ME1/1Q1FAKEY3JOES/FIVE1E5IT1C/5SPORRAN2A/6ORE2N2D BGIV/{} 384/389 0"
    )
    for other, note in (("", "D E H I L O R  all unseen tiles"), ("DEHILOR", "D E H I L O R")):
        lines = players_text(parse_cgp(cgp.format(other))).plain.splitlines()
        assert lines[1].endswith(note)
        assert lines[2].strip() == "the bag is empty"


def test_the_end_of_a_game_is_described_in_words() -> None:
    assert ending_text(6, "exact") == "wins by 6, proven"
    assert ending_text(-6, "exact") == "loses by 6, proven"
    assert ending_text(0, "exact") == "ties, proven"
    assert ending_text(4, "bound") == "wins by 4 or more, proven"
    assert ending_text(-4, "bound") == "loses by 4 at most, proven"
    assert ending_text(0, "bound") == "ties at least, proven"
    assert ending_text(-2, "estimate") == "ends at about -2, not proven"
