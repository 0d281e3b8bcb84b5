"""gordon and appel_jacobson find what reference.py and internal_words find: the same plays and scores."""

from __future__ import annotations

import os
from dataclasses import asdict
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import MissingTable
from engine.lexicon.build import build_lexicon, open_tables
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.rivals.parts import build_parts
from engine.loaded_board import LoadedBoard
from engine.movegen import generator
from engine.movegen.appel_jacobson import AppelJacobson
from engine.movegen.gordon import Gordon
from engine.movegen.perft import perft
from engine.movegen.plays import TooManyPlaysError, leaves
from engine.movegen.reference import reference_plays
from engine.position import Board, Rack
from engine.records import parse_cgp
from engine.rules import BoardLayout, TileSet, default_rule_set, tile_set
from tests.large_list import published
from tests.movegen.games import play_at_random
from tests.movegen.test_agreement import NARROW, SEEDS, WIDE, examples
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
    word_list,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.movegen.arc_search import ArcSearch
    from engine.rules import RuleSet
    from tests.large_list import LargeList

RIVALS: tuple[type[ArcSearch], ...] = (Gordon, AppelJacobson)
SAMPLED = 378  # greedy positions; FULL_COMPARISON=1 compares them all


def with_automata(world: World) -> World:
    """Return the world with a lexicon whose tables hold both automata."""
    wide = world.lexicon.geometry == "wide"
    meta, sections = build_lexicon(word_list(world.words), world.tile_set, id=world.name, wide=wide)
    sections |= build_parts(open_tables(sections, meta), meta, ("dawg", "gaddag"))
    return World(
        world.name, world.tile_set, world.words, world.letters, Lexicon(meta, sections, "with automata")
    )


@pytest.fixture(scope="module")
def rival_worlds(worlds: dict[str, World]) -> dict[str, World]:
    return {name: with_automata(world) for name, world in worlds.items()}


@pytest.fixture(scope="module")
def rival_large(large: World) -> World:
    return with_automata(large)


def rivals(lexicon: Lexicon) -> list[ArcSearch]:
    """Both methods, on every kernel that the processor runs."""
    levels = [level for level in (0, 1) if Gordon.kernels["narrow"].simd_name(level)]
    return [method(lexicon, simd=level) for method in RIVALS for level in levels]


def in_order(array: NDArray[Any]) -> NDArray[Any]:
    return np.sort(array, order=["line", "start", "length", "word", "blanks"])


def assert_agree(world: World, board: Board, layout: BoardLayout, rack: Rack, rules: RuleSet) -> int:
    """Compare each rival's moves with the reference's, and its array, leaves and all, with the main one's."""
    expected = reference_plays(board, layout, world.tile_set, rack, world.word_set, rules)
    loaded = LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    values = np.arange(len(leaves(rack)), dtype=np.int32) * 7 - 100
    main = in_order(generator("internal_words", world.lexicon).generate(loaded, rack, rules, values).array)
    alphabet = world.tile_set.alphabet
    case_of_world = f"{world.name}: {board.text(alphabet)} {rack.text(alphabet)} {layout.canonical()}"
    for rival in rivals(world.lexicon):
        case = f"{rival.name} {rival.simd} {case_of_world}"
        plays = rival.generate(loaded, rack, rules)
        found = [(plays.move(i), int(plays.array["score"][i])) for i in plays.best(len(plays))]
        assert (set(expected) - set(found), set(found) - set(expected)) == (set(), set()), case
        assert found == expected, case
        assert np.array_equal(in_order(rival.generate(loaded, rack, rules, values).array), main), case
    return len(expected)


def compare_at_random(random: Random, world: World, side: int, turns: int, garbage: int) -> None:
    layout = random_layout(random, side, symmetric=random.random() < 0.5, starts=random.choice((1, 1, 2, 4)))
    rules = random_rules(random)
    loaded = play_at_random(random, world, layout, rules, turns)[-1][0]
    board = with_garbage(random, world, loaded.board, garbage)
    most = 4 if len(world.words) < 600 else 2
    assert_agree(world, board, layout, random_rack(random, world, most_blanks=most), rules)


@examples(60)
@given(
    name=st.sampled_from(NARROW),
    seed=SEEDS,
    side=st.integers(10, 16),
    turns=st.integers(0, 14),
    garbage=st.integers(0, 8),
)
def test_narrow_boards_of_games_and_phonies(
    rival_worlds: dict[str, World], name: str, seed: int, side: int, turns: int, garbage: int
) -> None:
    compare_at_random(Random(seed), rival_worlds[name], side, turns, garbage)


@examples(40)
@given(
    name=st.sampled_from(WIDE),
    seed=SEEDS,
    side=st.integers(10, 26),
    turns=st.integers(0, 25),
    garbage=st.integers(0, 12),
)
def test_wide_boards_of_games_and_phonies(
    rival_worlds: dict[str, World], name: str, seed: int, side: int, turns: int, garbage: int
) -> None:
    compare_at_random(Random(seed), rival_worlds[name], side, turns, garbage)


@examples(40)
@given(
    name=st.sampled_from(NARROW + WIDE),
    seed=SEEDS,
    side=st.integers(10, 16),
    share=st.sampled_from((0.02, 0.1, 0.3, 0.6, 0.9)),
)
def test_boards_of_nothing_but_random_tiles(
    rival_worlds: dict[str, World], name: str, seed: int, side: int, share: float
) -> None:
    random, world = Random(seed), rival_worlds[name]
    layout = random_layout(random, side, symmetric=False, starts=2)
    board = garbage_board(random, world, side, share)
    assert_agree(world, board, layout, random_rack(random, world), random_rules(random))


