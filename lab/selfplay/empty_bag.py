"""The positions of self-play games, and their endgames: the first positions with an empty bag."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.evaluation.evaluators import evaluator_kernel
from engine.position import Player
from engine.selfplay.games import game_loop, play_game
from lab.selfplay.replaying import turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Position
    from engine.selfplay.games import GameSetup, PlayedGame


def played_games(setup: GameSetup, player: str, games: int) -> Iterator[PlayedGame]:
    """Yield the games of seeds 1, 2, 3, ... that an evaluator plays against itself.

    Raises what `evaluator_kernel` raises.
    """
    first, second = (evaluator_kernel(player, setup.lexicon, setup.rules) for _ in range(2))
    loop = game_loop(setup, first, second)
    for seed in range(1, games + 1):
        yield play_game(loop, seed, 1)


def first_endgames(setup: GameSetup, player: str, games: int) -> Iterator[Position | None]:
    """Yield `first_endgame` of each of the `played_games`."""
    for game in played_games(setup, player, games):
        yield first_endgame(setup, game)


def first_endgame(setup: GameSetup, game: PlayedGame) -> Position | None:
    """Return the position before the first turn with an empty bag, both racks known, or None."""
    return next((position for bag, position in game_positions(setup, game) if not bag), None)


def game_positions(setup: GameSetup, game: PlayedGame) -> Iterator[tuple[int, Position]]:
    """Yield (tiles in the bag, position) before each turn, the player on turn first.

    The other rack is unknown unless the bag is empty.
    """
    for turn in turns_of(setup, game):
        own, other = turn.position.players
        if turn.bag_count:
            other = Player(other.score, tile_count=len(other.held))
        yield turn.bag_count, replace(turn.position, players=(own, other))
