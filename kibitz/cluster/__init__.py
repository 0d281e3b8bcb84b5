"""Work on a Dask cluster: workers on other machines, or processes of this one.

`open_cluster` connects to a scheduler, or starts one with its workers, and checks that they have the same
kibitz. `Cluster.submit` calls a function on a worker; `ClusterGames` plays parts of matches and trainings.
What the workers run is in `worker.py`. Results never depend on the cluster: if a worker dies, another one
repeats its work.

Needs the extra `kibitz[cluster]`; Dask is imported by `open_cluster` only.
"""

from __future__ import annotations

from asyncio import run, wait_for
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from logging import CRITICAL, getLogger
from re import fullmatch
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from engine import EngineError
from engine.extras import install_command
from kibitz.cluster.interrupts import children_ignore_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor, Future

    from engine import GameWork, Lexicon, Played

Result = TypeVar("Result")

LOCAL: Final = "local:"
"""What stands before the number of processes of this machine, instead of an address."""

MAX_LOCAL: Final = 256
"""The largest number of processes of a local cluster."""

START_SECONDS: Final = 120
"""How long a process of a local cluster may take to connect, on a machine that is very busy."""

WIDTH_SECONDS: Final = 0.5
"""The time between two queries of the scheduler for its workers."""

CONNECT_SECONDS: Final = 8.0
"""How long a connection to the scheduler may take."""


def local_workers(address: str) -> int | None:
    """Return the number of processes that `local:N` asks for, None for the address of a scheduler.

    Raises ValueError for an impossible number, or text that is neither.
    """
    if address.startswith(LOCAL):
        number = address.removeprefix(LOCAL)
        if not number.isascii() or not number.isdecimal() or not 1 <= int(number) <= MAX_LOCAL:
            raise ValueError(f"{LOCAL}N starts N processes, from 1 to {MAX_LOCAL}, not {number!r}")
        return int(number)
    if not fullmatch(r"([a-z]+://)?.+:[0-9]{1,5}", address):
        raise ValueError(f"{address!r} is no address such as tcp://host:8786, and not {LOCAL}N")
    return None


