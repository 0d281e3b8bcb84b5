"""The application factory: `create_app`."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

import orjson
from flask import Flask
from flask.json.provider import JSONProvider
from flask_cors import CORS
from werkzeug.middleware.proxy_fix import ProxyFix

from engine import Catalogue, __version__, use_simd
from service.analyst import Analyst
from service.annotation_cache import AnnotationCache
from service.cache import Cache
from service.concurrency import SearchSlots
from service.jobs import why_no_jobs
from service.jobs_threads import ThreadJobs
from service.keys import KeyFile
from service.lexicon_tables import open_tables
from service.logs import configure_logs
from service.metrics import Metrics
from service.middleware import check_and_log_requests
from service.openapi import document, make_api
from service.problems import handle_problems
from service.rates import RateLimits
from service.resources import BLUEPRINTS, metrics, page_texts, pages
from service.settings import Settings
from service.state import EXTENSION, State
from service.table_builds import TableBuilds
from service.traces import trace_requests
from service.view_rules import public

if TYPE_CHECKING:
    from flask import Response
    from flask_smorest import Api  # type: ignore[import-untyped]

    from service.jobs import Jobs
    from service.redis_client import RedisClient

EXPOSED_HEADERS = (
    "ETag",
    "Location",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Server-Timing",
    "X-Request-ID",
)


class OrjsonProvider(JSONProvider):
    """Write JSON with orjson, which encodes dataclasses, and is ten times as fast as json."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """Return `obj` as JSON."""
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Return the value of a JSON text."""
        return orjson.loads(s)


class Service(Flask):
    """A Flask application with the service's templates, and the version in the paths of static files."""

    def __init__(self) -> None:
        super().__init__("service", static_url_path=f"/static/{__version__}")
        self.json = OrjsonProvider(self)
        # _() marks a text of a template for the catalogues; the page's script translates it in the browser.
        self.jinja_env.add_extension("jinja2.ext.i18n")
        self.jinja_env.install_null_translations()  # type: ignore[attr-defined]
        self.config.update(
            SEND_FILE_MAX_AGE_DEFAULT=31_536_000,  # the path names the version
            PROPAGATE_EXCEPTIONS=False,
        )

    def send_static_file(self, filename: str) -> Response:
        """Return a static file that browsers cache for ever: its address has the version."""
        response = super().send_static_file(filename)
        if response.status_code == 200:
            response.cache_control.immutable = True
            response.direct_passthrough = False
            response.set_data(response.get_data())  # a stream would not be compressed
        return response


def create_app(settings: Settings | None = None) -> Flask:
    """Return the application with its default lexicon open, building its table if it is missing.

    Raises SettingsError, and EngineError for a lexicon that cannot be opened or a vector path that the
    processor does not have.
    """
    settings = settings or Settings.from_environment()
    configure_logs(settings.log_level)
    use_simd(settings.simd)
    app = Service()
    app.config["MAX_CONTENT_LENGTH"] = settings.max_batch_bytes
    state = app.extensions[EXTENSION] = _make_state(app, settings)
    open_tables(state.catalogue, settings)
    if settings.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies, x_host=0
        )
    if settings.traces:
        trace_requests(app)
    check_and_log_requests(app, state)
    api = make_api(app)
    handle_problems(app)  # after make_api: it replaces the handler of flask-smorest
    if settings.cors_origins:
        CORS(
            app,
            origins=list(settings.cors_origins),
            send_wildcard=True,
            expose_headers=list(EXPOSED_HEADERS),
            max_age=7200,
        )
    _register(app, api)
    app.extensions["openapi"] = document(api)
    return app


def _make_state(app: Flask, settings: Settings) -> State:
    catalogue = Catalogue(settings.data)
    metrics = Metrics(__version__)
    redis = _redis_client(settings, metrics)
    cache = Cache(settings, redis, metrics)
    searches = SearchSlots(settings.searches, max(1, settings.threads // 2), metrics)
    return State(
        settings=settings,
        catalogue=catalogue,
        tables=TableBuilds(catalogue),
        metrics=metrics,
        rates=RateLimits(settings, redis, metrics),
        cache=cache,
        annotations=AnnotationCache(),
        searches=searches,
        streams=BoundedSemaphore(settings.streams),
        analyst=Analyst(cache, searches, metrics, settings.sync_ms),
        jobs=_make_jobs(app, settings),
        keys=None if settings.api_keys is None else KeyFile(settings.api_keys),
    )


def _redis_client(settings: Settings, metrics: Metrics) -> RedisClient | None:
    if not settings.redis_url:
        return None
    from service.redis_client import RedisClient

    return RedisClient(settings, metrics)


def _make_jobs(app: Flask, settings: Settings) -> Jobs | None:
    """Return the back end of jobs that the settings ask for, None if they allow no jobs."""
    if why_no_jobs(settings) is not None:
        return None
    if settings.redis_url:
        from service.jobs_rq import QueuedJobs  # RQ takes 6 MB

        return QueuedJobs(settings)
    return ThreadJobs(app, settings)


def _register(app: Flask, api: Api) -> None:
    """Register every operation at its path and under /v1; only the first appears in the OpenAPI document."""
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
        app.register_blueprint(blueprint, name=f"v1-{blueprint.name}", url_prefix="/v1")
    app.register_blueprint(metrics.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(page_texts.blueprint)
    public(app.view_functions["static"])
