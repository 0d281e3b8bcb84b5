"""The generator finds what the reference finds: the same plays, scores and leaves, on every kind of board.

tests/lab/generators runs these tests with the generators of the laboratory.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import event
from hypothesis import strategies as st

from engine.loaded_board import LoadedBoard
from engine.movegen import NO_LOW_LEVEL, InternalWords, Plays, leaves
from engine.movegen.perft import perft
from engine.movegen.plays import TooManyPlaysError
from engine.movegen.reference import reference_plays, value_leaves
from engine.position import BLANK_FLAG, Board, Rack
from engine.records import parse_cgp
from engine.rules import BoardLayout, TileSet, default_rule_set, tile_set
from tests.large_list import published
from tests.movegen.examples import SEEDS, few_or_many, run_examples
from tests.movegen.games import play_at_random
from tests.movegen.implementations import by_threshold, in_order
from tests.movegen.worlds import (
    NARROW,
    WIDE,
    World,
    garbage_board,
    make_world,
    many_letters,
    open_lexicon,
    random_layout,
    random_rack,
    random_rules,
    with_garbage,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.rules import RuleSet
    from tests.large_list import LargeList

    Generator = Callable[[Lexicon], Any]
    Implementations = Callable[[Lexicon], dict[str, Any]]

PLAIN = BoardLayout.from_rows(["." * 15] * 15)
ENGLISH_RULES = default_rule_set("english")


def board_of(position: Position, world: World) -> LoadedBoard:
    return LoadedBoard.load(position.board, position.layout, position.tile_set, world.lexicon)


def load(world: World, board: Board, layout: BoardLayout = PLAIN) -> LoadedBoard:
    return LoadedBoard.load(board, layout, world.tile_set, world.lexicon)


def assert_agree(
    implementations: Implementations,
    world: World,
    board: Board,
    layout: BoardLayout,
    rack: Rack,
    rules: RuleSet,
) -> int:
    """Compare every implementation with the reference on one position; return the number of plays."""
    alphabet = world.tile_set.alphabet
    case = (
        f"{world.name}: {board.text(alphabet)} {rack.text(alphabet)}\n{layout.canonical()}{rules.canonical()}"
    )
    loaded = load(world, board, layout)
    values = np.array([17 * i * i - 400 * i for i in range(len(leaves(rack)))], np.int32)
    moves = reference_plays(board, layout, world.tile_set, rack, world.word_set, rules)
    expected = in_order(value_leaves(moves, loaded, rack, values))
    for name, search in implementations(world.lexicon).items():
        plays = search.generate(loaded, rack, rules, values)
        assert in_order(plays) == expected, f"{name}, {case}"
    if implementations is by_threshold:
        plays = InternalWords(world.lexicon).generate(loaded, rack, rules)
        found = [(plays.move(i), int(plays.array["score"][i])) for i in plays.best(len(plays))]
        assert found == moves, case
        assert_finds_the_best(world, loaded, rack, rules, case)
    return len(moves)


def assert_finds_the_best(world: World, board: LoadedBoard, rack: Rack, rules: RuleSet, case: str) -> None:
    """Compare the best play found alone with the first of the full list, for several values of leaves."""
    count = len(leaves(rack))
    smooth = np.array([17 * i * i - 400 * i for i in range(count)], np.int32)
    steep = np.array([50_000 * (i * 7919 % 5) - 90_000 for i in range(count)], np.int32)
    for name, search in by_threshold(world.lexicon).items():
        for values in (None, smooth, steep):
            every = search.generate(board, rack, rules, values)
            first = Plays(every.array[every.best(1, by="equity")], board, {})
            assert in_order(search.best(board, rack, rules, values)) == in_order(first), f"{name}, {case}"


def compare_at_random(
    implementations: Implementations, random: Random, world: World, side: int, turns: int, garbage: int
) -> None:
    """Compare on a board built by random plays, with some random tiles added, under random rules."""
    layout = random_layout(random, side, symmetric=random.random() < 0.5, starts=random.choice((1, 1, 2, 4)))
    rules = random_rules(random)
    loaded = play_at_random(random, world, layout, rules, turns)[-1][0]
    board = with_garbage(random, world, loaded.board, garbage)
    most = 4 if len(world.words) < 600 else 2
    count = assert_agree(
        implementations, world, board, layout, random_rack(random, world, most_blanks=most), rules
    )
    event("no play" if count == 0 else "under 50 plays" if count < 50 else "50 plays or more")


@pytest.mark.long
@few_or_many(18, 140)
@pytest.mark.parametrize(
    ("names", "longest"), [(NARROW, 16), (WIDE, 26)], ids=["narrow kernels", "wide kernels"]
)
def test_boards_of_games_and_phonies(
    implementations: Implementations,
    worlds: dict[str, World],
    names: Sequence[str],
    longest: int,
    count: int,
) -> None:
    def check(name: str, seed: int, side: int, turns: int, garbage: int) -> None:
        compare_at_random(implementations, Random(seed), worlds[name], side, turns, garbage)

    run_examples(
        count,
        check,
        name=st.sampled_from(names),
        seed=SEEDS,
        side=st.integers(10, longest),
        turns=st.integers(0, longest - 2),
        garbage=st.integers(0, longest // 2),
    )


@few_or_many(12, 90)
@pytest.mark.long
def test_boards_of_nothing_but_random_tiles(
    implementations: Implementations, worlds: dict[str, World], count: int
) -> None:
    def check(name: str, seed: int, side: int, share: float) -> None:
        random, world = Random(seed), worlds[name]
        layout = random_layout(random, side, symmetric=False, starts=2)
        board = garbage_board(random, world, side, share)
        assert_agree(implementations, world, board, layout, random_rack(random, world), random_rules(random))

    run_examples(
        count,
        check,
        name=st.sampled_from(NARROW + WIDE),
        seed=SEEDS,
        side=st.integers(10, 16),
        share=st.sampled_from((0.02, 0.1, 0.3, 0.6, 0.9)),
    )


@few_or_many(15, 90)
def test_lexicons_of_a_few_words(implementations: Implementations, tmp_path: Path, count: int) -> None:
    def check(seed: int, letters: int, words: int) -> None:
        random = Random(seed)
        used = tuple(sorted({1, letters, random.randint(1, letters)}))
        longest = random.choice((2, 3, 10, 16, 26))
        world = make_world(
            tmp_path, f"few-{seed}", many_letters(letters), used, count=words, longest=longest, seed=seed
        )
        side = random.randint(10, 16 if world.lexicon.geometry == "narrow" else 26)
        compare_at_random(implementations, random, world, side, random.randint(0, 12), random.randint(0, 10))

    run_examples(
        count,
        check,
        seed=SEEDS,
        letters=st.sampled_from((1, 2, 3, 26, 31, 32, 33, 62, 63)),
        words=st.integers(1, 30),
    )


@pytest.mark.parametrize(
    "rack", ["", "A", "?", "??", "???????", "AAAAAAA", "BBBBBB?", "AB?????", "AAB???", "AABB??", "AB??"]
)
def test_racks_at_the_limits(implementations: Implementations, worlds: dict[str, World], rack: str) -> None:
    world = worlds["two-letters"]
    tiles = Rack.from_text(rack, world.tile_set.alphabet)
    assert_agree(implementations, world, Board.empty(15), PLAIN, tiles, ENGLISH_RULES)
    loaded = play_at_random(Random(3), world, PLAIN, ENGLISH_RULES, 4)[-1][0]
    assert_agree(implementations, world, loaded.board, PLAIN, tiles, ENGLISH_RULES)


@pytest.mark.parametrize("mark", ["Q", "q", "T"])
@pytest.mark.parametrize(("letters", "side"), [(26, 16), (63, 26)])
def test_the_highest_scores_do_not_overflow(
    implementations: Implementations, tmp_path: Path, mark: str, letters: int, side: int
) -> None:
    """Every tile has 99 points, every square multiplies by four, and words cross at every new tile."""
    items: list[dict[str, Any]] = [{"letter": "?", "count": 2, "value": 0}]
    items += [{"letter": name, "count": 6, "value": 99} for name in many_letters(letters).alphabet.letters]
    tiles = TileSet.from_letters(items, "dear")
    words = tuple(bytes([letters]) * length for length in range(2, side + 1))
    lexicon = open_lexicon(tmp_path, "dear", tiles, words)
    world = World("dear", tiles, words, (letters,), lexicon)
    layout = BoardLayout.from_rows([mark * side] * side, [(0, 0)])
    # Every square has a tile, except seven at the end of the last row.
    free = [(side - 1) * side + column for column in range(side - 7, side)]
    board = Board(side, bytes(0 if square in free else letters for square in range(side * side)))
    rules = ENGLISH_RULES.changed(bingo_bonus=1000)
    for rack in (bytes([letters] * 7), bytes([0, 0] + [letters] * 5)):
        assert assert_agree(implementations, world, board, layout, Rack(rack), rules) > 0


def test_blanks_on_the_board_keep_their_letter_and_score_nothing(
    implementations: Implementations, worlds: dict[str, World]
) -> None:
    world, random = worlds["english"], Random(11)
    board = play_at_random(random, world, PLAIN, ENGLISH_RULES, 9)[-1][0].board
    blanks = bytes(code | BLANK_FLAG if code else 0 for code in board.squares)
    assert_agree(
        implementations, world, Board(15, blanks), PLAIN, random_rack(random, world, size=7), ENGLISH_RULES
    )


def test_legal_extensions_of_a_phony_are_found(implementations: Implementations, tmp_path: Path) -> None:
    """A run that is no word, with words in and around it."""
    english = tile_set("english")
    words = [
        english.alphabet.encode_word(word)
        for word in ["AB", "BA", "ABA", "XABX", "XQABZ", "QABZ", "ZZXQABZZ", "QQ"]
    ]
    lexicon = open_lexicon(tmp_path, "phony", english, words)
    world = World("phony", english, tuple(words), (1, 2), lexicon)
    board = Board.from_rows(["." * 15] * 7 + ["....XQAB......."] + ["." * 15] * 7, english.alphabet, 15)
    rack = Rack.from_text("ZZZZAB?", english.alphabet)
    assert assert_agree(implementations, world, board, PLAIN, rack, ENGLISH_RULES) >= 2


@pytest.mark.parametrize("name", ["english", "spanish", "czech", "letters-63"])
def test_the_order_is_the_documented_one(worlds: dict[str, World], name: str) -> None:
    """`Plays.best` sorts by word ids; the reference by the letters themselves, in the order of the rules."""
    world, random = worlds[name], Random(5)
    board = play_at_random(random, world, PLAIN, ENGLISH_RULES, 6)[-1][0]
    rack = random_rack(random, world, size=7)
    expected = reference_plays(board.board, PLAIN, world.tile_set, rack, world.word_set, ENGLISH_RULES)
    plays = InternalWords(world.lexicon).generate(board, rack, ENGLISH_RULES)
    order = plays.best(len(plays))
    assert [(plays.move(i), int(plays.array["score"][i])) for i in order] == expected
    for count in (1, 2, 10, len(plays) - 1):
        assert list(plays.best(count)) == list(order[:count])


def test_threads_with_a_generator_each_do_not_meet(generator: Generator, worlds: dict[str, World]) -> None:
    world, random = worlds["english"], Random(9)
    games = play_at_random(random, world, PLAIN, ENGLISH_RULES, 12)
    cases = [(board, random_rack(random, world)) for board, _ in games]

    def work(_: int) -> list[list[Any]]:
        search = generator(world.lexicon)
        return [in_order(search.generate(board, rack, ENGLISH_RULES)) for board, rack in cases * 5]

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(work, range(8))
    assert all(other == first for other in others)


@pytest.mark.parametrize(
    ("rack", "values"),
    [
        (bytes(8), None),
        (b"\x01" * 7, np.zeros(7, np.int32)),
        (b"\x01" * 7, np.zeros(9, np.int32)),
        (b"\x3f", None),
    ],
    ids=["eight tiles", "too few values", "too many values", "no letter of the alphabet"],
)
def test_racks_and_values_that_do_not_fit_are_refused(
    generator: Generator, worlds: dict[str, World], rack: bytes, values: Any
) -> None:
    world = worlds["english"]
    with pytest.raises(ValueError, match=r"."):
        generator(world.lexicon).generate(load(world, Board.empty(15)), Rack(rack), ENGLISH_RULES, values)


@pytest.mark.parametrize("other", ["two-letters", "wide-english"])
def test_a_board_of_another_lexicon_is_refused(
    generator: Generator, worlds: dict[str, World], other: str
) -> None:
    board = load(worlds["english"], Board.empty(15))
    with pytest.raises((ValueError, TypeError)):
        generator(worlds[other].lexicon).generate(board, Rack(b"\1\2"), ENGLISH_RULES)


def test_plays_beyond_the_limit_are_an_error(
    generator: Generator, large: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lower limit takes the place of the true one; the generator can be used again afterwards."""
    world = large
    board = load(world, Board.empty(15))
    modules = [sys.modules[each.__module__] for each in type(generator(world.lexicon)).__mro__]
    monkeypatch.setattr(next(each for each in modules if hasattr(each, "PLAY_LIMIT")), "PLAY_LIMIT", 100)
    search = generator(world.lexicon)
    for rack in ("AEINS??", "???????"):
        with pytest.raises(TooManyPlaysError):
            search.generate(board, Rack.from_text(rack, world.tile_set.alphabet), ENGLISH_RULES)
    few = Rack.from_text("AEINRST", world.tile_set.alphabet)
    monkeypatch.undo()
    expected = generator(world.lexicon).generate(board, few, ENGLISH_RULES)
    assert in_order(search.generate(board, few, ENGLISH_RULES)) == in_order(expected)


