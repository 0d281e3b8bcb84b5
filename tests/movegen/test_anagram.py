"""The Anagram Method finds what the reference and internal_words find, within its index and beyond it."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from engine.errors import MissingTable
from engine.lexicon.build import build_lexicon, open_tables
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.rivals.parts import build_parts
from engine.loaded_board import LoadedBoard
from engine.movegen import simd_paths
from engine.movegen.anagram import Anagram
from engine.movegen.internal_words import InternalWords
from engine.movegen.perft import perft
from engine.movegen.plays import TooManyPlaysError, leaves
from engine.movegen.reference import reference_plays
from engine.position import Board, Rack
from engine.records import parse_cgp
from engine.rules import BoardLayout, TileSet, board_layout, default_rule_set, tile_set
from tests.large_list import published
from tests.movegen.games import play_at_random
from tests.movegen.worlds import (
    World,
    garbage_board,
    make_world,
    many_letters,
    random_layout,
    random_rack,
    random_rules,
    with_garbage,
    word_list,
)

if TYPE_CHECKING:
    from pathlib import Path

    from engine.movegen import Plays
    from engine.position import Position
    from engine.rules import RuleSet
    from tests.large_list import LargeList

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


def with_index(world: World) -> World:
    """Return the world with the anagram index in its lexicon."""
    wide = world.lexicon.geometry == "wide"
    meta, sections = build_lexicon(word_list(world.words), world.tile_set, id=world.name, wide=wide)
    parts = build_parts(open_tables(sections, meta), meta, ["anagrams"])
    return replace(world, lexicon=Lexicon(meta, sections | parts, world.lexicon.table_sha256))


@pytest.fixture(scope="module")
def indexed(worlds: dict[str, World]) -> dict[str, World]:
    return {name: with_index(world) for name, world in worlds.items()}


@pytest.fixture(scope="module")
def indexed_large(large: World) -> World:
    return with_index(large)


def same_plays(one: Plays, other: Plays) -> bool:
    """Tell whether two lists hold the same plays, in every field, in any order."""
    names = one.array.dtype.names
    return np.array_equal(np.sort(one.array, order=names), np.sort(other.array, order=names))


def assert_agree(world: World, board: Board, layout: BoardLayout, rack: Rack, rules: RuleSet) -> Plays:
    """Compare with the reference on one position, and every field with internal_words."""
    alphabet = world.tile_set.alphabet
    case = (
        f"{world.name}: {board.text(alphabet)} {rack.text(alphabet)} {layout.canonical()} {rules.canonical()}"
    )
    expected = reference_plays(board, layout, world.tile_set, rack, world.word_set, rules)
    loaded = LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    values = np.arange(len(leaves(rack)), dtype=np.int32) * 1237 - 9000
    plays = Anagram(world.lexicon).generate(loaded, rack, rules, values)
    found = [(plays.move(i), int(plays.array["score"][i])) for i in plays.best(len(plays))]
    assert (set(expected) - set(found), set(found) - set(expected)) == (set(), set()), case
    assert found == expected, case
    assert same_plays(plays, InternalWords(world.lexicon).generate(loaded, rack, rules, values)), case
    return plays


def compare_at_random(random: Random, world: World, side: int, turns: int, garbage: int) -> None:
    """Compare on a board built by random plays, with some random tiles added, under random rules."""
    layout = random_layout(random, side, symmetric=random.random() < 0.5, starts=random.choice((1, 1, 2, 4)))
    rules = random_rules(random)
    loaded = play_at_random(random, world, layout, rules, turns)[-1][0]
    board = with_garbage(random, world, loaded.board, garbage)
    most = 4 if len(world.words) < 600 else 2
    plays = assert_agree(world, board, layout, random_rack(random, world, most_blanks=most), rules)
    event("beyond the index" if plays.statistics["unindexed"] else "within the index")
    event("no play" if not len(plays) else "plays")


@examples(80)
@given(
    name=st.sampled_from(NARROW),
    seed=SEEDS,
    side=st.integers(10, 16),
    turns=st.integers(0, 14),
    garbage=st.integers(0, 8),
)
def test_narrow_boards_of_games_and_phonies(
    indexed: dict[str, World], name: str, seed: int, side: int, turns: int, garbage: int
) -> None:
    compare_at_random(Random(seed), indexed[name], side, turns, garbage)


@examples(40)
@given(
    name=st.sampled_from(WIDE),
    seed=SEEDS,
    side=st.integers(10, 26),
    turns=st.integers(0, 25),
    garbage=st.integers(0, 12),
)
def test_wide_boards_of_games_and_phonies(
    indexed: dict[str, World], name: str, seed: int, side: int, turns: int, garbage: int
) -> None:
    compare_at_random(Random(seed), indexed[name], side, turns, garbage)


@examples(40)
@given(
    name=st.sampled_from(NARROW + WIDE),
    seed=SEEDS,
    side=st.integers(10, 16),
    share=st.sampled_from((0.02, 0.1, 0.3, 0.6, 0.9)),
)
def test_boards_of_nothing_but_random_tiles(
    indexed: dict[str, World], name: str, seed: int, side: int, share: float
) -> None:
    random, world = Random(seed), indexed[name]
    layout = random_layout(random, side, symmetric=False, starts=2)
    board = garbage_board(random, world, side, share)
    assert_agree(world, board, layout, random_rack(random, world), random_rules(random))


@examples(30)
@given(seed=SEEDS, letters=st.sampled_from((1, 2, 3, 26, 31, 32, 33, 62, 63)), count=st.integers(1, 30))
def test_lexicons_of_a_few_words(tmp_path: Path, seed: int, letters: int, count: int) -> None:
    random = Random(seed)
    tiles = many_letters(letters)
    used = tuple(sorted({1, letters, random.randint(1, letters)}))
    longest = random.choice((2, 3, 10, 16, 26))
    world = make_world(tmp_path, f"few-{seed}", tiles, used, count=count, longest=longest, seed=seed)
    side = random.randint(10, 16 if world.lexicon.geometry == "narrow" else 26)
    compare_at_random(random, with_index(world), side, random.randint(0, 12), random.randint(0, 10))


@pytest.mark.parametrize("rack", ["", "A", "?", "??", "???????", "AAAAAAA", "BBBBBB?", "AB?????", "AB??"])
def test_racks_at_the_limits(indexed: dict[str, World], rack: str) -> None:
    world, rules = indexed["two-letters"], default_rule_set("english")
    layout = BoardLayout.from_rows(["." * 15] * 15)
    tiles = Rack.from_text(rack, world.tile_set.alphabet)
    assert_agree(world, Board.empty(15), layout, tiles, rules)
    loaded = play_at_random(Random(3), world, layout, rules, 4)[-1][0]
    plays = assert_agree(world, loaded.board, layout, tiles, rules)
    if tiles.tiles.count(0) > 2:
        assert plays.statistics["unindexed"] > 0


def test_a_designated_blank_on_the_board_counts_as_its_letter(tmp_path: Path) -> None:
    """The one Z of the set and a blank Z lie on the board, the other blank is on the rack: still indexed.

    With both on the rack, or a third Z on the board, some intervals are beyond the index, and right still.
    """
    english = tile_set("english")
    words = tuple(english.alphabet.encode_word(word) for word in ("ZZA", "AZZA", "ZA", "AZ", "ZZAZ", "AA"))
    world = with_index(World("zz", english, words, (1, 26), make_lexicon(words)))
    layout = BoardLayout.from_rows(["." * 15] * 15)
    rules = default_rule_set("english")
    for row, rack, beyond in ((".zZ", "A?", False), (".zZ", "A??", True), (".ZZ.z", "AZ?", True)):
        rows = ["." * 15] * 7 + [row.rjust(9, ".").ljust(15, ".")] + ["." * 15] * 7
        board = Board.from_rows(rows, english.alphabet, 15)
        plays = assert_agree(world, board, layout, Rack.from_text(rack, english.alphabet), rules)
        assert len(plays) > 0
        assert (plays.statistics["unindexed"] > 0) == beyond, (row, rack)


def make_lexicon(words: tuple[bytes, ...]) -> Lexicon:
    meta, sections = build_lexicon(word_list(words), tile_set("english"), id="made")
    return Lexicon(meta, sections, "")


@pytest.mark.parametrize("mark", ["Q", "q", "T"])
@pytest.mark.parametrize(("letters", "side"), [(26, 16), (63, 26)])
def test_the_highest_scores_do_not_overflow(mark: str, letters: int, side: int) -> None:
    """Every tile is worth 99 points, every square multiplies by four, and words cross at every new tile."""
    items: list[dict[str, Any]] = [{"letter": "?", "count": 2, "value": 0}]
    items += [{"letter": name, "count": 6, "value": 99} for name in many_letters(letters).alphabet.letters]
    tiles = TileSet.from_letters(items, "dear")
    words = tuple(bytes([letters]) * length for length in range(2, side + 1))
    meta, sections = build_lexicon(word_list(words), tiles, id="dear")
    world = with_index(World("dear", tiles, words, (letters,), Lexicon(meta, sections, "")))
    layout = BoardLayout.from_rows([mark * side] * side, [(0, 0)])
    free = [(side - 1) * side + column for column in range(side - 7, side)]
    board = Board(side, bytes(0 if square in free else letters for square in range(side * side)))
    rules = default_rule_set("english").changed(bingo_bonus=1000)
    for rack in (bytes([letters] * 7), bytes([0, 0] + [letters] * 5)):
        assert len(assert_agree(world, board, layout, Rack(rack), rules)) > 0


def test_the_intervals_of_an_empty_board(indexed: dict[str, World]) -> None:
    """The thesis counts 54 at the start of a game; a symmetric layout needs those across only."""
    world, rules = indexed["english"], default_rule_set("english")
    rack = Rack.from_text("AEINRST", world.tile_set.alphabet)
    lopsided = BoardLayout.from_rows(["D" + "." * 14] + ["." * 15] * 13 + ["T" + "." * 14], [(7, 7)])
    for layout, expected in ((board_layout("standard15"), 27), (lopsided, 54)):
        board = LoadedBoard.load(Board.empty(15), layout, world.tile_set, world.lexicon)
        assert Anagram(world.lexicon).generate(board, rack, rules).statistics["intervals"] == expected


def test_every_vector_path_finds_the_same(indexed: dict[str, World]) -> None:
    """Of those that this processor has; the debug build has them all."""
    rules = default_rule_set("english")
    levels = list(simd_paths().values())
    for name in ("english", "spanish", "wide-english"):
        world = indexed[name]
        searches = [Anagram(world.lexicon, simd=level) for level in levels]
        for seed in range(12):
            random = Random(seed)
            board = play_at_random(random, world, board_layout("standard15"), rules, 8)[-1][0]
            rack = random_rack(random, world, most_blanks=3)
            found = [search.generate(board, rack, rules) for search in searches]
            assert all(same_plays(plays, found[0]) for plays in found), (name, seed)


def test_a_lexicon_without_the_index_is_refused(worlds: dict[str, World]) -> None:
    with pytest.raises(MissingTable, match="--with anagrams"):
        Anagram(worlds["one-word"].lexicon)


# ----------------------------------------------------------------------------------------------- large list


def board_of(position: Position, world: World) -> LoadedBoard:
    return LoadedBoard.load(position.board, position.layout, position.tile_set, world.lexicon)


def test_every_line_of_the_oracles(large_list: LargeList, indexed_large: World) -> None:
    search = Anagram(indexed_large.lexicon)
    for line in large_list.counted:
        position = parse_cgp(line["cgp"])
        plays = search.generate(board_of(position, indexed_large), position.rack, position.rules)
        scores = plays.array["score"].tolist()
        found = perft(position, ((plays.move(i), score) for i, score in enumerate(scores)))
        known = published(line)
        assert {name: getattr(found, name) for name in known} == known, line["cgp"]


def test_plays_beyond_the_limit_are_an_error(indexed_large: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lower limit stands for the true one, and the search can be used again."""
    world, rules = indexed_large, default_rule_set("english")
    board = LoadedBoard.load(Board.empty(15), board_layout("standard15"), world.tile_set, world.lexicon)
    monkeypatch.setattr("engine.movegen.anagram.PLAY_LIMIT", 100)
    search = Anagram(world.lexicon)
    for rack in ("AEINS??", "???????"):
        with pytest.raises(TooManyPlaysError):
            search.generate(board, Rack.from_text(rack, world.tile_set.alphabet), rules)
    few = Rack.from_text("AEINRST", world.tile_set.alphabet)
    assert same_plays(
        search.generate(board, few, rules), InternalWords(world.lexicon).generate(board, few, rules)
    )


