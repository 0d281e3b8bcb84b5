"""`kibitz worker`: run the jobs that services submit through Redis."""

from __future__ import annotations

import click

from kibitz.cli import Refusal
from kibitz.cli.errors import needs_service
from service.settings import Settings, SettingsError


@click.command("worker")
def worker_command() -> None:
    """Run jobs, one after another, until SIGTERM or Ctrl-C.

    Jobs come through Redis (KIBITZ_REDIS_URL) from every service that uses the same Redis. Start a worker for
    each core to use, on any machine with the lexicons of the services in its KIBITZ_DATA. After a signal a
    worker finishes its running job; a second signal ends it at once. A worker may be killed at any time:
    another one starts its job again, mostly within 75 seconds. Without Redis no worker is needed: kibitz
    serve runs jobs in its own threads. kibitz serve --help lists the settings.

    \b
    KIBITZ_REDIS_URL=redis://localhost kibitz worker
    """
    needs_service()
    settings = Settings.from_environment()
    if not settings.redis_url:
        raise SettingsError("KIBITZ_REDIS_URL is not set: a worker gets its jobs through Redis")
    from redis import RedisError

    from service.jobs_worker import run_worker  # slow to import, so the settings are checked first

    try:
        run_worker(settings)
    except RedisError as error:
        raise Refusal(f"Redis does not answer: {error}") from None
