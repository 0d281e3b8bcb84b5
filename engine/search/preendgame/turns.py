"""Turns while tiles are in the bag: states in which all tiles are known, and the moves between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.movegen import leaves
from engine.position import Pass, Rack
from engine.rules.game_end import TurnLimits, turn_limits
from engine.search.endgame.problem import NOT_COUNTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.loaded_board import LoadedBoard
    from engine.movegen import InternalWords, Plays
    from engine.position import Play, Position
    from engine.rules import RuleSet

MAX_CACHED: Final = 300  # lists of moves stored, about 50 bytes for each play


@dataclass(frozen=True, slots=True)
class PreendgameState:
    """Hold a position in which all tiles are known.

    `own`: rack of the side on turn; `bag`: drawn from its front; `zeros`: turns without points in a row
    before (NOT_COUNTED while they do not count because nobody has scored); `passes`: passes in a row before.
    """

    board: LoadedBoard
    own: bytes
    other: bytes
    bag: bytes
    zeros: int
    passes: int


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """Hold a move of a rack on a board: its points and its leave."""

    move: Play | Pass
    score: int
    left: bytes


class Moves:
    """The moves of a rack on a board, plays by falling score, then the pass; each is created when it is
    accessed.

    `scores`: points of all moves; `leaves`: numbers of their leaves in the order of `movegen.leaves`.
    """

    def __init__(self, plays: Plays, rack: bytes, numbered: list[bytes]) -> None:
        """Take plays with the numbers of their leaves, the rack, and its leaves by number."""
        self._plays, self._rack, self._numbered = plays, rack, numbered
        self._order = plays.best(len(plays))
        self.scores: NDArray[np.int64] = np.append(plays.array["score"][self._order], 0).astype(np.int64)
        self.leaves: NDArray[np.intp] = np.append(
            plays.array["leave"][self._order], len(numbered) - 1
        ).astype(np.intp)
        self._made: dict[int, ScoredMove] = {}

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, at: int) -> ScoredMove:
        """Return a move by its place in the order."""
        turn = self._made.get(at)
        if turn is None:
            turn = ScoredMove(Pass(), 0, self._rack)
            if at < len(self._order):
                move = self._plays.move(int(self._order[at]))
                turn = ScoredMove(move, int(self.scores[at]), self._numbered[self.leaves[at]])
            self._made[at] = turn
        return turn

    def __iter__(self) -> Iterator[ScoredMove]:
        return (self[at] for at in range(len(self)))

    def find(self, move: Play | Pass) -> int | None:
        """Return the place of a move in the order, None if it is not legal."""
        if isinstance(move, Pass):
            return len(self._order)
        number = self._plays.find(move)
        return None if number is None else int(np.flatnonzero(self._order == number)[0])


class Turns:
    """Generates moves and the states that they lead to, by the rules of one position."""

    def __init__(self, position: Position, search: InternalWords) -> None:
        self.rules: RuleSet = position.rules
        self.limits = turn_limits(self.rules, len(position.players), scoreless=False)
        self.values = position.tile_set.values
        self.search = search
        self._cache: dict[tuple[bytes, bytes], Moves] = {}
        self._numbered: dict[bytes, list[bytes]] = {}

    def of(self, board: LoadedBoard, rack: bytes) -> Moves:
        """Return every play by falling score, then the pass."""
        key = board.kernel.squares, rack
        cached = self._cache.get(key)
        if cached is None:
            numbered = self._numbered.get(rack)
            if numbered is None:
                numbered = self._numbered[rack] = leaves(Rack(rack))
            no_values = np.zeros(
                len(numbered), np.int32
            )  # with leave values, plays hold the numbers of their leaves
            plays = self.search.generate(board, Rack(rack), self.rules, no_values)
            cached = Moves(plays, rack, numbered)
            if len(self._cache) >= MAX_CACHED:
                self._cache.clear()
            self._cache[key] = cached
        return cached

    def after(
        self, state: PreendgameState, turn: ScoredMove, board: LoadedBoard | None = None
    ) -> PreendgameState | None:
        """Return the state after a move, None if the game is over; `board`: the loaded board after it, if
        known.
        """
        passes = state.passes + 1 if isinstance(turn.move, Pass) else 0
        zeros = 0 if turn.score else state.zeros + (state.zeros != NOT_COUNTED)
        if self.is_over(zeros, passes):
            return None
        if board is None:
            board = state.board.after(turn.move)
        drawn = min(len(state.bag), self.rules.rack_size - len(turn.left))
        own = bytes(sorted(turn.left + state.bag[:drawn])) if drawn > 0 else turn.left
        return PreendgameState(
            board, state.other, own, state.bag[drawn:] if drawn > 0 else state.bag, zeros, passes
        )

    def is_over(self, zeros: int, passes: int) -> bool:
        """Return whether turns without points have ended the game."""
        limits = TurnLimits(0, self.limits.passes) if zeros == NOT_COUNTED else self.limits
        return limits.ending(zeros, passes) is not None

    def end_value(self, state: PreendgameState, turn: ScoredMove) -> int:
        """Return the change of the spread by a move that ends the game by turns without points."""
        return turn.score + self.points(state.other) - self.points(turn.left)

    def points(self, rack: bytes) -> int:
        """Return the points of some tiles."""
        return sum([self.values[code] for code in rack])
