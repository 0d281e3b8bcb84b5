"""Check the head of a request: its body must state its length, be short enough, and have a known type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import g, request

from engine import Text, either
from service.problems import Problem

if TYPE_CHECKING:
    from flask import Flask, Response

    from service.settings import Settings

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
TEXT: Final = "text/plain"
HTML: Final = "text/html"

DISCARD_BYTES: Final = 32 << 20
"""How much of a too long body is read: a socket closed with unread data may lose the answer."""

_CHUNK: Final = 1 << 16
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
# A record without #character-encoding is read as UTF-8 if possible, otherwise as ISO-8859-1.
_CHARSETS: Final = {TEXT: ("utf-8", "utf8", "us-ascii", "iso-8859-1", "latin-1", "latin1")}
_MEDIA_TYPES: Final = {"batch": (JSON, NDJSON), "annotate": (JSON, TEXT)}


def check_requests(app: Flask, settings: Settings) -> None:
    """Answer 411, 413 or 415 before a body is read."""
    limits = {"batch": settings.max_batch_bytes, "annotate": settings.max_gcg_bytes}
    # The connection stays open after a body of up to max_batch_bytes (see gunicorn_conf.pre_request).
    discarded = max(settings.max_batch_bytes, DISCARD_BYTES)

    @app.before_request
    def check() -> None:
        if request.routing_exception is not None:
            return  # Flask raises it as 404 or 405
        operation = (request.blueprint or "").removeprefix("v1-")
        request.max_content_length = limits.get(operation, settings.max_body_bytes)
        _check_length(request.max_content_length)
        if request.method in _WITH_BODY:
            _check_type(_MEDIA_TYPES.get(operation, (JSON,)))

    @app.after_request
    def discard_refused(response: Response) -> Response:
        if response.status_code >= 400 and not g.get("body_read"):
            _discard_body(discarded)
        return response


def _discard_body(limit: int) -> None:
    """Read up to `limit` bytes of a refused request's body, so that its answer arrives."""
    stream = request.environ["wsgi.input"]
    chunked = request.content_length is None and "wsgi.input_terminated" in request.environ
    left = limit if chunked else min(request.content_length or 0, limit)
    try:
        while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
            left -= len(chunk)
    except OSError:  # the client has disconnected
        return


def _check_length(limit: int) -> None:
    # Werkzeug cuts a chunked body at the limit without an error, so a body must state its length.
    length = request.content_length
    if "HTTP_TRANSFER_ENCODING" in request.environ or (request.method in _WITH_BODY and length is None):
        raise Problem(
            411, "length_required", Text("a body needs a Content-Length; chunked bodies are refused")
        )
    if (length or 0) > limit:
        detail = Text("the body is longer than {limit} bytes", limit=limit)
        raise Problem(413, "body_too_large", detail)


def _check_type(known: tuple[str, ...]) -> None:
    if request.mimetype not in known:
        listed = ", ".join(known)
        detail = Text("the body must be {choice}", choice=either(known))
        raise Problem(
            415, "unsupported_media_type", detail, params={"known": listed}, headers={"Accept": listed}
        )
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if charset not in _CHARSETS.get(request.mimetype, ("utf-8", "utf8", "us-ascii")):
        detail = Text(
            "JSON must be in UTF-8; a record declares another encoding by #character-encoding",
            charset=charset[:40],
        )
        raise Problem(415, "unsupported_media_type", detail)
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem(415, "unsupported_media_type", Text("the body must not be compressed"))
