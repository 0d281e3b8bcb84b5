"""Search slots of a real server: a client that waits for each answer is never refused."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from service.view_rules import NDJSON
from tests.service.long_work import GAME, RACK
from tests.service.serving import running

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

JSON = {"Content-Type": "application/json"}
LINES = "\n".join(json.dumps({**RACK, "id": number}) for number in range(3))

REQUESTS = {
    "annotate": ("/games/annotate", json.dumps(GAME), JSON),
    "annotate-lines": ("/games/annotate", json.dumps(GAME), {**JSON, "Accept": NDJSON}),
    "batch": ("/batch", json.dumps([RACK, GAME]), JSON),
    "batch-lines": ("/batch", LINES, {"Content-Type": NDJSON}),
    "search": ("/analyze", json.dumps({**RACK, "simulate": {"iterations": 50}}), JSON),
}


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_one_client_with_a_new_connection_for_each_request_is_never_refused(data: Path, workers: str) -> None:
    """It was, for up to 35 % of its records: the slot was given back after the answer had been sent."""
    with running(data, KIBITZ_SEARCHES="1", KIBITZ_WORKERS=workers) as server:
        for number in range(60):
            path, body, headers = list(REQUESTS.values())[number % len(REQUESTS)]
            status, _, answer = server.ask("POST", path, body, headers)
            assert status == 200, (number, answer)


def test_streams_wait_for_a_slot_once_they_have_begun(data: Path) -> None:
    """At the same time with one slot: each is refused at its start, or answered completely."""
    lines = "\n".join(json.dumps({**RACK, "id": number, "seed": number}) for number in range(200))

    with running(data, KIBITZ_SEARCHES="1", KIBITZ_THREADS="16") as server:

        def ask(_: int) -> tuple[int, int]:
            status, _, answer = server.ask("POST", "/batch", lines, {"Content-Type": NDJSON})
            return status, len(answer.splitlines())

        with ThreadPoolExecutor(6) as pool:
            found = set(pool.map(ask, range(12)))
    assert (200, 200) in found
    assert found <= {(200, 200), (503, 1)}
