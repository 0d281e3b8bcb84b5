"""The best play found alone, and lists of plays: they stay as they are, and a play is found again.

That it is the first of the full list is tested in test_generators.py; every vector path in test_paths.py.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.records import parse_cgp

if TYPE_CHECKING:
    from tests.large_list import LargeList
    from tests.movegen.worlds import World


def test_a_play_is_found_again(large_list: LargeList, large: World) -> None:
    search = InternalWords(large.lexicon)
    for cgp in [row["cgp"] for row in large_list.counted[:5]]:
        position = parse_cgp(cgp, tile_set=large.tile_set)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, large.lexicon)
        plays = search.generate(board, position.rack, position.rules)
        chosen = range(0, len(plays), 1 + len(plays) // 100)
        assert [plays.find(plays.move(index)) for index in chosen] == list(chosen)
        assert plays.find(replace(plays.move(0), tiles=plays.move(0).tiles * 2)) is None


def test_a_long_list_stays_as_it_is(large: World) -> None:
    """Its memory is not used again while an array shows it, also if its generator is gone."""
    cgp = "15/15/15/15/15/15/15/5ANEROID3/15/15/15/15/15/15/15 {}/ 0/0 0"
    racks = ["AENRS??", "EIOTU??", "AENRST?", "ABCDE??"]
    expected = []
    for rack in racks:
        position = parse_cgp(cgp.format(rack), tile_set=large.tile_set)
        board = LoadedBoard.load(position.board, position.layout, large.tile_set, large.lexicon)
        expected.append((board, position, InternalWords(large.lexicon)))
    lists = [search.generate(board, one.rack, one.rules) for board, one, search in expected]
    copies = [plays.array.tobytes() for plays in lists]
    assert max(map(len, lists)) > 10_000
    for board, position, search in [*expected, *expected[::-1]]:
        search.generate(board, position.rack, position.rules)  # each list is dropped at once
    del expected
    assert [plays.array.tobytes() for plays in lists] == copies


def test_no_list_is_read_for_a_rack_without_blanks(large_list: LargeList, large: World) -> None:
    """The best play comes from sub-multisets of the rack, the full list also from lists of internal words."""
    search, entries_read = InternalWords(large.lexicon), 0
    for row in large_list.greedy[:: len(large_list.greedy) // 40]:
        position = parse_cgp(row["cgp"], tile_set=large.tile_set)
        if 0 in position.rack.tiles:
            continue
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, large.lexicon)
        assert search.best(board, position.rack, position.rules).statistics["scanned"] == 0, row["cgp"]
        entries_read += search.generate(board, position.rack, position.rules).statistics["scanned"]
    assert entries_read > 10_000


def test_intervals_that_cannot_win_are_not_answered(large: World) -> None:
    """Fewer candidates are validated than for the full list."""
    search, random = InternalWords(large.lexicon), Random(5)
    tile_set = large.tile_set
    cgp = "15/15/15/15/15/15/15/3ANEROID5/15/15/15/15/15/15/15 {}/ 0/0 0"
    bag = [code for code, tile in enumerate(tile_set.counts) for _ in range(tile)]
    for _ in range(5):
        rack = "".join(tile_set.alphabet.letters[code - 1] if code else "?" for code in random.sample(bag, 7))
        position = parse_cgp(cgp.format(rack), tile_set=tile_set)
        board = LoadedBoard.load(position.board, position.layout, tile_set, large.lexicon)
        every = search.generate(board, position.rack, position.rules).statistics
        alone = search.best(board, position.rack, position.rules).statistics
        assert alone["intervals"] == every["intervals"]
        assert alone["candidates"] < every["candidates"]
