"""The requests of the four kinds of users, about positions, words and games of one lexicon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

import kibitz
from benchmarks.load.positions import as_seen
from engine import format_cgp
from lab.selfplay.greedy_games import greedy_game

ANALYZE: Final = "POST /analyze"
SEARCH: Final = "POST /analyze, simulation"
JUDGE: Final = "POST /words/judge"
HINT: Final = "POST /hints"
HINT_SEARCH: Final = "POST /hints, search"
ANNOTATE: Final = "POST /games/annotate"
JOB: Final = "GET /jobs/ID"
RESULT: Final = "GET /jobs/ID/result"
ENDPOINTS: Final = (ANALYZE, SEARCH, JUDGE, HINT, HINT_SEARCH, ANNOTATE, JOB, RESULT)

SEED: Final = 18
OPENINGS: Final = 8
"""Searches are about the first turns of a game: the bag is full, so that no endgame is solved."""


@dataclass(frozen=True, slots=True)
class Question:
    """Hold a request; `endpoint` is its row in the report."""

    endpoint: str
    path: str
    body: bytes


Questions = dict[str, list[Question]]


@dataclass(frozen=True, slots=True)
class Amounts:
    """Hold how many questions of each kind are asked in turn, and the rollouts of a simulation."""

    positions: int = 300
    searches: int = 12
    judgements: int = 100
    games: int = 6
    iterations: int = 600


ALL: Final = Amounts()
QUICK: Final = Amounts(12, 2, 6, 2, 5)


def questions_of(lexicon: kibitz.Lexicon, amounts: Amounts) -> Questions:
    """Return the questions of each endpoint; the same at every call."""
    found: Questions = {ANALYZE: [], SEARCH: [], JUDGE: [], HINT: [], HINT_SEARCH: [], ANNOTATE: []}

    def ask(endpoint: str, path: str, **body: Any) -> None:
        found[endpoint].append(Question(endpoint, path, orjson.dumps(body)))

    positions = _positions(lexicon, amounts.positions)
    for number, cgp in enumerate(positions):
        ask(ANALYZE, "/analyze", cgp=cgp, top_n=1 + number % 15, sort=("score", "equity")[number % 2])
        ask(HINT, "/hints", cgp=cgp, level=1 + number % 4, evaluator="greedy")
    plan = {"iterations": amounts.iterations, "candidates": 3, "plies": 2}
    for seed in range(amounts.searches):
        ask(SEARCH, "/analyze", cgp=positions[seed % OPENINGS], simulate=plan, seed=seed)
        ask(HINT_SEARCH, "/hints", cgp=positions[seed * 7 % len(positions)], level=1 + seed % 4)
    words = list(lexicon)
    for number in range(amounts.judgements):
        judged = words[number :: len(words) // 3][:3]
        # The words of every second play are not all valid.
        ask(JUDGE, "/words/judge", words=[*judged, "QZJX"[: 2 + number % 3]] if number % 2 else judged)
    plan = {"iterations": amounts.iterations, "candidates": 3}
    for seed in range(amounts.games):
        ask(ANNOTATE, "/games/annotate", gcg=_record(lexicon, seed), simulate=plan, seed=seed)
    return found


def _positions(lexicon: kibitz.Lexicon, count: int) -> list[str]:
    """Return positions of greedy games as CGP, each as the player on turn sees it."""
    found: list[str] = []
    game = 0
    while len(found) < count:
        for turn in greedy_game(lexicon, SEED, game):
            if turn.position.rack.tiles:
                found.append(format_cgp(as_seen(turn.position)))
        game += 1
    return found[:count]


def _record(lexicon: kibitz.Lexicon, seed: int) -> str:
    """Return the record of a game, as GCG."""
    game = kibitz.Game(lexicon, players=2, seed=seed)
    while not game.is_over:
        game.play(kibitz.best_move(game.position, evaluator="static"))
    return game.to_gcg()