class Cluster:
    """A cluster that is ready for work.

    `address`: as the user gave it; `say`: prints a notice while the command waits.
    """

    def __init__(self, client: Any, address: str, command: str, say: Callable[[str], None]) -> None:
        """Take a client of Dask, the address, the command of `run_task`, and `say`."""
        self.address = address
        self._executor: Executor = client.get_executor(pure=False)
        self._client = client
        self._command = command
        self._say = say
        self._waiting = False
        self._width, self._asked = 0, 0.0

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Call a function on the next free worker, as `worker.run_task` does."""
        from kibitz.cluster.worker import run_task

        return self._executor.submit(run_task, self._command, function, *arguments)

    def stop(self) -> None:
        """Cancel all calls; the workers stop those that run."""
        self._executor.shutdown(wait=False)

    @property
    def width(self) -> int:
        """How many tasks the workers run at once; 0 and one printed notice while there is no worker."""
        if monotonic() - self._asked < WIDTH_SECONDS:
            return self._width
        try:
            width = self._width = sum(self._client.nthreads().values())
            self._asked = monotonic()
        except OSError:
            raise _lost(self.address) from None
        if self._waiting != (width == 0):
            self._waiting = not self._waiting
            if self._waiting:
                self._say(f"No worker is left at {self.address}: waiting for one.")
        return width

    def run_everywhere(self, function: Callable[[], Result]) -> list[Result]:
        """Call a function once in each worker process that there is now, and return the results."""
        return list(self._client.run(function).values())


class ClusterGames:
    """Play the parts of games on a cluster."""

    def __init__(self, cluster: Cluster, lexicon: Lexicon) -> None:
        self._cluster = cluster
        self._lexicon = lexicon

    @property
    def width(self) -> int:
        """How many parts are played at once."""
        return self._cluster.width

    def submit(self, work: GameWork[Result], part: range) -> Future[Played[Result]]:
        """Play a part on the next free worker."""
        from kibitz.cluster.worker import LexiconReference, play_part

        reference = LexiconReference.of(self._lexicon, learned=work.uses_learned)
        return self._cluster.submit(play_part, reference, work, part)

    def stop(self) -> None:
        """Cancel all parts; the workers stop those that they are playing."""
        self._cluster.stop()


@contextmanager
def open_cluster(address: str, say: Callable[[str], None]) -> Iterator[Cluster]:
    """Yield the cluster of an address, once it has a worker; the end of the block ends all its work.

    `address`: that of a scheduler, or "local:N" for a cluster of N processes, which ends with the block.
    `say` gets a line when there is something to wait for. Raises EngineError if Dask is not installed, if no
    scheduler answers, if scheduler or workers have another kibitz or Python, if the scheduler goes away, or
    if one task has killed several workers; ValueError as `local_workers`.
    """
    count = local_workers(address)
    try:
        dask: Any = import_module("distributed")
    except ModuleNotFoundError as error:
        raise EngineError(
            f"--cluster needs Dask, which is not installed ({error}); run: {install_command('cluster')}",
            code="no_cluster_extra",
        ) from None
    from kibitz.cluster.worker import StopPlugin

    getLogger("distributed.client").setLevel(CRITICAL)  # its errors are raised and printed in one line
    with ExitStack() as ends:
        target: Any = address
        if count is not None:
            target = ends.enter_context(_local_cluster(dask, count))
        else:
            _greet(dask, address)
        client = ends.enter_context(dask.Client(target, timeout=CONNECT_SECONDS, set_as_default=False))
        try:
            if not client.nthreads():
                say(f"There is no worker at {address} yet: waiting. Start some with: dask worker {address}")
                client.wait_for_workers(1)
            _check_versions(client, address)
            # The plugin has a name of its own: the end of one command must not remove that of another.
            command = f"kibitz-{uuid4()}"
            client.register_plugin(StopPlugin(command), name=command)
            try:
                yield Cluster(client, address, command, say)
            finally:
                with suppress(OSError):  # the scheduler may have ended
                    client.unregister_worker_plugin(command)
        except dask.KilledWorker as error:
            raise EngineError(
                f"the same work has killed {error.allowed_failures + 1} workers, the last one at "
                f"{error.last_worker.address}; its log says why (memory?)",
                code="worker_killed",
            ) from None
        except CancelledError:
            raise _lost(address) from None


def _local_cluster(dask: Any, count: int) -> Any:
    """Start a scheduler in this process, and workers of one thread each; raise EngineError if that fails."""
    settings = {
        "distributed.worker.profile.enabled": False,  # nobody looks at its samples of the stacks
        "distributed.comm.timeouts.connect": START_SECONDS,
    }
    try:
        with children_ignore_interrupts(), import_module("dask").config.set(settings):
            return dask.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",  # any free port; the default one may be taken
                silence_logs=CRITICAL,
            )
    except RuntimeError as error:
        raise EngineError(
            f"{count} processes could not be started ({error}); are memory and processors free?",
            code="no_local_cluster",
        ) from None


def _greet(dask: Any, address: str) -> None:
    """Connect to a scheduler once, because a Client waits forever for a server of another kind.

    Raises EngineError if nothing there speaks Dask's protocol within CONNECT_SECONDS.
    """

    async def greet() -> None:
        security = dask.Security().get_connection_args("client")
        comm = await dask.comm.connect(address, timeout=CONNECT_SECONDS, **security)
        await comm.close()

    async def greet_in_time() -> None:
        await wait_for(greet(), CONNECT_SECONDS)

    try:
        run(greet_in_time())
    except (OSError, ValueError, TypeError) as error:  # TypeError: TLS without its settings
        reason = f" ({error})" if str(error) else ""
        raise EngineError(
            f"no Dask scheduler answers at {address}{reason}; start one there with: dask scheduler",
            code="no_scheduler",
        ) from None


def _lost(address: str) -> EngineError:
    return EngineError(
        f"the scheduler at {address} does not answer any more; run the command again when it does",
        code="scheduler_lost",
    )


def _check_versions(client: Any, address: str) -> None:
    """Raise EngineError if the scheduler or a worker has another kibitz or Python than this process."""
    found = client.get_versions(packages=["kibitz"])
    own = _versions(found["client"])
    others = {f"the scheduler at {address}": found["scheduler"]}
    others |= {f"worker {worker}": versions for worker, versions in found["workers"].items()}
    for name, versions in others.items():
        if (theirs := _versions(versions)) != own:
            raise EngineError(
                f"{name} has {theirs}, this command {own}; start it with the same kibitz and Python",
                code="other_version",
            )


def _versions(found: dict[str, Any]) -> str:
    """Return the versions that must agree; Dask itself warns about its own packages."""
    packages = found["packages"]
    kibitz = packages.get("kibitz")
    python = ".".join(packages["python"].split(".")[:2])
    return f"{f'kibitz {kibitz}' if kibitz else 'no kibitz'} and Python {python}"
