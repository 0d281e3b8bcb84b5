"""`kibitz worker`: do the jobs that services submit through Redis."""

from __future__ import annotations

import click

from service.cli import Refusal
from service.settings import Settings, SettingsError


@click.command("worker")
def worker_command() -> None:
    """Do jobs, one after another, until SIGTERM or Ctrl-C; then finish the one that runs.

    Jobs come through Redis (KIBITZ_REDIS_URL) from every kibitz that uses the same one. Start as many workers
    as there are cores to spare, on any machine that has the lexicons of the services in its KIBITZ_DATA. A
    worker may be killed at any time: another one starts its job again within 75 seconds. A second signal ends
    the running job like that. Without Redis no worker is needed: kibitz serve does jobs in threads of its
    own. The settings are those of kibitz serve --help.

    \b
    KIBITZ_REDIS_URL=redis://localhost kibitz worker
    """
    settings = Settings.from_environment()
    if not settings.redis_url:
        raise SettingsError("KIBITZ_REDIS_URL is not set: jobs come to a worker through Redis")
    from redis import RedisError

    from service.jobs_worker import run_worker  # after the settings, whose faults are then reported at once

    try:
        run_worker(settings)
    except RedisError as error:
        raise Refusal(f"Redis does not answer: {error}") from None
