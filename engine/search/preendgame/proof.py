"""Certificates of pre-endgames: what a checker needs to confirm, draw by draw, how often a move wins.

After a move that empties the bag each draw is an endgame. For it a certificate has a strategy by which one
side wins, or two by which both are sure of a tie. `lab/draw_checker.py` checks them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, cast

from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.position import Rack, format_move
from engine.search.deadline import Deadline
from engine.search.endgame.move_bounds import after_move, outcome_bounds
from engine.search.endgame.proof import MAX_ANSWERS, Strategy, StrategyWriter, certified, proof_json
from engine.search.endgame.spread_search import MAX_NODES
from engine.search.preendgame.result import win
from engine.search.preendgame.worlds import hidden_tiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.position import Pass, Play, Position
    from engine.search.endgame.solver import EndgameSolver

PROOF_FORMAT: Final = "kibitz-preendgame-proof 1"


@dataclass(frozen=True, slots=True)
class DrawProof:
    """Hold the tiles of the bag, in how many ways they are drawn, and the outcome (`win`): 1 for a win.

    `at_least`, `at_most`: strategies of the other side, who is on turn after the move, and of the side that
    has moved; None if the outcome does not need it.
    """

    bag: str
    weight: int
    win: float
    at_least: Strategy | None
    at_most: Strategy | None


@dataclass(frozen=True, slots=True)
class PreendgameProof:
    """Hold a certificate; its fields are those of the file, in their order."""

    format: str
    cgp: str
    lexicon: str
    lexicon_sha256: str
    move: str
    win_pct: float
    draws: tuple[DrawProof, ...]

    def to_json(self) -> bytes:
        """Return the file, as `proof_json` does."""
        return proof_json(asdict(self))


def prove_draws(
    solver: EndgameSolver,
    position: Position,
    move: Play | Pass,
    *,
    deadline: Deadline | None = None,
    progress: Callable[[int, int], None] = lambda answers, most: None,
    most: int = MAX_ANSWERS,
) -> PreendgameProof | None:
    """Return the certificate of a legal move of a pre-endgame, None if the deadline passes.

    `progress`: called with the number of moves answered so far, and `most`. Raises InvalidInput for a move
    that leaves tiles in the bag or scores nothing ("no_endgame_after"), if there would be more than `most`
    answers ("proof_too_large"), and if a CGP cannot express the board or the tiles ("own_board").
    """
    deadline = deadline or Deadline()
    bare, cgp = certified(position, solver.lexicon)
    hidden, points = hidden_tiles(bare), bare.score(move)
    if not points or len(move.used) < hidden.bag_count:
        detail = Text("there is a certificate only of a play that scores and empties the bag")
        raise InvalidInput(detail, code="no_endgame_after", field="move")
    ways = Counter(combinations(hidden.free, hidden.bag_count))
    draws, answered = list[DrawProof](), 0
    for drawn, weight in ways.items():
        bag = bytes(drawn)
        racks = Rack(bare.rack.tiles + bag), Rack(hidden.unseen).without(bag)
        # A play that scores, and leaves the tiles drawn on the rack, does not end the game.
        following = cast("Position", after_move(bare, racks, move, points))
        writer = StrategyWriter(solver, following, deadline, progress, most, answered)
        found = _outcome(writer, solver, following, deadline)
        if found is None:
            return None
        answered = writer.count
        draws.append(DrawProof(Rack(bag).text(bare.tile_set.alphabet), weight, *found))
    win_pct = 100 * sum([one.weight * one.win for one in draws]) / sum(ways.values())
    lexicon, text = solver.lexicon, format_move(move, bare.tile_set)
    return PreendgameProof(PROOF_FORMAT, cgp, lexicon.id, lexicon.content_sha256, text, win_pct, tuple(draws))


def _outcome(
    writer: StrategyWriter, solver: EndgameSolver, following: Position, deadline: Deadline
) -> tuple[float, Strategy | None, Strategy | None] | None:
    """Return the outcome of a draw for the side that has moved, and the strategies that prove it.

    None if the deadline passes.
    """
    board = LoadedBoard.load(following.board, following.layout, following.tile_set, solver.lexicon)
    bounds, _ = outcome_bounds(solver, following, MAX_NODES, board, deadline)
    if not bounds.decided:
        return None
    outcome, spread = win(-bounds.lower), following.spread
    theirs, ours = (0, (outcome == 0) - spread), (1, (outcome == 1) + spread)
    wanted = {0.0: (theirs,), 1.0: (ours,)}.get(outcome, (theirs, ours))
    strategies = writer.strategies(*wanted)
    if strategies is None:
        return None
    return outcome, strategies[0] if outcome < 1 else None, strategies[-1] if outcome > 0 else None
