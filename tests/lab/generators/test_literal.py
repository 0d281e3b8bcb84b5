"""The Internal-Words Method of the thesis finds what the reference finds, by the intervals of the thesis."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import event
from hypothesis import strategies as st

from engine.loaded_board import LoadedBoard
from engine.movegen import leaves
from engine.movegen.plays import TooManyPlaysError
from engine.movegen.reference import reference_plays, value_leaves
from engine.position import Board, Rack
from engine.rules import BoardLayout, board_layout, default_rule_set, tile_set
from lab.generators.intervals import Interval, board_intervals
from lab.generators.literal import Literal
from tests.movegen.examples import SEEDS, few_or_many, run_examples
from tests.movegen.games import play_at_random
from tests.movegen.implementations import in_order
from tests.movegen.worlds import World, open_lexicon, random_layout, random_rack, random_rules, with_garbage

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = BoardLayout.from_rows(["." * 15] * 15)
RULES = default_rule_set("english")
THRESHOLDS = (10, 0, 10**6)
NAMES = ("english", "one-word", "two-letters", "sixteen-long", "spanish", "letters-32", "czech", "letters-33")

Search = tuple[World, Literal]


@pytest.fixture(scope="module")
def searches(worlds: dict[str, World]) -> dict[str, Search]:
    """Worlds, and the generator of each."""
    return {name: (worlds[name], Literal(worlds[name].lexicon)) for name in NAMES}


def search_for(folder: Path, name: str, words: str) -> Search:
    """Return a generator for some English words."""
    english = tile_set("english")
    encoded = tuple(english.alphabet.encode_word(word) for word in words.split())
    world = World(name, english, encoded, (1, 2), open_lexicon(folder, name, english, encoded))
    return world, Literal(world.lexicon)


def assert_agrees(search: Search, board: Board, rack: Rack, layout: BoardLayout = PLAIN) -> int:
    """Compare the generator at several thresholds with the reference; return the number of plays."""
    world, literal = search
    rules = random_rules(Random(len(rack.tiles)))
    loaded = LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    values = np.array([17 * i * i - 400 * i for i in range(len(leaves(rack)))], np.int32)
    moves = reference_plays(board, layout, world.tile_set, rack, world.word_set, rules)
    expected = in_order(value_leaves(moves, loaded, rack, values))
    for literal.threshold in THRESHOLDS:
        found = in_order(literal.generate(loaded, rack, rules, values))
        assert found == expected, (world.name, literal.threshold, board.text(world.tile_set.alphabet), rack)
    literal.threshold = THRESHOLDS[0]
    return len(moves)


@few_or_many(15, 150)
@pytest.mark.long
def test_boards_of_games_and_phonies(searches: dict[str, Search], count: int) -> None:
    def check(name: str, seed: int, turns: int, garbage: int, blanks: int) -> None:
        world, random = searches[name][0], Random(seed)
        layout = random_layout(random, 15, symmetric=random.random() < 0.5, starts=random.choice((1, 2)))
        board = play_at_random(random, world, layout, RULES, turns)[-1][0].board
        rack = random_rack(random, world, most_blanks=blanks)
        plays = assert_agrees(searches[name], with_garbage(random, world, board, garbage), rack, layout)
        event("no play" if not plays else "plays")

    run_examples(
        count,
        check,
        name=st.sampled_from(NAMES),
        seed=SEEDS,
        turns=st.integers(0, 13),
        garbage=st.integers(0, 6),
        blanks=st.sampled_from((0, 0, 1, 2)),
    )


@pytest.mark.parametrize("rack", ["", "?", "AB??", "AAAAAAA", "AB???", "??????"])
def test_racks_at_the_limits(searches: dict[str, Search], rack: str) -> None:
    world, _ = search = searches["two-letters"]
    tiles = Rack.from_text(rack, world.tile_set.alphabet)
    board = play_at_random(Random(3), world, PLAIN, RULES, 4)[-1][0].board
    assert_agrees(search, Board.empty(15), tiles)
    assert_agrees(search, board, tiles)


def in_the_middle(row: str) -> Board:
    """Return a board with the tiles of a text in its eighth row."""
    rows = ["." * 15] * 7 + [row.ljust(15, ".")] + ["." * 15] * 7
    return Board.from_rows(rows, tile_set("english").alphabet, 15)


@pytest.mark.parametrize(
    ("tiles", "principal"),
    [
        (".AB.ABA..", ("ABA", 4)),  # the longest, not the rarest
        (".AB..AB.", ("AB", 1)),  # the first of equals
        ("..QAB..", ("AB", 3)),  # of a phony, its longest word
        (".Q..Q", ("Q", 1)),  # or a letter
        (".....", ("", 0)),
    ],
)
def test_the_principal_internal_word_is_the_longest(
    tmp_path: Path, tiles: str, principal: tuple[str, int]
) -> None:
    world, literal = search_for(tmp_path, "principal", "AB ABA BA XABX")
    alphabet = world.tile_set.alphabet
    word, position = principal
    codes = bytes(0 if tile == "." else alphabet.code(tile) for tile in tiles)
    number, at = literal.principal(Interval(0, 0, codes))
    inside = alphabet.encode_word(word) if word else b""
    assert (number, at) == (literal.tables.number(inside) if inside else 0, position)


def test_a_frequency_of_the_threshold_still_goes_high(tmp_path: Path) -> None:
    """Two words contain AB, A or B there with five letters, and no letter has a longer list."""
    world, literal = search_for(tmp_path, "levels", "AB ABCDE ABFGH")
    board = LoadedBoard.load(in_the_middle("AB"), PLAIN, world.tile_set, world.lexicon)
    rack = Rack.from_text("FGHX", world.tile_set.alphabet)
    found = {}
    for literal.threshold in (1, 2, 3):
        plays = literal.generate(board, rack, RULES)
        assert len(plays) == 1
        found[literal.threshold] = plays.statistics
    assert found[2] == found[3]
    assert found[1]["scanned"] < found[2]["scanned"]
    assert found[1]["lookups"] > found[2]["lookups"]
    assert found[1]["candidates"] == found[2]["candidates"]


def test_a_combined_multiset_without_a_code_is_counted(tmp_path: Path) -> None:
    """No word holds two of three letters each, so the rack's exceedance has no number."""
    search = search_for(tmp_path, "without-code", "AB ABC CAB QABBA")
    world, literal = search
    board = in_the_middle("....AB")
    rack = Rack.from_text("QQCCBBA", world.tile_set.alphabet)
    assert assert_agrees(search, board, rack) > 0
    loaded = LoadedBoard.load(board, PLAIN, world.tile_set, world.lexicon)
    assert literal.generate(loaded, rack, RULES).statistics["without_code"] > 0


