"""Compressed answers, for clients that accept them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask_compress import Compress

if TYPE_CHECKING:
    from flask import Flask, Response

ENCODINGS: Final = ("br", "gzip")


def compress_answers(app: Flask) -> None:
    """Compress answers of more than a kilobyte, except streams and those that forbid it by `no-transform`."""
    app.config.update(
        COMPRESS_ALGORITHM=list(ENCODINGS),
        COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,  # service.resources.conditional does
        COMPRESS_MIN_SIZE=1024,
        COMPRESS_REGISTER=False,  # it has no way to leave out single answers
        COMPRESS_STREAMS=False,
    )
    compress = Compress(app)

    @app.after_request
    def compress_answer(response: Response) -> Response:
        return response if response.cache_control.no_transform else compress.after_request(response)
