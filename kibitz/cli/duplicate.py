"""`kibitz duplicate`: arbitrate a game of duplicate, which is stored in a file between the rounds."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from engine import SLIP_MARKS, DuplicateGame, EngineError, InvalidInput, Slip, Text, read_slips
from kibitz.cli import Group
from kibitz.cli.duplicate_sheet import (
    echo_closed_round,
    echo_open_round,
    echo_sheet,
    sheet_page,
    slip_sentence,
)
from kibitz.cli.files import faults_of, read_text, write_atomically
from kibitz.cli.language import lang_option, reader_language, said
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.terminal import echo_json, shown

if TYPE_CHECKING:
    from engine import Round
    from kibitz.cli.options import Decorator

STANDARD_OUTPUT: Final = Path("-")

_file_argument: Decorator = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group("duplicate", cls=Group)
def duplicate_command() -> None:
    """Arbitrate a game of duplicate: draw racks, judge slips, lay the tops, rank the players.

    All players have the same board and rack and write down a play, and the best play is laid for everybody.
    FILE holds the game between the rounds. A whole evening from one file of slips:

    \b
    kibitz duplicate new game.json --rules french --lexicon french --seed 7
    kibitz duplicate round game.json --slips slips.csv
    kibitz duplicate sheet game.json --html sheet.html
    """


@duplicate_command.command("new")
@_file_argument
@click.option(
    "--rules",
    metavar="ID",
    help="The rules: french, spanish, romanian or dutch. [default: those of the tiles, else french]",
)
@lexicon_option
@click.option("--seed", type=click.IntRange(min=0), help="Draw the tiles by this number. [default: random]")
@json_option
@lang_option
def new_command(
    file: Path, rules: str | None, lexicon_id: str | None, seed: int | None, as_json: bool
) -> None:
    """Begin a game in FILE and draw the first rack. A file that exists is not replaced.

    \b
    kibitz duplicate new game.json --lexicon french
    """
    if file.exists():
        raise InvalidInput(Text("{path} exists already", path=str(file)), code="file_exists", field="file")
    game = DuplicateGame.begin(
        open_lexicon(lexicon_id), rules, seed=secrets.randbelow(2**31) if seed is None else seed
    )
    _save(file, game)
    if as_json:
        _echo_json(game)
    else:
        echo_open_round(game)


@duplicate_command.command("round")
@_file_argument
@click.option(
    "--slips",
    "slips_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="CSV",
    help="The slips, with the columns player, at, word and if needed round and mark. [default: typed]",
)
@click.option(
    "--top",
    metavar="MOVE",
    help="The top to lay, of several. [default: with the fewest blanks and the best leave]",
)
@json_option
@lang_option
def round_command(file: Path, slips_file: Path | None, top: str | None, as_json: bool) -> None:
    """Judge the slips of a round, lay the top, and draw the next rack.

    Slips that name rounds play all rounds up to the last of them: a whole evening, if the file has it. Slips
    of an earlier round replace those of the same players. A mark is "warning" or "penalty". A lower-case
    letter is a blank; a slip without a word is a pass.

    Without --slips they are typed, a line each: Ann 8D RETINAS, or Ann - for a pass; a mark may follow. A
    second slip of a player replaces the first, and an empty line ends them.

    \b
    kibitz duplicate round game.json
    kibitz duplicate round game.json --slips slips.csv --top "8D RETINAS"
    """
    before = _load(file)
    if slips_file is not None:
        text = read_text(slips_file)
        with faults_of(slips_file):
            slips = read_slips(text, before.number)
            game = before.play(slips, top=top)
    else:
        slips = {before.number: _typed_slips(before)}
        if top is None and before.current is not None:
            top = _chosen_top(before.current)
        game = before.play(slips, top=top)
    _save(file, game)
    if as_json:
        _echo_json(game)
        return
    for number in sorted({*slips, *range(before.number, game.number)}):
        echo_closed_round(game, number)
    if game.is_over:
        echo_sheet(game)
    else:
        echo_open_round(game)


@duplicate_command.command("sheet")
@_file_argument
@click.option(
    "--html",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="OUT",
    help='Write a web page with the board, all rounds and all slips; "-": print it.',
)
@json_option
@lang_option
def sheet_command(file: Path, html: Path | None, as_json: bool) -> None:
    """Print the sheet of a game so far: the ranking and the rounds.

    \b
    kibitz duplicate sheet game.json
    kibitz duplicate sheet game.json --html sheet.html
    """
    game = _load(file)
    if html is not None:
        page = sheet_page(game, reader_language()).encode()
        if html == STANDARD_OUTPUT:
            click.echo(page, nl=False)
        else:
            write_atomically(html, page)
    if as_json:
        _echo_json(game)
    elif html != STANDARD_OUTPUT:
        echo_sheet(game)


def _load(file: Path) -> DuplicateGame:
    text = read_text(file)
    with faults_of(file):
        return DuplicateGame.from_json(text, open_lexicon)


def _save(file: Path, game: DuplicateGame) -> None:
    write_atomically(file, game.to_json().encode())


def _echo_json(game: DuplicateGame) -> None:
    from service.schemas.duplicate import dump_duplicate  # only --json needs the schemas

    echo_json(dump_duplicate(game, reader_language()))


def _typed_slips(game: DuplicateGame) -> list[Slip]:
    """Return the slips that are typed, the last one of each player; each verdict is printed at once."""
    if game.is_over:
        return []
    echo_open_round(game)
    slips: dict[str, Slip] = {}
    while line := _line(said("Slip (Ann 8D WORD; Enter ends):")):
        try:
            slip = _slip_of(line)
            click.echo(shown(slip_sentence(game.judge(slip))))
        except EngineError as error:
            click.echo(said("That is not possible: {fault}", fault=error.message))
        else:
            slips[slip.player] = slip
    return list(slips.values())


def _slip_of(line: str) -> Slip:
    """Return the slip of a line: a name, then a square and a word, or "-", and a mark if there is one."""
    words = line.split()
    mark = words.pop() if words[-1] in SLIP_MARKS else ""
    if words[-1:] == ["-"]:
        return Slip(" ".join(words[:-1]), mark=mark)
    if len(words) < 3:
        raise InvalidInput(
            Text("a slip is a name, a square and a word, as in Ann 8D WORD, or a name and -"), code="bad_slip"
        )
    return Slip(" ".join(words[:-2]), words[-2], words[-1], mark)


def _chosen_top(current: Round) -> str | None:
    """Ask which of several tops to lay; None for the first."""
    if len(current.tops) == 1:
        return None
    for number, play in enumerate(current.tops, start=1):
        click.echo(f"  {number}. {play.text}")
    known = {str(number): play.text for number, play in enumerate(current.tops, start=1)}
    while answer := _line(said("Number of the top to lay (Enter: 1):")):
        if answer in known:
            return known[answer]
    return None


def _line(question: str) -> str:
    """Return what is typed, empty at the end of the input."""
    click.echo(f"{question} ", nl=False)
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        click.echo()
    return line.strip()
