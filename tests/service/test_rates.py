"""Rate limits: requests a minute of a network or a key, and the headers about them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
import redis

from service.app import create_app
from service.keys import new_key
from service.settings import Settings
from tests.service.serving import running, wait_until
from tests.service.test_keys import bearer, write_keys

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from tests.service.redis_server import RedisServer


@pytest.mark.parametrize(
    ("host", "limit"),
    [("127.0.0.1", 0), ("::1", 0), ("localhost", 0), ("unix:/run/k", 0), ("0.0.0.0", 60), ("::", 60)],
)
def test_requests_without_a_key_are_limited_unless_on_loopback(host: str, limit: int) -> None:
    assert Settings(host=host).anonymous_per_minute == limit
    assert Settings(host=host, rate_per_minute=7).anonymous_per_minute == 7


def test_each_client_has_its_own_limit_and_a_proxy_names_the_client(settings: Settings) -> None:
    client = create_app(replace(settings, rate_per_minute=3, proxies=1)).test_client()

    def ask(address: str) -> tuple[int, str]:
        # Only what the proxy has appended counts: a client may send any header.
        response = client.get("/version", headers={"X-Forwarded-For": f"6.6.6.6, {address}"})
        return response.status_code, response.headers["RateLimit"].split(";t=")[0]

    assert [ask("192.0.2.1")[0] for _ in range(5)] == [200] * 3 + [429] * 2
    assert ask("192.0.2.2") == (200, '"minute";r=2')
    assert ask("2001:db8::1") == (200, '"minute";r=2')
    assert ask("2001:db8::ffff:2") == (200, '"minute";r=1'), "a /64 network is one client"
    assert ask("2001:db8:0:1::1") == (200, '"minute";r=2')
    assert ask("::ffff:192.0.2.2") == (200, '"minute";r=1')


def test_a_refusal_has_retry_after(settings: Settings) -> None:
    client = create_app(replace(settings, rate_per_minute=1)).test_client()
    allowed, refused = client.get("/version"), client.get("/version")
    assert "Retry-After" not in allowed.headers
    assert refused.content_type == "application/problem+json"
    problem = refused.get_json()
    assert (refused.status_code, problem["code"]) == (429, "rate_limited")
    assert problem["detail"] == "more than 1 requests a minute"
    assert problem["params"] == {"limit": 1, "retry_after": int(refused.headers["Retry-After"])}
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    for response in (allowed, refused):
        assert response.headers["RateLimit"].startswith('"minute";r=0;t=')
        assert response.headers["RateLimit-Policy"] == '"minute";q=1;w=60'
    assert 'kibitz_refused_total{reason="rate"} 1.0' in client.get(
        "/metrics", environ_base={"REMOTE_ADDR": "127.0.0.2"}
    ).text  # fmt: skip


def test_unknown_paths_count_and_probes_do_not(settings: Settings) -> None:
    client = create_app(replace(settings, rate_per_minute=2)).test_client()
    assert "RateLimit" not in client.get("/livez").headers
    assert [client.get("/nowhere").status_code for _ in range(3)] == [404, 404, 429]
    assert client.get("/livez").status_code == 200
    assert client.get("/version").status_code == 429
    assert client.options("/version").status_code == 200, "a browser's preflight can carry no key"


def test_both_prefixes_share_a_limit(settings: Settings) -> None:
    client = create_app(replace(settings, rate_per_minute=2)).test_client()
    assert [client.get(path).status_code for path in ("/version", "/v1/version", "/version")] == [
        200, 200, 429,
    ]  # fmt: skip


def test_a_key_has_a_limit_of_its_own(settings: Settings, tmp_path: Path) -> None:
    key, line = new_key("ann")
    keys = write_keys(tmp_path / "keys", line)
    client = create_app(replace(settings, api_keys=keys, rate_per_minute=1, key_per_minute=3)).test_client()
    assert [client.get("/version").status_code for _ in range(2)] == [200, 429]
    statuses = [client.get("/version", headers=bearer(key)).status_code for _ in range(4)]
    assert statuses == [200] * 3 + [429]


def test_machines_share_a_limit_in_redis_and_count_alone_without_it(
    settings: Settings, own_redis: RedisServer
) -> None:
    """Each application represents a machine."""
    limited = replace(settings, redis_url=own_redis.url, rate_per_minute=5)
    machines = [create_app(limited).test_client() for _ in range(2)]

    def statuses(count: int) -> list[int]:
        return [machines[number % 2].get("/version").status_code for number in range(count)]

    assert statuses(7) == [200] * 5 + [429] * 2
    own_redis.kill()
    assert statuses(12) == [200] * 10 + [429] * 2
    own_redis.start()
    for number, machine in enumerate(machines):
        wait_until(partial(counts_in_redis, machine, own_redis, f"192.0.2.{number}"))
    assert statuses(6) == [200] * 5 + [429]


def test_requests_at_the_moment_in_which_redis_hangs_are_answered(
    settings: Settings, own_redis: RedisServer
) -> None:
    limited = replace(settings, redis_url=own_redis.url, rate_per_minute=1000)
    client = create_app(limited).test_client()
    assert client.get("/version").status_code == 200
    own_redis.freeze()
    start = Barrier(16)

    def ask(_: int) -> int:
        start.wait(60)
        return client.application.test_client().get("/version").status_code

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(ask, range(16))) == {200}
    own_redis.thaw()


def test_redis_may_fail_after_the_count(settings: Settings, own_redis: RedisServer) -> None:
    app = create_app(replace(settings, redis_url=own_redis.url, rate_per_minute=1000))

    @app.get("/kill")
    def kill() -> str:
        own_redis.kill()
        return "done"

    response = app.test_client().get("/kill")
    assert (response.status_code, response.text) == (200, "done")
    assert response.headers["RateLimit"].startswith('"minute";r=999;')


def counts_in_redis(client: FlaskClient, server: RedisServer, address: str) -> bool:
    client.get("/version", environ_base={"REMOTE_ADDR": address})
    with redis.Redis.from_url(server.url) as raw:
        return any(raw.scan_iter(f"*{address}*"))


def test_the_limit_holds_over_workers_that_share_a_redis(data: Path, own_redis: RedisServer) -> None:
    with running(
        data,
        KIBITZ_WORKERS="2",
        KIBITZ_REDIS_URL=own_redis.url,
        KIBITZ_RATE_PER_MINUTE="7",
    ) as server:
        assert [server.ask("GET", "/version")[0] for _ in range(10)] == [200] * 7 + [429] * 3


@pytest.mark.process
def test_a_refused_body_is_read_so_that_its_answer_arrives(data: Path) -> None:
    with running(data, KIBITZ_RATE_PER_MINUTE="1") as server:
        connection = server.connect()
        for expected in (413, 429, 429):
            connection.request("POST", "/analyze", b" " * 900_000, {"Content-Type": "application/json"})
            response = connection.getresponse()
            assert response.status == expected
            assert json.loads(response.read())["status"] == expected
        connection.close()
