"""Choose where the games of a command are played: in threads of this process or on a cluster."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from service.cluster import ClusterGames, open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import GameExecutor, Lexicon


@contextmanager
def game_workers(threads: int, cluster: str | None, lexicon: Lexicon) -> Iterator[int | GameExecutor]:
    """Yield what `Match.run` and the trainings take: the number of threads, or the cluster of an address.

    Raises click.UsageError if --threads and --cluster were both given, and as `open_cluster`.
    """
    if cluster is None:
        yield threads
        return
    refuse_both("threads")
    with open_cluster(cluster, say) as opened:
        yield ClusterGames(opened, lexicon)


def refuse_both(name: str) -> None:
    """Raise click.UsageError if --cluster is combined with an option for the number of threads or workers."""
    if click.get_current_context().get_parameter_source(name) == ParameterSource.COMMANDLINE:
        raise click.UsageError(f"give --{name} or --cluster, not both: the cluster has its own workers")


def say(line: str) -> None:
    """Print a line about the cluster on standard error."""
    click.echo(line, err=True)
