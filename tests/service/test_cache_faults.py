"""Redis killed, hung, returning garbage or dripping: the answer is the same, only computed."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import redis

from service.app import create_app
from service.cache.breaker import Breaker
from service.cache.envelope import seal
from service.cache.redis import PREFIX, RedisStore
from service.cache.writer import MOST_BYTES, Writer
from tests.service.impostor import REPLIES, impostor_at
from tests.service.redis_server import Settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from flask.testing import FlaskClient

    from service.settings import Settings
    from tests.service.redis_server import RedisServer

BODIES = [{"tiles": [], "rack": rack, "include_exchanges": True} for rack in ("CABDEFE", "AEE?", "GHOST")]

# An evaluator that looks at delta sets: boards are kept with theirs, but not without.
WITH_BOARD = [{**body, "evaluator": "heuri5"} for body in BODIES]


@pytest.fixture(scope="module")
def expected(settings: Settings) -> list[bytes]:
    """The answers without any cache."""
    client = create_app(replace(settings, cache_bytes=0)).test_client()
    return answers(client)


def answers(client: FlaskClient, bodies: Sequence[dict[str, object]] = BODIES) -> list[bytes]:
    responses = [client.post("/analyze", json=body) for body in bodies]
    assert [response.status_code for response in responses] == [200] * len(bodies)
    return [response.data for response in responses]


def misses(client: FlaskClient) -> int:
    timings = [client.post("/analyze", json=body).headers["Server-Timing"] for body in BODIES]
    return sum('desc="miss"' in timing for timing in timings)


def is_open(client: FlaskClient) -> bool:
    """Tell whether Redis is left alone for a while."""
    return "kibitz_cache_breaker_open 1.0" in client.get("/metrics").text


def client_of(settings: Settings, url: str, pause: float = 0.2) -> FlaskClient:
    store = Settled(url, timeout=0.05, breaker=Breaker(failures=2, pause=pause))
    return create_app(settings, store=store).test_client()


def test_warm_redis_gives_the_same_bytes(
    settings: Settings, own_redis: RedisServer, expected: list[bytes]
) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    assert misses(client) == 0
    assert answers(client) == expected
    other = client_of(settings, own_redis.url)  # another process would see the same
    assert misses(other) == 0
    assert answers(other) == expected


def test_the_loaded_board_is_shared_by_racks(settings: Settings, own_redis: RedisServer) -> None:
    client = client_of(settings, own_redis.url)
    answers(client, WITH_BOARD)
    with redis.Redis.from_url(own_redis.url) as raw:
        kept = len(BODIES) + 2  # the answers, one board, its delta set
        assert len(list(raw.scan_iter(PREFIX + "*"))) == kept
        answers(client, BODIES[:1])
        assert len(list(raw.scan_iter(PREFIX + "*"))) == kept + 1, "no board without a delta set"


def test_redis_killed(settings: Settings, own_redis: RedisServer, expected: list[bytes]) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    own_redis.kill()
    assert answers(client) == expected
    own_redis.start()
    time.sleep(0.25)
    assert answers(client) == expected
    assert misses(client) == 0


def test_redis_hung(settings: Settings, own_redis: RedisServer, expected: list[bytes]) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    own_redis.freeze()
    for _ in range(5):
        assert answers(client) == expected
    assert is_open(client)
    own_redis.thaw()
    time.sleep(0.25)
    assert answers(client) == expected
    assert misses(client) == 0


def test_what_is_at_hand_needs_no_redis(
    settings: Settings, own_redis: RedisServer, expected: list[bytes]
) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    assert answers(client) == expected
    own_redis.kill()
    assert misses(client) == 0
    assert answers(client) == expected
    fresh = {**BODIES[0], "rack": "DEAF"}
    assert answers(client, [fresh, fresh, *BODIES])[2:] == expected, "Redis is found gone, and left alone"
    own_redis.start()
    other = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    assert misses(other) == len(BODIES), "it is a new Redis, which was told nothing"
    assert misses(client) == 0


def test_redis_full(settings: Settings, own_redis: RedisServer, expected: list[bytes]) -> None:
    """It answers, but takes nothing: no write, no claim."""
    with redis.Redis.from_url(own_redis.url) as raw:
        raw.config_set("maxmemory", 1)
        client = client_of(settings, own_redis.url)
        for _ in range(3):
            assert answers(client) == expected
        raw.config_set("maxmemory", 0)
        time.sleep(0.25)
        answers(client)
        assert answers(client) == expected
        assert misses(client) == 0


def test_what_nobody_waits_for_is_stored_soon(own_redis: RedisServer) -> None:
    store = RedisStore(own_redis.url)
    store.put_many({"first": b"1", "second": b"2"})
    store.put_many({"third": b"3", "second": b"later"})
    for _ in range(1000):  # before, while and after it is stored
        assert store.get_many(["second", "none"]) == [b"later", None]
    assert store.settle()
    assert store.get_many(["third", "none", "first", "second"]) == [b"3", None, b"1", b"later"]
    with redis.Redis.from_url(own_redis.url) as raw:
        raw.config_set("maxmemory", 1)
        store.put_many({"fourth": b"4"})
        assert store.failures == 0  # as far as it knows
        assert store.settle()
        assert store.failures == 1
        assert store.get_many(["first", "fourth"]) == [b"1", None]
        raw.config_set("maxmemory", 0)
    own_redis.kill()
    own_redis.start()
    store.put_many({"fifth": b"5"})
    assert store.settle()
    assert store.get_many(["first", "fifth"]) == [None, b"5"]
    store.close()


def test_what_waits_to_be_stored_is_bounded_and_its_thread_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cache.writer._IDLE_SECONDS", 0.05)
    begun, go_on = threading.Event(), threading.Event()
    written: list[dict[str, bytes]] = []

    def write(entries: dict[str, bytes]) -> None:
        begun.set()
        go_on.wait(10)
        written.append(entries)

    writer = Writer(write)
    assert writer.settle(0), "there is nothing to write"
    writer.add({"a": b"1"})
    assert begun.wait(10)
    assert writer.add({"b": b"2", "c": b"3"}) == {}
    large = b"x" * MOST_BYTES
    assert writer.add({"d": large, "b": b"4"}) == {"d": large}, "for which there is no room"
    for _ in range(3):  # a key counts once
        assert writer.add({"f": large[:-2]}) == {}
    assert writer.add({"f": b""}) == {}
    assert not writer.settle(0.05)
    assert [writer.find(key) for key in "abcd"] == [b"1", b"4", b"3", None]
    go_on.set()
    assert writer.settle(10)
    assert written == [{"a": b"1"}, {"b": b"4", "c": b"3", "f": b""}]
    assert writer.find("a") is None
    while any(thread.name == "cache writer" and thread is writer._thread for thread in threading.enumerate()):
        time.sleep(0.01)
    writer.add({"e": b"5"})
    assert writer.settle(10)
    assert written[2:] == [{"e": b"5"}], "and begins anew"


def test_what_cannot_wait_is_stored_at_once(own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    store, other = RedisStore(own_redis.url), RedisStore(own_redis.url)
    with monkeypatch.context() as patched:
        patched.setattr("service.cache.writer.Thread.start", refuse)
        store.put_many({"a": b"1"})
        assert other.get_many(["a"]) == [b"1"], "no thread is to be had"
    large = b"x" * (MOST_BYTES + 1)
    store.put_many({"large": large, "small": b"2"})
    assert other.get_many(["large"]) == [large]
    assert store.settle()
    assert other.get_many(["small"]) == [b"2"]
    store.close()
    other.close()


def test_a_pickle_in_redis_is_only_a_damaged_value(
    settings: Settings, own_redis: RedisServer, expected: list[bytes], tmp_path: Path
) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    bomb = f"cposix\nsystem\n(S'touch {tmp_path}/exploded'\ntR.".encode()
    with redis.Redis.from_url(own_redis.url) as raw:
        for key in raw.scan_iter(PREFIX + "*"):
            raw.set(key, bomb)
    assert answers(client) == expected
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda key, value: b"",
        lambda key, value: b"garbage" * 100,
        lambda key, value: value[:-1],
        lambda key, value: value + b"\0",
        lambda key, value: bytes([value[0] ^ 1]) + value[1:],
        lambda key, value: value[:-1] + bytes([value[-1] ^ 1]),
        lambda key, value: seal("another key", b'{"forged": true}'),
    ],
)
def test_every_value_spoiled(
    settings: Settings, own_redis: RedisServer, expected: list[bytes], spoil: Callable[[str, bytes], bytes]
) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    with redis.Redis.from_url(own_redis.url) as raw:
        for key in list(raw.scan_iter(PREFIX + "*")):
            raw.set(key, spoil(key.decode().removeprefix(PREFIX), raw.get(key)))  # type: ignore[arg-type]
    assert answers(client) == expected


def test_boards_of_another_format_are_computed_anew(settings: Settings, own_redis: RedisServer) -> None:
    client = client_of(settings, own_redis.url)
    expected = answers(client, WITH_BOARD)
    spoiled = 0
    with redis.Redis.from_url(own_redis.url) as raw:
        for key in list(raw.scan_iter(PREFIX + "*")):
            name = key.decode().removeprefix(PREFIX)
            payload = raw.get(key)[20:]  # type: ignore[index]
            if payload.startswith(b"{"):
                raw.delete(key)  # the answer, so that the board is wanted
            else:
                raw.set(key, seal(name, b"\xff" * len(payload)))
                spoiled += 1
    assert spoiled == 2, "the board and its delta set"
    assert answers(client, WITH_BOARD) == expected


@pytest.fixture
def impostor(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server that gives every command the same reply."""
    path = tmp_path / "impostor.sock"
    with impostor_at(path, REPLIES[request.param]):
        yield f"unix://{path}"


@pytest.mark.parametrize("impostor", REPLIES, indirect=True)
def test_something_that_is_no_redis(settings: Settings, impostor: str, expected: list[bytes]) -> None:
    client = client_of(settings, impostor, pause=60)
    assert answers(client) == expected
    assert answers(client) == expected
    assert is_open(client)
