"""Redis killed, hung, full, forged or not a Redis: the answers are the same bytes, computed."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import redis

from service import jobs_rq
from service.app import create_app
from service.redis_cache import FORMAT, PREFIX, seal
from service.redis_client import RETRY_SECONDS
from tests.service.impostor import REPLIES, impostor_at
from tests.service.serving import running, wait_until
from tests.service.test_cache import calls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from service.settings import Settings
    from tests.service.redis_server import RedisServer

BODIES = [{"tiles": [], "rack": rack, "include_exchanges": True} for rack in ("CABDEFE", "AEE?", "GHOST")]

# An evaluator that uses a delta set, which is stored with the board.
WITH_DELTA = [{**body, "evaluator": "heuri5"} for body in BODIES]

# Their answers are stored in Redis, those of the others stay in the memory of a process.
SEARCHED = [{**body, "simulate": {"iterations": 10, "candidates": 2}} for body in BODIES[:2]]
ALL = BODIES + WITH_DELTA + SEARCHED

HEADER = len(FORMAT) + 32
"""Bytes of a sealed value before the value."""


@pytest.fixture(scope="module")
def expected(settings: Settings) -> list[bytes]:
    """The answers of an application without a cache."""
    return answers(create_app(replace(settings, cache_bytes=0)).test_client())


def post(client: FlaskClient, body: dict[str, object]) -> TestResponse:
    """Analyze a position; what is done when the answer has been sent is done, too."""
    return client.post("/analyze", json=body, buffered=True)


def answers(client: FlaskClient, bodies: Sequence[dict[str, object]] = ALL) -> list[bytes]:
    responses = [post(client, body) for body in bodies]
    assert [response.status_code for response in responses] == [200] * len(bodies)
    return [response.data for response in responses]


def misses(client: FlaskClient, bodies: Sequence[dict[str, object]] = SEARCHED) -> int:
    timings = [post(client, body).headers["Server-Timing"] for body in bodies]
    return sum('desc="miss"' in timing for timing in timings)


def client_of(settings: Settings, url: str, **others: object) -> FlaskClient:
    """An application that stores nothing in process memory, so that all is asked of Redis."""
    chosen = {"redis_url": url, "cache_bytes": 0, "redis_timeout_ms": 1000, **others}
    return create_app(replace(settings, **chosen)).test_client()


def recovers(client: FlaskClient, expected: list[bytes]) -> None:
    """Wait until the answers of searches come out of Redis again, the same as ever."""
    wait_until(lambda: answers(client) == expected and misses(client) == 0)


def boards_and_answers(raw: redis.Redis) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the values in Redis by their key: loaded boards with their delta sets, and answers."""
    boards, finished = {}, {}
    for name in raw.scan_iter(PREFIX + "*"):
        value = raw.get(name)
        assert isinstance(value, bytes)
        key = name.decode().removeprefix(PREFIX)
        (finished if value[HEADER:].startswith(b"{") else boards)[key] = value
    return boards, finished


def test_what_is_stored_is_answered_by_any_process(
    settings: Settings, own_redis: RedisServer, expected: list[bytes]
) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    for process in (client, client_of(settings, own_redis.url)):
        assert misses(process) == 0
        assert answers(process) == expected


class TestTheRule:
    """With Redis configured, the loaded board and the answer of a search are always stored there."""

    @pytest.mark.parametrize(
        ("evaluator", "parts"), [("auto", 1), ("greedy", 1), ("heuri2", 1), ("heuri5", 2)]
    )
    def test_a_board_costs_one_mget_and_one_set_for_each_part(
        self, settings: Settings, own_redis: RedisServer, evaluator: str, parts: int
    ) -> None:
        client = client_of(settings, own_redis.url)
        body = {**BODIES[0], "evaluator": evaluator}
        post(client, {**BODIES[1], "evaluator": evaluator, "tiles": [
            {"at": "8H", "letter": "A"}, {"at": "8I", "letter": "B"},
        ]})  # it connects, and loads the tables  # fmt: skip
        with redis.Redis.from_url(own_redis.url) as raw:
            raw.flushall()
            raw.config_resetstat()
            first = post(client, body)
            assert calls(raw) == {"mget": 1, "set": parts}
            boards, finished = boards_and_answers(raw)
            assert (len(boards), len(finished)) == (parts, 0)
            raw.config_resetstat()
            assert post(client, body).data == first.data
            assert calls(raw) == {"mget": 1}

    def test_racks_on_one_board_share_it(self, settings: Settings, own_redis: RedisServer) -> None:
        client = client_of(settings, own_redis.url)
        answers(client)
        with redis.Redis.from_url(own_redis.url) as raw:
            boards, finished = boards_and_answers(raw)
        assert len(finished) == len(SEARCHED)
        assert len(boards) == 2, "the empty board, and its delta set"

    def test_a_repeated_request_asks_process_memory_alone(
        self, settings: Settings, own_redis: RedisServer, expected: list[bytes]
    ) -> None:
        client = client_of(settings, own_redis.url, cache_bytes=4 << 20)
        assert answers(client) == expected
        with redis.Redis.from_url(own_redis.url) as raw:
            raw.config_resetstat()
            assert misses(client, ALL) == 0
            assert calls(raw) == {}

    def test_a_board_is_written_after_its_answer(self, data: Path, own_redis: RedisServer) -> None:
        """It is there soon after the answer."""
        with running(data, KIBITZ_REDIS_URL=own_redis.url, KIBITZ_REDIS_TIMEOUT_MS="1000") as server:
            assert server.ask("POST", "/analyze", BODIES[0])[0] == 200
            with redis.Redis.from_url(own_redis.url) as raw:
                wait_until(lambda: len(boards_and_answers(raw)[0]) == 1)


