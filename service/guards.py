"""What a request must be before anything reads it: admitted, of a length, a type and a transfer that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask.globals import request, request_ctx

from service.problems import Problem

if TYPE_CHECKING:
    from flask import Flask, Request

    from service.protection.gate import Gate
    from service.settings import Settings

# An unread body makes the kernel reset the connection, and the client may lose the answer with it; so a
# refused body is read up to here and thrown away.
DRAIN_BYTES = 1 << 20
_CHUNK = 1 << 16

BATCH = "/batch"
JSON = "application/json"
_MEDIA_TYPES = {BATCH: (JSON, "application/x-ndjson")}

_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


def guard_requests(app: Flask, settings: Settings, gate: Gate) -> None:
    """Refuse callers whom the gate does not admit (401), then bodies without a length (411), too long
    (413) or not JSON (415), before anything is parsed."""

    @app.before_request
    def check() -> None:
        try:
            gate.admit()
            asked = request_ctx.request  # once: the proxy costs more than any of these checks
            if asked.routing_exception is not None:
                drain()
                return  # Flask raises it next: 404, or 405 with its Allow
            _check_length(asked, _longest_body(asked, settings))
            if asked.method in _WITH_BODY:
                _check_type(asked, _MEDIA_TYPES.get(asked.path, (JSON,)))
        except Problem:
            drain()
            raise


def _longest_body(request: Request, settings: Settings) -> int:
    """Return the longest body of the operation asked for: records and batches are longer than positions."""
    if request.path == BATCH:
        return settings.max_batch_bytes
    return settings.max_gcg_bytes if request.path == "/games/annotate" else settings.max_body_bytes


def _check_length(request: Request, longest: int) -> None:
    # Werkzeug would cut a chunked body at the limit in silence, so a body must say its length.
    length = request.content_length
    if "HTTP_TRANSFER_ENCODING" in request.environ or (request.method in _WITH_BODY and length is None):
        raise Problem(411, "length_required", "a body needs a Content-Length; chunked bodies are not read")
    if (length or 0) > longest:
        raise Problem(413, "body_too_large", f"the body is longer than {longest} bytes")


def _check_type(request: Request, known: tuple[str, ...]) -> None:
    said = request.environ.get("HTTP_CONTENT_ENCODING", "identity")
    if request.environ.get("CONTENT_TYPE") == JSON and JSON in known and said == "identity":
        return  # as nearly every request says it
    if request.mimetype not in known:
        raise Problem(
            415,
            "unsupported_media_type",
            "the body must be " + " or ".join(known),
            headers={"Accept": ", ".join(known)},
        )
    if request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8", "us-ascii"):
        raise Problem(415, "unsupported_media_type", "JSON must be in UTF-8")
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem(415, "unsupported_media_type", "the body must not be compressed")


def drain() -> None:
    """Read what a refused request has sent, up to DRAIN_BYTES, and throw it away."""
    left = DRAIN_BYTES
    stream = request.environ["wsgi.input"]
    try:
        while left > 0:
            # Without a length only a server that ends the input by itself may be read.
            length = request.content_length
            if length is None and not request.environ.get("wsgi.input_terminated"):
                return
            chunk = stream.read(min(_CHUNK, left if length is None else min(left, length)))
            if not chunk:
                return
            left -= len(chunk)
    except Exception:
        return
