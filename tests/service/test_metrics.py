"""/metrics: right numbers, the right format, and workers added up."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from prometheus_client import values

from service.app import create_app
from service.observability.metrics import OTHER, SECONDS, Metrics
from service.observability.sharing import FOLDER, MetricsFolder
from tests.service.long_work import endless
from tests.service.serving import running, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.testing import FlaskClient

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
    assert found["kibitz_cache_breaker_open"] == found["kibitz_cache_fetched_total"] == 0
    assert found['kibitz_engine_seconds_total{stage="total"}'] > 0
    assert "script" not in response.text


def test_what_redis_gave_is_told_from_what_was_at_hand(settings: Settings, own_redis: RedisServer) -> None:
    with_redis = replace(settings, redis_url=own_redis.url)
    other = create_app(with_redis)
    other.test_client().post("/analyze", json=BODY)
    assert other.config["ANALYST"].store.inner.behind.settle()
    client = create_app(with_redis).test_client()
    for _ in range(3):
        client.post("/analyze", json=BODY)
    found = read(client.get("/metrics").text)
    assert found['kibitz_cache_values_total{result="hit"}'] == 3
    assert found["kibitz_cache_fetched_total"] == 1
    assert found["kibitz_cache_held_bytes"] > 0


def test_a_broken_redis_is_seen(settings: Settings, own_redis: RedisServer) -> None:
    app = create_app(replace(settings, redis_url=own_redis.url))
    client = app.test_client()
    own_redis.kill()
    client.post("/analyze", json=BODY)
    assert app.config["ANALYST"].store.inner.behind.settle()
    client.post("/analyze", json=BODY)
    found = read(client.get("/metrics").text)
    assert found["kibitz_cache_failures_total"] == 2
    assert found["kibitz_cache_breaker_open"] == 1


def test_the_workers_are_added_up_and_a_dead_one_still_counts(data: Path) -> None:
    with running(data, KIBITZ_WORKERS="2", KIBITZ_DRAIN_SECONDS="0") as server:
        deadline = time.monotonic() + 20
        while not re.search(rb"(?m)^kibitz_workers{.*} 2.0$", server.ask("GET", "/metrics")[2]):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        for _ in range(20):
            server.ask("GET", "/version")
        key = 'kibitz_requests_total{route="/version",status="200"}'
        assert read(server.ask("GET", "/metrics")[2].decode())[key] == 20
        os.kill(server.workers()[0], signal.SIGKILL)
        deadline = time.monotonic() + 20
        gauges = []
        while not gauges or gauges[-1] < 2:  # one is missed, then its successor is there
            assert time.monotonic() < deadline
            with suppress(OSError):  # the dead one's connection
                found = read(server.ask("GET", "/metrics")[2].decode())
                assert found[key] == 20
                gauges.append(next(found[name] for name in found if name.startswith("kibitz_workers")))
        assert found["kibitz_heavy_slots"] == 4


def test_processes_that_do_jobs_are_no_workers_of_the_server(data: Path) -> None:
    with running(data, KIBITZ_SYNC_MS="1000", KIBITZ_DRAIN_SECONDS="0") as server:
        gauges = ("kibitz_workers", "kibitz_heavy_slots", "kibitz_heavy_running")
        before = [server.metric(name) for name in gauges]
        assert before[0] == 1
        for number in (1, 2):
            job = json.loads(server.ask("POST", "/analyze", endless(number))[2])["id"]
            wait_until(lambda: json.loads(server.ask("GET", f"/jobs/{job}")[2])["done"] > 0)  # noqa: B023
            assert [server.metric(name) for name in gauges] == before
            assert server.ask("DELETE", f"/jobs/{job}")[0] == 200
        assert [server.metric(name) for name in gauges] == before


def count_by_threads() -> None:
    metrics = Metrics()
    counter = metrics.counter("t_total", "Things.")
    threads = [threading.Thread(target=lambda: [counter.add() for _ in range(2000)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read(metrics.told("")[0].decode()) == {"t_total": 16_000}


class TestFolder:
    @pytest.fixture
    def multiprocess(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Put back what `join` changes in the process."""
        monkeypatch.setenv(FOLDER, "")
        monkeypatch.setattr(values, "ValueClass", values.ValueClass)

    @pytest.mark.usefixtures("multiprocess")
    def test_slots_add_up_and_a_successor_counts_on_with_gauges_of_its_own(self, tmp_path: Path) -> None:
        folder = MetricsFolder(tmp_path)
        for slot, amount in ((0, 3.0), (1, 4.0), (0, 5.0)):  # the last one follows the first
            if amount == 5.0:
                folder.bury(0)
            folder.join(slot)
            metrics = Metrics()
            metrics.counter("t_total", "Things.", colour=("red",)).add("red", amount=amount)
            metrics.gauge("t_held", "Held.").put(value=amount)
            metrics.histogram("t_seconds", "Times.").observe(seconds=0.02)
        found = read(metrics.told("")[0].decode())
        assert found['t_total{colour="red"}'] == 12
        assert found["t_held"] == 9
        assert found["t_seconds_count"] == found['t_seconds_bucket{le="0.025"}'] == 3
        assert found['t_seconds_bucket{le="0.01"}'] == 0
        assert len(list(folder.path.iterdir())) == 6, "three files for each of two slots"
        folder.remove()
        assert not folder.path.exists()

    @pytest.mark.usefixtures("multiprocess")
    def test_a_file_that_grows_keeps_what_was_counted(self, tmp_path: Path) -> None:
        folder = MetricsFolder(tmp_path)
        folder.join(0)
        metrics = Metrics()
        numbers = [str(number) for number in range(1_000)]
        counter = metrics.counter("t_total", "Things. " * 20, number=numbers)
        held = metrics.gauge("t_held", "Held.")
        for step in (1, 2):
            for number in numbers:  # of the first file only the first hundreds find room where it begins
                counter.add(number, amount=step)
                counter.add("0")
            held.put(value=step)
            held.add(amount=-0.5)
        assert next(folder.path.glob("counter_0.db")).stat().st_size > 1 << 16
        found = read(metrics.told("")[0].decode())
        assert [found[f't_total{{number="{number}"}}'] for number in numbers[1:]] == [3] * 999
        assert found['t_total{number="0"}'] == 2_003
        assert found["t_held"] == 1.5
        folder.remove()

    @pytest.mark.usefixtures("multiprocess")
    def test_threads_lose_no_count_in_the_files_either(self, tmp_path: Path) -> None:
        folder = MetricsFolder(tmp_path)
        folder.join(0)
        count_by_threads()
        folder.remove()

    def test_what_a_killed_server_left_is_removed_and_a_living_one_stays(self, tmp_path: Path) -> None:
        living = MetricsFolder(tmp_path)
        left = tmp_path / living.path.name.replace(living.path.name[-4:], "left")
        left.mkdir()
        (left / "counter_0.db").write_bytes(b"x")
        MetricsFolder(tmp_path)
        assert living.path.exists()
        assert not left.exists()


