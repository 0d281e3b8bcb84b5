"""Whether a move is legal, and if not, why."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Final

from engine.errors import InvalidInput, params_of
from engine.messages import Text, rendered
from engine.position import EMPTY, Exchange, Play, parse_move

if TYPE_CHECKING:
    from engine.errors import Params
    from engine.lexicon import Lexicon
    from engine.position import Move, Position
    from engine.position.formed_words import WordOnBoard

NOT_IN_LEXICON: Final = "not_in_lexicon"
"""The code of a play whose only fault is an invalid word."""


@dataclass(frozen=True, slots=True)
class MoveFault:
    """Say why a move is illegal."""

    code: Annotated[str, "stable code"]
    detail: Annotated[str, "names the square, tile or word"]
    params: Annotated[Params, "the values in `detail`"] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.params:
            object.__setattr__(self, "params", params_of(self.detail))

    def rendered(self, language: str) -> MoveFault:
        """Return the fault with its sentence in a language."""
        return replace(self, detail=rendered(self.detail, language))


def read_move(text: str, position: Position) -> Move | MoveFault:
    """Return the move that a text names, legal or not, or why it cannot be read."""
    try:
        return parse_move(text, position.board, position.tile_set, rack=position.rack)
    except InvalidInput as error:
        return MoveFault(error.code, error.message, params=error.params)


def move_fault(move: Move, position: Position, lexicon: Lexicon) -> MoveFault | None:
    """Return why a move that `parse_move` returned is illegal in its position, None if it is legal."""
    fault = rack_fault(move, position)
    if fault is not None:
        return fault
    if isinstance(move, Play):
        return _play_fault(move, position, lexicon)
    bag = position.bag_count()
    if isinstance(move, Exchange) and bag < position.rules.exchange_limit:
        return MoveFault(
            "exchange_not_allowed",
            Text(
                "an exchange needs {least} tiles in the bag, which holds {bag}",
                least=position.rules.exchange_limit,
                bag=bag,
            ),
        )
    if len(move.returned) > bag:
        detail = Text("the bag holds only {bag} tiles to exchange for", bag=bag)
        return MoveFault("exchange_not_allowed", detail)
    return None


def rack_fault(move: Move, position: Position) -> MoveFault | None:
    """Return the fault of a move that uses tiles which the rack lacks, None for another move."""
    lacking = position.rack.missing(move.used)
    if not lacking:
        return None
    tiles = position.tile_set.alphabet.text(lacking)
    return MoveFault("tile_not_in_rack", Text("the rack lacks {tiles}", tiles=tiles))


def _play_fault(play: Play, position: Position, lexicon: Lexicon) -> MoveFault | None:
    alphabet = position.tile_set.alphabet
    if not any(play.tiles):
        return MoveFault("no_tile_placed", Text("the play places no tile"))
    if len(play.tiles) < 2:
        return MoveFault("one_letter_word", Text("the play makes no word of two letters or more"))
    if not is_connected(play, position):
        return loose_fault(position)
    wrong = phonies(play, position, lexicon)
    if wrong:
        words = [Text("{word} at {square}", word=alphabet.word(one.tiles), square=one.at) for one in wrong]
        detail = Text("not in {lexicon}: {words}", lexicon=lexicon.id, words=words)
        return MoveFault(NOT_IN_LEXICON, detail)
    return None


def phonies(move: Move, position: Position, lexicon: Lexicon) -> list[WordOnBoard]:
    """Return the words that a move forms and the lexicon lacks."""
    return [word for word in position.words(move) if not lexicon.contains(word.letters)]


def is_connected(play: Play, position: Position) -> bool:
    """Return whether a play touches a tile on the board, or covers a start square of an empty one."""
    board, layout = position.board, position.layout
    squares = [
        (play.row + i if play.down else play.row, play.column if play.down else play.column + i)
        for i in range(len(play.tiles))
    ]
    if board.is_empty:
        return any(square in layout.starts for square in squares)
    side = board.side
    return any(
        board.squares[near_row * side + near_column] != EMPTY
        for row, column in squares
        for near_row, near_column in (
            (row, column),
            (row - 1, column),
            (row + 1, column),
            (row, column - 1),
            (row, column + 1),
        )
        if 0 <= near_row < side and 0 <= near_column < side
    )


def loose_fault(position: Position) -> MoveFault:
    """Return the fault of a play that is not connected."""
    if position.board.is_empty:
        return MoveFault("start_not_covered", Text("the first play must cover a start square"))
    return MoveFault("not_connected", Text("the play touches no tile on the board"))
