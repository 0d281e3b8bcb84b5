"""internal_words finds what reference.py finds: the same plays, the same scores, in the same order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from engine.errors import NotFound
from engine.loaded_board import LoadedBoard
from engine.movegen import NO_LOW_LEVEL, PLAY_DTYPE, Plays, generator, leaves
from engine.movegen.internal_words import InternalWords
from engine.movegen.reference import reference_plays
from engine.position import BLANK_FLAG, Board, Rack
from engine.rules import BoardLayout, TileSet, default_rule_set, tile_set
from tests.movegen.games import play_at_random
from tests.movegen.worlds import (
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
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.rules import RuleSet

SEEDS = st.integers(0, 2**32 - 1)
NARROW = ("english", "one-word", "two-letters", "sixteen-long", "spanish", "letters-32")
WIDE = ("czech", "letters-33", "letters-63", "wide-english")


def examples(count: int) -> settings:
    """Return settings for about `count` examples, fewer under a profile that asks for fewer than 100."""
    return settings(
        max_examples=max(4, count * settings.default.max_examples // 100),
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


# Lists always answered by the high level, always by the low level (blanks permitting), and between: by
# words for each multiset to look up, or by a fixed number of words.
THRESHOLDS = ((NO_LOW_LEVEL, 0), (0, 0), (3, 0), (0, 5))


def assert_agree(world: World, board: Board, layout: BoardLayout, rack: Rack, rules: RuleSet) -> int:
    """Compare the two generators on one position, with every threshold; return the number of plays."""
    alphabet = world.tile_set.alphabet
    case = (
        f"{world.name}: {board.text(alphabet)} {rack.text(alphabet)}\n{layout.canonical()}{rules.canonical()}"
    )
    loaded = LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    values = np.array([17 * i * i - 400 * i for i in range(len(leaves(rack)))], np.int32)
    expected = world.reference.generate(loaded, rack, rules, values)
    plays = generator("internal_words", world.lexicon).generate(loaded, rack, rules, values)
    assert in_order(plays) == in_order(expected), case
    assert [plays.move(i) for i in plays.best(len(plays))] == [
        expected.move(i) for i in expected.best(len(expected))
    ], case
    steep = np.array([50_000 * (i * 7919 % 5) - 90_000 for i in range(len(values))], np.int32)
    for threshold, leave_values in zip(THRESHOLDS, (None, values, steep, None), strict=True):
        search = InternalWords(world.lexicon, threshold=threshold[0], fixed_threshold=threshold[1])
        other = search.generate(loaded, rack, rules, values)
        assert in_order(other) == in_order(plays), f"threshold {threshold}, {case}"
        assert_finds_the_best(search, loaded, rack, rules, leave_values, f"threshold {threshold}, {case}")
    return len(plays)


def assert_finds_the_best(
    search: InternalWords,
    board: LoadedBoard,
    rack: Rack,
    rules: RuleSet,
    leave_values: NDArray[np.int32] | None,
    case: str,
) -> None:
    """Compare the best play found alone with the first of the full list."""
    every = search.generate(board, rack, rules, leave_values)
    expected = every.array[every.best(1, by="equity")]
    alone = search.best(board, rack, rules, leave_values)
    assert in_order(alone) == in_order(Plays(expected, board, {})), case


def in_order(plays: Plays) -> list[Any]:
    """Return every field of every play, in the documented order."""
    ordered = plays.array[plays.best(len(plays))]
    return list(zip(*(ordered[field].tolist() for field in PLAY_DTYPE.names or ()), strict=True))


def compare_at_random(random: Random, world: World, side: int, turns: int, garbage: int) -> None:
    """Compare on a board built by random plays, with some random tiles added, under random rules."""
    layout = random_layout(random, side, symmetric=random.random() < 0.5, starts=random.choice((1, 1, 2, 4)))
    rules = random_rules(random)
    loaded = play_at_random(random, world, layout, rules, turns)[-1][0]
    board = with_garbage(random, world, loaded.board, garbage)
    most = 4 if len(world.words) < 100 else 2
    count = assert_agree(world, board, layout, random_rack(random, world, most_blanks=most), rules)
    event("no play" if count == 0 else "under 50 plays" if count < 50 else "50 plays or more")


@examples(80)
@given(
    name=st.sampled_from(NARROW),
    seed=SEEDS,
    side=st.integers(10, 16),
    turns=st.integers(0, 14),
    garbage=st.integers(0, 8),
)
def test_narrow_boards_of_games_and_phonies(
    worlds: dict[str, World], name: str, seed: int, side: int, turns: int, garbage: int
) -> None:
    compare_at_random(Random(seed), worlds[name], side, turns, garbage)


@examples(45)
@given(
    name=st.sampled_from(WIDE),
    seed=SEEDS,
    side=st.integers(10, 26),
    turns=st.integers(0, 25),
    garbage=st.integers(0, 12),
)
def test_wide_boards_of_games_and_phonies(
    worlds: dict[str, World], name: str, seed: int, side: int, turns: int, garbage: int
) -> None:
    compare_at_random(Random(seed), worlds[name], side, turns, garbage)


@examples(50)
@given(
    name=st.sampled_from(NARROW + WIDE),
    seed=SEEDS,
    side=st.integers(10, 16),
    share=st.sampled_from((0.02, 0.1, 0.3, 0.6, 0.9)),
)
def test_boards_of_nothing_but_random_tiles(
    worlds: dict[str, World], name: str, seed: int, side: int, share: float
) -> None:
    random, world = Random(seed), worlds[name]
    layout = random_layout(random, side, symmetric=False, starts=2)
    board = garbage_board(random, world, side, share)
    assert_agree(world, board, layout, random_rack(random, world), random_rules(random))


@examples(60)
@given(seed=SEEDS, letters=st.sampled_from((1, 2, 3, 26, 31, 32, 33, 62, 63)), count=st.integers(1, 30))
def test_lexicons_of_a_few_words(tmp_path: Path, seed: int, letters: int, count: int) -> None:
    random = Random(seed)
    tiles = many_letters(letters)
    used = tuple(sorted({1, letters, random.randint(1, letters)}))
    longest = random.choice((2, 3, 10, 16, 26))
    world = make_world(tmp_path, f"few-{seed}", tiles, used, count=count, longest=longest, seed=seed)
    side = random.randint(10, 16 if world.lexicon.geometry == "narrow" else 26)
    compare_at_random(random, world, side, random.randint(0, 12), random.randint(0, 10))


@pytest.mark.parametrize("rack", ["", "A", "?", "???????", "AAAAAAA", "BBBBBB?", "AB?????"])
def test_racks_at_the_limits(worlds: dict[str, World], rack: str) -> None:
    world, rules = worlds["two-letters"], default_rule_set("english")
    layout = BoardLayout.from_rows(["." * 15] * 15)
    tiles = Rack.from_text(rack, world.tile_set.alphabet)
    assert_agree(world, Board.empty(15), layout, tiles, rules)
    loaded = play_at_random(Random(3), world, layout, rules, 4)[-1][0]
    assert_agree(world, loaded.board, layout, tiles, rules)


@pytest.mark.parametrize("mark", ["Q", "q", "T"])
@pytest.mark.parametrize(("letters", "side"), [(26, 16), (63, 26)])
def test_the_highest_scores_do_not_overflow(tmp_path: Path, mark: str, letters: int, side: int) -> None:
    """Every tile is worth 99 points, every square multiplies by four, and words cross at every new tile."""
    items = [{"letter": "?", "count": 2, "value": 0}]
    names = many_letters(letters).alphabet.letters
    tiles = TileSet.from_letters(
        [*items, *({"letter": name, "count": 6, "value": 99} for name in names)], "dear"
    )
    code = letters
    words = [bytes([code]) * length for length in range(2, side + 1)]
    lexicon = open_lexicon(tmp_path, "dear", tiles, words)
    world = World("dear", tiles, tuple(words), (code,), lexicon)
    layout = BoardLayout.from_rows([mark * side] * side, [(0, 0)])
    squares = bytearray(side * side)
    for row in range(side):
        for column in range(side):
            # Everything is covered but a row and a column of seven free squares.
            squares[row * side + column] = 0 if row == side - 1 and column >= side - 7 else code
    rules = default_rule_set("english").changed(bingo_bonus=1000)
    count = assert_agree(world, Board(side, bytes(squares)), layout, Rack(bytes([code] * 7)), rules)
    assert count > 0


def test_blanks_on_the_board_keep_their_letter_and_score_nothing(worlds: dict[str, World]) -> None:
    world, rules = worlds["english"], default_rule_set("english")
    layout = BoardLayout.from_rows(["." * 15] * 15)
    random = Random(11)
    board = play_at_random(random, world, layout, rules, 9)[-1][0].board
    blanks = bytes(code | BLANK_FLAG if code else 0 for code in board.squares)
    assert_agree(world, Board(15, blanks), layout, random_rack(random, world, size=7), rules)


def test_a_phony_prunes_nothing(tmp_path: Path) -> None:
    """A run that is no word, with words in and around it: its legal extensions are found."""
    english = tile_set("english")
    words = [
        english.alphabet.encode_word(word)
        for word in ["AB", "BA", "ABA", "XABX", "XQABZ", "QABZ", "ZZXQABZZ", "QQ"]
    ]
    world = World("phony", english, tuple(words), (1, 2), open_lexicon(tmp_path, "phony", english, words))
    layout = BoardLayout.from_rows(["." * 15] * 15)
    board = Board.from_rows(["." * 15] * 7 + ["....XQAB......."] + ["." * 15] * 7, english.alphabet, 15)
    rules = default_rule_set("english")
    count = assert_agree(world, board, layout, Rack.from_text("ZZZZAB?", english.alphabet), rules)
    assert count >= 2


def test_the_order_is_the_documented_one(worlds: dict[str, World]) -> None:
    """`Plays.best` sorts by word ids; the reference by the letters themselves, in the order of the rules."""
    layout, rules = BoardLayout.from_rows(["." * 15] * 15), default_rule_set("english")
    for name in ("english", "spanish", "czech", "letters-63"):
        world, random = worlds[name], Random(5)
        board = play_at_random(random, world, layout, rules, 6)[-1][0]
        rack = random_rack(random, world, size=7)
        expected = reference_plays(board.board, layout, world.tile_set, rack, world.word_set, rules)
        plays = generator("internal_words", world.lexicon).generate(board, rack, rules)
        order = plays.best(len(plays))
        assert [(plays.move(i), int(plays.array["score"][i])) for i in order] == expected
        for count in (1, 2, 10, len(plays) - 1):
            assert list(plays.best(count)) == list(order[:count])


def test_threads_with_a_generator_each_do_not_meet(worlds: dict[str, World]) -> None:
    world = worlds["english"]
    layout, rules = BoardLayout.from_rows(["." * 15] * 15), default_rule_set("english")
    random = Random(9)
    cases = [
        (board, random_rack(random, world)) for board, _ in play_at_random(random, world, layout, rules, 12)
    ]

    def work(_: int) -> list[list[Any]]:
        search = generator("internal_words", world.lexicon)
        return [in_order(search.generate(board, rack, rules)) for board, rack in cases * 5]

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
    worlds: dict[str, World], rack: bytes, values: Any
) -> None:
    world, layout = worlds["english"], BoardLayout.from_rows(["." * 15] * 15)
    board = LoadedBoard.load(Board.empty(15), layout, world.tile_set, world.lexicon)
    with pytest.raises(ValueError, match=r"."):
        generator("internal_words", world.lexicon).generate(
            board, Rack(rack), default_rule_set("english"), values
        )


def test_a_board_of_another_lexicon_is_refused(worlds: dict[str, World]) -> None:
    layout, rules = BoardLayout.from_rows(["." * 15] * 15), default_rule_set("english")
    world = worlds["english"]
    board = LoadedBoard.load(Board.empty(15), layout, world.tile_set, world.lexicon)
    for name in ("two-letters", "wide-english"):
        with pytest.raises((ValueError, TypeError)):
            generator("internal_words", worlds[name].lexicon).generate(board, Rack(b"\1\2"), rules)


def test_an_unknown_generator_is_an_error_that_names_the_known_ones(worlds: dict[str, World]) -> None:
    with pytest.raises(NotFound, match="internal_words") as caught:
        generator("magic", worlds["english"].lexicon)
    assert caught.value.code == "unknown_generator"
