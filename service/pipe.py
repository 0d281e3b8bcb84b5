"""The engine by pipe: a request a line, answered by the operations of the API, without HTTP.

`docs/pipe.md` describes the lines. The thread that calls `Pipe.run` reads them; others answer them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Condition, Lock
from typing import TYPE_CHECKING, BinaryIO, Final

import orjson

from service.items import Item, max_item_bytes
from service.job_tasks import Work
from service.json_parser import load
from service.line_reader import POLL_SECONDS, LineReader
from service.operations import OPERATIONS
from service.schemas.pipe import STOP, PipeHeadSchema, StopSchema
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flask import Flask

MAX_WAITING: Final = 1_000
"""The most requests that are read and not answered; all together have at most the bytes of a batch."""

_HEAD, _STOP = PipeHeadSchema(), StopSchema()


@dataclass(eq=False)
class _Request:
    """A line of `size` bytes that is not answered yet."""

    item: Item
    size: int
    work: Work = field(default_factory=Work)


class Pipe:
    """Answer the requests that come in lines, in `threads` threads."""

    def __init__(self, app: Flask, descriptor: int, output: BinaryIO, threads: int, lang: str) -> None:
        """Take the application, the file descriptor to read, where to write answers, and their language."""
        self._app = app
        self._output = output
        self._threads = threads
        self._lang = lang
        with app.app_context():
            self._settings = state().settings
        self._lines = LineReader(descriptor, max_item_bytes(self._settings))
        self._open: set[_Request] = set()
        self._changed = Condition()  # protects the set
        self._writing = Lock()
        self._broken: OSError | None = None

    def run(self) -> None:
        """Answer all requests until the input ends; raises OSError if the answers cannot be written."""
        with ThreadPoolExecutor(self._threads, "pipe") as pool:
            for number, text in enumerate(self._lines, 1):
                if text.strip():
                    self._take(number, text, pool)
            self._wait(lambda: not self._open)
        if self._broken is not None:
            raise self._broken

    def stop(self) -> None:
        """Read no further line, and stop all work, which is answered with what it has.

        A handler of signals and any thread may call it.
        """
        self._lines.stop()

    def _wait(self, reached: Callable[[], bool]) -> None:
        """Wait until the open requests are as wanted; once `stop` was called, stop their work meanwhile."""
        with self._changed:
            while not reached():
                if self._lines.stopped:
                    _cancel(self._open)
                self._changed.wait(POLL_SECONDS)

    def _has_room(self, size: int) -> bool:
        size += sum([request.size for request in self._open])
        few = len(self._open) < MAX_WAITING and size <= self._settings.max_batch_bytes
        return few or not self._open

    def _take(self, number: int, text: bytes, pool: ThreadPoolExecutor) -> None:
        """Let a thread answer a line; one that stops others is answered at once."""
        request = _Request(Item(number, self._lang), len(text))
        try:
            with self._app.app_context():
                make = self._read(request, text)
        except Exception as error:
            make = partial(_raise, error)
        if make is not None:
            self._wait(lambda: self._has_room(request.size))
            with self._changed:
                self._open.add(request)
            pool.submit(self._answer, request, make)

    def _read(self, request: _Request, text: bytes) -> Callable[[], bytes] | None:
        """Return what answers a line, None if it is answered; raises a Problem."""
        item, work = request.item, request.work
        document = item.read(text)
        head = load({name: document.pop(name) for name in _HEAD.fields if name in document}, _HEAD)
        if head["operation"] == STOP:
            stopped = self._stop(load(document, _STOP)["stop"])
            self._write(item.answer(lambda: orjson.dumps({"stopped": stopped})))
            return None
        if head["progress"]:
            work.report = partial(self._report, request)
        call = work.call(self._lang, self._settings.lexicon)
        return partial(OPERATIONS[head["operation"]].answer, document, len(text), call)

    def _stop(self, wanted: str | int) -> int:
        """Stop the work for all open requests with an id; return their number."""
        with self._changed:
            found = [request for request in self._open if request.item.id == wanted]
            _cancel(found)
        return len(found)

    def _answer(self, request: _Request, make: Callable[[], bytes]) -> None:
        """Answer a request, in a thread of the pool."""
        with self._app.app_context():
            self._write(request.item.answer(make))
        with self._changed:
            self._open.remove(request)
            self._changed.notify()

    def _report(self, request: _Request) -> None:
        work = request.work
        progress = {"done": work.done, "total": work.total, "so_far": work.so_far}
        self._write(request.item.line_with(progress=progress))

    def _write(self, line: bytes) -> None:
        """Write a line; if nobody reads it, stop."""
        with self._writing:
            try:
                self._output.write(line + b"\n")
                self._output.flush()
            except OSError as error:
                self._broken = error
                self.stop()


def _cancel(requests: Iterable[_Request]) -> None:
    for request in requests:
        request.work.cancel()


def _raise(error: Exception) -> bytes:
    raise error
