"""Games of a player against itself: the result of each, and the number of times each word is played."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import evaluator_kernel, uses_leaves
from engine.evaluation.leave_table import leave_table
from engine.lexicon.store import TableFile, write_table_file
from engine.selfplay.games import RESULT_DTYPE, RESULT_FORMAT, game_loop
from engine.selfplay.workers import run_blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.selfplay.game_loop_narrow import GameLoop
    from engine.selfplay.games import GameSetup

BLOCK: Final = 4  # games that a thread takes at a time
STEP: Final = 16  # blocks of each thread between two reports of progress
SAVE_SECONDS: Final = 20.0  # how often the state is saved
WORD_USES: Final = ("played", "bingos", "made")
"""The counts of a word: plays whose main word it is, bingos among these, and how often it was formed at all.
"""


class SelfPlay:
    """Games 0 to n - 1 of a seed with the same player on both seats, new or resumed from a state file.

    `results`: RESULT_DTYPE, one for each game; `words`: counts (uint32), a row for each of WORD_USES, by word
    id.
    """

    def __init__(
        self, setup: GameSetup, player: str, games: int, *, seed: int = 1, state: Path | None = None
    ) -> None:
        """Take the setup of the games, the evaluator that plays, the number of games, and the state file.

        A state file with fewer games is continued.  Raises InvalidInput for numbers out of range (code
        "out_of_range") and for a file of other games ("other_games"), MissingTable (code "missing_leaves").
        """
        if games < 1:
            raise InvalidInput("games must be at least 1", code="out_of_range", field="games")
        if not 0 <= seed < 2**63:
            raise InvalidInput("the seed must be from 0 to 2^63 - 1", code="out_of_range", field="seed")
        self.setup = setup
        self.player = player
        self.seed = seed
        self.leaves = leave_table(setup.lexicon).name if uses_leaves(player) else None
        self.games_done = 0
        self.results: NDArray[Any] = np.zeros(games, RESULT_DTYPE)
        self.words = np.zeros((len(WORD_USES), setup.lexicon.word_count), np.uint32)
        self._state = state
        if state is not None and state.exists():
            self._load(state)

    def run(self, threads: int, progress: Callable[[int], None] = lambda done: None) -> None:
        """Play the games that remain; `progress` is called with the games done.

        The result does not depend on the number of threads. An interruption saves the finished steps.
        """
        workers = [(self._loop(), np.zeros_like(self.words)) for _ in range(threads)]
        saved = monotonic()
        try:
            while self.games_done < len(self.results):
                end = min(self.games_done + threads * STEP * BLOCK, len(self.results))
                run_blocks(
                    workers,
                    range(self.games_done, end, BLOCK),
                    lambda worker, first, end=end: worker[0].play_games(  # type: ignore[misc]
                        self.seed, first, self._block(first, end), worker[1]
                    ),
                )
                for _, words in workers:
                    self.words += words
                    words[:] = 0
                self.games_done = end
                progress(end)
                if monotonic() - saved > SAVE_SECONDS:
                    self._save()
                    saved = monotonic()
        finally:
            self._save()

    def _loop(self) -> GameLoop:
        kernel = evaluator_kernel(self.player, self.setup.lexicon, self.setup.rules)
        return game_loop(self.setup, kernel, kernel)

    def _block(self, first: int, end: int) -> NDArray[np.uint8]:
        block: NDArray[np.uint8] = self.results[first : min(first + BLOCK, end)].view(np.uint8)
        return block

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

    def _save(self) -> None:
        if self._state is not None:
            meta = {"kind": "self-play", "identity": self._identity, "games": self.games_done}
            done: NDArray[Any] = self.results[: self.games_done]
            write_table_file(self._state, meta, {"results": done.view(np.uint8), "words": self.words})

    def _load(self, path: Path) -> None:
        file = TableFile.open(path, repair="delete it to begin again")
        if file.meta.get("kind") != "self-play" or file.meta["identity"] != self._identity:
            raise InvalidInput(
                f"{path} holds other games (another player, words, leaves, rules, board or seed); "
                "give another folder, or delete it",
                code="other_games",
                field="state",
                params={"path": str(path)},
            )
        done = file.meta["games"]
        if done > len(self.results):
            raise InvalidInput(
                f"{path} holds {done} games already: ask for at least as many, or delete it",
                code="out_of_range",
                field="games",
                params={"path": str(path), "least": done},
            )
        self.games_done = done
        self.results[:done] = file.section("results").view(RESULT_DTYPE)
        self.words += file.section("words")
