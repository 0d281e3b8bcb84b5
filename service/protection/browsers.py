"""What browsers are told: which pages may read the answers (CORS), and to do nothing clever with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import request

if TYPE_CHECKING:
    from flask import Flask, Response

    from service.settings import Settings

ANYBODY: Final = "*"

_PREFLIGHT: Final = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, Prefer, X-Request-ID",
    "Access-Control-Max-Age": "7200",
}
_EXPOSED: Final = (
    "ETag, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, "
    "X-Request-ID"
)


def guard_browsers(app: Flask, settings: Settings) -> None:
    """Add the CORS headers to answers for pages of the origins allowed."""
    if settings.cors_origins:
        _allow_origins(app, frozenset(settings.cors_origins))


def security_headers(settings: Settings) -> list[tuple[str, str]]:
    """Return the headers of every answer that does not bring its own."""
    for_anybody = ANYBODY in settings.cors_origins
    return [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "cross-origin" if for_anybody else "same-origin"),
        # Answers are data: a browser that shows one has nothing to load for it.
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]


def _allow_origins(app: Flask, allowed: frozenset[str]) -> None:
    anybody = ANYBODY in allowed

    @app.after_request
    def tell(response: Response) -> Response:
        headers = response.headers
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
