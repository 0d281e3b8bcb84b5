"""Ranking the moves that a request names, whether they are among the best or not even legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.analysis.moves import missing_tiles
from engine.analysis.result import Comparison, MoveFault
from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, EMPTY, Exchange, Play, parse_move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.moves import Describer
    from engine.analysis.ranking import Ranked
    from engine.analysis.searched import AnyRanking
    from engine.lexicon import Lexicon
    from engine.movegen import Plays
    from engine.position import Move, Position


class Comparer:
    """Judge named moves against all legal ones: the plays and the ranking of all moves."""

    def __init__(
        self,
        position: Position,
        lexicon: Lexicon,
        plays: Plays,
        ranking: AnyRanking,
        describer: Describer,
    ) -> None:
        self._position = position
        self._lexicon = lexicon
        self._plays = plays
        self._ranking = ranking
        self._describer = describer

    def compare(self, text: str) -> Comparison:
        """Find the rank of a move among all legal moves, or say why it is not legal.

        Never raises for what the text says: a phony in a game record must not cost the annotator the rest.
        """
        try:
            move = self._parse(text)
        except InvalidInput as error:
            fault = MoveFault(error.code, str(error), params=error.params)
            return Comparison(text, legal=False, move=None, fault=fault)
        ranked = self.ranked(move)
        if ranked is None:
            return Comparison(text, False, self._describer.describe(move, None), self._fault(move))
        report = self._describer.describe(move, ranked.rank, ranked.worth)
        return Comparison(text, True, report, None)

    def read(self, text: str) -> Ranked | None:
        """Return the move that a text names, None if that is no legal one."""
        try:
            return self.ranked(self._parse(text))
        except InvalidInput:
            return None

    def _parse(self, text: str) -> Move:
        position = self._position
        return parse_move(text, position.board, position.tile_set, rack=position.rack)

    def ranked(self, move: Move) -> Ranked | None:
        """Return a move with its rank, None if it is not legal."""
        return self._ranked_play(move) if isinstance(move, Play) else self._ranking.of_other(move)

    def all_ranked(self, moves: Sequence[Move]) -> list[Ranked | None]:
        """Return moves with their ranks, as `ranked` does; faster for many."""
        places = [self._index(move) if isinstance(move, Play) else None for move in moves]
        plays = iter(self._ranking.of_plays([place for place in places if place is not None]))
        return [
            next(plays) if place is not None else None if isinstance(move, Play) else self.ranked(move)
            for move, place in zip(moves, places, strict=True)
        ]

    def _ranked_play(self, play: Play) -> Ranked | None:
        place = self._index(play)
        return None if place is None else self._ranking.of_plays([place])[0]

    def _index(self, play: Play) -> int | None:
        """Return the index of a play among all plays, None if it is none of them."""
        position = self._position
        if play.down and position.board.is_empty and position.layout.symmetric:
            # Only the plays across are listed there; this one is the mirror image of one of them.
            play = Play(play.column, play.row, False, play.tiles)
        return self._plays.find(play)

    def _fault(self, move: Move) -> MoveFault:
        return move_fault(move, self._position, self._lexicon, self._describer) or MoveFault(
            "not_the_whole_word", "a tile stands just before or after the word that the play names"
        )


def move_fault(move: Move, position: Position, lexicon: Lexicon, describer: Describer) -> MoveFault | None:
    """Say why a move that `parse_move` has read is not legal in its position; None if it is."""
    alphabet = position.tile_set.alphabet
    used = list(move.tiles) if isinstance(move, Exchange) else []
    if isinstance(move, Play):
        used = [0 if code & BLANK_FLAG else code for code in move.tiles if code]
    lacking = missing_tiles(used, position.rack)
    if lacking:
        tiles = alphabet.text(lacking)
        return MoveFault("tile_not_in_rack", f"the rack lacks {tiles}", params={"tiles": tiles})
    if isinstance(move, Play):
        return _play_fault(move, position, lexicon, describer)
    bag = position.bag_count()
    if isinstance(move, Exchange) and bag < position.rules.exchange_limit:
        return MoveFault(
            "exchange_not_allowed",
            f"an exchange needs {position.rules.exchange_limit} tiles in the bag, which holds {bag}",
            params={"least": position.rules.exchange_limit, "bag": bag},
        )
    if isinstance(move, Exchange) and len(move.tiles) > bag:
        detail = f"the bag holds only {bag} tiles to exchange for"
        return MoveFault("exchange_not_allowed", detail, params={"bag": bag})
    return None


def _play_fault(play: Play, position: Position, lexicon: Lexicon, describer: Describer) -> MoveFault | None:
    alphabet = position.tile_set.alphabet
    if not any(play.tiles):
        return MoveFault("no_tile_placed", "the play places no tile")
    if len(play.tiles) < 2:
        return MoveFault("one_letter_word", "the play makes no word of two letters or more")
    if not is_connected(play, position):
        return loose_fault(position)
    wrong = [run for run in describer.words(play) if not lexicon.contains(run.letters)]
    if wrong:
        words = [f"{alphabet.word(run.letters)} at {run.at}" for run in wrong]
        detail = f"not in {lexicon.id}: {', '.join(words)}"
        return MoveFault("not_in_lexicon", detail, params={"lexicon": lexicon.id, "words": words})
    return None


def is_connected(play: Play, position: Position) -> bool:
    """Tell whether a play touches a tile on the board, or covers a start square of an empty one."""
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
    """Say what is wrong with a play that is not connected."""
    if position.board.is_empty:
        return MoveFault("start_not_covered", "the first play must cover a start square")
    return MoveFault("not_connected", "the play touches no tile on the board")
