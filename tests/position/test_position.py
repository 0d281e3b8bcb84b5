"""Positions: what is unseen, what is in the bag, and what cannot be."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import Board, Player, Position, Rack
from engine.rules import BoardLayout, board_layout, default_rule_set, tile_set
from tests.position.strategies import positions

ENGLISH = tile_set("english")
STANDARD = board_layout("standard15")


def position(
    rows: dict[int, str] | None = None, rack: str = "", players: tuple[Player, ...] = (Player(),), **others
) -> Position:
    """Return an English position from rows by number, the mover's rack and the other players."""
    texts = [(rows or {}).get(number, "15") for number in range(1, 16)]
    return Position(
        board=Board.from_text("/".join(texts), ENGLISH.alphabet, 15),
        layout=STANDARD,
        tile_set=ENGLISH,
        rules=default_rule_set("english"),
        players=(Player(0, english(rack)), *players),
        **others,
    )


def english(text: str) -> Rack:
    return Rack.from_text(text, ENGLISH.alphabet)


def faults(of: Position) -> list[tuple[str, str]]:
    with pytest.raises(InvalidInput) as caught:
        of.check()
    str(caught.value).encode()
    return [(fault.code, fault.field) for fault in caught.value.faults]


def test_unseen_and_bag() -> None:
    empty = position()
    assert empty.unseen() == ENGLISH.counts
    assert empty.bag_count() == 93
    mid = position({8: "7QUIz4"}, "AEINRS?", (Player(0, english("ABC")),))
    unseen = mid.unseen()
    code = ENGLISH.alphabet.code
    assert (unseen[0], unseen[code("Q")], unseen[code("A")], unseen[code("I")]) == (0, 0, 8, 7)
    assert sum(unseen) == mid.unseen_count() == 100 - 4 - 7
    assert mid.bag_count() == 89 - 3
    assert mid.rack == english("AEINRS?")


@pytest.mark.parametrize(
    ("player", "held"),
    [
        (Player(), 7),
        (Player(known_tiles=Rack(b"\1\2")), 7),
        (Player(tile_count=3), 3),
        (Player(rack=Rack(b"\1\2")), 2),
        (Player(rack=Rack()), 0),
        (Player(rack=Rack(), tile_count=0), 0),
    ],
)
def test_what_the_others_hold(player: Player, held: int) -> None:
    assert position(players=(player,)).bag_count() == 100 - held
    assert position(players=(player, player, player)).bag_count() == 100 - 3 * held


@given(positions())
def test_the_bag_is_never_negative(any_position) -> None:
    assert 0 <= any_position.bag_count() <= any_position.unseen_count()


def test_possible_positions_pass() -> None:
    position().check()
    position({8: "6AT7"}, "AEINRS?").check()
    position({8: "6AT7"}, "AEINRS?", (Player(known_tiles=english("QQ"[:1]), tile_count=7),)).check()
    position(players=(Player(-30, last_move="8D WORD"), Player(10), Player(tile_count=0))).check()
    endings = "AAAAAAAAABBCCDDDDEEEEEEEEEEEEFFGGGHHIIIIIIIIIJKLLLLMMNNNNNNOOOOOOOOPPQRRRRRRSSSSTTTTTTUUUUVVWW"
    rows = {8 + index: endings[index * 15 : index * 15 + 15] for index in range(6)}
    full = position({**rows, 14: endings[90:] + str(105 - len(endings))}, "XYYZ", (Player(0, english("??")),))
    full.check()
    assert full.bag_count() == 0


@pytest.mark.parametrize(
    ("rows", "code", "field", "named"),
    [
        ({8: "7A7"}, "lone_tile", "board", "a single tile, at 8H"),
        ({1: "A14"}, "lone_tile", "board", "a single tile, at 1A"),
        ({15: "14A"}, "lone_tile", "board", "a single tile, at 15O"),
        ({7: "6AT7"}, "start_not_covered", "board", "no tile covers the start square 8H"),
        ({8: "6AT7", 1: "14A"}, "floating_tiles", "board/0/14", "start square: 1O"),
        ({8: "6AT7", 9: "8A6"}, "floating_tiles", "board/8/8", "start square: 9I"),
        (
            {8: "6AT7", 15: "ABCDEFGHI6"},
            "floating_tiles",
            "board/14/0",
            "15A, 15B, 15C, 15D, 15E, 15F, 15G, 15H and 1 more",
        ),
        ({8: "6ATAAAAAAA", 9: "A14"}, "floating_tiles", "board/8/0", "start square: 9A"),
        ({7: "14A", 8: "AAAAAAAA7"}, "floating_tiles", "board/6/14", "start square: 7O"),
    ],
)
def test_tiles_must_hang_together(rows, code: str, field: str, named: str) -> None:
    bad = position(rows)
    assert faults(bad)[0] == (code, field)
    with pytest.raises(InvalidInput, match=named):
        bad.check()


