"""Show the result of a search as tables, while it runs and when it has ended."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from engine import EndgameProgress, SimulationProgress, as_proven, format_move
from service.cli.tables import print_table, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Analysis, Position, PreendgameResult, Simulated

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
    return _table_of_wins(
        title,
        [
            _Wins(
                format_move(move.move, position.tile_set), move.score,
                move.win_pct, move.lower, move.upper, move.standard_error,
                move.spread, move.spread_exact, move.draws, move.draws_settled,
                "bound" if move.certainty == "bounds" else move.certainty, move.stopped,
            )
            for move in result.moves[:top]
        ],
    )  # fmt: skip


def show_search(analysis: Analysis, console: Console) -> None:
    """Print the tables of the search of an analysis, if it has one."""
    provenance = analysis.provenance
    if analysis.phase is None or provenance.spent is None or provenance.budget is None:
        return
    spent, budget = provenance.spent, provenance.budget
    if analysis.phase == "simulate":
        rows = [(move.move, move.sim) for move in analysis.moves if move.sim is not None]
        done = f"{spent.iterations} of {budget.iterations} iterations"
        title = f"simulation: {done}, {_stopped(provenance.stopped_by, 'iterations')}, seed {provenance.seed}"
        if rows:
            print_table(simulation_table(title, rows), console)
            console.print(SIMULATION_LEGEND, style="dim")
        return
    done = f"{spent.nodes:,} of {budget.nodes:,} positions, {_stopped(provenance.stopped_by, 'positions')}"
    if analysis.phase == "preendgame":
        wins = [
            _Wins(
                move.move, move.score,
                found.win_pct, found.lower, found.upper, found.win_pct_error,
                found.spread, found.spread_exact, found.draws, found.settled, found.certainty, found.pruned,
            )
            for move in analysis.moves
            if (found := move.preendgame)
        ]  # fmt: skip
        print_table(_table_of_wins(f"pre-endgame: {done}", wins), console)
        console.print(PREENDGAME_LEGEND, style="dim")
        for found in [move.preendgame for move in analysis.moves if move.preendgame][:1]:
            looked_at = analysis.play_count + 1 - found.plays_left_out  # the pass is always one
            terms = preendgame_terms(
                looked_at,
                found.plays_left_out,
                found.opponent,
                found.best_proven,
                found.exchanges_left_out,
            )
            console.print(Text(terms))
        return
    console.print(Text(f"endgame: {done}", "bold"))
    for move in analysis.moves:
        if move.endgame:
            ending = f"{_named(move.move)} {ending_text(move.endgame.spread, move.endgame.certainty)}"
            console.print(Text(f"  {ending}", "bold"))
            line = ", then ".join(map(_named, move.endgame.line))
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


class _Wins(NamedTuple):
    """Hold a row of a table of wins; `error` is None unless draws were sampled."""

    move: str
    score: int
    win_pct: float | None
    lower: float
    upper: float
    error: float | None
    spread: float
    spread_exact: bool
    draws: int
    settled: int
    certainty: str
    stopped: bool


def _table_of_wins(title: str, moves: Sequence[_Wins]) -> Table:
    """Return a table of moves by wins; a win% that is not settled is shown as its bounds."""
    table = Table(title=title)
    bounded = any(move.error is None and move.lower < move.upper for move in moves)
    bounds = ("at least", "at most") if bounded else ()
    for name in ("move", "points", "win%", *bounds, "spread", "draws", "certainty"):
        table.add_column(name, justify="left" if name in ("move", "certainty") else "right", no_wrap=True)
    for move in moves:
        unsettled = move.win_pct is None or move.certainty == "bound"
        cells = [_named(move.move), str(move.score), "-" if unsettled else f"{move.win_pct:.2f}"]
        if bounded:
            cells += ["", ""] if move.error is not None else [f"{move.lower:.2f}", f"{move.upper:.2f}"]
        cells.append(f"{'' if move.spread_exact else '~'}{move.spread:+.2f}")
        cells.append(str(move.draws) if move.error is not None else f"{move.settled}/{move.draws}")
        sure = move.certainty if move.error is None else f"± {move.error:.2f}"
        cells.append("not the best" if move.stopped else sure)
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
