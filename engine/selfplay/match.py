"""Matches: two players over many games, in pairs with swapped seats and the same tile order for both."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import sqrt
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import best_evaluator, tables_used
from engine.lexicon.store import TableFile, write_table_file
from engine.search.deadline import Deadline
from engine.selfplay.games import RESULT_DTYPE, RESULT_FORMAT, GameSetup, game_loop
from engine.selfplay.players import check_player, chooses_in_python, player, tuning
from engine.selfplay.workers import run_blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.selfplay.game_loop_narrow import GameLoop

BLOCK: Final = 4  # pairs of games that a thread takes at a time, unless they take long
MAX_BLOCKS: Final = 16  # of a thread in one step; after a step the score is reported and may be saved
STEP_SECONDS: Final = 1.0  # how long a step should last; one pair of games may last longer
SAVE_SECONDS: Final = 20.0  # how often the state is saved
NORMAL_95: Final = 1.959964  # the 97.5th percentile of the normal distribution
TYPICAL_MOVES: Final = 12  # of one player in a game, assumed before the first game has ended


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
    """Hold the score of a match so far, as the first player sees it.

    `share`: share of the games won, a tie counts half; `spread`: own points less the other's, a game on
    average. Both have intervals over pairs of games, because the games of a pair share their tile order.
    """

    games: int
    wins: int
    ties: int
    losses: int
    share: Estimate
    spread: Estimate


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """Hold how far a match has come.

    `score` counts the games in whole steps; `moves` are those made since then by players who choose their
    moves in Python (searches and levels); `games` estimates the games played, with fractions for moves.
    """

    score: MatchScore
    moves: int
    games: float


class Match:
    """A match of two players, new or resumed from its state file.

    Games 2 n and 2 n + 1 form a pair: they share the tile order, which follows from the seed and n alone. The
    first player begins game 2 n, the second player game 2 n + 1.
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
        """Take lexicon, board and rules, the names of the players (see `players`), and an even number of
        games.

        `state`: the file in which the match is saved and from which it resumes. Raises InvalidInput for
        numbers out of range (code "out_of_range"), for an unknown player ("unknown_player"), and for the file
        of another match ("other_match").
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
        self._interrupt = Deadline()  # cut to stop the searches of all threads
        self._moves: deque[None] = deque()  # an entry for each move of the current step chosen in Python
        self._state = state
        if state is not None and state.exists():
            self._load(state)

    def run(self, threads: int, progress: Callable[[MatchProgress], None] | None = None) -> MatchScore:
        """Play the games that remain and return the score, which does not depend on the number of threads.

        `progress` is called twice a second and after every step. An error or Ctrl-C stops the searches that
        run; the match is saved as of its last step, and the error is raised within a second.
        """
        self._interrupt = Deadline()
        self._moves.clear()
        loops = [self._loop() for _ in range(threads)]
        try:
            self._play_steps(loops, progress)
        finally:
            self._save()
        return self.score()

    def _play_steps(self, loops: list[GameLoop], progress: Callable[[MatchProgress], None] | None) -> None:
        pairs = len(self.results) // 2
        saved = monotonic()
        step = 1  # pairs of games for each thread: a player who searches takes seconds for a game
        while self.pairs_done < pairs:
            began = monotonic()
            end = min(self.pairs_done + len(loops) * step, pairs)
            size = min(step, BLOCK)

            def play(loop: GameLoop, first: int, end: int = end, size: int = size) -> None:
                block = self.results[2 * first : 2 * min(first + size, end)]
                loop.play_pairs(self.seed, first, block.view(np.uint8))

            def report(end: int = end) -> None:
                if progress is not None:
                    progress(self._progress(end))

            run_blocks(
                loops,
                range(self.pairs_done, end, size),
                play,
                tick=report,
                interrupt=self._interrupt.cut,
            )
            self.pairs_done = end
            self._moves.clear()
            report()
            now = monotonic()
            if now - saved > SAVE_SECONDS:
                self._save()
                saved = now
            if now - began < STEP_SECONDS / 2:
                step = min(2 * step, MAX_BLOCKS * BLOCK)

    def _progress(self, end: int) -> MatchProgress:
        """Return how far the match is while pairs of games up to `end` are played."""
        done, moves = 2 * self.pairs_done, len(self._moves)
        turns = self.by_player("turns")
        searchers = [which for which, name in enumerate(self.names) if chooses_in_python(name)]
        a_game = turns[:, searchers].sum() / done if done else len(searchers) * TYPICAL_MOVES
        begun = min(moves / a_game, 2 * end - done) if moves else 0.0
        return MatchProgress(self.score(), moves, done + begun)

    def _loop(self) -> GameLoop:
        (first, first_seat), (second, second_seat) = (
            player(name, self.setup, self.seed) for name in self.names
        )
        for seat in (first_seat, second_seat):
            if seat is not None:
                seat.interrupt = self._interrupt
                seat.moves = self._moves
        return game_loop(self.setup, first, second, (first_seat, second_seat))

    def by_player(self, field: str) -> NDArray[np.int64]:
        """Return a field of the results, a row for each game: the first player's value, then the second's."""
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
            "format": RESULT_FORMAT,
        }

    def _leaves_of(self, name: str) -> str:
        """Return the evaluator whose learned tables a player uses."""
        return best_evaluator(self.setup.lexicon) if chooses_in_python(name) else name

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