def test_the_first_turn_has_54_intervals_without_symmetry(searches: dict[str, Search]) -> None:
    """As the thesis counts them (section 4.1); a symmetric layout needs only those across."""
    world, literal = searches["english"]
    rack = Rack.from_text("AEST", world.tile_set.alphabet)
    lopsided = BoardLayout.from_rows(["." * 15] * 14 + ["T" + "." * 14], [(7, 7)])
    assert len(list(board_intervals(Board.empty(15), lopsided, 7))) == 54
    assert len(list(board_intervals(Board.empty(15), board_layout("standard15"), 7))) == 27
    board = LoadedBoard.load(Board.empty(15), board_layout("standard15"), world.tile_set, world.lexicon)
    counts = literal.generate(board, rack, RULES).statistics
    assert counts["intervals"] == sum(1 for _ in board_intervals(board.board, board.layout, 4))
    assert (counts["scanned"], counts["lookups"]) == (0, 2 * 6 + 3 * 4 + 4 * 1)


def test_a_board_of_another_lexicon_is_refused(searches: dict[str, Search]) -> None:
    board = LoadedBoard.load(
        Board.empty(15), PLAIN, searches["english"][0].tile_set, searches["english"][0].lexicon
    )
    with pytest.raises(ValueError, match="another lexicon"):
        searches["two-letters"][1].generate(board, Rack(b"\1\2"), RULES)


def test_plays_beyond_the_limit_are_an_error(
    searches: dict[str, Search], monkeypatch: pytest.MonkeyPatch
) -> None:
    world, literal = searches["english"]
    monkeypatch.setattr("lab.generators.literal.PLAY_LIMIT", 5)
    board = LoadedBoard.load(Board.empty(15), PLAIN, world.tile_set, world.lexicon)
    with pytest.raises(TooManyPlaysError):
        literal.generate(board, Rack.from_text("AEST??", world.tile_set.alphabet), RULES)
