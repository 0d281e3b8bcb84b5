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

from typing import TYPE_CHECKING

from engine.errors import MissingTable
from engine.messages import Text

if TYPE_CHECKING:
    from engine.evaluation.evaluation_kernel import CombinedKernel, EvaluatorKernel, StaticKernel
    from engine.evaluation.leave_table import LeaveTable
    from engine.lexicon import Lexicon


def static_kernel(table: LeaveTable, lexicon: Lexicon) -> StaticKernel:
    """Return a new kernel for one thread."""
    ranks = table.ranks
    kernel: StaticKernel = lexicon.kernels.evaluation.StaticKernel(ranks.base, ranks.offset, table.values)
    return kernel


def combined_kernel(table: LeaveTable, bingos: EvaluatorKernel, lexicon: Lexicon) -> CombinedKernel:
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
    ranks, kernels = table.ranks, lexicon.kernels.evaluation
    plain = kernels.StaticKernel(ranks.base, ranks.offset, table.plain)
    kernel: CombinedKernel = kernels.CombinedKernel(plain, bingos)
    return kernel
