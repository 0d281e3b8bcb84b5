"""`kibitz experiment endgame`: an endgame solved by a method of the literature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import orjson
from rich.console import Console

from engine import Budget
from kibitz.cli.endgame import report, show
from kibitz.cli.lexicons import takes_position
from kibitz.cli.options import json_option, max_ms_option, nodes_option
from lab.endgame import METHODS, solved_by

if TYPE_CHECKING:
    from engine import Lexicon, Position


@click.command("endgame")
@takes_position
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default=METHODS[0],
    show_default=True,
    help="bstar proves only the best move, plans estimates.",
)
@max_ms_option(10_000)
@nodes_option()
@json_option
def endgame_command(
    position: Position, lexicon: Lexicon, method: str, max_ms: int, nodes: int | None, as_json: bool
) -> None:
    """Solve an endgame by a method of the literature.

    `kibitz endgame --help` explains CGP and the answer. The nodes are positions expanded or planned for.

    \b
    kibitz experiment endgame "CGP" --method plans
    """
    result = solved_by(method, position, lexicon, Budget(max_ms / 1000, nodes))
    if as_json:
        answer = {"method": method, **report(result, position)}
        click.echo(orjson.dumps(answer, option=orjson.OPT_INDENT_2))
    else:
        show(position, result, Console())
