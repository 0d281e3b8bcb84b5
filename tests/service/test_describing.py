"""The kernel that describes plays against the same by hand, on boards that no game would reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import AnalysisOptions, greedy_game
from engine.analysis.describing import Listing, PlayKernel
from engine.analysis.moves import DescribedPlays, Describer
from engine.analysis.ranking import Ranking
from engine.analysis.request import Learned
from engine.analysis.result import MoveReport
from engine.evaluation.evaluators import Evaluator, LeaveValues
from engine.evaluation.win_pct import WinChances
from engine.loaded_board import LoadedBoard
from engine.movegen import PLAY_DTYPE, Plays
from engine.movegen.internal_words import InternalWords
from engine.position import BLANK_FLAG, Board, Play, Player, Position, Rack, format_coordinate, format_square
from engine.rules import board_layout, default_rule_set, tile_set

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

    report = Describer(position, lexicon).describe(play, 1)
    assert [(word.word, word.at, word.score) for word in report.words] == expected
    assert all(word.valid for word in report.words)
    assert (report.word, report.at) == expected[0][:2]
    assert [(tile.at, tile.letter, tile.blank) for tile in report.placed] == [
        (format_square(*square), alphabet.letter(code), bool(code & BLANK_FLAG))
        for square, code in sorted(placed.items())
    ]
    rules = position.rules
    assert report.bonus == (rules.bingo_bonus if len(placed) == rules.bingo_tiles else 0)
    assert report.score == sum(score for *_, score in expected) + report.bonus
    left = list(position.rack.tiles)
    for code in placed.values():
        tile = 0 if code & BLANK_FLAG else code
        if tile in left:
            left.remove(tile)
    assert report.leave == Rack(bytes(left)).text(alphabet)
    shown = "".join("." if not code else alphabet.text([code]) for code in play.tiles)
    assert report.move == f"{report.at} {shown}"


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
        report = Describer(empty, lexicon).describe(Play(7, 7, False, tuple(codes)), None)
        assert [one.valid for one in report.words] == [lexicon.contains(codes)]


def test_what_cannot_be_is_refused() -> None:
    texts = ("",) * 256
    fine = (bytes(4), bytes(2), bytes(4), bytes(4), 2, b"", 50, 7, texts, ("?", "A"), (("",) * 4, ("",) * 4))
    kernel = PlayKernel(*fine)
    for row, column, tiles in ((0, 0, (1, 1, 1)), (0, 0, (2, 1)), (-1, 0, (1,))):
        with pytest.raises(ValueError, match=r"play|tile"):
            kernel.runs(row, column, False, tiles)
    for place, wrong in ((0, bytes(5)), (1, bytes(3)), (2, bytes(3)), (8, texts[:9])):
        with pytest.raises(ValueError, match=r"board|square|letter"):
            PlayKernel(*fine[:place], wrong, *fine[place + 1 :])  # type: ignore[arg-type]


@pytest.mark.parametrize("evaluator", ["greedy", "heuri6", "auto"])
@pytest.mark.parametrize("sort", ["score", "win_pct"])
@settings(max_examples=8, deadline=None)
@given(number=st.integers(0, 40), turn=st.integers(0, 30), others=st.booleans())
def test_all_at_once_as_one_by_one(
    lexicon: Lexicon, evaluator: str, sort: str, number: int, turn: int, others: bool
) -> None:
    turns = list(greedy_game(lexicon, 7, number))
    position = turns[turn % len(turns)].position
    options = AnalysisOptions(evaluator=evaluator, sort=sort, include_exchanges=others, top_n=12)
    learned = Learned.resolve(options, lexicon)
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    values = None
    if learned.evaluator != "greedy":
        values, _ = Evaluator(learned.evaluator, lexicon, position.rules).leave_values(board, position)
    plays = InternalWords(lexicon).generate(
        board, position.rack, position.rules, None if values is None else values.array
    )
    assert learned.win_pct is not None
    ranking = Ranking(position, plays, options, values, WinChances(learned.win_pct, position))
    describer = Describer(position, lexicon)
    found = ranking.reports(describer)
    assert found == describer.each(ranking.listed())
    if isinstance(found, DescribedPlays):
        assert found.json() == orjson.dumps(list(found))


def test_plays_that_are_not_there_are_refused(lexicon: Lexicon) -> None:
    position = next(iter(greedy_game(lexicon, 7, 0))).position
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    plays = InternalWords(lexicon).generate(board, position.rack, position.rules)
    describer = Describer(position, lexicon)
    for read in (DescribedPlays.json, list[MoveReport]):
        with pytest.raises(IndexError, match="no play"):
            read(describer.listed(plays, [(1, len(plays))], None, None))
        rows = plays.array[:1].copy()
        rows["line"], rows["start"] = 14, 14
        with pytest.raises(ValueError, match="does not fit"):
            read(describer.listed(Plays(rows, board, {}), [(1, 0)], None, None))


@settings(deadline=None)
@given(
    equities=st.lists(st.integers(-2_000_000, 2_000_000), min_size=1, max_size=4),
    values=st.lists(st.integers(-2_000_000, 2_000_000), min_size=1, max_size=4),
    hundredths=st.integers(0, 10_000),
)
def test_numbers_are_written_as_floats_are(
    lexicon: Lexicon, equities: list[int], values: list[int], hundredths: int
) -> None:
    position = next(iter(greedy_game(lexicon, 7, 0))).position
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    plays = InternalWords(lexicon).generate(board, position.rack, position.rules)
    rows = plays.array[: len(equities)].copy()
    rows["equity"], rows["leave"] = equities, [at % len(values) for at in range(len(equities))]
    worth = LeaveValues(position.rack, np.array(values, np.int32), np.array(values[::-1], np.int32))
    entries = [(at + 1, at) for at in range(len(equities))]
    chances = [hundredths / 100] * len(equities)
    found = Describer(position, lexicon).listed(Plays(rows, board, {}), entries, worth, chances)
    assert [move.equity for move in found] == [equity / 1000 for equity in equities]
    assert found.json() == orjson.dumps(list(found))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_letters_of_several_characters(data: st.DataObject) -> None:
    position = data.draw(positions("spanish"))
    play = data.draw(plays(position))
    alphabet = position.tile_set.alphabet
    kernel = PlayKernel(
        position.board.squares, bytes(position.tile_set.values), *[bytes([1] * SIDE * SIDE)] * 2, SIDE,
        bytes(sorted(code & 0x7F if code < BLANK_FLAG else 0 for code in play.tiles if code)), 50, 7,
        *alphabet.tables, (tuple(map(str, range(SIDE * SIDE))),) * 2,
    )  # fmt: skip
    row = np.zeros(1, PLAY_DTYPE)
    row["line"], row["start"] = (SIDE + play.column, play.row) if play.down else (play.row, play.column)
    row["length"] = len(play.tiles)
    row["blanks"] = sum(1 << at for at, code in enumerate(play.tiles) if code & BLANK_FLAG)
    letters = bytes([((code or 1) & ~BLANK_FLAG) - 1 for code in play.tiles])
    listing = Listing(row.view(np.uint8), [(3, 0)], lambda _: letters, None, None, None)
    (report,) = kernel.reports(listing)
    shown = "".join("." if not code else alphabet.text([code]) for code in play.tiles)
    assert report.move == f"{report.at} {shown}"
    assert report.leave == ""
    assert kernel.json(listing) == orjson.dumps([report])
