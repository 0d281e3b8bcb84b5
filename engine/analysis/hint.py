"""Hints towards the best move in five levels, each of which reveals a little more.

The move is that of an analysis with the search that suits the position (`hint_request`). It depends on the
position and the evaluator alone, so it is the same at every level, unless the deadline cuts the search.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from engine.analysis.analyze import analyze
from engine.analysis.plans import is_searchable
from engine.analysis.request import AnalysisOptions, AnalysisRequest
from engine.errors import InvalidInput
from engine.messages import DEFAULT_LANGUAGE, Text, message, rendered
from engine.position import Play, Rack, format_coordinate
from engine.search.phase import AUTO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.analysis.judged import Judged
    from engine.analysis.report import Analysis, Notice
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

_KINDS: Final = {
    "bingo": message("There is a bingo."),
    "good_play": message("There is a good play."),
    "play": message("There is a play, but not a very good one."),
    "exchange": message("It is best to exchange tiles."),
    "pass": message("It is best to pass."),
    "none": message("There is no play."),
}

_REGIONS: Final = {
    "top left": message("Look at the top left of the board."),
    "top centre": message("Look at the top center of the board."),
    "top right": message("Look at the top right of the board."),
    "middle left": message("Look at the middle left of the board."),
    "middle centre": message("Look at the middle center of the board."),
    "middle right": message("Look at the middle right of the board."),
    "bottom left": message("Look at the bottom left of the board."),
    "bottom centre": message("Look at the bottom center of the board."),
    "bottom right": message("Look at the bottom right of the board."),
}


@dataclass(frozen=True, slots=True)
class Hint:
    """Reveal the best move of an analysis up to a level; what only a higher level reveals is None.

    Level 1: `kind`; 2: `region`; 3: `score_band`; 4: `tiles`; 5: `start`. Region, score and start are None
    for a move that is no play. `reveal`: whether `move` is the move itself.
    """

    analysis: Analysis = field(repr=False)
    level: int
    reveal: bool = False

    @property
    def kind(self) -> str:
        """ "bingo", "good_play", "play", "exchange", "pass" if that is better than every play, or "none"."""
        best = self.analysis.best
        if best.is_bingo:
            return "bingo"
        if best.kind == "pass" and not self.analysis.play_count:
            return "none"
        return "good_play" if best.kind == "play" and best.score >= GOOD_SCORE else best.kind

    @property
    def region(self) -> str | None:
        """The ninth of the board, such as "top left", in which the centre of the tiles placed lies."""
        play = self._play(2)
        if play is None:
            return None
        squares, side = play.placements(), self.analysis.position.board.side
        row, column = (
            3 * sum([square[axis] for square in squares]) // (len(squares) * side) for axis in (0, 1)
        )
        return f"{_ROWS[row]} {_COLUMNS[column]}"

    @property
    def score_band(self) -> tuple[int, int] | None:
        """The lowest and the highest score, in points, that the play may have."""
        if self._play(3) is None:
            return None
        low = self.analysis.best.score // BAND * BAND
        return low, low + BAND - 1

    @property
    def tiles(self) -> Rack | None:
        """The tiles that the move takes from the rack."""
        used = self.analysis.best.move.used
        return Rack(used, self.analysis.position.tile_set.alphabet) if used and self.level >= 4 else None

    @property
    def start(self) -> tuple[int, int, bool] | None:
        """The row and the column where the main word begins, from 0, and whether it reads down."""
        play = self._play(5)
        return None if play is None else (play.row, play.column, play.down)

    @property
    def move(self) -> Judged | None:
        """The move, if it is revealed."""
        return self.analysis.best if self.reveal else None

    def _play(self, level: int) -> Play | None:
        """Return the best move if it is a play and hints of this level may say something of it."""
        move = self.analysis.best.move
        return move if isinstance(move, Play) and self.level >= level else None


def hint(
    position: Position,
    lexicon: Lexicon,
    level: int,
    *,
    reveal: bool = False,
    evaluator: str = "auto",
) -> Hint:
    """Return the hint of a level, 1 to 5, towards the best move of an analysis by `hint_request`.

    `reveal`: whether the hint contains the move. Raises InvalidInput for another level, and as `analyze`:
    also TableNotReady, as the search is timed, for an evaluator that reads bingo tables which are not built.
    """
    if not 1 <= level <= MAX_HINT_LEVEL:
        raise InvalidInput(
            Text("a hint has a level from 1 to {most}", most=MAX_HINT_LEVEL),
            code="out_of_range",
            field="level",
        )
    return Hint(analyze(hint_request(position, evaluator), lexicon), level, reveal)


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


def hint_sentences(hint: Hint, language: str = DEFAULT_LANGUAGE) -> list[str]:
    """Return the sentences of a hint in a language, one for each thing that it reveals."""
    return [rendered(text, language) for text in _texts(hint)]


def _texts(hint: Hint) -> Iterator[Text]:
    yield Text(_KINDS[hint.kind])
    if hint.region:
        yield Text(_REGIONS[hint.region])
    if hint.score_band:
        low, high = hint.score_band
        yield Text("It scores {low} to {high} points.", low=low, high=high)
    if hint.tiles is not None:
        tiles = " ".join(hint.tiles)
        if hint.kind == "exchange":
            yield Text("Exchange these tiles: {tiles}", tiles=tiles)
        else:
            yield Text("It takes these tiles: {tiles}", tiles=tiles)
    if hint.start is not None:
        square = format_coordinate(*hint.start)
        if hint.start[2]:
            yield Text("Its word begins at {square} and goes down.", square=square)
        else:
            yield Text("Its word begins at {square} and goes across.", square=square)
    if hint.move and hint.move.kind == "play":
        yield Text("It is {move}, for {score} points.", move=hint.move.text, score=hint.move.score)
    elif hint.move and hint.move.kind == "exchange" and hint.tiles is None:
        yield Text("It is {move}.", move=hint.move.text)
    elif hint.move and hint.move.kind == "pass":
        yield Text("It is the pass.")
