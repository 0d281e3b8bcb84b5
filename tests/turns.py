"""The first turn of a game, as a client of `/play` asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.analysis import TurnRequest
from engine.position import Board, Player, Position, Rack
from engine.position.game_state import deal
from engine.selfplay import GameSetup

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.rules import RuleSet


def first_turn(
    lexicon: Lexicon, seed: int = 0, players: int = 2, *, rules: RuleSet | None = None
) -> TurnRequest:
    """Return the request for the first turn of a game, with neither move nor level."""
    setup = GameSetup.of(lexicon, rules=rules)
    racks = deal(lexicon.tile_set, setup.rules, players, seed)
    seats = tuple(Player(rack=Rack(rack)) for rack in racks)
    board = Board.empty(setup.layout.side)
    position = Position(board, setup.layout, lexicon.tile_set, setup.rules, seats, lexicon_id=lexicon.id)
    return TurnRequest(position, seed=seed, bag=position.hidden())
