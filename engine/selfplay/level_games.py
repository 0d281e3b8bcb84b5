"""Games between two levels; between two of the best they are, move for move, the kernel's static games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from engine.loaded_board import LoadedBoard
from engine.position import BLANK_FLAG, Board, Exchange, Pass, Play, Player, Position, Rack
from engine.position.faults import MAX_ZERO_TURNS
from engine.search.levels import LEVELS, LevelPlayer
from engine.search.outcome import adjustments, ending
from engine.selfplay.games import ENDINGS, RESULT_DTYPE
from engine.selfplay.greedy_games import HOPELESS
from engine.selfplay.tile_order import Bag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.position import Move
    from engine.selfplay.games import GameSetup

LEVEL_PLAYERS: Final = tuple(f"level{level}" for level in range(1, len(LEVELS) + 1))
"""The names of the levels as players of matches, the weakest first."""


@dataclass
class _Seats:
    """What a game knows of its two seats."""

    racks: list[bytes]
    scores: list[int] = field(default_factory=lambda: [0, 0])
    zero_turns: int = 0
    passes: int = 0


class LevelLoop:
    """Plays the games of two levels, for one thread; takes the place of a GameLoop in a Match."""

    def __init__(self, setup: GameSetup, first: str, second: str) -> None:
        """Take where to play, and two of LEVEL_PLAYERS."""
        self._setup = setup
        self._levels = tuple(LEVEL_PLAYERS.index(name) + 1 for name in (first, second))
        self._player = LevelPlayer(setup.lexicon, setup.rules)
        layout, tile_set = setup.layout, setup.lexicon.tile_set
        self._empty = LoadedBoard.load(Board.empty(layout.side), layout, tile_set, setup.lexicon)

    def play_pairs(self, seed: int, first: int, results: NDArray[np.uint8]) -> None:
        """Play pairs of games with swapped seats, from number `first` on, and write their results.

        `results`: as many RESULT_DTYPE as there are games, as bytes.
        """
        rows = results.view(RESULT_DTYPE)
        for index in range(len(rows)):
            self._play(seed, first + index // 2, rows, index)

    def _play(self, seed: int, number: int, rows: NDArray[Any], index: int) -> None:
        """Play one game to its end and write its result; in every second one the players change seats."""
        rules, tile_set = self._setup.rules, self._setup.lexicon.tile_set
        levels = self._levels[::-1] if index % 2 else self._levels
        bag = Bag(tile_set.counts, seed, number)
        seats = _Seats([bag.draw(min(rules.rack_size, len(bag.tiles)), seat) for seat in (0, 1)])
        result, board, seat, how = rows[index], self._empty, 1, None
        while how is None:
            seat = 1 - seat
            position = self._position(board, seats, seat)
            move, score = self._player.choose(levels[seat], board, position, seed)
            self._carry_out(move, score, seats, seat, bag)
            board = board.after(move) if isinstance(move, Play) else board
            result["turns"][seat] += 1
            result["exchanges"][seat] += isinstance(move, Exchange)
            result["passes"][seat] += isinstance(move, Pass)
            if isinstance(move, Play):
                result["bingos"][seat] += len(move.placements()) >= rules.bingo_tiles
            how = ending(
                rules,
                seats.scores,
                tiles_left=len(seats.racks[seat]),
                zero_turns=seats.zero_turns,
                passes=seats.passes,
            )
            if how is None and seats.zero_turns >= HOPELESS:
                how = "given_up"
        left = [sum(tile_set.values[code] for code in rack) for rack in seats.racks]
        extra = adjustments(rules, left, seat if how == "went_out" else None)
        result["final"] = [score + more for score, more in zip(seats.scores, extra, strict=True)]
        result["ending"] = ENDINGS.index(how)

    def _position(self, board: LoadedBoard, seats: _Seats, seat: int) -> Position:
        setup, other = self._setup, 1 - seat
        players = (
            Player(seats.scores[seat], Rack(seats.racks[seat])),
            Player(seats.scores[other], tile_count=len(seats.racks[other])),
        )
        zeros = min(seats.zero_turns, MAX_ZERO_TURNS)
        return Position(
            board.board, setup.layout, setup.lexicon.tile_set, setup.rules, players, zeros, setup.lexicon.id
        )

    def _carry_out(self, move: Move, score: int, seats: _Seats, seat: int, bag: Bag) -> None:
        """Score a move, take its tiles from the rack, draw new ones, and count the turns without points."""
        used = b""
        if isinstance(move, Play):
            used = bytes(0 if code & BLANK_FLAG else code for _, _, code in move.placements())
        elif isinstance(move, Exchange):
            used = move.tiles
        rack = bytearray(seats.racks[seat])
        for code in used:
            rack.remove(code)
        room = len(used) if isinstance(move, Exchange) else self._setup.rules.rack_size - len(rack)
        rack += bag.draw(min(room, len(bag.tiles)), seat)
        if isinstance(move, Exchange):
            bag.put_back(used)
        seats.racks[seat] = bytes(sorted(rack))
        seats.scores[seat] += score
        seats.zero_turns = 0 if score else seats.zero_turns + 1
        seats.passes = seats.passes + 1 if isinstance(move, Pass) else 0
