"""A game at several places: one process holds it, and each player sees what `kibitz.SeatView` shows.

Every player holds a secret, which is part of a link; a lost connection returns by it. The clocks run here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hmac import compare_digest
from itertools import count
from secrets import token_urlsafe
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

from engine import MAX_SECONDS, IllegalMove, InvalidInput, Text
from engine.library import YOU, SeatView, bad_view
from kibitz import best_move

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from kibitz import Game

CHALLENGE: Final = "challenge"
RESIGN: Final = "resign"

MAX_NAME: Final = 30
MAX_CONNECTIONS: Final = 4
"""Connections of one seat, such as a phone and a computer; a further one ends the oldest."""

SHORTEST: Final = 0.01
"""The shortest time that is counted; a game rounds times, and many short ones would be lost."""

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that look like nothing: the blank Braille pattern, and the default-ignorable ones of the Unicode
Character Database (DerivedCoreProperties) that `str.isprintable` takes for printable."""


@dataclass(frozen=True, slots=True)
class HostedView:
    """What a player sees of a hosted game; `number` counts its changes.

    `missing`: the seats that nobody has taken yet, for whom the game waits; `away`: those without a
    connection now.
    """

    number: int
    missing: tuple[int, ...]
    away: tuple[int, ...]
    game: SeatView

    @classmethod
    def read(cls, members: object) -> Self:
        """Return the view that JSON held; raise InvalidInput for members that are none."""
        match members:
            case {"number": int(number), "missing": list(missing), "away": list(away), "game": game}:
                view = SeatView.read(game)
                if all(type(seat) is int and 0 <= seat < len(view.names) for seat in (*missing, *away)):
                    return cls(number, tuple(missing), tuple(away), view)
        raise bad_view()


