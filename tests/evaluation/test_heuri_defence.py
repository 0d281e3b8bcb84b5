"""Heuri 1's d: against its description, read off the board after each play."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation.heuri import HeuriConstants, heuri_kernel
from engine.movegen import InternalWords
from engine.rules import RuleSet
from tests.movegen.games import play_at_random
from tests.movegen.worlds import World, random_layout, random_rack

if TYPE_CHECKING:
    from engine.loaded_board import LoadedBoard
    from engine.position import Play

D = (1000, 100, 10)  # nine-timer, six-timer, four-timer


def described(world: World, board: LoadedBoard, play: Play) -> int:
    """Return d of a play as the docstring of heuri.py describes it."""
    side = board.kernel.side
    placed = play.placements()
    tiles = {
        (i // side, i % side): code & 0x7F
        for i, code in enumerate(board.after(play).board.squares)
        if code & 0x7F
    }
    words_of = {n: [word for word in world.words if len(word) == n] for n in range(2, side + 1)}
    largest, exposed = 1, False
    for row, column, code in placed:
        for step in ((0, 1), (1, 0)):
            line = [(row, i) if step[1] else (i, column) for i in range(side)]
            first = last = column if step[1] else row
            while first and line[first - 1] in tiles:
                first -= 1
            while last < side - 1 and line[last + 1] in tiles:
                last += 1
            run = bytes(tiles[square] for square in line[first : last + 1])
            for beyond in (first - 1, last + 1):
                beside = min(abs(beyond - (column if step[1] else row)), 2) == 1
                if beside and 0 <= beyond < side and board.layout.letter_factors[line[beyond]] >= 3:
                    exposed |= world.tile_set.is_vowel[code & 0x7F]
            if len(run) > 1 and run not in world.words:
                continue
            for start in range(first + 1):
                for end in range(last, side):
                    empty = [square for square in line[start : end + 1] if square not in tiles]
                    if not 0 < len(empty) <= 7 or (start and line[start - 1] in tiles):
                        continue
                    if end + 1 < side and line[end + 1] in tiles:
                        continue
                    product = int(np.prod([int(board.layout.word_factors[square]) for square in empty]))
                    at = first - start
                    if product > largest and any(
                        word[at : at + len(run)] == run for word in words_of.get(end - start + 1, [])
                    ):
                        largest = product
    return D[0] if largest >= 9 else D[1] if exposed else D[2] if largest >= 4 else 0


@pytest.mark.parametrize("name", ["english", "two-letters", "letters-33"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_defence_is_what_the_description_says(worlds: dict[str, World], name: str, seed: int) -> None:
    world, random = worlds[name], Random(seed)
    layout = random_layout(random, random.randint(10, 15), symmetric=random.random() < 0.5, starts=1)
    board = play_at_random(random, world, layout, RuleSet(), random.randint(0, 4))[-1][0]
    rack = random_rack(random, world, most_blanks=1)
    plays = InternalWords(world.lexicon).generate(board, rack, RuleSet())
    constants = HeuriConstants(nine_timer=D[0], six_timer=D[1], four_timer=D[2])
    kernel = heuri_kernel(1, world.lexicon, constants)
    module = world.lexicon.kernels.evaluation
    unseen = bytes([2] * len(world.tile_set.counts))
    situation = module.SituationKernel(board.kernel, rack.tiles, unseen, 20, 0, RuleSet().kernel)
    array = plays.array.copy()
    module.adjust_plays(kernel, situation, array)
    for i in random.sample(range(len(array)), min(12, len(array))):
        d = (int(plays.array["equity"][i]) - int(array["equity"][i])) // 1000
        assert d == described(world, board, plays.move(i)), plays.move(i)
    later = heuri_kernel(2, world.lexicon)
    array = plays.array.copy()
    module.adjust_plays(later, situation, array)
    assert (array["equity"] == plays.array["equity"]).all()
