"""Describing moves: what a play lays down, the words it makes with their points, what it leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, overload

from engine.analysis.describing import Listing, PlayKernel
from engine.analysis.result import MoveReport
from engine.position import Exchange, Pass, Play, Rack, format_coordinate, format_move, format_square
from engine.position.squares import parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.analysis.ranking import Ranked, Worth
    from engine.evaluation.evaluators import LeaveValues
    from engine.lexicon import Lexicon
    from engine.movegen import Plays
    from engine.position import Move, Position


class Run(NamedTuple):
    """Hold a word on the board: where it begins, its letters (codes 1..n), its points."""

    row: int
    column: int
    down: bool
    letters: bytes
    score: int


class DescribedPlays(Sequence[MoveReport]):
    """The plays of an answer, best first: made into reports when one is looked at, if not written at once."""

    def __init__(self, kernel: PlayKernel, listing: Listing) -> None:
        self._kernel = kernel
        self._listing = listing

    def json(self) -> bytes:
        """Return the reports as a JSON list, in the same bytes as if they were encoded one by one."""
        return self._kernel.json(self._listing)

    @cached_property
    def _reports(self) -> tuple[MoveReport, ...]:
        return tuple(self._kernel.reports(self._listing))

    def __len__(self) -> int:
        return len(self._listing)

    @overload
    def __getitem__(self, index: int) -> MoveReport: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[MoveReport, ...]: ...
    def __getitem__(self, index: int | slice) -> MoveReport | tuple[MoveReport, ...]:
        return self._reports[index]

    def __iter__(self) -> Iterator[MoveReport]:
        return iter(self._reports)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DescribedPlays):
            return self._reports == other._reports
        return self._reports == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._reports)


class Describer:
    """Describe moves of one position; made once per request."""

    def __init__(self, position: Position, lexicon: Lexicon) -> None:
        self._position = position
        self._lexicon = lexicon
        board, rules, alphabet = position.board, position.rules, position.tile_set.alphabet
        self._kernel = PlayKernel(
            board.squares,
            bytes(position.tile_set.values),
            position.layout.letter_factors.tobytes(),
            position.layout.word_factors.tobytes(),
            board.side,
            position.rack.tiles,
            rules.bingo_bonus,
            rules.bingo_tiles,
            *alphabet.tables,
            _names(board.side),
        )

    def describe(self, move: Move, rank: int | None, worth: Worth | None = None) -> MoveReport:
        """Describe a move of the player on turn, whose rack must hold the tiles.

        A move is a fish if it scores less than the bingos to be expected of what it keeps are worth (thesis
        003, section 7.2).
        """
        report = self._play(move, rank) if isinstance(move, Play) else self._other(move, rank)
        if worth is not None:
            report.win_pct = worth.win_pct
            report.sim = worth.sim
            report.endgame = worth.endgame
            report.preendgame = worth.preendgame
            if worth.equity is not None and worth.leave_value is not None:
                report.equity = worth.equity / 1000
                report.leave_value = worth.leave_value / 1000
            if worth.bingos is not None:
                report.bingo_expectation = worth.bingos / 1000
                report.is_fish = worth.bingos > 1000 * report.score
        return report

    def each(self, ranked: Iterable[Ranked]) -> tuple[MoveReport, ...]:
        """Describe ranked moves."""
        return tuple([self.describe(one.move, one.rank, one.worth) for one in ranked])

    def listed(
        self,
        plays: Plays,
        entries: list[tuple[int, int]],
        values: LeaveValues | None,
        chances: list[float] | None,
    ) -> DescribedPlays:
        """Describe plays, given by (rank, index), with their win%."""
        listing = Listing(
            plays.rows,
            entries,
            self._lexicon.tables.letters,
            None if values is None else values.array,
            None if values is None else values.bingos,
            chances,
        )
        return DescribedPlays(self._kernel, listing)

    def _other(self, move: Move, rank: int | None) -> MoveReport:
        tiles = move.tiles if isinstance(move, Exchange) else b""
        return MoveReport(
            rank=rank,
            move=format_move(move, self._position.tile_set),
            kind="exchange" if tiles else "pass",
            at=None,
            direction=None,
            word=None,
            placed=(),
            tiles_used=len(tiles),
            score=0,
            words=(),
            bonus=0,
            leave=self._leave(tiles),
            is_bingo=False,
        )

    def _play(self, play: Play, rank: int | None) -> MoveReport:
        # A ranked move is legal, so its words need no second look.
        contains = self._lexicon.contains if rank is None else None
        return self._kernel.report(play.row, play.column, play.down, play.tiles, rank, contains)

    def score(self, play: Play) -> int:
        """Return the points of a play, bonus included, whether its words are valid or not."""
        rules = self._position.rules
        bonus = rules.bingo_bonus if len(play.placements()) == rules.bingo_tiles else 0
        return sum(run.score for run in self.words(play)) + bonus

    def words(self, play: Play) -> list[Run]:
        """List the words that a play makes, the main word first, then the others in reading order."""
        return [Run(*run) for run in self._kernel.runs(play.row, play.column, play.down, play.tiles)]

    def _leave(self, used: bytes) -> str:
        left = Counter(self._position.rack.tiles)
        left.subtract(used)
        return Rack(bytes(left.elements())).text(self._position.tile_set.alphabet)


@lru_cache(maxsize=32)
def _names(side: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of all squares, row by row: those of plays across, and of plays down."""
    squares = [divmod(square, side) for square in range(side * side)]
    across = tuple([format_square(row, column) for row, column in squares])
    return across, tuple([format_coordinate(row, column, True) for row, column in squares])


def exchange_count(position: Position) -> int:
    """Count the different exchanges: any part of the rack, equal tiles being one, but not none of it."""
    if position.bag_count() < position.rules.exchange_limit:
        return 0
    return parts(position.rack.tiles) - 1


def exchanges(position: Position) -> list[Exchange]:
    """List every different exchange: fewest tiles first, then by tile codes; none if the bag is too small."""
    if position.bag_count() < position.rules.exchange_limit:
        return []
    tiles = position.rack.tiles
    return [
        Exchange(bytes(chosen))
        for size in range(1, len(tiles) + 1)
        for chosen in sorted(set(combinations(tiles, size)))
    ]


def other_moves(position: Position) -> Iterator[Move]:
    """Yield the moves that are no plays, in the order in which they follow the plays."""
    yield from exchanges(position)
    yield Pass()


def missing_tiles(used: Sequence[int], rack: Rack) -> list[int]:
    """List the tile codes (0 a blank) that a move needs and the rack lacks."""
    return list((Counter(used) - Counter(rack.tiles)).elements())
