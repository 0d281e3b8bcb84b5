"""Two hundred people ask the same new thing at the same moment: it is computed once.

With one exception: an answer that takes no search and no delta set, as with the default evaluator, may be
computed once by each worker.
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
# No evaluator that makes a table at its first use: on a busy machine that takes longer than a claim lives.
CLAIMED = {"tiles": [], "rack": "ADEFG??", "top_n": 200, "evaluator": "heuri5", "sort": "equity"}
CHEAP = {"tiles": [], "rack": "ADEFG??", "top_n": 200, "sort": "equity"}


@pytest.fixture(scope="session")
def bundled_data(bundled: Catalogue) -> Path:
    """The data directory of the bundled lexicon, whose default evaluator needs no delta set."""
    return bundled.table_path("scowl80").parents[1]


def ask_at_once(server: Server, body: dict[str, Any], callers: int) -> tuple[list[tuple[int, bytes]], int]:
    """Ask the same by so many at the same moment; return the answers and how often one was computed."""
    payload = json.dumps(body)
    start = threading.Barrier(callers)
    answers: list[tuple[int, bytes]] = []

    def ask() -> None:
        connection = server.connect()
        connection.connect()
        start.wait(30)
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


@pytest.mark.parametrize(
    ("what", "body", "workers", "with_redis"),
    [
        pytest.param("heuri5", CLAIMED, 1, False, id="claimed-alone"),
        pytest.param("heuri5", CLAIMED, 1, True, id="claimed-redis"),
        pytest.param("heuri5", CLAIMED, 3, True, id="claimed-three"),
        pytest.param("default evaluator", CHEAP, 1, False, id="cheap-alone"),
        pytest.param("default evaluator", CHEAP, 3, True, id="cheap-three"),
    ],
)
def test_equal_cold_requests_are_computed_once(
    bundled_data: Path,
    own_redis: RedisServer,
    what: str,
    body: dict[str, Any],
    workers: int,
    with_redis: bool,
    fault_row: Callable[[str, int, str], None],
) -> None:
    given = Settings(data=bundled_data, lexicon="scowl80", log_level="error")
    expected = create_app(given).test_client().post("/analyze", json=body).data
    chosen = {
        "KIBITZ_LEXICON": "scowl80",
        "KIBITZ_WORKERS": str(workers),
        "KIBITZ_THREADS": str(CALLERS // workers + 20),  # so that all of them can be under way at once
        "KIBITZ_REDIS_TIMEOUT_MS": "1000",  # the machine may be busy, and this is not about time-outs
        "KIBITZ_DRAIN_SECONDS": "0",
    }
    if with_redis:
        chosen["KIBITZ_REDIS_URL"] = own_redis.url
    with running(bundled_data, **chosen) as server:
        answers, computed = ask_at_once(server, body, CALLERS)
    behind = "Redis" if with_redis else "no Redis"
    most = workers if body is CHEAP else 1
    fault_row(
        f"{CALLERS} equal cold requests at once ({what}), {workers} worker{'s' * (workers > 1)}, {behind}",
        CALLERS,
        f"{sum(status != 200 for status, _ in answers)}; computed {computed} of at most {most} times",
    )
    assert len(answers) == CALLERS, "each was answered"
    assert set(answers) == {(200, expected)}
    assert 1 <= computed <= most


@pytest.mark.parametrize(("threads", "refused"), [(24, 0), (4, 10)])
def test_equal_simulations_are_computed_once_and_need_one_slot(
    bundled_data: Path, threads: int, refused: int, fault_row: Callable[[str, int, str], None]
) -> None:
    """Who waits for the search of another takes a seat; without threads to wait in, it is refused."""
    callers = 12
    body = {"tiles": [], "rack": "ADEFGS?", "simulate": {"iterations": 4_000, "candidates": 10}, "seed": 7}
    chosen = {"KIBITZ_LEXICON": "scowl80", "KIBITZ_THREADS": str(threads), "KIBITZ_DRAIN_SECONDS": "0"}
    with running(bundled_data, **chosen) as server:
        answers, computed = ask_at_once(server, body, callers)
        free = server.ask("POST", "/analyze", CHEAP)[0]
    busy = [json.loads(answer) for status, answer in answers if status != 200]
    fault_row(
        f"{callers} equal simulations at once, {threads} threads, 2 of them for heavy work",
        callers,
        f"{len(busy)} refused; computed {computed} time",
    )
    assert len(answers) == callers
    assert len({answer for status, answer in answers if status == 200}) == 1
    assert computed == 1
    assert {problem["code"] for problem in busy} <= {"busy"}
    assert len(busy) <= refused
    assert free == 200