def test_redis_killed(settings: Settings, own_redis: RedisServer, expected: list[bytes]) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    own_redis.kill()
    assert answers(client) == expected
    own_redis.start()
    recovers(client, expected)


def test_redis_hung(settings: Settings, own_redis: RedisServer, expected: list[bytes]) -> None:
    client = client_of(settings, own_redis.url, redis_timeout_ms=50)
    assert answers(client) == expected
    own_redis.freeze()
    for _ in range(3):
        assert answers(client) == expected
    own_redis.thaw()
    recovers(client, expected)


def test_redis_full(settings: Settings, own_redis: RedisServer, expected: list[bytes]) -> None:
    """It answers, and takes nothing: no value, no lock."""
    with redis.Redis.from_url(own_redis.url) as raw:
        raw.config_set("maxmemory", 1)
        client = client_of(settings, own_redis.url)
        for _ in range(3):
            assert answers(client) == expected
        raw.config_set("maxmemory", 0)
    recovers(client, expected)


def test_values_of_another_type(settings: Settings, own_redis: RedisServer, expected: list[bytes]) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    with redis.Redis.from_url(own_redis.url) as raw:
        for number, name in enumerate(list(raw.scan_iter(PREFIX + "*"))):
            raw.delete(name)
            (raw.sadd if number % 2 else raw.lpush)(name, b"a member")
        assert answers(client) == expected, "SET replaces them"
    recovers(client, expected)


def test_process_memory_needs_no_redis(
    settings: Settings, own_redis: RedisServer, expected: list[bytes]
) -> None:
    client = client_of(settings, own_redis.url, cache_bytes=4 << 20)
    assert answers(client) == expected
    own_redis.kill()
    assert misses(client, ALL) == 0
    assert answers(client) == expected


def test_a_pickle_in_redis_is_a_damaged_value(
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
        lambda key, value: value[:HEADER],
        lambda key, value: bytes([value[0] ^ 1]) + value[1:],
        lambda key, value: value[:-1] + bytes([value[-1] ^ 1]),
        lambda key, value: seal("another key", b'{"forged": true}', b""),
    ],
)
def test_every_value_damaged(
    settings: Settings, own_redis: RedisServer, expected: list[bytes], spoil: Callable[[str, bytes], bytes]
) -> None:
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    with redis.Redis.from_url(own_redis.url) as raw:
        for boards_or_answers in boards_and_answers(raw):
            for key, value in boards_or_answers.items():
                raw.set(PREFIX + key, spoil(key, value))
    assert answers(client) == expected


def test_values_swapped_between_keys(
    settings: Settings, own_redis: RedisServer, expected: list[bytes]
) -> None:
    """Each is a sound value of this service, but not the value of its key."""
    client = client_of(settings, own_redis.url)
    assert answers(client) == expected
    with redis.Redis.from_url(own_redis.url) as raw:
        for found in boards_and_answers(raw):
            for key, value in zip(found, [*found.values()][1:] + [*found.values()][:1], strict=True):
                raw.set(PREFIX + key, value)
    assert answers(client) == expected


