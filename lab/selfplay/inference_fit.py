"""The likelihood of the opponent model "bayes", fitted to games of players of several levels.

After each play whose leave is small enough for all leaves to be tried, the probability of the true leave
follows from a temperature and a share of blunders (`engine.search.inference`). Both are chosen by the games
with even numbers. The gains of the games with odd numbers, which had no part in it, say how good they are.
"""

from __future__ import annotations

from itertools import product
from math import log
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.position import BLANK_FLAG
from engine.search.deadline import Deadline
from engine.search.inference import BLUNDERS, MAX_ALL, TEMPERATURE, likelihood, losses_of_play
from engine.search.opponent import LastMove
from lab.selfplay.inference_quality import turns_to_guess

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from engine.selfplay.games import GameSetup

FITTED_PLAYERS: Final = ("level1", "level3", "level5", "level7", "level9", "static")
TEMPERATURES: Final = (500.0, 1000.0, 2000.0, 3000.0, 4000.0, 6000.0, 9000.0, 15000.0)
BLUNDER_SHARES: Final = (0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25)
HALVES: Final = ("fitted", "held_out")


def fit_inference(
    setup: GameSetup,
    games: int,
    seed: int = 1,
    players: tuple[str, ...] = FITTED_PLAYERS,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Return how probable each temperature and share of blunders makes the true leaves.

    Each player plays `games` games against itself. `gains`: for each pair, the mean gain over random draws in
    nats a turn, of the fitted and of the held-out games, every player weighted equally; `best`: the pair with
    the highest gain of the fitted games; `used`: the pair that the model uses; `held_out_gains`: gain of that
    pair by player; `turns`: number of leaves of each half, by player.
    """
    pairs = list(product(TEMPERATURES, BLUNDER_SHARES))
    used = pairs.index((TEMPERATURE, BLUNDERS))
    gains: dict[tuple[str, str], list[NDArray[np.float64]]] = {
        (name, half): [] for name in players for half in HALVES
    }
    for at, name in enumerate(players):
        for number in range(games):
            for position, board, leave in turns_to_guess(setup, name, seed, number):
                found = _gains(position, board, leave, seed, pairs)
                if found is not None:
                    gains[name, HALVES[number % 2]].append(found)
            if progress is not None:
                progress(at * games + number + 1, len(players) * games)
    nothing = [np.zeros(len(pairs))]
    by_half = {
        half: np.mean([np.mean(gains[name, half] or nothing, axis=0) for name in players], axis=0)
        for half in HALVES
    }
    best = int(by_half["fitted"].argmax())
    return {
        "gains": [
            {"temperature": pair[0], "blunders": pair[1]}
            | {half: float(by_half[half][number]) for half in HALVES}
            for number, pair in enumerate(pairs)
        ],
        "best": best,
        "used": used,
        "held_out_gains": {
            name: float(np.mean([one[used] for one in gains[name, "held_out"]] or [0.0])) for name in players
        },
        "turns": {name: [len(gains[name, half]) for half in HALVES] for name in players},
    }


def _gains(
    position: Position, board: LoadedBoard, leave: bytes, seed: int, pairs: list[tuple[float, float]]
) -> NDArray[np.float64] | None:
    """Return by pair the gain of a guess over a random draw; None if the last move was no play or has a
    larger leave.
    """
    last = LastMove(position, board, position.players[1].last_move or "")
    if last.play is None or last.before is None or last.score is None or len(leave) > MAX_ALL:
        return None
    played = bytes(sorted(0 if code & BLANK_FLAG else code for _, _, code in last.play.placements()))
    tried = list(losses_of_play(last.before, position, played, last.score, seed, Deadline()))
    true = bytes(sorted(leave))
    ways = sum(one for _, one, _ in tried)
    found = []
    for temperature, blunders in pairs:
        total = sum(one * likelihood(loss, temperature, blunders) for _, one, loss in tried)
        (share,) = (likelihood(loss, temperature, blunders) for tiles, _, loss in tried if tiles == true)
        found.append(log(share * ways / total) if share else -np.inf)
    return np.array(found)
