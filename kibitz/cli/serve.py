"""`kibitz serve`: start the HTTP service, which gunicorn runs."""

from __future__ import annotations

import os
import socket
import sys

import click

from kibitz.cli import Refusal
from kibitz.cli.errors import needs_service
from service.settings import Settings


def _settings() -> str:
    """Return the settings for the help, one a line; "\\b" keeps click from joining the lines."""
    width = max(len(name) for name, _, _ in Settings.table())
    lines = [
        f"{name:<{width}}  {meaning}" + (f" [{default}]" if default not in ("", "None") else "")
        for name, default, meaning in Settings.table()
    ]
    return "\n".join(["\b", "Settings:", *lines])


@click.command("serve", epilog=_settings())
@click.option("--host", help="Address to listen on. [default: KIBITZ_HOST, else 127.0.0.1]")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on. [default: KIBITZ_PORT, else 8080]"
)
def serve_command(host: str | None, port: int | None) -> None:
    """Serve the web page and the HTTP API until SIGTERM or Ctrl-C.

    Builds the tables of the default lexicon if they are missing (a few seconds), then runs gunicorn. The line
    "ready" of the log names the URL. All other settings are KIBITZ_* variables of the environment; an unknown
    one is an error.

    If other machines can reach the server (--host 0.0.0.0), put a proxy such as nginx in front of it: each
    slow connection occupies a thread, and as many of them as there are threads block the server.

    \b
    kibitz serve
    kibitz serve --host 0.0.0.0 --port 80
    KIBITZ_REDIS_URL=redis://localhost kibitz serve
    """
    needs_service()
    settings = Settings.from_environment(host=host, port=port)
    _check_port(settings)
    os.environ["KIBITZ_HOST"], os.environ["KIBITZ_PORT"] = settings.host, str(settings.port)
    if sys.stderr.isatty():
        click.echo("Logging one JSON object a line; Ctrl-C stops the server.", err=True)
    # By default eighty threads use sixteen heaps, whose free memory is never returned to the system.
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    # Otherwise glibc holds more free memory after a long answer: 6 MB under load.
    os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(1 << 20))
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf"])  # noqa: S606


def _check_port(settings: Settings) -> None:
    """Raise Refusal if the port is in use; gunicorn would retry for five seconds."""
    if settings.host.startswith("unix:") or not settings.port or "LISTEN_FDS" in os.environ:
        return  # a socket file, a port that the system will choose, or one that systemd has opened
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            where = f"port {settings.port} of {settings.host}"
            raise Refusal(f"{where}: {error.strerror}; choose another with --port or KIBITZ_PORT") from None
