"""Compressed answers for clients that accept them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import request
from flask_compress import Compress

if TYPE_CHECKING:
    from flask import Flask, Response

ENCODINGS: Final = ("br", "gzip")


class Compressor:
    """Compress answers of a kilobyte or more, except streams and answers marked `no-transform`."""

    def __init__(self, app: Flask) -> None:
        app.config.update(
            COMPRESS_ALGORITHM=list(ENCODINGS),
            COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,  # service.resources.conditional does
            COMPRESS_MIN_SIZE=1024,
            COMPRESS_REGISTER=False,  # it has no way to leave out single answers
            COMPRESS_STREAMS=False,
        )
        self._compress = Compress(app)

    def compress(self, response: Response) -> Response:
        """Return the answer to the current request, compressed if its client accepts that.

        The client must name one of ENCODINGS with a quality above 0: Flask-Compress ignores a quality of 0.
        """
        if "no-transform" in response.headers.get("Cache-Control", ""):
            return response
        if not any(quality > 0 and name in ENCODINGS for name, quality in request.accept_encodings):
            response.vary.add("Accept-Encoding")
            return response
        return self._compress.after_request(response)
