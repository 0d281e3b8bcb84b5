"""`kibitz analyze`: the best moves of a position, as a table or as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine import (
    EVALUATORS,
    SORTS,
    AnalysisOptions,
    AnalysisRequest,
    Deadline,
    Play,
    analyze,
    message,
)
from kibitz.cli import EXIT_INTERRUPTED
from kibitz.cli.board import board_text, players_text
from kibitz.cli.interruption import until_interrupted
from kibitz.cli.language import localized, reader_language, said
from kibitz.cli.lexicons import takes_position
from kibitz.cli.options import explain_options
from kibitz.cli.pictures import PictureFiles, picture_options
from kibitz.cli.search_options import takes_search
from kibitz.cli.search_tables import live_search, show_search
from kibitz.cli.tables import print_table
from kibitz.cli.terminal import echo_json, plain
from service.documents import dump_analysis

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine import Analysis, Explanation, Judged, Lexicon, Position
    from kibitz.cli.search_options import SearchWish

EXCHANGES_SHOWN = 3


@click.command("analyze")
@takes_position
@click.option(
    "--top", type=click.IntRange(min=1), default=10, show_default=True, help="Number of moves to list."
)
@click.option(
    "--exchanges", is_flag=True, help="List exchanges and the pass as well, the best three at least."
)
@click.option(
    "--evaluator",
    type=click.Choice(EVALUATORS),
    metavar="NAME",
    default="auto",
    show_default=True,
    help="How to value the tiles left on the rack: static by a learned table, heuri1 to heuri6 by the bingos "
    "to expect, combined by both, greedy not at all. heuri3,pass=literal (or heuri2 to heuri6) values a pass "
    "with seven tiles too, else 0. auto: heuri6 in the simulations heuri_samp and heuri_sim; else static if "
    "the lexicon has a table, else heuri6.",
)
@click.option("--bingos", is_flag=True, help="Add the bingos to expect from each leave.")
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    help="The order of the moves. [default: equity, with greedy the score]",
)
@click.option(
    "--compare",
    multiple=True,
    metavar="MOVE",
    help='Add this move to a second table ("8D QUIZ"); repeatable.',
)
@explain_options
@takes_search
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Seed of the random numbers of a search and of --explain.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Threads of a simulation; the result does not depend on their number.",
)
@picture_options("a picture of the board with the best move")
@click.option("--json", "as_json", is_flag=True, help="Print the answer of POST /analyze instead of tables.")
@click.pass_context
def analyze_command(
    context: click.Context,
    position: Position,
    lexicon: Lexicon,
    top: int,
    exchanges: bool,
    evaluator: str,
    bingos: bool,
    sort: str | None,
    compare: tuple[str, ...],
    explain: bool,
    wish: SearchWish,
    seed: int,
    max_ms: int | None,
    threads: int,
    pictures: PictureFiles,
    as_json: bool,
) -> None:
    """Show a position and its best moves.

    CGP is the position, "-" reads positions from standard input, one a line: the rows of the board from the
    top, where a number counts empty squares; the racks, that of the player on turn first; the scores; the
    number of scoreless turns. Equity is the score plus the value of the tiles left on the rack, in points;
    win% is the chance of winning, 0 to 100. Both are those of the player on turn.

    With --simulate, --preendgame, --endgame or --phase the moves are searched, which takes seconds to
    minutes. Ctrl-C ends a search and shows its result so far, with exit code 130.

    \b
    kibitz analyze "15/15/15/15/15/15/15/7CARE4/15/15/15/15/15/15/15 AEINRST/ 0/12 0"
    kibitz analyze "CGP" --top 5 --exchanges --compare "8D QUIZ" --svg best.svg
    kibitz analyze "CGP" --explain --lang es
    kibitz analyze - --json < positions.cgp
    kibitz analyze "CGP" --simulate --threads 4
    kibitz analyze "CGP" --phase auto --max-ms 5000
    """
    options = AnalysisOptions(
        top_n=top,
        sort=sort or ("score" if evaluator == "greedy" else "equity"),
        include_exchanges=exchanges,
        evaluator=evaluator,
        expect_bingos=bingos,
        compare=compare,
        simulate=wish.simulate,
        preendgame=wish.preendgame,
        endgame=wish.endgame,
        phase=wish.phase,
        seed=seed,
        max_ms=max_ms,
        threads=threads,
        explain=explain,
        lang=reader_language(),
    )
    deadline = Deadline()
    others = _best_others(position, lexicon, options) if exchanges and not as_json else ()
    with live_search(position) as progress:
        request = AnalysisRequest(position, options)
        analysis, interrupted = until_interrupted(
            lambda: analyze(request, lexicon, deadline=deadline, progress=progress), deadline
        )
    if pictures:
        pictures.write(position, _best_play(analysis))
    if as_json:
        echo_json(dump_analysis(analysis))
    else:
        show(position, analysis, Console(), others)
    if interrupted:
        context.exit(EXIT_INTERRUPTED)


def _best_play(analysis: Analysis) -> Play | None:
    """Return the best move if it is a play."""
    best = analysis.best.move if analysis.moves else None
    return best if isinstance(best, Play) else None


def _best_others(position: Position, lexicon: Lexicon, options: AnalysisOptions) -> list[Judged]:
    """Return the best exchanges, or the pass, with their ranks among all moves before any search."""
    static = replace(
        options,
        simulate=None,
        preendgame=None,
        endgame=None,
        phase=None,
        compare=(),
        max_ms=None,
        explain=False,
    )
    first = analyze(AnalysisRequest(position, replace(static, top_n=1)), lexicon)
    count = first.play_count + first.exchange_count + 1  # the pass
    moves = analyze(AnalysisRequest(position, replace(static, top_n=count)), lexicon).moves
    return [move for move in moves if move.kind != "play"][:EXCHANGES_SHOWN]


def show(position: Position, analysis: Analysis, console: Console, others: Sequence[Judged] = ()) -> None:
    """Print the board, the players, the moves, and what a search found.

    `others`: the best moves that are no plays, which the table lists below the others if it has none of them.
    """
    console.print(board_text(position), soft_wrap=True)
    console.print()
    console.print(players_text(position))
    if analysis.phonies:
        words = [said("{word} at {square}", word=one.word, square=one.at) for one in analysis.phonies]
        text = said("not in the lexicon: {words}", words=words)
        console.print(plain(f"  {text}", "yellow"))
    for warning in analysis.warnings:
        text = said("Warning: {warning}.", warning=warning.detail)
        console.print(plain(f"  {text}", "yellow"), soft_wrap=True)
    console.print()
    title = said(
        "{plays} plays, {exchanges} exchanges  ({lexicon})",
        plays=analysis.play_count,
        exchanges=analysis.exchange_count,
        lexicon=analysis.provenance.lexicon.id,
    )
    listed = {one.move for one in analysis.moves}
    moves = [*analysis.moves, *(one for one in others if one.move not in listed)]
    if analysis.phase:
        title += said(_ORDER[analysis.phase])
    # These searches have a table with their own win%; the static win% here would contradict it.
    without = ("win_pct",) if analysis.phase in ("simulate", "preendgame") else ()
    print_table(move_table(title, moves, without), console)
    if analysis.phase:
        console.print()
    show_search(analysis, console)
    compared = [comparison.move for comparison in analysis.compare if comparison.move and comparison.legal]
    if compared:
        print_table(move_table(said("compared"), compared), console)
    for comparison in analysis.compare:
        if comparison.fault:
            console.print(plain(f"  {comparison.asked}: {localized(comparison.fault.detail)}", "yellow"))
    if analysis.explanation is not None:
        console.print()
        for text in _explanations(analysis.explanation):
            console.print(Text(f"  {text}"), soft_wrap=True)


def _explanations(explanation: Explanation) -> list[str]:
    """Return the sentences about the best move beside each other move, or those about it alone."""
    texts = [" ".join([one.text for one in contrast.sentences]) for contrast in explanation.contrasts]
    return texts or [explanation.text]


_ORDER = {
    "simulate": message(", ordered by simulation"),
    "preendgame": message(", ordered by the pre-endgame search"),
    "endgame": message(", the best by solving the endgame, then by equity"),
}
"""The words in the title of the table that say how a search has ordered the moves."""

COLUMNS = (
    ("equity", message("equity")),
    ("leave_value", message("leave\nvalue")),
    ("bingo_expectation", message("bingos")),
    ("win_pct", message("win%")),
)
"""The columns that a table has if a move has the value: name of the field, and heading."""


def move_table(title: str, moves: Iterable[Judged], without: tuple[str, ...] = ()) -> Table:
    """Return a table with a row for each move; `without` names fields that get no column.

    A win% that is proven only within bounds is shown as a range such as "0-100".
    """
    columns = [(field, heading) for field, heading in COLUMNS if field not in without]
    table = Table(title=title)
    table.add_column("", justify="right", style="dim")
    table.add_column(said("move"), style="bold", no_wrap=True)
    table.add_column(said("points"), justify="right")
    for _, heading in columns:
        table.add_column(said(heading), justify="right")
    table.add_column(said("leave"))
    table.add_column(said("words"))
    for move in moves:
        # No space between a word and its points: a line never ends between them.
        spell = move.position.tile_set.alphabet.word
        words = "  ".join([f"{spell(made.tiles)}:{made.score}" for made in move.words])
        points = move.score - sum([made.score for made in move.words])
        bonus = f"  bonus:{points}" if points else ""
        cells = [str(move.rank or ""), move.text, str(move.score)]
        for field, _ in columns:
            value = getattr(move, field)
            if field == "win_pct":
                cells.append("" if move.win is None else move.win.text(2))
            else:
                cells.append("" if value is None else f"{value:.2f}")
        # Text, because rich would read the brackets around a tile of two characters as markup.
        table.add_row(*map(Text, [*cells, str(move.leave), words + bonus]))
    return table
