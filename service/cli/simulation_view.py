"""What a simulation found, as a table: while it runs, and when it is done."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from engine import format_move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Analysis, Move, Simulated, TileSet

LISTED_LIVE = 15  # moves shown while it runs


@contextmanager
def live_simulation(tiles: TileSet) -> Iterator[Callable[[list[tuple[Move, Simulated]], int], None]]:
    """Show a table that is renewed as a simulation goes on; yields what to call with (found, iterations).

    It stands on standard error and goes when all is done. Off a terminal nothing is shown.
    """
    console = Console(stderr=True)
    with Live(console=console, auto_refresh=False, transient=True) as live:

        def progress(found: list[tuple[Move, Simulated]], spent: int) -> None:
            if console.is_terminal:
                rows = [(format_move(move, tiles), one) for move, one in found[:LISTED_LIVE]]
                live.update(simulation_table(f"{spent} iterations", rows), refresh=True)

        yield progress


def show_simulation(analysis: Analysis, console: Console) -> None:
    """Print what a simulation found of the moves listed, if there was one."""
    rows = [(move.move, move.sim) for move in analysis.moves if move.sim is not None]
    provenance = analysis.provenance
    if not rows or provenance.spent is None or provenance.budget is None:
        return
    spent, budget = provenance.spent.iterations, provenance.budget.iterations
    title = f"simulation: {spent} of {budget} iterations, {provenance.stopped_by}, seed {provenance.seed}"
    console.print(simulation_table(title, rows))


def simulation_table(title: str, rows: Sequence[tuple[str, Simulated]]) -> Table:
    """Return a table with a line for each move; moves that were given up as worse are dim.

    Scores of the next moves stand with the share of bingos, means with their standard error.
    """
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=True)
    table.add_column("", justify="right", style="dim")
    table.add_column("move", style="bold")
    has_wins = any(one.win_pct is not None for _, one in rows)
    headings = ("spread", "reply", "own next", "leave", "rollouts")
    for heading in ("win%", *headings) if has_wins else headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for rank, (move, one) in enumerate(rows, start=1):
        cells = [str(rank), move]
        if has_wins:
            cells.append("" if one.win_pct is None else f"{one.win_pct:.2f} +-{one.win_pct_error:.2f}")
        cells += [
            f"{one.spread:.2f} +-{one.spread_error:.2f}",
            f"{one.opponent_score:.1f} ({one.opponent_bingos:.0%})",
            f"{one.own_score:.1f} ({one.own_bingos:.0%})",
            f"{one.leave:.1f}",
            str(one.iterations),
        ]
        style = "dim" if one.pruned else ""
        table.add_row(*[Text(cell, style) for cell in cells])
    return table
