"""`kibitz play`: a game of two to four people and computer players at one keyboard."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import click

from engine import MAX_LEVEL, OVERTIMES, default_rule_set, rule_set
from engine.library import YOU
from kibitz import Game, Lexicon, TimeControl
from kibitz.cli.clocks import Duration
from kibitz.cli.errors import needs_service
from kibitz.cli.files import faults_of, read_layout, read_text, read_tile_set
from kibitz.cli.lexicons import lexicon_option
from kibitz.cli.options import board_option, rules_option
from kibitz.cli.play_session import Session
from kibitz.cli.progress import build_progress
from service.settings import Settings

LEVEL = "level:"
REMOTE = "remote"

MAX_PORT = 65535
_ADDRESS = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s\[\]:/@]+)):([0-9]{1,5})")

SEED_BITS = 53
"""The bits of a seed by chance: too many to try, and as many as a number of JavaScript holds."""


class Address(click.ParamType[tuple[str, int]]):
    """Take an address and a port such as 127.0.0.1:8090."""

    name = "address"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        """Return the address and the port; fail for another text."""
        found = _ADDRESS.fullmatch(str(value))
        if found is not None and int(found[3]) <= MAX_PORT:
            host = found[1] or found[2]
            with suppress(UnicodeError):  # of a name that cannot be a host's
                host.encode("idna")
                return host, int(found[3])
        return self.fail(f"{value!r} is not an address and a port, such as 127.0.0.1:8090.", param, ctx)


@click.command("play")
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="NAME|level:N",
    help="A player: the name of a person, or level:4 for a computer player; two to four, in the order of "
    "play. [default: you against one of --level]",
)
@click.option(
    "--host",
    "address",
    type=Address(),
    is_flag=False,
    flag_value="127.0.0.1:8090",
    metavar="[ADDRESS:PORT]",
    help="Host the game for players who connect: each --seat remote gets a link. Beside --load, --seat names "
    "who plays here, and all other people connect. [default: 127.0.0.1:8090, for this machine only]",
)
@click.option("--join", "link", metavar="LINK", help="Take the seat of a link that a host has printed.")
@click.option("--name", metavar="NAME", help="Your name in the game that you join.")
@click.option(
    "--level",
    type=click.IntRange(1, MAX_LEVEL),
    default=5,
    show_default=True,
    help=f"How strong your opponent is; {MAX_LEVEL} thinks for up to about a second a move.",
)
@click.option(
    "--time-per-game", "per_game", type=Duration(), help="What each person has for all moves, such as 25m."
)
@click.option(
    "--time-per-move",
    "per_move",
    type=Duration(),
    help="What a person has for a move, such as 2m.",
)
@click.option(
    "--overtime",
    type=click.Choice(OVERTIMES),
    default=OVERTIMES[0],
    show_default=True,
    help="What it costs to overstep the time per game: 10 points for each minute begun, or the game.",
)
@click.option(
    "--load",
    "saved",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Continue a saved game, as it was: only --lexicon can be given beside it.",
)
@lexicon_option
@board_option
@click.option(
    "--tiles",
    metavar="TILES",
    help="The tiles: an id, or a file such as tiles.csv. [default: of the lexicon]",
)
@rules_option
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Shuffle the tiles by this number; the same one deals the same.",
)
@click.pass_context
def play_command(
    context: click.Context,
    seats: tuple[str, ...],
    address: tuple[str, int] | None,
    link: str | None,
    name: str | None,
    level: int,
    per_game: float | None,
    per_move: float | None,
    overtime: str,
    saved: Path | None,
    lexicon_id: str | None,
    layout_id: str,
    tiles: str | None,
    rules_id: str | None,
    seed: int | None,
) -> None:
    """Play a game against the computer, or with others at the same keyboard.

    Weaker levels do not know the rarer words and misjudge plays; none of them sees your tiles. A play with a
    word that is not in the lexicon is refused. If several people play, their tiles are hidden between turns.

    The clocks run while a person thinks. Who oversteps the time per move passes, at once. Without a clock the
    game is a friendly one, and `back` takes a move back.

    With --host the game is held here, and a player of each remote seat joins by a link, in a browser or by
    --join. Nobody sees the tiles of another, and the clocks run at the host.

    During the game `help` lists what you can type. `save FILE` saves it; when you leave, you are asked.

    \b
    kibitz play --level 3
    kibitz play --seat Ann --seat level:4 --seat Bob
    kibitz play --seat Ann --seat Bob --time-per-game 25m --time-per-move 2m
    kibitz play --board board.txt --tiles tiles.csv
    kibitz play --load game.json
    kibitz play --host --seat Ann --seat remote --seat level:4
    kibitz play --join "http://127.0.0.1:8090/join#SEAT" --name Bob
    """
    if link is not None:
        from kibitz.cli.play_join import join

        _refuse_beside(context, "--join", "link", "name")
        join(link, name or "")
        return
    if name is not None:
        raise click.UsageError("--name needs --join.")
    settings = Settings.from_environment()

    def opened(name: str) -> Lexicon:
        with build_progress(f"Building the tables of {name}") as progress:
            return Lexicon.open(name, data=settings.data, progress=progress)

    if saved is not None:
        _refuse_beside(context, "--load", "lexicon_id", "saved", "address", *(["seats"] if address else ()))
        text = read_text(saved)
        with faults_of(saved):
            game = Game.from_json(text, opened(lexicon_id) if lexicon_id else opened)
    else:
        if seats:
            _refuse_beside(context, "--seat", *(set(context.params) - {"level"}))
        if per_game is None and _is_given(context, "overtime"):
            raise click.UsageError("--overtime needs --time-per-game.")
        lexicon = opened(lexicon_id or settings.lexicon)
        game = Game(
            lexicon,
            [_seat(seat, number if address else 0) for number, seat in enumerate(seats, 1)] or [YOU, level],
            seed=secrets.randbits(SEED_BITS) if seed is None else seed,
            layout=read_layout(layout_id),
            tile_set=read_tile_set(tiles) if tiles else None,
            rules=rule_set(rules_id) if rules_id else default_rule_set(lexicon.tile_set.id),
            time=TimeControl(per_game, per_move, overtime),
        )
    rescue = settings.data / "games"
    if address is None:
        Session(game, monotonic, file=saved, rescue=rescue).run()
        return
    needs_service()
    from kibitz.cli.play_host import host

    host(game, _remote_seats(game, seats, is_new=saved is None), address, file=saved, rescue=rescue)


def _remote_seats(game: Game, seats: tuple[str, ...], *, is_new: bool) -> list[int]:
    """Return the seats of the players who connect: those that say so, or of a saved game all not named."""
    if is_new:
        remote = [number for number, seat in enumerate(seats) if seat == REMOTE]
    else:
        people = [name for name, level in zip(game.names, game.levels, strict=True) if level is None]
        if unknown := set(seats) - set(people):
            raise click.BadParameter(f"nobody in the game is called {min(unknown)!r}.", param_hint="--seat")
        remote = [number for number, name in enumerate(game.names) if name in set(people) - set(seats)]
    if not remote:
        raise click.UsageError(f"--host needs a seat for a player who connects: --seat {REMOTE}.")
    return remote


def _seat(text: str, place: int) -> str | int:
    """Return a name, or the level of a computer player; raise BadParameter for another text.

    `place`: that of the seat in a hosted game, 0 in another one; a remote player has it as a name at first.
    """
    if text == REMOTE:
        if not place:
            raise click.UsageError(f"--seat {REMOTE} needs --host.")
        return f"Guest {place}"
    if not text.startswith(LEVEL):
        if ":" in text or not text.strip():
            raise click.BadParameter(f"{text!r} is neither a name nor {LEVEL}N.", param_hint="--seat")
        return text
    number = text.removeprefix(LEVEL)
    if not (number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= MAX_LEVEL):
        raise click.BadParameter(
            f"{text!r}: a level is a number from 1 to {MAX_LEVEL}, as in level:4.", param_hint="--seat"
        )
    return int(number)


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _refuse_beside(context: click.Context, option: str, *allowed: str) -> None:
    """Raise UsageError if an option is given that may not be beside another."""
    for parameter in context.command.params:
        if parameter.name not in allowed and _is_given(context, parameter.name or ""):
            raise click.UsageError(f"{parameter.opts[0]} cannot be given beside {option}.")
