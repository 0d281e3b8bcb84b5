"""The faults: each is a context manager that breaks something of a deployment and mends it at its end."""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchmarks.load.servers import ServerError
from benchmarks.soak.deployment import BACK, FRONT, START_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from benchmarks.compare.sides import Side
    from benchmarks.soak.deployment import Deployment
    from benchmarks.soak.expected import Expected
    from benchmarks.soak.unit import Unit

HOUR: Final = 3600
JOB_WAIT_SECONDS: Final = 15.0
JOB_STARTS_SECONDS: Final = 0.5
"""RQ needs longer to detect that a worker died before its job had started."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Hold a fault: its name, the seconds between breaking and mending, and how to do it.

    `renews_memory`: whether processes end or lose what is cached, so that the growth of memory is measured
    only afterwards.
    """

    name: str
    seconds: float
    inject: Callable[[Deployment], AbstractContextManager[None]]
    renews_memory: bool = False


def upgrade(releases: tuple[Side, Side], expected: Expected) -> Fault:
    """Return the fault that replaces the first release by the second, one host after the other."""

    @contextmanager
    def inject(deployment: Deployment) -> Iterator[None]:
        expected.releases = frozenset(release.name for release in releases)
        for host in deployment.hosts:
            for unit in (host.service, host.worker):
                unit.stop()
            deployment.install(host, releases[1])
            for unit in (host.service, host.worker):
                unit.start()
            if deployment.wait_until_whole(START_SECONDS) is None:
                raise ServerError(f"the new release did not start: {deployment.last_lines()}")
        yield
        expected.releases = frozenset({releases[1].name})

    return Fault(f"rolling upgrade from {releases[0].name}", 0.0, inject, renews_memory=True)


@contextmanager
def kill_gunicorn_worker(deployment: Deployment) -> Iterator[None]:
    """Kill a gunicorn worker; gunicorn's master starts another."""
    os.kill(deployment.hosts[0].service.session()[1], signal.SIGKILL)
    yield


@contextmanager
def kill_master(deployment: Deployment) -> Iterator[None]:
    """Kill a gunicorn master, and start the service again as systemd does."""
    deployment.hosts[1].service.crash()
    yield


@contextmanager
def kill_job_worker(deployment: Deployment) -> Iterator[None]:
    """Kill a worker with the process of its job, if it gets one in time, and start it again."""
    worker = deployment.hosts[0].worker
    until = time.monotonic() + JOB_WAIT_SECONDS
    while len(worker.session()) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(JOB_STARTS_SECONDS)
    worker.crash(whole=True)
    yield


@contextmanager
def _paused(unit: Unit) -> Iterator[None]:
    unit.signal_all(signal.SIGSTOP)
    try:
        yield
    finally:
        unit.signal_all(signal.SIGCONT)


def pause_service(deployment: Deployment) -> AbstractContextManager[None]:
    """Stop the processes of a service by SIGSTOP, and continue them."""
    return _paused(deployment.hosts[0].service)


def pause_redis(deployment: Deployment) -> AbstractContextManager[None]:
    """Stop Redis by SIGSTOP, and continue it."""
    return _paused(deployment.redis)


@contextmanager
def _cut(deployment: Deployment, network: str) -> Iterator[None]:
    machine = deployment.hosts[1].machine
    machine.cut(network)
    try:
        yield
    finally:
        machine.join(network)


def cut_from_redis(deployment: Deployment) -> AbstractContextManager[None]:
    """Pull the cable between a host and Redis."""
    return _cut(deployment, BACK)


def cut_from_nginx(deployment: Deployment) -> AbstractContextManager[None]:
    """Pull the cable between a host and nginx."""
    return _cut(deployment, FRONT)


def fill_disk(deployment: Deployment) -> AbstractContextManager[None]:
    """Leave no room on the disk of a host: tables, temporary files and logs are on it."""
    return deployment.hosts[0].disk.full()


def slow_disk(deployment: Deployment) -> AbstractContextManager[None]:
    """Limit the reads of a host from its disk, and drop what is cached of it."""
    return deployment.hosts[0].disk.slow()


def _step_clock(seconds: int) -> Callable[[Deployment], AbstractContextManager[None]]:
    def inject(deployment: Deployment) -> AbstractContextManager[None]:
        clock = deployment.hosts[1].clock
        if clock is None:
            raise ValueError("the second host has a clock of its own")
        return clock.stepped(seconds)

    return inject


KILL_WORKER: Final = Fault("a gunicorn worker is killed", 0.0, kill_gunicorn_worker, renews_memory=True)
KILL_MASTER: Final = Fault("a gunicorn master is killed", 0.0, kill_master, renews_memory=True)
KILL_JOB: Final = Fault("a job worker is killed", 0.0, kill_job_worker, renews_memory=True)
SLOW_DISK: Final = Fault("slow disk of a host", 15.0, slow_disk, renews_memory=True)
PAUSE_SERVICE: Final = Fault("a service is paused", 8.0, pause_service)
PAUSE_REDIS: Final = Fault("Redis is paused", 8.0, pause_redis)
CUT_REDIS: Final = Fault("partition, a host and Redis", 10.0, cut_from_redis)
CUT_NGINX: Final = Fault("partition, nginx and a host", 10.0, cut_from_nginx)
FULL_DISK: Final = Fault("full disk of a host", 10.0, fill_disk)
CLOCK_FORWARD: Final = Fault("the clock of a host an hour forward, and back", 15.0, _step_clock(HOUR))
CLOCK_BACK: Final = Fault("the clock of a host an hour back, and forward", 15.0, _step_clock(-HOUR))

FAULTS: Final = (
    *(KILL_WORKER, KILL_MASTER, KILL_JOB, SLOW_DISK, PAUSE_SERVICE, PAUSE_REDIS, CUT_REDIS, CUT_NGINX),
    *(FULL_DISK, CLOCK_FORWARD, CLOCK_BACK),
)
