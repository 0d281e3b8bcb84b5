"""The static evaluator: equity is the score and the learned value of the leave.

With an empty bag leaves are worth what the ending makes of them: who goes out gains the other rack twice, who
keeps tiles loses their points twice and 10 points for the move that the other side gets.  A pass with a full
rack counts as its worst six tiles.
Source: thesis 003, section 4.2.2; systems.md L.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.evaluation import static_evaluation_narrow, static_evaluation_wide

if TYPE_CHECKING:
    from engine.evaluation.leave_table import LeaveTable

_KERNELS: Final = {"narrow": static_evaluation_narrow, "wide": static_evaluation_wide}


def static_kernel(table: LeaveTable, geometry: str) -> static_evaluation_narrow.StaticKernel:
    """Return a new kernel for one thread; `geometry` is that of the lexicon's tables."""
    ranks = table.ranks
    return _KERNELS[geometry].StaticKernel(ranks.base, ranks.offset, table.values)
