"""Journals: files with a line for each finished game, from which a stopped experiment continues."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import orjson

from engine import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


class Journal:
    """Hold the finished games of an experiment; the file has a heading that identifies it, then a JSON object
    a line.
    """

    def __init__(self, path: Path, heading: Mapping[str, Any]) -> None:
        """Open the journal of an experiment, or create it.

        An incomplete last line is dropped. Raises InvalidInput (code "other_experiment") if the file belongs
        to an experiment with another heading.
        """
        self.path = path
        self.games: list[dict[str, Any]] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        line = orjson.dumps(dict(heading))
        if not path.exists():
            write_file(path, line + b"\n")
            return
        content = path.read_bytes()
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        if not lines or lines[0] != line:
            raise InvalidInput(
                f"{path} belongs to an experiment with other settings; give another --output or remove it",
                code="other_experiment",
            )
        self.games = [orjson.loads(row) for row in lines[1:]]
        write_file(path, b"".join(row + b"\n" for row in lines))

    def left(self, games: int) -> Iterator[int]:
        """Yield the numbers of the games that remain."""
        done = {game["game"] for game in self.games}
        return (number for number in range(games) if number not in done)

    def add(self, game: dict[str, Any]) -> None:
        """Append a finished game."""
        self.games.append(game)
        with self.path.open("ab") as file:
            file.write(orjson.dumps(game) + b"\n")


def write_file(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_bytes(data)
    unfinished.replace(path)
