"""deploy/try_compose.py: compose.yaml works in network namespaces, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.service.serving import children, wait_until

DEPLOY = Path(__file__).parents[2] / "deploy"
SCRIPT = [sys.executable, str(DEPLOY / "try_compose.py")]
NAMESPACES = Path("/run/netns")


def left_of(process: subprocess.Popen[str]) -> list[str]:
    if not NAMESPACES.is_dir():
        return []
    return [path.name for path in NAMESPACES.iterdir() if path.name.startswith(f"kbz{process.pid}-")]


def start(data: Path) -> subprocess.Popen[str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    mine = {"KIBITZ_DATA": str(data), "KIBITZ_LEXICON": "small"}
    return subprocess.Popen(
        SCRIPT, env=others | mine, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def skip_if_not_tried(process: subprocess.Popen[str], err: str) -> None:
    if process.returncode == 3:
        pytest.skip(err.strip())


@pytest.mark.process
def test_answers_and_jobs_survive_a_dead_service_and_a_dead_worker(data: Path) -> None:
    process = start(data)
    out, err = process.communicate(timeout=240)
    skip_if_not_tried(process, err)
    assert process.returncode == 0, out + err
    assert "done" in out
    assert left_of(process) == []


@pytest.mark.process
def test_it_cleans_up_when_it_is_stopped(data: Path) -> None:
    process = start(data)
    wait_until(lambda: process.poll() is not None or len(children(process.pid)) > 5, 60)
    started = children(process.pid)
    process.send_signal(signal.SIGTERM)
    err = process.communicate(timeout=60)[1]
    skip_if_not_tried(process, err)
    assert process.returncode == 1
    assert left_of(process) == []
    # Init reaps a process whose parent has ended, which may take a moment.
    wait_until(lambda: not any(Path(f"/proc/{number}").exists() for number in started), 60)


@pytest.mark.process
def test_it_says_what_it_lacks() -> None:
    done = subprocess.run(SCRIPT, env={"PATH": "/nonexistent"}, capture_output=True, text=True)
    assert done.returncode == 3
    assert "not tried: needs " in done.stderr


def test_compose_has_two_of_what_may_fail() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("kibitz", "worker"):
        assert services[name]["deploy"] == {"replicas": 2}
    site = (DEPLOY / "nginx.conf").read_text()
    assert site.count("server kibitz:8080 ") == 2
    assert "proxy_next_upstream_tries 3;" in site, "both lines of a dead service, then another"