@given(
    st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_connection_agrees_with_a_walk(squares, row, column) -> None:
    layout = BoardLayout.from_rows(["." * 10] * 10, [(row, column)])
    board = Board.empty(10).with_tiles([(*square, 1) for square in squares])
    tiles = dataclasses.replace(position(), board=board, layout=layout)
    reached, edge = set(), [(row, column)]
    while edge:
        at = edge.pop()
        if at in squares and at not in reached:
            reached.add(at)
            edge += [(at[0] + 1, at[1]), (at[0] - 1, at[1]), (at[0], at[1] + 1), (at[0], at[1] - 1)]
    codes = set()
    try:
        tiles.check()
    except InvalidInput as error:
        codes = {fault.code for fault in error.faults} - {"too_many_tiles", "too_few_tiles_left"}
    if not squares:
        assert codes == set()
    elif len(squares) == 1:
        assert codes == {"lone_tile"}
    elif (row, column) not in squares:
        assert codes == {"start_not_covered"}
    else:
        assert codes == ({"floating_tiles"} if reached != squares else set())


def test_one_of_several_start_squares_is_enough() -> None:
    layout = BoardLayout.from_rows(["." * 10] * 10, [(0, 0), (9, 8)])
    board = Board.empty(10).with_tiles([(9, 8, 1), (9, 9, 1)])
    dataclasses.replace(position(), board=board, layout=layout).check()
    two = dataclasses.replace(position(), board=board.with_tiles([(0, 0, 1), (0, 1, 1)]), layout=layout)
    assert faults(two) == [("floating_tiles", "board/9/8")]
    none = dataclasses.replace(
        position(), board=Board.empty(10).with_tiles([(5, 5, 1), (5, 6, 1)]), layout=layout
    )
    with pytest.raises(InvalidInput, match="start square 1A or 10I"):
        none.check()


@pytest.mark.parametrize(
    ("rows", "rack", "players", "field", "named"),
    [
        ({8: "6QQ7"}, "", (Player(),), "board", "2 of the tile Q, the tile set only 1"),
        ({8: "6QI7"}, "Q", (Player(),), "rack", "2 of the tile Q, the tile set only 1"),
        ({8: "6qu7"}, "?", (Player(),), "rack", "3 of the blank '?', the tile set only 2"),
        ({8: "6QI7"}, "", (Player(0, Rack(b"\x11")),), "players/1/rack", "2 of the tile Q"),
        ({8: "6QI7"}, "", (Player(), Player(known_tiles=Rack(b"\x11"))), "players/2/rack", "2 of the tile Q"),
    ],
)
def test_no_more_tiles_than_the_set_holds(rows, rack: str, players, field: str, named: str) -> None:
    bad = position(rows, rack, players)
    assert faults(bad) == [("too_many_tiles", field)]
    with pytest.raises(InvalidInput, match=named.replace("?", r"\?")):
        bad.check()


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"rack": "ABCDEFGH"}, "rack_too_long", "rack"),
        ({"players": (Player(0, Rack(bytes(range(1, 9)))),)}, "rack_too_long", "players/1/rack"),
        (
            {"players": (Player(known_tiles=Rack(bytes(range(1, 9)))),)},
            "rack_too_long",
            "players/1/known_tiles",
        ),
        ({"players": (Player(tile_count=8),)}, "bad_tile_count", "players/1/tile_count"),
        ({"players": (Player(tile_count=-1),)}, "bad_tile_count", "players/1/tile_count"),
        ({"players": (Player(0, Rack(b"\1"), tile_count=2),)}, "bad_tile_count", "players/1/tile_count"),
        (
            {"players": (Player(known_tiles=Rack(b"\1\2"), tile_count=1),)},
            "bad_tile_count",
            "players/1/tile_count",
        ),
        ({"players": (Player(0, Rack(b"\1"), Rack(b"\2")),)}, "bad_known_tiles", "players/1/known_tiles"),
        ({"players": (Player(0, Rack(b"\1"), Rack(b"\1\1")),)}, "bad_known_tiles", "players/1/known_tiles"),
        ({"players": (Player(100_000),)}, "bad_score", "players/1/score"),
        ({"players": ()}, "bad_player_count", "players"),
        ({"players": (Player(),) * 4}, "bad_player_count", "players"),
        ({"zero_turns": -1}, "bad_zero_turns", "zero_turns"),
        ({"zero_turns": 100}, "bad_zero_turns", "zero_turns"),
        ({"lexicon_id": ""}, "bad_text", "lexicon"),
        ({"lexicon_id": "a;b"}, "bad_text", "lexicon"),
        ({"lexicon_id": "a\ud800"}, "bad_text", "lexicon"),
        ({"lexicon_id": "a" * 100_000}, "bad_text", "lexicon"),
        ({"players": (Player(last_move="8D A\nB"),)}, "bad_text", "players/1/last_move"),
    ],
)
def test_impossible_facts_are_refused(changes, code: str, field: str) -> None:
    assert faults(position(**changes)) == [(code, field)]


