"""`kibitz serve`: the HTTP service."""

from __future__ import annotations

import os
import socket
import sys

import click

from service.cli import Refusal
from service.settings import Settings


def _settings() -> str:
    """Return the table of settings for the help, one a line; click's mark keeps the lines apart."""
    width = max(len(name) for name, _, _ in Settings.table())
    lines = [
        f"{name:<{width}}  {meaning}" + (f" [{default}]" if default not in ("", "None") else "")
        for name, default, meaning in Settings.table()
    ]
    return "\n".join(["\b", "Settings:", *lines])


@click.command("serve", epilog=_settings())
@click.option("--host", help="Address to listen on (KIBITZ_HOST; default 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (KIBITZ_PORT; default 8080).")
def serve_command(host: str | None, port: int | None) -> None:
    """Answer HTTP requests until SIGTERM or Ctrl-C.

    Builds the table of the default lexicon first if it is missing, then runs gunicorn. All other settings
    are KIBITZ_* variables of the environment; an unknown one is an error.

    Beyond this machine (--host 0.0.0.0) put a proxy such as nginx in front: each slow connection holds a
    thread, and as many of them as there are threads stop the server.

    \b
    kibitz serve
    kibitz serve --host 0.0.0.0 --port 80
    KIBITZ_REDIS_URL=redis://localhost kibitz serve
    """
    settings = Settings.from_environment(host=host, port=port)
    _check_port(settings)
    os.environ["KIBITZ_HOST"], os.environ["KIBITZ_PORT"] = settings.host, str(settings.port)
    if sys.stderr.isatty():
        click.echo("Logging one JSON object a line; Ctrl-C stops the server.", err=True)
    # Eighty threads would otherwise use sixteen heaps, whose free memory is never returned.
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf"])  # noqa: S606


def _check_port(settings: Settings) -> None:
    """Refuse a port that is taken at once; gunicorn would try for five seconds."""
    if settings.host.startswith("unix:") or not settings.port or "LISTEN_FDS" in os.environ:
        return  # there is no port, it is chosen later, or systemd listens on it already
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            where = f"port {settings.port} of {settings.host}"
            raise Refusal(f"{where}: {error.strerror}; choose another with --port or KIBITZ_PORT") from None
