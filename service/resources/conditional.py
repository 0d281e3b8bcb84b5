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


def etag_of(*parts: str) -> str:
    """Return the tag of the answer to this request, from its path, the versions, and `parts`.

    `parts` are what else fixes the answer: the request in normal form, checksums of tables.
    """
    text = "\n".join([f"{request.path} {FORMAT} {__version__}", *parts])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def conditional(etag: str, make: Callable[[], Response]) -> Response:
    """Return the answer of `make` with its ETag, or 304 without a body if the client has it."""
    # "*" must not match: nobody has seen an answer to a request that may be impossible.
    known = request.if_none_match.contains_weak(etag) and not request.if_none_match.star_tag
    response = Response(status=304) if known else make()
    response.set_etag(etag)
    response.headers["Cache-Control"] = "no-cache"
    return response
