"""The options that `kibitz annotate` and `kibitz batch` share: by which words, and how turns are judged."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from engine import (
    ENDGAME_NODES,
    EVALUATORS,
    OPPONENT_MODELS,
    SIMULATIONS,
    AnnotationOptions,
    annotation_simulation,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_OPTIONS = (
    click.option(
        "--lexicon",
        "lexicon_id",
        metavar="ID",
        help="The lexicon. [default: each record's own, else KIBITZ_LEXICON, else scowl80]",
    ),
    click.option(
        "--evaluator",
        type=click.Choice(EVALUATORS),
        default="auto",
        show_default=True,
        help="What decides which move is best, as in analyze.",
    ),
    click.option(
        "--endgame-nodes",
        type=click.IntRange(0),
        default=ENDGAME_NODES,
        show_default=True,
        help="How long each position with an empty bag is searched; 0: the static rule instead.",
    ),
    click.option(
        "--simulate",
        "method",
        type=click.Choice(list(SIMULATIONS)),
        help="Compare the best moves and the one played by simulation while there are tiles in the bag.",
    ),
    click.option("--iterations", type=click.IntRange(1), help="Of a simulated turn.  [default: 2000]"),
    click.option(
        "--candidates", type=click.IntRange(1, 100), help="Moves compared by simulation.  [default: 10]"
    ),
    click.option(
        "--opponent",
        type=click.Choice(OPPONENT_MODELS),
        help="What the opponent's last move says of the rack.  [default: off]",
    ),
    click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of simulated turns."),
)


def annotation_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options; it is called with `lexicon_id` and `options`."""

    @wraps(command)
    def wrapped(
        evaluator: str,
        endgame_nodes: int,
        method: str | None,
        iterations: int | None,
        candidates: int | None,
        opponent: str | None,
        seed: int,
        **rest: Any,
    ) -> None:
        given = {"iterations": iterations, "candidates": candidates, "opponent_model": opponent}
        chosen = {name: value for name, value in given.items() if value is not None}
        if chosen and method is None:
            raise click.UsageError("--iterations, --candidates and --opponent go with --simulate")
        plan = None if method is None else annotation_simulation(method, **chosen)
        command(**rest, options=AnnotationOptions(evaluator, endgame_nodes, plan, seed if plan else 1))

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped
