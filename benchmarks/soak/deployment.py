"""What is soaked: two hosts with service and worker each, one Redis, and nginx, in network namespaces.

The hosts have two cables, to nginx (`front`) and to Redis (`back`), and a disk each. The second host has a
clock that can be stepped.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from redis import Redis
from rq.job import Job
from rq.serializers import JSONSerializer

from benchmarks.compare.sides import COMMAND_LINE, LEXICON_ID
from benchmarks.load.servers import ROOT, ServerError
from benchmarks.namespaces import Machine, connect, enter, nginx_command, write_hosts
from benchmarks.soak.client import Client
from benchmarks.soak.clock import Clock
from benchmarks.soak.disk import Disk
from benchmarks.soak.unit import Unit
from service.jobs_rq import MAX_ATTEMPTS

if TYPE_CHECKING:
    from contextlib import ExitStack

    from benchmarks.compare.sides import Side

FRONT: Final = "front"
BACK: Final = "back"
SITE: Final = ROOT / "deploy" / "nginx.conf"
PORT: Final = 8080
START_SECONDS: Final = 60.0
CACHE_BYTES: Final = 1 << 19
CACHE_SECONDS: Final = 60
"""Small caches, so that answers are computed, fetched and found in memory throughout the run."""
PROBE_SECONDS: Final = 2.0
_WATCH_SECONDS: Final = 0.1
_NO_JOB: Final = "/jobs/" + "0" * 32
_REDIS: Final = (
    *("redis-server", "--save", "", "--appendonly", "no", "--protected-mode", "no"),
    *("--maxmemory", "256mb", "--maxmemory-policy", "volatile-lru"),
)


@dataclass
class Host:
    """Hold a host: its machine, disk, clock, and the processes of service and worker."""

    machine: Machine
    disk: Disk
    clock: Clock | None
    service: Unit
    worker: Unit

    def is_whole(self) -> bool:
        """Return whether the service is ready and reaches Redis, and the worker runs."""
        with Client(self.machine.addresses[FRONT], PORT, PROBE_SECONDS) as client:
            # Without Redis this is 503.
            return bool(
                client.ask("/readyz").status == 200 and client.ask(_NO_JOB).status == 404 and self.worker.pid
            )

    def pss_bytes(self) -> int:
        """Return the PSS of all its processes."""
        return self.service.pss_bytes() + self.worker.pss_bytes()


class Deployment:
    """Two hosts, Redis and nginx; processes that die start again."""

    def __init__(self, folder: Path, release: Side, stack: ExitStack) -> None:
        """Start everything; `stack` ends it. This thread and those it starts then are a client of it.

        Raises ServerError if a host does not become whole.
        """
        self._folder = folder
        self._secret = secrets.token_hex(16)
        self._ending = threading.Event()
        prefix = f"kbz{os.getpid()}"
        self.redis_machine = Machine(f"{prefix}-redis", [BACK])
        nginx = Machine(f"{prefix}-nginx", [FRONT])
        client = Machine(f"{prefix}-client", [FRONT, BACK])
        machines = [Machine(f"{prefix}-host{number}", [FRONT, BACK]) for number in (1, 2)]
        connect(prefix, [*machines, self.redis_machine, nginx, client], [FRONT, BACK], stack)
        disks = [Disk(folder, machine.name, stack) for machine in machines]
        self.address = nginx.addresses[FRONT]
        self.redis_url = f"redis://{self.redis_machine.addresses[BACK]}:6379/0"
        self.redis = self._unit("redis", self.redis_machine.command(_REDIS))
        self.nginx = self._unit("nginx", self._nginx_command(nginx, machines))
        clocks = (None, Clock(folder))
        self.hosts = [self._host(*parts) for parts in zip(machines, disks, clocks, strict=True)]
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        stack.callback(self._end)
        for host in self.hosts:
            self.install(host, release)
        for unit in self.units():
            unit.start()
        enter(client.name)
        if self.wait_until_whole(START_SECONDS) is None:
            raise ServerError(f"the hosts did not start: {self.last_lines()}")
        self._watcher.start()

    def _nginx_command(self, nginx: Machine, machines: list[Machine]) -> list[str]:
        names = {"kibitz": [machine.addresses[FRONT] for machine in machines]}
        hosts_file = write_hosts(self._folder / "hosts", names)
        # For its file of the process id.
        return nginx.command(nginx_command(SITE, self._folder), hosts_file, ["mount -t tmpfs tmpfs /run"])

    def _unit(self, name: str, command: list[str], folder: Path | None = None) -> Unit:
        environment = {"PATH": os.environ["PATH"], "HOME": str(Path.home()), "LC_ALL": "C.UTF-8"}
        return Unit(name, command, self._folder, environment, (folder or self._folder) / f"{name}.log")

    def _host(self, machine: Machine, disk: Disk, clock: Clock | None) -> Host:
        (disk.path / "tmp").mkdir()
        name = machine.name.rpartition("-")[2]
        service, worker = (self._unit(f"{name}-{role}", [], disk.path) for role in ("serve", "worker"))
        return Host(machine, disk, clock, service, worker)

    def install(self, host: Host, release: Side) -> None:
        """Put a release on a host; its processes run it when they are started the next time."""
        tables = host.disk.path / release.folder.as_posix().strip("/").replace("/", "-") / "tables"
        if not tables.exists():
            host.disk.copy(release.data / "tables", tables)
        settings = {
            "KIBITZ_HOST": "0.0.0.0",  # noqa: S104 - in a namespace
            "KIBITZ_PORT": str(PORT),
            "KIBITZ_WORKERS": "2",
            "KIBITZ_DATA": str(tables.parent),
            "KIBITZ_LEXICON": LEXICON_ID,
            "KIBITZ_REDIS_URL": self.redis_url,
            "KIBITZ_CACHE_KEY": self._secret,
            "KIBITZ_CACHE_BYTES": str(CACHE_BYTES),
            "KIBITZ_CACHE_SECONDS": str(CACHE_SECONDS),
            "KIBITZ_RATE_PER_MINUTE": "0",
            "KIBITZ_JOBS_PER_CALLER": "0",
            "KIBITZ_PROXIES": "1",
            "TMPDIR": str(host.disk.path / "tmp"),
        }
        # As in deploy/kibitz.service: a full volume of metrics files kills workers.
        before = [*host.disk.before(), "mount -t tmpfs tmpfs /run"]
        host.service.environment["PROMETHEUS_MULTIPROC_DIR"] = "/run/kibitz-metrics"
        for role, unit in (("serve", host.service), ("worker", host.worker)):
            words = [*(host.clock.words if host.clock else []), release.python, *COMMAND_LINE, role]
            unit.command = host.machine.command(words, before=before)
            unit.folder = release.folder
            unit.environment |= settings | {"PYTHONPATH": str(release.folder)}

    def units(self) -> list[Unit]:
        """Return all processes."""
        hosts = [unit for host in self.hosts for unit in (host.service, host.worker)]
        return [self.redis, self.nginx, *hosts]

    def wait_until_whole(self, seconds: float) -> float | None:
        """Wait until every host is whole; return the seconds, None if it takes longer than that."""
        began = time.monotonic()
        while (took := time.monotonic() - began) < seconds:
            if all(host.is_whole() for host in self.hosts):
                return round(took, 1)
            time.sleep(0.1)
        return None

    def last_lines(self) -> str:
        """Return the ends of all logs."""
        return "\n".join(f"{unit.log}: {unit.log.read_text()[-1500:]}" for unit in self.units())

    def attempts(self, job_ids: list[str]) -> list[int]:
        """Return how often each job was started, as RQ counts it."""
        with Redis.from_url(self.redis_url) as redis:
            jobs = Job.fetch_many(job_ids, connection=redis, serializer=JSONSerializer)
        left = [
            MAX_ATTEMPTS - 1 if job is None or job.retries_left is None else job.retries_left for job in jobs
        ]
        return [MAX_ATTEMPTS - one for one in left]

    def _watch(self) -> None:
        """Start again what dies, until the end."""
        while not self._ending.wait(_WATCH_SECONDS):
            for unit in self.units():
                unit.watch()

    def _end(self) -> None:
        self._ending.set()
        if self._watcher.is_alive():
            self._watcher.join()
        for unit in self.units():
            unit.kill()
