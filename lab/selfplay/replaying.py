"""The turns of a game: the position before each, its loaded board, and the play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.loaded_board import LoadedBoard
from engine.movegen import Plays
from engine.position import Board, Player, Position, Rack, format_move
from engine.position.limits import MAX_ZERO_TURNS
from engine.selfplay.games import EXCHANGE, PLAY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from engine.position import Play
    from engine.rules import TileSet
    from engine.selfplay.games import GameSetup, PlayedGame


@dataclass(frozen=True, slots=True)
class SelfPlayTurn:
    """Hold one turn: its number in the game (from 1), the position before it, its loaded board, and the play.

    Both racks of the position are known. `play`: None for an exchange or a pass; `bag_count`: tiles in the
    bag before the turn.
    """

    number: int
    position: Position
    board: LoadedBoard
    play: Play | None
    bag_count: int


def turns_of(setup: GameSetup, game: PlayedGame) -> Iterator[SelfPlayTurn]:
    """Yield the turns of a game, from the first to the last."""
    lexicon, tile_set = setup.lexicon, setup.lexicon.tile_set
    board = LoadedBoard.load(Board.empty(setup.layout.side), setup.layout, tile_set, lexicon)
    racks = [bytes(turn["rack"][: turn["rack_count"]]) for turn in game.turns]
    zeros = 0
    for index, turn in enumerate(game.turns):
        seat, scores = int(turn["seat"]), turn["score_before"].tolist()
        # A rack does not change between the turns of its player: it is that of the next turn.
        other = racks[index + 1] if index + 1 < len(racks) else game.left[1 - seat]
        players = (Player(scores[seat], Rack(racks[index])), Player(scores[1 - seat], Rack(other)))
        position = Position(
            board.board, setup.layout, tile_set, setup.rules, players,
            min(zeros, MAX_ZERO_TURNS), lexicon.id,
        )  # fmt: skip
        play = Plays(np.array([turn["play"]]), board, {}).move(0) if turn["kind"] == PLAY else None
        yield SelfPlayTurn(index + 1, position, board, play, int(turn["bag_before"]))
        zeros = 0 if play is not None and turn["play"]["score"] else zeros + 1
        if play is not None:
            board = board.after(play)


def seen_text(turn: Any, play: Play | None, tile_set: TileSet) -> str:
    """Return the text of a move as the other player sees it: of an exchange only the number of tiles.

    `turn`: a row of TURN_DTYPE; `play`: its play, None for an exchange or a pass.
    """
    if play is not None:
        return format_move(play, tile_set)
    return f"-{turn['rack_count'] - turn['leave_count']}" if turn["kind"] == EXCHANGE else "-"
