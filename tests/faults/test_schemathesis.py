"""schemathesis with every phase and every check, over HTTP, against a real server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.service.serving import ROOT, Worker, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.service.redis_server import RedisServer

# What schemathesis cannot know: that a well-formed position may be impossible (422) and a name unknown (404),
# and that what is too long in bytes is refused before anything is read (413, 414). It asks one thing at a
# time, so that nothing need be put off (503).
CONFIGURATION = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "304", "404", "413", "414", "422"]
[checks.negative_data_rejection]
expected-statuses = ["400", "404", "405", "411", "413", "414", "415", "422"]
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx"]

# Without a key there is no list of jobs.
[[operations]]
include-name = "GET /jobs"
[operations.checks.positive_data_acceptance]
expected-statuses = ["401"]

# A wrong line is answered in its place and does not end the batch.
[[operations]]
include-name = "POST /batch"
[operations.checks.negative_data_rejection]
expected-statuses = ["200", "202", "400", "404", "405", "411", "413", "414", "415", "422", "503"]
"""


@contextmanager
def a_worker(data: Path, redis_url: str) -> Iterator[None]:
    """Run a process that does the jobs; without one their streams of events never end."""
    worker = Worker(data, redis_url)
    try:
        yield
    finally:
        worker.kill()


@pytest.mark.slow
def test_schemathesis_with_every_check_finds_nothing(
    data: Path, own_redis: RedisServer, tmp_path: Path, fault_row: Callable[[str, int, str], None]
) -> None:
    """Two workers with a Redis, without which they would have no jobs, and a process that does the jobs."""
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), "--no-color"),
        *("--config-file", str(tmp_path / "schemathesis.toml"), "run"),
        # A cancelled job stays, with what it had found.
        *("--checks", "all", "--exclude-checks", "use_after_free", "--continue-on-failure"),
        *("--phases", "examples,coverage,fuzzing,stateful"),
        *("--max-examples", "60", "--seed", "1", "--suppress-health-check", "all"),
    ]
    chosen = {"KIBITZ_WORKERS": "2", "KIBITZ_REDIS_URL": own_redis.url}
    with running(data, **chosen) as server, a_worker(data, own_redis.url):
        done = subprocess.run(
            [*command, f"http://127.0.0.1:{server.port}/openapi.json"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "SCHEMATHESIS_HOOKS": "tests.faults.schemathesis_hooks",
            },
        )
        code, lines, _ = server.stop()
    said = "\n".join(line[:300] for line in done.stdout.splitlines()[-200:]) + done.stderr
    generated = re.search(r"([\d,]+) generated", said)
    fault_row(
        "schemathesis, every phase and check, over HTTP",
        int(generated[1].replace(",", "")) if generated else 0,
        "0" if done.returncode == 0 else "some",
    )
    assert done.returncode == 0, said
    assert code == 0
    assert [line for line in lines if line["level"] in ("error", "critical")] == []
