"""Requests for the positions of greedy games, by move number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Final

import orjson

from benchmarks.load.client import post
from engine import Player, format_cgp
from lab.selfplay.greedy_games import greedy_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Lexicon, Position

LAST_MOVE: Final = 24  # the last move number with published times
SEED: Final = 2026


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold a request and the move number of its position."""

    move: int
    request: bytes


def asked_of_games(lexicon: Lexicon, games: int, progress: Callable[[int, int], None]) -> list[Asked]:
    """Return a request for each turn of greedy games, without the other rack; equal ones only once."""
    asked: dict[bytes, int] = {}
    for number in range(games):
        for turn in greedy_game(lexicon, SEED, number):
            if turn.number <= LAST_MOVE and turn.position.rack.tiles:
                asked.setdefault(request_for(as_seen(turn.position)), turn.number)
        progress(number + 1, games)
    return [Asked(move, request) for request, move in asked.items()]


def request_for(position: Position) -> bytes:
    """Return the request for the analysis of a position."""
    return post("/analyze", orjson.dumps({"cgp": format_cgp(position)}))


def as_seen(position: Position) -> Position:
    """Return the position as the player on turn sees it, without the other racks."""
    mover, *others = position.players
    return replace(position, players=(mover, *(Player(score=other.score) for other in others)))


def never_twice(asked: list[Asked]) -> Iterator[bytes]:
    """Yield the requests in turn, in each pass with higher scores, so that every position is new."""
    documents = [orjson.loads(one.request.partition(b"\r\n\r\n")[2]) for one in asked]
    for more in count(1):
        for document in documents:
            board, racks, scores, rest = document["cgp"].split(" ", 3)
            own, _, others = scores.partition("/")
            cgp = f"{board} {racks} {int(own) + more}/{others} {rest}"
            yield post("/analyze", orjson.dumps(document | {"cgp": cgp}))


def simulations(asked: list[Asked], iterations: int) -> Iterator[bytes]:
    """Yield requests for simulations of middle games, each with another seed."""
    middle = [one.request.partition(b"\r\n\r\n")[2] for one in asked if 4 <= one.move <= 12]
    documents = [orjson.loads(body) for body in middle]
    for seed in count(1):
        plan = {"method": "monte_carlo", "iterations": iterations, "plies": 2, "candidates": 10}
        yield post(
            "/analyze", orjson.dumps(documents[seed % len(documents)] | {"simulate": plan, "seed": seed})
        )
