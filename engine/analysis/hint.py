"""Hints towards the best play, in five steps, each telling a little more; the play itself only if asked for.

The target is found from the position and the evaluator alone, so it is the same at every level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.analysis.facade import analyze
from engine.analysis.request import AnalysisOptions, AnalysisRequest
from engine.errors import InvalidInput
from engine.position import parse_coordinate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.request import Store
    from engine.analysis.result import LexiconReference, MoveReport, PlacedTile, Provenance
    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.rules import Alphabet

MOST_HINTS: Final = 5
"""The highest level of a hint."""

GOOD_SCORE: Final = 30
"""The least score, in points, of what is called a good play."""

BAND: Final = 10  # points: 24 lies in the band from 20 to 29
_ROWS: Final = ("top", "middle", "bottom")
_COLUMNS: Final = ("left", "centre", "right")


@dataclass(frozen=True, slots=True)
class ScoreBand:
    """Hold the least and the greatest score that a play may have, in points."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class HintPosition:
    """Name the position; its CGP only with the play, as a rack in order may happen to spell the word."""

    cgp: str | None
    id: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Hold what a level tells; what is for higher levels is None.

    1: `kind` "bingo", "good_play", "play", or "none" if there is no play; 2: `region`, a ninth of the board
    such as "top left"; 3: `score_band`; 4: `tiles`, those it takes from the rack, in the order of the tile
    set, "?" a blank; 5: `at` and `direction`, where the main word begins. `move` is the play, if it is to be
    revealed.
    """

    level: int
    reveal: bool
    position: HintPosition
    evaluator: str
    kind: str
    region: str | None
    score_band: ScoreBand | None
    tiles: tuple[str, ...] | None
    at: str | None
    direction: str | None
    move: MoveReport | None
    lexicon: LexiconReference
    provenance: Provenance


def hint(
    position: Position,
    lexicon: Lexicon,
    level: int,
    *,
    reveal: bool = False,
    evaluator: str = "auto",
    store: Store | None = None,
) -> Hint:
    """Give a hint of a level, 1 to 5, towards the best play: by equity if the evaluator values leaves.

    Raises InvalidInput for another level, and what `analyze` raises.
    """
    if not 1 <= level <= MOST_HINTS:
        raise InvalidInput(
            f"a hint has a level from 1 to {MOST_HINTS}",
            code="out_of_range",
            field="level",
            params={"most": MOST_HINTS},
        )
    sort = "score" if evaluator == "greedy" else "equity"
    options = AnalysisOptions(top_n=1, sort=sort, evaluator=evaluator)
    analysis = analyze(AnalysisRequest(position, options), lexicon, store)
    plays = [move for move in analysis.moves if move.kind == "play"]
    target = plays[0] if plays else None

    def told(from_level: int) -> MoveReport | None:
        return target if level >= from_level else None

    placed = told(2)
    scored, used, starting = told(3), told(4), told(5)
    return Hint(
        level=level,
        reveal=reveal,
        position=HintPosition(analysis.position.cgp if reveal else None, analysis.position.id),
        evaluator=analysis.evaluator,
        kind=_kind(target),
        region=_region(placed.placed, position.board.side) if placed else None,
        score_band=_band(scored.score) if scored else None,
        tiles=_tiles(used.placed, position.tile_set.alphabet) if used else None,
        at=starting.at if starting else None,
        direction=starting.direction if starting else None,
        move=target if reveal else None,
        lexicon=analysis.provenance.lexicon,
        provenance=analysis.provenance,
    )


def _kind(target: MoveReport | None) -> str:
    if target is None:
        return "none"
    if target.is_bingo:
        return "bingo"
    return "good_play" if target.score >= GOOD_SCORE else "play"


def _region(placed: Sequence[PlacedTile], side: int) -> str:
    """Name the ninth of the board in which the middle of the tiles lies."""
    squares = [parse_coordinate(tile.at, side) for tile in placed]
    row, column = (3 * sum(square[axis] for square in squares) // (len(squares) * side) for axis in (0, 1))
    return f"{_ROWS[row]} {_COLUMNS[column]}"


def _band(score: int) -> ScoreBand:
    low = score // BAND * BAND
    return ScoreBand(low, low + BAND - 1)


def _tiles(placed: Sequence[PlacedTile], alphabet: Alphabet) -> tuple[str, ...]:
    """List the tiles one by one: in a row they might happen to spell the word."""
    letters = sorted((tile.letter for tile in placed if not tile.blank), key=alphabet.code)
    return (*letters, *("?" for tile in placed if tile.blank))
