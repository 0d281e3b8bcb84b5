"""The seats of a game: the names of the players, and which of them are computer players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import InvalidInput
from engine.messages import Text
from engine.position.limits import MAX_PLAYERS, MIN_PLAYERS
from engine.search.levels import check_level

if TYPE_CHECKING:
    from collections.abc import Sequence


YOU: Final = "You"
"""The name of a single person, which is shown in the language of the reader."""


class Seats(NamedTuple):
    """Hold for each player the name, and the level of a computer player, None for a person."""

    names: tuple[str, ...]
    levels: tuple[int | None, ...]


def read_seats(players: int | Sequence[str | int]) -> Seats:
    """Return the seats of players given by their number, or each by a name or a level.

    Raises InvalidInput for other than 2 to 4 players, for names that a record cannot distinguish, and for a
    level that does not exist.
    """
    count = players if isinstance(players, int) else len(players)
    if not MIN_PLAYERS <= count <= MAX_PLAYERS:
        raise InvalidInput(
            Text(
                "a game has {least} to {most} players, not {count}",
                least=MIN_PLAYERS,
                most=MAX_PLAYERS,
                count=count,
            ),
            code="bad_player_count",
            field="players",
        )
    given = [f"Player {number}" for number in range(1, count + 1)] if isinstance(players, int) else players
    levels = tuple([seat if isinstance(seat, int) else None for seat in given])
    names = [seat if isinstance(seat, str) else _level_name(seat, at, given) for at, seat in enumerate(given)]
    nicks = {nickname(name) for name in names}
    if len(nicks) < len(names) or not all(nick and nick.isprintable() for nick in nicks):
        raise InvalidInput(
            Text("every player needs a name of their own"), code="bad_player_name", field="players"
        )
    return Seats(tuple([" ".join(name.split()) for name in names]), levels)


def nickname(name: str) -> str:
    """Return a name as a record writes it, without spaces."""
    return "_".join(name.split())


def _level_name(level: int, at: int, given: Sequence[str | int]) -> str:
    """Return the name of a computer player; that of a second one of a level has the number of the seat."""
    check_level(level)
    return f"Level {level} ({at + 1})" if level in given[:at] else f"Level {level}"
