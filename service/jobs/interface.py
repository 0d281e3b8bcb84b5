"""What a job is, and what both back ends do with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

ANALYZE: Final = "analyze"
ANNOTATE: Final = "annotate"
BATCH: Final = "batch"

QUEUED: Final = "queued"
RUNNING: Final = "running"
DONE: Final = "done"
FAILED: Final = "failed"
CANCELLED: Final = "cancelled"

STATES: Final = (QUEUED, RUNNING, DONE, FAILED, CANCELLED)
OPEN_STATES: Final = (QUEUED, RUNNING)

MOST_ATTEMPTS: Final = 5
"""How often a job is begun: work that has ended its process so many times is given up."""

CHECK_SECONDS: Final = 0.25
"""How often a running job is asked whether it is still wanted, and told of."""


@dataclass(frozen=True, slots=True)
class NewJob:
    """Hold what is to be done: `id` is a hash of all that the result follows from.

    `kind`: analyze, annotate or batch; `body`: the input, as `work` reads it; `media_type`: of the result;
    `total`: how many steps it has, of a search the seconds that it may take.
    """

    id: str
    kind: str
    body: bytes
    media_type: str
    total: int


@dataclass(frozen=True, slots=True)
class JobState:
    """Say how a job stands: `done` steps of `total`; times in seconds since 1970, None for what is to come.

    `problem`: why it failed, as a problem of RFC 9457.
    """

    id: str
    kind: str
    media_type: str
    state: str
    done: int
    total: int
    submitted_at: float
    started_at: float | None = None
    finished_at: float | None = None
    problem: dict[str, Any] | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether it waits or runs."""
        return self.state in OPEN_STATES


class JobsUnavailableError(Exception):
    """Report that no jobs can be had just now; the message says why."""


class QueueFullError(Exception):
    """Report that as many jobs wait as are taken."""


class TooManyJobsError(Exception):
    """Report that as many jobs wait for one caller as are taken from each."""


class Jobs(Protocol):
    """Keep jobs and see to it that they are done; every method may raise JobsUnavailableError."""

    def submit(self, job: NewJob, holder: str) -> JobState:
        """Take a job in, or find the same one again; `holder` has a reference to it from now on.

        A job that failed or was cancelled is begun anew. Raises QueueFullError, and TooManyJobsError if the
        holder has a reference to as many open ones as each may have.
        """

    def look(self, job_id: str) -> JobState | None:
        """Return how a job stands, None if there is none of this id."""

    def let_go(self, job_id: str, holder: str) -> tuple[JobState | None, bool]:
        """Give up the holder's reference; the work stops with the last. Tells whether there was one."""

    def result(self, job_id: str) -> Iterator[bytes] | None:
        """Return the result of a job that is done, piece by piece; None if it is no longer there."""

    def figures(self) -> dict[str, int]:
        """Return how many jobs wait and run now, and how many were done, failed or were cancelled so far."""
