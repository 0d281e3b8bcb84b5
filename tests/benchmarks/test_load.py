"""The load test with few requests: no request fails, and the exit status says whether its bounds hold."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from benchmarks.load import __main__ as command
from benchmarks.load.bounds import PSS_MB, verdicts
from benchmarks.load.client import NO_ANSWER, Reply, Wire, closed_loop, open_loop, post
from benchmarks.load.phases import overload
from benchmarks.load.plots import draw
from benchmarks.load.positions import LAST_MOVE, asked_of_games, simulations
from benchmarks.load.report import markdown
from benchmarks.load.servers import has_redis
from lab.experiments.published import HEURI_MS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Catalogue

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def report(bundled: Catalogue) -> dict[str, Any]:
    """What `python -m benchmarks.load --quick --json` prints; its times are those of a busy machine."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    command = [sys.executable, "-m", "benchmarks.load", "--quick", "--json", "--lexicon", "scowl80"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=inherited | {"KIBITZ_DATA": str(bundled.data_directory)},
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    printed: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (not all(one["held"] for one in printed["verdicts"])), printed["verdicts"]
    return printed


@pytest.mark.process
def test_every_request_is_answered(report: dict[str, Any]) -> None:
    assert report["errors"] == 0
    assert set(report["servers"]) == ({"embedded", "redis"} if has_redis() else {"embedded"})
    numbers = [row["move"] for row in report["engine"]["moves"]]
    for measured in report["servers"].values():
        moves = measured["by_move"]["moves"]
        assert [row["move"] for row in moves] == numbers
        assert [row["move"] for row in moves] == list(range(1, len(moves) + 1))
        assert sum(row["positions"] for row in moves) == report["positions"]
        hit_rate = measured["by_move"]["hit_rate"]
        assert (hit_rate["computed"], hit_rate["repeated"]) == (0.0, 1.0)
        assert measured["pss_bytes"] > 10e6
        for load in measured["throughput"]:
            for kind in load.keys() - {"connections", "errors"}:
                assert kind in ("null", "computed") or load[kind]["hit_rate"] == 1.0
                assert load[kind]["answers"] > 0
                assert load[kind]["median_ms"] <= load[kind]["p99_ms"] <= load[kind]["max_ms"]
    busy = report["overload"]
    assert busy["offered_per_second"] > busy["capacity_per_second"] > 0
    assert set(busy["statuses"]) <= {"200", "202", "429", "503"}


@pytest.mark.process
def test_tables_and_plots(report: dict[str, Any], tmp_path: Path) -> None:
    text = markdown(report)
    for row in report["servers"]["embedded"]["by_move"]["moves"]:
        assert f"| {row['move']} | {row['positions']} |" in text
    assert "null route" in text
    assert "of null" in text
    draw(report, tmp_path)
    assert "Quackle" in (tmp_path / "load-by-move.svg").read_text()
    assert (tmp_path / "load-throughput.svg").stat().st_size > 1000


@pytest.mark.process
def test_the_engine_is_compared_with_the_published_time_at_every_move_number(report: dict[str, Any]) -> None:
    shares = {row["move"]: row["engine_ms"] / HEURI_MS[row["move"] - 1] for row in report["engine"]["moves"]}
    assert report["verdicts"] == verdicts(report)
    assert report["verdicts"][1]["figure"] == round(max(shares.values()), 3) > 0


def judged(engine_ms: list[float], errors: int = 0, pss: float = 120e6) -> dict[str, Any]:
    moves = [{"move": move, "engine_ms": ms} for move, ms in enumerate(engine_ms, 1)]
    return {"engine": {"moves": moves}, "errors": errors, "servers": {"embedded": {"pss_bytes": pss}}}


