"""How often positions repeat: the chance that another game has the same position at the same turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import comb, prod
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

import kibitz

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

LEVELS: Final = (*range(1, 10), None)
"""The players of the games, equally often: levels 1 to 9, and the move with the most equity."""

TURNS: Final = 3
"""Turns whose positions are counted; those of later turns hardly ever repeat."""

WHOLE: Final = 100
QUANTILES: Final = 200
SEED: Final = 2026


@dataclass(frozen=True, slots=True)
class Repetition:
    """Hold how positions repeat.

    `turns`: mean number of turns of a game. `chances`: for each of the first TURNS turns, QUANTILES values,
    evenly spread over the sampled positions, of the chance that another game has the same board, scores and
    rack at this turn. `repeated`: by turn, how many of the sampled positions occurred before, and how many
    the chances predict. `games`: number of sampled games.
    """

    turns: float
    chances: list[list[float]]
    repeated: list[tuple[int, float]]
    games: int

    def found(self, turn: int, games: float) -> float:
        """Return the chance that one of `games` earlier games had the position of this turn (from 1)."""
        return seen_before(self.chances[turn - 1], games) if turn <= len(self.chances) else 0.0

    def share_found(self, games: float) -> float:
        """Return the same for a position of a random turn."""
        return sum(self.found(turn, games) for turn in range(1, len(self.chances) + 1)) / self.turns


def seen_before(chances: Sequence[float], games: float) -> float:
    """Return how likely one of `games` independent games has the same position, on average over `chances`."""
    return float(-np.expm1(-games * np.asarray(chances)).mean())


def rack_chance(rack: Sequence[int], pool: Sequence[int]) -> float:
    """Return the chance to draw exactly `rack` from `pool`; both are numbers of tiles by tile code."""
    ways = prod(comb(there, taken) for there, taken in zip(pool, rack, strict=True))
    return ways / comb(sum(pool), sum(rack))


def other_games(boards: Sequence[str]) -> NDArray[np.float64]:
    """Return for each game the share of the other games with the same board: an unbiased estimate."""
    counts = Counter(boards)
    return np.array([counts[board] - 1 for board in boards]) / max(len(boards) - 1, 1)


def measure_repetition(
    lexicon: kibitz.Lexicon, games: int, progress: Callable[[int, int], None]
) -> Repetition:
    """Play the first turns of `games` games of LEVELS, and one of WHOLE of them to the end."""
    boards: list[list[str]] = [[] for _ in range(TURNS)]
    racks: list[list[str]] = [[] for _ in range(TURNS)]
    drawn: list[list[float]] = [[] for _ in range(TURNS)]
    lengths = []
    for number in range(games):
        is_whole = number % WHOLE == 0
        game = kibitz.Game(lexicon, 2, seed=number)
        players = Random(SEED + number).choices(LEVELS, k=2)  # noqa: S311 - a benchmark
        while not game.is_over:
            turn, position = len(game.moves), game.position
            if turn < TURNS:
                board, both, *rest = position.to_cgp().split(" lm ")[0].split(" ")
                boards[turn].append(" ".join([board, *rest]))
                racks[turn].append(both.partition("/")[0])
                drawn[turn].append(_chance_to_draw(position))
            if turn + 1 >= TURNS and not is_whole:
                break
            game.play(kibitz.best_move(position, level=players[turn % 2], seed=number))
        if is_whole:
            lengths.append(len(game.moves))
        progress(number + 1, games)
    chances = [other_games(places) * np.array(each) for places, each in zip(boards, drawn, strict=True)]
    chances[0] = np.array(drawn[0])  # every game begins with the empty board
    return Repetition(
        turns=float(np.mean(lengths)),
        chances=[_quantiles(values) for values in chances],
        repeated=[
            (
                games - len(set(zip(places, held, strict=True))),
                sum(seen_before(values, earlier) for earlier in range(games)),
            )
            for places, held, values in zip(boards, racks, chances, strict=True)
        ],
        games=games,
    )


def _chance_to_draw(position: kibitz.Position) -> float:
    """Return the chance of the rack on turn, if all that is not on the board is equally likely."""
    mine = Counter(position.rack.tiles)
    pool = [there + mine[code] for code, there in enumerate(position.unseen())]
    return rack_chance([mine[code] for code in range(len(pool))], pool)


def _quantiles(values: NDArray[np.float64]) -> list[float]:
    middles = (np.arange(QUANTILES) + 0.5) / QUANTILES
    return [float(f"{value:.4g}") for value in np.quantile(values, middles)]
