"""The search options of `kibitz analyze`, and the plans that they describe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from engine import (
    AUTO,
    OPPONENT_MODELS,
    PHASES,
    PREENDGAME_OPPONENTS,
    SIMULATIONS,
    EndgamePlan,
    PreendgamePlan,
    SimulationPlan,
)
from kibitz.cli.options import NODES_HELP, max_ms_option, nodes_option, table_option

if TYPE_CHECKING:
    from collections.abc import Callable

_SIMULATE, _PREENDGAME, _ENDGAME = PHASES


@dataclass(frozen=True, slots=True)
class SearchWish:
    """Hold the searches that the options ask for; a plan is None for a search that is not wanted."""

    phase: str | None
    simulate: SimulationPlan | None
    preendgame: PreendgamePlan | None
    endgame: EndgamePlan | None


def takes_search(command: Callable[..., None]) -> Callable[..., None]:
    """Add the search options to a command, which is called with a SearchWish as `wish`.

    The command raises click.UsageError for an option of a search that is not wanted.
    """

    @click.option(
        "--phase",
        type=click.Choice((AUTO, *PHASES)),
        help="Choose the search. auto goes by the bag: simulation with many tiles, a pre-endgame with one to "
        "four, the endgame with none. The other options refine it.",
    )
    @click.option(
        "--simulate",
        "method",
        type=click.Choice(list(SIMULATIONS)),
        is_flag=False,
        flag_value="monte_carlo",
        help="Compare the best moves by playing on from each. monte_carlo (if none is named) drops moves "
        "that are worse at 99 % confidence; quackle, heuri_samp and heuri_sim treat all alike.",
    )
    @click.option(
        "--iterations", type=int, help="Rollouts of all moves together. [default: that of the method]"
    )
    @click.option("--plies", type=int, help="Turns played after the candidate. [default: that of the method]")
    @click.option(
        "--opponent",
        "opponent_model",
        type=click.Choice(OPPONENT_MODELS),
        help="How to guess the opponent's rack from the last move (lm in the CGP). [default: off]",
    )
    @click.option(
        "--preendgame",
        "model",
        type=click.Choice(PREENDGAME_OPPONENTS),
        is_flag=False,
        flag_value=PREENDGAME_OPPONENTS[0],
        help="Try every draw of one or two tiles in the bag against this opponent "
        f"({PREENDGAME_OPPONENTS[0]} if none is named); sample larger bags, with static play.",
    )
    @click.option(
        "--bag",
        type=int,
        help="The most tiles in the bag for a pre-endgame search. [default: 4 with auto, else 6]",
    )
    @click.option("--draws", type=int, help="Draws to sample with more than two tiles in the bag.")
    @click.option("--endgame", is_flag=True, help="Solve the endgame (bag empty, both racks known).")
    @click.option("--candidates", type=int, help="How many moves a search compares, the best by equity.")
    @nodes_option(f"{NODES_HELP} [default: 2,000,000 in an endgame, about a second of work in a pre-endgame]")
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
        endgame: bool,
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
        named = {_SIMULATE: method, _PREENDGAME: model, _ENDGAME: endgame or None}
        asked = {name for name, choice in named.items() if choice is not None}
        asked |= set(PHASES) if phase == AUTO else {phase} if phase else set()
        for option, (value, serves) in given.items():
            if value is not None and not asked.intersection(serves):
                wanted = " or ".join(f"--{name}" for name in serves)
                raise click.UsageError(f"{option} needs {wanted}, or --phase.")
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
                EndgamePlan(**_given({"nodes": nodes, "table_mb": table_mb})) if _ENDGAME in asked else None,
            ),
            **others,
        )

    return called


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
