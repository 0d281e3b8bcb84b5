"""The cache: process memory, then Redis; a value depends only on its key."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
import redis

from service.cache import ENTRY_BYTES, LOCAL, Cache, MemoryCache
from service.metrics import Metrics
from service.redis_cache import LOCK_PREFIX, PREFIX, RedisCache, seal, unseal
from service.redis_client import Breaker, RedisClient
from service.settings import Settings
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.service.redis_server import RedisServer

SECRET = b"secret"


@pytest.fixture
def raw(redis_server: RedisServer) -> Iterator[redis.Redis]:
    """A plain client of an empty Redis."""
    client = redis.Redis.from_url(redis_server.url)
    client.flushall()
    yield client
    client.close()


def cache_of(server: RedisServer | None, **settings: Any) -> Cache:
    url = "" if server is None else server.url
    chosen, metrics = Settings(redis_url=url, redis_timeout_ms=1000, **settings), Metrics("1")
    return Cache(chosen, RedisClient(chosen, metrics) if url else None, metrics)


def calls(raw: redis.Redis) -> dict[str, int]:
    """Return how often Redis has run each command since the last reset, those of this function excepted."""
    found: dict[str, Any] = raw.info("commandstats")  # type: ignore[assignment]
    names = {name.removeprefix("cmdstat_"): stats["calls"] for name, stats in found.items()}
    own = {"info", "config|resetstat", "client|setinfo", "hello", "flushall"}
    return {name: number for name, number in names.items() if name not in own}


class TestMemory:
    def test_it_never_holds_more_bytes_than_its_capacity(self) -> None:
        cache = MemoryCache(10_000)
        for number in range(200):
            assert cache.put_many({f"{number:03}": b"x" * 500}) <= 10_000
        stored = cache.get_many([f"{number:03}" for number in range(200)])
        assert len(stored) - stored.count(None) == 10_000 // (500 + ENTRY_BYTES)

    def test_it_drops_the_least_recently_used(self) -> None:
        cache = MemoryCache(3 * (1 + ENTRY_BYTES))
        cache.put_many({"a": b"1", "b": b"2", "c": b"3"})
        cache.get_many(["a"])
        cache.put_many({"d": b"4"})
        assert cache.get_many(["a", "b", "c", "d"]) == [b"1", None, b"3", b"4"]

    def test_a_value_larger_than_the_cache_drops_nothing(self) -> None:
        cache = MemoryCache(1000)
        cache.put_many({"a": b"1"})
        cache.put_many({"b": b"x" * 1000})
        assert cache.get_many(["a", "b"]) == [b"1", None]

    def test_without_capacity_it_stores_nothing(self) -> None:
        cache = MemoryCache(0)
        assert cache.put_many({"a": b""}) == 0
        assert cache.get_many(["a"]) == [None]


class TestSeal:
    @pytest.mark.parametrize("secret", [b"", SECRET])
    def test_it_opens_what_it_sealed(self, secret: bytes) -> None:
        assert unseal("key", seal("key", b"value", secret), secret) == b"value"
        assert unseal("key", seal("key", b"", secret), secret) == b""

    @pytest.mark.parametrize("value", [None, b"", b"kbz2", b"x" * 100, 7, "text", [b"x"], True, 1.5])
    def test_it_refuses_anything_else(self, value: object) -> None:
        assert unseal("key", value, b"") is None
        assert unseal("key", value, SECRET) is None

    @pytest.mark.parametrize("secret", [b"", SECRET])
    def test_it_refuses_every_flipped_bit_and_every_cut(self, secret: bytes) -> None:
        sealed = bytearray(seal("key", b"value", secret))
        for place in range(len(sealed) * 8):
            sealed[place // 8] ^= 1 << place % 8
            assert unseal("key", bytes(sealed), secret) is None
            sealed[place // 8] ^= 1 << place % 8
        for length in range(len(sealed)):
            assert unseal("key", bytes(sealed[:length]), secret) is None

    def test_it_refuses_the_value_of_another_key(self) -> None:
        assert unseal("other", seal("key", b"value", SECRET), SECRET) is None
        assert unseal("ke", seal("key", b"\nvalue", SECRET), SECRET) is None

    def test_with_a_secret_it_refuses_what_was_sealed_without_it(self) -> None:
        for other in (b"", b"guess", SECRET + b"x"):
            assert unseal("key", seal("key", b"forged", other), SECRET) is None


class TestBreaker:
    def test_after_a_failure_one_call_a_pause_tries_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = [100.0]
        monkeypatch.setattr("service.redis_client.monotonic", lambda: now[0])
        breaker = Breaker()
        assert breaker.allows()
        assert breaker.record(failed=True), "the first failure, which is logged"
        assert not breaker.allows()
        now[0] += 1.1
        assert breaker.allows()
        assert not breaker.allows(), "one call at a time"
        assert not breaker.record(failed=True)
        now[0] += 1.1
        assert breaker.allows()
        assert not breaker.record(failed=False)
        assert breaker.allows()
        assert breaker.allows()


@pytest.mark.parametrize("with_redis", [False, True], ids=["memory", "redis"])
class TestBothTiers:
    def test_it_returns_what_was_stored(
        self, redis_server: RedisServer, raw: redis.Redis, with_redis: bool
    ) -> None:
        cache = cache_of(redis_server if with_redis else None)
        cache.put_many({})
        cache.put_many({"a": b"1", "b": b"\0\xff" * 5000, "empty": b""})
        assert cache.get_many(["b", "a", "x", "empty", "a"]) == [b"\0\xff" * 5000, b"1", None, b"", b"1"]
        assert cache.get_many([]) == []
        assert cache.get("a") == b"1"
        assert cache.get("x") is None

    def test_it_serves_many_threads(
        self, redis_server: RedisServer, raw: redis.Redis, with_redis: bool
    ) -> None:
        cache = cache_of(redis_server if with_redis else None, cache_bytes=20_000)
        wrong: list[object] = []

        def use(number: int) -> None:
            for turn in range(50):
                key = f"{number}:{turn}"
                cache.put_many({key: key.encode()})
                if cache.get_many([key]) not in ([key.encode()], [None]):
                    wrong.append(key)

        threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


class TestRedis:
    def test_a_miss_costs_one_mget_and_storing_one_pipeline(
        self, redis_server: RedisServer, raw: redis.Redis
    ) -> None:
        cache = cache_of(redis_server, cache_seconds=100)
        cache.get_many(["connect"])
        raw.config_resetstat()
        assert cache.get_many(["a", "b", "c"]) == [None] * 3
        assert calls(raw) == {"mget": 1}
        raw.config_resetstat()
        cache.put_many({"a": b"1", "b": b"2"})
        assert calls(raw) == {"set": 2}
        assert all(0 < int(raw.ttl(PREFIX + key)) <= 100 for key in "ab")  # type: ignore[arg-type]
        raw.config_resetstat()
        assert cache.get_many(["a", "b"]) == [b"1", b"2"]
        assert calls(raw) == {}, "both lie in process memory"

    def test_only_what_is_missing_is_asked_for_and_then_stays_in_memory(
        self, redis_server: RedisServer, raw: redis.Redis
    ) -> None:
        cache_of(redis_server).put_many({"a": b"1", "c": b"3"})
        cache = cache_of(redis_server)
        cache._memory.put_many({"b": b"2"})
        raw.config_resetstat()
        assert cache.get_many(["a", "b", "c", "d"]) == [b"1", b"2", b"3", None]
        assert calls(raw) == {"mget": 1}
        assert cache.get_many(["a", "c"]) == [b"1", b"3"]
        assert calls(raw) == {"mget": 1}

    def test_who_finds_the_first_key_needs_no_other(
        self, redis_server: RedisServer, raw: redis.Redis
    ) -> None:
        cache = cache_of(redis_server)
        cache.put_many({"answer": b"1"})
        raw.config_resetstat()
        assert cache.get_many(["answer", "board"]) == [b"1", None]
        assert calls(raw) == {}

    def test_a_local_value_stays_in_the_memory_of_its_process(
        self, redis_server: RedisServer, raw: redis.Redis
    ) -> None:
        cache = cache_of(redis_server)
        raw.config_resetstat()
        cache.put_many({f"{LOCAL}answer": b"1", "board": b"2"})
        assert cache.get(f"{LOCAL}answer") == b"1"
        assert calls(raw) == {"set": 1}
        other = cache_of(redis_server)
        assert other.get_many([f"{LOCAL}answer", "board"]) == [None, b"2"]
        assert other.get(f"{LOCAL}answer") is None
        assert calls(raw) == {"set": 1, "mget": 1}

    def test_a_value_too_large_for_memory_lies_in_redis(
        self, redis_server: RedisServer, raw: redis.Redis
    ) -> None:
        cache = cache_of(redis_server, cache_bytes=1000)
        cache.put_many({"large": b"x" * 5000})
        raw.config_resetstat()
        assert cache.get_many(["large"]) == [b"x" * 5000]
        assert calls(raw) == {"mget": 1}

    def test_a_damaged_or_foreign_value_reads_as_none(
        self, redis_server: RedisServer, raw: redis.Redis
    ) -> None:
        cache = cache_of(redis_server, cache_bytes=0)
        cache.put_many({"a": b"1", "b": b"2", "c": b"3"})
        raw.set(PREFIX + "a", raw.get(PREFIX + "b") or b"")
        raw.set(PREFIX + "c", b"garbage")
        raw.delete(PREFIX + "d")
        raw.lpush(PREFIX + "d", b"a list")
        assert cache.get_many(["a", "b", "c", "d"]) == [None, b"2", None, None]

    def test_with_a_secret_only_its_owners_values_are_read(
        self, redis_server: RedisServer, raw: redis.Redis
    ) -> None:
        owner = cache_of(redis_server, cache_bytes=0, cache_key="secret")
        owner.put_many({"a": b"1"})
        assert owner.get_many(["a"]) == [b"1"]
        for secret in ("", "other"):
            other = cache_of(redis_server, cache_bytes=0, cache_key=secret)
            assert other.get_many(["a"]) == [None]
            other.put_many({"b": b"forged"})
            assert owner.get_many(["b"]) == [None]

    def test_a_hung_server_is_asked_once_and_then_left_alone(self, own_redis: RedisServer) -> None:
        metrics = Metrics("1")
        settings = Settings(redis_url=own_redis.url, redis_timeout_ms=50)
        cache = RedisCache(settings, RedisClient(settings, metrics))
        cache.put_many({"a": b"1"})
        own_redis.freeze()
        for _ in range(100):
            assert cache.get_many(["a"]) == [None]
            cache.put_many({"a": b"2"})
        own_redis.thaw()
        failures = metrics.render("")[0].decode().split("kibitz_cache_failures_total ")[-1].split()[0]
        assert float(failures) < 50, "the breaker blocked most calls"

    def test_it_is_used_again_when_it_is_back(self, own_redis: RedisServer) -> None:
        cache = cache_of(own_redis, cache_bytes=0)
        cache.put_many({"a": b"1"})
        own_redis.kill()
        assert cache.get_many(["a"]) == [None]
        own_redis.start()

        def is_stored() -> bool:
            cache.put_many({"a": b"2"})
            return cache.get_many(["a"]) == [b"2"]

        wait_until(is_stored)

    def test_it_may_never_have_been_there(self) -> None:
        settings, metrics = Settings(redis_url="unix:///nonexistent/redis.sock", cache_bytes=0), Metrics("1")
        cache = Cache(settings, RedisClient(settings, metrics), metrics)
        cache.put_many({"a": b"1"})
        assert cache.get_many(["a"]) == [None]
        with cache.lock("a", 1):
            pass


class TestLock:
    def test_a_second_process_waits_for_the_first(self, redis_server: RedisServer, raw: redis.Redis) -> None:
        one, other = cache_of(redis_server), cache_of(redis_server)
        order: list[str] = []

        def wait() -> None:
            with other.lock("key", 20):
                order.append("second")

        with one.lock("key", 20), other.lock("other key", 20):
            thread = threading.Thread(target=wait)
            thread.start()
            time.sleep(0.3)
            order.append("first")
        thread.join()
        assert order == ["first", "second"]

    def test_an_error_releases_it(self, redis_server: RedisServer, raw: redis.Redis) -> None:
        cache = cache_of(redis_server)
        with pytest.raises(ZeroDivisionError), cache.lock("key", 20):
            raise ZeroDivisionError
        assert list(raw.scan_iter(LOCK_PREFIX + "*")) == []

    def test_the_lock_of_a_dead_process_expires(self, redis_server: RedisServer, raw: redis.Redis) -> None:
        raw.set(LOCK_PREFIX + "key", b"of another", px=300)
        with cache_of(redis_server).lock("key", 20):
            assert raw.get(LOCK_PREFIX + "key") != b"of another"

    def test_no_client_waits_longer_than_its_max_ms(
        self, redis_server: RedisServer, raw: redis.Redis
    ) -> None:
        raw.set(LOCK_PREFIX + "key", b"of another")
        with cache_of(redis_server).lock("key", 0.2):
            assert raw.get(LOCK_PREFIX + "key") == b"of another"
        assert raw.get(LOCK_PREFIX + "key") == b"of another", "it was not ours to release"

    def test_one_that_has_expired_is_not_released(self, redis_server: RedisServer, raw: redis.Redis) -> None:
        with cache_of(redis_server).lock("key", 0.1):
            time.sleep(0.2)
            raw.set(LOCK_PREFIX + "key", b"of another")
        assert raw.get(LOCK_PREFIX + "key") == b"of another"
