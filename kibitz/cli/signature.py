"""`kibitz signature`: a hash that changes when the plays or scores that the engine finds change."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING

import click

from engine import InternalWords, LoadedBoard, format_move, parse_cgp
from kibitz.cli.lexicons import open_lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Lexicon

LEXICON = "scowl80"
POSITIONS = "signature_positions.txt"


@click.command("signature")
def signature_command() -> None:
    """Print a hash of all plays and scores in fixed positions.

    It is the same on every machine and with every vector path. Every commit states whether it changes the
    hash.

    \b
    kibitz signature
    """
    click.echo(signature(open_lexicon(LEXICON)))


def signature(lexicon: Lexicon) -> str:
    """Return the SHA-256, in hexadecimal digits, of the plays that the engine finds."""
    digest = hashlib.sha256()
    for line in found_lines(lexicon):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def found_lines(lexicon: Lexicon) -> Iterator[str]:
    """Yield the text that is hashed: each position, then its plays with their scores, best first."""
    search = InternalWords(lexicon)
    for text in files(__package__).joinpath(POSITIONS).read_text("utf-8").splitlines():
        position = parse_cgp(text, tile_set=lexicon.tile_set)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
        plays = search.generate(board, position.rack, position.rules)
        yield text
        for index in plays.best(len(plays)):
            move = format_move(plays.move(int(index)), position.tile_set)
            yield f"{move} {plays.array['score'][index]}"
