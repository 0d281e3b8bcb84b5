"""The options of `kibitz analyze` that ask for a search, and the plans that they make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from engine import (
    AUTO,
    ENDGAME_METHODS,
    OPPONENT_MODELS,
    PHASES,
    PREENDGAME_OPPONENTS,
    SIMULATIONS,
    EndgamePlan,
    PreendgamePlan,
    SimulationPlan,
)
from service.cli.options import max_ms_option, nodes_option, table_option

if TYPE_CHECKING:
    from collections.abc import Callable

_SIMULATE, _PREENDGAME, _ENDGAME = PHASES


@dataclass(frozen=True, slots=True)
class SearchWish:
    """Hold what the options ask for: the phase, and the plans, None where none is asked for."""

    phase: str | None
    simulate: SimulationPlan | None
    preendgame: PreendgamePlan | None
    endgame: EndgamePlan | None


def takes_search(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a search; it is called with a SearchWish as `wish`.

    Raises click.UsageError for an option that no search asked for would look at.
    """

    @click.option(
        "--phase",
        type=click.Choice((AUTO, *PHASES)),
        help="Search: auto simulates, looks at every draw of the last tile in the bag, or solves the "
        "endgame, as the bag has it; the options of each say how.",
    )
    @click.option(
        "--simulate",
        "method",
        type=click.Choice(list(SIMULATIONS)),
        is_flag=False,
        flag_value="monte_carlo",
        help="Compare the best moves by playing on from them: monte_carlo (if none is named) drops what is "
        "worse at 99 % confidence; quackle, heuri_samp and heuri_sim give all the same iterations.",
    )
    @click.option("--iterations", type=int, help="Rollouts of all of them together. [default: the method's]")
    @click.option("--plies", type=int, help="Turns after the candidate. [default: the method's]")
    @click.option(
        "--opponent",
        "opponent_model",
        type=click.Choice(OPPONENT_MODELS),
        help="What the opponent's last move (lm in the CGP) says of the rack. [default: off]",
    )
    @click.option(
        "--preendgame",
        "model",
        type=click.Choice(PREENDGAME_OPPONENTS),
        is_flag=False,
        flag_value=PREENDGAME_OPPONENTS[0],
        help="Look at every draw of one or two tiles in the bag against such an opponent "
        f"({PREENDGAME_OPPONENTS[0]} if none is named), or sample larger bags with static play.",
    )
    @click.option("--bag", type=int, help="Most tiles in the bag for it. [default: 1 with auto, else 6]")
    @click.option("--draws", type=int, help="Draws sampled with more than two tiles in the bag.")
    @click.option(
        "--endgame",
        "endgame_method",
        type=click.Choice(ENDGAME_METHODS),
        is_flag=False,
        flag_value=ENDGAME_METHODS[0],
        help="Solve the endgame (bag empty, both racks known): exact (if none is named) proves, bstar and "
        "plans are slow.",
    )
    @click.option("--candidates", type=int, help="How many moves a search compares.")
    @nodes_option(
        "Positions of endgames looked at, at most; an answer that this ends repeats exactly. "
        "[default: 2,000,000; before the endgame what takes about a second]"
    )
    @table_option(None)
    @max_ms_option(None)
    @wraps(command)
    def called(
        phase: str | None,
        method: str | None,
        iterations: int | None,
        plies: int | None,
        opponent_model: str | None,
        model: str | None,
        bag: int | None,
        draws: int | None,
        endgame_method: str | None,
        candidates: int | None,
        nodes: int | None,
        table_mb: int | None,
        **others: Any,
    ) -> None:
        given = {
            "--iterations": (iterations, (_SIMULATE,)),
            "--plies": (plies, (_SIMULATE,)),
            "--opponent": (opponent_model, (_SIMULATE,)),
            "--bag": (bag, (_PREENDGAME,)),
            "--draws": (draws, (_PREENDGAME,)),
            "--candidates": (candidates, (_SIMULATE, _PREENDGAME)),
            "--nodes": (nodes, (_PREENDGAME, _ENDGAME)),
            "--table-mb": (table_mb, (_PREENDGAME, _ENDGAME)),
        }
        named = {_SIMULATE: method, _PREENDGAME: model, _ENDGAME: endgame_method}
        asked = {name for name, choice in named.items() if choice is not None}
        asked |= set(PHASES) if phase == AUTO else {phase} if phase else set()
        for option, (value, serves) in given.items():
            if value is not None and not asked.intersection(serves):
                wanted = " or ".join(f"--{name}" for name in serves)
                raise click.UsageError(f"{option} goes with {wanted}, or with --phase.")
        numbers = {"candidates": candidates, "nodes": nodes, "table_mb": table_mb}
        simulate = {"iterations": iterations, "plies": plies, "opponent_model": opponent_model}
        before = {"opponent": model, "bag": bag, "draws": draws}
        command(
            wish=SearchWish(
                phase,
                SimulationPlan.preset(method or "monte_carlo", candidates=candidates, **simulate)
                if _SIMULATE in asked
                else None,
                PreendgamePlan(**_given({**before, **numbers})) if _PREENDGAME in asked else None,
                EndgamePlan(**_given({"method": endgame_method, "nodes": nodes, "table_mb": table_mb}))
                if _ENDGAME in asked
                else None,
            ),
            **others,
        )

    return called


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
