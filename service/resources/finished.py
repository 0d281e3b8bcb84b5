"""Answers whose bytes are all there: sent as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response
from werkzeug.datastructures import Headers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment


class _Listed(Headers):
    """Headers of our own making, which need not be looked at one by one."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self._list = [*pairs]


class Finished(Response):
    """An answer of JSON, with headers of our own making.

    Werkzeug's own would look through the headers, copy them and wrap the bytes, for the sake of redirections,
    streams and answers without a body.
    """

    def __init__(self, body: bytes, *headers: tuple[str, str]) -> None:
        told = ("Content-Type", "application/json"), ("Content-Length", str(len(body)))
        super().__init__([body], headers=_Listed(*told, *headers))

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Send it; as werkzeug does if it is no longer what it was made as, or is not to have its body."""
        if self.status_code != 200 or self._on_close or environ["REQUEST_METHOD"] == "HEAD":
            return super().__call__(environ, start_response)
        start_response(self.status, self.headers.to_wsgi_list())
        return self.response  # type: ignore[return-value]
