"""One suite for all back ends of the cache, then what is particular to each."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest
import redis

from service.cache import ClaimedAnswer, MemoryStore, SingleFlight, open_store
from service.cache.breaker import Breaker
from service.cache.envelope import seal, unseal
from service.cache.memory import ENTRY_OVERHEAD
from service.cache.redis import PREFIX, RedisStore
from service.cache.tiered import TieredStore
from service.settings import Settings
from tests.faults.work import not_stuck
from tests.service.redis_server import Settled
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Store
    from tests.service.redis_server import RedisServer


@pytest.fixture(params=["memory", "redis", "tiered"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore(1 << 20)
        return
    server: RedisServer = request.getfixturevalue("redis_server")
    raw = redis.Redis.from_url(server.url)
    raw.flushall()
    raw.close()
    store = Settled(server.url)
    yield store if request.param == "redis" else TieredStore(store, 1 << 20)
    store.close()


class TestEveryStore:
    def test_gives_back_what_was_put(self, store: Store) -> None:
        store.put_many({"a": b"1", "b": b"\0\xff" * 5000})
        assert store.get_many(["b", "a"]) == [b"\0\xff" * 5000, b"1"]

    def test_gives_none_for_what_it_has_not(self, store: Store) -> None:
        store.put_many({"a": b"1"})
        assert store.get_many(["x", "a", "y"]) == [None, b"1", None]

    def test_keeps_the_latest_value(self, store: Store) -> None:
        store.put_many({"a": b"1"})
        store.put_many({"a": b"2"})
        assert store.get_many(["a"]) == [b"2"]

    def test_takes_empty_values_and_no_entries(self, store: Store) -> None:
        store.put_many({})
        store.put_many({"a": b""})
        assert store.get_many(["a"]) == [b""]

    def test_answers_the_same_key_twice(self, store: Store) -> None:
        store.put_many({"a": b"1"})
        assert store.get_many(["a", "a"]) == [b"1", b"1"]

    def test_serves_many_threads(self, store: Store) -> None:
        wrong: list[object] = []

        def use(number: int) -> None:
            for turn in range(50):
                key = f"{number}:{turn}"
                store.put_many({key: key.encode()})
                if store.get_many([key]) not in ([key.encode()], [None]):
                    wrong.append(key)

        threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


class TestMemory:
    def test_never_holds_more_bytes_than_it_may(self) -> None:
        store = MemoryStore(10_000)
        for number in range(200):
            store.put_many({f"{number:03}": b"x" * 500})
            assert store.size <= 10_000
        assert len(store) == 10_000 // (3 + 500 + ENTRY_OVERHEAD)

    def test_drops_the_least_recently_used(self) -> None:
        store = MemoryStore(3 * (1 + 1 + ENTRY_OVERHEAD))
        store.put_many({"a": b"1", "b": b"2", "c": b"3"})
        store.get_many(["a"])
        store.put_many({"d": b"4"})
        assert store.get_many(["a", "b", "c", "d"]) == [b"1", None, b"3", b"4"]

    def test_a_value_too_large_is_not_kept_and_drops_nothing_else(self) -> None:
        store = MemoryStore(1000)
        store.put_many({"a": b"1"})
        store.put_many({"b": b"x" * 1000})
        assert store.get_many(["a", "b"]) == [b"1", None]

    def test_a_large_value_takes_the_place_of_its_old_one_at_least(self) -> None:
        store = MemoryStore(1000)
        store.put_many({"a": b"1"})
        store.put_many({"a": b"x" * 1000})
        assert store.get_many(["a"]) == [None]
        assert store.size == 0

    def test_no_capacity_keeps_nothing(self) -> None:
        store = MemoryStore(0)
        store.put_many({"a": b""})
        assert store.get_many(["a"]) == [None]


class TestEnvelope:
    def test_opens_what_it_sealed(self) -> None:
        assert unseal("key", seal("key", b"payload")) == b"payload"

    @pytest.mark.parametrize("value", [None, b"", b"KBZ1", b"x" * 100, 7, "text", [b"x"]])
    def test_refuses_anything_else(self, value: object) -> None:
        assert unseal("key", value) is None

    def test_refuses_another_key(self) -> None:
        assert unseal("other", seal("key", b"payload")) is None

    def test_refuses_every_flipped_bit(self) -> None:
        sealed = bytearray(seal("key", b"payload"))
        for place in range(len(sealed) * 8):
            sealed[place // 8] ^= 1 << place % 8
            assert unseal("key", bytes(sealed)) is None
            sealed[place // 8] ^= 1 << place % 8


class TestRedis:
    def test_a_damaged_or_foreign_value_reads_as_none(self, redis_server: RedisServer) -> None:
        raw = redis.Redis.from_url(redis_server.url)
        raw.flushall()
        store = Settled(redis_server.url)
        store.put_many({"a": b"1", "b": b"2"})
        raw.set(PREFIX + "a", raw.get(PREFIX + "b") or b"")
        raw.set(PREFIX + "c", b"garbage")
        assert store.get_many(["a", "b", "c"]) == [None, b"2", None]
        raw.close()
        store.close()

    def test_entries_die(self, redis_server: RedisServer) -> None:
        store = Settled(redis_server.url, life=7)
        store.put_many({"mortal": b"1"})
        raw = redis.Redis.from_url(redis_server.url)
        assert 0 < int(raw.ttl(PREFIX + "mortal")) <= 7  # type: ignore[arg-type]
        raw.close()
        store.close()

    def test_one_round_trip_fetches_all(self, redis_server: RedisServer) -> None:
        store = RedisStore(redis_server.url)
        store.get_many(["a"])
        raw = redis.Redis.from_url(redis_server.url)
        before = int(raw.info("stats")["total_commands_processed"])  # type: ignore[index]
        store.get_many(["a", "b"])
        assert int(raw.info("stats")["total_commands_processed"]) - before == 2  # type: ignore[index]
        raw.close()  # the two: MGET, and INFO itself
        store.close()

    def test_a_hung_server_costs_little_and_then_nothing(self, own_redis: RedisServer) -> None:
        store = Settled(own_redis.url, timeout=0.3, breaker=Breaker(failures=2, pause=600))
        store.put_many({"a": b"1"})
        own_redis.freeze()
        with not_stuck(30):  # if each waited for Redis, a minute
            for _ in range(100):
                assert store.get_many(["a"]) == [None]
                store.put_many({"a": b"2"})
        assert store.breaker.is_open
        own_redis.thaw()
        store.close()

    def test_it_is_used_again_when_it_is_back(self, own_redis: RedisServer) -> None:
        store = Settled(own_redis.url, timeout=0.5, breaker=Breaker(failures=2, pause=0.05))
        store.put_many({"a": b"1"})
        own_redis.kill()
        assert store.get_many(["a"]) == [None]
        assert store.get_many(["a"]) == [None]
        assert store.breaker.is_open
        own_redis.start()
        store.put_many({"a": b"2"})
        assert store.breaker.is_open, "what nobody waits for is no probe"
        time.sleep(0.06)
        assert store.get_many(["a"]) == [None]
        store.put_many({"a": b"2"})
        assert store.get_many(["a"]) == [b"2"]
        assert not store.breaker.is_open
        store.close()

    def test_a_server_that_was_never_there(self) -> None:
        store = RedisStore("unix:///nonexistent/redis.sock")
        store.put_many({"a": b"1"})
        assert store.settle()
        assert store.get_many(["a"]) == [None]
        store.close()

    def test_entries_stored_together_do_not_die_together(self, redis_server: RedisServer) -> None:
        store = Settled(redis_server.url, life=1000)
        keys = [f"jitter {number}" for number in range(50)]
        store.put_many(dict.fromkeys(keys, b"1"))
        with redis.Redis.from_url(redis_server.url) as raw:
            lives = [int(raw.ttl(PREFIX + key)) for key in keys]  # type: ignore[arg-type]
        assert min(lives) >= 898
        assert max(lives) <= 1000
        assert len(set(lives)) > 20
        store.close()

    def test_a_claim_is_given_once_until_it_is_released_or_dies(self, redis_server: RedisServer) -> None:
        one, other = RedisStore(redis_server.url), RedisStore(redis_server.url)
        assert one.claim("claim", 5)
        assert not other.claim("claim", 5)
        one.release("claim")
        assert other.claim("claim", 0.05)
        time.sleep(0.08)
        assert one.claim("claim", 5)
        one.close()
        other.close()

    def test_nobody_waits_for_a_claim_without_redis(self) -> None:
        store = RedisStore("unix:///nonexistent/redis.sock")
        assert all(store.claim("claim", 5) for _ in range(5))
        store.release("claim")
        store.close()


class TestClaimedAnswer:
    @pytest.fixture
    def stores(self, redis_server: RedisServer) -> Iterator[tuple[RedisStore, RedisStore]]:
        raw = redis.Redis.from_url(redis_server.url)
        raw.flushall()
        raw.close()
        pair = RedisStore(redis_server.url), RedisStore(redis_server.url)
        yield pair
        for store in pair:
            store.close()

    def test_who_comes_second_waits_and_gets_the_answer(self, stores: tuple[RedisStore, RedisStore]) -> None:
        with ClaimedAnswer(stores[0]) as first:
            assert first.get_many(["a", "part"]) == [None, None]
            second = ClaimedAnswer(stores[1])
            found: list[list[bytes | None]] = []
            thread = threading.Thread(target=lambda: found.append(second.get_many(["a", "part"])))
            thread.start()
            wait_until(lambda: second.waited)
            assert found == []
            first.put_many({"a": b"1", "part": b"2"})
            thread.join()
        assert found == [[b"1", b"2"]]
        assert (first.waited, second.waited) == (False, True)
        late = ClaimedAnswer(stores[1])
        assert late.get_many(["a"]) == [b"1"]
        assert not late.waited

    def test_who_was_held_up_between_look_and_claim_looks_again(
        self, stores: tuple[RedisStore, RedisStore], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Meanwhile another has claimed, computed and stored, and the claim has died."""
        claim = stores[1].claim

        def slowly(key: str, seconds: float) -> bool:
            with ClaimedAnswer(stores[0]) as first:
                first.get_many(["a"])
                first.put_many({"a": b"1"})
            time.sleep(0.25)
            return claim(key, seconds)

        monkeypatch.setattr(stores[1], "claim", slowly)
        late = ClaimedAnswer(stores[1])
        assert late.get_many(["a"]) == [b"1"]
        assert late.waited
        assert stores[0].claim("a", 1), "and gave its own claim back"

    def test_an_error_sets_the_waiting_free(self, stores: tuple[RedisStore, RedisStore]) -> None:
        first = ClaimedAnswer(stores[0])
        first.get_many(["a"])
        with pytest.raises(ZeroDivisionError), first:
            raise ZeroDivisionError
        second = ClaimedAnswer(stores[1])
        assert second.get_many(["a"]) == [None]
        assert not second.waited

    def test_a_claim_of_the_dead_holds_nobody_for_long(
        self, stores: tuple[RedisStore, RedisStore], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("service.cache.claims.CLAIM_SECONDS", 0.1)
        ClaimedAnswer(stores[0]).get_many(["a"])
        assert ClaimedAnswer(stores[1]).get_many(["a"]) == [None]
        assert not stores[0].claim("a", 1), "the second has claimed it"


class TestBreaker:
    def test_opens_probes_and_closes(self) -> None:
        now = [0.0]
        breaker = Breaker(failures=2, pause=10, clock=lambda: now[0])
        assert breaker.allows()
        assert not breaker.failed()
        assert breaker.allows()
        assert breaker.failed()
        assert not breaker.allows()
        now[0] = 10
        assert breaker.allows()
        assert not breaker.allows(), "one probe at a time"
        breaker.succeeded()
        assert breaker.allows()


class TestSingleFlight:
    def test_simultaneous_calls_compute_once(self) -> None:
        flight: SingleFlight[int] = SingleFlight()
        computed: list[int] = []
        begun, go = threading.Event(), threading.Event()

        def compute() -> int:
            computed.append(1)
            begun.set()
            go.wait(5)
            return 7

        results: list[int] = []
        threads = [
            threading.Thread(target=lambda: results.append(flight.do("k", compute)[0])) for _ in range(4)
        ]
        threads[0].start()
        begun.wait(5)
        for thread in threads[1:]:
            thread.start()
        time.sleep(0.05)
        go.set()
        for thread in threads:
            thread.join()
        assert results == [7] * 4
        assert len(computed) == 1

    def test_other_keys_and_later_calls_compute_anew(self) -> None:
        flight: SingleFlight[str] = SingleFlight()
        done = [flight.do(key, lambda key=key: key * 2) for key in ("a", "b", "a")]  # type: ignore[misc]
        assert done == [("aa", False), ("bb", False), ("aa", False)]

    def test_an_error_reaches_the_caller_and_is_forgotten(self) -> None:
        flight: SingleFlight[int] = SingleFlight()
        with pytest.raises(ZeroDivisionError):
            flight.do("k", lambda: 1 // 0)
        assert flight.do("k", lambda: 1) == (1, False)


def test_the_settings_choose_the_back_end(redis_server: RedisServer) -> None:
    assert isinstance(open_store(Settings()), MemoryStore)
    assert isinstance(open_store(Settings(redis_url=redis_server.url)), TieredStore)
    bare = open_store(Settings(redis_url=redis_server.url, cache_bytes=0))
    assert isinstance(bare, RedisStore), "nothing is kept in the process"
