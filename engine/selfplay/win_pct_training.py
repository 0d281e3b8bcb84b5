"""Training of the win% table by self-play, and its check on other games.

Every move of every game counts for the expected spread after it and the number of unseen tiles, as `win_pct`
defines them. The shares of wins are smoothed in three steps for each row, which is one number of
unseen tiles:

1. Counts are spread over neighbouring spreads by a bell curve. Its width grows with the unseen tiles from
   half a point to four, because a point matters little early in the game and much at its end. With at least
   FULL_BAG unseen tiles counts are also spread over neighbouring rows, by a bell curve whose width grows with
   the unseen tiles too.
2. The share is combined with a normal curve fitted to the row, which has the weight of PRIOR_GAMES games. At
   extreme spreads, which hardly any game reaches, this gives a chance between 0 and 1.
3. Pool-adjacent-violators (Ayer and others 1955) makes the share monotone in the spread.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import evaluator_kernel, tables_used
from engine.evaluation.win_pct import MIDDLE, SCALE, VERSION, WinPctTable
from engine.selfplay.games import GameSetup, game_loop, play_game
from engine.selfplay.parts import GameInterrupted, GameWork, game_executor, play_parts
from engine.selfplay.resumable_run import ResumableRun

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.lexicon.store import TableFile
    from engine.selfplay.games import PlayedGame
    from engine.selfplay.parts import GameControl, GameExecutor, PartFunction

BLOCK: Final = 64  # games
PRIOR_GAMES: Final = 25.0
FULL_BAG: Final = 15  # unseen tiles; from here on neighbouring rows are similar
ROW_WIDTH: Final = 0.05  # width of the bell curve over rows, by unseen tiles
LEAST_SHARE: Final = 0.01  # rows that would count less do not count
_WIDTH: Final = 2 * MIDDLE + 1


@dataclass(frozen=True)
class WinPctWork(GameWork["NDArray[np.int64]"]):
    """Games of a player against itself; a unit is a game, a result the counts of `count_outcomes`."""

    name: str
    seed: int

    def player(self, lexicon: Lexicon) -> PartFunction[NDArray[np.int64]]:
        """Return a function that plays games and counts their outcomes, for one thread."""
        kernel = evaluator_kernel(self.name, lexicon, self.rules)
        loop = game_loop(GameSetup(lexicon, self.layout, self.rules), kernel, kernel)

        def play(part: range, control: GameControl) -> NDArray[np.int64]:
            counts = np.zeros((lexicon.tile_set.total + 1, _WIDTH, 3), np.int64)
            for first in range(part.start, part.stop, BLOCK):
                if control.interrupt.passed:
                    raise GameInterrupted
                loop.count_outcomes(self.seed, first, min(BLOCK, part.stop - first), counts)
            return counts

        return play


class WinPctTraining(ResumableRun["NDArray[np.int64]"]):
    """One training, new or resumed from its state file."""

    kind = "win_pct training"
    other = "another training (other words, rules, player, games or seed)"
    other_code = "other_training"

    def __init__(
        self, setup: GameSetup, player: str, games: int, *, seed: int = 1, state: Path | None = None
    ) -> None:
        """Take the setup, the evaluator that plays both sides, the number of games, and the state file.

        Raises InvalidInput (codes "out_of_range", "other_training").
        """
        if games < 1:
            raise InvalidInput("games must be at least 1", code="out_of_range", field="games")
        self.player = player
        self.games = games
        self.seed = seed
        self.games_done = 0
        self.counts = np.zeros((setup.lexicon.tile_set.total + 1, _WIDTH, 3), np.int64)
        super().__init__(setup, state)

    def run(
        self, workers: int | GameExecutor, progress: Callable[[int], None] = lambda done: None
    ) -> WinPctTable:
        """Play the games that remain and return the table; `progress` is called with the games done.

        `workers`: a number of threads, or an executor with the same lexicon; the table does not depend on it.
        """
        work = WinPctWork(self.setup.layout, self.setup.rules, self.player, self.seed)
        units = range(self.games_done, self.games)
        self._play(workers, [(work, units)], lambda: progress(self.games_done))
        meta = {"games": self.games, "seed": self.seed, "player": self.player}
        return WinPctTable(smoothed_chances(self.counts), self.counts.sum(axis=(1, 2)), meta=meta)

    def _take(self, part: range, counts: NDArray[np.int64]) -> None:
        self.counts += counts
        self.games_done = part.stop

    @property
    def _identity(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "player": self.player,
            "games": self.games,
            "seed": self.seed,
            "lexicon": self.setup.lexicon.content_sha256,
            "learned": tables_used([self.player], self.setup.lexicon),
            "layout": self.setup.layout.sha256,
            "rules": self.setup.rules.canonical(),
        }

    def _contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        return {"games_done": self.games_done}, {"counts": self.counts}

    def _load(self, file: TableFile) -> None:
        self.games_done = file.meta["games_done"]
        self.counts = file.section("counts").copy()


def smoothed_chances(counts: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return the table of chances by unseen tiles and spread + MIDDLE, in parts of SCALE.

    `counts`: by unseen tiles, expected spread + MIDDLE, and outcome (lost, tied, won). A row
    without games takes the next row with more unseen tiles.
    """
    turns = counts.sum(axis=2).astype(np.float64)
    points = counts[:, :, 2] + counts[:, :, 1] / 2
    values = np.zeros(turns.shape)
    known = np.flatnonzero(turns.sum(axis=1) > 0).tolist()
    for row in known:
        played, won = _pooled(turns, points, row)
        prior = _normal_curve(played, won)
        chance = (won + PRIOR_GAMES * prior) / (played + PRIOR_GAMES)
        values[row] = pool_adjacent_violators(chance, played + PRIOR_GAMES)
    for row in range(len(values)):
        if len(known) and row not in known:
            values[row] = values[next((other for other in known if other > row), known[-1])]
    table: NDArray[np.uint16] = np.rint(np.clip(values, 1e-4, 1 - 1e-4) * SCALE).astype(np.uint16)
    return table


