"""Owners of jobs: secret ids, API keys, idempotency keys, and the limits of each caller."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from service.app import create_app
from service.keys import new_key
from service.view_rules import NDJSON
from tests.service.long_work import ASYNC, GAME, RACK, code, ended, endless, search, submit
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from service.settings import Settings
    from tests.service.redis_server import RedisServer


@pytest.fixture(params=["threaded", "queued"])
def make(
    request: pytest.FixtureRequest, settings: Settings, own_redis: RedisServer
) -> Iterator[Callable[..., FlaskClient]]:
    """A function that returns a client of an application with either back end; there is no worker."""
    applications = []

    def make_client(**changes: Any) -> FlaskClient:
        url = own_redis.url if request.param == "queued" else ""
        app = create_app(replace(settings, redis_url=url, **changes))
        applications.append(app)
        return app.test_client()

    yield make_client
    for app in applications:
        app.extensions["kibitz"].jobs.close()


@pytest.fixture
def keys(tmp_path: Path) -> dict[str, dict[str, str]]:
    """The header of each owner of a key; the keys are in the file `keys` of tmp_path."""
    headers = {}
    lines = []
    for name in ("ann", "bob"):
        key, line = new_key(name)
        headers[name] = {"Authorization": f"Bearer {key}"}
        lines.append(line)
    (tmp_path / "keys").write_text("\n".join(lines))
    (tmp_path / "keys").chmod(0o600)
    return headers


def listed(client: FlaskClient, headers: dict[str, str]) -> list[str]:
    response = client.get("/jobs", headers=headers)
    assert response.status_code == 200
    return [f"/jobs/{job['id']}" for job in response.get_json()["jobs"]]


def test_without_keys_the_id_is_the_credential(make: Callable[..., FlaskClient]) -> None:
    client = make()
    addresses = [submit(client, "/analyze", endless(1)) for _ in range(3)]
    assert len(set(addresses)) == 3, "equal requests have jobs of their own"
    assert all(re.fullmatch("/jobs/[0-9a-f]{32}", address) for address in addresses)
    elsewhere: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": "203.0.113.7"}}
    assert client.get(addresses[1], **elsewhere).status_code == 200
    assert client.delete(addresses[1], **elsewhere).get_json()["state"] == "cancelled"
    for address in (addresses[0], addresses[2]):
        assert client.get(address).get_json()["state"] in ("queued", "running"), (
            "cancelling mine is not yours"
        )
    assert code(client.get("/jobs")) == (401, "key_required")
    assert client.get("/jobs").headers["WWW-Authenticate"]


def test_with_keys_a_job_belongs_to_its_key(
    make: Callable[..., FlaskClient], keys: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    client = make(api_keys=tmp_path / "keys")
    mine = [submit(client, "/analyze", endless(2), headers=keys["ann"]) for _ in range(2)]
    yours = submit(client, "/analyze", endless(2), headers=keys["bob"])
    anonymous = submit(client, "/analyze", endless(2))
    assert len({*mine, yours, anonymous}) == 4
    for other in (keys["bob"], {}):
        for address in (mine[0], mine[0] + "/result", mine[0] + "/events"):
            assert code(client.get(address, headers=other)) == (404, "unknown_job")
        assert code(client.delete(mine[0], headers=other)) == (404, "unknown_job")
    assert listed(client, keys["ann"]) == mine[::-1]
    assert listed(client, keys["bob"]) == [yours]
    assert code(client.get("/jobs")) == (401, "key_required")
    assert client.get(anonymous).status_code == 200
    assert client.delete(mine[0], headers=keys["ann"]).get_json()["state"] == "cancelled"
    assert client.get(yours, headers=keys["bob"]).get_json()["state"] in ("queued", "running")
    assert client.get(mine[1], headers=keys["ann"]).get_json()["state"] in ("queued", "running")


def test_an_idempotency_key_repeats_a_request(
    make: Callable[..., FlaskClient], keys: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    client = make(api_keys=tmp_path / "keys")
    ann, bob = ({**header, "Idempotency-Key": "k-1"} for header in keys.values())
    first = submit(client, "/analyze", endless(3), headers=ann)
    assert submit(client, "/analyze", endless(3), headers=ann) == first
    assert submit(client, "/analyze", endless(3), headers=bob) != first
    assert submit(client, "/analyze", endless(3), headers={**ann, "Idempotency-Key": "k-2"}) != first
    reused = client.post("/analyze", json=endless(4), headers={**ASYNC, **ann})
    assert code(reused) == (422, "idempotency_key_reused")
    assert client.delete(first, headers=ann).get_json()["state"] == "cancelled"
    assert submit(client, "/analyze", endless(3), headers=ann) == first, "it was cancelled, and stays so"
    for key in ("", "x" * 256):
        refused = client.post("/analyze", json=endless(3), headers={**ASYNC, "Idempotency-Key": key})
        assert code(refused) == (422, "out_of_range")
        for path, body in (("/analyze", RACK), ("/games/annotate", GAME), ("/batch", [RACK])):
            at_once = client.post(path, json=body, headers={"Idempotency-Key": key})
            assert code(at_once) == (422, "out_of_range"), "although it submits no job"


def test_simultaneous_requests_with_one_idempotency_key_are_one_job(make: Callable[..., FlaskClient]) -> None:
    client = make()

    def ask(_: int) -> str:
        own = client.application.test_client()
        return submit(own, "/analyze", endless(3), headers={"Idempotency-Key": "same"})

    with ThreadPoolExecutor(8) as pool:
        addresses = set(pool.map(ask, range(16)))
    assert len(addresses) == 1
    assert counted(client, "kibitz_jobs", "queued", "running") == 1


def test_the_queue_has_a_limit(make: Callable[..., FlaskClient]) -> None:
    client = make(jobs_queued=1)
    address = submit(client, "/analyze", endless(14))
    refused = client.post("/batch", json=[RACK], headers=ASYNC)
    assert code(refused) == (503, "queue_full")
    assert refused.headers["Retry-After"]
    assert counted(client, "kibitz_refused_total", "queue_full") == 1
    assert counted(client, "kibitz_jobs", "queued", "running") == 1
    client.delete(address)
    assert counted(client, "kibitz_jobs", "cancelled") == 1
    assert counted(client, "kibitz_jobs", "queued", "running") == 0
    client.delete(submit(client, "/batch", [RACK]))


def test_the_queue_is_bounded_in_bytes(make: Callable[..., FlaskClient]) -> None:
    """In tiles drawn at random, which Redis cannot store in much less."""
    client = make(max_batch_bytes=10_000)
    draw = Random(1)

    def batch() -> str:
        racks = ["".join(draw.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=7)) for _ in range(500)]
        return "\n".join(f'{{"rack":"{rack}"}}' for rack in racks)

    def submitted() -> TestResponse:
        return client.post("/batch", data=batch(), content_type=NDJSON, headers=ASYNC)

    first = submit(client, "/analyze", endless(1))
    responses = [submitted() for _ in range(16)]
    accepted = [one.headers["Location"] for one in responses if one.status_code == 202]
    assert 2 <= len(accepted) <= 12
    assert {code(one) for one in responses if one.status_code != 202} == {(503, "queue_full")}
    for address in accepted[:2]:
        assert client.delete(address).get_json()["state"] == "cancelled"
    assert submitted().status_code == 202
    client.delete(first)


def test_one_caller_cannot_fill_the_queue(
    make: Callable[..., FlaskClient], keys: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    client = make(jobs_per_caller=2, api_keys=tmp_path / "keys")
    mine = [submit(client, "/analyze", endless(seed)) for seed in (30, 31)]
    refused = client.post("/batch", json=[RACK], headers=ASYNC)
    assert code(refused) == (429, "too_many_jobs")
    assert refused.get_json()["params"] == {"limit": 2}
    assert refused.headers["Retry-After"]
    assert counted(client, "kibitz_refused_total", "too_many_jobs") == 1
    client.delete(submit(client, "/analyze", endless(32), headers=keys["ann"]), headers=keys["ann"])
    client.delete(mine[0])
    client.delete(submit(client, "/batch", [RACK]))


def counted(client: FlaskClient, name: str, *labels: str) -> float:
    """Add up the samples of a metric that have one of these labels, at one moment."""
    one = "|".join(labels)
    found = re.findall(
        rf'^{name}\{{[^}}]*="(?:{one})"[^}}]*\}} (\S+)$', client.get("/metrics").text, re.MULTILINE
    )
    return sum(map(float, found))


def test_results_are_stored_up_to_a_number_of_bytes(settings: Settings) -> None:
    client = create_app(replace(settings, job_bytes=9_000)).test_client()
    first, second = (submit(client, "/games/annotate", {**GAME, "endgame_nodes": n}) for n in (1, 2))
    assert ended(client, second)["state"] == "done"
    assert client.get(first).status_code == 404


@pytest.mark.parametrize(
    ("path", "body"), [("/batch", [RACK] * 9), ("/analyze", search(1)), ("/games/annotate", GAME)]
)
def test_a_result_larger_than_the_store_is_a_problem(settings: Settings, path: str, body: Any) -> None:
    client = create_app(replace(settings, job_bytes=200)).test_client()
    job = ended(client, submit(client, path, body))
    assert (job["state"], job["problem"]["code"]) == ("failed", "result_too_large")
    assert code(client.get(f"/jobs/{job['id']}/result")) == (422, "result_too_large")


def test_results_expire(make: Callable[..., FlaskClient]) -> None:
    client = make(job_seconds=1)
    address = submit(client, "/analyze", endless(6))
    client.delete(address)
    wait_until(lambda: client.get(address).status_code == 404)


def test_closing_stops_the_jobs_of_this_process(settings: Settings) -> None:
    app = create_app(settings)
    client = app.test_client()
    first, second = (submit(client, "/analyze", endless(seed)) for seed in (7, 8))
    wait_until(lambda: client.get(first).get_json()["state"] == "running")
    app.extensions["kibitz"].jobs.close()
    job = ended(client, first)
    assert job["state"] == "done"
    found = client.get(job["result"]).get_json()
    assert found["provenance"]["stopped_by"] == "deadline", "long before its minute was over"
    assert client.get(second).get_json()["state"] == "queued"
    assert client.post("/analyze", json=search(9), headers=ASYNC).status_code == 200, "done at once instead"
