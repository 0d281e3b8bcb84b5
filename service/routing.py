"""Which view a request is for: werkzeug finds it, and what it found is remembered for the next one like it.

Binding the routes to a request and matching its path are a fifth of what Flask does for it, and always have
the same outcome for the same few values of WSGI's environment.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from flask import Request
from werkzeug.routing import MapAdapter

if TYPE_CHECKING:
    from collections.abc import Callable

REMEMBERED: Final = 32
"""Kinds of requests remembered, those not seen for longest go first: clients ask the same few over and over.

None is longer than the 8 kB that the server takes of each header.
"""

# All that werkzeug looks at to bind and to match, but for the query, which redirections are told.
_LOOKED_AT: Final = (
    "wsgi.url_scheme",
    "REQUEST_METHOD",
    "SCRIPT_NAME",
    "PATH_INFO",
    "HTTP_HOST",
    "SERVER_NAME",
    "SERVER_PORT",
    "HTTP_CONNECTION",
    "HTTP_UPGRADE",
)


class _Bound(MapAdapter):
    """Routes bound to a kind of request, which remember the one that it matches."""

    def __init__(self, adapter: MapAdapter, host: str) -> None:
        self.__dict__.update(adapter.__dict__)
        self.host = host
        self._matched: Any = None

    def match(self, *args: Any, **options: Any) -> Any:
        """Return what werkzeug finds; raises what it raises. Nobody may change the arguments of the rule."""
        if args or options != {"return_rule": True}:
            return super().match(*args, **options)
        if self._matched is None:
            self._matched = super().match(return_rule=True)
        return self._matched


class Binder:
    """Bind the routes of an application to requests: to the same outcome as `bind`, which does it anew."""

    def __init__(self, bind: Callable[[Request], MapAdapter]) -> None:
        self._bind = bind
        self._remembered = lru_cache(REMEMBERED)(self._bound)

    def adapter(self, request: Request) -> MapAdapter:
        """Return the adapter for a request, and tell the request its host; raises what werkzeug raises."""
        environ = request.environ
        if environ.get("QUERY_STRING"):
            return self._bind(request)
        bound = self._remembered(*map(environ.get, _LOOKED_AT))
        request.host = bound.host
        return bound

    def _bound(self, *values: str | None) -> _Bound:
        environ = {name: value for name, value in zip(_LOOKED_AT, values, strict=True) if value is not None}
        request = Request(environ, populate_request=False)
        return _Bound(self._bind(request), request.host)
