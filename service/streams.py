"""Answers that are computed while they are sent."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from flask import Response, g, stream_with_context

from service.disconnects import until_disconnect
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.concurrency import SearchSlots


def computed_stream(chunks: Iterator[bytes], media_type: str) -> Response:
    """Return a response of `chunks`, each computed in a search slot that is free while the chunk is sent.

    Thus a client that reads slowly occupies no slot. Raises a Problem (503 "busy") if no slot is free for the
    first chunk, and the errors of computing it. The work ends when the client disconnects.
    """
    g.streams = True
    computed = _in_slots(chunks, state().searches)
    first = next(computed, b"")
    return Response(
        stream_with_context(until_disconnect(chain([first], computed))),
        content_type=media_type,
        headers={"Cache-Control": "no-store"},
    )


def _in_slots(chunks: Iterator[bytes], searches: SearchSlots) -> Iterator[bytes]:
    """Yield the chunks; every chunk except the first one waits for a slot."""
    wait = False
    with searches.waiting_place():  # so that threads remain for all other requests
        while True:
            with searches.slot(wait=wait):
                chunk = next(chunks, None)
            if chunk is None:
                return
            yield chunk
            wait = True
