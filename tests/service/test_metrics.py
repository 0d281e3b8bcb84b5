"""/metrics: right numbers, the right format, and workers added up."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.app import create_app
from service.observability.counts import Counts
from service.observability.metrics import OTHER, SECONDS, Metrics
from service.observability.page import SLOT_NUMBERS, MetricsPage
from tests.service.serving import running

if TYPE_CHECKING:
    from service.settings import Settings
    from tests.service.redis_server import RedisServer

BODY = {"tiles": [], "rack": "CABDEFE"}
LINE = re.compile(r'([a-z_]+)(\{(?:[a-z]+="[^"\n]*",?)+\})? ([-+0-9.e]+|\+Inf)')


def read(text: str) -> dict[str, float]:
    """Parse the exposition format strictly: each family announced once, each series once."""
    series: dict[str, float] = {}
    announced: list[str] = []
    for line in text.removesuffix("\n").split("\n"):
        if line.startswith("# TYPE "):
            announced.append(line.split(" ")[2])
        if line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        assert match, line
        assert match[1].startswith(announced[-1]), line
        name = match[1] + (match[2] or "")
        assert name not in series
        series[name] = float(match[3])
    assert len(set(announced)) == len(announced)
    return series


def test_requests_answers_and_the_cache_are_counted(settings: Settings) -> None:
    client = create_app(settings).test_client()
    for _ in range(3):
        last = client.post("/analyze", json=BODY)
    client.get("/nowhere/<script>")
    client.get("/analyze?cgp=nonsense")
    response = client.get("/metrics")
    assert response.content_type == "text/plain; version=0.0.4; charset=utf-8"
    found = read(response.text)
    assert found['kibitz_requests_total{route="/analyze",status="200"}'] == 3
    assert found['kibitz_requests_total{route="/analyze",status="422"}'] == 1
    assert found['kibitz_requests_total{route="none",status="404"}'] == 1
    assert found['kibitz_answers_total{source="computed"}'] == 1
    assert found['kibitz_answers_total{source="kept"}'] == 2
    assert found['kibitz_cache_values_total{result="hit"}'] == 2, "the answer, twice"
    read_bytes, answer = found['kibitz_cache_bytes_total{way="read"}'], len(last.data)
    assert read_bytes == 2 * answer
    assert found['kibitz_cache_bytes_total{way="written"}'] >= answer
    assert found["kibitz_cache_held_bytes"] == client.application.config["ANALYST"].store.inner.size
    assert found["kibitz_requests_in_flight"] == 1, "the one that asks"
    assert found["kibitz_cache_breaker_open"] == 0
    assert found['kibitz_engine_seconds_total{stage="total"}'] > 0
    assert "script" not in response.text


def test_a_broken_redis_is_seen(settings: Settings, own_redis: RedisServer) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    own_redis.kill()
    client.post("/analyze", json=BODY)
    found = read(client.get("/metrics").text)
    assert found["kibitz_cache_failures_total"] == 2
    assert found["kibitz_cache_breaker_open"] == 1


def test_the_workers_are_added_up_and_a_dead_one_still_counts(data: Path) -> None:
    with running(data, KIBITZ_WORKERS="2", KIBITZ_DRAIN_SECONDS="0") as server:
        deadline = time.monotonic() + 20
        while not re.search(rb"(?m)^kibitz_workers{.*} 2$", server.ask("GET", "/metrics")[2]):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        for _ in range(20):
            server.ask("GET", "/version")
        key = 'kibitz_requests_total{route="/version",status="200"}'
        assert read(server.ask("GET", "/metrics")[2].decode())[key] == 20
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        os.kill(int(children.read_text().split()[0]), signal.SIGKILL)
        time.sleep(0.2)
        assert read(server.ask("GET", "/metrics")[2].decode())[key] == 20


class TestPage:
    def test_slots_add_up(self) -> None:
        page = MetricsPage(3)
        for slot in range(3):
            page.take(slot)
            page.begin(7.0, [])
            page.add(5, slot + 1.0)
        assert page.total(5) == 6

    def test_a_successor_counts_on_and_its_gauges_begin_anew(self) -> None:
        page = MetricsPage(1)
        page.begin(7.0, [2])
        page.add(1, 10)
        page.put(2, 4)
        page.begin(7.0, [2])
        assert (page.total(1), page.total(2)) == (10, 0)

    def test_another_layout_empties_the_slot_and_is_not_added_to(self) -> None:
        page = MetricsPage(2)
        page.begin(7.0, [])
        page.add(1, 10)
        page.take(1)
        page.begin(8.0, [])
        page.add(1, 1)
        assert page.total(1) == 1
        page.take(0)
        page.begin(8.0, [])
        assert page.total(1) == 1

    def test_threads_lose_no_count(self) -> None:
        page = MetricsPage()
        threads = [threading.Thread(target=lambda: [page.add(9, 1) for _ in range(2000)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert page.total(9) == 16_000


class TestMetrics:
    def test_a_histogram_counts_cumulatively(self) -> None:
        metrics = Metrics()
        seconds = metrics.histogram("t_seconds", "Times.")
        metrics.begin()
        for value in (SECONDS[0], SECONDS[0] + 1e-9, 3.0, 1000.0):
            seconds.observe(seconds=value)
        found = read(metrics.text())
        assert found[f't_seconds_bucket{{le="{SECONDS[0]}"}}'] == 1, "a bound belongs to its bucket"
        assert found[f't_seconds_bucket{{le="{SECONDS[1]}"}}'] == 2
        assert found['t_seconds_bucket{le="5.0"}'] == 3
        assert found['t_seconds_bucket{le="+Inf"}'] == found["t_seconds_count"] == 4
        assert found["t_seconds_sum"] == pytest.approx(1003.002, abs=1e-3)

    def test_a_value_of_no_list_is_other(self) -> None:
        metrics = Metrics()
        counter = metrics.counter("t_total", "Things.", colour=("red", "blue"))
        metrics.begin()
        counter.add("red", amount=2)
        counter.add('gr"een\n')
        assert read(metrics.text()) == {'t_total{colour="red"}': 2, f't_total{{colour="{OTHER}"}}': 1}

    def test_too_many_series_are_refused_at_the_start(self) -> None:
        with pytest.raises(ValueError, match="more series"):
            Metrics().counter("t_total", "Things.", number=[str(number) for number in range(SLOT_NUMBERS)])

    def test_a_hundred_routes_would_fit(self) -> None:
        Counts("1").begin(f"/{number}" for number in range(100))
