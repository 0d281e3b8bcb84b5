"""Plans of a search: how to solve an endgame or a pre-endgame, and which search a position gets.

The plan of a simulation is `engine.search.SimulationPlan`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.analysis.report import Notice
from engine.errors import InvalidInput, check_known
from engine.messages import Text
from engine.search import SimulationPlan, check_simulation
from engine.search.endgame import DEFAULT_TABLE_MB
from engine.search.endgame.problem import ending, known_racks
from engine.search.opponent import lacks_last_move
from engine.search.phase import (
    AUTO,
    ENDGAME,
    PREENDGAME,
    PREENDGAME_BAG,
    PREENDGAME_OPPONENTS,
    SIMULATE,
    phase_of,
)
from engine.search.preendgame.worlds import EXHAUSTIVE_BAG, hidden_tiles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.position import Position

DEFAULT_ENDGAME_NODES: Final = 2_000_000

SIMULATED_NODES: Final = 200_000
"""Nodes of the endgame search that replaces a simulation: about as long as that would take."""

ONE_TILE_NODES: Final = 120_000
PREENDGAME_NODES: Final = 60_000
PREENDGAME_SAMPLE_NODES: Final = 180_000
"""Default nodes of a pre-endgame: for every draw of one tile after every play, for every draw of two, and for
a sample of larger bags.

