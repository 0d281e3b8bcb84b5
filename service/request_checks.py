"""Check the head of a request: its body must state its length, be short enough, and have a known type."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from socket import SHUT_RDWR, SHUT_WR
from time import monotonic
from typing import TYPE_CHECKING, Final

from flask import g, request
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]

from engine import Text, either
from service.problems import Problem, problem_response
from service.view_rules import TEXT

if TYPE_CHECKING:
    from socket import socket

    from flask import Request, Response

    from service.settings import Settings
    from service.view_rules import ViewRules

LINGER_SECONDS: Final = 10.0
"""How long a refused body is read after its answer: a socket closed with unread data may lose the answer."""

QUIET_SECONDS: Final = 1.0
"""How long such a client may send nothing."""

_CHUNK: Final = 1 << 16
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
# A record without #character-encoding is read as UTF-8 if possible, otherwise as ISO-8859-1.
_CHARSETS: Final = {TEXT: ("utf-8", "utf8", "us-ascii", "iso-8859-1", "latin-1", "latin1")}


def check_head(request: Request, rules: ViewRules, settings: Settings) -> None:
    """Raise a Problem (411, 413 or 415) before a body is read."""
    limit: int = getattr(settings, rules.max_bytes)
    request.max_content_length = limit
    _check_length(request, limit)
    if request.method in _WITH_BODY:
        _check_type(request, rules.media_types)


def discard_refused(response: Response, limit: int) -> Response:
    """Return the response to a refused request; read its body of at most `limit` bytes, or close later.

    Otherwise the client might lose the answer.
    """
    if response.status_code < 400 or g.get("body_read"):
        return response
    if (request.content_length or 0) > limit:
        # gunicorn_conf.pre_request has announced that the connection closes.
        if (connection := request.environ.get("gunicorn.socket")) is not None:
            response.call_on_close(partial(_linger, connection))
        return response
    try:
        with suppress(OSError):  # the client has disconnected
            _discard_body(limit)
    except ParseException:
        return problem_response(Problem(400, "malformed_body", Text("the body is not valid HTTP")))
    return response


def _discard_body(limit: int) -> None:
    """Read the body of a refused request, a chunked one up to `limit` bytes."""
    stream = request.environ["wsgi.input"]
    chunked = request.content_length is None and "wsgi.input_terminated" in request.environ
    left = limit if chunked else request.content_length or 0
    while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
        left -= len(chunk)


def _linger(connection: socket) -> None:
    """Read what a client still sends after the answer, for a limited time, and end the connection."""
    until = monotonic() + LINGER_SECONDS
    with suppress(OSError):  # it is silent, or has disconnected
        connection.shutdown(SHUT_WR)
        while (left := until - monotonic()) > 0:
            connection.settimeout(min(left, QUIET_SECONDS))
            if not connection.recv(_CHUNK):
                break
    with suppress(OSError):
        connection.shutdown(SHUT_RDWR)  # or gunicorn's only accepting thread would wait for the client


def _check_length(request: Request, limit: int) -> None:
    # Werkzeug cuts a chunked body at the limit without an error, so a body must state its length.
    length = request.content_length
    if "HTTP_TRANSFER_ENCODING" in request.environ or (request.method in _WITH_BODY and length is None):
        raise Problem(
            411, "length_required", Text("a body needs a Content-Length; chunked bodies are refused")
        )
    if (length or 0) > limit:
        detail = Text("the body is longer than {limit} bytes", limit=limit)
        raise Problem(413, "body_too_large", detail)


def _check_type(request: Request, known: tuple[str, ...]) -> None:
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