def test_with_a_secret_a_forged_answer_is_computed_instead(
    settings: Settings, own_redis: RedisServer, expected: list[bytes]
) -> None:
    client = client_of(settings, own_redis.url, cache_key="secret")
    assert answers(client) == expected
    assert misses(client) == 0
    with redis.Redis.from_url(own_redis.url) as raw:
        for boards_or_answers in boards_and_answers(raw):
            for key in boards_or_answers:
                raw.set(PREFIX + key, seal(key, b'{"forged": true}', b""))
    assert answers(client) == expected
    without = client_of(settings, own_redis.url)
    assert answers(without) == expected, "nor does a process without the secret take its values"


FORGERIES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda board: b"",
    "only ones": lambda board: b"\xff" * len(board),
    "only zeros": lambda board: bytes(len(board)),
    "cut short": lambda board: board[: len(board) // 2],
    "twice": lambda board: board + board,
    "head only, then ones": lambda board: board[:64] + b"\xff" * (len(board) - 64),
    "every fourth byte 255": lambda board: bytes(
        255 if place > 64 and place % 4 == 3 else byte for place, byte in enumerate(board)
    ),
}


@pytest.mark.parametrize("evaluator", ["auto", "heuri5"])
def test_forged_boards_with_a_right_checksum_kill_no_worker(
    data: Path, settings: Settings, own_redis: RedisServer, evaluator: str
) -> None:
    """Whoever writes to Redis can compute the checksum; the lengths and counts inside are checked as well."""
    bodies = [{**body, "evaluator": evaluator} for body in BODIES]
    expected = answers(create_app(replace(settings, cache_bytes=0)).test_client(), bodies)
    with (
        running(
            data,
            KIBITZ_REDIS_URL=own_redis.url,
            KIBITZ_CACHE_BYTES="0",
        ) as server,
        redis.Redis.from_url(own_redis.url) as raw,
    ):
        worker = server.workers()
        for body in bodies:
            assert server.ask("POST", "/analyze", body)[0] == 200
        wait_until(lambda: len(boards_and_answers(raw)[0]) == (2 if evaluator == "heuri5" else 1))
        boards, _ = boards_and_answers(raw)
        for forge in FORGERIES.values():
            for body, answer in zip(bodies, expected, strict=True):
                for key, value in boards.items():
                    raw.set(PREFIX + key, seal(key, forge(value[HEADER:]), b""))
                assert server.ask("POST", "/analyze", body)[::2] == (200, answer)
        assert server.workers() == worker


@pytest.mark.parametrize("evaluator", ["auto", "heuri5"])
@pytest.mark.parametrize("rounds", [30, pytest.param(300, marks=pytest.mark.slow)])
def test_boards_forged_at_random_kill_no_worker(
    data: Path, own_redis: RedisServer, evaluator: str, rounds: int
) -> None:
    """Within bounds they may change an answer, which only KIBITZ_CACHE_KEY prevents; no worker dies."""
    body = {**BODIES[0], "evaluator": evaluator}
    chance = random.Random(7)
    with (
        running(data, KIBITZ_REDIS_URL=own_redis.url, KIBITZ_CACHE_BYTES="0") as server,
        redis.Redis.from_url(own_redis.url) as raw,
    ):
        worker = server.workers()
        assert server.ask("POST", "/analyze", body)[0] == 200
        wait_until(lambda: len(boards_and_answers(raw)[0]) == (2 if evaluator == "heuri5" else 1))
        boards, _ = boards_and_answers(raw)
        for _ in range(rounds):
            for key, value in boards.items():
                forged = bytearray(value[HEADER:])
                for _ in range(chance.choice([1, 1, 2, 8, 200])):
                    forged[chance.randrange(len(forged))] = chance.choice([0, 1, 127, 128, 254, 255])
                raw.set(PREFIX + key, seal(key, bytes(forged), b""))
            status, _, answer = server.ask("POST", "/analyze", body)
            assert status == 200, answer
        assert server.workers() == worker


@pytest.fixture
def impostor(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server that gives every command the same reply."""
    path = tmp_path / "impostor.sock"
    with impostor_at(path, REPLIES[request.param]):
        yield f"unix://{path}"


@pytest.mark.parametrize("impostor", REPLIES, indirect=True)
@pytest.mark.long
def test_something_that_is_no_redis(
    settings: Settings, impostor: str, expected: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_rq, "ANSWER_SECONDS", 0.2)
    client = client_of(settings, impostor, rate_per_minute=1000, redis_timeout_ms=50)
    assert client.get("/readyz").status_code == 200
    assert client.get("/metrics").status_code == 200
    assert client.get(f"/jobs/{'a' * 32}").status_code == 503
    assert answers(client) == expected
    time.sleep(RETRY_SECONDS)
    assert answers(client) == expected
