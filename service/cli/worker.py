"""`kibitz worker`: do the jobs that the services behind a Redis have taken in."""

from __future__ import annotations

import click

from service.settings import Settings, SettingsError


@click.command("worker")
def worker_command() -> None:
    """Do jobs, one after another, until SIGTERM or Ctrl-C; then finish the one under way.

    Jobs come by Redis (KIBITZ_REDIS_URL) from every kibitz that uses the same one. Start as many workers as
    there are cores to spare, on any machine that has the lexica of the services in its KIBITZ_DATA. A worker
    may be killed at any time: its job is taken up by another within seconds, from the beginning, and never
    done twice at once. A second signal ends the job under way like that. Without Redis no worker is needed:
    kibitz serve does jobs in processes of its own. The settings are those of kibitz serve --help.

    \b
    KIBITZ_REDIS_URL=redis://localhost kibitz worker
    """
    settings = Settings.from_environment()
    if settings.redis_url is None:
        raise SettingsError("KIBITZ_REDIS_URL is not set: jobs come to a worker by Redis")
    from service.jobs.worker import (
        run_worker,
    )  # after the settings, so that a mistake in them is told at once

    run_worker(settings)
