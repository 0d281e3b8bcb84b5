"""Training of leaves by self-play: how much racks with a leave gain over the mean of all racks.

Games are played with the table of the previous generation (the first generation plays by highest score). On
the board of every turn with seven or more tiles in the bag, random racks are drawn from all tiles that are
not on the board, and the equity of each rack's best move is found, exchanges included. Random racks are used
instead of those of the players because a player's leave is chosen, so its value would also be attributed to
the rest of the rack. A rack counts for each leave within it, once for each way to choose the leave from its
tiles. Then the other tiles of the rack are a random draw, as they are after a move with that leave.

    value(leave) = mean equity of the racks that hold it - mean equity of all racks, smoothed by
    leave_smoothing.py

A last generation does the same for a player who never plays a bingo (evaluator "combined").

Every game has its own random numbers, and sums are integers, so the result depends neither on the
number of threads nor on interruptions. Source: [Heuri], section 4.2.2.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import evaluator_kernel
from engine.evaluation.leave_ranks import leave_ranks
from engine.evaluation.leave_table import LARGEST, LeaveTable
from engine.evaluation.static_evaluation import static_kernel
from engine.movegen import InternalWords
from engine.rules.game_rules import RulesKernel
from engine.selfplay.games import GameSetup, game_loop
from engine.selfplay.leave_smoothing import smoothed_leaves
from engine.selfplay.parts import GameInterrupted, GameWork
from engine.selfplay.resumable_run import ResumableRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.lexicon.store import TableFile
    from engine.selfplay.leave_smoothing import Smoothed
    from engine.selfplay.parts import GameControl, GameExecutor, PartFunction

BLOCK: Final = 32  # games
MIN_BAG: Final = 7  # tiles; with a smaller bag a rack cannot be filled at random
NO_BINGO: Final = -10_000  # points; a bingo bonus with which bingos are never played


@dataclass(frozen=True, slots=True)
class LeavePlan:
    """Hold the size of a training: `games` of each generation, `racks` drawn for each turn, the seed.

    `plain_games`: games of the last generation, without bingos; 0 for no such generation.
    """

    games: tuple[int, ...]
    plain_games: int
    racks: int = 4
    seed: int = 1

    @classmethod
    def of(cls, games: int, generations: int = 4, racks: int = 4, seed: int = 1) -> LeavePlan:
        """Return a plan whose last generation has `games` games, and each earlier one half of the next."""
        if games < 1 or generations < 1 or racks < 1:
            raise InvalidInput(
                "games, generations and racks must be at least 1", code="out_of_range", field="games"
            )
        steps = tuple(max(games >> back, 1) for back in reversed(range(generations)))
        return cls(steps, max(games // 2, 1), racks, seed)


@dataclass(frozen=True)
class LeaveWork(GameWork["NDArray[np.int64]"]):
    """The games of one generation; a unit is a block of games, a result the sums of `LeaveSampler.sample`.

    `values`: the leave values of the previous generation, as bytes of int16; None for the first generation,
    which plays by highest score. `plain`: no bingos are played.
    """

    values: bytes | None
    plain: bool
    racks: int
    seed: int
    games: int

    part_seconds: ClassVar[float] = 8.0  # the sums of an English lexicon are 29 MB
    uses_learned: ClassVar[bool] = False

    def player(self, lexicon: Lexicon) -> PartFunction[NDArray[np.int64]]:
        """Return a function that plays blocks and returns their sums, for one thread."""
        ranks = leave_ranks(lexicon.tile_set)
        kernel = evaluator_kernel("greedy", lexicon, self.rules)
        if self.values is not None:
            learned = LeaveTable(lexicon.tile_set, np.frombuffer(self.values, np.int16), meta={})
            kernel = static_kernel(learned, lexicon)
        loop = game_loop(GameSetup(lexicon, self.layout, self.rules), kernel, kernel)
        rules = RulesKernel(self.rules, NO_BINGO) if self.plain else self.rules.kernel
        mover = lexicon.kernels.search.Mover(InternalWords(lexicon).kernel, rules)
        sampler = lexicon.kernels.selfplay.LeaveSampler(
            loop, mover, kernel, ranks.base, ranks.offset, self.racks, MIN_BAG
        )

        def play(part: range, control: GameControl) -> NDArray[np.int64]:
            sums = np.zeros((len(ranks), 4), np.int64)
            for block in part:
                if control.interrupt.passed:
                    raise GameInterrupted
                first = block * BLOCK
                sampler.sample(self.seed, first, min(BLOCK, self.games - first), sums)
            return sums

        return play


class LeaveTraining(ResumableRun["NDArray[np.int64]"]):
    """One training, new or resumed from its state file."""

    kind = "leave training"
    other = "another training (other words, rules, games or seed)"
    other_code = "other_training"

    def __init__(self, setup: GameSetup, plan: LeavePlan, state: Path | None = None) -> None:
        """Take the setup of the games, the plan, and the file in which the training is saved.

        Raises InvalidInput (code "other_training") if the file belongs to another training.
        """
        self.plan = plan
        self.ranks = leave_ranks(setup.lexicon.tile_set)
        self.generation = 0  # the current one; the last one is without bingos
        self.block = 0  # its next block
        self._sums = np.zeros((len(self.ranks), 4), np.int64)
        self._values = np.zeros(len(self.ranks), np.int16)
        self._errors = np.zeros(len(self.ranks), np.uint16)
        self._racks = np.zeros(len(self.ranks), np.uint32)
        self._plain = np.zeros(len(self.ranks), np.int16)
        self._report: list[dict[str, Any]] = []
        super().__init__(setup, state)

    @property
    def _identity(self) -> dict[str, Any]:
        setup = self.setup
        return {
            "plan": {**asdict(self.plan), "games": list(self.plan.games)},
            "word_list_sha256": setup.lexicon.sha256,
            "tile_set_sha256": setup.lexicon.tile_set.sha256,
            "layout_sha256": setup.layout.sha256,
            "rules": setup.rules.canonical(),
        }

    @property
    def total_games(self) -> int:
        """Games of all generations together."""
        return sum(self.plan.games) + self.plan.plain_games

    @property
    def games_done(self) -> int:
        """Games played so far."""
        steps = (*self.plan.games, self.plan.plain_games)
        done = sum(steps[: self.generation])
        return min(done + self.block * BLOCK, self.total_games)

    def run(
        self, workers: int | GameExecutor, progress: Callable[[int], None] = lambda done: None
    ) -> LeaveTable:
        """Play the games that remain and return the table; `progress` is called with the games done.

        `workers`: a number of threads, or an executor with the same lexicon. After an interruption, a new
        LeaveTraining with the same file continues.
        """
        self._play(workers, self._generations(), lambda: progress(self.games_done))
        return self._table()

    def _generations(self) -> Iterator[tuple[LeaveWork, range]]:
        """Yield the games that remain of each generation, whose results end it."""
        while self.generation < len(self.plan.games) + (self.plan.plain_games > 0):
            plain = self.generation == len(self.plan.games)
            work = self._work(plain=plain)
            yield work, range(self.block, -(-work.games // BLOCK))
            self._end_generation(plain=plain)

    def _take(self, part: range, sums: NDArray[np.int64]) -> None:
        self._sums += sums
        self.block = part.stop

    def _work(self, *, plain: bool) -> LeaveWork:
        """Return the games of the current generation."""
        plan = self.plan
        return LeaveWork(
            self.setup.layout,
            self.setup.rules,
            values=self._values.tobytes() if self.generation else None,
            plain=plain,
            racks=plan.racks,
            seed=plan.seed + (self.generation << 32),
            games=plan.plain_games if plain else plan.games[self.generation],
        )

    def _end_generation(self, *, plain: bool) -> None:
        smoothed = smoothed_leaves(self._sums, self.ranks)
        mean = round(float(smoothed.mean), 4)
        with self._changing():
            self._report.append({"plain": plain, "mean": mean, "sizes": smoothed.sizes})
            if plain:
                self._plain = _hundredths(smoothed)
            else:
                self._values = _hundredths(smoothed)
                self._errors = np.clip(np.rint(100 * smoothed.errors), 0, 65535).astype(np.uint16)
                self._racks = np.minimum(self._sums[:, 3], 2**32 - 1).astype(np.uint32)
            self.generation += 1
            self.block = 0
            self._sums[:] = 0
        self._save()

    def _table(self) -> LeaveTable:
        plain = self.plan.plain_games > 0
        return LeaveTable(
            self.setup.lexicon.tile_set,
            self._values,
            meta={
                "games": list(self.plan.games),
                "racks_a_turn": self.plan.racks,
                "seed": self.plan.seed,
                "mean": self._report[len(self.plan.games) - 1]["mean"],
                "plain_mean": self._report[-1]["mean"] if plain else 0.0,
                "sizes": self._report[len(self.plan.games) - 1]["sizes"],
            },
            plain=self._plain if plain else None,
            errors=self._errors,
            racks=self._racks,
        )

    def _contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        meta = {"generation": self.generation, "block": self.block, "report": self._report}
        sections: dict[str, NDArray[Any]] = {
            "sums": self._sums,
            "values": self._values,
            "errors": self._errors,
            "racks": self._racks,
            "plain": self._plain,
        }
        return meta, sections

    def _load(self, file: TableFile) -> None:
        self.generation, self.block = file.meta["generation"], file.meta["block"]
        self._report = file.meta["report"]
        self._sums = file.section("sums").copy()
        self._values = file.section("values").copy()
        self._errors = file.section("errors").copy()
        self._racks = file.section("racks").copy()
        self._plain = file.section("plain").copy()


def _hundredths(smoothed: Smoothed) -> NDArray[np.int16]:
    return np.rint(100 * np.clip(smoothed.values, -LARGEST, LARGEST)).astype(np.int16)
