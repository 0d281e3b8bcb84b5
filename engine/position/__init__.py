"""Positions: boards, racks, players and moves.

A `Position` contains a `Board` (the tiles on the squares), a `BoardLayout`, `TileSet` and `RuleSet` from the
rules, and two to four `Player`s, of whom the first is on turn. A move is a `Play`, an `Exchange` or a `Pass`;
`parse_move` and `format_move` convert moves from and to text; `formed_words` lists the words of a play.
Everything is immutable. Open `position` first.
"""

from engine.position.board import Board
from engine.position.board_text import EMPTY
from engine.position.coordinates import format_coordinate, format_square, parse_coordinate
from engine.position.game_state import GameResult, GameState
from engine.position.move import Exchange, Move, Pass, PlacedTile, Play, format_move
from engine.position.notation import parse_move
from engine.position.player import Player
from engine.position.png import MAX_PNG_SIZE, png_of
from engine.position.position import Position
from engine.position.rack import Rack
from engine.position.svg import board_svg
from engine.rules import BLANK_FLAG

__all__ = [
    "BLANK_FLAG",
    "EMPTY",
    "MAX_PNG_SIZE",
    "Board",
    "Exchange",
    "GameResult",
    "GameState",
    "Move",
    "Pass",
    "PlacedTile",
    "Play",
    "Player",
    "Position",
    "Rack",
    "board_svg",
    "format_coordinate",
    "format_move",
    "format_square",
    "parse_coordinate",
    "parse_move",
    "png_of",
]
