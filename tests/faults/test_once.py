"""Two hundred clients send the same new request at the same moment: it is computed once.

With several workers, a search is computed once by all of them if they share a Redis; an answer without a
search, which takes a millisecond, by each of them.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from service.app import create_app
from service.settings import Settings
from tests.service.serving import running

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine import Catalogue
    from tests.service.redis_server import RedisServer
    from tests.service.serving import Server

CALLERS = 200
QUICK = {"tiles": [], "rack": "ADEFG??", "top_n": 200, "evaluator": "heuri5", "sort": "equity"}
SEARCH = {"tiles": [], "rack": "ADEFGS?", "simulate": {"iterations": 4_000, "candidates": 10}, "seed": 7}


@pytest.fixture(scope="session")
def bundled_data(bundled: Catalogue) -> Path:
    """The data directory of the bundled lexicon."""
    return bundled.table_path("scowl80").parents[1]


def ask_at_once(server: Server, body: dict[str, Any], callers: int) -> tuple[list[tuple[int, bytes]], int]:
    """Send the same request `callers` times at once; return the answers and how often one was computed."""
    payload = json.dumps(body)
    start = threading.Barrier(callers)
    answers: list[tuple[int, bytes]] = []

    def ask() -> None:
        connection = server.connect()
        connection.connect()
        start.wait(60)
        connection.request("POST", "/analyze", payload, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answers.append((response.status, response.read()))
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers, round(server.metric('kibitz_answers_total{source="computed"}'))


@pytest.mark.parametrize(("workers", "with_redis"), [(1, False), (1, True), (3, True)])
def test_equal_requests_are_computed_once_by_each_worker(
    bundled_data: Path,
    own_redis: RedisServer,
    workers: int,
    with_redis: bool,
    fault_row: Callable[[str, int, str], None],
) -> None:
    given = Settings(data=bundled_data, lexicon="scowl80", log_level="error")
    expected = create_app(given).test_client().post("/analyze", json=QUICK).data
    chosen = {
        "KIBITZ_LEXICON": "scowl80",
        "KIBITZ_WORKERS": str(workers),
        "KIBITZ_THREADS": str(CALLERS + 20),  # so that all requests can be in flight at once
    }
    if with_redis:
        chosen["KIBITZ_REDIS_URL"] = own_redis.url
    with running(bundled_data, **chosen) as server:
        answers, computed = ask_at_once(server, QUICK, CALLERS)
    behind = "Redis" if with_redis else "no Redis"
    fault_row(
        f"{CALLERS} equal cold requests at once, {workers} worker{'s' * (workers > 1)}, {behind}",
        CALLERS,
        f"{sum(status != 200 for status, _ in answers)}; computed {computed} of at most {workers} times",
    )
    assert len(answers) == CALLERS, "each was answered"
    assert set(answers) == {(200, expected)}
    assert 1 <= computed <= workers


@pytest.mark.parametrize(
    ("workers", "threads", "refused"),
    [
        pytest.param(1, 80, 0, id="one-worker"),
        pytest.param(3, 80, 0, id="three-workers"),
        pytest.param(1, 8, 8, id="few-threads"),
    ],
)
def test_equal_searches_are_computed_once_and_need_one_slot(
    bundled_data: Path,
    own_redis: RedisServer,
    workers: int,
    threads: int,
    refused: int,
    fault_row: Callable[[str, int, str], None],
) -> None:
    """Half of the threads may wait for searches; a request beyond them is refused."""
    callers = 12
    chosen = {
        "KIBITZ_LEXICON": "scowl80",
        "KIBITZ_WORKERS": str(workers),
        "KIBITZ_THREADS": str(threads),
        "KIBITZ_SEARCHES": "1",
        "KIBITZ_REDIS_URL": own_redis.url,
    }
    with running(bundled_data, **chosen) as server:
        answers, computed = ask_at_once(server, SEARCH, callers)
        free = server.ask("POST", "/analyze", QUICK)[0]
    busy = [json.loads(answer) for status, answer in answers if status != 200]
    fault_row(
        f"{callers} equal simulations at once, {workers} worker{'s' * (workers > 1)} of {threads} threads",
        callers,
        f"{len(busy)} refused; computed {computed} time",
    )
    assert len(answers) == callers
    assert len({answer for status, answer in answers if status == 200}) == 1
    assert computed == 1
    assert {problem["code"] for problem in busy} <= {"busy"}
    assert len(busy) <= refused
    assert free == 200
