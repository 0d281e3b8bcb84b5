"""`kibitz annotate`: every turn of a recorded game beside the best move; its options are those of batch."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import wraps
from typing import IO, TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine import (
    DEFAULT_LANGUAGE,
    ENDGAME_NODES,
    EVALUATORS,
    OPPONENT_MODELS,
    SIMULATIONS,
    AnnotationOptions,
    InvalidInput,
    annotate,
    annotated_record,
    annotation_simulation,
    format_gcg,
    message,
    read_gcg,
    win_range_text,
)
from service import annotation_text
from service.annotation_report import annotation_page
from service.archives.bounded_file import RECORD_BYTES_READ
from service.cli import Refusal
from service.cli.language import localized, reader_language, said
from service.cli.lexicons import open_lexicon
from service.cli.options import explain_options
from service.cli.progress import steps_progress
from service.cli.tables import print_table
from service.cli.terminal import echo_json, echo_record, plain
from service.game_lexicon import named_lexicon
from service.schemas.annotation_answers import dump_notes
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Annotation, TurnNote

DEFAULT_SIMULATION = "monte_carlo"
_MISTAKES = {
    "none": message("none"),
    "small": message("small"),
    "medium": message("medium"),
    "large": message("large"),
}
_NOT_JUDGED = {
    "rack_partial": message("rack partial"),
    "rack_unknown": message("rack unknown"),
    "move_unknown": message("move unknown"),
    "move_refused": message("move refused"),
}
STYLES = {"none": "green", "small": "yellow", "medium": "dark_orange", "large": "bold red"}

_OPTIONS = (
    click.option(
        "--lexicon",
        "lexicon_id",
        metavar="ID",
        help="The lexicon whose words count. [default: the record's, else KIBITZ_LEXICON, else scowl80]",
    ),
    click.option(
        "--evaluator",
        type=click.Choice(EVALUATORS),
        metavar="NAME",
        default="auto",
        show_default=True,
        help="How to value the tiles left on the rack, as in kibitz analyze.",
    ),
    click.option(
        "--endgame-nodes",
        type=click.IntRange(0),
        default=ENDGAME_NODES,
        show_default=True,
        help="Endgame positions searched for each turn with an empty bag; 0: no search.",
    ),
    click.option(
        "--simulate",
        "method",
        type=click.Choice(list(SIMULATIONS)),
        is_flag=False,
        flag_value=DEFAULT_SIMULATION,
        help="Compare the move played and the best ones by simulation while there are tiles in the bag; "
        f"{DEFAULT_SIMULATION} if no method is named. Write FILE before it.",
    ),
    click.option(
        "--iterations", type=click.IntRange(1), help="Rollouts of each simulated turn. [default: 2000]"
    ),
    click.option(
        "--candidates", type=click.IntRange(1, 100), help="Moves compared by simulation. [default: 10]"
    ),
    click.option(
        "--opponent",
        type=click.Choice(OPPONENT_MODELS),
        help="How a simulation guesses the opponent's rack from the last move. [default: off]",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        help="Seed of the random numbers of a simulation and of --explain.",
    ),
    explain_options,
)


def annotation_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command, which is called with `lexicon_id` and `options`."""

    @wraps(command)
    def wrapped(
        evaluator: str,
        endgame_nodes: int,
        method: str | None,
        iterations: int | None,
        candidates: int | None,
        opponent: str | None,
        seed: int,
        explain: bool,
        **rest: Any,
    ) -> None:
        given = {"iterations": iterations, "candidates": candidates, "opponent_model": opponent}
        chosen = {name: value for name, value in given.items() if value is not None}
        if chosen and method is None:
            raise click.UsageError("--iterations, --candidates and --opponent need --simulate")
        plan = None if method is None else annotation_simulation(method, **chosen)
        chosen_seed = seed if plan or explain else 1
        lang = reader_language() if explain else DEFAULT_LANGUAGE
        command(**rest, options=AnnotationOptions(evaluator, endgame_nodes, plan, chosen_seed, explain, lang))

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


@click.command("annotate")
@click.argument("file", type=click.File("rb"))
@annotation_options
@click.option("--json", "form", flag_value="json", help="Print the answer of POST /games/annotate as NDJSON.")
@click.option("--gcg", "form", flag_value="gcg", help="Print the record with the annotations as notes.")
@click.option("--html", "form", flag_value="html", help="Print a web page with boards and a win% chart.")
def annotate_command(
    file: IO[bytes], lexicon_id: str | None, options: AnnotationOptions, form: str | None
) -> None:
    """Annotate a recorded game: each turn beside the best move, and what it lost.

    FILE is a record in the GCG format, "-" reads it from standard input. A turn is judged only if its full
    rack is known; * marks a rack of which only the tiles played are known. Simulation needs a game of two. A
    mistake that loses up to 3 win% is small, up to 7 medium, above that large; with an empty bag the bounds
    are 7 and 15 points. With --explain a turn says what it lost and why, and how lucky its draw was. Without
    simulation a game takes about a second.

    \b
    kibitz annotate game.gcg
    kibitz annotate game.gcg --explain --html > game.html
    kibitz annotate game.gcg --simulate --iterations 5000
    """
    reading = read_gcg(file.read(RECORD_BYTES_READ))
    named, default = reading.record.lexicon, Settings.from_environment().lexicon
    lexicon, warnings = named_lexicon(named, lexicon_id, default, open_lexicon)
    options = replace(options, lang=reader_language())
    faults = (*reading.faults, *reading.warnings)
    try:
        # Without simulation the work is done before a progress bar could be seen.
        with steps_progress("annotating", "events") if options.simulate else nullcontext() as progress:
            annotation = annotate(reading.record, lexicon, options, faults, progress)
    except InvalidInput as error:
        raise Refusal(f"{file.name}: {localized(error.message)}") from None
    if form == "json":
        parts = (annotation.heading, *annotation.notes, annotation.summary)
        said_warnings = [warning.rendered(options.lang) for warning in warnings]
        echo_json(b"".join(dump_notes(parts, said_warnings)))
    elif form == "gcg":
        echo_record(format_gcg(annotated_record(annotation, reader_language())))
    elif form == "html":
        click.echo(annotation_page(annotation, reader_language()).encode(), nl=False)
    else:
        _print(annotation)


