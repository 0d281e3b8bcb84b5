"""`kibitz annotate`: every turn of a recorded game beside the best move; its options are those of batch."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine import (
    DEFAULT_LANGUAGE,
    ENDGAME_NODES,
    EVALUATORS,
    KNOWN_RARITY,
    MAX_KNOWN_RARITY,
    OPPONENT_MODELS,
    SIMULATIONS,
    AnnotationOptions,
    Catalogue,
    annotate,
    annotated_record,
    annotation_simulation,
    format_gcg,
    format_move,
    message,
    read_gcg,
    record_lexicon,
)
from kibitz.archives.bounded_file import RECORD_BYTES_READ
from kibitz.cli.files import faults_of, write_atomically
from kibitz.cli.language import localized, reader_language, said
from kibitz.cli.lexicons import echo_warnings, open_lexicon
from kibitz.cli.options import explain_options
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table
from kibitz.cli.terminal import echo_json, echo_record, plain
from service import annotation_text
from service.annotation_report import annotation_page
from service.schemas.annotation_answers import dump_notes
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Annotation, Notice, TurnNote

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
_FORMS = {".json": "json", ".ndjson": "json", ".gcg": "gcg", ".html": "html"}
STYLES = {"none": "green", "small": "yellow", "medium": "dark_orange", "large": "bold red"}


def _names(_: click.Context, __: click.Parameter, text: str | None) -> tuple[str, ...]:
    return tuple([name.strip() for name in (text or "").split(",") if name.strip()])


_OPTIONS = (
    click.option(
        "--lexicon",
        "lexicon_ids",
        metavar="ID,ID",
        callback=_names,
        help="The lexicon whose words count; of several the first with the tiles of the record. [default: "
        "the record's, else KIBITZ_LEXICON, else club, else one with the tiles of the record]",
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
        "--seconds",
        type=click.FloatRange(0, min_open=True),
        help="Time limit for each game. Every turn gets a share: it is simulated, or near the end of the "
        "game searched, until it is decided or its share has passed.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        help="Seed of the random numbers of a simulation and of --explain.",
    ),
    click.option(
        "--rarity",
        type=click.IntRange(1, MAX_KNOWN_RARITY),
        default=KNOWN_RARITY,
        show_default=True,
        help="Players are taken to know the words that are formed at least once in so many games of the "
        "computer with itself; losses are split by them if kibitz train words counted the words.",
    ),
    explain_options,
)


def annotation_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command, which is called with `lexicon_ids` and `options`."""

    @wraps(command)
    def wrapped(
        evaluator: str,
        endgame_nodes: int,
        method: str | None,
        iterations: int | None,
        candidates: int | None,
        opponent: str | None,
        seconds: float | None,
        seed: int,
        rarity: int,
        explain: bool,
        **rest: Any,
    ) -> None:
        given = {"iterations": iterations, "candidates": candidates, "opponent_model": opponent}
        chosen = {name: value for name, value in given.items() if value is not None}
        if chosen and method is None:
            raise click.UsageError("--iterations, --candidates and --opponent need --simulate")
        if iterations is not None and seconds is not None:
            raise click.UsageError("--seconds and --iterations exclude each other")
        plan = None if method is None else annotation_simulation(method, **chosen)
        chosen_seed = seed if plan or seconds or explain else 1
        lang = reader_language() if explain else DEFAULT_LANGUAGE
        options = AnnotationOptions(evaluator, endgame_nodes, plan, chosen_seed, explain, lang, rarity=rarity)
        command(**rest, options=options.within(seconds))

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


@click.command("annotate")
@click.argument("file", type=click.File("rb"))
@annotation_options
@click.option("--json", "form", flag_value="json", help="Print the answer of POST /games/annotate as NDJSON.")
@click.option("--gcg", "form", flag_value="gcg", help="Print the record with the annotations as notes.")
@click.option("--html", "form", flag_value="html", help="Print a web page with boards and a win% chart.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what --json, --gcg or --html prints to FILE; without them its ending chooses: .ndjson, .gcg "
    "or .html.",
)
def annotate_command(
    file: IO[bytes],
    lexicon_ids: tuple[str, ...],
    options: AnnotationOptions,
    form: str | None,
    output: Path | None,
) -> None:
    """Annotate a recorded game: each turn beside the best move, and what it lost.

    FILE is a record in the GCG format, "-" reads it from standard input. A turn is judged only if its full
    rack is known; * marks a rack whose other tiles are unknown. Simulation needs a game of two. A
    mistake that loses up to 3 win% is small, up to 7 medium, above that large; with an empty bag the bounds
    are 7 and 15 points. What a player lost is split into words that few players know and choice among the
    others. With --explain a turn says what it lost and why, and how lucky its draw was. Without
    simulation a game takes about a second; with --seconds 60 its turns share a minute of searches.

    \b
    kibitz annotate game.gcg
    kibitz annotate game.gcg --explain --output game.html
    kibitz annotate game.gcg --seconds 60
    """
    form = _form(form, output)
    reading = read_gcg(file.read(RECORD_BYTES_READ))
    settings = Settings.from_environment()
    lexicon, warnings = record_lexicon(
        reading.record, lexicon_ids, settings.lexicon, Catalogue(settings.data), open_lexicon
    )
    options = replace(options, lang=reader_language())
    faults = (*reading.faults, *reading.warnings)
    # Without simulation the work is done before a progress bar could be seen.
    bar = steps_progress("annotating", "events") if options.simulate else nullcontext()
    with faults_of(getattr(file, "name", "-")), bar as progress:  # a buffer in place of a file has no name
        annotation = annotate(reading.record, lexicon, options, faults, progress)
    if form is None:
        _print(annotation, annotation_text.warnings(annotation) or [notice.detail for notice in warnings])
        return
    if form != "json":  # whose lines have the warnings
        echo_warnings([notice.detail for notice in warnings])
    written = _written(annotation, warnings, form)
    if output is not None:
        write_atomically(output, written)
    elif form == "json":
        echo_json(written)
    elif form == "gcg":
        echo_record(written.decode())
    else:
        click.echo(written, nl=False)


