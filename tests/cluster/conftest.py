"""A cluster of real processes, shared by the tests of a module; its workers have the lexicon few8."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from engine import GameSetup
from kibitz.cluster import Cluster, ClusterGames, open_cluster
from tests.selfplay.worlds import few_tiles, playable
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass
class Site:
    """A scheduler in this process with workers in others, and what commands on it need."""

    local: Any
    data: Path
    setup: GameSetup

    @property
    def address(self) -> str:
        return str(self.local.scheduler_address)

    def scale(self, count: int) -> None:
        """Start or end workers until there are so many."""
        self.local.scale(count)
        if count:
            with self.local.get_client() as client:
                client.wait_for_workers(count)
                wait_until(lambda: len(client.nthreads()) == count)

    @contextmanager
    def opened(self) -> Iterator[Cluster]:
        """Yield the cluster as a command opens it."""
        with open_cluster(self.address, print) as cluster:
            yield cluster

    @contextmanager
    def games(self) -> Iterator[ClusterGames]:
        """Yield what plays games on the cluster."""
        with self.opened() as cluster:
            yield ClusterGames(cluster, self.setup.lexicon)


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A cluster with two workers of one thread each."""
    from distributed import LocalCluster

    data = tmp_path_factory.mktemp("cluster")
    setup = GameSetup.of(playable(data, few_tiles(8, 5)))
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("KIBITZ_DATA", str(data))  # for the workers, also for those that start later
        with LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as local:
            yield Site(local, data, setup)