def test_every_greedy_position(large_list: LargeList, indexed_large: World) -> None:
    """Every field equals internal_words', no interval is beyond the index.

    And the seeds' claim: intervals rise through the game, far above those of the Internal-Words Method.
    """
    anagram, internal = Anagram(indexed_large.lexicon), InternalWords(indexed_large.lexicon)
    intervals: dict[int, list[tuple[int, int]]] = {}
    for row in large_list.greedy:
        position = parse_cgp(row["cgp"])
        board = board_of(position, indexed_large)
        mine = anagram.generate(board, position.rack, position.rules)
        other = internal.generate(board, position.rack, position.rules)
        assert same_plays(mine, other), row["cgp"]
        assert mine.statistics["unindexed"] == 0, row["cgp"]
        move = intervals.setdefault(int(row["move_number"]), [])
        move.append((mine.statistics["intervals"], other.statistics["intervals"]))
    means = {move: np.mean(counts, axis=0) for move, counts in intervals.items()}
    assert means[2][0] < means[8][0] < means[18][0]
    assert means[18][0] > 2 * means[18][1]
    if large_list.id == "twl06":
        overall = np.mean([count for counts in intervals.values() for count in counts], axis=0)
        assert 640 < overall[0] < 740
        assert means[18][0] > 3 * means[18][1]
