"""Play games in parts, in threads of this process or on another executor, such as a cluster.

A `GameWork` describes the games: it can be sent to any process that has the lexicon. Its games are numbered,
and each depends on its number alone, so that neither the size of the parts nor where they are played changes
a result. `play_parts` submits the parts and takes their results in order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import local
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar

from engine.search.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.lexicon import Lexicon
    from engine.rules import BoardLayout, RuleSet

Result = TypeVar("Result")

TICK_SECONDS: Final = 0.5
"""How often `play_parts` calls `tick`."""

AHEAD: Final = 2
"""How many parts are submitted for each that can be played at once, so that no worker waits for its next."""

GROWTH: Final = 4
"""The most by which the length of a part grows from one part to the next."""


@dataclass(frozen=True, slots=True)
class GameControl:
    """Hold the means to interrupt games that are being played, and to count their moves.

    `interrupt`: cutting it ends running games with GameInterrupted. `moves`: gets an entry for each move
    that a search or a level has chosen.
    """

    interrupt: Deadline = field(default_factory=Deadline)
    moves: deque[None] = field(default_factory=lambda: deque(maxlen=0))


class GameInterrupted(Exception):  # noqa: N818 - a request to stop, not an error
    """Raised in games that stop because `GameControl.interrupt` was cut."""


@dataclass(frozen=True)
class GameWork(ABC, Generic[Result]):
    """Describe games that can be played in parts, in any process; can be pickled and compared.

    It holds everything on which the games depend, except the lexicon. A part is a range of units; a unit is
    one game, a pair, or a block of games. `part_seconds`: how long a part should take. `uses_learned`:
    whether the games depend on the learned tables of the lexicon.
    """

    layout: BoardLayout
    rules: RuleSet

    part_seconds: ClassVar[float] = 1.0
    uses_learned: ClassVar[bool] = True

    @abstractmethod
    def player(self, lexicon: Lexicon) -> PartFunction[Result]:
        """Return a function that plays a part, for one thread; it raises GameInterrupted."""


PartFunction: TypeAlias = "Callable[[range, GameControl], Result]"


@dataclass(frozen=True, slots=True)
class Played(Generic[Result]):
    """Hold the result of a part and the seconds that it took."""

    result: Result
    seconds: float


class PartPlayer:
    """Play parts with one lexicon, in any thread; a thread reuses the scratch memory of its latest work."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._latest = local()

    def play(self, work: GameWork[Result], part: range, control: GameControl) -> Played[Result]:
        """Play a part of a work; raises GameInterrupted, and what the players raise."""
        if getattr(self._latest, "work", None) != work:
            self._latest.play = work.player(self._lexicon)
            self._latest.work = work
        began = perf_counter()
        result = self._latest.play(part, control)
        return Played(result, perf_counter() - began)


class GameExecutor(Protocol):
    """Play parts in threads, processes or on a cluster."""

    @property
    def width(self) -> int:
        """How many parts it plays at once; may change."""

    def submit(self, work: GameWork[Result], part: range) -> Future[Played[Result]]:
        """Play a part as soon as there is room for it."""

    def stop(self) -> None:
        """Stop the parts that are being played, and drop those that wait."""


class ThreadExecutor:
    """Play parts in threads of this process."""

    def __init__(self, lexicon: Lexicon, threads: int, moves: deque[None] | None = None) -> None:
        """Take the lexicon and the number of threads; `moves` as in GameControl."""
        self.width = threads
        self._player = PartPlayer(lexicon)
        self._control = GameControl() if moves is None else GameControl(moves=moves)
        self._pool = ThreadPoolExecutor(threads)

    def submit(self, work: GameWork[Result], part: range) -> Future[Played[Result]]:
        """Play a part in the next free thread."""
        return self._pool.submit(self._player.play, work, part, self._control)

    def stop(self) -> None:
        """Stop all parts, and wait less than a second for the threads to end."""
        self._control.interrupt.cut()
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def game_executor(
    workers: int | GameExecutor, lexicon: Lexicon, moves: deque[None] | None = None
) -> Iterator[GameExecutor]:
    """Yield an executor: the one given, or that many threads, which end with the block."""
    if not isinstance(workers, int):
        yield workers
        return
    threads = ThreadExecutor(lexicon, workers, moves)
    try:
        yield threads
    finally:
        threads.stop()


def play_parts(
    executor: GameExecutor,
    work: GameWork[Result],
    units: range,
    take: Callable[[range, Result], None],
    *,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Play the units in parts and call `take` with each part and its result, in the order of the units.

    Parts grow until they take `work.part_seconds`, and shrink again towards the end. `tick` is called every
    TICK_SECONDS on the calling thread, and after results. An error of a part, of `take` or of `tick`, or
    Ctrl-C, stops the executor and is raised.
    """
    pending: deque[tuple[range, Future[Played[Result]]]] = deque()
    begin, size = units.start, 1
    try:
        while pending or begin < units.stop:
            width = max(1, executor.width)
            while begin < units.stop and len(pending) < AHEAD * width:
                fair = -(-(units.stop - begin) // (AHEAD * width))
                part = range(begin, begin + min(size, fair))
                pending.append((part, executor.submit(work, part)))
                begin = part.stop
            if not pending[0][1].done():
                running = [future for _, future in pending if not future.done()]
                done, _ = wait(running, TICK_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()  # raise an error at once, even if earlier parts still run
            while pending and pending[0][1].done():
                part, future = pending.popleft()
                played = future.result()
                fitting = work.part_seconds / max(played.seconds / len(part), 1e-9)
                size = max(1, int(min(fitting, GROWTH * len(part))))
                take(part, played.result)
            tick()
    except BaseException:
        for _, future in pending:
            future.cancel()
        executor.stop()
        raise
