"""`kibitz batch`: annotate every record of a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.cli.annotate import annotation_options
from service.cli.progress import steps_progress
from service.cli.record_folder import SUMMARY, FolderWork, RecordFolder, totals
from service.cli.terminal import shown
from service.settings import Settings

if TYPE_CHECKING:
    from engine import AnnotationOptions
    from service.cli.record_folder import Outcome

FAULTY = 1
"""The exit code if a record was refused or has a fault, the same as that of kibitz record check."""

FAULTS_SHOWN = 3
"""How many faults of a record are printed; the summary lists all."""

LEFT_SHOWN = 5
"""How many annotations without a record are named; the summary lists all."""


@click.command("batch")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder for the annotations; created if it is missing.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes that share the work.",
)
@annotation_options
@click.option("--json", "as_json", is_flag=True, help="Print the totals as JSON.")
def batch_command(
    directory: Path,
    output: Path,
    workers: int,
    lexicon_id: str | None,
    options: AnnotationOptions,
    as_json: bool,
) -> None:
    """Annotate all records (*.gcg) in DIRECTORY and its subfolders.

    For each record the output folder gets a file of the same name with .ndjson appended: a line that names
    the record, lexicon and options, then the lines of POST /games/annotate as NDJSON. For a record that
    cannot be read, the file says why. summary.json holds the totals and the faults of each record.

    A stopped command continues where it was: files that are up to date are not written again. The files do
    not depend on the number of workers. Annotations whose records have been removed stay, and are listed at
    the end. The exit code is 1 if any record was refused or has a fault; the others are annotated. Without
    simulation each worker annotates about one game a second.

    \b
    kibitz batch DIRECTORY --output annotated --workers 4
    """
    settings = Settings.from_environment()
    work = FolderWork(directory, output, lexicon_id, options, settings.data, settings.lexicon, settings.simd)
    folder = RecordFolder(work)
    with steps_progress("annotating", "records") as progress:
        progress(0, max(1, len(folder.files)))
        outcomes: list[Outcome] = []
        for outcome in folder.annotate(workers):
            outcomes.append(outcome)
            refused = sum(each.error is not None for each in outcomes)
            progress(len(outcomes), len(folder.files), f"{refused} refused" if refused else "")
    summed = {**totals(outcomes), "left_from_before": folder.left_over()}
    folder.save_summary(summed)
    if as_json:
        click.echo(json.dumps(summed, indent=2))
    else:
        _print(summed, outcomes, work)
    if summed["errors"] or summed["faults"]:
        raise click.exceptions.Exit(FAULTY)


def _print(summed: dict[str, Any], outcomes: list[Outcome], work: FolderWork) -> None:
    output = work.output
    for outcome in outcomes:
        file = shown(str(work.directory / outcome.name))
        if outcome.error is not None:
            click.echo(f"{file}: refused: {shown(outcome.error)}")
        for fault in outcome.faults[:FAULTS_SHOWN]:
            click.echo(f"{file}: {shown(fault)}")
        if more := len(outcome.faults[FAULTS_SHOWN:]):
            click.echo(f"{file}: and {more} more, in {output / SUMMARY}")
    made = sum(outcome.fresh for outcome in outcomes)
    click.echo(
        f"{summed['records']} records in {output}: {summed['annotated']} annotated, "
        f"{summed['refused']} refused, {summed['with_faults']} with faults; {made} written now."
    )
    if left := summed["left_from_before"]:
        others = f" and {len(left) - LEFT_SHOWN} more" if len(left) > LEFT_SHOWN else ""
        click.echo(f"annotations whose records are gone: {shown(', '.join(left[:LEFT_SHOWN]))}{others}")
    mistakes = summed["mistakes"]
    phonies = "phony" if summed["phonies"] == 1 else "phonies"
    bingos = "bingo" if summed["bingos"] == 1 else "bingos"
    click.echo(
        f"{summed['turns']} turns, {summed['judged']} judged: "
        f"{mistakes['small']} small, {mistakes['medium']} medium, {mistakes['large']} large mistakes; "
        f"{summed['equity_loss']:.1f} points lost; {summed['bingos']} {bingos}, "
        f"{summed['missed_bingos']} missed; {summed['phonies']} {phonies}."
    )
