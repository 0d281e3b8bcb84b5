"""`Judged`: a move of a position and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

from engine.analysis.legality import phonies
from engine.position import Rack, format_move

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Move, Position
    from engine.position.formed_words import WordOnBoard
    from engine.search import PreendgameMove, Simulated, Verdict


@dataclass(frozen=True, slots=True)
class EndgameReport:
    """Hold the result of an endgame search for a move.

    A spread whose certainty is "bound" is the least one. `line`: the best moves for both sides.
    """

    spread: Annotated[float, "difference of points at the end of the game"]
    line: tuple[Move, ...]
    certainty: Annotated[str, "exact, bound or estimate"]


Found: TypeAlias = "Simulated | EndgameReport | PreendgameMove"
"""The result of a search for one move."""


# An answer creates as many as it lists moves; frozen ones would take three times as long. Do not change them.
@dataclass(slots=True, repr=False)
class Judged:
    """Hold a move of a position and what is known of it.

    `rank`: among all legal moves, from 1; None for an illegal move. `leave_value`, `equity` and
    `bingo_expectation` are in points. `win`: what is known of the win% after the move; `found`: what a
    search found of it. `phonies`: the words of an unranked play that the lexicon lacks.
    """

    position: Position
    move: Move
    score: int
    rank: int | None = None
    leave_value: float | None = None
    equity: float | None = None
    bingo_expectation: float | None = None
    win: Verdict | None = None
    found: Found | None = None
    phonies: tuple[WordOnBoard, ...] = ()

    @classmethod
    def unranked(cls, move: Move, position: Position, lexicon: Lexicon) -> Judged:
        """Return a move, legal or not, without a rank or values."""
        wrong = phonies(move, position, lexicon)
        return cls(position, move, position.score(move), phonies=tuple(wrong))

    @property
    def text(self) -> str:
        """The move as records write it: "8D RE.sINA", "-ABC" or "-"."""
        return format_move(self.move, self.position.tile_set)

    @property
    def kind(self) -> str:
        """ "play", "exchange" or "pass"."""
        return self.move.kind

    @property
    def words(self) -> list[WordOnBoard]:
        """The words that the move forms, the main word first."""
        return self.position.words(self.move)

    @property
    def leave(self) -> Rack:
        """The tiles that stay on the rack."""
        left = self.position.rack.without(self.move.used)
        return Rack(left.tiles, self.position.tile_set.alphabet)

    @property
    def tiles_used(self) -> int:
        """How many tiles the move plays or exchanges."""
        return len(self.move.used)

    @property
    def is_bingo(self) -> bool:
        """Whether the move is a play of as many tiles as the rules give a bonus for."""
        return len(self.move.placements()) == self.position.rules.bingo_tiles

    @property
    def is_fish(self) -> bool | None:
        """Whether the move scores less than its bingo expectation ([Heuri], section 7.2); None if unknown."""
        return None if self.bingo_expectation is None else self.bingo_expectation > self.score

    @property
    def win_pct(self) -> float | None:
        """The win%, None if there is none, or only a range."""
        return None if self.win is None else self.win.win_pct

    def __str__(self) -> str:
        """Format rank, move, score and, where they are known, equity and win%."""
        equity = "" if self.equity is None else f"{self.equity:8.1f}"
        win_pct = "" if self.win is None else f"{self.win.text(1):>7} %"
        return f"{self.rank or '-':>3}  {self.text:<20} {self.score:>4}{equity}{win_pct}"

    def __repr__(self) -> str:
        known = {"equity": self.equity, "win_pct": self.win_pct}
        more = "".join([f", {name}={value:.1f}" for name, value in known.items() if value is not None])
        return f"Judged({self.text!r}, score={self.score}{more})"
