"""/metrics: correct numbers and formats, and the sums of several workers."""

from __future__ import annotations

import os
import re
import signal
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.app import create_app
from tests.service.serving import running, wait_until

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from service.settings import Settings
    from tests.service.redis_server import RedisServer
    from tests.service.serving import Server

BODY = {"tiles": [], "rack": "CABDEFE"}
LINE = re.compile(r'([a-z_]+)(\{(?:[a-z]+="[^"\n]*",?)+\})? ([-+0-9.e]+|\+Inf)')
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
VERSIONS = 'kibitz_requests_total{route="/version",status="200"}'


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
        client.post("/analyze", json=BODY)
    client.get("/nowhere/<script>")
    client.get("/analyze?cgp=nonsense")
    response = client.get("/metrics")
    assert response.content_type.startswith("text/plain; version=")
    found = read(response.text)
    assert found['kibitz_requests_total{route="/analyze",status="200"}'] == 3
    assert found['kibitz_requests_total{route="/analyze",status="422"}'] == 1
    assert found['kibitz_requests_total{route="none",status="404"}'] == 1
    assert found['kibitz_request_seconds_count{route="/analyze",search="no"}'] == 4
    assert found['kibitz_answers_total{source="computed"}'] == 1
    assert found['kibitz_answers_total{source="cached"}'] == 2
    assert found['kibitz_cache_values_total{result="hit",tier="memory"}'] == 2, "the answer, twice"
    assert found["kibitz_cache_bytes"] > 0
    assert found["kibitz_requests_in_flight"] == 1, "the one that reads them"
    assert found['kibitz_engine_seconds_total{stage="total"}'] > 0
    assert "script" not in response.text


def test_searches_are_timed_apart(settings: Settings) -> None:
    """They take as long as the client allows, so their times say nothing about the others."""
    client = create_app(settings).test_client()
    searched = {**BODY, "simulate": {"method": "monte_carlo", "iterations": 10, "candidates": 2}, "seed": 1}
    assert client.post("/analyze", json=BODY).status_code == 200
    response = client.post("/analyze", json=searched)
    assert response.status_code == 200, response.text
    found = read(client.get("/metrics").text)
    assert found['kibitz_request_seconds_count{route="/analyze",search="no"}'] == 1
    assert found['kibitz_request_seconds_count{route="/analyze",search="yes"}'] == 1


def test_hits_in_redis_are_counted_apart(settings: Settings, own_redis: RedisServer) -> None:
    with_redis = replace(settings, redis_url=own_redis.url)
    create_app(with_redis).test_client().post("/analyze", json=BODY, buffered=True)
    client = create_app(with_redis).test_client()
    for _ in range(3):
        client.post("/analyze", json=BODY)
    found = read(client.get("/metrics").text)
    assert found['kibitz_cache_values_total{result="hit",tier="memory"}'] == 2, "the answer"
    assert found['kibitz_cache_values_total{result="hit",tier="redis"}'] == 1, "the board"


def test_failures_of_redis_are_counted(settings: Settings, own_redis: RedisServer) -> None:
    client = create_app(replace(settings, redis_url=own_redis.url)).test_client()
    own_redis.kill()
    client.post("/analyze", json=BODY)
    assert read(client.get("/metrics").text)["kibitz_cache_failures_total"] == 1, "then it is left alone"


def test_openmetrics_is_answered_if_asked_for(client: FlaskClient) -> None:
    response = client.get("/metrics", headers={"Accept": "application/openmetrics-text;version=1.0.0"})
    assert response.content_type.startswith("application/openmetrics-text; version=1.0.0")
    assert response.text.endswith("# EOF\n")


def test_a_client_cannot_add_series(client: FlaskClient) -> None:
    client.get("/version")
    client.get("/nowhere")
    before = set(read(client.get("/metrics").text))
    for number in range(20):
        client.get(f"/nowhere/{number}")
        client.open("/version", method=f"ODD{number}")
        client.get(f"/version?n={number}", headers={"X-Request-ID": str(number)})
    added = set(read(client.get("/metrics").text)) - before
    assert all('route="none"' in name or 'status="405"' in name or "/metrics" in name for name in added), (
        added
    )