# --------------------------------------------------------------------------- with a list of tournament size


@pytest.mark.long
def test_every_line_of_the_oracle(generator: Generator, large_list: LargeList, large: World) -> None:
    """Positions whose figures two independent engines, or the reference, have computed."""
    search = generator(large.lexicon)
    lines = large_list.counted if search.name == "internal_words" else large_list.counted[::5]
    for line in lines:
        position = parse_cgp(line["cgp"])
        position.check()
        plays = search.generate(board_of(position, large), position.rack, position.rules)
        scores = plays.array["score"].tolist()
        figures = perft(position, zip(plays.moves(list(range(len(plays)))), scores, strict=True))
        known = published(line)
        assert {field: getattr(figures, field) for field in known} == known, line["cgp"]


@pytest.mark.parametrize(
    "lines", [pytest.param(slice(0, None, 32)), pytest.param(slice(0, None, 8), marks=pytest.mark.slow)]
)
@pytest.mark.long
def test_the_reference_agrees_with_the_oracle(large_list: LargeList, large: World, lines: slice) -> None:
    """A share of the lines; all agree, which takes the reference some minutes."""
    for line in large_list.counted[lines]:
        position = parse_cgp(line["cgp"])
        found = reference_plays(
            position.board, position.layout, position.tile_set, position.rack, large.word_set, position.rules
        )
        figures, known = perft(position, found), published(line)
        assert {field: getattr(figures, field) for field in known} == known, line["cgp"]


