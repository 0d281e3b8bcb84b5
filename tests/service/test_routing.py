"""Routes that are remembered are found as werkzeug finds them anew, however odd the request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask, Request
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from service.routing import REMEMBERED, Binder

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.routing import MapAdapter


@pytest.fixture(scope="module")
def routed() -> Flask:
    app = Flask("routed", static_folder=None)
    for rule, methods in (
        ("/", ["GET"]),
        ("/analyze", ["GET", "POST"]),
        ("/folder/", ["GET"]),
        ("/jobs/<string:name>", ["GET", "DELETE"]),
        ("/jobs/<string:name>/result", ["GET"]),
    ):
        app.add_url_rule(rule, rule, lambda **_: "", methods=methods)
    return app


_ENVIRONS = st.fixed_dictionaries(
    {
        "wsgi.url_scheme": st.sampled_from(["http", "https", "ws"]),
        "REQUEST_METHOD": st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "DELETE", "get", "Odd"]),
    },
    optional={
        "SCRIPT_NAME": st.sampled_from(["", "/", "/kibitz", "/kibitz/", "/\xc3\xa9"]),
        "PATH_INFO": st.sampled_from(
            [
                *("", "/", "//", "/analyze", "//analyze", "/analyze/", "analyze", "/ANALYZE", "/none"),
                *("/folder", "/folder/", "/folder//", "/jobs/a", "/jobs/\xc3\xa9", "/jobs/\xff"),
                *("/jobs//result", "/jobs/a/result"),
            ]
        ),
        "QUERY_STRING": st.sampled_from(["", "a=1", "\xc3\xa9=%20", "next=//x"]),
        "HTTP_HOST": st.sampled_from(
            [
                *("", "x", "X", "x:80", "x:443", "x:8080", "[::1]:80", "a..b", "b" * 64, "\xc3\xa9.org"),
                *("a b", "x/y"),
            ]
        ),
        "SERVER_NAME": st.sampled_from(["127.0.0.1", "::1", "/run/kibitz", ""]),
        "SERVER_PORT": st.sampled_from(["80", "8080", "", "none"]),
        "HTTP_CONNECTION": st.sampled_from(["keep-alive", "Upgrade", "close, upgrade ", "upgraded"]),
        "HTTP_UPGRADE": st.sampled_from(["websocket", "WebSocket", "h2c"]),
        "REMOTE_ADDR": st.just("10.0.0.1"),
    },
)


def _outcome(app: Flask, bind: Callable[[Request], MapAdapter | None], environ: dict[str, str]) -> Any:
    """Return all that can be told of how a request is routed, faults among it."""
    request = app.request_class(dict(environ))
    try:
        adapter = bind(request)
    except HTTPException as error:
        return type(error), error.code
    assert adapter is not None
    bound = {name: value for name, value in vars(adapter).items() if name not in ("map", "_matched", "host")}
    # A query that is empty and one that is absent lead to the same place.
    bound["query_args"] = bound["query_args"] or None
    try:
        rule, arguments = adapter.match(return_rule=True)
        found: Any = rule.rule, dict(arguments)
    except RequestRedirect as error:
        found = error.new_url, error.code
    except HTTPException as error:
        found = type(error), sorted(getattr(error, "valid_methods", None) or [])
    built = adapter.build("/jobs/<string:name>", {"name": "b"}, method="GET", force_external=True)
    return request.host, bound, found, sorted(adapter.allowed_methods()), built


@settings(max_examples=150, deadline=None)
@given(environs=st.lists(_ENVIRONS, min_size=1, max_size=6))
def test_what_is_remembered_is_what_is_found(routed: Flask, environs: list[dict[str, str]]) -> None:
    binder = Binder(routed.create_url_adapter)  # type: ignore[arg-type]
    for environ in [*environs, *environs]:
        assert _outcome(routed, binder.adapter, environ) == _outcome(
            routed, routed.create_url_adapter, environ
        )


def test_not_more_is_remembered_than_said(routed: Flask) -> None:
    binder = Binder(routed.create_url_adapter)  # type: ignore[arg-type]
    for number in range(3 * REMEMBERED):
        environ = {"wsgi.url_scheme": "http", "REQUEST_METHOD": "GET", "PATH_INFO": f"/jobs/{number}"}
        _, arguments = binder.adapter(routed.request_class(environ)).match(return_rule=True)
        assert arguments == {"name": str(number)}
    assert binder._remembered.cache_info().currsize == REMEMBERED


@pytest.mark.parametrize("prefix", ["", "/kibitz"])
def test_redirections_and_refusals_are_told_as_ever(routed: Flask, prefix: str) -> None:
    class Remembering(Flask):
        def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
            return None if request is None else binder.adapter(request)

    app = Remembering("routed", static_folder=None)
    app.url_map = routed.url_map
    app.view_functions = routed.view_functions
    binder = Binder(super(Remembering, app).create_url_adapter)  # type: ignore[arg-type]
    for path in ("/folder", "/folder?a=1", "//analyze", "/none", "/analyze", "/jobs/a"):
        for method in ("GET", "DELETE", "OPTIONS"):
            told = []
            for one in (routed, app, app):
                answer = one.test_client().open(path, method=method, base_url=f"http://x.org:81{prefix}")
                allowed = sorted(answer.allow)
                told.append((answer.status, answer.headers.get("Location"), allowed, answer.data))
            assert told[0] == told[1] == told[2]
