"""Hints towards the best move in five levels, each of which reveals a little more.

The move is that of an analysis with the search that suits the position (`hint_request`). It depends on the
position and the evaluator alone, so it is the same at every level, unless the deadline cuts the search.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.analysis.analyze import analyze
from engine.analysis.move_report import used_tiles
from engine.analysis.plans import is_searchable
from engine.analysis.request import AnalysisOptions, AnalysisRequest
from engine.errors import InvalidInput
from engine.messages import Text
from engine.position import parse_coordinate, parse_move
from engine.search.phase import AUTO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.report import Analysis, LexiconReference, MoveReport, Notice, PlacedTile, Provenance
    from engine.analysis.request import Store
    from engine.lexicon import Lexicon
    from engine.position import Position

MAX_HINT_LEVEL: Final = 5

HINT_MS: Final = 10_000
"""Milliseconds after which the search for a hint stops; the same as by default in `/analyze`."""

GOOD_SCORE: Final = 30
"""The lowest score, in points, of a play of the kind "good_play"."""

BAND: Final = 10
"""How many points a score band spans: 24 lies in the band from 20 to 29."""

_ROWS: Final = ("top", "middle", "bottom")
_COLUMNS: Final = ("left", "centre", "right")


@dataclass(frozen=True, slots=True)
class ScoreBand:
    """Hold the lowest and the highest score, in points, that a play may have."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class HintPosition:
    """Name the position; `cgp` only with the move, since the tiles of a rack may happen to spell the word."""

    cgp: str | None
    id: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Hold what the hints up to a level reveal of the best move; None for what higher levels reveal.

    Level 1: `kind`, which is "bingo", "good_play", "play", "exchange", "pass" if that is better than every
    play, or "none" if there is no play; 2: `region`, a ninth of the board such as "top left"; 3:
    `score_band`; 4: `tiles`, those that the move takes from the rack, in the order of the tile set, "?" for a
    blank; 5: `at` and `direction`, where its main word begins. Region, score and place are None for a move
    that is no play. `move`: the move, if `reveal`.
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
    max_ms: int | None = HINT_MS,
) -> Hint:
    """Return the hint of a level, 1 to 5, towards the best move of an analysis by `hint_request`.

    `reveal`: whether the hint contains the move; `store`: caches the loaded board. Raises InvalidInput for
    another level, and as `analyze`: also TableNotReady, as the search is timed, for an evaluator that reads
    bingo tables which are not built.
    """
    if not 1 <= level <= MAX_HINT_LEVEL:
        raise InvalidInput(
            Text("a hint has a level from 1 to {most}", most=MAX_HINT_LEVEL),
            code="out_of_range",
            field="level",
        )
    request = hint_request(position, evaluator, max_ms=max_ms)
    return hint_of(analyze(request, lexicon, store), position, level, reveal=reveal)


def hint_request(
    position: Position,
    evaluator: str = "auto",
    warnings: tuple[Notice, ...] = (),
    *,
    max_ms: int | None = HINT_MS,
) -> AnalysisRequest:
    """Return the analysis whose best move hints are about.

    It has the phase "auto", or no search where none applies, as with more than two players. The evaluator
    "greedy" asks for the play with the most points, without a search. `max_ms`: milliseconds after which the
    search stops.
    """
    if evaluator == "greedy":
        options = AnalysisOptions(top_n=1, sort="score", evaluator=evaluator)
    else:
        options = AnalysisOptions(top_n=1, sort="equity", evaluator=evaluator, include_exchanges=True)
        if is_searchable(position):
            options = replace(options, phase=AUTO, max_ms=max_ms)
    return AnalysisRequest(position, options, warnings)


def hint_of(analysis: Analysis, position: Position, level: int, *, reveal: bool) -> Hint:
    """Return the hint of a level towards the best move of an analysis of the position."""
    target = analysis.best
    play = target if target.kind == "play" else None

    def play_from(first_level: int) -> MoveReport | None:
        return play if level >= first_level else None

    placed, scored, starting = map(play_from, (2, 3, 5))
    return Hint(
        level=level,
        reveal=reveal,
        position=HintPosition(analysis.position.cgp if reveal else None, analysis.position.id),
        evaluator=analysis.evaluator,
        kind=_kind(target, analysis),
        region=_region(placed.placed, position.board.side) if placed else None,
        score_band=_band(scored.score) if scored else None,
        tiles=_tiles(target, position) if level >= 4 and target.tiles_used else None,
        at=starting.at if starting else None,
        direction=starting.direction if starting else None,
        move=target if reveal else None,
        lexicon=analysis.provenance.lexicon,
        provenance=analysis.provenance,
    )


def _kind(target: MoveReport, analysis: Analysis) -> str:
    if target.kind == "pass":
        return "pass" if analysis.play_count else "none"
    if target.kind == "exchange":
        return "exchange"
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


def _tiles(target: MoveReport, position: Position) -> tuple[str, ...]:
    """List the tiles in the order of the tile set, so that they do not spell the word."""
    alphabet = position.tile_set.alphabet
    move = parse_move(target.move, position.board, position.tile_set, rack=position.rack)
    used = sorted(used_tiles(move), key=lambda code: (code == 0, code))
    return tuple(["?" if code == 0 else alphabet.letter(code) for code in used])