@pytest.mark.parametrize("most", [150, pytest.param(10_000, marks=pytest.mark.slow)])
def test_the_best_play_of_positions_of_greedy_games(large_list: LargeList, large: World, most: int) -> None:
    """The best play alone is the first of the list."""
    main = InternalWords(large.lexicon)
    random = np.random.default_rng(3)
    for row in large_list.greedy[:: max(1, len(large_list.greedy) // most)]:
        position = parse_cgp(row["cgp"], tile_set=tile_set("english"))
        board = board_of(position, large)
        learned = random.normal(0, 8000, len(leaves(position.rack))).astype(np.int32)
        coarse = (learned // 10_000 * 10_000).astype(np.int32)  # so that plays tie
        for values in (None, learned, coarse):
            plays = main.generate(board, position.rack, position.rules, values)
            first = Plays(plays.array[plays.best(1, by="equity")], board, {})
            alone = main.best(board, position.rack, position.rules, values)
            assert in_order(alone) == in_order(first), row["cgp"]


def test_lists_of_a_length_with_more_than_65536_words(tmp_path: Path) -> None:
    """Words beyond number 65,536 of their length are found in lists, as they are by look-ups."""
    words = [bytes(word) for word in product(range(1, 11), repeat=5)] + [bytes([9, 10])]
    lexicon = open_lexicon(tmp_path, "hundred-thousand", tile_set("english"), words, max_list=1000)
    position = parse_cgp("15/15/15/15/15/15/15/7IJ6/15/15/15/15/15/15/15 ABFHIJ?/ 0/0 0")
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    found = [
        InternalWords(lexicon, threshold=threshold).generate(board, position.rack, position.rules)
        for threshold in (NO_LOW_LEVEL, 0)
    ]
    assert in_order(found[0]) == in_order(found[1])
    around = found[0].array[(found[0].array["line"] == 7) & (found[0].array["length"] == 5)]
    assert (around["word"] > 1 << 16).any()  # words without A and B
