"""The search that suits a position, by the number of tiles in its bag.

With many tiles in the bag moves are compared by simulation. With few, every draw or a sample of them is
examined with the endgame that follows. With none, both players know everything and the endgame is solved.
The number is `Position.bag_count`, which takes an unknown rack to be full: seven or fewer unseen tiles make
an endgame.
"""

from __future__ import annotations

from typing import Final

SIMULATE: Final = "simulate"
PREENDGAME: Final = "preendgame"
ENDGAME: Final = "endgame"

AUTO: Final = "auto"
"""Instead of a phase: choose it by the bag."""

PHASES: Final = (SIMULATE, PREENDGAME, ENDGAME)
"""The searches, in the order in which a game reaches them."""

PREENDGAME_BAG: Final = 4
"""The largest bag for which the default search is a pre-endgame.

With so few tiles a rollout is mostly an endgame, which both sides of a simulation play by equity alone. Of 50
positions with one or two tiles its win% lay 3 standard errors outside the proven range in 22.
"""

PREENDGAME_OPPONENTS: Final = ("rational", "pessimistic", "guaranteed")
"""The models of the opponent while tiles are in the bag; `preendgame.opponents` describes them."""


def phase_of(bag_count: int, preendgame_bag: int = PREENDGAME_BAG) -> str:
    """Return which of PHASES suits a bag; `preendgame_bag`: the largest bag of a pre-endgame, 0 for none."""
    if bag_count == 0:
        return ENDGAME
    return PREENDGAME if bag_count <= preendgame_bag else SIMULATE