@examples(30)
@given(seed=SEEDS, letters=st.sampled_from((1, 2, 3, 26, 31, 32, 33, 62, 63)), count=st.integers(1, 30))
def test_lexicons_of_a_few_words(tmp_path: Path, seed: int, letters: int, count: int) -> None:
    random = Random(seed)
    used = tuple(sorted({1, letters, random.randint(1, letters)}))
    longest = random.choice((2, 3, 10, 16, 26))
    world = with_automata(
        make_world(
            tmp_path, f"few-{seed}", many_letters(letters), used, count=count, longest=longest, seed=seed
        )
    )
    side = random.randint(10, 16 if world.lexicon.geometry == "narrow" else 26)
    compare_at_random(random, world, side, random.randint(0, 12), random.randint(0, 10))


@pytest.mark.parametrize(
    "rack", ["", "A", "?", "???????", "AAAAAAA", "BBBBBB?", "AB?????", "AAB???", "AABB??"]
)
def test_racks_at_the_limits(rival_worlds: dict[str, World], rack: str) -> None:
    world, rules = rival_worlds["two-letters"], default_rule_set("english")
    layout = BoardLayout.from_rows(["." * 15] * 15)
    tiles = Rack.from_text(rack, world.tile_set.alphabet)
    assert_agree(world, Board.empty(15), layout, tiles, rules)
    loaded = play_at_random(Random(3), world, layout, rules, 4)[-1][0]
    assert_agree(world, loaded.board, layout, tiles, rules)


@pytest.mark.parametrize("mark", ["Q", "q", "T"])
@pytest.mark.parametrize(("letters", "side"), [(26, 16), (63, 26)])
def test_the_highest_scores_do_not_overflow(tmp_path: Path, mark: str, letters: int, side: int) -> None:
    """Every tile is worth 99 points, every square multiplies by four, and words cross at every new tile."""
    names = many_letters(letters).alphabet.letters
    items: list[dict[str, Any]] = [{"letter": "?", "count": 2, "value": 0}]
    items += [{"letter": name, "count": 6, "value": 99} for name in names]
    tiles = TileSet.from_letters(items, "dear")
    words = [bytes([letters]) * length for length in range(2, side + 1)]
    lexicon = open_lexicon(tmp_path, "dear", tiles, words)
    world = with_automata(World("dear", tiles, tuple(words), (letters,), lexicon))
    layout = BoardLayout.from_rows([mark * side] * side, [(0, 0)])
    free = [(side - 1) * side + column for column in range(side - 7, side)]
    board = Board(side, bytes(0 if square in free else letters for square in range(side * side)))
    rules = default_rule_set("english").changed(bingo_bonus=1000)
    assert assert_agree(world, board, layout, Rack(bytes([letters] * 7)), rules) > 0
    assert_agree(world, board, layout, Rack(bytes([0, 0] + [letters] * 5)), rules)


@pytest.mark.parametrize("method", RIVALS)
def test_plays_beyond_the_limit_are_an_error(
    rival_large: World, method: type[ArcSearch], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lower limit stands for the true one, and the search can be used again."""
    world, rules = rival_large, default_rule_set("english")
    layout = BoardLayout.from_rows(["." * 15] * 15)
    board = LoadedBoard.load(Board.empty(15), layout, world.tile_set, world.lexicon)
    monkeypatch.setattr("engine.movegen.arc_search.PLAY_LIMIT", 100)
    search = method(world.lexicon)
    with pytest.raises(TooManyPlaysError):
        search.generate(board, Rack(bytes(7)), rules)
    few = Rack.from_text("AEINRST", world.tile_set.alphabet)
    expected = generator("internal_words", world.lexicon).generate(board, few, rules)
    assert np.array_equal(in_order(search.generate(board, few, rules).array), in_order(expected.array))


@pytest.mark.parametrize("method", RIVALS)
def test_a_lexicon_without_the_automaton_names_the_command(
    worlds: dict[str, World], method: type[ArcSearch]
) -> None:
    with pytest.raises(MissingTable, match=f"run: kibitz lexicon build english --with {method.part}$"):
        generator(method.name, worlds["english"].lexicon)


@pytest.mark.parametrize("method", RIVALS)
def test_every_line_of_the_oracle(large_list: LargeList, rival_large: World, method: type[ArcSearch]) -> None:
    search = method(rival_large.lexicon)
    for line in large_list.counted:
        position = parse_cgp(line["cgp"])
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, rival_large.lexicon)
        plays = search.generate(board, position.rack, position.rules)
        scores = plays.array["score"].tolist()
        figures = asdict(perft(position, ((plays.move(i), scores[i]) for i in range(len(plays)))))
        known = published(line)
        assert {name: figures[name] for name in known} == known, line["cgp"]


def test_greedy_positions(large_list: LargeList, rival_large: World) -> None:
    """About 380 positions, or all of them (FULL_COMPARISON=1): equal arrays."""
    step = 1 if os.environ.get("FULL_COMPARISON") else max(1, len(large_list.greedy) // SAMPLED)
    main = generator("internal_words", rival_large.lexicon)
    searches = [method(rival_large.lexicon) for method in RIVALS]
    for row in large_list.greedy[::step]:
        position = parse_cgp(row["cgp"], tile_set=tile_set("english"))
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, rival_large.lexicon)
        expected = in_order(main.generate(board, position.rack, position.rules).array)
        for search in searches:
            found = in_order(search.generate(board, position.rack, position.rules).array)
            assert np.array_equal(found, expected), (search.name, row["cgp"])
