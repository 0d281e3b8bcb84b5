"""Which search a position calls for: the one place that knows the rule.

Tiles in the bag many: what is drawn decides, so moves are compared by simulation. Few: every draw can be
looked at with the endgame beneath it. None: both sides know all, and the endgame is solved.  The bag is that
of `Position.bag_count`: a rack that is not told is full, so seven unseen tiles and fewer are an endgame.
Source: systems.md N; issue 5, point 6.
"""

from __future__ import annotations

from typing import Final

SIMULATE: Final = "simulate"
PREENDGAME: Final = "preendgame"
ENDGAME: Final = "endgame"

AUTO: Final = "auto"
"""Not a phase, but the wish that the bag may choose one."""

PHASES: Final = (SIMULATE, PREENDGAME, ENDGAME)
"""The searches, in the order in which a game comes to them."""

PREENDGAME_BAG: Final = 1
"""The largest bag whose every draw is looked at rather than simulated.

With two tiles in it there are nine times as many draws: in ten seconds most moves are hardly parted.
"""

PREENDGAME_OPPONENTS: Final = ("rational", "pessimistic", "guaranteed")
"""The models of the other side while tiles are in the bag; `preendgame.opponents` says what they mean."""


def phase_of(bag_count: int, preendgame_bag: int = PREENDGAME_BAG) -> str:
    """Return which of PHASES a position with so many tiles in the bag calls for.

    `preendgame_bag`: the largest bag of a pre-endgame; with 0 there is none.
    """
    if bag_count == 0:
        return ENDGAME
    return PREENDGAME if bag_count <= preendgame_bag else SIMULATE
