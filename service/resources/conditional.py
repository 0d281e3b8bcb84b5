"""Answers to GET with an ETag made of the request and the versions: nothing need be computed twice."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from flask import Response, request

from engine import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT: Final = 1
"""Raised whenever the same request would give other bytes than before."""

ETAG_HEADER: Final = {"ETag": {"description": "names these very bytes", "schema": {"type": "string"}}}


def conditional(make: Callable[[], Response], *parts: str) -> Response:
    """Return the answer of `make` with its ETag, or 304 without a body if the client has it.

    `parts` are what, with the versions, fixes the answer: the request in normal form, checksums of tables.
    A request that cannot be answered must have been refused before.
    """
    text = "\n".join([f"{request.path} {FORMAT} {__version__}", *parts])
    etag = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    # "*" must not match: nobody has seen an answer yet.
    known = request.if_none_match.contains_weak(etag) and not request.if_none_match.star_tag
    response = Response(status=304) if known else make()
    response.set_etag(etag)
    response.headers["Cache-Control"] = "no-cache"
    return response
