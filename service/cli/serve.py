"""`kibitz serve`: the HTTP service."""

from __future__ import annotations

import socket
import sys

import click

from service.cli import Refusal
from service.settings import Settings


def _settings() -> str:
    """Return the table of settings for the help, a line each, kept as it is by click's mark."""
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

    The table of the default lexicon is built first if it is missing. All else is set by KIBITZ_* variables
    of the environment; an unknown one is an error.

    \b
    kibitz serve
    kibitz serve --host 0.0.0.0 --port 80
    KIBITZ_REDIS_URL=redis://localhost kibitz serve
    """
    settings = Settings.from_environment(host=host, port=port)
    _look_for_port(settings)
    from service.server import run  # after the settings, so that a mistake in them is told at once

    if sys.stderr.isatty():  # in a log there are lines of JSON alone
        where = (
            settings.host
            if settings.host.startswith("unix:")
            else f"http://{_host(settings)}:{settings.port}/"
        )
        click.echo(
            f"Serving on {where} (Ctrl-C ends it); what is logged follows, a line of JSON each.", err=True
        )
    run(settings)


def _host(settings: Settings) -> str:
    """Return the host as it stands in an address that a browser on this machine can open."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - it is read
    return f"[{host}]" if ":" in host else host


def _look_for_port(settings: Settings) -> None:
    """Say at once that a port is taken; gunicorn would try for five seconds, and tell it in its log."""
    if settings.host.startswith("unix:") or not settings.port:
        return
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            where = f"port {settings.port} of {settings.host}"
            raise Refusal(f"{where}: {error.strerror}; choose another with --port or KIBITZ_PORT") from None
