"""The outermost layer of the application: what every request passes before Flask, and every answer after it.

Flask has a hook and a header for each of these things; they take several times as long.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from service.observability.requests import REQUEST_ID_HEADER, STARTED, id_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment

    from flask import Flask

    from service.observability.counts import Counts


def enclose(app: Flask, counts: Counts, always: list[tuple[str, str]]) -> None:
    """Give every request of `app` its id and its start, and count it while it is answered; add its id and the
    headers `always` to its answer, but for those that it brings itself."""
    inner = app.wsgi_app
    names = frozenset(name for name, _ in always)

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[STARTED] = perf_counter()
        own_id = id_in(environ)

        def start(status: str, headers: list[tuple[str, str]], *fault: Any) -> Any:
            own = [name for name, _ in headers]
            added = always if names.isdisjoint(own) else [pair for pair in always if pair[0] not in own]
            return start_response(status, [*headers, (REQUEST_ID_HEADER, own_id), *added], *fault)

        counts.in_flight.add(amount=1.0)
        try:
            return inner(environ, start)
        finally:
            counts.in_flight.add(amount=-1.0)

    app.wsgi_app = application  # type: ignore[method-assign]
