"""What browsers are told: which pages may read the answers (CORS), and to do nothing clever with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import request

if TYPE_CHECKING:
    from flask import Flask, Response

    from service.settings import Settings

ANYBODY: Final = "*"

_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
# Answers are data: a browser that shows one has nothing to load for it. /docs brings a policy of its own.
_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"

_PREFLIGHT: Final = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, X-Request-ID",
    "Access-Control-Max-Age": "7200",
}
_EXPOSED: Final = "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, X-Request-ID"


def guard_browsers(app: Flask, settings: Settings) -> None:
    """Add security headers to every answer, and the CORS headers for pages of the origins allowed."""
    allowed = frozenset(settings.cors_origins)
    anybody = ANYBODY in allowed
    always = {**_ALWAYS, "Cross-Origin-Resource-Policy": "cross-origin" if anybody else "same-origin"}

    @app.after_request
    def tell(response: Response) -> Response:
        headers = response.headers
        headers.update(always)
        headers.setdefault("Content-Security-Policy", _POLICY)
        if not allowed:
            return response
        if not anybody:
            response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin is None or not (anybody or origin in allowed):
            return response
        # No credentials: a key is sent by the page's own code, never by the browser on its behalf.
        headers["Access-Control-Allow-Origin"] = ANYBODY if anybody else origin
        headers["Access-Control-Expose-Headers"] = _EXPOSED
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            headers.update(_PREFLIGHT)
        return response
