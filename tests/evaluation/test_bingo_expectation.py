"""Septets, delta sets and e: against their definitions, the generator, and plain arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.evaluation.bingo_expectation import DeltaSet
from engine.evaluation.bingo_table import BingoCounts, BingoTable, bingo_table
from engine.evaluation.evaluation_narrow import SituationKernel, leave_values
from engine.evaluation.evaluators import Evaluator
from engine.evaluation.heuri import HeuriConstants, heuri_kernel
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.movegen.plays import leaves
from engine.position import Board, Player, Position, Rack
from engine.rules import RuleSet, board_layout, tile_set
from tests.evaluation.heuri_values import heuri_values
from tests.movegen.games import play_at_random
from tests.movegen.worlds import (
    World,
    garbage_board,
    open_lexicon,
    random_layout,
    random_rack,
    with_garbage,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SEEDS = st.integers(0, 2**32)


def definition(world: World) -> tuple[set[bytes], set[bytes]]:
    """Return septets and reduced octets that the bag can deal, as the text defines them."""
    counts = world.tile_set.counts

    def dealt_with_blanks(multisets: Iterable[bytes]) -> set[bytes]:
        found = set()
        for tiles in set(multisets):
            for blanks in range(min(counts[0], 7) + 1):
                for chosen in combinations(tiles, 7 - blanks):
                    if all(chosen.count(code) <= counts[code] for code in chosen):
                        found.add(bytes(blanks) + bytes(chosen))
        return found

    septets = dealt_with_blanks(bytes(sorted(word)) for word in world.words if len(word) == 7)
    octets = dealt_with_blanks(
        bytes(sorted(word[:i] + word[i + 1 :])) for word in world.words if len(word) == 8 for i in range(8)
    )
    return septets, octets


def a_board(random: Random, world: World) -> LoadedBoard:
    """Return a board as a game leaves it, or one of garbage, of any size and layout that the world allows."""
    side = random.randint(10, 26 if world.lexicon.geometry == "wide" else 16)
    layout = random_layout(random, side, symmetric=random.random() < 0.5, starts=random.choice((1, 1, 2)))
    kind = random.random()
    if kind < 0.2:
        board = garbage_board(random, world, side, random.choice((0.01, 0.05, 0.3)))
        return LoadedBoard.load(board, layout, world.tile_set, world.lexicon)
    loaded = play_at_random(random, world, layout, RuleSet(), random.randint(0, 6))[-1][0]
    if kind < 0.4:
        littered = with_garbage(random, world, loaded.board, 3)
        return LoadedBoard.load(littered, layout, world.tile_set, world.lexicon)
    return loaded


@pytest.mark.parametrize(
    "name", ["english", "one-word", "two-letters", "spanish", "letters-33", "wide-english"]
)
def test_a_table_holds_the_multisets_of_the_definition(worlds: dict[str, World], name: str) -> None:
    world = worlds[name]
    table = bingo_table(world.lexicon)
    septets, octets = definition(world)
    assert {table.tiles(i) for i in np.flatnonzero(table.counted)} == septets | octets
    assert {table.tiles(i) for i in np.flatnonzero(table.septet)} == septets
    assert table.counts == BingoCounts(len(septets), len(septets - octets), len(octets))
    for tiles in septets | octets:
        assert table.tiles(table.entry(tiles[::-1])) == tiles
    assert table.entry(bytes([*world.letters * 7][:6])) == -1
    assert bingo_table(world.lexicon) is table


def test_entries_have_as_many_blanks_as_the_bag(tmp_path: Path) -> None:
    words = (bytes((1, 2, 3, 4, 5, 6, 7)), bytes((1, 1, 1, 1, 1, 1, 1, 2)))
    for blanks in (0, 1, 4):
        items = [{"letter": "?", "count": blanks, "value": 0}]
        items += [{"letter": chr(64 + i), "count": 2, "value": i} for i in range(1, 8)]
        tiles = tile_set("english").from_letters(items, id=f"blanks-{blanks}")
        world = World("", tiles, words, (1, 2), open_lexicon(tmp_path, f"b{blanks}", tiles, words))
        table = BingoTable(world.lexicon)
        septets, octets = definition(world)
        assert {table.tiles(i) for i in np.flatnonzero(table.counted)} == septets | octets
        assert max(tiles.count(0) for tiles in septets | octets) == blanks


@pytest.mark.parametrize("name", ["english", "sixteen-long", "spanish", "letters-32", "letters-63"])
@given(seed=SEEDS)
@settings(max_examples=60, deadline=None)
def test_delta_is_what_the_generator_finds(worlds: dict[str, World], name: str, seed: int) -> None:
    world, random = worlds[name], Random(seed)
    board = a_board(random, world)
    table = bingo_table(world.lexicon)
    delta = DeltaSet.compute(board, table)
    search = InternalWords(world.lexicon)
    entries = np.flatnonzero(table.counted)
    for entry in random.sample(list(entries), min(25, len(entries))):
        tiles = table.tiles(int(entry))
        plays = search.generate(board, Rack(tiles), RuleSet()).array
        assert (tiles in delta) == bool((plays["placed"] == 7).any()), tiles
    assert delta.count == int(delta.flags.sum()) <= table.counts.total


def exact(
    world: World, entries: list[bytes], leave: bytes, unseen: list[int], bag: int, bonus: int, k: Fraction
) -> Fraction:
    """Return e of a leave as the text defines it, in points, by integer arithmetic."""
    drawn = 7 - len(leave)
    if drawn > bag or drawn > sum(unseen):
        return Fraction(0)
    choices = np.array([[comb(n, i) if i >= 0 else 0 for i in (*range(8), *range(-8, 0))] for n in unseen])
    codes = np.arange(len(unseen))
    counts = (np.array([list(tiles) for tiles in entries], np.uint8).reshape(-1, 7, 1) == codes).sum(axis=1)
    left = np.array([leave.count(code) for code in range(len(unseen))])
    ways = choices[codes, counts - left].prod(axis=1)
    tile_points = counts @ np.array(world.tile_set.values)
    return Fraction(bonus * int(ways.sum()) + k * int((ways * tile_points).sum())) / comb(sum(unseen), drawn)


@pytest.mark.parametrize("name", ["english", "two-letters", "spanish", "letters-33"])
@given(seed=SEEDS)
@settings(max_examples=40, deadline=None)
@pytest.mark.long
def test_e_of_all_leaves_is_the_exact_sum(worlds: dict[str, World], name: str, seed: int) -> None:
    world, random = worlds[name], Random(seed)
    board = a_board(random, world)
    table = bingo_table(world.lexicon)
    delta = DeltaSet.compute(board, table)
    rack = random_rack(random, world)
    unseen = [random.choice((0, 1, 2, 5)) for _ in world.tile_set.counts]
    bag = random.choice((0, 2, 6, 7, 14, 15, 50))
    version = random.choice((2, 3, 4, 5, 6))
    flags = {2: table.septet, 3: delta.flags & table.septet}.get(version, delta.flags)
    k = Fraction(5, 2)
    if version > 4:
        k = Fraction(5) if board.board.is_empty else Fraction(5 * delta.count, table.counts.total)
    if version == 6 and 0 < bag < 15:
        flags, k = table.counted, Fraction(1, 2)
    entries = [table.tiles(int(entry)) for entry in np.flatnonzero(flags)]
    around = np.array(unseen, np.uint8)
    values = heuri_values(version, board, rack, around, bag, delta=delta)
    for number, leave in enumerate(leaves(rack)):
        want = 1000 * exact(world, entries, leave, unseen, bag, 50, k) if len(leave) < 7 else Fraction(0)
        assert abs(values[number] - want) <= Fraction(1, 2) + want / 10**9 + Fraction(1, 10**6)
    assert (values == heuri_values(version, board, rack, around, bag)).all()


def test_the_worked_example_of_the_text(tmp_path: Path) -> None:
    """Leave AAAÑ after HQV are exchanged, septet AAAAÑRR: p = C(9,1) C(3,2) / C(93,3), with three R left."""
    spanish = tile_set("spanish")
    word = bytes(map(spanish.alphabet.code, "ARAÑARA"))
    world = World("", spanish, (word,), (1,), open_lexicon(tmp_path, "spider", spanish, (word,)))
    layout = board_layout("standard15")
    board = LoadedBoard.load(Board.empty(15), layout, spanish, world.lexicon)
    code = spanish.alphabet.code
    rack = Rack(bytes(sorted(map(code, "AAAÑHQV"))))
    unseen = np.array(spanish.counts, np.uint8)
    for tile in rack.tiles:
        unseen[tile] -= 1
    unseen[code("T")] += unseen[0] + unseen[code("R")] - 3  # the text counts no blanks in it, and three R
    unseen[0], unseen[code("R")] = 0, 3
    assert (unseen.sum(), unseen[code("A")]) == (93, 9)
    values = heuri_values(2, board, rack, unseen, 86)
    leave = leaves(rack).index(bytes(sorted(map(code, "AAAÑ"))))
    points = sum(spanish.values[tile] for tile in word)
    p = Fraction(comb(9, 1) * comb(3, 2), comb(93, 3))
    assert values[leave] == round(1000 * p * (50 + Fraction(5, 2) * points))
    # Heuri 1 takes the mean of the tiles drawn in place of those of the septet.
    first = heuri_values(1, board, rack, unseen, 86)
    r = 3 * spanish.values[code("A")] + spanish.values[code("Ñ")]
    assert first[leave] == round(1000 * float(p) * (50 + 2.5 * (r + 1.92 * 3)))


def test_too_few_tiles_in_the_bag_are_no_bingo(worlds: dict[str, World]) -> None:
    world = worlds["english"]
    board = LoadedBoard.load(Board.empty(15), board_layout("standard15"), world.tile_set, world.lexicon)
    unseen = np.full(27, 3, np.uint8)
    word = next(word for word in world.words if len(word) == 7)
    rack = Rack(bytes(sorted(word)))
    for bag in (0, 3, 7):
        values = heuri_values(4, board, rack, unseen, bag)
        for value, leave in zip(values, leaves(rack), strict=True):
            if 7 - len(leave) > bag:
                assert value == 0
        assert values[-1] == 0  # by default a pass has no value: the bingo in hand is a play
        assert (values[:-1].max() > 0) == (bag > 0)
        literal = heuri_values(4, board, rack, unseen, bag, weighs_pass=True)
        assert (literal[:-1] == values[:-1]).all()
        assert literal[-1] == 1000 * (50 + 2.5 * sum(world.tile_set.values[code] for code in rack.tiles))


def test_constants_are_settable_and_versions_known(worlds: dict[str, World]) -> None:
    world = worlds["english"]
    board = LoadedBoard.load(Board.empty(15), board_layout("standard15"), world.tile_set, world.lexicon)
    rack = Rack(b"\x01\x05\x13")
    position = Position(
        board.board, board.layout, world.tile_set, RuleSet(bingo_bonus=35), (Player(0, rack),)
    )
    unseen = np.array(position.unseen(), np.uint8)

    def values(version: int, constants: HeuriConstants | None = None, bag: int = 60) -> list[int]:
        return heuri_values(version, board, rack, unseen, bag, constants=constants).tolist()

    assert values(4) == values(4, HeuriConstants(factor=2.5, bonus=50)) != values(4, HeuriConstants(factor=2))
    assert values(5) == values(4, HeuriConstants(factor=5))  # the board is empty
    assert values(5) != values(5, HeuriConstants(open_factor=4))
    assert values(6, bag=14) == values(6, HeuriConstants(prefinal_factor=0.5), bag=14) != values(5, bag=14)
    assert values(6, HeuriConstants(prefinal_bag=10), bag=14) == values(5, bag=14)
    assert values(6, bag=15) == values(5, bag=15)
    found, _ = Evaluator("heuri4", world.lexicon, position.rules).leave_values(board, position)
    assert found.array.tolist() == values(4, HeuriConstants(bonus=35), position.bag_count())
    with pytest.raises(InvalidInput) as raised:
        Evaluator("heuri7", world.lexicon, position.rules)
    assert raised.value.code == "unknown_evaluator"


def test_one_kernel_gives_the_same_as_new_ones_on_every_board_of_a_game(worlds: dict[str, World]) -> None:
    world, random = worlds["english"], Random(5)
    table = bingo_table(world.lexicon)
    kernel = heuri_kernel(4, world.lexicon)
    unseen = np.full(27, 2, np.uint8)
    rack = random_rack(random, world, size=7)

    def values(board: LoadedBoard) -> np.ndarray:
        situation = SituationKernel(board.kernel, rack.tiles, unseen.tobytes(), 20, 0, RuleSet().kernel)
        return leave_values(kernel, situation)

    game = play_at_random(random, world, board_layout("standard15"), RuleSet(), 8)
    for board, _ in [*game, game[0], *game[::-1]]:
        fresh = heuri_values(4, board, rack, unseen, 20)
        assert (values(board) == fresh).all()
        unseen[0] = random.choice((0, 2))  # with fewer blanks about, less of the delta set is computed
        fresh = heuri_values(4, board, rack, unseen, 20, delta=DeltaSet.compute(board, table))
        assert (values(board) == fresh).all()


def test_a_stored_delta_set_is_bound_to_its_board(worlds: dict[str, World]) -> None:
    world = worlds["english"]
    table = bingo_table(world.lexicon)
    boards = play_at_random(Random(3), world, board_layout("standard15"), RuleSet(), 3)
    board, other = boards[-1][0], boards[0][0]
    delta = DeltaSet.compute(board, table)
    data = delta.to_bytes()
    again = DeltaSet.from_bytes(data, board.key, table)
    assert again is not None
    assert (again.flags == delta.flags).all()
    assert again.count == delta.count
    assert DeltaSet.from_bytes(data, other.key, table) is None
    assert DeltaSet.from_bytes(data, board.key, bingo_table(worlds["spanish"].lexicon)) is None
    for damaged in (b"", data[:-1], data[:60] + bytes([data[60] ^ 1]) + data[61:], b"x" + data[1:]):
        assert DeltaSet.from_bytes(damaged, board.key, table) is None
    with pytest.raises(ValueError, match="another lexicon"):
        DeltaSet.compute(board, bingo_table(worlds["one-word"].lexicon))


@pytest.mark.long
def test_twl06_has_the_counts_of_the_field(twl06: World) -> None:
    table = bingo_table(twl06.lexicon)
    assert table.counts == BingoCounts(septets=120_828, pure_septets=11_017, reduced_octets=278_540)
    assert table.counts.total == 289_557
    layout = board_layout("standard15")
    empty = LoadedBoard.load(Board.empty(15), layout, twl06.tile_set, twl06.lexicon)
    delta = DeltaSet.compute(empty, table)
    assert delta.count == table.counts.septets
    assert (delta.flags == table.septet).all()


def test_delta_is_what_the_generator_finds_with_a_large_list(large: World) -> None:
    table, layout = bingo_table(large.lexicon), board_layout("standard15")
    random, search = Random(1), InternalWords(large.lexicon)
    playable = 0
    for board, _ in play_at_random(random, large, layout, RuleSet(), 9)[3::3]:
        delta = DeltaSet.compute(board, table)
        for entry in random.sample(list(np.flatnonzero(table.counted)), 60):
            tiles = table.tiles(int(entry))
            wanted = (search.generate(board, Rack(tiles), RuleSet()).array["placed"] == 7).any()
            playable += wanted
            assert (tiles in delta) == wanted
    assert playable
