"""The objects that the views of an application share: `state()` returns them in any request."""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing import RawValue
from typing import TYPE_CHECKING, Final

from flask import current_app

if TYPE_CHECKING:
    from threading import BoundedSemaphore

    from engine import Catalogue
    from service.analyst import Analyst
    from service.annotation_cache import AnnotationCache
    from service.cache import Cache
    from service.concurrency import SearchSlots
    from service.jobs import Jobs
    from service.keys import KeyFile
    from service.metrics import Metrics
    from service.rates import RateLimits
    from service.settings import Settings
    from service.table_builds import TableBuilds

EXTENSION: Final = "kibitz"

draining: Final = RawValue("b", 0)
"""1 while the server is stopping; gunicorn's master sets it, its workers read it."""


@dataclass(frozen=True, slots=True)
class State:
    """The shared objects of an application; `keys` and `jobs` are None if the service has none."""

    settings: Settings
    catalogue: Catalogue
    tables: TableBuilds
    metrics: Metrics
    rates: RateLimits
    cache: Cache
    annotations: AnnotationCache
    searches: SearchSlots
    streams: BoundedSemaphore
    analyst: Analyst
    jobs: Jobs | None
    keys: KeyFile | None


def state() -> State:
    """Return the state of the current application."""
    found: State = current_app.extensions[EXTENSION]
    return found
