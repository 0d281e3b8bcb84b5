"""The evaluators "static" and "combined".

"static": equity is the score plus the learned value of the leave. With an empty bag a rule takes the place
of the table: who goes out gains the points of the other rack twice; who does not loses the points of the
tiles left twice, and 10 points for the move that the other player gets. A pass with a full rack has the
value of its worst six tiles.

"combined": the value of a leave that was learned from a player without bingos, plus the bingos to expect of
it on this board (Heuri 6), each counted by its gain over the average turn of such a player. Source: [Heuri,
section 4.2.2].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import MissingTable
from engine.evaluation import static_evaluation_narrow, static_evaluation_wide
from engine.messages import Text

if TYPE_CHECKING:
    from engine.evaluation.evaluator_kernel import EvaluatorKernel
    from engine.evaluation.leave_table import LeaveTable

_KERNELS: Final = {"narrow": static_evaluation_narrow, "wide": static_evaluation_wide}


def static_kernel(table: LeaveTable, geometry: str) -> static_evaluation_narrow.StaticKernel:
    """Return a new kernel for one thread; `geometry` is that of the lexicon's tables."""
    ranks = table.ranks
    kernel: static_evaluation_narrow.StaticKernel = _KERNELS[geometry].StaticKernel(
        ranks.base, ranks.offset, table.values
    )
    return kernel


def combined_kernel(
    table: LeaveTable, bingos: EvaluatorKernel, geometry: str
) -> static_evaluation_narrow.CombinedKernel:
    """Return a new kernel for one thread; `bingos` values leaves by the bingos to expect.

    Raises MissingTable (code "missing_leaves") if the table was not trained for it.
    """
    if table.plain is None:
        raise MissingTable(
            Text(
                "the leave table {table} has no values without bingos, which combined needs; run: kibitz "
                "train leaves",
                table=table.name,
            ),
            code="missing_leaves",
        )
    ranks, kernels = table.ranks, _KERNELS[geometry]
    plain = kernels.StaticKernel(ranks.base, ranks.offset, table.plain)
    kernel: static_evaluation_narrow.CombinedKernel = kernels.CombinedKernel(plain, bingos)
    return kernel
