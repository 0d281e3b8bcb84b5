"""Long work to ask for, and how the tests of jobs submit, follow and find it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from service.resources import examples
from service.schemas.jobs import JobSchema
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

ASYNC = {"Prefer": "respond-async"}
GAME = examples.GAMES["game"]["value"]
RACK = {"tiles": [], "rack": "CABDEFE", "top_n": 2}


def search(seed: int, iterations: int = 200, **options: Any) -> dict[str, Any]:
    plan = {"iterations": iterations, "candidates": 5, "plies": 4, "method": "heuri_samp"}
    return {**RACK, "simulate": plan, "seed": seed, "max_ms": 10_000} | options


def endless(seed: int) -> dict[str, Any]:
    plan = {"iterations": 200_000, "candidates": 100, "plies": 10, "method": "monte_carlo"}
    return {**RACK, "simulate": plan, "seed": seed, "max_ms": 60_000}


def submit(client: FlaskClient, path: str, body: Any, **options: Any) -> str:
    """Submit and return the job's address."""
    headers = ASYNC | options.pop("headers", {})
    response = client.post(path, json=body, headers=headers, **options)
    assert response.status_code == 202, response.text
    job = response.get_json()
    assert response.headers["Location"] == f"/jobs/{job['id']}"
    assert response.headers["Preference-Applied"] == "respond-async"
    JobSchema().load(job)
    assert list(job) == list(JobSchema().fields)
    return response.headers["Location"]


def ended(client: FlaskClient, address: str) -> dict[str, Any]:
    """Wait for the end of a job and return it."""
    wait_until(lambda: client.get(address).get_json()["state"] not in ("queued", "running"), 40)
    job: dict[str, Any] = client.get(address).get_json()
    return job


def code(response: TestResponse) -> tuple[int, str]:
    assert response.mimetype == "application/problem+json"
    return response.status_code, response.get_json()["code"]


class Bomb:
    """Bytes that would end this process if it unpickled them."""

    def __reduce__(self) -> Any:
        return os._exit, (3,)


def leave_a_trace(*_: object) -> None:
    """Create the file that the variable TRACE names: a function that Redis may name and nothing may call."""
    Path(os.environ["TRACE"]).touch()
