"""Answers to GET with an ETag made of the request and the versions: nothing need be computed twice."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from flask import Response, current_app, request

from engine import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT: Final = 3
"""Raised whenever the same request would give other bytes than before."""

UNCHANGED: Final = "the answer has not changed since the ETag in If-None-Match"

ETAG_HEADER: Final = {"ETag": {"description": "names these very bytes", "schema": {"type": "string"}}}


def etag_of(*parts: str) -> str:
    """Return the tag of the answer to this request, from its path, the versions, and `parts`.

    `parts` are what else fixes the answer: the request in normal form, checksums of tables.
    """
    text = "\n".join([f"{request.path} {FORMAT} {__version__}", *parts])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def conditional_json(value: Any) -> Response:
    """Return `value` as JSON with an ETag made of its bytes, or 304: for what is as soon made as named."""
    body = current_app.json.dumps(value)
    return conditional(etag_of(body), lambda: Response(body, mimetype="application/json"))


def conditional(etag: str, make: Callable[[], Response]) -> Response:
    """Return the answer of `make` with its ETag, or 304 without a body if the client has it."""
    # "*" must not match: nobody has seen an answer to a request that may be impossible.
    known = request.if_none_match.contains_weak(etag) and not request.if_none_match.star_tag
    response = Response(status=304) if known else make()
    response.set_etag(etag)
    response.headers["Cache-Control"] = "no-cache"
    return response
