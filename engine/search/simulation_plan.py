"""Simulation plans: the methods of simulation and their options."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from engine.errors import InvalidInput, check_known
from engine.evaluation.evaluators import HEURI, best_evaluator
from engine.messages import Text
from engine.search.opponent import OPPONENT_MODELS

if TYPE_CHECKING:
    from engine.lexicon import Lexicon

REPLIES: Final = ("static", "greedy")
MAX_PLIES: Final = 100
MAX_CANDIDATES: Final = 1_000
MAX_ITERATIONS: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """Hold how to simulate.

    `candidates`: number of moves to compare; `iterations`: rollouts of all of them together; `plies`: turns
    after the candidate; `replies`: the evaluator that chooses them; `refills`: own racks drawn for each reply
    of the opponent; `confidence`: at which worse candidates are dropped, None to give all the same number of
    rollouts; `by_win`: the share of wins decides, else the spread; `play_out`: see the module;
    `opponent_model`: see `search.opponent`; `halving`: spend the iterations on finding the best move alone
    (see `search.halving`), for players; win% of the other moves is less exact then; `reply_squares`: report
    on which squares the opponent's next moves lay tiles.
    """

    method: str = "monte_carlo"
    candidates: int = 20
    iterations: int = 10_000
    plies: int = 2
    replies: str = "static"
    refills: int = 1
    confidence: float | None = 0.99
    by_win: bool = True
    play_out: bool = True
    opponent_model: str = "off"
    halving: bool = False
    reply_squares: bool = False

    @classmethod
    def preset(cls, method: str, **changes: Any) -> SimulationPlan:
        """Return the plan of a method, with those of the changes that are not None.

        If `candidates` changes, a method without `confidence` still gives each candidate the same number of
        iterations. Raises InvalidInput (codes "unknown_simulation", "out_of_range", ...), naming the option.
        """
        code, field = "unknown_simulation", "simulate/method"
        check_known(Text("simulation"), method, SIMULATIONS, code=code, field=field)
        plan = SIMULATIONS[method]
        changed = {name: value for name, value in changes.items() if value is not None}
        if plan.confidence is None and "candidates" in changed:
            each = plan.iterations // plan.candidates
            changed.setdefault("iterations", each * changed["candidates"])
        plan = replace(plan, **changed)
        plan.check()
        return plan

    def check(self) -> None:
        """Raise InvalidInput, naming the option, if one is out of range or unknown."""
        for name, least, most in (
            ("candidates", 1, MAX_CANDIDATES),
            ("iterations", 1, MAX_ITERATIONS),
            ("plies", 0, MAX_PLIES),
        ):
            if not least <= getattr(self, name) <= most:
                detail = Text("{name} must be from {least} to {most}", name=name, least=least, most=most)
                raise _fault("out_of_range", detail, name)
        if self.confidence is not None and not 0.5 <= self.confidence < 1:
            raise _fault("out_of_range", Text("confidence must be from 0.5 to below 1"), "confidence")
        if self.refills > 1 and self.plies != 2:
            detail = Text("{method} needs exactly 2 plies", method=self.method)
            raise _fault("out_of_range", detail, "plies")
        for name, known in (("opponent_model", OPPONENT_MODELS), ("replies", REPLIES)):
            check_known(name, getattr(self, name), known, field=f"simulate/{name}")


SIMULATIONS: Final = {
    "monte_carlo": SimulationPlan(),
    "quackle": SimulationPlan("quackle", 23, 23 * 300, confidence=None, play_out=False),
    "heuri_samp": SimulationPlan(
        "heuri_samp", 40, 40 * 300, 1, "greedy", confidence=None, by_win=False, play_out=False
    ),
    "heuri_sim": SimulationPlan(
        "heuri_sim", 40, 40 * 300, 2, "greedy", 100, confidence=None, by_win=False, play_out=False
    ),
}
"""The plans by method: best-arm search; [Quackle] with 23 candidates and 300 iterations each; two of [Heuri]
with 40 and 300, the second with 100 own racks for each reply."""

HEURI_METHODS: Final = ("heuri_samp", "heuri_sim")


def default_evaluator(lexicon: Lexicon, method: str = "") -> str:
    """Return the evaluator that "auto" stands for, in a simulation by a method or without one.

    It is Heuri 6 in the simulations of [Heuri], whose e values the leaves of the candidates, and else the
    best one of the lexicon.
    """
    return HEURI if method in HEURI_METHODS else best_evaluator(lexicon)


def _fault(code: str, detail: Text, name: str) -> InvalidInput:
    return InvalidInput(detail, code=code, field=f"simulate/{name}")
