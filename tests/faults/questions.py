"""What the servers under fire are asked, and the only bytes that are right for an answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from engine import format_cgp, greedy_game
from service.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Lexicon
    from service.settings import Settings

SEED = 20_261_121


@dataclass(frozen=True)
class Question:
    """A body for POST /analyze, and what is to come back."""

    payload: bytes
    expected: bytes


def positions(lexicon: Lexicon, number: int) -> list[str]:
    """Return CGPs from all stages of greedy games, every one another."""
    return list(islice(_positions(lexicon), number))


def _positions(lexicon: Lexicon) -> Iterator[str]:
    for game in count():
        for turn in greedy_game(lexicon, SEED, game):
            yield format_cgp(turn.position)


def bodies(cgps: list[str]) -> list[dict[str, Any]]:
    """Return a request for each position: all sorts of options, and now and then a search."""
    asked = []
    for number, cgp in enumerate(cgps):
        body: dict[str, Any] = {"cgp": cgp, "top_n": 1 + number % 15, "evaluator": "greedy"}
        if number % 5 == 0:
            body |= {"evaluator": "heuri6", "sort": "equity", "include_exchanges": True}
        if number % 7 == 0:
            body["compare"] = ["-", "8H CAB"]
        if number % 40 == 12:  # never two at a time, for which there may be no room
            body |= {"evaluator": "auto", "simulate": {"candidates": 3, "iterations": 30, "plies": 2}}
        asked.append(body)
    return asked


def questions(settings: Settings, lexicon: Lexicon, number: int) -> list[Question]:
    """Return questions with the answers of an application that has no cache and one thread."""
    client = create_app(replace(settings, cache_bytes=0)).test_client()
    found = []
    for body in bodies(positions(lexicon, number)):
        response = client.post("/analyze", json=body)
        assert response.status_code == 200, response.text
        found.append(Question(json.dumps(body).encode(), response.data))
    return found
