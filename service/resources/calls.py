"""How a request over HTTP calls an operation."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine import Deadline
from service.disconnects import on_disconnect
from service.languages import answer_language
from service.operations import Call
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Iterator


def request_call() -> Call:
    """Return the call of the current request."""
    service = state()
    return Call(service.analyst.answer, searching, answer_language(), service.settings.lexicon)


@contextmanager
def searching() -> Iterator[Deadline]:
    """Hold a slot for a search; yield its deadline, which passes early if the client disconnects.

    Raises a Problem (503 "busy") if no slot is free.
    """
    service = state()
    deadline = Deadline.after(service.settings.sync_ms)
    with service.searches.slot(), on_disconnect(deadline.cut):
        yield deadline
