"""Two hundred people ask the same new thing at the same moment: it is computed once."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest

from service.app import create_app
from tests.service.serving import running

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from service.settings import Settings
    from tests.service.redis_server import RedisServer

CALLERS = 200
# No evaluator that makes a table at its first use: on a busy machine that takes longer than a claim lives.
BODY = {"tiles": [], "rack": "ADEFG??", "top_n": 200, "evaluator": "heuri5", "sort": "equity"}


@pytest.mark.parametrize(("workers", "with_redis"), [(1, False), (1, True), (3, True)])
def test_equal_cold_requests_are_computed_once(
    data: Path,
    settings: Settings,
    own_redis: RedisServer,
    workers: int,
    with_redis: bool,
    fault_row: Callable[[str, int, str], None],
) -> None:
    expected = create_app(settings).test_client().post("/analyze", json=BODY).data
    chosen = {
        "KIBITZ_WORKERS": str(workers),
        "KIBITZ_THREADS": str(CALLERS // workers + 20),  # so that all of them can be under way at once
        "KIBITZ_REDIS_TIMEOUT_MS": "1000",  # the machine may be busy, and this is not about time-outs
        "KIBITZ_DRAIN_SECONDS": "0",
    }
    if with_redis:
        chosen["KIBITZ_REDIS_URL"] = own_redis.url
    with running(data, **chosen) as server:
        payload = json.dumps(BODY)
        start = threading.Barrier(CALLERS)
        answers: list[tuple[int, bytes]] = []
        faults: list[Exception] = []

        def ask() -> None:
            try:
                connection = server.connect()
                connection.connect()
                start.wait()
                connection.request("POST", "/analyze", payload, {"Content-Type": "application/json"})
                response = connection.getresponse()
                answers.append((response.status, response.read()))
                connection.close()
            except Exception as error:
                faults.append(error)

        threads = [threading.Thread(target=ask) for _ in range(CALLERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        computed = server.metric('kibitz_answers_total{source="computed"}')
    behind = "Redis" if with_redis else "no Redis"
    fault_row(
        f"{CALLERS} equal cold requests at once, {workers} worker{'s' * (workers > 1)}, {behind}",
        CALLERS,
        f"{len(faults) + sum(status != 200 for status, _ in answers)}; computed {computed:.0f} time",
    )
    assert faults == []
    assert set(answers) == {(200, expected)}
    assert len(answers) == CALLERS
    assert computed == 1
