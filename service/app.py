"""The application factory."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from engine import Catalogue, __version__
from service.analyst import Analyst
from service.application import Application
from service.entrance import enclose
from service.guards import guard_requests
from service.jobs import open_jobs
from service.observability.counts import Counts
from service.observability.requests import observe_requests
from service.observability.structured import configure_logs
from service.openapi import make_api
from service.problems import handle_problems
from service.protection.browsers import guard_browsers, security_headers
from service.protection.gate import open_gate
from service.resources import (
    analyze,
    annotate,
    batch,
    board_svg,
    health,
    hints,
    jobs,
    leaves,
    lexicon_search,
    pages,
    play,
    reference,
    words,
)  # fmt: skip
from service.resources.metrics import serve_metrics
from service.settings import Settings
from service.tables import open_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from service.cache.interface import BackEnd
    from service.protection.rates import RateTable


def create_app(
    settings: Settings | None = None,
    *,
    store: BackEnd | None = None,
    is_draining: Callable[[], bool] = lambda: False,
    rates: RateTable | None = None,
) -> Flask:
    """Build the application and open its default lexicon, building its table if need be.

    `store` replaces the cache that the settings ask for; `is_draining` tells /readyz that the server is
    about to stop; `rates` holds the clients' allowances of all workers (default: of this process alone).
    Raises SettingsError, and the engine's NotFound, MissingTable or DamagedTable if the lexicon cannot be
    used.
    """
    settings = settings or Settings.from_environment()
    configure_logs(settings.log_level)
    app = Application("service")
    counts = Counts(__version__)
    analyst = Analyst(settings, Catalogue(settings.data), counts, store)
    app.config.update(SETTINGS=settings, ANALYST=analyst, IS_DRAINING=is_draining, PROPAGATE_EXCEPTIONS=False)
    app.config.update(JOBS=open_jobs(settings), STREAMS=BoundedSemaphore(settings.stream_slots))
    app.json.sort_keys = False  # type: ignore[attr-defined]
    observe_requests(app, counts)
    enclose(app, counts, security_headers(settings))
    guard_browsers(app, settings)
    gate = app.config["GATE"] = open_gate(app, settings, counts, rates)
    guard_requests(app, settings, gate)
    api = make_api(app, __version__)
    handle_problems(app)
    for part in (
        analyze, annotate, batch, jobs, hints, leaves, play, words, lexicon_search, board_svg, reference,
        health,
    ):  # fmt: skip
        api.register_blueprint(part.blueprint)
    app.extensions["openapi"] = api
    app.register_blueprint(pages.blueprint)
    serve_metrics(app, counts)
    counts.begin(rule.rule for rule in app.url_map.iter_rules())
    open_tables(analyst.catalogue, settings)
    return app