class HostedGame:
    """A game that one process holds for players at several places; all methods are safe in any thread.

    `remote`: the seats of players who connect; `clock`: returns the seconds since some moment.
    """

    def __init__(
        self, game: Game, remote: Collection[int], *, clock: Callable[[], float] = monotonic
    ) -> None:
        self._game = game
        self._clock = clock
        self._since = clock()
        self._changed = Condition()
        self._number = 0
        self._is_closed = False
        self._missing = set(remote)
        self._connections: dict[int, int] = {}  # the seat of each, the oldest first
        self._ids = count()
        self.secrets: Final = {seat: token_urlsafe() for seat in sorted(remote)}
        """The secret of each remote seat."""

    def start(self) -> None:
        """Let the clocks run and the computer players move, in a thread of their own."""
        Thread(target=self._run, name="hosted game", daemon=True).start()

    def close(self) -> None:
        """End all connections; the game does not change any more."""
        with self._changed:
            self._count_time()
            self._is_closed = True
            self._changed.notify_all()

    def to_json(self) -> str:
        """Return the game as JSON, to save it."""
        with self._changed:
            self._count_time()
            return self._game.to_json()

    def seat_of(self, secret: str) -> int | None:
        """Return the seat of a secret, None for a wrong one, in a time that does not depend on it."""
        given = secret.encode("utf-8", "surrogatepass")
        found = [seat for seat, own in self.secrets.items() if compare_digest(own.encode(), given)]
        return found[0] if found else None

    def rename(self, seat: int, name: str) -> HostedView:
        """Give the player of a seat a name, before the first move of the seat.

        Raises InvalidInput for a wrong name, such as YOU or one with characters that nobody sees.
        """
        name = " ".join(name.split())
        with self._changed:
            if name == self._game.names[seat]:
                return self._view((seat,))
            if seat in self._game.movers:
                raise _bad_name(Text("a player takes a name before the first move"))
            if len(name) > MAX_NAME:
                raise _bad_name(Text("a name has at most {most} characters", most=MAX_NAME))
            if name.casefold() == YOU.casefold():
                raise _bad_name(Text("every player needs a name of their own"))
            if _UNSEEN.search(name):
                raise _bad_name(Text("a name has only characters that can be seen"))
            self._game.rename(seat, name)
            return self._changed_view(seat)

    def act(self, seat: int, text: str) -> HostedView:
        """Make a move for a player: a text for `Game.play`, or CHALLENGE or RESIGN; return the view after it.

        Raises IllegalMove for what the rules do not allow, with the code "not_your_turn" before the player's
        turn, "game_not_begun" while the game waits for players, and "game_closed" when the host has closed
        it; InvalidInput and AmbiguousMove as `Game.play`.
        """
        game, word = self._game, text.strip().lower()
        with self._changed:
            self._count_time()
            if self._is_closed:
                raise IllegalMove(Text("the host is leaving the game"), code="game_closed")
            if self._missing and not game.is_over:
                raise IllegalMove(Text("the game begins when all players are here"), code="game_not_begun")
            if word == RESIGN:
                game.resign(seat)
            elif game.on_turn != seat and not game.is_over:
                raise IllegalMove(Text("it is not your turn"), code="not_your_turn")
            elif word == CHALLENGE:
                self._challenge(seat)
            else:
                game.play(text)
            return self._changed_view(seat)

    def view(self, seats: Sequence[int]) -> HostedView:
        """Return what a player sees: of the seats the one on turn, else the first; without any no rack."""
        with self._changed:
            self._count_time()
            return self._view(seats)

    def views(self, seats: Sequence[int], patience: float | None = None) -> Iterator[HostedView | None]:
        """Yield what `view` returns, now and after changes, of several quick ones only the last.

        None after `patience` seconds without a change. It ends when the game is closed.
        """
        return self._views(seats, patience, lambda: False)

    def connect(self, seat: int) -> int:
        """Connect the player of a seat, which is taken from now on; return a number for `views_of`."""
        with self._changed:
            self._count_time()
            own = next(self._ids)
            self._connections[own] = seat
            for oldest in [one for one, at in self._connections.items() if at == seat][:-MAX_CONNECTIONS]:
                del self._connections[oldest]
            self._missing.discard(seat)
            self._notify()
            return own

    def disconnect(self, connection: int) -> None:
        """End a connection; does nothing if it has ended."""
        with self._changed:
            if self._connections.pop(connection, None) is not None:
                self._notify()

    def views_of(self, connection: int, patience: float) -> Iterator[HostedView | None]:
        """Yield the `views` of a connected player until the connection ends."""
        seat = self._connections.get(connection, -1)
        return self._views((seat,), patience, lambda: connection not in self._connections)

    def _views(
        self, seats: Sequence[int], patience: float | None, has_ended: Callable[[], bool]
    ) -> Iterator[HostedView | None]:
        sent = -1

        def is_due() -> bool:
            return self._number != sent or self._is_closed or has_ended()

        while True:
            with self._changed:
                self._changed.wait_for(is_due, patience)
                self._count_time()
                is_new = self._number != sent
                if has_ended() or (self._is_closed and not is_new):
                    return
                sent = self._number
                view = self._view(seats) if is_new else None
            yield view

    def _view(self, seats: Sequence[int]) -> HostedView:
        on_turn = self._game.on_turn
        seat = on_turn if on_turn in seats else next(iter(seats), None)
        away = tuple([seat for seat in self.secrets if seat not in self._connections.values()])
        return HostedView(self._number, tuple(sorted(self._missing)), away, self._game.seen_by(seat))

    def _changed_view(self, seat: int) -> HostedView:
        self._notify()
        return self._view((seat,))

    def _notify(self) -> None:
        self._number += 1
        self._changed.notify_all()

    def _challenge(self, seat: int) -> None:
        game = self._game
        if not game.allow_phonies or game.on_turn != seat:
            raise IllegalMove(Text("there is no play to challenge"), code="nothing_to_challenge")
        game.challenge()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._count_time()
                if self._is_closed:
                    return
                level = None if self._is_idle() else self._game.levels[self._game.on_turn]
                if level is None:
                    self._changed.wait(None if self._is_idle() else self._game.seen_by(None).turn_time_left)
                    continue
                position = self._game.position
            move = best_move(position, level=level, seed=self._game.seed)
            with self._changed:
                if not self._is_closed and not self._game.is_over:  # nobody has resigned since
                    self._game.play(move)
                    self._notify()

    def _is_idle(self) -> bool:
        return self._game.is_over or bool(self._missing)

    def _count_time(self) -> None:
        """Count the time since the last call for the person on turn, and apply the time limits."""
        game, now = self._game, self._clock()
        seconds = now - self._since
        if self._is_closed or self._is_idle() or game.levels[game.on_turn] is not None:
            self._since = now
        elif not 0 <= seconds < SHORTEST:
            self._since = now
            passed = game.spend(min(max(0.0, seconds), MAX_SECONDS))
            if passed is not None or game.is_over:
                self._notify()


def _bad_name(message: Text) -> InvalidInput:
    return InvalidInput(message, code="bad_player_name")
