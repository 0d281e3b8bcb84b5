"""The legal moves of a position as a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from engine.errors import check_known
from engine.position import Exchange, Pass, Play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.movegen.legal_moves import LegalMoves


AnyMove = TypeVar("AnyMove", Play, Play | Exchange | Pass)


class MoveList(Sequence[AnyMove]):
    """The legal moves of a position, the highest score first; a move becomes an object when it is asked for.

    Exchanges, fewest tiles first, and the pass follow the plays.
    """

    def __init__(self, moves: LegalMoves, valued: Callable[[], LegalMoves], *, only_plays: bool) -> None:
        """Take the moves without values of leaves, and a function that returns them with values.

        `only_plays`: leave out exchanges and the pass.
        """
        self._moves = moves
        self._valued = valued
        self._only_plays = only_plays
        self._first: list[int] = []  # the numbers of the first moves, as far as they were asked for

    def __len__(self) -> int:
        return self._moves.play_count if self._only_plays else len(self._moves)

    @overload
    def __getitem__(self, at: int) -> AnyMove: ...
    @overload
    def __getitem__(self, at: slice) -> list[AnyMove]: ...
    def __getitem__(self, at: int | slice) -> AnyMove | list[AnyMove]:
        """Return the move at a place, or those of a slice."""
        chosen = range(len(self))[at]
        places = [chosen] if isinstance(chosen, int) else list(chosen)
        count = max(places, default=-1) + 1
        if len(self._first) < count:
            more = max(count, 2 * len(self._first))
            self._first = self._moves.best(more, "score", only_plays=self._only_plays)
        found: list[Any] = self._moves.moves([self._first[place] for place in places])
        return found[0] if isinstance(at, int) else found

    def __iter__(self) -> Iterator[AnyMove]:
        return iter(self[:])

    def __contains__(self, move: object) -> bool:
        if self._only_plays and isinstance(move, Exchange | Pass):
            return False
        return move in self._moves

    def __repr__(self) -> str:
        return f"<{len(self)} legal {'plays' if self._only_plays else 'moves'}>"

    def best(self, count: int, by: Literal["score", "equity"] = "score") -> list[AnyMove]:
        """Return the `count` best moves, best first.

        "equity" is the score plus the value of the leave, by the evaluator that `analyze` uses. Raises
        InvalidInput (code "unknown_by") for another name.
        """
        check_known("by", by, ("score", "equity"))
        moves = self._valued() if by == "equity" else self._moves
        found: list[Any] = moves.moves(moves.best(count, by, only_plays=self._only_plays))
        return found
