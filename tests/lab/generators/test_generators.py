"""The generators of the laboratory pass the tests of the engine's generator, and find what it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine.errors import NotFound
from engine.movegen import InternalWords
from engine.records import parse_cgp
from engine.rules import tile_set
from lab.generators import generator as generator_of
from tests.movegen.implementations import in_order
from tests.movegen.test_generators import (
    board_of,
    test_a_board_of_another_lexicon_is_refused,
    test_blanks_on_the_board_keep_their_letter_and_score_nothing,
    test_boards_of_games_and_phonies,
    test_boards_of_nothing_but_random_tiles,
    test_every_line_of_the_oracle,
    test_legal_extensions_of_a_phony_are_found,
    test_lexicons_of_a_few_words,
    test_plays_beyond_the_limit_are_an_error,
    test_racks_and_values_that_do_not_fit_are_refused,
    test_racks_at_the_limits,
    test_the_highest_scores_do_not_overflow,
    test_threads_with_a_generator_each_do_not_meet,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.lexicon import Lexicon
    from tests.large_list import LargeList
    from tests.movegen.worlds import World

    Generator = Callable[[Lexicon], Any]

__all__ = [
    "test_a_board_of_another_lexicon_is_refused",
    "test_blanks_on_the_board_keep_their_letter_and_score_nothing",
    "test_boards_of_games_and_phonies",
    "test_boards_of_nothing_but_random_tiles",
    "test_every_line_of_the_oracle",
    "test_legal_extensions_of_a_phony_are_found",
    "test_lexicons_of_a_few_words",
    "test_plays_beyond_the_limit_are_an_error",
    "test_racks_and_values_that_do_not_fit_are_refused",
    "test_racks_at_the_limits",
    "test_the_highest_scores_do_not_overflow",
    "test_threads_with_a_generator_each_do_not_meet",
]


def assert_same_plays(generator: Generator, large: World, cgps: Iterable[str]) -> None:
    """Compare with the engine's generator, which agrees with the published figures."""
    search, main = generator(large.lexicon), InternalWords(large.lexicon)
    for cgp in cgps:
        position = parse_cgp(cgp, tile_set=tile_set("english"))
        asked = (board_of(position, large), position.rack, position.rules)
        assert in_order(search.generate(*asked)) == in_order(main.generate(*asked)), cgp


@pytest.mark.parametrize("most", [150, pytest.param(10_000, marks=pytest.mark.slow)])
def test_positions_of_greedy_games(
    generator: Generator, large_list: LargeList, large: World, most: int
) -> None:
    step = max(1, len(large_list.greedy) // most)
    assert_same_plays(generator, large, [row["cgp"] for row in large_list.greedy[::step]])


@pytest.mark.slow
def test_positions_of_the_oracle(generator: Generator, large_list: LargeList, large: World) -> None:
    assert_same_plays(generator, large, [line["cgp"] for line in large_list.counted])


def test_an_unknown_generator_is_an_error_that_names_the_known_ones(worlds: dict[str, World]) -> None:
    with pytest.raises(NotFound, match="internal_words") as caught:
        generator_of("magic", worlds["english"].lexicon)
    assert caught.value.code == "unknown_generator"
