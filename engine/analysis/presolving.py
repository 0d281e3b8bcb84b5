"""Searching before the endgame: with few tiles in the bag, which move wins most often."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.analysis.instruments import lent_preendgame_solver
from engine.analysis.result import BagDraw, Effort, Preending
from engine.analysis.searched import Findings
from engine.analysis.solving import check_effort
from engine.errors import InvalidInput, excerpt, quoted
from engine.position import Play
from engine.search.budget import Budget
from engine.search.phase import PREENDGAME, PREENDGAME_OPPONENTS
from engine.search.preendgame import PreendgameOptions
from engine.search.preendgame.worlds import EXHAUSTIVE_BAG

if TYPE_CHECKING:
    from engine.analysis.searched import Case
    from engine.position import Move, Position
    from engine.rules import TileSet
    from engine.search.preendgame import PreendgameMove, PreendgameResult

PREENDGAME_NODES: Final = 60_000
PREENDGAME_SAMPLE_NODES: Final = 180_000
"""Nodes where nobody says how many, for every draw of one or two tiles and for a sample of larger bags; half
as many for each blank that is not yet on the board, for a node takes longer then. On one core that is about
one second, or three."""

LEAST_NODES: Final = 1_000
DEFAULT_TABLE_MB: Final = 16
DEFAULT_CANDIDATES: Final = 40
DEFAULT_DRAWS: Final = 200
MOST_IN_BAG: Final = 6
CERTAIN: Final = 100.0  # win%, than which nothing is better


@dataclass(frozen=True, slots=True)
class PreendgamePlan:
    """Say how a pre-endgame is searched.

    `bag`: the largest bag that is searched so, None for what goes with the phase; `opponent`: one of
    PREENDGAME_OPPONENTS; `candidates`: how many of the best moves; `draws`: sampled from bags of more than
    two tiles; `nodes`: of all endgames beneath, None for what takes about a second; `table_mb`: megabytes of
    their table, on which it depends what so many nodes prove.
    """

    bag: int | None = None
    opponent: str = PREENDGAME_OPPONENTS[0]
    candidates: int = DEFAULT_CANDIDATES
    draws: int = DEFAULT_DRAWS
    nodes: int | None = None
    table_mb: int = DEFAULT_TABLE_MB

    def check(self) -> None:
        """Raise InvalidInput naming the option that is out of range or unknown."""
        if self.opponent not in PREENDGAME_OPPONENTS:
            raise InvalidInput(
                f"there is no model {quoted(self.opponent)}; known: {', '.join(PREENDGAME_OPPONENTS)}",
                code="unknown_opponent",
                field="preendgame/opponent",
                params={"name": excerpt(self.opponent), "known": list(PREENDGAME_OPPONENTS)},
            )
        for name, least in (("candidates", 1), ("draws", 2)):
            if getattr(self, name) < least:
                raise InvalidInput(
                    f"{name} must be at least {least}",
                    code="out_of_range",
                    field=f"preendgame/{name}",
                    params={"name": name, "least": least},
                )
        if self.bag is not None and not 1 <= self.bag <= MOST_IN_BAG:
            raise InvalidInput(
                f"bag must be from 1 to {MOST_IN_BAG}",
                code="out_of_range",
                field="preendgame/bag",
                params={"most": MOST_IN_BAG},
            )
        check_effort(LEAST_NODES if self.nodes is None else self.nodes, self.table_mb, PREENDGAME)

    def nodes_for(self, position: Position) -> int:
        """Return the nodes that the search of a position may take."""
        if self.nodes is not None:
            return self.nodes
        blanks = max(0, position.unseen()[0]) + position.rack.tiles.count(0)
        most = PREENDGAME_NODES if position.bag_count() <= EXHAUSTIVE_BAG else PREENDGAME_SAMPLE_NODES
        return max(LEAST_NODES, most >> blanks)

    def check_bag(self, position: Position) -> None:
        """Raise InvalidInput (code "bag_size") if the bag holds more tiles than the plan says."""
        count = position.bag_count()
        if self.bag is not None and count > self.bag:
            raise InvalidInput(
                f"the bag holds {count} tiles; preendgame.bag allows {self.bag}",
                code="bag_size",
                field="preendgame/bag",
                params={"count": count, "most": self.bag},
            )


def presolved(case: Case, plan: PreendgamePlan) -> Findings:
    """Rank the best moves, and the plays that the request names, by how often they win.

    Raises InvalidInput for what is no pre-endgame.
    """
    named = tuple(one.move for one in case.named if isinstance(one.move, Play))
    options = PreendgameOptions(
        plan.opponent,
        candidates=plan.candidates,
        also=named,
        draws=plan.draws,
        seed=case.seed,
        evaluator=case.evaluator,
    )
    nodes = plan.nodes_for(case.position)
    budget = Budget(nodes, deadline=case.deadline)
    with lent_preendgame_solver(case.lexicon, plan.table_mb) as solver:
        result = solver.solve(case.position, budget, options, board=case.board, progress=case.progress)
    result = as_known(result, case.position)
    found: dict[Move, PreendgameMove] = {one.move: one for one in result.moves}
    return Findings(
        PREENDGAME,
        list(found),
        lambda move: {"preendgame": _told(found[move], result, case.position.tile_set)},
        budget=Effort(nodes=nodes),
        spent=Effort(nodes=result.nodes),
        stopped_by=result.stopped_by,
        seed=case.seed if result.opponent == "static" else None,
    )


def as_known(result: PreendgameResult, position: Position) -> PreendgameResult:
    """Return a result that claims no more than is known, seeing that exchanges are never looked at.

    After a move that leaves so many tiles in the bag that the other side may exchange, what was proven is
    only of games in which nobody does: an estimate. And an exchange may be better than every move.
    """
    if not result.exchanges:
        return result
    rules = position.rules
    moves = [
        one
        if result.bag_count - _tiles_played(one) < rules.exchange_limit or one.certainty == "estimate"
        else replace(
            one,
            lower=0.0,
            upper=100.0,
            spread_exact=False,
            draws_settled=0,
            certainty="estimate",
            worlds=(),
            bounds=(),
        )
        for one in result.moves
    ]
    if any(one.certainty != "estimate" for one in moves):  # else nobody counted, and the sample dropped some
        sure = max(one.lower for one in moves)
        moves = [replace(one, stopped=one.upper < sure) for one in moves]
    return replace(result, moves=tuple(moves), best_proven=moves[0].lower >= CERTAIN)


def _tiles_played(one: PreendgameMove) -> int:
    return len(one.move.placements()) if isinstance(one.move, Play) else 0


def _told(one: PreendgameMove, result: PreendgameResult, tiles: TileSet) -> Preending:
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
        opponent=result.opponent,
        best_proven=result.best_proven and one is result.best,
        plays_left_out=len(result.pruned),
        exchanges_left_out=result.exchanges,
        by_bag=tuple(
            [BagDraw(_bag_text(draw.bag, tiles), draw.weight, draw.lower, draw.upper) for draw in one.by_draw]
        ),
    )


def _bag_text(bag: bytes, tiles: TileSet) -> str:
    return "".join("?" if code == 0 else tiles.alphabet.text([code]) for code in bag)
