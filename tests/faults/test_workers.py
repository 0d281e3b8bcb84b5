"""Workers killed and servers stopped under load: only the requests of a dead worker are lost."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.faults.load import ROOM, Load
from tests.service.nginx import nginx_before
from tests.service.serving import Server, running, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.faults.questions import Question
    from tests.service.redis_server import RedisServer

CLIENTS = 12


def stop(process: int) -> None:
    """Stop a process, so that it takes no new connection while its connections are listed."""
    os.kill(process, signal.SIGSTOP)
    while Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.0005)


def all_ready(server: Server, workers: int) -> None:
    """Wait until all workers answer: on a busy machine a new one may take longer than the next kill."""
    wait_until(lambda: len(server.workers()) == workers == server.metric("kibitz_workers{"))


def clients_of(process: int) -> set[int]:
    """Return the ports of the clients with whom a process holds connections."""
    held = set()
    for link in Path(f"/proc/{process}/fd").iterdir():
        try:
            held.add(str(link.readlink()))
        except OSError:
            continue  # closed meanwhile
    ports = set()
    for line in Path(f"/proc/{process}/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        if f"socket:[{words[9]}]" in held:
            ports.add(int(words[2].rpartition(":")[2], 16))
    return ports


@pytest.mark.parametrize(
    ("kills", "pause", "period"),
    [
        pytest.param(3, 0.02, 1.0, id="short"),
        pytest.param(15, 0.005, 2.0, id="long", marks=pytest.mark.slow),
    ],
)
def test_a_killed_worker_takes_only_its_own_requests_with_it(
    data: Path,
    own_redis: RedisServer,
    asked: list[Question],
    kills: int,
    pause: float,
    period: float,
    fault_row: Callable[[str, int, str], None],
) -> None:
    with running(data, KIBITZ_WORKERS="3", KIBITZ_REDIS_URL=own_redis.url, **ROOM) as server:
        killed: list[set[int]] = []
        with Load(lambda: server.port, asked, clients=CLIENTS, pause=pause) as load:
            load.wait_for(len(asked))
            for number in range(kills):
                all_ready(server, 3)
                # The oldest first, so that there are restarted ones among them.
                victim = server.workers()[0]
                stop(victim)
                held = clients_of(victim)
                os.kill(victim, signal.SIGKILL)
                killed.append(held)
                time.sleep(period)
                load.wait_for(CLIENTS)
                assert victim not in server.workers(), number
        tally = load.tally
        all_ready(server, 3)
    lost = tally.lost
    fault_row(
        f"a worker of 3 killed (kill -9) {kills} times, every {period:.0f} s, {CLIENTS} clients",
        tally.requests,
        f"{len(lost)} lost, all held by the killed workers; {len(tally.wrong)} wrong",
    )
    assert tally.wrong == []
    for reply in lost:
        assert any(reply.port in held for held in killed), reply
    assert len(lost) <= kills * CLIENTS


@pytest.mark.process
@pytest.mark.parametrize(
    ("kills", "period"),
    [pytest.param(2, 1.0, id="short"), pytest.param(15, 2.0, id="long", marks=pytest.mark.slow)],
)
def test_behind_nginx_a_killed_worker_loses_no_answer(
    data: Path,
    tmp_path: Path,
    asked: list[Question],
    kills: int,
    period: float,
    fault_row: Callable[[str, int, str], None],
) -> None:
    """nginx asks again what a dead worker left unanswered: another one computes the same.

    But what it has begun to hand on it cannot take back.
    """
    with (
        running(data, KIBITZ_WORKERS="3", **ROOM) as server,
        nginx_before(tmp_path, server.port) as port,
    ):
        with Load(lambda: port, asked, clients=CLIENTS, pause=0.005) as load:
            load.wait_for(len(asked))
            for _ in range(kills):
                all_ready(server, 3)
                os.kill(server.workers()[0], signal.SIGKILL)
                time.sleep(period)
        tally = load.tally
    fault_row(
        f"a worker of 3 behind nginx killed (kill -9) {kills} times, every {period:.0f} s, {CLIENTS} clients",
        tally.requests,
        f"{len(tally.lost)} answers cut off; {len(tally.wrong)} wrong",
    )
    assert tally.wrong == []
    assert all(reply.error.startswith("IncompleteRead") for reply in tally.lost), tally.lost
    assert len(tally.lost) <= 4 * kills, "at most what the killed one's threads were writing"


@pytest.mark.process
@pytest.mark.parametrize("rounds", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_sigterm_loses_nothing_for_clients_who_heed_readyz(
    data: Path, asked: list[Question], rounds: int, fault_row: Callable[[str, int, str], None]
) -> None:
    """A rolling restart: one server is stopped while another takes over, and no request is lost."""
    requests = 0
    for _ in range(rounds):
        with (
            running(data, KIBITZ_WORKERS="2", KIBITZ_DRAIN_SECONDS="1.5", **ROOM) as old,
            running(data, **ROOM) as new,
        ):
            places = [old]
            with Load(lambda: places[0].port, asked, clients=8, pause=0.005) as load:  # noqa: B023 - joined here
                load.wait_for(2 * len(asked))
                old.process.send_signal(signal.SIGTERM)
                while old.ask("GET", "/readyz")[0] == 200:
                    time.sleep(0.02)
                places[0] = new  # as a balancer would; the server closes open connections
                code, lines, _ = old.result()
                load.wait_for(len(asked))
            requests += load.tally.requests
            assert code == 0
            assert [line for line in lines if line["level"] in ("error", "critical")] == []
            assert load.tally.lost == []
            assert load.tally.wrong == []
    fault_row(f"SIGTERM under load, 8 clients, {rounds} times", requests, "0")


def one_request(port: int) -> int:
    """Return the status of the answer to a request on a connection of its own, 0 without an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", "/boards", headers={"Connection": "close"})
        return connection.getresponse().status
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()


@pytest.mark.process
def test_behind_nginx_a_drain_loses_no_request(
    data: Path, tmp_path: Path, fault_row: Callable[[str, int, str], None]
) -> None:
    """One of two servers is stopped, and waits for a request that is half sent."""
    with (
        running(data, KIBITZ_DRAIN_SECONDS="1", KIBITZ_GRACEFUL_SECONDS="20") as stopped,
        running(data) as other,
        nginx_before(tmp_path, stopped.port, other.port) as port,
    ):
        half = stopped.connect()
        half.putrequest("POST", "/analyze")
        half.putheader("Content-Type", "application/json")
        half.putheader("Content-Length", "2")
        half.endheaders(b"{")
        stopped.process.send_signal(signal.SIGTERM)
        with ThreadPoolExecutor(4) as clients:
            before = list(clients.map(one_request, [port] * 100))
            wait_until(lambda: one_request(stopped.port) == 0)
            after = list(clients.map(one_request, [port] * 100))
            direct = list(clients.map(one_request, [stopped.port] * 16))
        half.send(b"}")
        assert half.getresponse().status == 422, "the request in flight is answered"
        half.close()
        assert stopped.result()[0] == 0
        fault_row("one of two servers behind nginx drains", len(before + after), "0")
        assert set(before + after) == {200}
        assert set(direct) == {0}
