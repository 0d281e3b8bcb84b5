"""internal_words finds what reference.py finds: the same plays, the same scores, in the same order."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from engine.loaded_board import LoadedBoard
from engine.movegen import generator
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


def assert_agree(world: World, board: Board, layout: BoardLayout, rack: Rack, rules: RuleSet) -> int:
    """Compare the two generators on one position; return the number of plays."""
    alphabet = world.tile_set.alphabet
    case = (
        f"{world.name}: {board.text(alphabet)} {rack.text(alphabet)} {layout.canonical()} {rules.canonical()}"
    )
    expected = reference_plays(board, layout, world.tile_set, rack, world.word_set, rules)
    loaded = LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    plays = generator("internal_words", world.lexicon).generate(loaded, rack, rules)
    found = [(plays.move(i), int(plays.array["score"][i])) for i in plays.best(len(plays))]
    assert (set(expected) - set(found), set(found) - set(expected)) == (set(), set()), case
    assert found == expected, case
    return len(found)


def compare_at_random(random: Random, world: World, side: int, turns: int, garbage: int) -> None:
    """Compare on a board built by random plays, with some random tiles added, under random rules."""
    layout = random_layout(random, side, symmetric=random.random() < 0.5, starts=random.choice((1, 1, 2, 4)))
    rules = random_rules(random)
    loaded = play_at_random(random, world, layout, rules, turns)[-1][0]
    board = with_garbage(random, world, loaded.board, garbage)
    most = 4 if len(world.words) < 600 else 2
    count = assert_agree(world, board, layout, random_rack(random, world, most_blanks=most), rules)
    event("no play" if count == 0 else "under 50 plays" if count < 50 else "50 plays or more")


@examples(150)
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


@examples(80)
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


@examples(80)
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
