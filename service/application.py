"""Flask without what it does for every request that changes nothing here: a third of what it costs.

There are no coroutines, no sessions, no forms, no hooks of blueprints; and a route that was found once need
not be looked for again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Flask, Request, request_tearing_down
from flask.sessions import NullSession, SessionInterface
from werkzeug.utils import cached_property

from engine import __version__
from service.current import current_context
from service.routing import Binder

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response
    from flask.sansio.blueprints import Blueprint
    from flask.sessions import SessionMixin
    from werkzeug.routing import MapAdapter


class _Request(Request):
    """A request without limits of its own: the guards have seen to its length, and nobody reads forms."""

    max_content_length = None

    @cached_property
    def blueprints(self) -> list[str]:
        """The blueprints that answer it, by name; they are asked for more than once, when it is routed."""
        return super().blueprints


class _NoSessions(SessionInterface):
    """Nobody has a session; it is the same one for all, into which nothing can be written."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> SessionMixin:
        """Return the session of nobody."""
        return self._none

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Do nothing."""


class Application(Flask):
    """Flask for this service; each method does what Flask's does for an application like it."""

    request_class = _Request
    session_interface = _NoSessions()

    def __init__(self, name: str) -> None:
        super().__init__(name, static_folder="static", static_url_path=f"/static/{__version__}")
        self.config["SEND_FILE_MAX_AGE_DEFAULT"] = 365 * 24 * 3600  # the address names the version
        self._binder = Binder(super().create_url_adapter)  # type: ignore[arg-type] # a request has one

    def register_blueprint(self, blueprint: Blueprint, **options: Any) -> None:
        """Take the routes of a blueprint; raises ValueError if it has hooks, for nobody would call them."""
        super().register_blueprint(blueprint, **options)
        hooks = self.before_request_funcs, self.after_request_funcs, self.teardown_request_funcs
        if self.url_value_preprocessors or any(name and kind[name] for kind in hooks for name in kind):
            raise ValueError(f"the blueprint {blueprint.name} has hooks; the application alone may have some")

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function: none of ours is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return the routes bound to a request."""
        return None if request is None else self._binder.adapter(request)

    def preprocess_request(self) -> Any:
        """Call the hooks before a request; return what one of them answers instead of the view."""
        for hook in self.before_request_funcs[None]:
            if (answer := hook()) is not None:
                return answer
        return None

    def process_response(self, response: Response) -> Response:
        """Call the hooks after a request: its own, then the others, the last registered first."""
        for hook in current_context()._after_request_functions:
            response = hook(response)  # type: ignore[assignment]
        for hook in reversed(self.after_request_funcs[None]):
            response = hook(response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Call the hooks at the end of a request, the last registered first."""
        for hook in reversed(self.teardown_request_funcs[None]):
            hook(exc)
        request_tearing_down.send(self, _async_wrapper=self.ensure_sync, exc=exc)
