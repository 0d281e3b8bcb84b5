"""The application factory."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from flask import Flask, Request
from werkzeug.utils import cached_property

from engine import Catalogue, __version__
from service.analyst import Analyst
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
    board_page,
    board_svg,
    docs,
    health,
    hints,
    jobs,
    leaves,
    lexicon_search,
    play,
    reference,
    words,
)  # fmt: skip
from service.resources.metrics import serve_metrics
from service.resources.pages import Pages
from service.routing import Binder
from service.settings import Settings
from service.tables import open_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.routing import MapAdapter

    from service.cache.interface import BackEnd
    from service.protection.rates import RateTable


class _Request(Request):
    """A request without limits of its own: the guards have seen to its length, and nobody reads forms."""

    max_content_length = None

    @cached_property
    def blueprints(self) -> list[str]:
        """The blueprints that answer it, by name; they are asked for three times, once it is routed."""
        return super().blueprints


class _Application(Flask):
    """Flask without what costs much of every request and changes nothing here.

    Whether each hook is a coroutine need not be looked up, and routes are found as they were before.
    """

    request_class = _Request

    def __init__(self, name: str) -> None:
        super().__init__(name, static_folder=None)
        self._binder = Binder(super().create_url_adapter)  # type: ignore[arg-type] # a request has one

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function: none of ours is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return the routes bound to a request."""
        return None if request is None else self._binder.adapter(request)


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
    app = _Application("service")
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
    pages = Pages(app)
    board_page.serve_board_page(pages)
    docs.serve_documents(pages, api)
    serve_metrics(app, counts)
    counts.begin(rule.rule for rule in app.url_map.iter_rules())
    open_tables(analyst.catalogue, settings)
    return app
