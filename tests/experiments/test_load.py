"""The load test on a small lexicon: its report is complete and no request failed."""

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

from benchmarks.load.bounds import verdicts
from benchmarks.load.client import NO_ANSWER, Reply, Wire, closed_loop, open_loop, post
from benchmarks.load.phases import overload
from benchmarks.load.plots import draw
from benchmarks.load.positions import LAST_MOVE, asked_of_games, simulations
from benchmarks.load.report import markdown
from benchmarks.load.servers import has_redis
from engine import Catalogue, tile_set

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a lexicon of all words of two vowels and a consonant, in any order."""
    folder = tmp_path_factory.mktemp("load")
    vowels, consonants = "AEIOU", "BDGLMNPRST"
    words = {c + v for c in consonants for v in vowels} | {v + c for c in consonants for v in vowels}
    words |= {c + v + d for c in consonants for v in vowels for d in consonants}
    (folder / "words.txt").write_text("\n".join(sorted(words)))
    Catalogue(folder).build_from(folder / "words.txt", tile_set("english"), lexicon_id="syllables")
    return folder


@pytest.fixture(scope="module")
def report(data: Path) -> dict[str, Any]:
    """What `python -m benchmarks.load --quick --json` prints."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    command = [sys.executable, "-m", "benchmarks.load", "--quick", "--json", "--lexicon", "syllables"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=inherited | {"KIBITZ_DATA": str(data)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def test_every_request_is_answered(report: dict[str, Any]) -> None:
    assert report["errors"] == 0
    assert set(report["servers"]) == ({"embedded", "redis"} if has_redis() else {"embedded"})
    for name, measured in report["servers"].items():
        moves = measured["by_move"]["moves"]
        assert [row["move"] for row in moves] == list(range(1, len(moves) + 1))
        assert sum(row["positions"] for row in moves) == report["positions"]
        hit_rate = measured["by_move"]["hit_rate"]
        assert (hit_rate["computed"], hit_rate["repeated"]) == (0.0, 1.0)
        assert hit_rate.get("fetched", 1.0) == 1.0
        assert measured["pss_bytes"] > 10e6
        for load in measured["throughput"]:
            assert ("fetched" in load) == (name == "redis")
            for kind in load.keys() - {"connections", "errors"}:
                assert kind in ("null", "computed") or load[kind]["hit_rate"] == 1.0
                assert load[kind]["answers"] > 0
                assert load[kind]["median_ms"] <= load[kind]["p99_ms"] <= load[kind]["max_ms"]
    busy = report["overload"]
    assert busy["offered_per_second"] > busy["capacity_per_second"] > 0
    assert set(busy["statuses"]) <= {"200", "202", "429", "503"}


def test_tables_verdicts_and_plots(report: dict[str, Any], tmp_path: Path) -> None:
    text = markdown(report)
    for row in report["servers"]["embedded"]["by_move"]["moves"]:
        assert f"| {row['move']} | {row['positions']} |" in text
    assert "null route" in text
    assert "of null" in text
    judged = verdicts(report)
    assert judged == report["verdicts"]
    assert judged[0] == {"what": "errors", "figure": 0, "bound": 0, "held": True}
    assert [(one["what"].split(" ")[0], one["bound"]) for one in judged[1:4]] == [
        ("board", 1.0),
        ("p99", 60.0),
        ("PSS", 150.0),
    ]
    assert not any("null" in one["what"] for one in judged)
    assert not verdicts(report | {"errors": 1})[0]["held"]
    unrefused = report["overload"] | {"refused": {"answers": 0, "max_ms": None}}
    refusal = next(one for one in verdicts(report | {"overload": unrefused}) if "refusal" in one["what"])
    assert (refusal["figure"], refusal["held"]) == (None, False)
    draw(report, tmp_path)
    assert "Quackle" in (tmp_path / "load-by-move.svg").read_text()
    assert (tmp_path / "load-throughput.svg").stat().st_size > 1000


def test_positions_are_those_of_the_games(data: Path) -> None:
    asked = asked_of_games(Catalogue(data).open("syllables"), 2, lambda *_: None)
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
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchmarks.load import phases
    from benchmarks.load.client import Run
    from benchmarks.load.servers import Running

    replies = [Reply(status, 0.01, "") for status in (200, 202, 429, 503, 500, NO_ANSWER)]
    monkeypatch.setattr(phases, "closed_loop", lambda *_: Run(1.0, replies[:1]))
    monkeypatch.setattr(phases, "open_loop", lambda *_: Run(1.0, replies))
    asked = asked_of_games(Catalogue(data).open("syllables"), 1, lambda *_: None)
    measured = overload(Running(0, 0), asked, 1, 10, 1.0)
    assert (measured["accepted"]["answers"], measured["refused"]["answers"], measured["errors"]) == (2, 2, 2)