@pytest.mark.parametrize(
    ("report", "missed"),
    [
        (judged([0.1, 0.9]), []),
        (judged([0.1, 1.0]), ["board + gen by the published time, at the slowest move number (2)"]),
        (judged([0.1], errors=1), ["failed requests"]),
        (judged([0.1], pss=151e6), ["PSS of master and one worker after load, MB"]),
    ],
)
def test_a_missed_bound_is_an_exit_status(
    report: dict[str, Any], missed: list[str], bundled: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = report | {"verdicts": verdicts(report)}
    assert [verdict["what"] for verdict in report["verdicts"] if not verdict["held"]] == missed
    monkeypatch.setattr(command, "run_load", lambda *_: report | {"servers": {"redis": {}}})
    monkeypatch.setattr(command, "markdown", lambda _: "")
    done = CliRunner().invoke(
        command.main,
        ["--lexicon", "scowl80"],
        env={"KIBITZ_DATA": str(bundled.data_directory)},
        catch_exceptions=False,
    )
    assert done.exit_code == bool(missed)


def test_a_wrong_setting_is_one_line() -> None:
    done = CliRunner().invoke(command.main, [], env={"KIBITZ_DATA": ""})
    assert (done.exit_code, done.output) == (1, "Error: KIBITZ_DATA: must not be empty\n")


def test_the_help_names_the_bounds_that_are_judged() -> None:
    text = " ".join(CliRunner().invoke(command.main, ["--help"]).output.split())
    assert "Three bounds are judged" in text
    assert len(verdicts(judged([0.1]))) == 3
    assert f"at most {PSS_MB:.0f} MB" in text


def test_positions_are_those_of_the_games(bundled: Catalogue) -> None:
    asked = asked_of_games(bundled.open("scowl80"), 2, lambda *_: None)
    assert {1, 2, 3} <= {one.move for one in asked} <= set(range(1, LAST_MOVE + 1))
    assert len({one.request for one in asked}) == len(asked)
    for one in asked:
        racks = json.loads(one.request.partition(b"\r\n\r\n")[2])["cgp"].split()[1]
        assert racks.endswith("/")
    source = simulations(asked, 10)
    assert len({next(source) for _ in range(50)}) == 50


class _Talker:
    """A server that sends given answers, on any number of connections."""

    def __init__(self, answers: list[bytes]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._answers = iter(answers)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                connection = self._listener.accept()[0]
            except OSError:  # closed
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, suppress(ConnectionResetError):
            while connection.recv(1 << 16):
                answer = next(self._answers, b"")
                if not answer:
                    break
                for start in range(0, len(answer), 7):  # in pieces, as a network may bring it
                    connection.sendall(answer[start : start + 7])
                if b"connection: close" in answer.lower():
                    break

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def talker() -> Iterator[type[_Talker]]:
    made: list[_Talker] = []

    class Listed(_Talker):
        def __init__(self, answers: list[bytes]) -> None:
            super().__init__(answers)
            made.append(self)

    yield Listed
    for one in made:
        one.close()


OK = (
    b"HTTP/1.1 200 OK\r\nServer-Timing: board;dur=1.5, gen;dur=2.25, total;dur=9\r\n"
    b"Content-Length: 5\r\n\r\nhello"
)
BUSY = b"HTTP/1.1 503 Busy\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def test_the_client_reads_answers_in_pieces(talker: type[_Talker]) -> None:
    with Wire(talker([OK, BUSY, OK, b""]).port) as wire:
        replies = [wire.ask(post("/", b"{}")) for _ in range(4)]
    assert [reply.status for reply in replies] == [200, 503, 200, NO_ANSWER]
    assert replies[0].engine_ms() == 3.75
    assert not replies[0].is_hit


def test_the_loops_count_every_request(talker: type[_Talker]) -> None:
    def requests() -> Iterator[bytes]:
        while True:
            yield post("/", b"{}")

    run = closed_loop(talker([OK] * 10_000).port, requests(), 1, 0.05)
    assert {reply.status for reply in run.replies} == {200}
    run = open_loop(talker([OK, BUSY, OK, OK, OK]).port, requests(), 20, 0.25)
    assert sorted(reply.status for reply in run.replies) == [200, 200, 200, 200, 503]


def test_any_other_answer_than_done_or_refused_is_an_error(
    bundled: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchmarks.load import phases
    from benchmarks.load.client import Run
    from benchmarks.load.servers import Running

    replies = [Reply(status, 0.01, "") for status in (200, 202, 429, 503, 500, NO_ANSWER)]
    monkeypatch.setattr(phases, "closed_loop", lambda *_: Run(1.0, replies[:1]))
    monkeypatch.setattr(phases, "open_loop", lambda *_: Run(1.0, replies))
    asked = asked_of_games(bundled.open("scowl80"), 1, lambda *_: None)
    measured = overload(Running(0, 0), asked, 1, 10, 1.0)
    assert (measured["accepted"]["answers"], measured["refused"]["answers"], measured["errors"]) == (2, 2, 2)
