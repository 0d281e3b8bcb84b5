"""What is being answered now, for what every request does: Flask's proxies take ten times as long.

All raise RuntimeError where nothing is being answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask.globals import app_ctx, request_ctx

if TYPE_CHECKING:
    from flask import Config, Request
    from flask.ctx import AppContext, RequestContext, _AppCtxGlobals


def current_context() -> RequestContext:
    """Return Flask's context of the current request."""
    found: RequestContext = request_ctx._get_current_object()  # type: ignore[attr-defined]
    return found


def current_request() -> Request:
    """Return the current request."""
    return current_context().request


def _application() -> AppContext:
    found: AppContext = app_ctx._get_current_object()  # type: ignore[attr-defined]
    return found


def current_config() -> Config:
    """Return the configuration of the current application: its settings, its analyst and so on."""
    return _application().app.config


def current_notes() -> _AppCtxGlobals:
    """Return what is noted for the current request (Flask's `g`)."""
    return _application().g
