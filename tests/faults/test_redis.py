"""Redis fails in many ways under load: no wrong byte, and the cache is used again afterwards."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import redis

from service.redis_cache import PREFIX
from tests.faults.load import ROOM, Load
from tests.service.impostor import any_reply, impostor_at
from tests.service.redis_server import RedisServer
from tests.service.serving import Server, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.faults.questions import Question

HITS = 'kibitz_cache_values_total{result="hit",tier="redis"}'
RECOVERY = 60
"""Seconds after which the cache is taken to be lost for good."""


@dataclass
class Site:
    """A server with two workers, and the Redis behind it."""

    server: Server
    redis: RedisServer
    folder: Path


@pytest.fixture(scope="module")
def site(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("redis")
    behind = RedisServer(folder)
    behind.start()
    try:
        with running(
            data,
            KIBITZ_WORKERS="2",
            KIBITZ_REDIS_URL=behind.url,
            KIBITZ_REDIS_TIMEOUT_MS="75",  # the default
            KIBITZ_CACHE_BYTES="0",  # nothing is in process memory, so that Redis is asked every time
            KIBITZ_RATE_PER_MINUTE="1000000",  # so that every request is counted in Redis too
            **ROOM,
        ) as server:
            yield Site(server, behind, folder)
    finally:
        behind.kill()


@contextmanager
def killed(site: Site) -> Iterator[None]:
    site.redis.kill()
    yield
    site.redis.start()


@contextmanager
def frozen(site: Site) -> Iterator[None]:
    site.redis.freeze()
    yield
    site.redis.thaw()


@contextmanager
def filled(site: Site) -> Iterator[None]:
    """It is full of other programs' values, and evicts nothing."""
    with redis.Redis.from_url(site.redis.url) as raw:
        raw.config_set("maxmemory-policy", "noeviction")
        raw.flushall()
        raw.config_set("maxmemory", raw.info("memory")["used_memory"] + (1 << 20))
        filling = iter(range(10_000))
        with suppress(redis.exceptions.OutOfMemoryError):
            for number in filling:
                raw.set(f"others:{number}", b"x" * 10_000)
        assert next(filling, None) is not None, "it is full"
        yield
        raw.config_set("maxmemory", 0)


@contextmanager
def garbage(site: Site) -> Iterator[None]:
    """Another server listens in its place, and sends nonsense."""
    site.redis.kill()
    with impostor_at(site.redis.socket, any_reply):
        yield
    site.redis.start()


@contextmanager
def pickle_bombs(site: Site) -> Iterator[None]:
    """Whatever is stored becomes a pickle that runs a program."""
    exploded = site.folder / "exploded"
    bomb = f"cposix\nsystem\n(S'touch {exploded}'\ntR.".encode()
    stopping = threading.Event()
    placed = 0

    def spoil() -> None:
        nonlocal placed
        with redis.Redis.from_url(site.redis.url) as raw:
            while not stopping.wait(0.005):  # so that the others get a turn on a machine of one core
                for key in list(raw.scan_iter(PREFIX + "*")):
                    raw.set(key, bomb)
                    placed += 1

    thread = threading.Thread(target=spoil)
    thread.start()
    yield
    stopping.set()
    thread.join()
    assert placed > 0
    assert not exploded.exists()


FAULTS = {
    "Redis killed": killed,
    "Redis frozen": frozen,
    "Redis full": filled,
    "Redis answering garbage": garbage,
    "pickle bombs in Redis": pickle_bombs,
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("clients", "pause", "seconds"),
    [pytest.param(4, 0.02, 1.0, id="short"), pytest.param(16, 0.0, 8.0, id="long", marks=pytest.mark.slow)],
)
def test_no_answer_suffers_and_the_cache_comes_back(
    site: Site,
    asked: list[Question],
    fault: str,
    clients: int,
    pause: float,
    seconds: float,
    fault_row: Callable[[str, int, str], None],
) -> None:
    server = site.server
    with Load(lambda: server.port, asked, clients=clients, pause=pause) as load:
        load.wait_for(2 * len(asked))
        assert server.metric(HITS) > 0
        with FAULTS[fault](site):
            begin = time.monotonic()
            load.wait_for(clients)
            time.sleep(seconds)
            during = load.tally.between(begin, time.monotonic())
        took = seconds_until_used_again(site)
    tally = load.tally
    fault_row(
        f"{fault} for {seconds:.0f} s, {clients} clients",
        tally.requests,
        f"{len(tally.lost) + len(tally.wrong)}; cache used again after {took:.1f} s, "
        f"slowest answer {1000 * tally.slowest:.0f} ms",
    )
    assert during > 0, "it was asked while Redis was in trouble"
    assert tally.lost == []
    assert tally.wrong == []


def seconds_until_used_again(site: Site) -> float:
    """Return how long it took until Redis and the service both count hits again."""
    begin = time.monotonic()
    with redis.Redis.from_url(site.redis.url) as raw:
        ours, theirs = site.server.metric(HITS), raw.info("stats")["keyspace_hits"]
        while site.server.metric(HITS) < ours + 10 or raw.info("stats")["keyspace_hits"] < theirs + 10:
            assert time.monotonic() - begin < RECOVERY, "the cache is not used any more"
            time.sleep(0.05)
    return time.monotonic() - begin
