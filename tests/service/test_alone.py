"""The service in one process, where no master takes the signals."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from engine.lexicon.store import TableFile
from tests.service.serving import ROOT, Server, running, wait_until

if TYPE_CHECKING:
    from pathlib import Path

SERVE = "from service.cli import main; main()"
LIVE = b"GET /livez HTTP/1.0\r\n\r\n"


def environment(data: Path) -> dict[str, str]:
    return {**os.environ, "KIBITZ_DATA": str(data), "KIBITZ_LEXICON": "small", "KIBITZ_DRAIN_SECONDS": "0"}


def test_a_closed_terminal_drains_it(data: Path) -> None:
    with running(data, KIBITZ_DRAIN_SECONDS="0.5") as server:
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: server.ask("GET", "/readyz")[0] == 503)
        server.process.send_signal(signal.SIGTERM)  # told again; the time goes on
        assert server.ask("GET", "/livez")[0] == 200
        assert server.result()[0] == 0


def test_nohup_keeps_it_and_so_does_a_parent_that_leaves(data: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    begin = f"nohup {sys.executable} -c '{SERVE}' serve --port {port} > /dev/null 2>&1 & echo $!"
    shell = subprocess.run(
        ["sh", "-c", begin], cwd=ROOT, env=environment(data), capture_output=True, check=True
    )
    number = int(shell.stdout)

    def answers() -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(LIVE)
            return b" 200 " in connection.recv(100)
        return False

    try:
        wait_until(answers)
        os.kill(number, signal.SIGHUP)
        time.sleep(1.2)  # a worker looks for its parent every second
        assert answers()
        os.kill(number, signal.SIGTERM)
        wait_until(lambda: not answers())
    finally:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def test_a_unix_socket_goes_with_it(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "kibitz.sock"
    server = Server(data, KIBITZ_HOST=f"unix:{path}", KIBITZ_DRAIN_SECONDS="0")
    try:
        wait_until(path.exists)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
            connection.sendall(b"GET /readyz HTTP/1.0\r\n\r\n")
            assert b" 200 " in connection.recv(100)
        assert server.stop()[0] == 0
        assert not path.exists()
    finally:
        server.kill()


def test_a_socket_of_systemd_is_taken_over(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        # What systemd does: the socket as descriptor 3, and the number of the process told to itself.
        given = f"import os; os.dup2({listener.fileno()}, 3); os.environ['LISTEN_PID'] = str(os.getpid())"
        process = subprocess.Popen(
            [sys.executable, "-c", f"{given}; {SERVE}", "serve", "--port", "0"],
            cwd=ROOT,
            env={**environment(data), "LISTEN_FDS": "1"},
            pass_fds=(listener.fileno(),),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(LIVE)
        assert b" 200 " in connection.recv(100)
    process.terminate()
    assert process.communicate(timeout=20)[1] == b""
    assert process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stopped_while_it_builds_a_table_it_leaves_a_whole_one_or_none(tmp_path: Path, number: int) -> None:
    server = Server(tmp_path, KIBITZ_LEXICON="scowl80")
    try:
        wait_until((tmp_path / "tables").exists)
        code, lines, err = server.stop(number)
    finally:
        server.kill()
    assert (code, [line for line in lines if line["level"] == "error"]) == (0, [])
    assert "Traceback" not in err
    for left in (tmp_path / "tables").iterdir():
        if left.suffix != ".lock":
            TableFile.open(left).close()
