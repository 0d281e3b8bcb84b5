"""The quality of the opponent models: the log-loss of the true leave in games of static players.

After each turn the other player knows the own rack, the board and the move. From a model's guesses follows,
for every tile, the probability that the leave holds one; the loss is that of the true answers, summed over
the tiles. (Single leaves are too many for models that sample them.) A twentieth of the probability comes from
random draws, as no guess is certain; the model "off" has random draws only.
"""

from __future__ import annotations

from math import comb, log
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.loaded_board import LoadedBoard
from engine.movegen import Plays
from engine.position import Board, Player, Position, Rack
from engine.search import OPPONENT_MODELS
from engine.search.deadline import Deadline
from engine.search.opponent import opponent_tiles
from engine.selfplay.games import PLAY, game_loop, play_game
from engine.selfplay.players import player
from lab.selfplay.replaying import seen_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.selfplay.games import GameSetup

RANDOM_SHARE: Final = 0.05
"""Share of random draws in the probabilities of every model."""


def inference_quality(
    setup: GameSetup, games: int, seed: int = 1, progress: Callable[[int, int], None] | None = None
) -> dict[str, dict[str, float]]:
    """Return by model: log-loss in nats a turn, its standard error over games, and milliseconds for a guess.

    `gain`: over random draws; `turns`: number of leaves guessed. Raises what `player` raises.
    """
    losses: dict[str, list[list[float]]] = {model: [] for model in OPPONENT_MODELS}
    seconds = dict.fromkeys(OPPONENT_MODELS, 0.0)
    for number in range(games):
        for model in OPPONENT_MODELS:
            losses[model].append([])
        for position, board, leave in turns_to_guess(setup, "static", seed, number):
            for model in OPPONENT_MODELS:
                began = perf_counter()
                racks, shares = opponent_tiles(position, board, model, seed, Deadline())
                seconds[model] += perf_counter() - began
                guesses = [
                    (bytes(row[1 : 1 + row[0]]), s) for row, s in zip(racks, shares.tolist(), strict=True)
                ]
                losses[model][-1].append(_loss(leave, guesses, position.unseen()))
        if progress is not None:
            progress(number + 1, games)
    turns = sum(map(len, losses["off"]))
    quality: dict[str, dict[str, float]] = {}
    for model, of_games in losses.items():
        mean = sum(map(sum, of_games)) / max(turns, 1)
        off = [sum(game) - mean * len(game) for game in of_games]
        quality[model] = {
            "log_loss": mean,
            "gain": 0.0 if model == "off" else quality["off"]["log_loss"] - mean,
            "error": sum(value * value for value in off) ** 0.5 / max(turns, 1),
            "milliseconds": 1000 * seconds[model] / max(turns, 1),
            "turns": turns,
        }
    return quality


def turns_to_guess(
    setup: GameSetup, name: str, seed: int, number: int
) -> Iterator[tuple[Position, LoadedBoard, bytes]]:
    """Yield, for every turn with tiles left in the bag, the position that the other player sees, and the
    leave.

    A player of a name plays the game of a number against itself. Raises what `player` raises.
    """
    lexicon, tile_set = setup.lexicon, setup.lexicon.tile_set
    (first, seat), (second, other_seat) = (player(name, setup, seed) for _ in range(2))
    game = play_game(game_loop(setup, first, second, (seat, other_seat)), seed, number)
    board = LoadedBoard.load(Board.empty(setup.layout.side), setup.layout, tile_set, lexicon)
    for turn, after in zip(game.turns, game.turns[1:], strict=False):
        play = Plays(np.array([turn["play"]]), board, {}).move(0) if turn["kind"] == PLAY else None
        text = seen_text(turn, play, tile_set)
        if play is not None:
            board = board.after(play)
        leave = bytes(turn["leave"][: turn["leave_count"]])
        if not after["bag_before"]:
            return
        if not leave:
            continue  # nothing to guess
        own = Rack(bytes(after["rack"][: after["rack_count"]]))
        players = (Player(rack=own), Player(tile_count=setup.rules.rack_size, last_move=text))
        yield Position(board.board, setup.layout, tile_set, setup.rules, players), board, leave


def _loss(leave: bytes, guesses: list[tuple[bytes, float]], unseen: tuple[int, ...]) -> float:
    """Return the log-loss of the guesses which tiles the leave holds, summed over the unseen tiles."""
    loss = 0.0
    for code, count in enumerate(unseen):
        if count:
            random = _holds(code, b"", len(leave), unseen)
            share = sum(share * _holds(code, guess, len(leave), unseen) for guess, share in guesses)
            share = RANDOM_SHARE * random + (1 - RANDOM_SHARE) * share
            loss -= log(share if code in leave else 1 - share)
    return loss


def _holds(code: int, known: bytes, size: int, unseen: tuple[int, ...]) -> float:
    """Return the probability that a leave of a size holds a tile: it is known, or drawn with the rest."""
    if code in known:
        return 1.0
    drawn, left = max(size - len(known), 0), sum(unseen) - len(known)
    return 1 - comb(left - unseen[code], drawn) / comb(left, drawn)
