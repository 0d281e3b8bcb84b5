"""The application as a worker holds it: it answers nobody, and no work is refused for being heavy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from service.settings import Settings

_MANY = 64  # pieces of heavy work: a worker does one job at a time, on as many threads as a batch may use


def make_worker_app(settings: Settings) -> Flask:
    """Build the application with its tables open; raises what `create_app` raises."""
    from service.allocator import return_freed_memory
    from service.app import create_app

    return_freed_memory()
    return create_app(replace(settings, heavy_at_once=_MANY, threads=_MANY + 2, jobs_queued=0))
