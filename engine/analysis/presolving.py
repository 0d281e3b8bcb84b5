"""Searching before the endgame: with few tiles in the bag, which move wins most often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.analysis.instruments import lent_preendgame_solver
from engine.analysis.result import BagDraw, Effort, Preending
from engine.analysis.searched import Findings
from engine.analysis.solving import check_effort
from engine.errors import InvalidInput, quoted
from engine.position import Play
from engine.search.budget import Budget
from engine.search.phase import PREENDGAME, PREENDGAME_OPPONENTS
from engine.search.preendgame import PreendgameOptions

if TYPE_CHECKING:
    from engine.analysis.searched import Case
    from engine.position import Move, Position
    from engine.rules import TileSet
    from engine.search.preendgame import PreendgameMove

DEFAULT_NODES: Final = 2_000_000
DEFAULT_TABLE_MB: Final = 16
DEFAULT_CANDIDATES: Final = 40
DEFAULT_DRAWS: Final = 200
MOST_IN_BAG: Final = 6


@dataclass(frozen=True, slots=True)
class PreendgamePlan:
    """Say how a pre-endgame is searched.

    `bag`: the largest bag that is searched so, None for what goes with the phase; `opponent`: one of
    PREENDGAME_OPPONENTS; `candidates`: how many of the best moves; `draws`: sampled from bags of more than
    two tiles; `nodes`: of all endgames beneath; `table_mb`: megabytes of their table, on which it depends
    what so many nodes prove.
    """

    bag: int | None = None
    opponent: str = PREENDGAME_OPPONENTS[0]
    candidates: int = DEFAULT_CANDIDATES
    draws: int = DEFAULT_DRAWS
    nodes: int = DEFAULT_NODES
    table_mb: int = DEFAULT_TABLE_MB

    def check(self) -> None:
        """Raise InvalidInput naming the option that is out of range or unknown."""
        if self.opponent not in PREENDGAME_OPPONENTS:
            known = ", ".join(PREENDGAME_OPPONENTS)
            raise InvalidInput(
                f"there is no model {quoted(self.opponent)}; known: {known}",
                code="unknown_opponent",
                field="preendgame/opponent",
            )
        for name, least in (("candidates", 1), ("draws", 2)):
            if getattr(self, name) < least:
                raise InvalidInput(
                    f"{name} must be at least {least}", code="out_of_range", field=f"preendgame/{name}"
                )
        if self.bag is not None and not 1 <= self.bag <= MOST_IN_BAG:
            raise InvalidInput(
                f"bag must be from 1 to {MOST_IN_BAG}", code="out_of_range", field="preendgame/bag"
            )
        check_effort(self.nodes, self.table_mb, PREENDGAME)

    def check_bag(self, position: Position) -> None:
        """Raise InvalidInput (code "bag_size") if the bag holds more tiles than the plan says."""
        count = position.bag_count()
        if self.bag is not None and count > self.bag:
            raise InvalidInput(
                f"the bag holds {count} tiles; preendgame.bag allows {self.bag}",
                code="bag_size",
                field="preendgame/bag",
            )


def presolved(case: Case, plan: PreendgamePlan) -> Findings:
    """Rank the best moves, and the plays that the request names, by how often they win.

    Raises InvalidInput for what is no pre-endgame.
    """
    plan.check_bag(case.position)
    named = tuple(one.move for one in case.named if isinstance(one.move, Play))
    options = PreendgameOptions(
        plan.opponent,
        candidates=plan.candidates,
        also=named,
        draws=plan.draws,
        seed=case.seed,
        evaluator=case.evaluator,
    )
    budget = Budget(plan.nodes, deadline=case.deadline)
    with lent_preendgame_solver(case.lexicon, plan.table_mb) as solver:
        result = solver.solve(case.position, budget, options, board=case.board, progress=case.progress)
    tiles = case.position.tile_set
    found: dict[Move, PreendgameMove] = {one.move: one for one in result.moves}
    return Findings(
        PREENDGAME,
        list(found),
        lambda move: {"preendgame": _told(found[move], tiles)},
        budget=Effort(nodes=plan.nodes),
        spent=Effort(nodes=result.nodes),
        stopped_by=result.stopped_by,
        seed=case.seed if result.opponent == "static" else None,
    )


def _told(one: PreendgameMove, tiles: TileSet) -> Preending:
    """Return what was found of a move, as it is told."""
    error = one.standard_error
    return Preending(
        win_pct=round(one.win_pct, 3),
        lower=round(one.lower, 3),
        upper=round(one.upper, 3),
        win_pct_error=None if error is None else round(error, 3),
        spread=round(one.spread, 3),
        spread_exact=one.spread_exact,
        draws=one.draws,
        settled=one.draws_settled,
        certainty="bound" if one.certainty == "bounds" else one.certainty,
        pruned=one.stopped,
        by_bag=tuple(
            [BagDraw(_bag_text(draw.bag, tiles), draw.weight, draw.lower, draw.upper) for draw in one.by_draw]
        ),
    )


def _bag_text(bag: bytes, tiles: TileSet) -> str:
    return "".join("?" if code == 0 else tiles.alphabet.text([code]) for code in bag)
