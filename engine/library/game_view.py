"""What a game shows: its players, position, moves, times, result and record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.library.game_record import record_of
from engine.library.seat_view import SeatView, SeenLetter, seen_end, seen_turn
from engine.position import Play, format_square
from engine.position.player import NO_TILES

if TYPE_CHECKING:
    from engine.library.lexicon import Lexicon
    from engine.library.position import Position
    from engine.library.steps import State, Step
    from engine.position import Board, GameResult, Move, Rack
    from engine.records import Event, GameRecord
    from engine.rules import RuleSet, TimeControl


class GameView:
    """Show a game: everything that is read from its start and its steps, and nothing that changes it."""

    names: tuple[str, ...]
    levels: tuple[int | None, ...]
    time: TimeControl
    allow_phonies: bool
    _start: State
    _steps: list[Step]
    _seconds: float

    @property
    def _state(self) -> State:
        return self._steps[-1].after if self._steps else self._start

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon of the game."""
        return self._start.position.lexicon

    @property
    def rules(self) -> RuleSet:
        """The rules of the game."""
        return self._start.position.rules

    @property
    def position(self) -> Position:
        """The position as the player on turn sees it, without the racks of the others."""
        return self._state.seen()

    @property
    def board(self) -> Board:
        """The board."""
        return self._state.position.board

    @property
    def on_turn(self) -> int:
        """The number of the player on turn."""
        return self._state.on_turn

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the players, before the adjustments at the end of the game (see `result`)."""
        return tuple([player.score for player in self._state.players])

    @property
    def racks(self) -> tuple[Rack, ...]:
        """The racks of the players."""
        return tuple([player.held for player in self._state.players])

    @property
    def bag(self) -> Rack:
        """The tiles in the bag."""
        return self._state.bag or NO_TILES

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far, including plays that were taken back."""
        return tuple([step.move for step in self._steps if step.move is not None])

    @property
    def movers(self) -> tuple[int, ...]:
        """The number of the player of each of the `moves`."""
        return tuple([step.player for step in self._steps if step.move is not None])

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each of the `moves`, as the player on turn saw it."""
        return tuple([step.before.seen() for step in self._steps if step.move is not None])

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the record, including the adjustments at the end of the game."""
        return self.record.events

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; its last play may still be challenged, with `allow_phonies`."""
        return self._state.reason is not None

    @property
    def result(self) -> GameResult | None:
        """How the game ended, None if it has not."""
        left = self.time_left
        overtime = [0 if seconds is None else self.time.penalty(seconds) for seconds in left]
        return self._state.result(self.names, overtime)

    @property
    def time_left(self) -> tuple[float | None, ...]:
        """The seconds that each player has left for the game, negative if overstepped; None: no limit."""
        if self.time.per_game is None:
            return (None,) * len(self.names)
        used = [0.0] * len(self.names)
        for step in self._steps:
            used[step.before.on_turn] += self.time.counted(step.seconds)
        if not self.is_over:
            used[self.on_turn] += self.time.counted(self._seconds)
        return tuple([round(self.time.per_game - seconds, 3) for seconds in used])

    @property
    def move_time_left(self) -> float | None:
        """The seconds that the player on turn has left for this move; None: no limit."""
        return None if self.time.per_move is None else round(self.time.per_move - self._seconds, 3)

    @property
    def move_seconds(self) -> tuple[float, ...]:
        """The seconds that each of the `moves` took."""
        return tuple([step.seconds for step in self._steps if step.move is not None])

    @property
    def record(self) -> GameRecord:
        """The record of the game."""
        return record_of(self.names, self._state, self._steps, self.result)

    def seen_by(self, seat: int | None) -> SeatView:
        """Return what a player sees of the game; None: a person who only watches it."""
        position, steps = self._state.position, self._steps
        tiles, layout = position.tile_set, position.layout
        last = steps[-1].move if steps else None
        challengeable = self.allow_phonies and isinstance(last, Play)
        return SeatView(
            seat=seat,
            names=self.names,
            levels=self.levels,
            lexicon=self.lexicon.id,
            tile_set=tiles.id,
            letters=tuple(map(SeenLetter, ("?", *tiles.letters), tiles.counts, tiles.values, tiles.is_vowel)),
            layout=layout.id,
            rows=tuple(layout.rows()),
            starts=layout.starts,
            board=position.board.text(tiles.alphabet),
            rack="" if seat is None else str(self.racks[seat]),
            held=tuple(map(len, self.racks)),
            bag=len(self.bag),
            scores=self.scores,
            on_turn=self.on_turn,
            time=self.time,
            time_left=self.time_left,
            move_time_left=self.move_time_left,
            turns=tuple([seen_turn(step, self.time) for step in steps]),
            played=tuple([format_square(row, at) for row, at, _ in last.placements()] if last else ()),
            challengeable=challengeable,
            end=seen_end(self.result, (seat,) if challengeable else range(len(self.names))),
        )

    def __repr__(self) -> str:
        return f"Game({self.lexicon!r}, {self.names!r}, moves={len(self.moves)})"

    def __str__(self) -> str:
        """Format the board, and below it scores, racks and bag, or the result."""
        if (result := self.result) is not None:
            return f"{self.board}\n\n{result}"
        lines = [
            f"{'>' if number == self.on_turn else ' '} {name}: {score} points, {rack}"
            for number, (name, score, rack) in enumerate(
                zip(self.names, self.scores, self.racks, strict=True)
            )
        ]
        return "\n".join([str(self.board), "", *lines, f"  bag: {len(self.bag)} tiles"])

    def _repr_svg_(self) -> str:
        """Return the board as a picture for notebooks."""
        return self._state.position._repr_svg_()