def _print(annotation: Annotation) -> None:
    console = Console()
    for warning in annotation_text.warnings(annotation):
        console.print(plain("  " + said("Warning: {warning}.", warning=warning), "bold yellow"))
        console.print()
    print_table(_turns_table(annotation), console)
    console.print()
    for note in annotation.turns:
        if note.explanation is not None:
            console.print(Text(f"  {note.number}. {note.explanation.text}"), soft_wrap=True)
    if any(note.explanation is not None for note in annotation.turns):
        console.print()
    print_table(_summary_table(annotation), console)
    console.print(plain("  " + localized(annotation_text.judged_by(annotation)), "dim"))
    if any(note.rack_known == "inferred" for note in annotation.turns):
        console.print(plain(f"  {localized(annotation_text.INFERRED)}", "dim"))
    if any(player.luck_turns for player in annotation.summary.players):
        console.print(plain(f"  {localized(annotation_text.LUCK)}", "dim"), soft_wrap=True)
    for kind, detail in annotation_text.faults(annotation):
        console.print(plain("  " + localized(detail), "yellow" if kind == "warning" else "red"))


def _turns_table(annotation: Annotation) -> Table:
    players = annotation.heading.players
    title = annotation_text.title(annotation)
    table = Table(title=plain(title))
    table.add_column("", justify="right", style="dim")
    for name in (said("player"), said("rack"), said("played"), said("best")):
        table.add_column(name)
    for name in (said("equity lost"), said("win%"), said("win% lost"), said("luck")):
        table.add_column(name, justify="right")
    table.add_column(said("mistake"))
    for note in annotation.turns:
        cells = [str(note.number), players[note.player].nick, annotation_text.rack_text(note), _played(note)]
        cells += [_best(note), _number(note.equity_loss, 1)]
        cells.append(win_range_text(note.win_pct_after_low, note.win_pct_after_high, 1))
        cells += [_number(note.win_pct_loss, 1), _number(note.luck, 1)]
        remark = Text(
            said(_MISTAKES[note.mistake]) if note.mistake in _MISTAKES else "",
            STYLES.get(note.mistake or "", ""),
        )
        for extra in _remarks(note):
            remark.append_text(plain(f" {extra}" if remark else extra, "magenta"))
        table.add_row(*map(plain, cells), remark)
    return table


def _played(note: TurnNote) -> str:
    move = note.recorded if note.played is None or note.challenge == "taken_back" else note.played.move
    return f"{move} {note.score:+}"


def _best(note: TurnNote) -> str:
    if note.best is None:
        return ""
    if note.rank == 1:
        return "="
    return f"{note.best.move} {note.best.score:+}"


def _remarks(note: TurnNote) -> list[str]:
    remarks = []
    if note.phonies:
        remarks.append(said("phony {words}", words=list(note.phonies)))
    if note.challenge:
        remarks.append(said("taken back") if note.challenge == "taken_back" else f"{note.challenge_bonus:+}")
    if note.ends_game:
        remarks.append(said("goes out") if note.ends_game == "went_out" else said("ends the game"))
    if note.missed_bingo:
        remarks.append(said("missed {move}", move=note.missed_bingo))
    if note.not_judged:
        remarks.append(said(_NOT_JUDGED.get(note.not_judged, note.not_judged.replace("_", " "))))
    return remarks


def _summary_table(annotation: Annotation) -> Table:
    """Return a table with a column for each player."""
    players = annotation.summary.players
    table = Table()
    table.add_column("", style="dim")
    for player in players:
        table.add_column(plain(player.nick), justify="right")
    rows = {
        said("points"): [str(player.score) for player in players],
        said("turns"): [str(player.turns) for player in players],
        said("turns judged"): [str(player.judged) for player in players],
        said("accuracy"): [_number(player.accuracy, 0, " %") for player in players],
        said("equity lost a turn"): [_number(player.average_equity_loss, 1) for player in players],
        said("win% lost a turn"): [_number(player.average_win_pct_loss, 1) for player in players],
        said("small mistakes"): [str(player.mistakes.small) for player in players],
        said("medium mistakes"): [str(player.mistakes.medium) for player in players],
        said("large mistakes"): [str(player.mistakes.large) for player in players],
        said("bingos"): [str(player.bingos) for player in players],
        said("bingos missed"): [str(player.missed_bingos) for player in players],
        said("phonies"): [str(player.phonies) for player in players],
    }
    if any(player.luck_turns for player in players):
        rows[said("luck")] = [annotation_text.luck_text(player) for player in players]
    for name, cells in rows.items():
        table.add_row(name, *cells)
    return table


def _number(value: float | None, digits: int, unit: str = "") -> str:
    return "" if value is None else f"{value:z.{digits}f}{unit}"
