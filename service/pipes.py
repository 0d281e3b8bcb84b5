"""Worker processes of one's own: a question as a line of JSON into a pipe, frames of bytes out of another.

A question is one line. An answer is any number of frames, each a line of JSON that says what it is and, with
`bytes`, how many bytes follow it; a frame that says `end` is the last. A worker ends with its pipe, so none
outlives the process that made it, however that one ends. To stop what a worker is doing, kill it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

import orjson

from service.observability.sharing import FOLDER as METRICS_FOLDER

Frame: TypeAlias = tuple[dict[str, Any], bytes]
"""What a frame says, and the bytes behind it."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from service.settings import Settings

_ROOT: Final = Path(__file__).parents[1]


class WorkerDiedError(Exception):
    """Report that a worker process ended before it had answered."""


class PipeWorker:
    """A process that runs `module` and answers one question after another; one thread at a time asks."""

    def __init__(self, module: str, settings: Settings) -> None:
        """Start the process with these settings; it reads no others."""
        # Nor are its requests the server's: it counts them, if at all, for itself.
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("KIBITZ_") and name != METRICS_FOLDER
        }
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(  # noqa: S603 - this very interpreter
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=kept | settings.environment() | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
        )

    def ask(self, question: Mapping[str, Any], payload: bytes = b"") -> Iterator[Frame]:
        """Yield the frames of the answer, each with its bytes, the last one included.

        Raises WorkerDiedError if the process ends on the way.
        """
        into, out = self.process.stdin, self.process.stdout
        assert into is not None  # noqa: S101 - both are pipes
        assert out is not None  # noqa: S101
        try:
            into.write(_frame(question, payload))
            into.flush()
        except OSError:
            raise WorkerDiedError from None
        while (frame := _read_frame(out)) is not None:
            yield frame
            if frame[0].get("end"):
                return
        raise WorkerDiedError

    def kill(self) -> None:
        """End the process at once, whatever it is doing; another thread that waits for it is told."""
        self.process.kill()

    def close(self) -> None:
        """End the process and wait until it is gone; not while another thread reads its answer."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was still to be written has no reader
                    pipe.close()


def answer_questions(
    answer: Callable[[dict[str, Any], bytes], Iterator[tuple[dict[str, Any], bytes]]],
) -> None:
    """Be a worker: read questions from the standard input until it ends, and write what `answer` yields.

    What prints to the standard output by mistake goes to the standard error.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the key goes to the whole group; the parent decides
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    questions: SimpleQueue[Frame] = SimpleQueue()

    def listen() -> None:
        # The end of the pipe is noticed in the midst of an answer too.
        while (question := _read_frame(sys.stdin.buffer)) is not None:
            questions.put(question)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        for head, payload in answer(*questions.get()):
            out.write(_frame(head, payload))
            out.flush()
        out.write(_frame({"end": True}))
        out.flush()


def _frame(head: Mapping[str, Any], payload: bytes = b"") -> bytes:
    return orjson.dumps({**head, "bytes": len(payload)}, option=orjson.OPT_APPEND_NEWLINE) + payload


def _read_frame(pipe: IO[bytes]) -> Frame | None:
    """Return the next frame, None at the end of the pipe, be it in the midst of one."""
    line = pipe.readline()
    if not line.endswith(b"\n"):
        return None
    head: dict[str, Any] = orjson.loads(line)
    payload = pipe.read(head["bytes"])
    return (head, payload) if len(payload) == head["bytes"] else None
