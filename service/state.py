"""What one process of the service holds: reached from any request by `state()`."""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing import RawValue
from typing import TYPE_CHECKING, Final

from flask import current_app

if TYPE_CHECKING:
    from threading import BoundedSemaphore

    from engine import Catalogue
    from service.analyst import Analyst
    from service.cache import Cache
    from service.concurrency import SearchSlots
    from service.jobs import Jobs
    from service.keys import KeyFile
    from service.metrics import Metrics
    from service.settings import Settings

EXTENSION: Final = "kibitz"

draining: Final = RawValue("b", 0)
"""1 while the server is stopping: shared by gunicorn's master, which sets it, and its workers."""


@dataclass(frozen=True, slots=True)
class State:
    """Hold the parts of the application that views use; `keys` and `jobs` are None where there are none."""

    settings: Settings
    catalogue: Catalogue
    metrics: Metrics
    cache: Cache
    searches: SearchSlots
    streams: BoundedSemaphore
    analyst: Analyst
    jobs: Jobs | None
    keys: KeyFile | None


def state() -> State:
    """Return the state of the current application."""
    found: State = current_app.extensions[EXTENSION]
    return found