def _form(form: str | None, output: Path | None) -> str | None:
    """Return "json", "gcg" or "html", None for tables; raise click.UsageError for a file without a form."""
    if form is None and output is not None:
        form = _FORMS.get(output.suffix.lower())
        if form is None:
            raise click.UsageError(f"--output {output} needs --json, --gcg or --html, or such an ending")
    return form


def _written(annotation: Annotation, warnings: Sequence[Notice], form: str) -> bytes:
    language = reader_language()
    if form == "json":
        parts = (annotation.heading, *annotation.notes, annotation.summary)
        return b"".join(dump_notes(parts, [warning.rendered(language) for warning in warnings]))
    if form == "gcg":
        return format_gcg(annotated_record(annotation, language)).encode()
    return annotation_page(annotation, language).encode()


def _print(annotation: Annotation, warnings: Sequence[str]) -> None:
    console = Console()
    for warning in warnings:
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
    console.print(plain(f"  {localized(annotation_text.known_words(annotation))}.", "dim"), soft_wrap=True)
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
        loss, win = note.loss, None if note.played is None else note.played.win
        cells += [_best(note), _number(None if loss is None else loss.equity, 1)]
        cells.append("" if win is None else win.text(1))
        cells.append(_number(None if loss is None else loss.win_pct, 1))
        cells.append(_number(None if note.luck is None else note.luck.value, 1))
        remark = Text(
            said(_MISTAKES[note.mistake]) if note.mistake in _MISTAKES else "",
            STYLES.get(note.mistake or "", ""),
        )
        for extra in _remarks(note):
            remark.append_text(plain(f" {extra}" if remark else extra, "magenta"))
        table.add_row(*map(plain, cells), remark)
    return table


def _played(note: TurnNote) -> str:
    move = note.recorded if note.played is None or note.challenge == "taken_back" else note.played.text
    return f"{move} {note.score:+}"


def _best(note: TurnNote) -> str:
    if note.best is None:
        return ""
    if note.judged.rank == 1:
        return "="
    return f"{note.best.text} {note.best.score:+}"


def _remarks(note: TurnNote) -> list[str]:
    remarks = []
    if note.phonies:
        remarks.append(said("phony {words}", words=list(note.phonies)))
    if note.challenge:
        remarks.append(said("taken back") if note.challenge == "taken_back" else f"{note.challenge_bonus:+}")
    if note.ends_game:
        remarks.append(said("goes out") if note.ends_game == "went_out" else said("ends the game"))
    if (missed := note.judged.missed_bingo) is not None:
        remarks.append(said("missed {move}", move=format_move(missed, note.position.tile_set)))
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
        said("Mistake Index"): [_number(player.mistake_index, 1) for player in players],
        said("bingos"): [str(player.bingos) for player in players],
        said("bingos missed"): [str(player.missed_bingos) for player in players],
        said("phonies"): [str(player.phonies) for player in players],
    }
    if any(player.estimated_rating is not None for player in players):
        rows[said("estimated rating")] = [_number(player.estimated_rating, 0) for player in players]
    if any(player.blown_endgames for player in players):
        rows[said("endgames blown")] = [str(player.blown_endgames) for player in players]
    if any(player.luck_turns for player in players):
        rows[said("luck")] = [annotation_text.luck_text(player) for player in players]
    if annotation.heading.known_words is not None:
        rows[said("lost by words")] = [_number(player.words_loss, 1) for player in players]
        rows[said("lost by choice")] = [_number(player.choice_loss, 1) for player in players]
    for name, cells in rows.items():
        table.add_row(name, *cells)
    return table


def _number(value: float | None, digits: int, unit: str = "") -> str:
    return "" if value is None else f"{value:z.{digits}f}{unit}"
