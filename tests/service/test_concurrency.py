"""Simultaneous searches: limited, refused beyond the limit, and equal ones computed once."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from engine import Answer, Timings
from service import analyst
from service.app import create_app
from service.concurrency import SearchSlots
from service.metrics import Metrics
from service.problems import Problem
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from service.settings import Settings

SEARCH = {"tiles": [], "rack": "FADEDCB", "simulate": {"method": "monte_carlo", "iterations": 30}}


def metric(app: Flask, line: str) -> bool:
    return f"{line}\n" in app.test_client().get("/metrics").text


class TestSearchSlots:
    def test_more_searches_are_refused_and_a_slot_is_freed(self) -> None:
        metrics = Metrics("1")
        slots = SearchSlots(2, 4, metrics)
        inside, leave = threading.Barrier(3), threading.Event()

        def run() -> None:
            with slots.slot():
                inside.wait(60)
                leave.wait(60)

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        inside.wait(60)
        with pytest.raises(Problem) as caught, slots.slot():
            pass
        assert (caught.value.code, caught.value.problem_code) == (503, "busy")
        assert caught.value.headers == {"Retry-After": "2"}
        assert b"kibitz_searches_running 2.0" in metrics.render("")[0]
        leave.set()
        for thread in threads:
            thread.join()
        with pytest.raises(ZeroDivisionError), slots.slot():
            raise ZeroDivisionError
        for _ in range(3):
            with slots.slot():
                pass
        assert b"kibitz_searches_running 0.0" in metrics.render("")[0]
        assert b'kibitz_refused_total{reason="busy"} 1.0' in metrics.render("")[0]

    def test_more_waiting_requests_are_refused(self) -> None:
        slots = SearchSlots(1, 2, Metrics("1"))
        with slots.waiting_place(), slots.waiting_place(), pytest.raises(Problem), slots.waiting_place():
            pass
        with slots.waiting_place(), slots.waiting_place():
            pass


class SlowSearch:
    """A replacement for `engine.answer` that records each call and waits to be released."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self.calls: list[str] = []

    def __call__(self, *_: Any, key: str, **__: Any) -> Answer:
        self.calls.append(key)
        self.begun.set()
        assert self.go.wait(60)
        return Answer(b'{"seed": 1}', Timings(), stored=False)


class TestSearches:
    @pytest.fixture
    def slow(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowSearch]:
        slow = SlowSearch()
        monkeypatch.setattr(analyst, "answer", slow)
        yield slow
        slow.go.set()

    @pytest.fixture
    def statuses(self) -> list[int]:
        return []

    def start(self, app: Flask, body: dict[str, Any], statuses: list[int]) -> threading.Thread:
        thread = threading.Thread(
            target=lambda: statuses.append(app.test_client().post("/analyze", json=body).status_code)
        )
        thread.start()
        return thread

    def test_what_is_cached_needs_no_slot(self, settings: Settings) -> None:
        app = create_app(replace(settings, searches=1))
        client = app.test_client()
        first = client.post("/analyze", json=SEARCH)
        assert first.status_code == 200, first.text
        assert first.get_json()["moves"][0]["sim"]["iterations"] > 0
        with app.extensions["kibitz"].searches.slot():
            assert client.post("/analyze", json=SEARCH).data == first.data
            busy = client.post("/analyze", json={**SEARCH, "seed": 7})
            assert (busy.status_code, busy.get_json()["code"]) == (503, "busy")
            assert int(busy.headers["Retry-After"]) > 0
            assert client.post("/analyze", json={"tiles": [], "rack": "FADEDCB"}).status_code == 200
        assert client.post("/analyze", json={**SEARCH, "seed": 7}).status_code == 200

    def test_equal_searches_share_one_slot_and_one_computation(
        self, settings: Settings, slow: SlowSearch, statuses: list[int]
    ) -> None:
        app = create_app(replace(settings, searches=2))
        threads = [self.start(app, SEARCH, statuses) for _ in range(4)]
        assert slow.begun.wait(60)
        wait_until(lambda: metric(app, "kibitz_requests_in_flight 5.0"))
        assert metric(app, "kibitz_searches_running 1.0")
        threads.append(self.start(app, {**SEARCH, "seed": 7}, statuses))
        wait_until(lambda: metric(app, "kibitz_searches_running 2.0"))
        assert app.test_client().post("/analyze", json={**SEARCH, "seed": 8}).status_code == 503
        slow.go.set()
        for thread in threads:
            thread.join()
        assert statuses == [200] * 5
        assert len(slow.calls) == len(set(slow.calls)) == 2
        assert metric(app, 'kibitz_answers_total{source="shared"} 3.0')

    def test_threads_are_left_for_everything_else(
        self, settings: Settings, slow: SlowSearch, statuses: list[int]
    ) -> None:
        """Half of the threads may wait for searches, even for the same one."""
        app = create_app(replace(settings, threads=8))
        threads = [self.start(app, SEARCH, statuses) for _ in range(4)]
        wait_until(lambda: metric(app, "kibitz_requests_in_flight 5.0"))
        refused = app.test_client().post("/analyze", json=SEARCH)
        assert (refused.status_code, refused.get_json()["code"]) == (503, "busy")
        assert app.test_client().get("/version").status_code == 200
        slow.go.set()
        for thread in threads:
            thread.join()
        assert statuses == [200] * 4
