"""CGP: every position is read and written back, every fault is named."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import Board, Player, Position, Rack
from engine.records import format_cgp, parse_cgp, read_operations
from engine.rules import BoardLayout, TileSet, board_layout, default_rule_set, rule_set, tile_set
from tests.large_list import ENDGAMES, PREENDGAMES, json_lines
from tests.position.strategies import positions
from tests.rules.strategies import foreign_text

if TYPE_CHECKING:
    from tests.large_list import LargeList

EMPTY = "/".join(["15"] * 15)
MID_GAME = (
    "7AbROACH1/12U2/12R2/12N2/8YETTS2/3ELF1KOA5/5AGENTrY3/5GOX3AGIO/15/15/15/15/15/15/15"
    " ADDIRRU/DEEIIST 97/168 0"
)
SPANISH = "/".join(["15"] * 7 + ["5[CH]O[rr]O6"] + ["15"] * 7) + " [LL]AÑO?/ 0/26 0 ld spanish;"


def again(text: str) -> str:
    return format_cgp(parse_cgp(text))


def test_a_position_in_one_line() -> None:
    position = parse_cgp(MID_GAME)
    position.check()
    alphabet = position.tile_set.alphabet
    assert position.board.rows(alphabet)[0] == ".......AbROACH."
    assert position.rack.text(alphabet) == "ADDIRRU"
    assert [player.score for player in position.players] == [97, 168]
    assert position.players[1].rack == Rack.from_text("DEEIIST", alphabet)
    assert position.zero_turns == 0
    assert (position.tile_set.id, position.layout.id, position.rules.id) == (
        "english",
        "standard15",
        "english",
    )
    assert position.lexicon_id is None
    assert position.bag_count() == 51
    assert format_cgp(position) == MID_GAME


def test_tiles_of_two_characters() -> None:
    position = parse_cgp(SPANISH)
    position.check()
    assert position.rules.id == "spanish"
    assert len(position.rack) == 5
    assert format_cgp(position) == SPANISH.replace("[LL]AÑO?", "A[LL]ÑO?")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (f"{EMPTY} ?ZEBRA/ 0/0 0", f"{EMPTY} ABERZ?/ 0/0 0"),
        (f"  {EMPTY}\tABC/   -5/07  3 ", f"{EMPTY} ABC/ -5/7 3"),
        (f"{EMPTY} / 0/0 0", f"{EMPTY} / 0/0 0"),
        (f"{EMPTY} A/B/C/D 1/2/3/4 0", f"{EMPTY} A/B/C/D 1/2/3/4 0"),
        (f"{EMPTY} A/ 0/0 0 lex NWL20;", f"{EMPTY} A/ 0/0 0 lex NWL20;"),
        (f"{EMPTY} A/ 0/0 0 lex NWL20", f"{EMPTY} A/ 0/0 0 lex NWL20;"),
        (f"{EMPTY} A/ 0/0 0 -lex NWL20", f"{EMPTY} A/ 0/0 0 lex NWL20;"),
        (f"{EMPTY} A/ 0/0 0 -lex NWL20 -bb 35", f"{EMPTY} A/ 0/0 0 lex NWL20; bb 35;"),
        (f"{EMPTY} A/ 0/0 0 -lex NWL20;", f"{EMPTY} A/ 0/0 0 lex NWL20;"),
        (f"{EMPTY} A/ 0/0 0 ld english; bdn CrosswordGame; lex X;", f"{EMPTY} A/ 0/0 0 lex X;"),
        (f"{EMPTY} A/ 0/0 0 ld English;", f"{EMPTY} A/ 0/0 0"),
        (f"{EMPTY} A/ 0/0 0 bb 50;etl 7; mcnz 6;cr double;", f"{EMPTY} A/ 0/0 0"),
        (
            f"{EMPTY} A/ 0/0 0 cr void; mcnz 3; etl 1; bb 35;",
            f"{EMPTY} A/ 0/0 0 bb 35; etl 1; mcnz 3; cr void;",
        ),
        (f"{EMPTY} A/ 0/0 0 gid x;  lm  8D   WORD ; new;", f"{EMPTY} A/ 0/0 0 lm 8D WORD; gid x; new;"),
        (f"{EMPTY} A/ 0/0 0 lm -ABC; var classic;", f"{EMPTY} A/ 0/0 0 lm -ABC; var classic;"),
        (f"{EMPTY} A/ 0/0 0 lm -; tmr 1000/-250;", f"{EMPTY} A/ 0/0 0 lm -; tmr 1000/-250;"),
        (f"{EMPTY} A/ 0/0 0 note a; note b;", f"{EMPTY} A/ 0/0 0 note a; note b;"),
        (f"{EMPTY} A/ 0/0 0 ld english_wwf; bdn wwf15;", f"{EMPTY} A/ 0/0 0 ld english_wwf; bdn wwf15;"),
        (f"{EMPTY} A/ 0/0 0 rules english_wespa;", f"{EMPTY} A/ 0/0 0 rules english_wespa;"),
        (
            f"{EMPTY} A/ 0/0 0 rules wwf; bb 40;",
            f"{EMPTY} A/ 0/0 0 bb 40; etl 1; mcnz 3; cr void; ending single; zero_turns_need_points true;",
        ),
    ],
)  # fmt: skip
def test_canonical_text(text: str, canonical: str) -> None:
    assert again(text) == canonical
    assert again(canonical) == canonical
    assert parse_cgp(canonical) == parse_cgp(text)


def test_larger_boards() -> None:
    large = "/".join(["21"] * 21)
    for operations in ("var classic_super;", "bdn SuperCrosswordGame; ld english_super;"):
        position = parse_cgp(f"{large} AEINRST/ 0/0 0 {operations}")
        assert (position.layout.id, position.tile_set.id) == ("super21", "english_super")
        assert parse_cgp(format_cgp(position)) == position
    assert format_cgp(position) == f"{large} AEINRST/ 0/0 0 ld english_super; bdn SuperCrosswordGame;"


def test_the_caller_says_what_the_text_does_not() -> None:
    tiles = TileSet.from_letters([{"letter": letter, "count": 9, "value": 1} for letter in "ABC"])
    layout = BoardLayout.from_rows(["." * 10] * 10, [(4, 4)])
    rules = default_rule_set("custom").changed(bingo_bonus=1)
    said = {"tile_set": tiles, "layout": layout, "rules": rules, "lexicon": "MINE"}
    text = "/".join(["10"] * 4 + ["4AB4"] + ["10"] * 5) + " CC/ 0/0 0"
    position = parse_cgp(text, **said)
    position.check()
    assert (position.tile_set, position.layout, position.rules, position.lexicon_id) == (
        tiles,
        layout,
        rules,
        "MINE",
    )
    assert format_cgp(position) == f"{text} lex MINE; ld custom; bdn custom; bb 1;"
    assert parse_cgp(format_cgp(position), **said) == position
    with pytest.raises(InvalidInput, match=r"no tile set 'custom'.*no board 'custom'"):
        parse_cgp(format_cgp(position))
    other = parse_cgp(f"{EMPTY} Ñ/ 0/0 0 lex X; ld spanish; bdn wwf15; rules wwf;", **said)
    assert (other.tile_set.id, other.layout.id, other.rules.id, other.lexicon_id) == (
        "spanish",
        "wwf15",
        "wwf",
        "X",
    )


@pytest.mark.parametrize(
    ("racks", "expected"),
    [
        ("ABC/", Player()),
        ("ABC/DEFGHIJ", Player(rack=Rack(bytes(range(4, 11))))),
        ("ABC/DE", Player(known_tiles=Rack(b"\4\5"))),
    ],
)
def test_racks_of_others_may_be_partial(racks: str, expected: Player) -> None:
    assert parse_cgp(f"{EMPTY} {racks} 0/0 0").players[1] == expected


def test_a_short_rack_is_complete_if_it_holds_all_unseen_tiles() -> None:
    tiles = TileSet.from_letters([{"letter": "A", "count": 5}])
    text = "/".join(["15"] * 7 + ["6AA7"] + ["15"] * 7)
    position = parse_cgp(f"{text} A/AA 0/0 0", tile_set=tiles)
    assert position.players[1] == Player(rack=Rack(b"\1\1"))
    assert position.bag_count() == 0
    gone = parse_cgp(f"{text} AAA/ 0/0 0", tile_set=tiles)
    assert gone.players[1] == Player(rack=Rack())


def test_operations_are_read_without_the_board() -> None:
    assert read_operations("x y z 0 lex NWL20; ld spanish;") == (("lex", "NWL20"), ("ld", "spanish"))
    assert read_operations("x y z 0 -lex NWL20") == (("lex", "NWL20"),)
    assert read_operations("x") == read_operations("") == ()


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("", "bad_cgp", "this one has 0"),
        (EMPTY, "bad_cgp", "this one has 1"),
        (f"{EMPTY} A/ 0/0", "bad_cgp", "this one has 3"),
        ("x" * 100_000, "cgp_too_long", "at most 8192"),
        (f"15/{EMPTY} A/ 0/0 0", "bad_row_count", "has 16 rows"),
        (MID_GAME.replace("12U2", "11U2"), "bad_row_width", "row 2 of the board is 14 squares wide"),
        (MID_GAME.replace("12U2", "12U3"), "bad_row_width", "row 2 of the board is 16 squares wide"),
        (MID_GAME.replace("12U2", "999999999"), "bad_empty_run", "row 2 of the board holds '999999999'"),
        (MID_GAME.replace("12U2", "12Ñ2"), "unknown_tile", "'Ñ' at 2M"),
        (f"{EMPTY} AB1/ 0/0 0", "unknown_tile", "in the rack, '1'"),
        (f"{EMPTY} /ab 0/0 0", "unknown_tile", "a blank is written '?'"),
        (f"{EMPTY} ABC 0/0 0", "bad_racks", "the racks 'ABC'"),
        (f"{EMPTY} A/B/C/D/E 0/0 0", "bad_racks", "2 to 4 players"),
        (f"{EMPTY} A/B 0 0", "bad_scores", "the scores '0'"),
        (f"{EMPTY} A/B 0/0/0 0", "bad_scores", "2 racks, but 3 scores"),
        (f"{EMPTY} A/B 0/x 0", "bad_number", "the score 'x'"),
        (f"{EMPTY} A/B 0/٣ 0", "bad_number", "the score '٣'"),
        (f"{EMPTY} A/B 0/{'9' * 5000} 0", "bad_number", "the score '9999"),
        (f"{EMPTY} A/B 0/1.5 0", "bad_number", "the score '1.5'"),
        (f"{EMPTY} A/B 0/1_0 0", "bad_number", "the score '1_0'"),
        (f"{EMPTY} A/B 0/0 ²", "bad_number", "the number of scoreless turns '²'"),
        (f"{EMPTY} A/B 0/0 0 lex;", "operation_without_value", "the operation lex has no value"),
        (f"{EMPTY} A/B 0/0 0 lex ;", "operation_without_value", "the operation lex has no value"),
        (f"{EMPTY} A/B 0/0 0 -lex", "operation_without_value", "the operation lex has no value"),
        (f"{EMPTY} A/B 0/0 0 tmr;", "operation_without_value", "the operation tmr has no value"),
        (f"{EMPTY} A/B 0/0 0 lex A; lex B;", "operation_twice", "lex is given twice"),
        (f"{EMPTY} A/B 0/0 0 8D x;", "bad_operation", "'8D' is not a name"),
        (f"{EMPTY} A/B 0/0 0 a\ud800;", "bad_operation", "lone surrogate"),
        (f"{EMPTY} A/B 0/0 0 gid a\x00;", "bad_operation", "lone surrogate"),
        (f"{EMPTY} A/B 0/0 0 gid {'x' * 2000};", "bad_operation", "longer than 1000"),
        (f"{EMPTY} A/B 0/0 0 ld klingon;", "unknown_tile_set", "no tile set 'klingon'; known: catalan"),
        (f"{EMPTY} A/B 0/0 0 bdn round;", "unknown_board", "no board 'round'; known: standard15"),
        (f"{EMPTY} A/B 0/0 0 rules chess;", "unknown_rule_set", "no rule set 'chess'"),
        (f"{EMPTY} A/B 0/0 0 var wordsmog;", "unknown_variant", "the variant 'wordsmog'"),
        (f"{EMPTY} A/B 0/0 0 bb x;", "bad_rule", "bingo_bonus must be a whole number"),
        (f"{EMPTY} A/B 0/0 0 bb 1e3;", "bad_rule", "bingo_bonus"),
        (f"{EMPTY} A/B 0/0 0 bb {'9' * 900};", "bad_rule", "bingo_bonus"),
        (f"{EMPTY} A/B 0/0 0 etl 0;", "bad_rule", "exchange_limit"),
        (f"{EMPTY} A/B 0/0 0 mcnz -1;", "bad_rule", "zero_turn_limit"),
        (f"{EMPTY} A/B 0/0 0 cr 7pt;", "bad_rule", "challenge_rule must be one of single, double"),
        (f"{EMPTY} A/B 0/0 0 bdn super21;", "bad_row_count", "has 15 rows; it must have 21"),
    ],
)  # fmt: skip
def test_faults_are_named(text: str, code: str, named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_cgp(text)
    assert caught.value.code == code
    assert named in str(caught.value)
    assert {fault.field for fault in caught.value.faults} == {"cgp"}
    str(caught.value).encode()


def test_all_faults_are_named_at_once() -> None:
    text = MID_GAME.replace("12U2", "12U3").replace("ADDIRRU", "ADD!").replace("168", "x").replace(" 0", " y")
    with pytest.raises(InvalidInput) as caught:
        parse_cgp(text)
    codes = [fault.code for fault in caught.value.faults]
    assert codes == ["bad_row_width", "unknown_tile", "bad_number", "bad_number"]


@pytest.mark.parametrize(
    ("board", "code"),
    [
        (EMPTY.replace("15/", "7A7/", 1), "lone_tile"),
        (EMPTY.replace("15/", "6AT7/", 1), "start_not_covered"),
        ("/".join(["AB13"] + ["15"] * 6 + ["6ST7"] + ["15"] * 7), "floating_tiles"),
        ("/".join(["15"] * 7 + ["6QQ7"] + ["15"] * 7), "too_many_tiles"),
    ],
)
def test_impossible_boards_are_read_but_do_not_pass(board: str, code: str) -> None:
    position = parse_cgp(f"{board} A/ 0/0 0")
    with pytest.raises(InvalidInput) as caught:
        position.check()
    assert caught.value.code == code


def comparable(position: Position) -> Position:
    """Return the position as far as CGP can say it."""
    players = tuple(Player(player.score, known_tiles=player.held) for player in position.players)
    return dataclasses.replace(position, players=players)


@given(positions())
def test_round_trip(position) -> None:
    said = {"tile_set": position.tile_set, "layout": position.layout}
    text = format_cgp(position)
    read = parse_cgp(text, **said)
    assert comparable(read) == comparable(position)
    assert format_cgp(read) == text
    assert parse_cgp(format_cgp(read), **said) == read


@given(positions())
def test_round_trip_needs_no_help_with_known_boards(position) -> None:
    if position.layout.id != "custom":
        assert comparable(parse_cgp(format_cgp(position))) == comparable(position)


@given(
    st.sampled_from(
        [MID_GAME, SPANISH, f"{EMPTY} A/B 0/0 0 lex X; bb 50; lm -2;", f"{EMPTY} A/ 0/0 0 -lex N -bb 9"]
    ),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 9), foreign_text), min_size=1, max_size=4),
)
def test_any_damage_gives_a_position_or_invalid_input(text, cuts) -> None:
    for start, length, new in cuts:
        text = text[:start] + new[:50] + text[start + length :]
    check_reader(text)


@given(
    st.one_of(
        foreign_text,
        st.tuples(*[foreign_text] * 5).map(" ".join),
        foreign_text.map(f"{EMPTY} A/ 0/0 0 ".__add__),
    )
)
def test_any_text_is_a_position_or_invalid_input(text) -> None:
    check_reader(text)


def check_reader(text: str) -> None:
    try:
        position = parse_cgp(text)
    except InvalidInput as error:
        "".join(fault.code + fault.detail for fault in error.faults).encode()
        return
    canonical = format_cgp(position)
    canonical.encode()
    assert format_cgp(parse_cgp(canonical)) == canonical
    assert parse_cgp(canonical) == position
    position.id.encode()
    try:
        position.check()
    except InvalidInput as error:
        str(error).encode()


@pytest.mark.long
def test_every_published_position(large_list: LargeList) -> None:
    """All of them are possible, and all but one are canonical already (its blank stands first)."""
    texts = large_list.cgps() + [line["cgp"] for path in (ENDGAMES, PREENDGAMES) for line in json_lines(path)]
    changed = []
    for text in texts:
        position = parse_cgp(text)
        position.check()
        assert 0 <= position.bag_count() <= 100
        if format_cgp(position) != text:
            changed.append((text, format_cgp(position)))
    assert [(old.split()[1], new.split()[1]) for old, new in changed] == [
        ("?AEEKSU/BEIQUVW", "AEEKSU?/BEIQUVW")
    ]


def test_published_endgames_have_an_empty_bag() -> None:
    for line in json_lines(ENDGAMES):
        position = parse_cgp(line["cgp"])
        assert position.bag_count() == 0
        assert position.players[1].rack is not None
    for line in json_lines(PREENDGAMES):
        assert parse_cgp(line["cgp"]).bag_count() in (1, 2)


def test_a_full_board_of_the_largest_size_fits() -> None:
    tiles = TileSet.from_letters([{"letter": "ABC", "count": 1}, {"letter": "DEF", "count": 1}])
    layout = BoardLayout.from_rows(["." * 26] * 26, [(0, 0)])
    board = Board(26, bytes([1, 130] * 338))
    position = Position(board, layout, tiles, rule_set("english"))
    text = format_cgp(position)
    assert parse_cgp(text, tile_set=tiles, layout=layout).board == board
    assert board_layout("standard15") != layout
    assert tile_set("english") != tiles
