"""`kibitz play --host`: hold a game in this process, for players who connect and those at this terminal."""

from __future__ import annotations

import shlex
import socket
from typing import TYPE_CHECKING

import click

from kibitz.cli import Refusal
from kibitz.cli.language import said
from kibitz.cli.play_saving import Saving, prompt
from kibitz.cli.play_seat import SeatTerminal
from kibitz.cli.play_texts import shown_names
from service.game_host import Host
from service.hosted_game import HostedGame

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from kibitz import Game
    from service.hosted_game import HostedView

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - the host asks for it


def host(
    game: Game, remote: Collection[int], address: tuple[str, int], *, file: Path | None, rescue: Path
) -> None:
    """Host a game for the players of the `remote` seats; all other people play at this terminal.

    Raises Refusal for an address that is in use.
    """
    hosted = HostedGame(game, remote)
    try:
        server = Host(hosted, address)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]
        where = f"{address[0]}:{address[1]}"
        raise Refusal(f"{where}: {reason}; choose another address with --host") from None
    local = [seat for seat, level in enumerate(game.levels) if level is None and seat not in remote]
    options = "".join([f" --seat {shlex.quote(game.names[seat])}" for seat in local])
    saving = Saving(game, hosted.to_json, file=file, rescue=rescue, options=f" --host{options}")
    _say_links(hosted, game, address[0], server.port)
    terminal = SeatTerminal(_LocalConnection(hosted, local), saving)
    server.start()
    hosted.start()
    try:
        is_played_out = _is_played_out(terminal, game)
        hosted.close()
        if not is_played_out:
            saving.leave()
    finally:  # last, because it waits for connections, and a second Ctrl-C must not lose the game
        hosted.close()
        server.stop()


def _is_played_out(terminal: SeatTerminal, game: Game) -> bool:
    """Play at the terminal; return whether the game was ended there after its end, else it is left."""
    try:
        while terminal.run():
            prompt(said("Press Enter to end the game for all."))
            if game.is_over:
                return True
    except (click.Abort, KeyboardInterrupt):
        click.echo()
    return False


def _say_links(hosted: HostedGame, game: Game, address: str, port: int) -> None:
    """Print the link of each remote seat, and who can reach them."""
    names = shown_names(game)
    is_open = address in _EVERYWHERE
    shown = socket.gethostname() if is_open else f"[{address}]" if ":" in address else address
    for seat, secret in hosted.secrets.items():
        click.echo(f"  {names[seat]}: http://{shown}:{port}/join#{secret}")
    click.echo(said("Each link is a seat. It opens in a browser, or by: kibitz play --join LINK"))
    if is_open:
        click.echo(
            said(
                "All who reach port {port} of this machine can connect; only a link gives a seat.", port=port
            )
        )


class _LocalConnection:
    """The connection of the players at the terminal of the host."""

    def __init__(self, hosted: HostedGame, seats: Sequence[int]) -> None:
        self._hosted = hosted
        self.seats = seats

    def views(self) -> Iterator[HostedView]:
        """Yield what the players see."""
        return (view for view in self._hosted.views(self.seats) if view is not None)

    def act(self, seat: int, text: str) -> HostedView:
        """Make a move."""
        self._hosted.act(seat, text)
        return self._hosted.view(self.seats)
