"""Answers to GET with an ETag, computed from the request and the versions, not from the answer."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from flask import Response, request

from engine import __version__
from service.compression import ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT: Final = 4
"""Increased when the same request gets other bytes than before."""

ETAG_HEADER: Final = {"ETag": {"description": "identifies these bytes", "schema": {"type": "string"}}}


def etag_of(*parts: str) -> str:
    """Return the ETag of the answer to this request, from its path, the versions, and `parts`.

    `parts` are everything else that determines the answer: the request in normal form, checksums of tables.
    """
    text = "\n".join([f"{request.path} {FORMAT} {__version__}", *parts])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def conditional_json(body: bytes) -> Response:
    """Return a JSON document with an ETag of its bytes, or 304."""
    return conditional(etag_of(body.decode()), lambda: Response(body, mimetype="application/json"))


def conditional(etag: str, make: Callable[[], Response]) -> Response:
    """Return the answer of `make` with its ETag, or 304 without a body if the client has it.

    An answer of `make` that must not be stored ("no-store") gets no ETag.
    """
    known = _known_tag(etag)
    response = make() if known is None else Response(status=304)
    if response.cache_control.no_store:
        return response
    response.set_etag(known or etag)
    response.headers["Cache-Control"] = "no-cache"
    return response


def _known_tag(etag: str) -> str | None:
    """Return the tag in If-None-Match of this answer, plain or compressed, None if there is none.

    "*" is ignored, because the request may be invalid.
    """
    sent = request.if_none_match
    if sent.star_tag:
        return None
    # Flask-Compress appends the encoding to the tag of an answer.
    tags = (etag, *(f"{etag}:{encoding}" for encoding in ENCODINGS))
    return next((tag for tag in tags if sent.contains_weak(tag)), None)