def links(folder: Path) -> Iterator[str]:
    """Yield where the links of a folder lead; some may go while it is read."""
    for link in folder.iterdir():
        with suppress(FileNotFoundError):
            yield str(link.readlink())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_leaves_no_files(data: Path, workers: str, number: int) -> None:
    with running(data, KIBITZ_DRAIN_SECONDS="0", KIBITZ_WORKERS=workers) as server:
        server.ask("GET", "/version")
        (folder,) = {
            Path(link).parent
            for worker in server.workers()
            for link in links(Path(f"/proc/{worker}/fd"))
            if "kibitz-metrics-" in link and link.endswith(".db")
        }
        assert folder.exists()
        assert server.stop(number)[0] == 0
        assert not folder.exists()


class TestMetrics:
    def test_a_histogram_counts_cumulatively(self) -> None:
        metrics = Metrics()
        seconds = metrics.histogram("t_seconds", "Times.")
        for value in (SECONDS[0], SECONDS[0] + 1e-9, 3.0, 1000.0):
            seconds.observe(seconds=value)
        found = read(metrics.told("")[0].decode())
        assert found[f't_seconds_bucket{{le="{SECONDS[0]}"}}'] == 1, "a bound belongs to its bucket"
        assert found[f't_seconds_bucket{{le="{SECONDS[1]}"}}'] == 2
        assert found['t_seconds_bucket{le="5.0"}'] == 3
        assert found['t_seconds_bucket{le="+Inf"}'] == found["t_seconds_count"] == 4
        assert found["t_seconds_sum"] == pytest.approx(1003.002, abs=1e-3)

    def test_a_value_of_no_list_is_other(self) -> None:
        metrics = Metrics()
        counter = metrics.counter("t_total", "Things.", colour=("red", "blue"))
        counter.add("red", amount=2)
        for number in range(50):
            counter.add(f'gr"een\n{number}')
        assert read(metrics.told("")[0].decode()) == {
            't_total{colour="red"}': 2,
            f't_total{{colour="{OTHER}"}}': 50,
        }

    def test_threads_lose_no_count(self) -> None:
        count_by_threads()

    def test_openmetrics_for_who_asks(self, client: FlaskClient) -> None:
        response = client.get("/metrics", headers={"Accept": "application/openmetrics-text;version=1.0.0"})
        assert response.content_type.startswith("application/openmetrics-text; version=1.0.0")
        assert response.text.endswith("# EOF\n")
