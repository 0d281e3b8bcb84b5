"""The turn at which the bag of a game is first empty: where its endgame begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation.evaluators import evaluator_kernel
from engine.selfplay.games import game_loop, play_game
from engine.selfplay.replaying import turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Position
    from engine.selfplay.games import Game, GameSetup


def first_endgames(setup: GameSetup, player: str, games: int) -> Iterator[Position | None]:
    """Yield `first_endgame` of each game of seeds 1, 2, 3, ... that an evaluator plays against itself.

    Raises what `evaluator_kernel` raises.
    """
    first, second = (evaluator_kernel(player, setup.lexicon, setup.rules) for _ in range(2))
    loop = game_loop(setup, first, second)
    for seed in range(1, games + 1):
        yield first_endgame(setup, play_game(loop, seed, 1))


def first_endgame(setup: GameSetup, game: Game) -> Position | None:
    """Return the position before the first turn with an empty bag, both racks known, or None."""
    return next((turn.position for turn in turns_of(setup, game) if not turn.bag_count), None)
