"""Players who look ahead: by simulation, and near the end of a game by its solvers.

What is asked for a move follows from the tiles in the bag (`phase`). Work is counted in iterations and nodes,
so that the same position is played the same way again; a deadline only cuts. `BEST` is the best player there
is at about a second a move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import InvalidInput
from engine.evaluation.evaluators import Evaluator, best_evaluator
from engine.movegen import InternalWords
from engine.position import Play
from engine.search.budget import Budget
from engine.search.choices import Choice, Choices
from engine.search.deadline import BUDGET, COMPLETE, DEADLINE, Deadline
from engine.search.endgame import EndgameSolver
from engine.search.phase import ENDGAME, PREENDGAME, SIMULATE, phase_of
from engine.search.preendgame import PreendgameOptions, PreendgameSolver
from engine.search.simulation import SimulationPlan, simulate

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from engine.rules import RuleSet

EQUITY: Final = "equity"
"""How a move was chosen that needed no search, or could have none: by its equity alone."""

TABLE_MB: Final = 16


@dataclass(frozen=True, slots=True)
class PlayerPlan:
    """Say how a player thinks.

    `simulation`: while tiles are in the bag; `endgame_nodes`: positions searched at most with an empty bag,
    0 to simulate there too; `preendgame_bag`: the most tiles in the bag with which every draw is looked at,
    `preendgame_nodes` endgame positions at most; `evaluator`: what chooses the candidates, None for the best
    at hand; `max_ms`: a deadline for each move.
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
"""The best player."""


class Work(NamedTuple):
    """Rollouts, and positions of endgames; None where that was not the way."""

    iterations: int | None = None
    nodes: int | None = None


NO_WORK: Final = Work()


@dataclass(frozen=True, slots=True)
class Decision:
    """Hold the move chosen, how (one of PHASES, or EQUITY), what might have been spent, what was, and why no
    more: "complete", "budget" or "deadline"."""

    choice: Choice
    search: str = EQUITY
    budget: Work = NO_WORK
    spent: Work = NO_WORK
    stopped_by: str = COMPLETE


class SearchPlayer:
    """Chooses moves by a plan, over one lexicon; owns its scratch memory, so it serves one thread."""

    def __init__(self, lexicon: Lexicon, rules: RuleSet, plan: PlayerPlan = BEST) -> None:
        """Take the lexicon, the rules whose bingo bonus counts, and the plan; raises as `Evaluator`."""
        heuri = plan.simulation.method.startswith("heuri")
        name = plan.evaluator or ("heuri6" if heuri else best_evaluator(lexicon))
        self._lexicon = lexicon
        self._plan = plan
        self._evaluator = Evaluator(name, lexicon, rules)
        self._search = InternalWords(lexicon)
        self._endgames: EndgameSolver | None = None

    def choose(
        self, position: Position, board: LoadedBoard, seed: int = 1, deadline: Deadline | None = None
    ) -> Decision:
        """Return the move of the player on turn; `board` is that of the position, loaded.

        `seed`: of the draws; `deadline`: instead of that of the plan. With more than two players it is the
        move of most equity. Raises InvalidInput for a last move that is not on the board.
        """
        deadline = deadline or Deadline.after(self._plan.max_ms)
        choices = Choices(position, board, self._search, self._evaluator)
        best = choices.best(self._plan.simulation.candidates)
        if len(best) == 1 or len(position.players) > 2:
            return Decision(best[0])
        phase = phase_of(position.bag_count(), self._plan.preendgame_bag)
        try:
            if phase == ENDGAME and self._plan.endgame_nodes:
                return self._solve(position, board, choices, deadline)
            if phase == PREENDGAME and not choices.exchanges():
                return self._look_at_draws(position, board, choices, deadline)
        except InvalidInput:  # an ending that the solvers do not know
            pass
        return self._simulate(position, board, best, seed, deadline)

    def _simulate(
        self, position: Position, board: LoadedBoard, best: list[Choice], seed: int, deadline: Deadline
    ) -> Decision:
        plan = self._plan.simulation
        found = simulate(
            position,
            board,
            [choice.candidate for choice in best],
            plan,
            seed=seed,
            budget=Budget(deadline=deadline),
        )
        return Decision(
            best[found.order[0]], SIMULATE, Work(plan.iterations), Work(found.spent), found.stopped_by
        )

    def _solve(
        self, position: Position, board: LoadedBoard, choices: Choices, deadline: Deadline
    ) -> Decision:
        nodes = self._plan.endgame_nodes
        if self._endgames is None:
            self._endgames = EndgameSolver(self._lexicon, table_mb=TABLE_MB)
        found = self._endgames.solve(position, Budget(nodes, deadline=deadline), board=board)
        choice = choices.of_play(found.best) if isinstance(found.best, Play) else choices.passing()
        stopped_by = COMPLETE if found.best_proven else _why(found.nodes, nodes)
        return Decision(choice, ENDGAME, Work(nodes=nodes), Work(nodes=found.nodes), stopped_by)

    def _look_at_draws(
        self, position: Position, board: LoadedBoard, choices: Choices, deadline: Deadline
    ) -> Decision:
        nodes = self._plan.preendgame_nodes
        solver = PreendgameSolver(self._lexicon, table_mb=TABLE_MB)
        options = PreendgameOptions(candidates=self._plan.simulation.candidates, spreads=False)
        found = solver.solve(position, Budget(nodes, deadline=deadline), options, board=board)
        move = found.best.move
        choice = choices.of_play(move) if isinstance(move, Play) else choices.passing()
        stopped_by = COMPLETE if found.best_proven else _why(found.nodes, nodes)
        return Decision(choice, PREENDGAME, Work(nodes=nodes), Work(nodes=found.nodes), stopped_by)


def _why(spent: int, budget: int) -> str:
    return BUDGET if spent >= budget else DEADLINE
