"""Runs of games that are saved in a state file and can be resumed from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Generic

from engine.errors import InvalidInput
from engine.lexicon.store import TableFile, write_table_file
from engine.selfplay.parts import Result, game_executor, play_parts

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.selfplay.games import GameSetup
    from engine.selfplay.parts import GameExecutor, GameWork

SAVE_SECONDS: Final = 20.0  # how often the state is saved


class ResumableRun(ABC, Generic[Result]):
    """A run of games, new or resumed from its state file; `Result`: what a part returns.

    The file holds the `kind` and the identity of the run, and what `_contents` returns. Class attributes:
    `other` says what the file of another run holds, `other_code` is the code of that error.
    """

    kind: str
    other: str
    other_code: str
    place: str = "--state"  # what the user names for another file

    def __init__(self, setup: GameSetup, state: Path | None) -> None:
        """Load the state file if there is one; called last by subclasses, whose fields `_load` sets."""
        self.setup, self._state = setup, state
        self._is_whole = True
        if state is None or not state.exists():
            return
        file = TableFile.open(state, repair="delete it to begin again")
        if file.meta.get("kind") != self.kind or file.meta["identity"] != self._identity:
            reason = f"{state} holds {self.other}; give another {self.place}, or delete it"
            params = {"path": str(state), "holds": self.other, "option": self.place}
            raise InvalidInput(reason, code=self.other_code, field="state", params=params)
        self._load(file)

    @property
    @abstractmethod
    def _identity(self) -> dict[str, Any]:
        """Everything on which the games depend, as plain JSON."""

    @abstractmethod
    def _take(self, part: range, result: Result) -> None:
        """Add the result of a part; the parts come in order."""

    @abstractmethod
    def _contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the results so far, as meta and sections of the state file."""

    @abstractmethod
    def _load(self, file: TableFile) -> None:
        """Set the fields that `_contents` returns."""

    def _play(
        self,
        workers: int | GameExecutor,
        works: Iterable[tuple[GameWork[Result], range]],
        tick: Callable[[], None],
        moves: deque[None] | None = None,
    ) -> None:
        """Play the units of each work, and save every SAVE_SECONDS and at the end, also after an error.

        `workers` and `moves`: see `game_executor`; `tick`: see `play_parts`.
        """
        self._saved = monotonic()
        try:
            with game_executor(workers, self.setup.lexicon, moves) as executor:
                for work, units in works:
                    play_parts(executor, work, units, self._take_and_save, tick=tick)
        finally:
            self._save()

    def _take_and_save(self, part: range, result: Result) -> None:
        with self._changing():
            self._take(part, result)
        if monotonic() - self._saved > SAVE_SECONDS:
            self._save()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change the results; a change that Ctrl-C cuts short is never saved."""
        self._is_whole = False
        yield
        self._is_whole = True

    def _save(self) -> None:
        if self._state is not None and self._is_whole:
            meta, sections = self._contents()
            identified = {"kind": self.kind, "identity": self._identity, **meta}
            write_table_file(self._state, identified, sections)
        self._saved = monotonic()
