"""`kibitz key`: make an API key for a caller of the service."""

from __future__ import annotations

import os
from pathlib import Path

import click

from kibitz.cli.errors import needs_service


@click.command("key")
@click.argument("name")
@click.option(
    "--file",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append the line with its hash to this file (KIBITZ_API_KEYS) instead of printing it.",
)
def key_command(name: str, file: Path | None) -> None:
    """Make an API key for NAME, a caller of the service.

    The key is printed once and stored nowhere: the file of keys holds only its hash, and only its owner can
    read the file. Callers send the key as `Authorization: Bearer KEY`. A running service reads a changed file
    within a second; to revoke a key, delete its line.

    \b
    kibitz key ann --file keys
    """
    needs_service()
    from service.keys import new_key, read_keys
    from service.settings import SettingsError

    key, line = new_key(name)
    if file is None:
        click.echo(line)
    else:
        if file.exists() and name in (known for known, _ in read_keys(file)):
            raise SettingsError(f"{file} already has a key of {name}; delete its line first")
        number = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(number, "a", encoding="utf-8") as opened:
            opened.write(line + "\n")
    click.echo(f"key of {name}: {key}", err=file is None)
