"""Matches: two players over many games, in pairs with swapped seats and the same tile order for both."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import best_evaluator, tables_used
from engine.selfplay.estimate import Estimate
from engine.selfplay.games import RESULT_DTYPE, RESULT_FORMAT, GameSetup, game_loop
from engine.selfplay.parts import GameControl, GameInterrupted, GameWork
from engine.selfplay.players import check_player, chooses_in_python, player, tuning
from engine.selfplay.resumable_run import ResumableRun

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.lexicon.store import TableFile
    from engine.selfplay.parts import GameExecutor, PartFunction

PAIRS_AT_ONCE: Final = 4  # pairs of games that a kernel plays between two checks for an interrupt
TYPICAL_MOVES: Final = 12  # of one player in a game, assumed before the first game has ended


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Hold the score of a match so far, as the first player sees it.

    `share`: share of the games won, where a tie counts half; `spread`: mean difference between the scores of
    the first and the second player. Both have intervals over pairs of games, because the games of a pair
    share their tile order. The interval of the share is Wilson's; it needs at least five games.
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

    `score` counts finished games; `moves` are those made in other games, in threads of this process, by
    players who choose their moves in Python (searches and levels); `games` estimates the games played, with
    fractions for moves.
    """

    score: MatchScore
    moves: int
    games: float


@dataclass(frozen=True)
class MatchWork(GameWork[bytes]):
    """The games of a match; a unit is a pair of games, a result the bytes of RESULT_DTYPE of its games."""

    names: tuple[str, str]
    seed: int

    def player(self, lexicon: Lexicon) -> PartFunction[bytes]:
        """Return a function that plays pairs of games, for one thread; raises what `player` raises."""
        setup = GameSetup(lexicon, self.layout, self.rules)
        (first, first_seat), (second, second_seat) = (player(name, setup, self.seed) for name in self.names)
        loop = game_loop(setup, first, second, (first_seat, second_seat))

        def play(part: range, control: GameControl) -> bytes:
            for seat in (first_seat, second_seat):
                if seat is not None:
                    seat.control = control
            results = np.zeros(2 * len(part), RESULT_DTYPE)
            for at in range(0, len(part), PAIRS_AT_ONCE):
                if control.interrupt.passed:
                    raise GameInterrupted
                pairs = results[2 * at : 2 * (at + PAIRS_AT_ONCE)]
                loop.play_pairs(self.seed, part.start + at, pairs.view(np.uint8))
            return results.tobytes()

        return play


class Match(ResumableRun[bytes]):
    """A match of two players, new or resumed from its state file.

    Games 2 n and 2 n + 1 form a pair: they share the tile order, which follows from the seed and n alone. The
    first player begins game 2 n, the second player game 2 n + 1.
    """

    kind = "match"
    other = "another match (other players, words, rules, games or seed)"
    other_code = "other_match"

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
        self.names = names
        self.seed = seed
        self.results: NDArray[Any] = np.zeros(games, RESULT_DTYPE)
        self.pairs_done = 0
        self._moves: deque[None] = deque()  # an entry for each move of this run chosen in Python
        self._moves_counted = 0  # of them, those in finished games
        self._games_shown = 0.0
        super().__init__(setup, state)

    def run(
        self, workers: int | GameExecutor, progress: Callable[[MatchProgress], None] | None = None
    ) -> MatchScore:
        """Play the games that remain and return the score.

        `workers`: a number of threads, or an executor with the same lexicon; the score does not depend on it.
        `progress` is called twice a second and after results. An error or Ctrl-C stops the games that run;
        the match is saved, and the error is raised within a second.
        """
        self._moves.clear()
        self._moves_counted = 0
        self._games_shown = 0.0

        def report() -> None:
            if progress is not None:
                progress(self._progress())

        units = range(self.pairs_done, len(self.results) // 2)
        work = MatchWork(self.setup.layout, self.setup.rules, self.names, self.seed)
        self._play(workers, [(work, units)], report, self._moves)
        return self.score()

    def _take(self, part: range, results: bytes) -> None:
        self.results[2 * part.start : 2 * part.stop] = np.frombuffer(results, RESULT_DTYPE)
        self.pairs_done = part.stop
        if self._moves:
            turns = self.by_player("turns")[2 * part.start :, self._searchers]
            self._moves_counted += int(turns.sum())

    @property
    def _searchers(self) -> list[int]:
        """The players who choose their moves in Python, 0 or 1 each."""
        return [which for which, name in enumerate(self.names) if chooses_in_python(name)]

    def _progress(self) -> MatchProgress:
        """Return how far the match is; the estimate of games never goes back."""
        done, moves = 2 * self.pairs_done, len(self._moves) - self._moves_counted
        searchers = self._searchers
        turns = self.by_player("turns")
        a_game = turns[:, searchers].sum() / done if done else len(searchers) * TYPICAL_MOVES
        begun = min(moves / a_game, len(self.results) - done) if moves else 0.0
        self._games_shown = max(self._games_shown, done + begun)
        return MatchProgress(self.score(), moves, self._games_shown)

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
            Estimate.of_share(points.reshape(-1, 2).mean(axis=1), len(spread)),
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

    def _contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        return {"pairs": self.pairs_done}, {"results": self.results.view(np.uint8)}

    def _load(self, file: TableFile) -> None:
        self.pairs_done = file.meta["pairs"]
        self.results = file.section("results").copy().view(RESULT_DTYPE)
