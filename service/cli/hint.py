"""`kibitz hint`: a hint at the best move of a position, in five levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engine import EVALUATORS, MAX_HINT_LEVEL, Hint, hint
from service.cli.lexicons import takes_position
from service.schemas.answers import dump_with_warnings

if TYPE_CHECKING:
    from engine import Lexicon, Position

_KINDS = {
    "bingo": "There is a bingo.",
    "good_play": "There is a good play.",
    "play": "There is a play, but not a very good one.",
    "exchange": "It is best to exchange tiles.",
    "pass": "It is best to pass.",
    "none": "There is no play.",
}


@click.command("hint")
@takes_position
@click.option(
    "--level",
    type=click.IntRange(1, MAX_HINT_LEVEL),
    default=1,
    show_default=True,
    help="1: what kind of move it is; 2: also its region, 3: its score, 4: its tiles, 5: where it begins.",
)
@click.option("--reveal", is_flag=True, help="Show the move itself.")
@click.option(
    "--evaluator",
    type=click.Choice(EVALUATORS),
    metavar="NAME",
    default="auto",
    show_default=True,
    help="How to value the tiles left on the rack, as in kibitz analyze.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer of POST /hints.")
def hint_command(
    position: Position, lexicon: Lexicon, level: int, reveal: bool, evaluator: str, as_json: bool
) -> None:
    """Give a hint at the best move.

    The move is the best one of kibitz analyze --phase auto; the evaluator greedy means the play with the most
    points. It is the same at every level, unless the search stops early, which it does after 10 seconds. CGP
    is the position, "-" reads it from standard input.

    \b
    kibitz hint "CGP" --level 3
    kibitz hint "CGP" --reveal
    """
    given = hint(position, lexicon, level, reveal=reveal, evaluator=evaluator)
    click.echo(dump_with_warnings(given, ()) if as_json else "\n".join(sentences(given)))


def sentences(given: Hint) -> list[str]:
    """Return the sentences of a hint."""
    said = [_KINDS[given.kind]]
    if given.region:
        said.append(f"Look at the {given.region.replace('centre', 'center')} of the board.")
    if given.score_band:
        said.append(f"It scores {given.score_band.low} to {given.score_band.high} points.")
    if given.tiles:
        verb = "Exchange" if given.kind == "exchange" else "It takes"
        said.append(f"{verb} these tiles: {' '.join(given.tiles)}")
    if given.at:
        said.append(f"Its word begins at {given.at} and goes {given.direction}.")
    if given.move and given.move.kind == "play":
        said.append(f"It is {given.move.move}, for {given.move.score} points.")
    elif given.move and given.move.kind == "exchange" and not given.tiles:
        said.append(f"It is {given.move.move}.")
    elif given.move and given.move.kind == "pass":
        said.append("It is the pass.")
    return said
