"""`kibitz engine`: the operations of the HTTP API over standard input and output."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from kibitz.cli import EXIT_INTERRUPTED
from kibitz.cli.errors import needs_service
from kibitz.cli.language import lang_option, reader_language
from kibitz.cli.options import threads_option
from service.settings import Settings

if TYPE_CHECKING:
    from service.pipe import Pipe


@click.command("engine")
@threads_option
@lang_option
@click.pass_context
def engine_command(context: click.Context, threads: int) -> None:
    """Answer requests from standard input, one JSON object a line, as the HTTP API does.

    A line has the members of a request of the API, the name of its "operation", and an "id", which the answer
    repeats. Each answer is a line too, written when it is ready; --threads 1 keeps the order of the requests.
    {"operation": "stop", "stop": ID} ends a search, which is answered with what it has found. Standard output
    has nothing but answers; logs go to standard error.

    The engine ends when its input has ended and everything is answered, or after SIGTERM or Ctrl-C with what
    it has found by then; a second signal ends it at once. The settings are those of kibitz serve, such as
    KIBITZ_LEXICON.

    \b
    echo '{"id": 1, "operation": "judge", "words": ["retinas"]}' | kibitz engine
    kibitz engine --threads 4 < requests.jsonl > answers.jsonl
    """
    needs_service()
    # Whatever else writes to standard output, as logs and other processes do, goes to standard error.
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        from service.app import create_app  # slow to import
        from service.pipe import Pipe

        app = create_app(replace(Settings.from_environment(), jobs_queued=0))
        pipe = Pipe(app, 0, answers, threads, reader_language())
        signals = _stop_by_signals(pipe)
        try:
            pipe.run()
        except OSError:  # nobody reads the answers
            with suppress(OSError):
                answers.close()
            raise
    if signal.SIGINT in signals:
        context.exit(EXIT_INTERRUPTED)


def _stop_by_signals(pipe: Pipe) -> list[int]:
    """Stop the pipe at the first SIGTERM or SIGINT, end the process at the second; return those caught."""
    caught: list[int] = []

    def stop(number: int, _: object) -> None:
        caught.append(number)
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, signal.SIG_DFL)
        pipe.stop()

    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, stop)
    return caught
