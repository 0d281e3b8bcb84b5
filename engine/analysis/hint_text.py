"""The sentences of a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.messages import DEFAULT_LANGUAGE, Text, message, rendered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.analysis.hint import Hint

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


def hint_sentences(hint: Hint, language: str = DEFAULT_LANGUAGE) -> list[str]:
    """Return the sentences of a hint in a language, one for each thing that it reveals."""
    return [rendered(text, language) for text in _texts(hint)]


def _texts(hint: Hint) -> Iterator[Text]:
    yield Text(_KINDS[hint.kind])
    if hint.region:
        yield Text(_REGIONS[hint.region])
    if hint.score_band:
        low, high = hint.score_band.low, hint.score_band.high
        yield Text("It scores {low} to {high} points.", low=low, high=high)
    if hint.tiles:
        tiles = " ".join(hint.tiles)
        if hint.kind == "exchange":
            yield Text("Exchange these tiles: {tiles}", tiles=tiles)
        else:
            yield Text("It takes these tiles: {tiles}", tiles=tiles)
    if hint.at and hint.direction == "across":
        yield Text("Its word begins at {square} and goes across.", square=hint.at)
    elif hint.at:
        yield Text("Its word begins at {square} and goes down.", square=hint.at)
    if hint.move and hint.move.kind == "play":
        yield Text("It is {move}, for {score} points.", move=hint.move.move, score=hint.move.score)
    elif hint.move and hint.move.kind == "exchange" and not hint.tiles:
        yield Text("It is {move}.", move=hint.move.move)
    elif hint.move and hint.move.kind == "pass":
        yield Text("It is the pass.")