def test_too_few_tiles_for_the_others() -> None:
    tiles = "".join(
        letter * count for letter, count in zip(ENGLISH.alphabet.letters, ENGLISH.counts[1:], strict=True)
    )
    rows = {8 + index: tiles[index * 15 : index * 15 + 15] for index in range(6)}
    bad = position(rows, tiles[90:95], (Player(tile_count=6),))
    assert faults(bad) == [("too_few_tiles_left", "players")]
    position(rows, tiles[90:95], (Player(tile_count=5),)).check()
    position(rows, tiles[90:95], (Player(),)).check()


def test_sizes_must_agree() -> None:
    wide = dataclasses.replace(position(), layout=board_layout("super21"))
    assert faults(wide) == [("bad_board_size", "board")]
    small = dataclasses.replace(position({8: "6QZ7"}, "ZZZ"), tile_set=tile_set("portuguese"))
    assert faults(small) == [("unknown_tile", "board"), ("unknown_tile", "rack")]


def test_all_faults_are_named_at_once() -> None:
    bad = position({8: "6QQ7", 1: "A14"}, "ABCDEFGH", (Player(10**9),), zero_turns=-1)
    assert [code for code, _ in faults(bad)] == [
        "floating_tiles",
        "too_many_tiles",
        "rack_too_long",
        "bad_score",
        "bad_zero_turns",
    ]


@given(positions())
def test_a_check_never_fails_otherwise(any_position) -> None:
    try:
        any_position.check()
    except InvalidInput as error:
        messages = [fault.detail for fault in error.faults]
    else:
        messages = ["none"]
    "".join(messages).encode()
    assert messages


def test_the_id_depends_on_everything_but_the_last_moves() -> None:
    base = position({8: "6AT7"}, "AEINRS?", lexicon_id="NWL20")
    other = Player()
    variants = [
        base,
        position({8: "6At7"}, "AEINRS?", lexicon_id="NWL20"),
        position({8: "6AT7"}, "AEINRS", lexicon_id="NWL20"),
        position({8: "6AT7"}, "AEINRS?"),
        position({8: "6AT7"}, "AEINRS?", lexicon_id="None"),
        dataclasses.replace(base, zero_turns=1),
        dataclasses.replace(base, layout=board_layout("wwf15")),
        dataclasses.replace(base, tile_set=tile_set("english_wwf")),
        dataclasses.replace(base, rules=default_rule_set("spanish")),
        dataclasses.replace(base, rules=base.rules.changed(bingo_bonus=35)),
        dataclasses.replace(base, operations=(("gid", "1"),)),
        dataclasses.replace(base, operations=(("gid", "2"),)),
        dataclasses.replace(base, players=(base.players[0], other, other)),
        dataclasses.replace(base, players=(base.players[0], dataclasses.replace(other, score=1))),
        dataclasses.replace(base, players=(base.players[0], dataclasses.replace(other, rack=Rack()))),
        dataclasses.replace(base, players=(base.players[0], dataclasses.replace(other, known_tiles=Rack()))),
        dataclasses.replace(base, players=(base.players[0], dataclasses.replace(other, tile_count=0))),
    ]
    assert len({variant.id for variant in variants}) == len(variants)
    assert base.id == dataclasses.replace(base).id
    moved = dataclasses.replace(base, players=(base.players[0], dataclasses.replace(other, last_move="-")))
    assert moved.id == base.id, "a request may leave out the last moves"
    assert len(base.id) == 64


@given(positions(), positions())
@pytest.mark.long
def test_equal_canonical_texts_mean_equal_positions(one, two) -> None:
    assert (one.canonical() == two.canonical()) == (one == two)
    one.canonical().encode()
