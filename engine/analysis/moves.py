"""Describing moves: what a play lays down, the words it makes with their points, what it leaves."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from engine.analysis.formed_words import FormedWords, first_square, square_names
from engine.analysis.result import FormedWord, MoveReport, PlacedTile
from engine.position import BLANK_FLAG, Exchange, Pass, Play, format_move

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.analysis.formed_words import Run
    from engine.analysis.ranking import Ranked, Worth
    from engine.lexicon import Lexicon
    from engine.position import Move, Position, Rack
    from engine.rules import Alphabet


class Describer:
    """Describe moves of one position; made once per request."""

    def __init__(self, position: Position, lexicon: Lexicon) -> None:
        self._position = position
        self._lexicon = lexicon
        self._formed = FormedWords(position)
        self._texts, self._letters = _spellings(position.tile_set.alphabet)
        self._names, _ = square_names(position.board.side)

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
            leave=self._leave(list((Counter(self._position.rack.tiles) - Counter(tiles)).elements())),
            is_bingo=False,
        )

    def _play(self, play: Play, rank: int | None) -> MoveReport:
        names, letters, texts, rules = self._names, self._letters, self._texts, self._position.rules
        # A ranked move is legal, so its words need no second look.
        is_valid = self._lexicon.contains if rank is None else None
        score = 0
        words, placed = [], []
        for run in self._formed.of(play):
            at, tiles, points = run
            word = "".join([letters[code] for code in tiles])
            words.append(FormedWord(word, at, points, is_valid is None or is_valid(run.letters)))
            score += points
        stride = self._position.board.side + 1
        square, step = first_square(play, stride), stride if play.down else 1
        left = list(self._position.rack.tiles)
        for code in play.tiles:
            if code:
                is_blank = code >= BLANK_FLAG
                placed.append(PlacedTile(names[square], letters[code], is_blank))
                tile = 0 if is_blank else code
                if tile in left:  # a phony of a compared move may use tiles that the rack lacks
                    left.remove(tile)
            square += step
        used, main = len(placed), words[0]
        is_bingo = used == rules.bingo_tiles
        bonus = rules.bingo_bonus if is_bingo else 0
        return MoveReport(
            rank=rank,
            move=f"{main.at} {''.join([texts[code] if code else '.' for code in play.tiles])}",
            kind="play",
            at=main.at,
            direction="down" if play.down else "across",
            word=main.word,
            placed=tuple(placed),
            tiles_used=used,
            score=score + bonus,
            words=tuple(words),
            bonus=bonus,
            leave=self._leave(left),
            is_bingo=is_bingo,
        )

    def score(self, play: Play) -> int:
        """Return the points of a play, bonus included, whether its words are valid or not."""
        rules = self._position.rules
        bonus = rules.bingo_bonus if len(play.placements()) == rules.bingo_tiles else 0
        return sum(run.score for run in self.words(play)) + bonus

    def words(self, play: Play) -> list[Run]:
        """List the words that a play makes, the main word first, then the others in reading order."""
        return self._formed.of(play)

    def _leave(self, tiles: list[int]) -> str:
        """Write ascending tile codes as racks do: blanks, whose code is the lowest, come last."""
        blanks = tiles.count(0)
        return "".join([self._texts[code] for code in tiles[blanks:]]) + "?" * blanks


@lru_cache(maxsize=32)
def _spellings(alphabet: Alphabet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return how boards and how words write each of the 256 tile codes."""
    texts, letters = alphabet.tables
    return texts, tuple(
        [letters[at] if (at := code & ~BLANK_FLAG) < len(letters) else "" for code in range(256)]
    )


def exchange_count(position: Position) -> int:
    """Count the different exchanges: any part of the rack, equal tiles being one, but not none of it."""
    bag = position.bag_count()
    if bag < position.rules.exchange_limit:
        return 0
    return position.rack.subset_count() - 1 if bag >= len(position.rack) else len(exchanges(position))


def exchanges(position: Position) -> list[Exchange]:
    """List every different exchange: fewest tiles first, then by tile codes.

    There is none if the bag is too small for the rules, and none of more tiles than the bag holds.
    """
    bag = position.bag_count()
    if bag < position.rules.exchange_limit:
        return []
    tiles = position.rack.tiles
    return [
        Exchange(bytes(chosen))
        for size in range(1, min(len(tiles), bag) + 1)
        for chosen in sorted(set(combinations(tiles, size)))
    ]


def other_moves(position: Position) -> Iterator[Move]:
    """Yield the moves that are no plays, in the order in which they follow the plays."""
    yield from exchanges(position)
    yield Pass()


def missing_tiles(used: Sequence[int], rack: Rack) -> list[int]:
    """List the tile codes (0 a blank) that a move needs and the rack lacks."""
    return list((Counter(used) - Counter(rack.tiles)).elements())
