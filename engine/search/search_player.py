"""Players who search: by simulation, and near the end of a game by the solvers of pre-endgames and endgames.

The tiles in the bag decide the search (`phase`). The work is limited in iterations and nodes, so that a
position is always played in the same way unless a deadline cuts the search. `BEST` is the strongest plan at
about a second a move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.evaluation.evaluators import Evaluator, legal_moves
from engine.movegen import InternalWords
from engine.search.budget import Budget
from engine.search.deadline import BUDGET, COMPLETE, DEADLINE, Deadline
from engine.search.endgame import EndgameSolver
from engine.search.endgame_verdicts import EndgameVerdicts
from engine.search.phase import ENDGAME, PREENDGAME, SIMULATE, phase_of
from engine.search.preendgame import PreendgameOptions, PreendgameSolver
from engine.search.simulation import simulate
from engine.search.simulation_plan import SimulationPlan, default_evaluator

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen.legal_moves import LegalMoves, ValuedMove
    from engine.position import Position
    from engine.rules import RuleSet

EQUITY: Final = "equity"
"""The name of the way to choose a move without a search: by its equity alone."""

TABLE_MB: Final = 16


@dataclass(frozen=True, slots=True)
class PlayerPlan:
    """Hold how a player searches.

    `simulation`: used while tiles are in the bag; `endgame_nodes`: node limit with an empty bag, 0 to
    simulate there too; `preendgame_bag`: the largest bag whose draws are all examined, with up to
    `preendgame_nodes` nodes; `evaluator`: proposes the candidates, None for that of `default_evaluator`;
    `max_ms`: time limit of a move.
    """

    simulation: SimulationPlan
    endgame_nodes: int = 0
    preendgame_bag: int = 0
    preendgame_nodes: int = 0
    evaluator: str | None = None
    max_ms: int | None = None


BEST: Final = PlayerPlan(
    SimulationPlan(candidates=15, iterations=12_000, confidence=0.95), endgame_nodes=150_000
)
"""The plan of the best player."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Hold a chosen move, by its number among the legal ones, and its search.

    `search`: one of PHASES, or EQUITY; `budget`: the work allowed, None without a search; `spent`: the work
    done, iterations of a simulation or nodes; `stopped_by`: "complete", "budget" or "deadline".
    """

    moves: LegalMoves
    number: int
    search: str = EQUITY
    budget: Budget | None = None
    spent: int = 0
    stopped_by: str = COMPLETE

    @property
    def choice(self) -> ValuedMove:
        """The chosen move with its values."""
        return self.moves.valued([self.number])[0]


class SearchPlayer:
    """Chooses moves by a plan with one lexicon; owns its memory, so one thread may use it at a time."""

    def __init__(self, lexicon: Lexicon, rules: RuleSet, plan: PlayerPlan = BEST) -> None:
        """Take the lexicon, the rules whose bingo bonus counts, and the plan; raises as `Evaluator`."""
        name = plan.evaluator or default_evaluator(lexicon, plan.simulation.method)
        self._lexicon = lexicon
        self._plan = plan
        self._evaluator = Evaluator(name, lexicon, rules)
        self._search = InternalWords(lexicon)
        self._endgames: EndgameSolver | None = None

    def choose(
        self, position: Position, board: LoadedBoard, seed: int = 1, deadline: Deadline | None = None
    ) -> Decision:
        """Return the move of the player on turn; `board`: the loaded board of the position.

        `seed`: of the draws; `deadline`: instead of that of the plan. With more than two players the move
        with the most equity is returned. Raises InvalidInput for a last move that is not on the board.
        """
        deadline = deadline or Deadline.after(self._plan.max_ms)
        moves, _ = legal_moves(position, board, self._search, self._evaluator)
        best = moves.candidates(self._plan.simulation.candidates)
        if len(best) == 1 or len(position.players) > 2:
            return Decision(moves, best[0])
        phase = phase_of(position.bag_count(), self._plan.preendgame_bag)
        try:
            if phase == ENDGAME and self._plan.endgame_nodes:
                return self._solve_endgame(board, moves, deadline)
            if phase == PREENDGAME and not moves.exchange_count:
                return self._solve_preendgame(board, moves, deadline)
        except InvalidInput:  # the solvers cannot handle this position
            pass
        return self._simulate(board, moves, best, seed, deadline)

    def _simulate(
        self, board: LoadedBoard, moves: LegalMoves, best: list[int], seed: int, deadline: Deadline
    ) -> Decision:
        plan = self._plan.simulation
        found = simulate(moves.position, board, moves.valued(best), plan, seed=seed, deadline=deadline)
        number, budget = best[found.order[0]], Budget(iterations=plan.iterations)
        return Decision(moves, number, SIMULATE, budget, found.spent, found.stopped_by)

    def _solve_endgame(self, board: LoadedBoard, moves: LegalMoves, deadline: Deadline) -> Decision:
        budget = Budget(nodes=self._plan.endgame_nodes)
        if self._endgames is None:
            self._endgames = EndgameSolver(self._lexicon, table_mb=TABLE_MB)
        found = self._endgames.solve(moves.position, budget, deadline=deadline, board=board)
        stopped_by = COMPLETE if found.best_proven else _reason(found.nodes, budget)
        best = EndgameVerdicts(moves.position, board, self._lexicon, deadline).best(moves, found).move
        number = moves.index(best)
        return Decision(moves, number, ENDGAME, budget, found.nodes, stopped_by)

    def _solve_preendgame(self, board: LoadedBoard, moves: LegalMoves, deadline: Deadline) -> Decision:
        budget = Budget(nodes=self._plan.preendgame_nodes)
        solver = PreendgameSolver(self._lexicon, table_mb=TABLE_MB)
        options = PreendgameOptions(candidates=self._plan.simulation.candidates, proof_only=True)
        found = solver.solve(moves.position, budget, options, deadline=deadline, board=board)
        stopped_by = COMPLETE if found.best_proven else _reason(found.nodes, budget)
        number = moves.index(found.best.move)
        return Decision(moves, number, PREENDGAME, budget, found.nodes, stopped_by)


def _reason(nodes: int, budget: Budget) -> str:
    return BUDGET if nodes >= (budget.nodes or 0) else DEADLINE
