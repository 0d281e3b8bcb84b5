"""Matches: two players over many games, in pairs with swapped seats and the same tile order for both."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import best_evaluator, tables_used
from engine.lexicon.store import TableFile, write_table_file
from engine.selfplay.games import RESULT_DTYPE, GameSetup, game_loop
from engine.selfplay.players import check_player, looks_at_equity, player, tuning
from engine.selfplay.workers import run_blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.selfplay.playing_narrow import GameLoop

BLOCK: Final = 4  # pairs that a thread takes at a time, unless they take long
MOST_BLOCKS: Final = 16  # for each thread, after which the score is told and the work may be saved
STEP_SECONDS: Final = 1.0  # that such a step should last, if one pair of games does not last longer
SAVE_EVERY: Final = 20.0  # seconds
NORMAL_95: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Estimate:
    """Hold a mean with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: NDArray[np.float64]) -> Estimate:
        """Return the mean of independent samples; the interval is NaN to NaN for fewer than two."""
        mean = float(samples.mean()) if len(samples) else float("nan")
        half = (
            float(NORMAL_95 * samples.std(ddof=1) / sqrt(len(samples))) if len(samples) > 1 else float("nan")
        )
        return cls(mean, mean - half, mean + half)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Hold the score of a match so far.

    `share`: of the games that the first player won, ties half; `spread`: points a game by which that player
    was ahead. Both with intervals over pairs of games, which share their tile order.
    """

    games: int
    wins: int
    ties: int
    losses: int
    share: Estimate
    spread: Estimate


class Match:
    """A match of two players, from its beginning or from where it was interrupted.

    Games 2 n and 2 n + 1 share the tile order that follows from seed and n; the first player begins the
    former.
    """

    def __init__(
        self,
        setup: GameSetup,
        names: tuple[str, str],
        games: int,
        *,
        seed: int = 1,
        state: Path | None = None,
    ) -> None:
        """Take where to play, the two players (see `players`), and how many games (an even number).

        `state`: the file that the work is saved to.  Raises InvalidInput for numbers out of range (code
        "out_of_range"), for an unknown player ("unknown_player"), and for a file of another match
        ("other_match").
        """
        if games < 2 or games % 2:
            raise InvalidInput(
                f"a match has an even number of games, 2 or more, not {games}: "
                "each tile order is played twice, with swapped seats",
                code="out_of_range",
                field="games",
                params={"least": 2, "count": games},
            )
        if not 0 <= seed < 2**63:
            raise InvalidInput("the seed must be from 0 to 2^63 - 1", code="out_of_range", field="seed")
        for name in names:
            check_player(name)
        self.setup = setup
        self.names = names
        self.seed = seed
        self.results: NDArray[Any] = np.zeros(games, RESULT_DTYPE)
        self.pairs_done = 0
        self._state = state
        if state is not None and state.exists():
            self._load(state)

    def run(self, threads: int, progress: Callable[[MatchScore, int], None] | None = None) -> MatchScore:
        """Play what is left to play and return the score; `progress` is told the score and the games done.

        The result does not depend on the number of threads.  Interrupted, it saves what is whole and raises.
        """
        loops = [self._loop() for _ in range(threads)]
        try:
            self._play_on(loops, progress)
        finally:
            self._save()
        return self.score()

    def _play_on(self, loops: list[GameLoop], progress: Callable[[MatchScore, int], None] | None) -> None:
        pairs = len(self.results) // 2
        saved = monotonic()
        step = 1  # pairs for each thread: games of players who think take seconds each
        while self.pairs_done < pairs:
            begun = monotonic()
            end = min(self.pairs_done + len(loops) * step, pairs)
            size = min(step, BLOCK)

            def play(loop: GameLoop, first: int, end: int = end, size: int = size) -> None:
                block = self.results[2 * first : 2 * min(first + size, end)]
                loop.play_pairs(self.seed, first, block.view(np.uint8))

            run_blocks(loops, range(self.pairs_done, end, size), play)
            self.pairs_done = end
            if progress is not None:
                progress(self.score(), 2 * end)
            now = monotonic()
            if now - saved > SAVE_EVERY:
                self._save()
                saved = now
            if now - begun < STEP_SECONDS / 2:
                step = min(2 * step, MOST_BLOCKS * BLOCK)

    def _loop(self) -> GameLoop:
        (first, thinks_first), (second, thinks_second) = (
            player(name, self.setup, self.seed) for name in self.names
        )
        return game_loop(self.setup, first, second, (thinks_first, thinks_second))

    def by_player(self, field: str) -> NDArray[np.int64]:
        """Return a field of the results, one game a row, the first player's value before the second's."""
        values = self.results[field][: 2 * self.pairs_done].astype(np.int64)
        values[1::2] = values[1::2, ::-1]
        return values

    def score(self) -> MatchScore:
        """Return the score of the games played so far."""
        final = self.by_player("final")
        spread = final[:, 0] - final[:, 1]
        points = (spread > 0) + (spread == 0) / 2
        return MatchScore(
            len(spread),
            int((spread > 0).sum()),
            int((spread == 0).sum()),
            int((spread < 0).sum()),
            Estimate.of(points.reshape(-1, 2).mean(axis=1)),
            Estimate.of(spread.reshape(-1, 2).mean(axis=1)),
        )

    @property
    def _identity(self) -> dict[str, Any]:
        tuned = [tuning(name) for name in self.names]
        return {
            "names": list(self.names),
            **({"tuned": tuned} if any(tuned) else {}),
            "games": len(self.results),
            "seed": self.seed,
            "lexicon": self.setup.lexicon.content_sha256,
            "learned": tables_used(map(self._leaves_of, self.names), self.setup.lexicon),
            "layout": self.setup.layout.sha256,
            "rules": self.setup.rules.canonical(),
        }

    def _leaves_of(self, name: str) -> str:
        """Return the evaluator whose tables a player looks at."""
        return best_evaluator(self.setup.lexicon) if looks_at_equity(name) else name

    def _save(self) -> None:
        if self._state is not None:
            meta = {"kind": "match", "identity": self._identity, "pairs": self.pairs_done}
            write_table_file(self._state, meta, {"results": self.results.view(np.uint8)})

    def _load(self, path: Path) -> None:
        file = TableFile.open(path, repair="delete it to begin again")
        if file.meta.get("kind") != "match" or file.meta["identity"] != self._identity:
            raise InvalidInput(
                f"{path} holds another match (other players, words, rules, games or seed); "
                "give another --state, or delete it",
                code="other_match",
                field="state",
                params={"path": str(path)},
            )
        self.pairs_done = file.meta["pairs"]
        self.results = file.section("results").copy().view(RESULT_DTYPE)
