"""Games of a player against itself: the result of each, and the number of times each word is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import evaluator_kernel, evaluator_kind
from engine.evaluation.leave_table import leave_table
from engine.selfplay.games import RESULT_DTYPE, RESULT_FORMAT, GameSetup, game_loop
from engine.selfplay.parts import GameInterrupted, GameWork
from engine.selfplay.resumable_run import ResumableRun

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.lexicon.store import TableFile
    from engine.selfplay.parts import GameControl, GameExecutor, PartFunction

GAMES_AT_ONCE: Final = 4  # games that a kernel plays between two checks for an interrupt
WORD_USES: Final = ("played", "bingos", "made")
"""The counts of a word: plays whose main word it is, bingos among these, and how often it was formed at all.
"""

Counted: TypeAlias = "tuple[NDArray[Any], NDArray[np.uint32]]"
"""The results of games, and the counts of their words."""


@dataclass(frozen=True)
class SelfPlayWork(GameWork[Counted]):
    """Games of a player against itself; a unit is a game."""

    name: str
    seed: int

    def player(self, lexicon: Lexicon) -> PartFunction[Counted]:
        """Return a function that plays games, for one thread."""
        kernel = evaluator_kernel(self.name, lexicon, self.rules)
        loop = game_loop(GameSetup(lexicon, self.layout, self.rules), kernel, kernel)

        def play(part: range, control: GameControl) -> Counted:
            results = np.zeros(len(part), RESULT_DTYPE)
            words = np.zeros((len(WORD_USES), lexicon.word_count), np.uint32)
            for at in range(0, len(part), GAMES_AT_ONCE):
                if control.interrupt.passed:
                    raise GameInterrupted
                block = results[at : at + GAMES_AT_ONCE]
                loop.play_games(self.seed, part.start + at, block.view(np.uint8), words)
            return results, words

        return play


class SelfPlay(ResumableRun[Counted]):
    """Games 0 to n - 1 of a seed with the same player on both seats, new or resumed from a state file.

    `results`: RESULT_DTYPE, one for each game; `words`: counts (uint32), a row for each of WORD_USES, by word
    id.
    """

    kind = "self-play"
    other = "other games (another player, words, leaves, rules, board or seed)"
    other_code = "other_games"

    def __init__(
        self, setup: GameSetup, player: str, games: int, *, seed: int = 1, state: Path | None = None
    ) -> None:
        """Take the setup of the games, the evaluator that plays, the number of games, and the state file.

        A state file with fewer games is continued. Raises InvalidInput for numbers out of range (code
        "out_of_range") and for a file of other games ("other_games"), MissingTable (code "missing_leaves").
        """
        if games < 1:
            raise InvalidInput("games must be at least 1", code="out_of_range", field="games")
        if not 0 <= seed < 2**63:
            raise InvalidInput("the seed must be from 0 to 2^63 - 1", code="out_of_range", field="seed")
        self.player = player
        self.seed = seed
        self.leaves = leave_table(setup.lexicon).name if evaluator_kind(player).leaves else None
        self.games_done = 0
        self.results: NDArray[Any] = np.zeros(games, RESULT_DTYPE)
        self.words = np.zeros((len(WORD_USES), setup.lexicon.word_count), np.uint32)
        super().__init__(setup, state)

    def run(self, workers: int | GameExecutor, progress: Callable[[int], None] = lambda done: None) -> None:
        """Play the games that remain; `progress` is called with the games done.

        `workers`: a number of threads, or an executor with the same lexicon; the result does not depend on
        it. An interruption saves the finished parts.
        """
        work = SelfPlayWork(self.setup.layout, self.setup.rules, self.player, self.seed)
        units = range(self.games_done, len(self.results))
        self._play(workers, [(work, units)], lambda: progress(self.games_done))

    def _take(self, part: range, played: Counted) -> None:
        results, words = played
        self.results[part.start : part.stop] = results
        self.words += words
        self.games_done = part.stop

    @property
    def _identity(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "seed": self.seed,
            "lexicon": self.setup.lexicon.content_sha256,
            "leaves": self.leaves,
            "layout": self.setup.layout.sha256,
            "rules": self.setup.rules.canonical(),
            "format": RESULT_FORMAT,
        }

    def _contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        done: NDArray[Any] = self.results[: self.games_done]
        return {"games": self.games_done}, {"results": done.view(np.uint8), "words": self.words}

    def _load(self, file: TableFile) -> None:
        done = file.meta["games"]
        if done > len(self.results):
            raise InvalidInput(
                f"{file.path} holds {done} games already: ask for at least as many, or delete it",
                code="out_of_range",
                field="games",
                params={"path": str(file.path), "least": done},
            )
        self.games_done = done
        self.results[:done] = file.section("results").view(RESULT_DTYPE)
        self.words += file.section("words")
