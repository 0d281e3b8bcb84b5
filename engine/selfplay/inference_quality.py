"""How well the opponent models guess what an opponent kept: log-loss of the true leave in self-play games.

Each turn of a static player is seen by the other, who knows the own rack, the board and the move. A model's
guesses say for every tile how probable it is that the leave holds one; the loss is that of the true answers,
summed over the tiles: whole leaves are too many for models that look at a sample of them. A twentieth of the
probability is drawn blindly, as no guess is certain; "off" is drawing blindly alone.
"""

from __future__ import annotations

from math import comb, log
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.evaluation.evaluators import evaluator_kernel
from engine.loaded_board import LoadedBoard
from engine.movegen import Plays
from engine.position import Board, Player, Position, Rack, format_move
from engine.search import OPPONENT_MODELS
from engine.search.deadline import Deadline
from engine.search.opponent import opponent_tiles
from engine.selfplay.games import EXCHANGE, PLAY, game_loop, play_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.selfplay.games import GameSetup

BLIND: Final = 0.05
"""Share of the blind draw in every model's probabilities."""


def inference_quality(
    setup: GameSetup, games: int, seed: int = 1, progress: Callable[[int, int], None] | None = None
) -> dict[str, dict[str, float]]:
    """Return by model: log-loss (nats a turn), its standard error by games, and milliseconds a guess.

    `gain`: over drawing blindly; `turns`: what was guessed. Raises what `evaluator_kernel` raises.
    """
    losses: dict[str, list[list[float]]] = {model: [] for model in OPPONENT_MODELS}
    seconds = dict.fromkeys(OPPONENT_MODELS, 0.0)
    for number in range(games):
        for model in OPPONENT_MODELS:
            losses[model].append([])
        for position, board, kept in _turns(setup, seed, number):
            for model in OPPONENT_MODELS:
                begun = perf_counter()
                held, shares = opponent_tiles(position, board, model, seed, Deadline())
                seconds[model] += perf_counter() - begun
                guesses = [
                    (bytes(row[1 : 1 + row[0]]), s) for row, s in zip(held, shares.tolist(), strict=True)
                ]
                losses[model][-1].append(_loss(kept, guesses, position.unseen()))
        if progress is not None:
            progress(number + 1, games)
    turns = sum(map(len, losses["off"]))
    figures: dict[str, dict[str, float]] = {}
    for model, of_games in losses.items():
        mean = sum(map(sum, of_games)) / max(turns, 1)
        off = [sum(game) - mean * len(game) for game in of_games]
        figures[model] = {
            "log_loss": mean,
            "gain": 0.0 if model == "off" else figures["off"]["log_loss"] - mean,
            "error": sum(value * value for value in off) ** 0.5 / max(turns, 1),
            "milliseconds": 1000 * seconds[model] / max(turns, 1),
            "turns": turns,
        }
    return figures


def _turns(setup: GameSetup, seed: int, number: int) -> Iterator[tuple[Position, LoadedBoard, bytes]]:
    """Yield, for every turn with tiles left in the bag, what the other sees of it, and the tiles kept."""
    lexicon, tile_set = setup.lexicon, setup.lexicon.tile_set
    kernels = [evaluator_kernel("static", lexicon, setup.rules) for _ in range(2)]
    game = play_game(game_loop(setup, kernels[0], kernels[1]), seed, number)
    board = LoadedBoard.load(Board.empty(setup.layout.side), setup.layout, tile_set, lexicon)
    for turn, after in zip(game.turns, game.turns[1:], strict=False):
        text = "-"
        if turn["kind"] == PLAY:
            move = Plays(np.array([turn["play"]]), board, {}).move(0)
            text = format_move(move, tile_set)
            board = board.after(move)
        elif turn["kind"] == EXCHANGE:
            text = f"-{turn['rack_count'] - turn['kept_count']}"
        kept = bytes(turn["leave"][: turn["leave_count"]])
        if not after["bag_before"]:
            return
        if not kept:
            continue  # nothing to guess
        own = Rack(bytes(after["rack"][: after["rack_count"]]))
        players = (Player(rack=own), Player(tile_count=setup.rules.rack_size, last_move=text))
        yield Position(board.board, setup.layout, tile_set, setup.rules, players), board, kept


def _loss(kept: bytes, guesses: list[tuple[bytes, float]], unseen: tuple[int, ...]) -> float:
    """Return the log-loss of which of the tiles that may be held the leave holds, summed over the tiles."""
    loss = 0.0
    for code, count in enumerate(unseen):
        if count:
            blind = _holds(code, b"", len(kept), unseen)
            share = sum(share * _holds(code, guess, len(kept), unseen) for guess, share in guesses)
            share = BLIND * blind + (1 - BLIND) * share
            loss -= log(share if code in kept else 1 - share)
    return loss


def _holds(code: int, held: bytes, size: int, unseen: tuple[int, ...]) -> float:
    """Return the probability that a leave of a size has a tile: held for certain, or drawn with the rest."""
    if code in held:
        return 1.0
    drawn, left = max(size - len(held), 0), sum(unseen) - len(held)
    return 1 - comb(left - unseen[code], drawn) / comb(left, drawn)
