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
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.errors import InvalidInput, excerpt, quoted
from engine.evaluation.evaluators import EVALUATOR_KINDS, evaluator_kernel
from engine.evaluation.heuri import PASS_RULES
from engine.search import SIMULATIONS, SimulationPlan
from engine.search.levels import LEVELS, MAX_LEVEL
from engine.search.preendgame.worlds import EXHAUSTIVE_BAG
from engine.search.search_player import BEST, PlayerPlan
from engine.selfplay.seats import LevelSeat, SearchSeat

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.evaluation.evaluation_kernel import EvaluatorKernel
    from engine.selfplay.games import GameSetup
    from engine.selfplay.seats import Seat

BEST_PLAYER: Final = "best"
LEVEL_PLAYERS: Final = tuple(f"level{level}" for level in range(1, MAX_LEVEL + 1))
"""The names of the levels as players of matches, the weakest first."""

PLAYERS: Final = tuple(EVALUATOR_KINDS)
"""The players who make the move with the most equity; the only ones of trainings."""


def _number(value: str) -> int:
    if not (value.isascii() and value.isdecimal()):
        raise ValueError(value)
    return int(value)


def _share(value: str) -> float:
    if not value.replace(".", "", 1).isdecimal():
        raise ValueError(value)
    return float(value)


def _word(value: str) -> str:
    if not value:
        raise ValueError(value)
    return value


def _switch(value: str) -> bool:
    return ("0", "1").index(value) == 1


class _Option(NamedTuple):
    """Hold the field that an option of a player sets, and what reads its value or raises ValueError.

    `of_simulation`: whether it is a field of the SimulationPlan, else one of the PlayerPlan.
    """

    field: str
    read: Callable[[str], Any]
    of_simulation: bool = False


_OPTIONS: Final = {
    **{name: _Option(name, _number, True) for name in ("candidates", "iterations", "plies", "refills")},
    **{name: _Option(name, _word, True) for name in ("opponent_model", "replies")},
    **{name: _Option(name, _switch, True) for name in ("by_win", "halving")},
    "confidence": _Option("confidence", _share, True),
    "evaluator": _Option("evaluator", _word),
    "max_ms": _Option("max_ms", _number),
    "nodes": _Option("endgame_nodes", _number),
    "preendgame": _Option("preendgame_bag", _number),
    "preendgame_nodes": _Option("preendgame_nodes", _number),
}
_KNOWN: Final = (*_OPTIONS, "pass")
"""The options by name; "pass" follows the evaluator that it belongs to."""


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
        if key == "pass" and value in PASS_RULES and "evaluator" in changes:
            changes["evaluator"] += f",{item}"
            continue
        try:
            option = _OPTIONS[key]
            (simulation if option.of_simulation else changes)[option.field] = option.read(value)
        except (KeyError, ValueError):
            raise InvalidInput(
                f"the player {quoted(name)} cannot have {quoted(item)}; known: {', '.join(_KNOWN)}",
                code="unknown_player",
                field="player",
                params={"name": excerpt(name), "option": excerpt(item), "known": list(_KNOWN)},
            ) from None
    if changes.get("preendgame_bag", 0) > EXHAUSTIVE_BAG:
        raise InvalidInput(
            f"preendgame must be at most {EXHAUSTIVE_BAG}, the largest bag whose draws are all examined",
            code="out_of_range",
            field="player",
            params={"most": EXHAUSTIVE_BAG},
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
