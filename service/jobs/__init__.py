"""Long work: jobs that are submitted, asked after, and fetched when they are done.

Two back ends keep the promise of `interface.Jobs`: worker processes of this one, or Redis and
`kibitz worker`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.jobs.local import LocalJobs

if TYPE_CHECKING:
    from service.jobs.interface import Jobs
    from service.settings import Settings

__all__ = ["open_jobs", "why_no_jobs"]


def open_jobs(settings: Settings) -> Jobs | None:
    """Open the back end that the settings ask for, None if there are to be no jobs.

    Redis is not contacted here, and RQ is imported only where Redis is used.
    """
    if why_no_jobs(settings) is not None:
        return None
    if settings.redis_url is None:
        return LocalJobs(settings)
    from service.jobs.queued import QueuedJobs

    return QueuedJobs(settings)


def why_no_jobs(settings: Settings) -> str | None:
    """Say why the settings allow no jobs, None if they do."""
    if not settings.jobs_queued:
        return "this server takes no jobs"
    if settings.redis_url is None and settings.workers > 1:
        return "several workers keep jobs in Redis only, and this server has none"
    return None
