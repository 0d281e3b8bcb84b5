"""Seats of a GameLoop whose moves are chosen in Python, by a search or by a level."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeAlias

from engine.loaded_board import LoadedBoard
from engine.position import Board, Exchange, Play, Player, Position, Rack, format_coordinate
from engine.position.limits import MAX_ZERO_TURNS
from engine.search.deadline import Deadline
from engine.search.levels import MAX_LEVEL, LevelPlayer
from engine.search.search_player import SearchPlayer
from engine.selfplay.games import EXCHANGE, PASS, PLAY
from engine.selfplay.parts import GameControl, GameInterrupted

if TYPE_CHECKING:
    from engine.search.search_player import Decision, PlayerPlan
    from engine.selfplay.games import GameSetup

LastTurn: TypeAlias = tuple[int, int, int, int, list[tuple[int, int]], int]
"""Kind, line, start and length of a play, the squares and codes of its tiles, number of tiles exchanged."""


class Seat(ABC):
    """Choose the moves of one seat of a GameLoop; serves one thread.

    `control`: gives up the game and counts the moves.
    """

    def __init__(self, setup: GameSetup, seed: int) -> None:
        self.setup = setup
        self.seed = seed
        self.control = GameControl()

    def __call__(
        self,
        squares: bytes,
        rack: bytes,
        other_count: int,
        scores: tuple[int, int],
        zeros: int,
        game: int,
        turn: int,
        last: LastTurn | None,
    ) -> tuple[int, bytes | None, int, bytes]:
        """Return the move as GameLoop.ask takes it; raises GameInterrupted."""
        setup, tile_set = self.setup, self.setup.lexicon.tile_set
        board = LoadedBoard.load(Board(setup.layout.side, squares), setup.layout, tile_set, setup.lexicon)
        players = (
            Player(scores[0], Rack(rack)),
            Player(scores[1], tile_count=other_count, last_move=self._move_text(board.board, last)),
        )
        position = Position(
            board.board, setup.layout, tile_set, setup.rules, players,
            min(zeros, MAX_ZERO_TURNS), setup.lexicon.id,
        )  # fmt: skip
        deadline = Deadline()
        interrupt = self.control.interrupt
        with interrupt.stopping(deadline.cut):
            if not interrupt.passed:
                decision = self.choose(position, board, game, turn, deadline)
        if interrupt.passed:
            raise GameInterrupted
        self.control.moves.append(None)
        choice, number = decision.choice, decision.number
        leave = position.rack.without(choice.move.used).tiles
        if isinstance(choice.move, Play):
            row = decision.moves.plays.array[number : number + 1].tobytes()
            return PLAY, row, choice.equity, leave
        return EXCHANGE if isinstance(choice.move, Exchange) else PASS, None, choice.equity, leave

    @abstractmethod
    def choose(
        self, position: Position, board: LoadedBoard, game: int, turn: int, deadline: Deadline
    ) -> Decision:
        """Return the decision in a position at a turn (from 0) of a game; `board` is its loaded board.

        `deadline`: another thread cuts it to end the search.
        """

    def _move_text(self, board: Board, last: LastTurn | None) -> str | None:
        """Return the last turn of the other player as the text of a move, None if there is none."""
        if last is None:
            return None
        kind, line, start, length, placed, exchanged = last
        if kind == PASS:
            return "-"
        if kind == EXCHANGE:
            return f"-{exchanged}"
        side, alphabet = board.side, self.setup.lexicon.tile_set.alphabet
        down = line >= side
        row, column = (start, line - side) if down else (line, start)
        laid = dict(placed)
        codes = [laid.get((row + i * down) * side + column + i * (not down), 0) for i in range(length)]
        word = "".join(alphabet.text([code]) if code else "." for code in codes)
        return f"{format_coordinate(row, column, down)} {word}"

    def turn_seed(self, game: int, turn: int) -> int:
        """Return the seed of the draws of one turn."""
        return (self.seed * 0x9E3779B97F4A7C15 + game * 1024 + turn) % 2**63


class SearchSeat(Seat):
    """The seat of a player who searches."""

    def __init__(self, setup: GameSetup, plan: PlayerPlan, seed: int) -> None:
        """Take the plan; raises what `SearchPlayer` raises."""
        super().__init__(setup, seed)
        self._search_player = SearchPlayer(setup.lexicon, setup.rules, plan)
        self._max_ms = plan.max_ms

    def choose(
        self, position: Position, board: LoadedBoard, game: int, turn: int, deadline: Deadline
    ) -> Decision:
        """Return the move that the search chooses."""
        deadline.within(self._max_ms)
        return self._search_player.choose(position, board, self.turn_seed(game, turn), deadline)


class LevelSeat(Seat):
    """The seat of the player of a level."""

    def __init__(self, setup: GameSetup, level: int, seed: int) -> None:
        """Take the level, from 1 to MAX_LEVEL."""
        super().__init__(setup, seed)
        self._level = level
        self._player = LevelPlayer(setup.lexicon, setup.rules)

    def choose(
        self, position: Position, board: LoadedBoard, game: int, turn: int, deadline: Deadline
    ) -> Decision:
        """Return the move that the level chooses; `turn_seed` matters to the highest level only."""
        seed = self.turn_seed(game, turn) if self._level == MAX_LEVEL else self.seed
        return self._player.choose(self._level, board, position, seed, deadline)
