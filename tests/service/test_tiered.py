"""This process's memory before Redis: what is asked of it, and what it is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
import redis

from service.cache import ClaimedAnswer
from service.cache.breaker import Breaker
from service.cache.envelope import seal
from service.cache.memory import ENTRY_OVERHEAD
from service.cache.redis import PREFIX, RedisStore
from service.cache.tiered import TieredStore
from service.cache.worth import SAMPLE, in_sample
from tests.service.redis_server import Settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.service.redis_server import RedisServer


class _Watched(Settled):
    """A Redis that remembers what it was asked for."""

    def __init__(self, url: str) -> None:
        super().__init__(url, timeout=0.5, breaker=Breaker(failures=1, pause=60))
        self.asked: list[list[str]] = []

    def get_many(self, keys: Sequence[str], *, soon_made: bool = False) -> list[bytes | None]:
        self.asked.append([*keys])
        return super().get_many(keys, soon_made=soon_made)


@pytest.fixture
def behind(own_redis: RedisServer) -> Iterator[_Watched]:
    store = _Watched(own_redis.url)
    yield store
    store.close()


def test_what_was_made_here_is_given_without_a_word_to_redis_and_lies_there_too(
    behind: _Watched, own_redis: RedisServer
) -> None:
    store = TieredStore(behind, 1 << 20)
    store.put_many({"a": b"1"})
    assert store.get_many(["a"]) == [b"1"]
    assert (behind.asked, store.state().fetched) == ([], 0)
    other = RedisStore(own_redis.url)
    assert other.get_many(["a"]) == [b"1"]
    other.close()


def test_redis_is_asked_once_for_all_that_is_not_at_hand_and_what_it_gives_stays(behind: _Watched) -> None:
    behind.put_many({"a": b"1", "c": b"3"})
    store = TieredStore(behind, 1 << 20)
    store.front.put_many({"b": b"2"})
    assert store.get_many(["a", "b", "c", "d"]) == [b"1", b"2", b"3", None]
    assert behind.asked == [["a", "c", "d"]]
    assert store.state().fetched == 2
    assert store.get_many(["a"]) == [b"1"]
    assert store.get_many(["c"]) == [b"3"]
    assert len(behind.asked) == 1
    assert store.state().size == store.front.size > 0


def test_the_parts_of_an_answer_at_hand_are_not_asked_for(behind: _Watched) -> None:
    store = TieredStore(behind, 1 << 20)
    store.put_many({"a": b"1"})
    assert store.get_many(["a", "part"]) == [b"1", None]
    assert behind.asked == []


def test_nothing_is_asked_for_no_keys(behind: _Watched) -> None:
    assert TieredStore(behind, 1 << 20).get_many([]) == []
    assert behind.asked == []


def test_a_damaged_value_is_not_kept(behind: _Watched, own_redis: RedisServer) -> None:
    behind.put_many({"a": b"1", "b": b"2"})
    store = TieredStore(behind, 1 << 20)
    with redis.Redis.from_url(own_redis.url) as raw:
        raw.set(PREFIX + "a", raw.get(PREFIX + "b") or b"")
        assert store.get_many(["a"]) == [None]
        assert (store.state().size, store.state().fetched) == (0, 0)
        raw.set(PREFIX + "a", seal("a", b"3"))
    assert store.get_many(["a"]) == [b"3"]


def test_what_has_no_room_lies_in_redis_alone(behind: _Watched) -> None:
    store = TieredStore(behind, 1000)
    small, large = b"x" * (999 - ENTRY_OVERHEAD), b"x" * (1000 - ENTRY_OVERHEAD)
    store.put_many({"s": small, "l": large})
    assert store.state().size == 1000
    assert store.get_many(["l", "s"]) == [large, small]
    assert behind.asked == [["l"]]
    assert store.state().size == 1000


def test_what_had_to_go_comes_back_from_redis(behind: _Watched) -> None:
    store = TieredStore(behind, 100_000)
    values = {f"{number:03}": b"%03d" % number for number in range(500)}
    keys = [*values]
    for start in range(0, len(keys), 64):
        store.put_many({key: values[key] for key in keys[start : start + 64]})
        assert store.state().size <= 100_000
    assert {key: store.get_many([key])[0] for key in values} == values
    assert store.state().fetched >= 100


def test_what_is_at_hand_outlives_redis(behind: _Watched, own_redis: RedisServer) -> None:
    store = TieredStore(behind, 1 << 20)
    store.put_many({"a": b"1"})
    own_redis.kill()
    assert store.get_many(["b"]) == [None]
    assert store.state()[2:] == (1, True), "one failure, and Redis is held back"
    store.put_many({"c": b"3"})
    assert [store.get_many([key]) for key in "abc"] == [[b"1"], [None], [b"3"]]
    assert store.claim("d", 1)


def test_what_is_soon_made_is_asked_for_while_half_of_it_is_there(behind: _Watched) -> None:
    store = TieredStore(behind, 1 << 20)

    def asked(numbers: range, *, soon_made: bool) -> list[str]:
        before = len(behind.asked)
        for number in numbers:
            store.get_many([str(number)], soon_made=soon_made)
        return [key for (key,) in behind.asked[before:]]

    def keys(numbers: range) -> list[str]:
        return [str(number) for number in numbers]

    def sample(numbers: range) -> list[str]:
        return [key for key in keys(numbers) if in_sample(key)]

    new = range(15)
    assert asked(new, soon_made=True) == keys(new), "at first it is taken for worth it"
    asked(range(100, 200), soon_made=True)
    more = range(200, 500)
    assert 5 < len(sample(more)) < 50
    assert asked(more, soon_made=True) == sample(more)
    store.put_many(dict.fromkeys(keys(range(1000, 1300)), b"1"), soon_made=True)
    assert [key for key in keys(range(1000, 1300)) if behind.get_many([key])[0]] == sample(range(1000, 1300))
    assert asked(range(500, 600), soon_made=False) == keys(range(500, 600)), "a search always is"
    store.put_many({"search": b"1"})
    assert behind.get_many(["search"]) == [b"1"]
    assert asked(range(600, 700), soon_made=True) == sample(range(600, 700)), "and says nothing of the rest"
    behind.put_many(dict.fromkeys(keys(range(2000, 4000)), b"1"))
    asked(range(2000, 2000 + 40 * SAMPLE), soon_made=True)
    known = range(3500, 3600)
    assert asked(known, soon_made=True) == keys(known), "the sample has told that it is there now"


def test_what_redis_does_not_answer_says_nothing_of_its_worth(
    behind: _Watched, own_redis: RedisServer
) -> None:
    behind.breaker = Breaker(failures=1, pause=0.01)
    store = TieredStore(behind, 1 << 20)
    own_redis.kill()
    for number in range(200):
        assert store.get_many([str(number)], soon_made=True) == [None]
    own_redis.start()
    time.sleep(0.02)
    before = len(behind.asked)
    for number in range(10):
        store.get_many([f"later {number}"], soon_made=True)
    assert len(behind.asked) - before == 10


def test_a_redis_that_is_held_back_is_asked_whatever_its_worth(
    behind: _Watched, own_redis: RedisServer
) -> None:
    """Else nobody would notice that it is back, while all positions are new."""
    behind.breaker = Breaker(failures=1, pause=0.01)
    store = TieredStore(behind, 1 << 20)
    for number in range(100):
        store.get_many([str(number)], soon_made=True)
    assert [key for key in ("new", "newer") if in_sample(key)] == []
    own_redis.kill()
    store.get_many(["a search"])
    assert store.state().held_back
    own_redis.start()
    time.sleep(0.02)
    assert store.get_many(["new"], soon_made=True) == [None]
    assert not store.state().held_back
    before = len(behind.asked)
    store.get_many(["newer"], soon_made=True)
    assert len(behind.asked) == before


def test_claims_are_those_of_redis(behind: _Watched, own_redis: RedisServer) -> None:
    one, other = TieredStore(behind, 1 << 20), TieredStore(RedisStore(own_redis.url), 1 << 20)
    with ClaimedAnswer(one) as first:
        assert first.get_many(["a"]) == [None]
        assert not other.claim("a", 1)
        first.put_many({"a": b"1"})
    assert other.get_many(["a"]) == [b"1"]
    assert one.claim("b", 5)
    one.release("b")
    assert other.claim("b", 5)
