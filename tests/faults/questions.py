"""The requests sent to servers under load, and the bytes of the right answers."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Final

from engine import Player, format_cgp, format_move
from lab.selfplay.greedy_games import greedy_game
from service.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Lexicon, Position
    from service.settings import Settings

SEED = 20_261_121

FEW: Final = 4  # tiles in the bag up to which draws are looked at here
SEARCHES: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "simulate": (
        {"simulate": {"candidates": 3, "iterations": 30, "plies": 2}},
        {"simulate": {"candidates": 3, "iterations": 30, "plies": 2, "opponent_model": "bayes"}},
        {"phase": "auto", "simulate": {"candidates": 2, "iterations": 20}, "sort": "win_pct"},
    ),
    "preendgame": (
        {"preendgame": {"candidates": 3, "nodes": 200, "table_mb": 1}},
        {"phase": "auto", "preendgame": {"candidates": 2, "bag": FEW, "nodes": 200, "table_mb": 1}},
    ),
    "endgame": (
        {"endgame": {"nodes": 300, "table_mb": 1}},
        {"phase": "auto", "endgame": {"nodes": 200, "table_mb": 1}},
    ),
}
"""Small searches by the phase that they are for, in turn."""


@dataclass(frozen=True)
class Question:
    """A body for POST /analyze, and what is to come back."""

    payload: bytes
    expected: bytes


def positions(lexicon: Lexicon, number: int) -> list[Position]:
    """Return positions from all stages of greedy games, every one another."""
    return list(islice(_positions(lexicon), number))


def _positions(lexicon: Lexicon) -> Iterator[Position]:
    for game in count():
        said = None
        for turn in greedy_game(lexicon, SEED, game):
            own, other = turn.position.players
            yield replace(turn.position, players=(own, replace(other, last_move=said)))
            said = None if turn.play is None else format_move(turn.play, turn.position.tile_set)


def bodies(asked_of: list[Position], every: int = 40) -> list[dict[str, Any]]:
    """Return a request for each position: all sorts of options, and of `every` so many a search.

    `every` is a multiple of four, of which four callers get each its own: so there are never two searches at
    a time, for which there may be no room.
    """
    asked, turns = [], dict.fromkeys(SEARCHES, 0)
    for number, position in enumerate(asked_of):
        body: dict[str, Any] = {"cgp": format_cgp(position), "top_n": 1 + number % 15, "evaluator": "greedy"}
        if number % 5 == 0:
            body |= {"evaluator": "heuri6", "sort": "equity", "include_exchanges": True}
        if number % 5 == 3:
            body["sort"] = "win_pct"
        if number % 7 == 0:
            body["compare"] = ["-", "8H CAB"]
        if number % every == 12 % every:
            bag = position.bag_count()
            phase = "endgame" if bag == 0 else "preendgame" if bag <= FEW else "simulate"
            searches = SEARCHES[phase]
            if phase == "simulate":  # without the opponent's rack, but with its last move
                body["cgp"] = format_cgp(_as_seen(position))
            body |= {"evaluator": "auto", **searches[turns[phase] % len(searches)]}
            turns[phase] += 1
        asked.append(body)
    return asked


def _as_seen(position: Position) -> Position:
    own, other = position.players
    return replace(position, players=(own, Player(other.score, last_move=other.last_move)))


def is_search(body: dict[str, Any]) -> bool:
    """Return whether a request requests a search."""
    return not body.keys().isdisjoint(SEARCHES)


def questions(settings: Settings, lexicon: Lexicon, number: int, every: int = 40) -> list[Question]:
    """Return questions with the answers of an application that has no cache and one thread.

    Searches are asked by one thread and by four in turn; the bytes that are right are the same.
    """
    client = create_app(replace(settings, cache_bytes=0)).test_client()
    found = []

    def answered(body: dict[str, Any]) -> bytes:
        response = client.post("/analyze", json=body)
        assert response.status_code == 200, (body, response.text)
        return response.data

    for place, body in enumerate(bodies(positions(lexicon, number), every)):
        expected = answered(body)
        if is_search(body):
            body = {**body, "threads": 4}
            assert answered(body) == expected, body
            if place // every % 2:
                body = {**body, "threads": 1}
        found.append(Question(json.dumps(body).encode(), expected))
    return found
