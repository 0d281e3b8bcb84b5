"""Show the result of a search as tables, while it runs and when it has ended."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from engine import (
    EndgameProgress,
    EndgameReport,
    PreendgameMove,
    PreendgameResult,
    Simulated,
    SimulationProgress,
    as_proven,
    format_move,
)
from kibitz.cli.tables import print_table, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Analysis, Position

    Progress = SimulationProgress | EndgameProgress | PreendgameResult

LISTED_LIVE = 15  # moves shown while a search runs


@contextmanager
def live_search(position: Position) -> Iterator[Callable[[Progress], None] | None]:
    """Show a table that follows a search on standard error; yield the function that updates it.

    The table disappears when the search has ended. Off a terminal there is none, and None is yielded.
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
                live.update(styled(simulation_table(f"{now.spent} iterations", rows)))
            elif isinstance(now, EndgameProgress):
                depths.append(now)
                live.update(styled(depth_table(depths, position)))
            else:
                live.update(styled(preendgame_table(as_proven(now, position), position, LISTED_LIVE)))

        yield progress


def depth_table(depths: Sequence[EndgameProgress], position: Position) -> Table:
    """Return a table with a row for each depth of an endgame search."""
    table = Table()
    for name in ("depth", "move", "value", "at least", "at most", "positions", "seconds"):
        table.add_column(name, justify="left" if name == "move" else "right")
    for now in depths:
        numbers = (f"{number:+d}" for number in (now.value, now.lower, now.upper))
        cells = (str(now.depth), format_move(now.best, position.tile_set), *numbers)
        table.add_row(*map(Text, (*cells, f"{now.nodes:,}", f"{now.seconds:.2f}")))
    return table


def preendgame_table(result: PreendgameResult, position: Position, top: int, title: str = "") -> Table:
    """Return a table of the best moves of a pre-endgame."""
    moves = [(format_move(move.move, position.tile_set), move) for move in result.moves[:top]]
    return _table_of_wins(title, moves)


def show_search(analysis: Analysis, console: Console) -> None:
    """Print the tables of the search of an analysis, if it has one."""
    provenance = analysis.provenance
    if analysis.phase is None or provenance.spent is None or provenance.budget is None:
        return
    spent, budget = provenance.spent, provenance.budget
    if analysis.phase == "simulate":
        rows = [(one.text, one.found) for one in analysis.moves if isinstance(one.found, Simulated)]
        done = f"{spent} of {budget.iterations} iterations"
        title = f"simulation: {done}, {_stopped(provenance.stopped_by, 'iterations')}, seed {provenance.seed}"
        if rows:
            print_table(simulation_table(title, rows), console)
            console.print(SIMULATION_LEGEND, style="dim")
        return
    done = f"{spent:,} of {budget.nodes:,} positions, {_stopped(provenance.stopped_by, 'positions')}"
    result = analysis.searched
    if isinstance(result, PreendgameResult):
        found = [(one.text, one.found) for one in analysis.moves if isinstance(one.found, PreendgameMove)]
        print_table(_table_of_wins(f"pre-endgame: {done}", found), console)
        console.print(PREENDGAME_LEGEND, style="dim")
        left_out = len(result.pruned)
        looked_at = analysis.play_count + 1 - left_out  # the pass is always one
        proven = result.best_proven and bool(found) and found[0][1] is result.best
        terms = preendgame_terms(looked_at, left_out, result.opponent, proven, result.exchanges)
        console.print(Text(terms))
        return
    console.print(Text(f"endgame: {done}", "bold"))
    for one in analysis.moves:
        if isinstance(one.found, EndgameReport):
            ending = f"{_named(one.text)} {ending_text(one.found.spread, one.found.certainty)}"
            console.print(Text(f"  {ending}", "bold"))
            tiles = analysis.position.tile_set
            line = ", then ".join([_named(format_move(move, tiles)) for move in one.found.line])
            console.print(Text(f"  both sides at their best: {line}"))


