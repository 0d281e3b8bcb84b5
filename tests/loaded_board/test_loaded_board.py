"""A loaded board holds what the definitions say, and is the same whether loaded, updated or read back."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard, loaded_board_key
from engine.movegen import InternalWords
from engine.movegen.reference import RuleChecker, spelling
from engine.position import BLANK_FLAG, Board
from engine.rules import BoardLayout, TileSet, default_rule_set
from tests.movegen.examples import SEEDS, examples
from tests.movegen.games import play_at_random
from tests.movegen.worlds import NARROW, WIDE, World, garbage_board, random_layout, random_rack, random_rules

ENGLISH_RULES = default_rule_set("english")
ANY_WORLD = st.sampled_from(NARROW + WIDE)


def side_for(random: Random, world: World) -> int:
    return random.randint(10, 16 if world.lexicon.geometry == "narrow" else 26)


@examples(60)
@given(name=ANY_WORLD, seed=SEEDS)
def test_a_board_updated_after_each_play_equals_one_loaded_from_scratch(
    worlds: dict[str, World], name: str, seed: int
) -> None:
    random, world = Random(seed), worlds[name]
    layout = random_layout(random, side_for(random, world), symmetric=random.random() < 0.5, starts=2)
    for board, _ in play_at_random(random, world, layout, random_rules(random), 12):
        scratch = LoadedBoard.load(board.board, layout, world.tile_set, world.lexicon)
        assert board == scratch
        assert board.to_bytes() == scratch.to_bytes()


@examples(60)
@given(name=ANY_WORLD, seed=SEEDS, share=st.sampled_from((0.0, 0.05, 0.3, 0.8)))
def test_a_board_comes_back_from_its_bytes(
    worlds: dict[str, World], name: str, seed: int, share: float
) -> None:
    random, world = Random(seed), worlds[name]
    side = side_for(random, world)
    layout = random_layout(random, side, symmetric=False, starts=2)
    board = garbage_board(random, world, side, share)
    loaded = LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    again = LoadedBoard.from_bytes(loaded.to_bytes(), board, layout, world.tile_set, world.lexicon)
    assert again is not None
    assert again == loaded
    assert again.to_bytes() == loaded.to_bytes()
    assert again.board == board
    rack, rules = random_rack(random, world), random_rules(random)
    search = InternalWords(world.lexicon)
    first = search.generate(loaded, rack, rules).array.tobytes()
    assert search.generate(again, rack, rules).array.tobytes() == first


@examples(60)
@given(name=ANY_WORLD, seed=SEEDS, share=st.sampled_from((0.02, 0.1, 0.3, 0.6)))
def test_cross_check_sets_are_the_letters_that_make_words(
    worlds: dict[str, World], name: str, seed: int, share: float
) -> None:
    random, world = Random(seed), worlds[name]
    side = side_for(random, world)
    layout = random_layout(random, side, symmetric=False, starts=1)
    board = garbage_board(random, world, side, share)
    loaded = LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    checker = RuleChecker(board, layout, world.tile_set, world.word_set, ENGLISH_RULES)
    alphabet = range(1, world.tile_set.alphabet.size + 1)
    for row in range(side):
        for column in range(side):
            if board[row, column]:
                continue
            for down in (False, True):
                run = checker.perpendicular_run((row, column), not down)
                tiles = [checker.tile(square) for square in run]
                place = run.index((row, column))
                fitting = [
                    code
                    for code in alphabet
                    if len(run) == 1
                    or spelling(dict(zip(run, [*tiles[:place], code, *tiles[place + 1 :]], strict=True)))
                    in world.word_set
                ]
                line, square = (side + column, row) if down else (row, column)
                mask = loaded.kernel.admissible(line, square)
                admitted = [code for code in alphabet if mask >> (code - 1) & 1]
                assert admitted == fitting, (row, column, down)


@examples(60)
@given(name=ANY_WORLD, seed=SEEDS, share=st.sampled_from((0.0, 0.1, 0.5)))
def test_phonies_are_the_runs_that_are_no_words(
    worlds: dict[str, World], name: str, seed: int, share: float
) -> None:
    random, world = Random(seed), worlds[name]
    side = side_for(random, world)
    layout = random_layout(random, side, symmetric=True, starts=1)
    board = garbage_board(random, world, side, share)
    expected = set()
    for down in (False, True):
        for line in range(side):
            squares = [board[(i, line) if down else (line, i)] & ~BLANK_FLAG for i in range(side)]
            start = 0
            for end in range(side + 1):
                if end == side or not squares[end]:
                    word = bytes(squares[start:end])
                    if len(word) > 1 and word not in world.word_set:
                        expected.add((start, line, True, word) if down else (line, start, False, word))
                    start = end + 1
    loaded = LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    assert {
        (row, column, bool(down), bytes(codes)) for row, column, down, codes in loaded.phonies()
    } == expected


def test_the_key_depends_on_everything_the_board_depends_on(worlds: dict[str, World]) -> None:
    world, other = worlds["english"], worlds["two-letters"]
    tiles = world.tile_set
    layout = BoardLayout.from_rows(["." * 15] * 15)
    moved = BoardLayout.from_rows(["." * 15] * 15, [(7, 6)])
    premium = BoardLayout.from_rows(["d" + "." * 14, *["." * 15] * 14])
    counts = [
        (name, count, value)
        for name, count, value in zip(("?", *tiles.alphabet.letters), tiles.counts, tiles.values, strict=True)
    ]
    dearer = TileSet.from_letters([{"letter": n, "count": c, "value": v + (n == "Z")} for n, c, v in counts])
    empty = Board.empty(15)
    tile, blank = empty.with_tiles([(7, 7, 5)]), empty.with_tiles([(7, 7, 5 | BLANK_FLAG)])
    keys = [
        loaded_board_key(empty, layout, tiles, world.lexicon),
        loaded_board_key(tile, layout, tiles, world.lexicon),
        loaded_board_key(blank, layout, tiles, world.lexicon),
        loaded_board_key(empty, moved, tiles, world.lexicon),
        loaded_board_key(empty, premium, tiles, world.lexicon),
        loaded_board_key(empty, layout, dearer, world.lexicon),
        loaded_board_key(empty, layout, tiles, other.lexicon),
    ]
    assert len(set(keys)) == len(keys)
    assert keys[0] == loaded_board_key(Board.empty(15), layout, tiles, world.lexicon)


def test_bytes_of_another_board_give_none(worlds: dict[str, World]) -> None:
    world = worlds["english"]
    layout = BoardLayout.from_rows(["." * 15] * 15)
    played = Board.empty(15).with_tiles([(7, 7, 1), (7, 8, 5)])
    data = LoadedBoard.load(played, layout, world.tile_set, world.lexicon).to_bytes()
    bad = [
        b"",
        b"x",
        data[:-1],
        data + b"\0",
        data[:32],
        bytes(len(data)),
        b"\0" + data[1:],
        data[:8] + b"\xff" + data[9:],
    ]

    def read(text: bytes, board: Board, layout: BoardLayout, of: World) -> LoadedBoard | None:
        return LoadedBoard.from_bytes(text, board, layout, of.tile_set, of.lexicon)

    moved = BoardLayout.from_rows(["." * 15] * 15, [(7, 6)])
    assert read(data, played, layout, world) is not None
    for text in bad:
        assert read(text, played, layout, world) is None
    for name in ("two-letters", "wide-english", "czech"):
        assert read(data, played, layout, worlds[name]) is None
    assert read(data, played, moved, world) is None
    assert read(data, played.with_tiles([(8, 7, 1)]), layout, world) is None
    assert read(data, Board.empty(15), layout, world) is None


@pytest.mark.parametrize(("name", "most"), [("english", 16), ("wide-english", 26)])
def test_boards_larger_than_the_tables_and_of_other_letters_are_refused(
    worlds: dict[str, World], name: str, most: int
) -> None:
    world = worlds[name]
    for side in (most, most + 1)[: 26 - most + 1]:
        layout = BoardLayout.from_rows(["." * side] * side, [(0, 0)])
        if side <= most:
            LoadedBoard.load(Board.empty(side), layout, world.tile_set, world.lexicon)
            continue
        with pytest.raises(InvalidInput, match="up to 16 squares"):
            LoadedBoard.load(Board.empty(side), layout, world.tile_set, world.lexicon)
    layout = BoardLayout.from_rows(["." * 15] * 15)
    with pytest.raises(InvalidInput, match="layout"):
        LoadedBoard.load(Board.empty(13), layout, world.tile_set, world.lexicon)
    with pytest.raises(InvalidInput, match="other letters"):
        LoadedBoard.load(Board.empty(15), layout, worlds["spanish"].tile_set, world.lexicon)