def _pooled(
    turns: NDArray[np.float64], points: NDArray[np.float64], row: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the turns and wins of a row, smoothed by bell curves (step 1)."""
    width = min(max(0.04 * row, 0.5), 4.0)
    reach = int(np.ceil(4 * width))
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    bell /= bell.sum()
    rows = np.arange(len(turns))
    shares = (rows == row).astype(np.float64)
    if row >= FULL_BAG:
        shares = np.exp(-0.5 * ((rows - row) / (ROW_WIDTH * row)) ** 2)
        shares[(rows < FULL_BAG) | (shares < LEAST_SHARE)] = 0
    return np.convolve(shares @ turns, bell, "same"), np.convolve(shares @ points, bell, "same")


def _normal_curve(played: NDArray[np.float64], won: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the best normal curve Phi((spread - middle) / width) by weighted least squares."""
    spread = np.arange(-MIDDLE, MIDDLE + 1)
    share = won / np.maximum(played, 1e-9)
    best, answer = np.inf, (0.0, 50.0)
    middles, widths = np.linspace(-60, 60, 25), np.geomspace(2, 250, 25)
    for _ in range(3):
        for middle in middles:
            for width in widths:
                error = float((played * (_phi((spread - middle) / width) - share) ** 2).sum())
                if error < best:
                    best, answer = error, (float(middle), float(width))
        step = (middles[1] - middles[0], widths[1] / widths[0])
        middles = np.linspace(answer[0] - step[0], answer[0] + step[0], 9)
        widths = np.geomspace(answer[1] / step[1], answer[1] * step[1], 9)
    return _phi((spread - answer[0]) / answer[1])


_GRID: Final = np.linspace(-6, 6, 4801)
_PHI: Final = np.array([(1 + erf(x / sqrt(2))) / 2 for x in _GRID])


def _phi(x: NDArray[Any]) -> NDArray[np.float64]:
    answer: NDArray[np.float64] = np.interp(x, _GRID, _PHI)
    return answer


def pool_adjacent_violators(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the nondecreasing sequence closest to `values` by weighted squares (Ayer and others 1955)."""
    means: list[float] = []
    sums: list[float] = []
    sizes: list[int] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        means.append(value)
        sums.append(weight)
        sizes.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            total = sums[-2] + sums[-1]
            means[-2] = (means[-2] * sums[-2] + means[-1] * sums[-1]) / total
            sums[-2] = total
            sizes[-2] += sizes[-1]
            del means[-1], sums[-1], sizes[-1]
    return np.repeat(means, sizes)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Hold a bin of test positions: the mean predicted chance, the mean outcome, its standard error."""

    stage: str
    positions: int
    predicted: float
    observed: float
    error: float

    @property
    def holds(self) -> bool:
        """Whether both differ by at most a percentage point and three standard errors."""
        return abs(self.predicted - self.observed) <= 0.01 + 3 * self.error


STAGES: Final = (
    ("opening", 72),
    ("middle", 43),
    ("late", 15),
    ("last tiles in the bag", 8),
    ("empty bag", 0),
)
"""Parts of the game by the smallest number of tiles that the player on turn cannot see."""

MIN_POSITIONS: Final = 2000


@dataclass(frozen=True, eq=False)
class CalibrationWork(GameWork["list[NDArray[np.float64]]"]):
    """Games that are compared with a win% table; a unit is a block of games.

    A result has an array for each block: by stage and twentieth of the predicted chance, the number of
    positions, and the sums of chances, outcomes and squares of outcomes.
    """

    table: WinPctTable
    name: str
    games: int
    seed: int

    def player(self, lexicon: Lexicon) -> PartFunction[list[NDArray[np.float64]]]:
        """Return a function that plays blocks of games and compares them, for one thread."""
        kernel = evaluator_kernel(self.name, lexicon, self.rules)
        loop = game_loop(GameSetup(lexicon, self.layout, self.rules), kernel, kernel)
        total = lexicon.tile_set.total

        def play(part: range, control: GameControl) -> list[NDArray[np.float64]]:
            compared = []
            for block in part:
                if control.interrupt.passed:
                    raise GameInterrupted
                sums = np.zeros((len(STAGES) * 20, 4))
                random = np.random.default_rng([self.seed, block])
                for number in range(block * BLOCK, min((block + 1) * BLOCK, self.games)):
                    game = play_game(loop, self.seed, number)
                    cells, rows = _compared(self.table, game, total, random)
                    np.add.at(sums, cells, rows)
                compared.append(sums)
            return compared

        return play


def _compared(
    table: WinPctTable, game: PlayedGame, total: int, random: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return a random position of a game for each cell that it reaches: the cells, and what they add."""
    turns = game.turns
    floors = np.array([least for _, least in STAGES])
    placed = np.where(turns["kind"] == 0, turns["play"]["placed"], 0).astype(np.int64)
    unseen = total - np.concatenate([[0], np.cumsum(placed)[:-1]]) - turns["rack_count"]
    seat = turns["seat"].astype(np.intp)
    each = np.arange(len(turns))
    spread = turns["score_before"][each, seat] - turns["score_before"][each, 1 - seat]
    expected = spread + np.where(turns["bag_before"] > 0, turns["equity"] / 1000, turns["play"]["score"])
    final = np.array(game.final)
    ahead = final[seat] - final[1 - seat]
    outcome = (ahead > 0) + (ahead == 0) / 2
    chance = table.chance(expected, unseen)
    stage = (unseen[:, None] < floors[None, :]).sum(axis=1)
    cell = stage * 20 + np.minimum((chance * 20).astype(np.intp), 19)
    order = random.permutation(len(turns))
    _, first = np.unique(cell[order], return_index=True)
    chosen = order[first]
    rows = np.column_stack([np.ones(len(chosen)), chance[chosen], outcome[chosen], outcome[chosen] ** 2])
    return cell[chosen], rows


def calibration(
    table: WinPctTable,
    where: GameSetup,
    player: str,
    games: int,
    *,
    seed: int,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> list[CalibrationBin]:
    """Return how the table's chances compare with the outcomes of games of another seed.

    Bins are twentieths of the predicted chance in each stage of the game; of each game at most one position
    (a random one) counts for a bin, so that positions are independent. Bins with fewer than MIN_POSITIONS
    are joined with their neighbours.
    """
    sums: list[NDArray[np.float64]] = []

    def report() -> None:
        if progress is not None:
            progress(min(len(sums) * BLOCK, games))

    work = CalibrationWork(where.layout, where.rules, table, player, games, seed)
    with game_executor(threads, where.lexicon) as executor:
        play_parts(
            executor, work, range(-(-games // BLOCK)), lambda _, blocks: sums.extend(blocks), tick=report
        )
    return _bins(np.sum(sums, axis=0))


def _bins(sums: NDArray[np.float64]) -> list[CalibrationBin]:
    bins = []
    for number, (stage, _) in enumerate(STAGES):
        joined: list[NDArray[np.float64]] = []
        for row in sums[number * 20 : number * 20 + 20]:
            if joined and joined[-1][0] < MIN_POSITIONS:
                joined[-1] = joined[-1] + row
            else:
                joined.append(row.copy())
        if len(joined) > 1 and joined[-1][0] < MIN_POSITIONS:
            last = joined.pop()
            joined[-1] = joined[-1] + last
        for n, predicted, observed, squares in (row.tolist() for row in joined):
            if n > 1:
                mean = observed / n
                error = sqrt(max(squares / n - mean**2, 0) / (n - 1))
                bins.append(CalibrationBin(stage, int(n), predicted / n, mean, error))
    return bins


def mean_error(bins: list[CalibrationBin]) -> float:
    """Return the mean distance between prediction and outcome, weighted by positions."""
    total = sum(each.positions for each in bins)
    return sum(each.positions * abs(each.predicted - each.observed) for each in bins) / total
