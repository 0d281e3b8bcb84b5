"""`kibitz serve`: the HTTP service."""

from __future__ import annotations

import click

from service.settings import Settings


@click.command("serve")
@click.option("--host", help="Address to listen on (KIBITZ_HOST; default 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (KIBITZ_PORT; default 8080).")
def serve_command(host: str | None, port: int | None) -> None:
    """Answer HTTP requests until SIGTERM or Ctrl-C.

    The table of the default lexicon is built first if it is missing. All else is set by KIBITZ_* variables
    of the environment; an unknown one is an error.
    """
    settings = Settings.from_environment(host=host, port=port)
    from service.server import run  # after the settings, so that a mistake in them is told at once

    run(settings)