def ending_text(spread: float, certainty: str) -> str:
    """Return how the game ends for the player on turn, and how certain that is."""
    points = f"{abs(spread):g}"
    if certainty == "exact":
        known = "wins by" if spread > 0 else "loses by"
        return f"{known} {points}, proven" if spread else "ties, proven"
    if certainty == "bound":
        if spread > 0:
            return f"wins by {points} or more, proven"
        return f"loses by {points} at most, proven" if spread else "ties at least, proven"
    return f"ends at about {spread:+g}, not proven"


SIMULATION_LEGEND = (
    "± one standard error; reply, own next: mean points (share of bingos);\n"
    "runs: rollouts; x, dim: dropped as worse"
)
PREENDGAME_LEGEND = "  draws: settled / all; ~: a spread that is not proven; -: between the bounds"


def _stopped(stopped_by: str, units: str) -> str:
    """Return what ended a search, given the `stopped_by` of its provenance and what it counts."""
    return {"budget": f"stopped: {units} used up", "deadline": "stopped: time used up"}.get(
        stopped_by, stopped_by
    )


def _table_of_wins(title: str, moves: Sequence[tuple[str, PreendgameMove]]) -> Table:
    """Return a table of moves by wins; a win% that is not settled is shown as its bounds."""
    table = Table(title=title)
    bounded = any(one.standard_error is None and one.lower < one.upper for _, one in moves)
    bounds = ("at least", "at most") if bounded else ()
    for name in ("move", "points", "win%", *bounds, "spread", "draws", "certainty"):
        table.add_column(name, justify="left" if name in ("move", "certainty") else "right", no_wrap=True)
    for text, one in moves:
        error, unsettled = one.standard_error, one.certainty == "bounds"
        cells = [_named(text), str(one.score), "-" if unsettled else f"{one.win_pct:.2f}"]
        if bounded:
            cells += ["", ""] if error is not None else [f"{one.lower:.2f}", f"{one.upper:.2f}"]
        cells.append(f"{'' if one.spread_exact else '~'}{one.spread:+.2f}")
        cells.append(str(one.draws) if error is not None else f"{one.draws_settled}/{one.draws}")
        sure = ("bound" if unsettled else one.certainty) if error is None else f"± {error:.2f}"
        cells.append("not the best" if one.stopped else sure)
        table.add_row(*map(Text, cells))
    return table


def preendgame_terms(
    looked_at: int, left_out: int, opponent: str, best_proven: bool, exchanges_left_out: bool
) -> str:
    """Return the conditions of a table of wins: moves searched, model of the opponent, what is proven."""
    model = "static play until the bag is empty" if opponent == "static" else opponent
    proven = "\n  proven: no other of these moves wins more often than the first" if best_proven else ""
    exchanges = "\n  exchanges, which the rules allow here, were not searched" if exchanges_left_out else ""
    return f"  {looked_at} moves, {left_out} left out by equity; other side: {model}{proven}{exchanges}"


def _named(move: str) -> str:
    return "pass" if move == "-" else move


def simulation_table(title: str, rows: Sequence[tuple[str, Simulated]]) -> Table:
    """Return a table with a row for each move; those dropped as worse are dim and marked with x.

    Means are shown with their standard errors, scores of the next turns with the share of bingos.
    """
    table = Table(title=title)
    table.add_column("", justify="right", style="dim")
    table.add_column("move", style="bold", no_wrap=True)
    has_wins = any(one.win_pct is not None for _, one in rows)
    headings = ("spread", "reply", "own next", "leave", "runs")
    for heading in ("win%", *headings) if has_wins else headings:
        table.add_column(heading, justify="right")
    for rank, (move, one) in enumerate(rows, start=1):
        cells = [f"x {rank}" if one.pruned else str(rank), move]
        if has_wins:
            cells.append("" if one.win_pct is None else f"{one.win_pct:.2f}±{one.win_pct_error:.2f}")
        cells += [
            f"{one.spread:.2f}±{one.spread_error:.2f}",
            f"{one.opponent_score:.1f} ({one.opponent_bingos:.0%})",
            f"{one.own_score:.1f} ({one.own_bingos:.0%})",
            f"{one.leave:.1f}",
            str(one.iterations),
        ]
        style = "dim" if one.pruned else ""
        table.add_row(*[Text(cell, style) for cell in cells])
    return table
