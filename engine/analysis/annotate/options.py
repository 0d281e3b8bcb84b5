"""The options of an annotation: how turns are judged, and the key of what it depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import find_win_pct_table
from engine.evaluation.word_frequency import find_word_frequencies
from engine.messages import DEFAULT_LANGUAGE
from engine.search import SIMULATIONS, SimulationPlan
from engine.version import VERSION

if TYPE_CHECKING:
    from engine.lexicon import Lexicon

ENDGAME_NODES: Final = 5_000
"""The default. In 40 games it proved the win% of 123 and the mistakes of 101 of 132 turns with an empty bag.

A game takes 0.06 s, with 500 nodes 0.03 s.
"""

CANDIDATES: Final = 10
ITERATIONS: Final = 2000
"""The defaults of a simulated turn: in a sixth of a second they distinguish a loss of 3 win% from none."""

TURN_NODES: Final = 120_000
"""The default of `preendgame_nodes`: about two seconds."""

KNOWN_RARITY: Final = 1_000
"""The default of `rarity`: see docs/experiments.md."""

MAX_KNOWN_RARITY: Final = 1_000_000_000
"""The most games that `rarity` may name; a word that was never formed is known by nobody."""

TIMED_ITERATIONS: Final = 1_000_000
TIMED_NODES: Final = 10_000_000
"""The most for a turn of an annotation whose time is limited: the time ends before."""

ANNOTATION_FORMAT: Final = 11
"""Increase it whenever the same record gets another annotation than before."""


@dataclass(frozen=True, slots=True)
class AnnotationOptions:
    """Say how to judge the turns of a game.

    `evaluator`: one of EVALUATORS, whose equity ranks the moves; `endgame_nodes`: the most nodes searched for
    each position with an empty bag, 0 to judge it by the static evaluator; `simulate`: how to compare the
    best moves and the one played by simulation while tiles are in the bag, None for not at all; `seed`: of
    all random numbers. The best move of a simulated turn is the one with the highest win%. `explain`: whether
    each turn says why the best move is better than the one played, in the language `lang`, and how lucky its
    draw was. `seconds`: the time limit of `within`, of which each turn gets a share: it is simulated, or near
    the end of the game searched, until it is decided or its share has passed. `preendgame_nodes`: the most
    endgame positions searched for a turn with one to four tiles in the bag, in place of a simulation.
    `rarity`: where the words of the lexicon were counted (`kibitz train words`), players are taken to know
    those that are formed at least once in so many games of the engine with itself.
    """

    evaluator: str = "auto"
    endgame_nodes: int = ENDGAME_NODES
    simulate: SimulationPlan | None = None
    seed: int = 1
    explain: bool = False
    lang: str = DEFAULT_LANGUAGE
    seconds: float | None = None
    preendgame_nodes: int = TURN_NODES
    rarity: int = KNOWN_RARITY

    def within(self, seconds: float | None) -> AnnotationOptions:
        """Return these options for a time limit, whose searches end by it; the same for None."""
        if seconds is None:
            return self
        plan = replace(self.simulate or annotation_simulation(), iterations=TIMED_ITERATIONS)
        return replace(
            self, simulate=plan, endgame_nodes=TIMED_NODES, preendgame_nodes=TIMED_NODES, seconds=seconds
        )


DEFAULT_OPTIONS: Final = AnnotationOptions()


def annotation_simulation(method: str = "monte_carlo", **options: Any) -> SimulationPlan:
    """Return the plan of a simulation for annotations: by default 10 candidates and 2,000 iterations.

    A method that gives every candidate the same number of iterations has its own default. Raises as
    `SimulationPlan.preset`.
    """
    defaults = {"candidates": CANDIDATES}
    if SIMULATIONS.get(method, SIMULATIONS["monte_carlo"]).confidence is not None:
        defaults["iterations"] = ITERATIONS
    return SimulationPlan.preset(method, **(defaults | options))


def annotation_key(lexicon: Lexicon, options: AnnotationOptions = DEFAULT_OPTIONS) -> str:
    """Return the SHA-256 (hexadecimal) of everything but the record that an annotation depends on."""
    tables = (find_leave_table(lexicon), find_win_pct_table(lexicon), find_word_frequencies(lexicon))
    parts = [
        f"annotation {ANNOTATION_FORMAT} {VERSION}",
        f"lexicon {lexicon.id} {lexicon.sha256} {lexicon.table_sha256}",
        repr(options),
        *(table.name for table in tables if table),
    ]
    return sha256("\n".join(parts).encode()).hexdigest()
