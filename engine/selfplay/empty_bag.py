"""The positions of self-play games, and where the bag is first empty: there the endgame begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.evaluation.evaluators import evaluator_kernel
from engine.loaded_board import LoadedBoard
from engine.movegen import Plays
from engine.position import Board, Player, Position, Rack
from engine.selfplay.games import PLAY, game_loop, play_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.selfplay.games import Game, GameSetup


def played_games(setup: GameSetup, player: str, games: int) -> Iterator[Game]:
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


def first_endgame(setup: GameSetup, game: Game) -> Position | None:
    """Return the position before the first turn with an empty bag, both racks known, or None."""
    return next((position for bag, position in game_positions(setup, game) if not bag), None)


def game_positions(setup: GameSetup, game: Game) -> Iterator[tuple[int, Position]]:
    """Yield the position before each turn, the player on turn first, with the number of tiles in the bag.

    The other rack is told where it follows: when the bag is empty.
    """
    lexicon, tile_set = setup.lexicon, setup.lexicon.tile_set
    board = LoadedBoard.load(Board.empty(setup.layout.side), setup.layout, tile_set, lexicon)
    zeros = 0
    for turn in game.turns:
        bag = int(turn["bag_before"])
        own = Rack(bytes(turn["rack"][: turn["rack_count"]]))
        before = (Player(rack=own), Player())
        unseen = Position(board.board, setup.layout, tile_set, setup.rules, before).unseen()
        tiles = bytes([code for code, count in enumerate(unseen) for _ in range(count)])
        scores, seat = turn["score_before"].tolist(), int(turn["seat"])
        points = scores[1 - seat]
        other = Player(points, tile_count=len(tiles) - bag) if bag else Player(points, Rack(tiles))
        players = Player(scores[seat], own), other
        yield bag, Position(board.board, setup.layout, tile_set, setup.rules, players, zeros, lexicon.id)
        zeros += 1
        if turn["kind"] == PLAY:
            zeros = 0 if turn["play"]["score"] else zeros
            board = board.after(Plays(np.array([turn["play"]]), board, {}).move(0))
