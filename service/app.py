"""The application factory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask

from engine import Catalogue, __version__
from service.analyst import Analyst
from service.guards import guard_requests
from service.observability.requests import observe_requests
from service.observability.structured import configure_logs
from service.openapi import make_api
from service.problems import handle_problems
from service.resources import (
    analyze,
    annotate,
    board_svg,
    docs,
    health,
    hints,
    lexicon_search,
    reference,
    words,
)
from service.settings import Settings
from service.tables import open_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Store


def create_app(
    settings: Settings | None = None,
    *,
    store: Store | None = None,
    is_draining: Callable[[], bool] = lambda: False,
) -> Flask:
    """Build the application and open its default lexicon, building its table if need be.

    `store` replaces the cache that the settings ask for; `is_draining` tells /readyz that the server is
    about to stop. Raises SettingsError, and the engine's NotFound, MissingTable or DamagedTable if the
    lexicon cannot be used.
    """
    settings = settings or Settings.from_environment()
    configure_logs(settings.log_level)
    app = Flask("service", static_folder=None)
    analyst = Analyst(settings, Catalogue(settings.data), store)
    app.config.update(SETTINGS=settings, ANALYST=analyst, IS_DRAINING=is_draining, PROPAGATE_EXCEPTIONS=False)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    observe_requests(app)
    guard_requests(app, settings)
    api = make_api(app, __version__)
    handle_problems(app)
    for part in (analyze, annotate, hints, words, lexicon_search, board_svg, reference, health):
        api.register_blueprint(part.blueprint)
    docs.serve_documents(app, api)
    open_tables(analyst.catalogue, settings)
    return app
