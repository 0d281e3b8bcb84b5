"""Players of matches by name: evaluators, simulations, levels, and the best player.

* "static" and the other evaluators make the move with the most equity.
* "monte_carlo,iterations=4000,max_ms=1000" is a method of simulation with options after commas: candidates,
  iterations, plies, refills, opponent_model, replies, confidence (0: drop no candidate), by_win (0: the
  spread decides), halving (1, the default of monte_carlo: spend the iterations on finding the best move
  alone), max_ms (time limit of a move), evaluator (proposes the candidates), nodes (node limit of the endgame
  solver, which plays with an empty bag), preendgame (the largest bag whose draws are all examined) and
  preendgame_nodes.
* "heuri3,pass=literal" is an evaluator with its rule for passes, which the evaluator of a simulation takes
  too: "heuri_samp,evaluator=heuri3,pass=literal".
* "best" is a simulation with the endgame solver, tuned for about a second a move; it takes the same options.
* "level4" is the player of a level.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from engine.errors import InvalidInput, excerpt, quoted
from engine.evaluation.evaluators import LEAVE_EVALUATORS, evaluator_kernel
from engine.evaluation.heuri import PASS_RULES
from engine.search import SIMULATIONS, SimulationPlan
from engine.search.levels import LEVELS, MAX_LEVEL
from engine.search.phase import PREENDGAME_BAG
from engine.search.search_player import BEST, PlayerPlan
from engine.selfplay.seats import LevelSeat, SearchSeat

if TYPE_CHECKING:
    from engine.evaluation.evaluator_kernel import EvaluatorKernel
    from engine.selfplay.games import GameSetup
    from engine.selfplay.seats import Seat

BEST_PLAYER: Final = "best"
LEVEL_PLAYERS: Final = tuple(f"level{level}" for level in range(1, MAX_LEVEL + 1))
"""The names of the levels as players of matches, the weakest first."""

PLAYERS: Final = ("greedy", *LEAVE_EVALUATORS)
"""The players who make the move with the most equity; the only ones of trainings."""
_SIMULATION_NUMBERS: Final = ("candidates", "iterations", "plies", "refills")
_NUMBERS: Final = {"nodes": "endgame_nodes", "preendgame": "preendgame_bag"} | {
    name: name for name in ("preendgame_nodes", "max_ms")
}
_WORDS: Final = ("opponent_model", "replies", "evaluator")
_SWITCHES: Final = ("by_win", "halving")
_KNOWN: Final = (*_SIMULATION_NUMBERS, *_NUMBERS, *_WORDS, "pass", "confidence", *_SWITCHES)


def player_plan(name: str) -> PlayerPlan | None:
    """Return the plan of a player who searches, by its name; None for another player.

    Raises InvalidInput (code "unknown_player", or as `SimulationPlan.preset`) for impossible options.
    """
    method, *rest = name.split(",")
    if method == BEST_PLAYER:
        plan = BEST
    elif method in SIMULATIONS:
        plan = PlayerPlan(SIMULATIONS[method])
    else:
        return None
    simulation: dict[str, Any] = {"halving": True} if method == "monte_carlo" else {}
    changes: dict[str, Any] = {}
    for item in rest:
        key, _, value = item.partition("=")
        number = value.isascii() and value.isdecimal()
        if key in _SIMULATION_NUMBERS and number:
            simulation[key] = int(value)
        elif key in _NUMBERS and number:
            changes[_NUMBERS[key]] = int(value)
        elif key == "evaluator" and value:
            changes[key] = value
        elif key == "pass" and value in PASS_RULES and "evaluator" in changes:
            changes["evaluator"] += f",{item}"
        elif key in _WORDS and value:
            simulation[key] = value
        elif key == "confidence" and value.replace(".", "", 1).isdecimal():
            simulation[key] = float(value)
        elif key in _SWITCHES and value in ("0", "1"):
            simulation[key] = value == "1"
        else:
            raise InvalidInput(
                f"the player {quoted(name)} cannot have {quoted(item)}; known: {', '.join(_KNOWN)}",
                code="unknown_player",
                field="player",
                params={"name": excerpt(name), "option": excerpt(item), "known": list(_KNOWN)},
            )
    if changes.get("preendgame_bag", 0) > PREENDGAME_BAG:
        raise InvalidInput(
            f"preendgame must be at most {PREENDGAME_BAG}, the largest bag whose draws are all examined",
            code="out_of_range",
            field="player",
            params={"most": PREENDGAME_BAG},
        )
    return replace(plan, simulation=_changed(plan.simulation, simulation), **changes)


def _changed(plan: SimulationPlan, changes: dict[str, Any]) -> SimulationPlan:
    confidence = changes.pop("confidence", None)
    if plan == SIMULATIONS[plan.method]:
        plan = SimulationPlan.preset(plan.method, **changes)
    else:
        plan = replace(plan, **changes)
    if confidence is not None:
        plan = replace(plan, confidence=confidence or None)
    plan.check()
    return plan


def check_player(name: str) -> None:
    """Raise InvalidInput (code "unknown_player"), which lists the players, for an unknown name."""
    if name not in PLAYERS and name not in LEVEL_PLAYERS and player_plan(name) is None:
        known = (
            f"{', '.join(PLAYERS)}; {', '.join(SIMULATIONS)} and {BEST_PLAYER}, with options after "
            f"commas; {LEVEL_PLAYERS[0]} to {LEVEL_PLAYERS[-1]}"
        )
        raise InvalidInput(
            f"there is no player {quoted(name)}; known: {known}",
            code="unknown_player",
            field="player",
            params={
                "name": excerpt(name),
                "known": [*PLAYERS, *SIMULATIONS, BEST_PLAYER, *LEVEL_PLAYERS],
            },
        )


def tuning(name: str) -> dict[str, Any] | None:
    """Return how a player who searches or a level plays, which versions may change; None for an evaluator."""
    plan = player_plan(name)
    if plan is not None:
        return asdict(plan)
    if name not in LEVEL_PLAYERS:
        return None
    level = LEVEL_PLAYERS.index(name)
    return asdict(LEVELS[level]) if level < len(LEVELS) else asdict(BEST)


def chooses_in_python(name: str) -> bool:
    """Return whether a Seat chooses the moves of a player (a search, or a level) instead of the kernel.

    Such a player values moves by the best evaluator that has its tables.
    """
    return name not in PLAYERS


def player(name: str, setup: GameSetup, seed: int) -> tuple[EvaluatorKernel, Seat | None]:
    """Return the evaluator of a player, and its seat if Python chooses its moves; for one thread.

    Raises InvalidInput as `check_player`, MissingTable as `evaluator_kernel`.
    """
    check_player(name)
    if name in PLAYERS:
        return evaluator_kernel(name, setup.lexicon, setup.rules), None
    plan = player_plan(name)
    if plan is None:
        seat: Seat = LevelSeat(setup, LEVEL_PLAYERS.index(name) + 1, seed)
    else:
        seat = SearchSeat(setup, plan, seed)
    return evaluator_kernel("greedy", setup.lexicon, setup.rules), seat