def environment(server: Server) -> dict[str, str]:
    """Return the environment of the server's oldest worker, as its processes would see it."""
    lines = Path(f"/proc/{server.workers()[0]}/environ").read_bytes().split(b"\0")
    return dict(line.decode().split("=", 1) for line in lines if b"=" in line)


def open_files(process: int) -> set[str]:
    found = set()
    for link in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            found.add(str(link.readlink()))
    return found


@pytest.mark.process
@pytest.mark.parametrize("given", [False, True], ids=["no folder", "a folder in the environment"])
def test_one_worker_has_no_metrics_files(data: Path, tmp_path: Path, given: bool) -> None:
    chosen = {FOLDER: str(tmp_path)} if given else {"TMPDIR": str(tmp_path)}
    with running(data, **chosen) as server:
        server.ask("POST", "/analyze", BODY)
        assert server.metric('kibitz_answers_total{source="computed"}') == 1
        assert list(tmp_path.iterdir()) == []
        for process in (server.process.pid, *server.workers()):
            assert [name for name in open_files(process) if name.endswith(".db")] == []


@pytest.mark.process
def test_a_full_shared_memory_does_not_kill_one_worker(data: Path) -> None:
    """In a mount namespace of its own, whose /dev/shm holds 64 KB and is full."""
    fill = "mount -t tmpfs -o size=64k tmpfs /dev/shm && head -c 65536 /dev/zero > /dev/shm/full"
    if os.system(f"unshare -m sh -c '{fill}' 2> /dev/null") != 0:
        pytest.skip("needs the right to mount")
    with running(data, wrapper=["unshare", "-m", "sh", "-c", f'{fill}; exec "$@"', "sh"]) as server:
        worker = server.workers()
        for _ in range(50):
            assert server.ask("POST", "/analyze", BODY)[0] == 200
        assert server.workers() == worker


@pytest.mark.process
def test_several_workers_have_a_folder_of_their_own_and_remove_it(data: Path, tmp_path: Path) -> None:
    """Not on the volume of temporary files, which anything may fill: that would kill them."""
    with running(data, KIBITZ_WORKERS="2", TMPDIR=str(tmp_path)) as server:
        server.ask("GET", "/version")
        files = [Path(name) for name in open_files(server.workers()[0]) if name.endswith(".db")]
        (folder,) = {file.parent for file in files}
        assert folder.is_relative_to("/dev/shm")
        assert folder.stat().st_mode & 0o777 == 0o700
        assert server.stop(signal.SIGTERM)[0] == 0
        assert not folder.exists()
        assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_a_given_folder_is_emptied_at_start_and_stays(data: Path, tmp_path: Path) -> None:
    """It may be a volume, and only prometheus-client's files are ours to remove."""
    (tmp_path / "counter_1.db").write_bytes(b"left by a killed server")
    (tmp_path / "other").write_bytes(b"")
    with running(data, KIBITZ_WORKERS="2", **{FOLDER: str(tmp_path)}) as server:
        server.ask("GET", "/version")
        assert server.metric(VERSIONS) == 1
        assert not (tmp_path / "counter_1.db").exists()
        assert list(tmp_path.glob("counter_*.db"))
        assert server.stop(signal.SIGINT)[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


@pytest.mark.process
def test_workers_are_added_up_and_counters_outlive_a_killed_one(data: Path) -> None:
    with running(data, KIBITZ_WORKERS="2") as server:
        wait_until(lambda: server.metric("kibitz_workers{") == 2)
        for _ in range(20):
            server.ask("GET", "/version")
        assert server.metric(VERSIONS) == 20
        victim = server.workers()[0]
        os.kill(victim, signal.SIGKILL)

        def is_replaced() -> bool:
            with suppress(OSError):  # a connection of the killed one
                return (
                    victim not in server.workers()
                    and len(server.workers()) == 2
                    and server.metric("kibitz_workers{") == 2
                )
            return False

        wait_until(is_replaced)
        assert server.metric(VERSIONS) == 20
        assert server.metric("kibitz_requests_in_flight") == 1
