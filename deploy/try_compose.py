#!/usr/bin/env python3
"""Run what compose.yaml describes without Docker: each container is a process in its own network namespace.

    sudo .venv/bin/python deploy/try_compose.py

Needs root, ip, nsenter, unshare, redis-server, nginx, and the tables of the lexicon (`make setup`). It reads
services, replicas, networks, commands, settings and volumes from compose.yaml, kibitz.env and the Dockerfile,
and joins the namespaces by bridges in one more namespace: the network of this machine is not touched. Then it
sends requests through nginx, kills a service, cuts it off, kills a worker, and expects answers and finished
jobs throughout. What containers add beside the network (image, user, read-only root) is tried by
try_dockerfile.py. KIBITZ_DATA and KIBITZ_LEXICON of the environment are passed on.
Exit status: 0 if all went well, 3 if this machine lacks something, otherwise 1.
"""

# ruff: noqa: S603 - it runs tools of this machine on the files of this repository

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

import yaml
from try_dockerfile import ROOT, instructions, json_words, say

from benchmarks.namespaces import Machine, connect, enter, lacking, nginx_command, write_hosts

DEPLOY = ROOT / "deploy"
CLIENT = "client"
KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]
START_SECONDS = 60
JOB_SECONDS = 30


@dataclass
class Container:
    """A replica of a service of compose.yaml: its namespace and, while it runs, its process."""

    service: str
    machine: Machine
    process: subprocess.Popen[bytes] | None = None
    log: Path = Path()

    @property
    def name(self) -> str:
        """The name of its namespace."""
        return self.machine.name

    def lines(self, text: str) -> int:
        """Return the number of its logged lines that contain a text."""
        return sum(text in line for line in self.log.read_text().splitlines())

    def kill(self) -> None:
        """Kill its processes at once."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def with_secrets(text: str) -> str:
    """Return a compose file with a random value for each variable that it requires (`${NAME:?}`)."""
    secrets = {name: token_hex(32) for name in re.findall(r"\$\{(\w+):\?\}", text)}
    return re.sub(r"\$\{(\w+):\?\}", lambda found: secrets[found[1]], text)


class Cluster:
    """The namespaces and processes of a compose file, in a temporary folder."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.compose: dict[str, Any] = yaml.safe_load(with_secrets((DEPLOY / "compose.yaml").read_text()))
        self.prefix = f"kbz{os.getpid()}"
        self.containers = [
            Container(name, Machine(f"{self.prefix}-{name}-{number}", service["networks"]))
            for name, service in self.compose["services"].items()
            for number in range(1, 1 + service.get("deploy", {}).get("replicas", 1))
        ]
        # Where the ports are published.
        self.client = Container(CLIENT, Machine(f"{self.prefix}-{CLIENT}", ["outside"]))

    def of(self, service: str) -> list[Container]:
        """Return the replicas of a service."""
        return [one for one in self.containers if one.service == service]

    def connect(self) -> None:
        """Make the namespaces and the networks between them."""
        machines = [one.machine for one in [*self.containers, self.client]]
        connect(self.prefix, machines, list(self.compose["networks"]), self.stack)

    def start(self, one: Container) -> None:
        """Start a container's process with its names, variables and temporary file systems."""
        service = self.compose["services"][one.service]
        names: dict[str, list[str]] = {}
        for other in self.containers:
            shared = [
                other.machine.addresses[name]
                for name in one.machine.networks
                if name in other.machine.addresses
            ]
            names.setdefault(other.service, []).extend(shared)
        hosts = write_hosts(self.folder / f"{one.name}.hosts", names)
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **self._variables(service)}
        data = environment.get("KIBITZ_DATA", str(Path.home()))
        mounts = []
        for entry in service.get("tmpfs", []):
            target, _, options = entry.partition(":")
            if any(Path(used).is_relative_to(target) for used in (ROOT, data, sys.prefix)):
                continue  # it would hide what this machine has there
            mounts += [
                f"[ -d {target} ] || {{ mount -t tmpfs tmpfs {Path(target).parent}; mkdir {target}; }}",
                f"mount -t tmpfs -o {options or 'mode=1777'} tmpfs {target}",
            ]
        one.log = self.folder / f"{one.name}.log"
        with one.log.open("wb") as log:
            one.process = subprocess.Popen(
                one.machine.command(self._command(service), hosts, mounts),
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.stack.callback(one.kill)

    def _variables(self, service: dict[str, Any]) -> dict[str, str]:
        """Return the variables of a container; those of the image come from the Dockerfile."""
        found = {}
        if service["image"] == "kibitz":
            for name, rest in instructions((ROOT / "Dockerfile").read_text()):
                if name == "ENV":
                    found.update(w.split("=", 1) for w in rest.split() if w.startswith("KIBITZ_"))
            del found["KIBITZ_DATA"]  # the tables are those of this machine
            found |= {
                name: os.environ[name] for name in ("KIBITZ_DATA", "KIBITZ_LEXICON") if name in os.environ
            }
            found["HOME"] = str(Path.home())
        if "env_file" in service:
            lines = (DEPLOY / service["env_file"]).read_text().splitlines()
            found.update(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        return found | service.get("environment", {})

    def _command(self, service: dict[str, Any]) -> list[str]:
        """Return the command of a container; that of the image if compose.yaml names none."""
        match service["image"].partition(":")[0]:
            case "kibitz":
                image = dict(instructions((ROOT / "Dockerfile").read_text()))
                if json_words(image["ENTRYPOINT"]) != ["kibitz"]:
                    raise SystemExit("the image starts another program than kibitz, which this script runs")
                return [*KIBITZ, *service.get("command", json_words(image["CMD"]))]
            case "nginx":
                (volume,) = service["volumes"]
                return nginx_command(DEPLOY / volume.partition(":")[0], self.folder)
            case _:
                return list(service["command"])


class Proxy:
    """Requests to nginx, as a client sends them."""

    def __init__(self, address: str) -> None:
        self.base = f"http://{address}"

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Return the status and the JSON of an answer."""
        data = None if body is None else json.dumps(body).encode()
        given = {"Content-Type": "application/json", **headers}
        request = urllib.request.Request(self.base + path, data, given)  # noqa: S310 - http
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, None

    def wait(self, cluster: Cluster) -> None:
        """Wait until every service answers, as nginx passes requests to them in turns."""
        until = time.monotonic() + START_SECONDS
        services = cluster.of("kibitz")
        while any(not one.lines('"event":"ready"') for one in services) or not self._answers():
            for one in cluster.containers:
                check(one.process is not None and one.process.poll() is None, f"{one.name} ended")
            check(time.monotonic() < until, f"all answer within {START_SECONDS} s")
            time.sleep(0.2)

    def _answers(self) -> bool:
        with suppress(OSError):
            return self.ask("/livez")[0] == 200
        return False

    def analyze(self, count: int) -> list[str]:
        """Send different requests, four at once; return the best move of each."""

        def one(number: int) -> str:
            rack = "".join(sorted("ABCDEF" + chr(ord("A") + number % 26)))
            status, answer = self.ask("/analyze", {"tiles": [], "rack": rack, "top_n": 1})
            check(status == 200, f"/analyze answers 200, not {status}")
            best: str = answer["moves"][0]["move"]
            return best

        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(one, range(count)))

    def job(self, seed: int) -> str:
        """Submit a simulation as a job, wait for its end, and return its id."""
        plan = {"method": "monte_carlo", "iterations": 100, "candidates": 3}
        body = {"tiles": [], "rack": "ABCDEFG", "simulate": plan, "seed": seed}
        status, job = self.ask("/analyze", body, Prefer="respond-async")
        check(status == 202, f"a job is accepted with 202, not {status}")
        until = time.monotonic() + JOB_SECONDS
        while job["state"] in ("queued", "running"):
            check(time.monotonic() < until, f"a job ends within {JOB_SECONDS} s")
            time.sleep(1)
            _, job = self.ask(f"/jobs/{job['id']}")
        check(job["state"] == "done", f"the job is done, not {job['state']}")
        found: str = job["id"]
        return found


def check(holds: bool, what: str) -> None:
    """Exit with 1 if something expected did not happen."""
    if not holds:
        print(f"failed: {what}", file=sys.stderr)
        raise SystemExit(1)


def try_out(cluster: Cluster) -> None:
    """Start everything, break things, and check the answers; requests stay below the limit of 60 a minute."""
    say(f"{len(cluster.containers)} containers: " + ", ".join(one.name for one in cluster.containers))
    cluster.connect()
    for one in cluster.containers:
        cluster.start(one)
    enter(cluster.client.name)
    services, workers, (redis,) = cluster.of("kibitz"), cluster.of("worker"), cluster.of("redis")
    (nginx,) = cluster.of("nginx")
    proxy = Proxy(nginx.machine.addresses["outside"])
    proxy.wait(cluster)

    say("from outside only nginx can be reached, without the pages of the operator")
    check(proxy.ask("/metrics")[0] == 403 == proxy.ask("/readyz")[0], "nginx denies /metrics and /readyz")
    with suppress(OSError):
        socket.create_connection((redis.machine.addresses["inside"], 6379), timeout=1).close()
        check(False, "Redis cannot be reached from outside")

    say("nginx balances the services")
    answers = proxy.analyze(12)
    served = [one.lines('"path":"/analyze"') for one in services]
    print("requests of each:", served)
    check(min(served) > 0, "each service answers some")

    say("a job runs on a worker")
    job = proxy.job(seed=1)
    ran = [one for one in workers if one.lines(job)]
    check(len(ran) == 1, "one worker logs the job")

    say("a service is killed: the others answer the same")
    services[0].kill()
    check(proxy.analyze(12) == answers, "the same answers")

    say("its machine is gone: connections to it time out")
    services[0].machine.cut("inside")
    check(proxy.analyze(8) == answers[:8], "the same answers")

    say("a worker is killed: the other runs the next job")
    ran[0].kill()
    job = proxy.job(seed=2)
    check(any(one.lines(job) for one in workers if one is not ran[0]), "another worker logs the job")


def main() -> None:
    """Try compose.yaml."""
    missing = lacking()
    if missing:
        print(
            f"not tried: needs {', '.join(missing)} (see the head of {Path(__file__).name})", file=sys.stderr
        )
        raise SystemExit(3)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        cluster = Cluster(Path(folder), stack)
        try:
            try_out(cluster)
        except SystemExit:
            for one in cluster.containers:
                if one.log.is_file():
                    print(f"-- {one.name}\n{one.log.read_text()[-2000:]}", file=sys.stderr)
            raise
    say("done")


if __name__ == "__main__":
    main()
