"""The records of jobs in Redis: leases, references, results whole or not there."""

from __future__ import annotations

import pickle
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import redis

from service.jobs import records
from service.jobs.interface import NewJob, QueueFullError, TooManyJobsError
from service.jobs.records import JobRecords
from tests.service.long_work import Bomb

if TYPE_CHECKING:
    from tests.service.redis_server import RedisServer


class TestRecords:
    JOB = NewJob("a" * 64, "analyze", b"{}", "application/json", 1)

    @pytest.fixture
    def known(self, own_redis: RedisServer) -> JobRecords:
        found = JobRecords(own_redis.url, 60)
        assert found.submit(self.JOB, "ann", 2)
        return found

    def test_only_the_holder_of_the_lease_gives_a_result(
        self, known: JobRecords, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        name = self.JOB.id
        monkeypatch.setattr(records, "LEASE_SECONDS", 0.3)
        assert known.begin(name, "first") == 1
        assert known.begin(name, "second") == -1
        assert known.renew(name, "first", 0)
        assert known.overdue(()) == []
        time.sleep(0.4)
        assert known.overdue({name}) == []
        assert known.overdue(()) == [name]
        assert known.begin(name, "second") == 2
        assert not known.renew(name, "first", 1)
        known.put(name, "first", 0, b"stale")
        assert not known.finish(name, "first", 1, None)
        known.put(name, "second", 0, b"fresh ")
        known.put(name, "second", 1, b"and whole")
        assert known.finish(name, "second", 1, None, 2)
        result = known.result(name)
        assert result is not None
        assert b"".join(result) == b"fresh and whole"
        assert known.begin(name, "third") == 0
        assert not known.submit(self.JOB, "bob", 2)
        assert known.figures()["done"] == 1

    def test_a_job_wanted_again_waits_for_the_one_that_was_cancelled(self, known: JobRecords) -> None:
        name = self.JOB.id
        assert known.begin(name, "first") == 1
        assert known.let_go(name, "ann")
        assert known.submit(self.JOB, "bob", 2)
        assert known.begin(name, "second") == -1
        assert not known.renew(name, "first", 0), (
            "the first sees that it was cancelled, and gives the lease back"
        )
        assert known.begin(name, "second") == 1
        assert known.input(name) == b"{}"

    def test_a_result_that_redis_dropped_is_made_anew(
        self, known: JobRecords, own_redis: RedisServer
    ) -> None:
        """Redis has a bound on its memory: what has an end may go, and the record may outlive it."""
        name, client = self.JOB.id, redis.Redis.from_url(own_redis.url)
        for dropped in ("all", "a piece"):
            assert known.begin(name, dropped) == 1
            known.put(name, dropped, 0, b"first")
            known.put(name, dropped, 1, b"second")
            assert known.finish(name, dropped, 1, None, 2)
            assert not known.submit(self.JOB, "bob", 2)
            key = f"kibitz-job:{name}:result:{dropped}"
            if dropped == "all":
                client.delete(key)
            else:
                client.lpop(key)
            assert known.result(name) is None
            assert known.submit(self.JOB, "bob", 2)

    def test_a_damaged_record_is_no_surprise(self, known: JobRecords, own_redis: RedisServer) -> None:
        name, client = self.JOB.id, redis.Redis.from_url(own_redis.url)
        known.begin(name, "first")
        known.put(name, "first", 0, b"right")
        known.finish(name, "first", 1, None, 1)
        client.lset(f"kibitz-job:{name}:result:first", 0, pickle.dumps(Bomb()))
        assert known.result(name) is None
        for value in (b"nonsense", pickle.dumps(Bomb())):
            client.hset(f"kibitz-job:{name}", "state", value)
            with pytest.raises(records.JobsUnavailableError):
                known.state(name)
        client.set(f"kibitz-job:{'b' * 64}", b"no hash")
        with pytest.raises(records.JobsUnavailableError):
            known.state("b" * 64)

    def test_too_many_are_refused_and_the_same_are_not(self, known: JobRecords) -> None:
        known.submit(replace(self.JOB, id="b" * 64), "ann", 2)
        assert not known.submit(self.JOB, "bob", 2)
        with pytest.raises(QueueFullError):
            known.submit(replace(self.JOB, id="c" * 64), "ann", 2)

    def test_so_many_for_each_holder_of_what_is_still_open(self, known: JobRecords) -> None:
        one, two, three = (replace(self.JOB, id=letter * 64) for letter in "bcd")
        known.submit(one, "ann", 9, 2)
        with pytest.raises(TooManyJobsError):
            known.submit(two, "ann", 9, 2)
        assert known.submit(two, "bob", 9, 2)
        assert not known.submit(two, "ann", 9, 2), "it is there: nothing to be done for it"
        for job in (self.JOB, two):
            known.let_go(job.id, "ann")
        known.begin(one.id, "token")
        known.finish(one.id, "token", 1, None)
        assert known.submit(three, "ann", 9, 1)
