"""Whatever is wrong with a text, its params hold the numbers and the quoted texts of the sentence."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import Board, Position, Rack, parse_move
from engine.records import parse_cgp, read_gcg, replay_game
from engine.rules import BoardLayout, TileSet, rule_set, tile_set, tile_set_ids
from engine.rules.alphabet import Alphabet
from tests.rules.strategies import foreign_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.errors import Fault

EMPTY = "/".join(["15"] * 15)
PLAYERS = "#player1 a Ann\n#player2 b Ben\n"

# What messages say whatever is wrong: bounds that are always 0 or 1, examples, how a blank is written.
CONSTANT = re.compile(
    r"'8D WORD'|'-ABC'|'--?'|'\(challenge\)'|'\(TILES\)'|'\?'|'>'|'/'|';'|8D or D8|\(#player1\)|\b[01]\b to"
    r"|\b[01]\b or more|no word has one letter|. T D Q t d q \*"
)


def unexplained(fault: Fault) -> list[str]:
    """Return the numbers and quoted texts of a sentence that its params lack."""
    detail = CONSTANT.sub("", fault.detail)
    held = " ".join(str(value) for value in fault.params.values())
    if "'" in held:
        return []  # where such a text ends in the sentence cannot be said
    quoted = re.findall(r"(?<!\w)'(.*?)'(?!\w)", detail)
    for text in quoted:
        detail = detail.replace(f"'{text}'", "")
    numbers = re.findall(r"\d+", detail)
    return [text for text in quoted if text not in held] + [
        number for number in numbers if number not in re.findall(r"\d+", held)
    ]


def check(faults: Sequence[Fault]) -> None:
    for fault in faults:
        assert unexplained(fault) == [], (fault.detail, fault.params)
        json.dumps(dict(fault.params)).encode()
        assert sum(len(str(value)) for value in fault.params.values()) < 2000
        hash(fault)


def faults_of(make: Callable[[], object]) -> Sequence[Fault]:
    try:
        make()
    except InvalidInput as error:
        return error.faults
    return ()


@pytest.mark.parametrize(
    "cgp",
    [
        "",
        "x" * 9000,
        f"{EMPTY} ABC/ 0 0",
        f"{EMPTY} ABC/ 0/0/0 0",
        f"{EMPTY} ABCDEFGH/ 0/0 0",
        f"{EMPTY} A1C/ 0/0 0",
        f"{EMPTY} ZZZ/ 0/0 0",
        f"{EMPTY} ABC/ x/0 y",
        f"{EMPTY} ABC/ 0/0 0 lex;",
        f"{EMPTY} ABC/ 0/0 0 lex a; lex b;",
        f"{EMPTY} ABC/ 0/0 0 1x y;",
        f"{EMPTY} ABC/ 0/0 0 ld klingon; bdn nowhere; var odd; rules none;",
        f"{EMPTY} ABC/ 0/0 0 bb 5000; cr maybe; zero_turns_need_points perhaps;",
        f"{EMPTY} ABC/ 0/0 200",
        f"{EMPTY} ABC/ 100000/0 0",
        f"{EMPTY} ABC/DEFGHIJKL 0/0 0",
        "14/" + EMPTY[3:] + " / 0/0 0",
        "15A/" + EMPTY[3:] + " / 0/0 0",
        "99/" + EMPTY[3:] + " / 0/0 0",
        "7A7/" + EMPTY[3:] + " / 0/0 0",
        "7AB6/" + EMPTY[3:] + " / 0/0 0",
        "é14/" + EMPTY[3:] + " / 0/0 0",
        "15/15 / 0/0 0",
    ],
)
def test_positions(cgp: str) -> None:
    def take() -> None:
        parse_cgp(cgp).check()

    faults = faults_of(take)
    assert faults
    check(faults)


@settings(deadline=None, max_examples=200)
@given(
    st.text("ABC159/?[]().-; x", max_size=80) | foreign_text,
    st.sampled_from(["", f"{EMPTY} ", f"{EMPTY} A/ 0/0 0 "]),
)
def test_any_cgp(text: str, head: str) -> None:
    check(faults_of(lambda: parse_cgp(head + text).check()))


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    ">a: ABC 8D CAB +16 16",
                    ">b: ABC 8D CAB +16 99",
                    ">a: XYZ -- -16 0",
                    ">c: - +0",
                    ">a: A",
                    ">a:",
                ),
                *(
                    ">a: ABCDEFGH - +0 0",
                    ">a: ZZZ -ZZZ +0 0",
                    ">a: A 8O CAB +1 1",
                    ">b: A1 9D A1 +1 1",
                    "#title a",
                ),
                *(
                    "#title b",
                    "#player1 x",
                    "#player4 y",
                    "#rack1 A",
                    "#rack1 B C",
                    "#rack9 A",
                    ">a: (time) +5 5",
                ),
                *(
                    ">a: (ABC) +10 10",
                    ">b: (ABC) -10 10",
                    ">a: (challenge) +3 3",
                    ">a: CAB 8D CAB 16 x y",
                    " >a: -",
                ),
                *(
                    ">a: CA 8D CAB +12 12",
                    ">b: SAB 8D ...S +7 7",
                    ">b: SAB H8 ..S +7 7",
                    "stray",
                    "#lexicon NWL23",
                ),
                *(
                    "#board-layout odd",
                    "#tile-distribution odd",
                    ">b: ABC -3 +0 0",
                    ">b: ABC -9 +0 0",
                    ">a: A P1 AB +1 1",
                ),
            ]
        ),
        max_size=14,
    )
)
@pytest.mark.long
def test_records(lines: list[str]) -> None:
    reading = read_gcg(PLAYERS + "\n".join(lines))
    check(reading.faults)
    check(reading.warnings)
    replay = replay_game(reading.record)
    check(replay.faults)
    check(replay.warnings)
    for fault in (*reading.faults, *replay.faults):
        assert fault.params.get("line", 0) == fault.line


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(["", "8D ", "H8 ", "-", "15O "]), foreign_text | st.text("CATS.()[]?1", max_size=9))
@pytest.mark.long
def test_moves_and_racks(at: str, text: str) -> None:
    squares = "/".join([*["15"] * 7, "6CAT6", *["15"] * 7])
    for name in tile_set_ids():
        tiles = tile_set(name)
        if {"C", "A", "T"} <= set(tiles.alphabet.letters):
            on = Board.from_text(squares, tiles.alphabet, 15)
            check(faults_of(lambda on=on, tiles=tiles: parse_move(at + text, on, tiles)))  # type: ignore[misc]
            check(faults_of(lambda tiles=tiles: Rack.from_text(text, tiles.alphabet)))  # type: ignore[misc]
            check(faults_of(lambda tiles=tiles: tiles.alphabet.encode_word(text)))  # type: ignore[misc]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Alphabet([]),
        lambda: Alphabet(["A", "A"]),
        lambda: Alphabet(["a"]),
        lambda: Alphabet(["ABCD"]),
        lambda: tile_set("english").alphabet.letter(99),
        lambda: tile_set("english").alphabet.code("é"),
        lambda: TileSet.from_letters([{"letter": "A", "count": 999, "value": 1000}]),
        lambda: TileSet.from_letters([{"letter": "A", "count": 10**40, "value": 1}]),
        lambda: TileSet.from_letters([{"letter": "A", "count": "1", "value": 1}]),
        lambda: TileSet.from_letters([{"count": 1}]),
        lambda: TileSet.from_letters([{"letter": "A", "count": 1, "colour": 1}]),
        lambda: TileSet.from_csv("letter,count,value,is_vowel\nA,x,1,1\n", "mine"),
        lambda: BoardLayout.from_rows(["." * 5] * 5),
        lambda: BoardLayout.from_rows(["." * 14] + ["." * 15] * 14),
        lambda: BoardLayout.from_rows(["x" + "." * 14] + ["." * 15] * 14),
        lambda: BoardLayout.from_rows(["." * 15] * 15, [(20, 20)]),
        lambda: rule_set("english").changed(bingo_bonus=-5, challenge_rule="x"),
        lambda: rule_set("english").changed(nonsense=1),
        lambda: Board.empty(15).with_tiles([(20, 3, 1)]),
        lambda: Board.empty(15).with_tiles([(2, 3, 1), (2, 3, 1)]),
        lambda: Board.from_tiles(
            [("8D", "Q", False), ("8D", "1", False), ("99Z", "A", False), ("8D", "Q", False)],
            tile_set("english").alphabet,
            15,
        ),
    ],
)
def test_rules_and_boards(make: Callable[[], Position]) -> None:
    faults = faults_of(make)
    assert faults
    check(faults)
