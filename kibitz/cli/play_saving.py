"""Save a game that is played on the terminal, and ask what is typed there."""

from __future__ import annotations

import shlex
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.cli.files import write_atomically
from kibitz.cli.language import said
from kibitz.cli.terminal import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz import Game


class Saving:
    """Where a game is saved.

    `text`: returns what is saved; `file`: where the game was saved, None if it was not; `rescue`: the folder
    of a game that cannot ask where to be saved; `options`: those with which it continues, beside --load.
    """

    def __init__(
        self, game: Game, text: Callable[[], str], *, file: Path | None, rescue: Path, options: str = ""
    ) -> None:
        self._game = game
        self._text = text
        self._file = file
        self._rescue = rescue
        self._options = options
        self._saved_text = text()

    def save(self, name: str) -> bool:
        """Save the game, by default where it was saved before; return whether it has been."""
        path = Path(name) if name else self._file
        if path is None:
            click.echo(said("Type a name too, such as: save game.json"))
            return False
        try:
            path = path.expanduser() if name else path
            is_other = path != self._file and path.exists()
            if is_other and not confirm(said("{path} exists. Replace it?", path=shown(str(path)))):
                return False
            self._write(path)
        except (OSError, RuntimeError, ValueError) as error:  # also "~nobody", and a null character
            reason = error.strerror if isinstance(error, OSError) else error
            where = shown(str(path))
            click.echo(said("It cannot be saved: {path}: {reason}", path=where, reason=reason))
            return False
        self._file = path
        return True

    def leave(self) -> None:
        """Save the game if that is wanted, or if nobody can be asked, and say that it has been left."""
        game = self._game
        if game.moves and not game.is_over and self._text() != self._saved_text:
            try:
                while True:
                    question = said("Save the game? Type the name of a file, or Enter to leave without it")
                    name = prompt(f"{question}>")
                    if not name or self.save(name):
                        break
            except click.Abort:
                click.echo()
                self._rescue.mkdir(parents=True, exist_ok=True)
                names = (f"unfinished-{game.seed}-{number}.json" for number in count(1))
                self._write(next(path for name in names if not (path := self._rescue / name).exists()))
        click.echo(said("You have left the game."))

    def _write(self, path: Path) -> None:
        text = self._text()
        write_atomically(path, text.encode())
        self._saved_text = text
        command = f"kibitz play --load {shown(shlex.quote(str(path)))}{self._options}"
        click.echo(said("Saved. Continue it with: {command}", command=command))


def prompt(question: str) -> str:
    """Return what is typed; raise click.Abort for Ctrl-C and the end of the input."""
    return str(click.prompt(shown(question), default="", show_default=False, prompt_suffix=" ")).strip()


def confirm(question: str) -> bool:
    """Return whether the answer begins as "yes" does, in English or in the language of the command."""
    yes, no = said("yes"), said("no")
    answer = prompt(f"{question} [{yes}/{no}]")
    return answer[:1].casefold() in ("y", yes[0])
