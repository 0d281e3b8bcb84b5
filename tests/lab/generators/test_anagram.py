"""The Anagram Method's index: which intervals it answers, and how many intervals the method has to answer.

That its plays are those of the reference is tested with all generators in test_generators.py.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords, simd_paths
from engine.position import Board, Rack
from engine.records import parse_cgp
from engine.rules import BoardLayout, board_layout, default_rule_set, tile_set
from lab.generators.anagram import Anagram
from tests.lab.generators.conftest import by_level
from tests.movegen.games import play_at_random
from tests.movegen.implementations import in_order
from tests.movegen.test_generators import assert_agree
from tests.movegen.worlds import World, random_rack, word_list

if TYPE_CHECKING:
    from tests.large_list import LargeList

PLAIN = BoardLayout.from_rows(["." * 15] * 15)
RULES = default_rule_set("english")


@pytest.mark.parametrize("rack", ["???????", "AB?????", "AAB???"])
def test_more_than_two_blanks_are_beyond_the_index(worlds: dict[str, World], rack: str) -> None:
    world = worlds["two-letters"]
    board = play_at_random(Random(3), world, PLAIN, RULES, 4)[-1][0]
    plays = Anagram(world.lexicon).generate(board, Rack.from_text(rack, world.tile_set.alphabet), RULES)
    assert plays.statistics["unindexed"] > 0


def test_a_designated_blank_on_the_board_counts_as_its_letter() -> None:
    """The only Z of the set and a blank Z lie on the board, the other blank is on the rack: still indexed.

    With both blanks on the rack, or a third Z on the board, the index does not answer some intervals.
    """
    english = tile_set("english")
    words = tuple(english.alphabet.encode_word(word) for word in ("ZZA", "AZZA", "ZA", "AZ", "ZZAZ", "AA"))
    meta, sections = build_lexicon(word_list(words), english, id="made")
    world = World("zz", english, words, (1, 26), Lexicon(meta, sections, ""))
    for row, rack, beyond in ((".zZ", "A?", False), (".zZ", "A??", True), (".ZZ.z", "AZ?", True)):
        rows = ["." * 15] * 7 + [row.rjust(9, ".").ljust(15, ".")] + ["." * 15] * 7
        board = Board.from_rows(rows, english.alphabet, 15)
        tiles = Rack.from_text(rack, english.alphabet)
        assert assert_agree(by_level, world, board, PLAIN, tiles, RULES) > 0
        loaded = LoadedBoard.load(board, PLAIN, english, world.lexicon)
        plays = Anagram(world.lexicon).generate(loaded, tiles, RULES)
        assert (plays.statistics["unindexed"] > 0) == beyond, (row, rack)


def test_the_intervals_of_an_empty_board(worlds: dict[str, World]) -> None:
    """The thesis counts 54 at the start of a game; a symmetric layout needs only those across."""
    world = worlds["english"]
    rack = Rack.from_text("AEINRST", world.tile_set.alphabet)
    lopsided = BoardLayout.from_rows(["D" + "." * 14] + ["." * 15] * 13 + ["T" + "." * 14], [(7, 7)])
    for layout, expected in ((board_layout("standard15"), 27), (lopsided, 54)):
        board = LoadedBoard.load(Board.empty(15), layout, world.tile_set, world.lexicon)
        assert Anagram(world.lexicon).generate(board, rack, RULES).statistics["intervals"] == expected


@pytest.mark.parametrize("name", ["english", "spanish", "wide-english"])
def test_every_vector_path_finds_the_same(worlds: dict[str, World], name: str) -> None:
    """Of those that this processor has; the debug build has them all."""
    world = worlds[name]
    searches = [Anagram(world.lexicon, simd=level) for level in simd_paths().values()]
    for seed in range(6):
        random = Random(seed)
        board = play_at_random(random, world, board_layout("standard15"), RULES, 8)[-1][0]
        rack = random_rack(random, world, most_blanks=3)
        first, *others = [in_order(search.generate(board, rack, RULES)) for search in searches]
        assert all(found == first for found in others), seed


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.long
def test_intervals_rise_through_the_game(large_list: LargeList, large: World, step: int) -> None:
    """Far above those of the Internal-Words Method, and the index answers all of them."""
    anagram, internal = Anagram(large.lexicon), InternalWords(large.lexicon)
    intervals: dict[int, list[tuple[int, int]]] = {}
    for row in large_list.greedy if len(large_list.greedy) < 1000 else large_list.greedy[:: step * 4]:
        position = parse_cgp(row["cgp"])
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, large.lexicon)
        mine = anagram.generate(board, position.rack, position.rules).statistics
        other = internal.generate(board, position.rack, position.rules).statistics
        assert mine["unindexed"] == 0, row["cgp"]
        move = intervals.setdefault(int(row["move_number"]), [])
        move.append((mine["intervals"], other["intervals"]))
    means = {move: np.mean(counts, axis=0) for move, counts in intervals.items()}
    assert means[2][0] < means[8][0] < means[18][0]
    assert means[18][0] > 2 * means[18][1]
    if large_list.id == "twl06":
        overall = np.mean([count for counts in intervals.values() for count in counts], axis=0)
        assert 640 < overall[0] < 740
        assert means[18][0] > 3 * means[18][1]
