"""Documents that browsers are given: made once, at first use, with an ETag and nothing from elsewhere."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from flask import Response, render_template, request

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

# The browser may fetch nothing but this server's own scripts, styles and answers.
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


class Pages:
    """The documents of one application."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._made: dict[str, tuple[bytes, str]] = {}

    def add(self, path: str, mimetype: str, make: Callable[[], bytes | str]) -> None:
        """Answer a path with what `make` returns."""

        def answer() -> Response:
            if path not in self._made:
                body = make()
                whole = body.encode() if isinstance(body, str) else body
                self._made[path] = whole, sha256(whole).hexdigest()[:32]
            body, etag = self._made[path]
            response = Response(body, mimetype=mimetype)
            response.set_etag(etag)
            response.headers["Cache-Control"] = "no-cache"
            response.headers["Content-Security-Policy"] = POLICY
            response.make_conditional(request)
            return response

        self._app.add_url_rule(path, path, answer)

    def add_assets(self, folder: str, *names: str) -> None:
        """Answer /folder/name with each of these files of templates/folder."""
        for name in names:
            self.add(
                f"/{folder}/{name}",
                _TYPES[name.rpartition(".")[2]],
                lambda name=name: render_template(f"{folder}/{name}"),  # type: ignore[misc]
            )
