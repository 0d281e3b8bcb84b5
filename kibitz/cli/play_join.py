"""`kibitz play --join`: take a seat of a game that another machine hosts."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from http.client import HTTPException
from time import sleep
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import click

from engine import EngineError, IllegalMove, Text
from engine.library import bad_view
from kibitz.cli import Refusal
from kibitz.cli.language import localized, reader_language, said
from kibitz.cli.play_seat import SeatTerminal
from service.hosted_game import HostedView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SILENT_SECONDS: Final = 15.0
"""After this time without a sign of life of the host the connection is taken for lost."""

RETRY_SECONDS: Final = 1.0
MAX_LINE: Final = 1 << 20
_LINK: Final = re.compile(r"(https?://[^\s/?#@]+)/join#(\S+)")
_DATA: Final = b"data: "


def join(link: str, name: str) -> None:
    """Play at the seat of a link until the game is over, or is left."""
    seat = RemoteSeat(link)
    try:
        if name:
            seat.rename(name)
        if SeatTerminal(seat).run():
            return
    except (click.Abort, KeyboardInterrupt):
        click.echo()
    click.echo(said("You have left the game; the same link brings you back."))


class RemoteSeat:
    """The seat of a link; raises BadParameter for a text that is none."""

    def __init__(self, link: str) -> None:
        found = _LINK.fullmatch(link)
        if found is None:
            raise click.BadParameter(
                f"{link!r} is not a link such as http://HOST:8090/join#SEAT, which the host prints.",
                param_hint="--join",
            )
        self._game, self._secret = f"{found[1]}/game", found[2]
        self.seats: Sequence[int] = ()

    def rename(self, name: str) -> None:
        """Give the player a name; raise Refusal if the host does not answer or refuses it."""
        try:
            self._post("name", {"name": name})
        except EngineError as error:
            raise Refusal(localized(error.message)) from None

    def act(self, seat: int, text: str) -> HostedView:
        """Make a move and return what the player sees then; raise EngineError."""
        return self._post("moves", {"move": text})

    def views(self) -> Iterator[HostedView]:
        """Yield what the player sees, now and after changes; a lost connection is opened again.

        Raises Refusal if the first connection fails, and if the host does not know the seat (any more).
        """
        is_lost = not self.seats
        while True:
            try:
                with self._open(f"events?{urlencode({'seat': self._secret})}") as answer:
                    while line := answer.readline(MAX_LINE):
                        if line.startswith(_DATA):
                            view = HostedView.read(_parsed(line.removeprefix(_DATA)))
                            self.seats = [] if view.game.seat is None else [view.game.seat]
                            is_lost = False
                            yield view
            except EngineError as error:
                raise Refusal(localized(error.message)) from None
            except (OSError, HTTPException, ValueError) as error:
                if not self.seats:
                    reason = error.reason if isinstance(error, URLError) else error
                    text = getattr(reason, "strerror", None) or str(reason)
                    raise Refusal(said("the host cannot be reached: {reason}", reason=text)) from None
            if not is_lost:
                is_lost = True
                click.echo(said("The connection is lost. Connecting again …"))
            sleep(RETRY_SECONDS)

    def _post(self, path: str, members: dict[str, str]) -> HostedView:
        body = json.dumps({"seat": self._secret, **members}).encode("utf-8", "backslashreplace")
        try:
            with self._open(path, body) as answer:
                return HostedView.read(_parsed(answer.read(MAX_LINE)))
        except (OSError, HTTPException, ValueError):
            raise IllegalMove(Text("the host cannot be reached"), code="unreachable") from None

    def _open(self, path: str, body: bytes | None = None) -> Any:
        """Return an answer of the host; raise OSError, HTTPException or ValueError without one.

        Raises IllegalMove if the host refuses the request.
        """
        headers = {"Accept-Language": reader_language(), "Content-Type": "application/json"}
        try:
            return urlopen(Request(f"{self._game}/{path}", body, headers), timeout=SILENT_SECONDS)  # noqa: S310 - HTTP only
        except HTTPError as error:
            with error:
                if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:  # also of a proxy, while the host is away
                    raise
                match _parsed(error.read(MAX_LINE)):
                    case {"detail": str(detail), "code": str(code)}:
                        raise IllegalMove(detail, code=code) from None
            raise


def _parsed(text: bytes) -> Any:
    """Return the value of a JSON text; raise InvalidInput for another one."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise bad_view() from None
