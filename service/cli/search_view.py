"""What a search found, as a table: while it runs, and when it is done."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from engine import EndgameProgress, SimulationProgress, format_move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Analysis, Position, PreendgameResult, Simulated

    Progress = SimulationProgress | EndgameProgress | PreendgameResult

LISTED_LIVE = 15  # moves shown while a search runs


@contextmanager
def live_search(position: Position) -> Iterator[Callable[[Progress], None] | None]:
    """Show a table that is renewed as a search goes on; yields what to tell it by.

    It stands on standard error and goes when all is done. Off a terminal nothing is shown, and None yielded.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    depths: list[EndgameProgress] = []
    with Live(console=console, transient=True, refresh_per_second=8) as live:

        def progress(now: Progress) -> None:
            if isinstance(now, SimulationProgress):
                found = now.found[:LISTED_LIVE]
                rows = [(format_move(move, position.tile_set), one) for move, one in found]
                live.update(simulation_table(f"{now.spent} iterations", rows))
            elif isinstance(now, EndgameProgress):
                depths.append(now)
                live.update(depth_table(depths, position))
            else:
                live.update(preendgame_table(now, position, LISTED_LIVE))

        yield progress


def depth_table(depths: Sequence[EndgameProgress], position: Position) -> Table:
    """Return a table of an endgame search, a line for each depth."""
    table = Table(box=None, pad_edge=True)
    for name in ("depth", "move", "value", "at least", "at most", "positions", "seconds"):
        table.add_column(name, justify="left" if name == "move" else "right")
    for now in depths:
        numbers = (f"{number:+d}" for number in (now.value, now.lower, now.upper))
        cells = (str(now.depth), format_move(now.best, position.tile_set), *numbers)
        table.add_row(*map(Text, (*cells, f"{now.nodes:,}", f"{now.seconds:.2f}")))
    return table


def preendgame_table(result: PreendgameResult, position: Position, top: int) -> Table:
    """Return a table of the best moves before an endgame."""
    table = _table_of_wins(None)
    for move in result.moves[:top]:
        text = format_move(move.move, position.tile_set)
        sampled = move.certainty == "estimate"
        bounds = ("", "") if sampled else (f"{move.lower:.2f}", f"{move.upper:.2f}")
        draws = str(move.draws) if sampled else f"{move.draws_settled}/{move.draws}"
        sure = "" if move.spread_exact else "~"
        note = f"± {move.standard_error:.2f}" if move.standard_error is not None else move.certainty
        cells = (
            "pass" if text == "-" else text,
            str(move.score),
            f"{move.win_pct:.2f}",
            *bounds,
            f"{sure}{move.spread:+.2f}",
            draws,
            "not the best" if move.stopped else note,
        )
        table.add_row(*map(Text, cells))
    return table


def show_search(analysis: Analysis, console: Console) -> None:
    """Print what a search found of the moves listed, if there was one."""
    provenance = analysis.provenance
    if analysis.phase is None or provenance.spent is None or provenance.budget is None:
        return
    spent, budget = provenance.spent, provenance.budget
    if analysis.phase == "simulate":
        rows = [(move.move, move.sim) for move in analysis.moves if move.sim is not None]
        done = f"{spent.iterations} of {budget.iterations} iterations"
        title = f"simulation: {done}, {provenance.stopped_by}, seed {provenance.seed}"
        if rows:
            console.print(simulation_table(title, rows))
        return
    done = f"{spent.nodes} of {budget.nodes} positions, {provenance.stopped_by}"
    if analysis.phase == "preendgame":
        table = _table_of_wins(f"pre-endgame: {done}")
        for move in analysis.moves:
            found = move.preendgame
            if found is not None:
                sampled = found.certainty == "estimate"
                bounds = ("", "") if sampled else (f"{found.lower:.2f}", f"{found.upper:.2f}")
                draws = str(found.draws) if sampled else f"{found.settled}/{found.draws}"
                spread = f"{'' if found.spread_exact else '~'}{found.spread:+.2f}"
                note = f"± {found.win_pct_error:.2f}" if found.win_pct_error is not None else found.certainty
                cells = ("pass" if move.move == "-" else move.move, str(move.score), f"{found.win_pct:.2f}")
                last = "not the best" if found.pruned else note
                table.add_row(*map(Text, (*cells, *bounds, spread, draws, last)))
        console.print(table)
        return
    console.print(Text(f"endgame: {done}", "bold"))
    for move in analysis.moves:
        if move.endgame:
            line = "  ".join(move.endgame.line)
            told = f"  final spread {move.endgame.spread:+g} ({move.endgame.certainty}): {line}"
            console.print(Text(told, "bold"))


def _table_of_wins(title: str | None) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=True)
    for name in ("move", "points", "win%", "at least", "at most", "spread", "draws", ""):
        table.add_column(name, justify="left" if name in ("move", "") else "right")
    return table


def simulation_table(title: str, rows: Sequence[tuple[str, Simulated]]) -> Table:
    """Return a table with a line for each move; moves that were given up as worse are dim.

    Scores of the next moves stand with the share of bingos, means with their standard error.
    """
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=True)
    table.add_column("", justify="right", style="dim")
    table.add_column("move", style="bold", no_wrap=True)
    has_wins = any(one.win_pct is not None for _, one in rows)
    headings = ("spread", "reply", "own next", "leave", "rollouts")
    for heading in ("win%", *headings) if has_wins else headings:
        # Where there is no room for all, these are not the ones to break.
        table.add_column(heading, justify="right", no_wrap=heading in ("win%", "spread"))
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
