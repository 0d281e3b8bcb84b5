"""A hosted game of few tiles for tests, and the players who connect to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import kibitz
from service.game_host import create_host_app
from service.hosted_game import HostedGame
from tests.service.conftest import data

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

__all__ = ["data"]

HALF = Path(__file__).parents[2] / "docs/examples/half.csv"
TILES = kibitz.TileSet.from_csv(HALF.read_text(), "half")


@pytest.fixture(scope="module")
def words(data: Path) -> kibitz.Lexicon:
    return kibitz.Lexicon.open("small", data=data)


class Clock:
    """The seconds that a test lets pass."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Player:
    """A player who connects by the link of a seat; `received` has every byte that the host has sent."""

    def __init__(self, hosted: HostedGame, seat: int) -> None:
        self.client: FlaskClient = create_host_app(hosted).test_client()
        self.secret = hosted.secrets[seat]
        self.received = b""

    def connect(self) -> TestResponse:
        answer = self.client.get(f"/game/events?seat={self.secret}")
        self.received += str(answer.headers).encode()
        assert answer.mimetype == "text/event-stream"
        return answer

    def event(self, answer: TestResponse) -> dict[str, Any]:
        """Return the data of the next event."""
        for chunk in answer.response:
            text = chunk.encode() if isinstance(chunk, str) else chunk
            self.received += text
            if text.startswith(b"data: "):
                found: dict[str, Any] = json.loads(text.removeprefix(b"data: "))
                return found
        raise EOFError

    def post(self, path: str, **members: Any) -> TestResponse:
        answer = self.client.post(f"/game/{path}", json={"seat": self.secret, **members})
        self.received += str(answer.headers).encode() + answer.data
        return answer

    def move(self, text: str) -> dict[str, Any]:
        answer = self.post("moves", move=text)
        assert answer.status_code == 200, answer.data
        found: dict[str, Any] = answer.get_json()
        return found

    def refusal(self, text: str) -> str:
        answer = self.post("moves", move=text)
        assert answer.status_code == 422
        assert answer.mimetype == "application/problem+json"
        return str(answer.get_json()["code"])


def begun(game: kibitz.Game, clock: Clock | None = None) -> tuple[HostedGame, list[Player]]:
    """Host a game whose people all connect."""
    hosted = HostedGame(game, range(len(game.names)), clock=clock or Clock())
    players = [Player(hosted, seat) for seat in range(len(game.names))]
    for player in players:
        player.event(player.connect())
    return hosted, players
