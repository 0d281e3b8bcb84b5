"""Hints towards the best play in five levels, each of which reveals a little more.

The play hinted at depends on the position and the evaluator alone, so it is the same at every level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.analysis.analyze import analyze
from engine.analysis.request import AnalysisOptions, AnalysisRequest
from engine.errors import InvalidInput
from engine.position import parse_coordinate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.report import LexiconReference, MoveReport, PlacedTile, Provenance
    from engine.analysis.request import Store
    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.rules import Alphabet

MAX_HINT_LEVEL: Final = 5

GOOD_SCORE: Final = 30
"""The lowest score, in points, of a play of the kind "good_play"."""

BAND: Final = 10
"""How many points a score band spans: 24 lies in the band from 20 to 29."""

_ROWS: Final = ("top", "middle", "bottom")
_COLUMNS: Final = ("left", "centre", "right")


@dataclass(frozen=True, slots=True)
class ScoreBand:
    """Hold the lowest and the highest score, in points, that the play may have."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class HintPosition:
    """Name the position; `cgp` only with the play, since the tiles of a rack may happen to spell the word."""

    cgp: str | None
    id: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Hold what the hints up to a level reveal of the best play; None for what higher levels reveal.

    Level 1: `kind`, which is "bingo", "good_play", "play", or "none" if there is no play; 2: `region`, a
    ninth of the board such as "top left"; 3: `score_band`; 4: `tiles`, those that the play takes from the
    rack, in the order of the tile set, "?" for a blank; 5: `at` and `direction`, where its main word begins.
    `move`: the play, if `reveal`.
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
    """Return the hint of a level, 1 to 5, towards the best play by equity ("greedy": by score).

    `reveal`: whether the hint contains the play; `store`: caches the loaded board. Raises InvalidInput for
    another level, and as `analyze`.
    """
    if not 1 <= level <= MAX_HINT_LEVEL:
        raise InvalidInput(
            f"a hint has a level from 1 to {MAX_HINT_LEVEL}",
            code="out_of_range",
            field="level",
            params={"most": MAX_HINT_LEVEL},
        )
    sort = "score" if evaluator == "greedy" else "equity"
    options = AnalysisOptions(top_n=1, sort=sort, evaluator=evaluator)
    analysis = analyze(AnalysisRequest(position, options), lexicon, store)
    target = next((move for move in analysis.moves if move.kind == "play"), None)

    def target_from(first_level: int) -> MoveReport | None:
        return target if level >= first_level else None

    placed, scored, used, starting = map(target_from, (2, 3, 4, 5))
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
    """Return the ninth of the board in which the centre of the tiles lies."""
    squares = [parse_coordinate(tile.at, side) for tile in placed]
    row, column = (3 * sum(square[axis] for square in squares) // (len(squares) * side) for axis in (0, 1))
    return f"{_ROWS[row]} {_COLUMNS[column]}"


def _band(score: int) -> ScoreBand:
    low = score // BAND * BAND
    return ScoreBand(low, low + BAND - 1)


def _tiles(placed: Sequence[PlacedTile], alphabet: Alphabet) -> tuple[str, ...]:
    """List the tiles in the order of the tile set, so that they do not spell the word."""
    letters = sorted((tile.letter for tile in placed if not tile.blank), key=alphabet.code)
    return (*letters, *("?" for tile in placed if tile.blank))
