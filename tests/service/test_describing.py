"""The description of plays, compared with a simple one in Python, on random boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Judged
from engine.position import (
    BLANK_FLAG,
    Board,
    Play,
    Player,
    Position,
    Rack,
    format_coordinate,
    format_move,
    format_square,
)
from engine.rules import board_layout, default_rule_set, tile_set
from service.documents import move_members

if TYPE_CHECKING:
    from engine import Lexicon

SIDE = 15


@st.composite
def positions(draw: st.DrawFn, tiles_id: str) -> Position:
    tiles = tile_set(tiles_id)
    code = st.integers(1, tiles.alphabet.size)
    tile = st.one_of(st.just(0), st.just(0), code, code.map(lambda code: code | BLANK_FLAG))
    squares = bytes(draw(st.lists(tile, min_size=SIDE * SIDE, max_size=SIDE * SIDE)))
    rack = Rack(bytes(draw(st.lists(st.integers(0, tiles.alphabet.size), max_size=7))))
    rules = default_rule_set(tiles.id)
    return Position(
        Board(SIDE, squares), board_layout("standard15"), tiles, rules, (Player(0, rack), Player())
    )


@st.composite
def plays(draw: st.DrawFn, position: Position) -> Play:
    """A play over a stretch of a line: a tile on every empty square of it."""
    row, column, down = draw(st.integers(0, 14)), draw(st.integers(0, 14)), draw(st.booleans())
    length = draw(st.integers(1, SIDE - (row if down else column)))
    code = st.integers(1, position.tile_set.alphabet.size)
    blank = st.integers(0, 3).map(lambda chance: BLANK_FLAG if chance == 0 else 0)
    tiles = []
    for index in range(length):
        at = (row + index) * SIDE + column if down else row * SIDE + column + index
        taken = position.board.squares[at]
        tiles.append(0 if taken else draw(code) | draw(blank))
    return Play(row, column, down, tuple(tiles))


def run_through(
    position: Position, after: dict[tuple[int, int], int], row: int, column: int, down: bool
) -> list[tuple[int, int]]:
    step = (1, 0) if down else (0, 1)
    while (row - step[0], column - step[1]) in after:
        row, column = row - step[0], column - step[1]
    squares = []
    while (row, column) in after:
        squares.append((row, column))
        row, column = row + step[0], column + step[1]
    return squares


@pytest.mark.parametrize("tiles_id", ["english", "spanish"])
@settings(max_examples=30, deadline=None)
@given(data=st.data())
@pytest.mark.long
def test_against_the_board_after_the_play(lexicon: Lexicon, tiles_id: str, data: st.DataObject) -> None:
    position = data.draw(positions(tiles_id))
    play = data.draw(plays(position))
    placed = {(row, column): code for row, column, code in play.placements()}
    board = {divmod(at, SIDE): code for at, code in enumerate(position.board.squares) if code}
    after = board | placed
    values, layout, alphabet = position.tile_set.values, position.layout, position.tile_set.alphabet

    def points(squares: list[tuple[int, int]]) -> int:
        total, factor = 0, 1
        for square in squares:
            value = 0 if after[square] & BLANK_FLAG else values[after[square]]
            if square in placed:
                value *= int(layout.letter_factors[square])
                factor *= int(layout.word_factors[square])
            total += value
        return total * factor

    step = (1, 0) if play.down else (0, 1)
    main = [(play.row + step[0] * i, play.column + step[1] * i) for i in range(len(play.tiles))]
    crossing = [run_through(position, after, *square, not play.down) for square in sorted(placed)]
    runs = [(main, play.down), *((run, not play.down) for run in crossing if len(run) > 1)]
    expected = [
        (
            "".join(alphabet.letter(after[square]) for square in run),
            format_coordinate(*run[0], down),
            points(run),
        )
        for run, down in runs
    ]

    report = move_members(Judged(position, play, position.score(play), 1))
    assert [(word["word"], word["at"], word["score"]) for word in report["words"]] == expected
    assert all(word["valid"] for word in report["words"])
    assert (report["word"], report["at"]) == expected[0][:2]
    assert [(tile["at"], tile["letter"], tile["blank"]) for tile in report["placed"]] == [
        (format_square(*square), alphabet.letter(code), bool(code & BLANK_FLAG))
        for square, code in sorted(placed.items())
    ]
    rules = position.rules
    assert report["bonus"] == (rules.bingo_bonus if len(placed) == rules.bingo_tiles else 0)
    assert report["score"] == sum(score for *_, score in expected) + report["bonus"]
    left = list(position.rack.tiles)
    for code in placed.values():
        tile = 0 if code & BLANK_FLAG else code
        if tile in left:
            left.remove(tile)
    assert report["leave"] == Rack(bytes(left)).text(alphabet)
    assert report["move"] == format_move(play, position.tile_set)


def test_words_of_unranked_plays_are_looked_up(lexicon: Lexicon) -> None:
    tiles = tile_set("english")
    empty = Position(
        Board.empty(SIDE),
        board_layout("standard15"),
        tiles,
        default_rule_set("english"),
        (Player(0, Rack(b"\x01")), Player()),
    )
    word = next(word for word in lexicon.words() if len(word) == 3)
    for codes in (bytes(word), b"\x1a\x1a\x1a"):
        report = move_members(Judged.unranked(Play(7, 7, False, tuple(codes)), empty, lexicon))
        assert [one["valid"] for one in report["words"]] == [lexicon.contains(codes)]
