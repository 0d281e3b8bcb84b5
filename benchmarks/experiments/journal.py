"""A file with one line for each finished game, from which a stopped experiment continues."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import orjson

from engine import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


class Journal:
    """Hold the games done so far: a heading that names what is measured, then one JSON object a game."""

    def __init__(self, path: Path, heading: Mapping[str, Any]) -> None:
        """Open or begin the journal of an experiment.

        A last line that was cut off is dropped. Raises InvalidInput (code "other_experiment") if the file is
        the journal of another one.
        """
        self.path = path
        self.games: list[dict[str, Any]] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        line = orjson.dumps(dict(heading))
        if not path.exists():
            write_file(path, line + b"\n")
            return
        whole = path.read_bytes()
        lines = whole[: whole.rfind(b"\n") + 1].splitlines()
        if not lines or lines[0] != line:
            raise InvalidInput(
                f"{path} belongs to an experiment with other settings; give another --output or remove it",
                code="other_experiment",
            )
        self.games = [orjson.loads(row) for row in lines[1:]]
        write_file(path, b"".join(row + b"\n" for row in lines))

    def left(self, games: int) -> Iterator[int]:
        """Yield the numbers of the games still to be done."""
        done = {game["game"] for game in self.games}
        return (number for number in range(games) if number not in done)

    def add(self, game: dict[str, Any]) -> None:
        """Append a finished game."""
        self.games.append(game)
        with self.path.open("ab") as file:
            file.write(orjson.dumps(game) + b"\n")


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_bytes(data)
    unfinished.replace(path)
