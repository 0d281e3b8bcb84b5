"""`kibitz bench choices`: how much win% players lose on positions of games."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click
import orjson

from benchmarks.commands.positions import count_option
from engine import GameSetup
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from lab.selfplay.choice_quality import choice_quality

if TYPE_CHECKING:
    from engine import Estimate

DEFAULT_PLAYERS = ("static", "monte_carlo", "best")


@click.command("choices")
@click.argument("players", nargs=-1, metavar="[PLAYER]...")
@lexicon_option
@count_option("Number of positions.", 300)
@click.option(
    "--rollouts",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Rollouts to the end of the game from which each move is valued.",
)
@click.option(
    "--candidates",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Number of moves with the most equity that are valued besides the choices.",
)
@click.option(
    "--actual-racks", is_flag=True, help="Value moves against the rack that the opponent had in the game."
)
@click.option(
    "--seed",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Seed of the first game; each position is of a game of its own.",
)
@json_option
def choices_command(
    players: tuple[str, ...],
    lexicon_id: str | None,
    count: int,
    rollouts: int,
    candidates: int,
    actual_racks: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Compare the moves that players choose in random positions of static games, before the bag is empty.

    Each choice, and the moves with the most equity, are valued by playing the game to its end many times with
    static players. The loss is the win% of the best of them minus that of the choice. It is too high by the
    error of the values, but the differences between players are not. With --actual-racks a player who infers
    the opponent's rack is judged fairly, but the differences vary more. PLAYERS are named as for
    `kibitz match`. [default: static, monte_carlo, best]

    \b
    kibitz bench choices --lexicon twl06 monte_carlo,iterations=500 monte_carlo,iterations=500,by_win=0
    """
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("Choosing and valuing", "positions") as progress:
        found = choice_quality(
            GameSetup.of(lexicon),
            players or DEFAULT_PLAYERS,
            count,
            candidates=candidates,
            rollouts=rollouts,
            actual_racks=actual_racks,
            seed=seed,
            progress=progress,
        )
    if as_json:
        click.echo(orjson.dumps([asdict(one) for one in found], option=orjson.OPT_INDENT_2))
        return
    rows = [
        (
            one.player,
            _interval(one.loss),
            _interval(one.difference) if number else "",
            f"{100 * one.changed:.1f} %" if number else "",
            f"{one.milliseconds:.1f}",
        )
        for number, one in enumerate(found)
    ]
    title = f"Loss in win% on {count} positions of {lexicon.id}, 95 % intervals"
    headings = ("player", "loss", "minus that of the first", "other choices", "ms a move")
    print_table(result_table(title, headings, rows))


def _interval(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
