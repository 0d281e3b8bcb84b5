"""`kibitz hint`: a hint at the best move of a position, in five levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import orjson

from engine import EVALUATORS, MAX_HINT_LEVEL, hint, hint_sentences
from kibitz.cli.language import lang_option, reader_language
from kibitz.cli.lexicons import takes_position
from service.documents import hint_members

if TYPE_CHECKING:
    from engine import Lexicon, Position


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
@lang_option
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
    lang = reader_language()
    given = hint(position, lexicon, level, reveal=reveal, evaluator=evaluator)
    click.echo(orjson.dumps(hint_members(given, lang)) if as_json else "\n".join(hint_sentences(given, lang)))
