"""Boards as games leave them: random legal plays, one after the other, on a loaded board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import Board
from tests.movegen.worlds import World, random_rack

if TYPE_CHECKING:
    from random import Random

    from engine.position import Play
    from engine.rules import BoardLayout, RuleSet


def play_at_random(
    random: Random, world: World, layout: BoardLayout, rules: RuleSet, turns: int
) -> list[tuple[LoadedBoard, Play | None]]:
    """Return the loaded boards of a game, each with the play chosen on it; the last board has none.

    A turn whose rack has no play is passed over. The racks are not dealt from a bag.
    """
    found: list[tuple[LoadedBoard, Play | None]] = []
    board = LoadedBoard.load(Board.empty(layout.side), layout, world.tile_set, world.lexicon)
    search = InternalWords(world.lexicon)
    for _ in range(turns):
        plays = search.generate(board, random_rack(random, world), rules)
        if len(plays):
            # Generators give their plays in any order; the documented one makes the game repeatable.
            play = plays.move(plays.best(len(plays))[random.randrange(len(plays))])
            found.append((board, play))
            board = board.after(play)
    found.append((board, None))
    return found
