"""The same answers, byte for byte, with every configuration of cache, threads and workers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.faults.questions import SEARCHES, Question, bodies, is_search, positions, questions
from tests.service.serving import running

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine import Lexicon
    from service.settings import Settings
    from tests.service.redis_server import RedisServer

CALLERS = 4
OFF = {"KIBITZ_CACHE_BYTES": "0"}
ON = {"KIBITZ_CACHE_BYTES": str(64 << 20)}
REDIS = {"KIBITZ_REDIS_URL": "of the test"}
SETUPS: dict[str, dict[str, str]] = {
    "no cache, 1 worker": OFF,
    "no cache, 3 workers of 8 threads": {**OFF, "KIBITZ_THREADS": "8", "KIBITZ_WORKERS": "3"},
    "cache, 1 worker": ON,
    "Redis alone, 1 worker": {**REDIS, **OFF},
    "Redis with a secret, 3 workers": {**REDIS, "KIBITZ_CACHE_KEY": "secret", "KIBITZ_WORKERS": "3"},
}


@pytest.fixture(scope="session")
def hundred(settings: Settings, lexicon: Lexicon) -> list[Question]:
    return questions(settings, lexicon, 100, every=4)


@pytest.fixture(scope="session")
def thousand(settings: Settings, lexicon: Lexicon) -> list[Question]:
    return questions(settings, lexicon, 1_000, every=4)


def test_all_kinds_of_questions_are_asked(lexicon: Lexicon) -> None:
    """Every kind of search, named and chosen by the phase, and win% as the order."""
    hundred = bodies(positions(lexicon, 100), every=4)
    assert sum(map(is_search, hundred)) == 25
    assert all(any(phase in body for body in hundred) for phase in SEARCHES)
    asked = bodies(positions(lexicon, 400), every=4)
    for phase, searches in SEARCHES.items():
        for search in searches:
            assert any(search.items() <= body.items() for body in asked), (phase, search)
    assert {body["sort"] for body in asked if not is_search(body) and "sort" in body} == {"equity", "win_pct"}


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("wanted", ["hundred", pytest.param("thousand", marks=pytest.mark.slow)])
def test_the_answers_are_those_of_a_bare_application(
    data: Path,
    own_redis: RedisServer,
    request: pytest.FixtureRequest,
    setup: str,
    wanted: str,
    fault_row: Callable[[str, int, str], None],
) -> None:
    """Each question twice: the second answer may come out of the cache."""
    asked: list[Question] = request.getfixturevalue(wanted)
    chosen = {**SETUPS[setup], "KIBITZ_LOG_LEVEL": "error"}
    if "KIBITZ_REDIS_URL" in chosen:
        chosen["KIBITZ_REDIS_URL"] = own_redis.url
    with running(data, **chosen) as server:

        def ask(part: int) -> list[int]:
            """Ask every fourth question; return the numbers of those with another answer."""
            others = []
            connection = server.connect()
            for number in range(part, len(asked), CALLERS):
                question = asked[number]
                for _ in range(2):
                    connection.request(
                        "POST", "/analyze", question.payload, {"Content-Type": "application/json"}
                    )
                    response = connection.getresponse()
                    if response.read() != question.expected or response.status != 200:
                        others.append(number)
            connection.close()
            return others

        with ThreadPoolExecutor(CALLERS) as pool:
            others = sorted(number for part in pool.map(ask, range(CALLERS)) for number in part)
        cached = server.metric('kibitz_answers_total{source="cached"}')
    fault_row(f"{len(asked):,} positions twice, {setup}", 2 * len(asked), f"{len(others)} other bytes")
    assert others == []
    if "no cache" not in setup:
        stored = len(asked) // 4 if "Redis alone" in setup else len(asked)  # it stores answers of searches
        assert cached >= min(stored, len(asked) // 2), "the cache was used"