With two tiles or more they are halved for each blank not yet on the board, since a node then takes longer. On
one core they take one to three seconds.
"""

PREENDGAME_CANDIDATES: Final = 40
"""How many of the best moves are searched by default with more than one tile in the bag."""

MIN_PREENDGAME_NODES: Final = 1_000
MAX_PREENDGAME_BAG: Final = 6
DEFAULT_PREENDGAME_TABLE_MB: Final = 16
MAX_TABLE_MB: Final = 65_536


@dataclass(frozen=True, slots=True)
class EndgamePlan:
    """Say how to solve an endgame.

    `nodes`: the most positions to search; `table_mb`: megabytes of the transposition table, which the result
    depends on.
    """

    nodes: int = DEFAULT_ENDGAME_NODES
    table_mb: int = DEFAULT_TABLE_MB

    def check(self) -> None:
        """Raise InvalidInput naming the option that is out of range."""
        _check_effort(self.nodes, self.table_mb, ENDGAME)


@dataclass(frozen=True, slots=True)
class PreendgamePlan:
    """Say how to search a pre-endgame.

    `bag`: the most tiles in the bag with which a position counts as a pre-endgame, None for any number with
    this plan alone and for the usual one with the phase "auto"; `opponent`: one of PREENDGAME_OPPONENTS;
    `candidates`: how many of the best moves to search, None for every play with one tile in the bag, and
    else for PREENDGAME_CANDIDATES; `draws`: sample size for bags of more than two tiles; `nodes`: the most
    positions of all endgames together, None for one to three seconds' work; `table_mb`: megabytes of their
    transposition table, which the result depends on.
    """

    bag: int | None = None
    opponent: str = PREENDGAME_OPPONENTS[0]
    candidates: int | None = None
    draws: int = 200
    nodes: int | None = None
    table_mb: int = DEFAULT_PREENDGAME_TABLE_MB

    def check(self) -> None:
        """Raise InvalidInput naming the option that is out of range or unknown."""
        code, field = "unknown_opponent", "preendgame/opponent"
        check_known(Text("model"), self.opponent, PREENDGAME_OPPONENTS, code=code, field=field)
        for name, least in (("candidates", 1), ("draws", 2)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise InvalidInput(
                    Text("{name} must be at least {least}", name=name, least=least),
                    code="out_of_range",
                    field=f"preendgame/{name}",
                )
        if self.bag is not None and not 1 <= self.bag <= MAX_PREENDGAME_BAG:
            raise InvalidInput(
                Text("bag must be from 1 to {most}", most=MAX_PREENDGAME_BAG),
                code="out_of_range",
                field="preendgame/bag",
            )
        _check_effort(self.nodes, self.table_mb, PREENDGAME)

    def nodes_for(self, position: Position) -> int:
        """Return the most nodes that the search of a position may use."""
        if self.nodes is not None:
            return self.nodes
        bag = position.bag_count()
        if bag == 1:
            return ONE_TILE_NODES
        blanks = max(0, position.unseen()[0]) + position.rack.tiles.count(0)
        most = PREENDGAME_NODES if bag <= EXHAUSTIVE_BAG else PREENDGAME_SAMPLE_NODES
        return max(MIN_PREENDGAME_NODES, most >> blanks)

    def candidates_for(self, position: Position) -> int | None:
        """Return how many of the best moves of a position to search, None for all."""
        if self.candidates is None and position.bag_count() > 1:
            return PREENDGAME_CANDIDATES
        return self.candidates

    def check_bag(self, position: Position) -> None:
        """Raise InvalidInput (code "bag_size") if the bag holds more tiles than the plan allows."""
        count = position.bag_count()
        if self.bag is not None and count > self.bag:
            raise InvalidInput(
                Text("the bag holds {count} tiles; preendgame.bag allows {most}", count=count, most=self.bag),
                code="bag_size",
                field="preendgame/bag",
            )


SearchPlan: TypeAlias = SimulationPlan | PreendgamePlan | EndgamePlan

DEFAULT_PLANS: Final[dict[str, SearchPlan]] = {
    SIMULATE: SimulationPlan(),
    PREENDGAME: PreendgamePlan(),
    ENDGAME: EndgamePlan(),
}


def chosen_plan(phase: str | None, plans: Mapping[str, SearchPlan], position: Position) -> SearchPlan | None:
    """Return the plan by which a position is searched, None for no search.

    `phase`: the phase that a request names, or "auto" to let the number of tiles in the bag decide; `plans`:
    those that it gives, by phase. Without a phase, the first plan given is the one. With an empty bag there
    is nothing to draw at random: an endgame search replaces a simulation.
    """
    if phase is None:
        phase = next(iter(plans), None)
    elif phase == AUTO:
        wanted = plans.get(PREENDGAME)
        bag = wanted.bag if isinstance(wanted, PreendgamePlan) else None
        phase = phase_of(position.bag_count(), PREENDGAME_BAG if bag is None else bag)
    if phase is None:
        return None
    if phase == SIMULATE and not position.bag_count() and len(position.players) == 2:
        return plans.get(ENDGAME, EndgamePlan(nodes=SIMULATED_NODES))
    return plans.get(phase, DEFAULT_PLANS[phase])


def check_plans(phase: str | None, plans: Mapping[str, SearchPlan]) -> None:
    """Raise InvalidInput for a wrong plan, for two plans without a phase, and for a plan of another phase."""
    for plan in plans.values():
        plan.check()
    if phase is None and len(plans) > 1:
        first, *_, last = plans
        raise InvalidInput(
            Text(
                "ask for {first} or for {last}, not for both; or say phase: auto, and the bag decides",
                first=first,
                last=last,
            ),
            code="exclusive",
            field=last,
        )
    if phase is not None and phase != AUTO:
        for name in plans:
            if name != phase:
                raise InvalidInput(
                    Text("the phase is {phase}, so there can be no {name} beside it", phase=phase, name=name),
                    code="exclusive",
                    field=name,
                )


def check_search(plan: SearchPlan, position: Position) -> None:
    """Raise InvalidInput for a position that the search of the plan does not apply to."""
    if isinstance(plan, SimulationPlan):
        check_simulation(plan, position)
    elif isinstance(plan, PreendgamePlan):
        plan.check_bag(position)
        hidden_tiles(position)
    else:
        ending(position, known_racks(position))


def is_searchable(position: Position) -> bool:
    """Return whether the search that the phase "auto" chooses applies to a position."""
    plan = chosen_plan(AUTO, {}, position)
    try:
        if plan is not None:
            check_search(plan, position)
    except InvalidInput:
        return False
    return plan is not None


def search_warnings(
    plan: SearchPlan | None, position: Position, *, asks_simulation: bool = False
) -> tuple[Notice, ...]:
    """Return what differs from what a request for a search assumes.

    An endgame search replaces a simulation that was asked for (`asks_simulation`); a simulation that plays
    nothing out leaves the endgames that follow to the table; its opponent model has no last move to infer a
    rack from.
    """
    if asks_simulation and isinstance(plan, EndgamePlan):
        detail = Text("the bag is empty, so that nothing is left to simulate: the endgame was solved instead")
        return (Notice("endgame_solved", {}, detail),)
    if not isinstance(plan, SimulationPlan):
        return ()
    rough = () if plan.play_out else _rough_simulation(position)
    return (*rough, *_no_last_move(plan.opponent_model, position))


def _rough_simulation(position: Position) -> tuple[Notice, ...]:
    """Return a warning if few tiles are in the bag, so that a rollout is mostly an endgame."""
    if not 1 <= (count := position.bag_count()) <= PREENDGAME_BAG:
        return ()
    detail = Text(
        "with {count} in the bag a simulation, which plays the endgame by equity, errs by more than its "
        "standard error: a pre-endgame search solves it",
        count=count,
    )
    return (Notice("rough_simulation", {"count": count}, detail),)


def _no_last_move(model: str, position: Position) -> tuple[Notice, ...]:
    """Return a warning if an opponent model has no last move to infer a rack from."""
    if not lacks_last_move(position, model):
        return ()
    detail = Text(
        "the position names no last move of the opponent (lm in a CGP), so the opponent model "
        "{opponent_model} infers nothing: the result is that of the model off",
        opponent_model=model,
    )
    return (Notice("no_last_move", {"opponent_model": model}, detail),)


def _check_effort(nodes: int | None, table_mb: int, option: str) -> None:
    """Raise InvalidInput if the nodes or the table of the plan in `option` are out of range."""
    if nodes is not None and nodes < 1:
        raise InvalidInput(Text("nodes must be at least 1"), code="out_of_range", field=f"{option}/nodes")
    if not 1 <= table_mb <= MAX_TABLE_MB:
        raise InvalidInput(
            Text("table_mb must be from 1 to {most}", most=MAX_TABLE_MB),
            code="out_of_range",
            field=f"{option}/table_mb",
        )
