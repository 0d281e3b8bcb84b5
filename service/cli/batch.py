"""`kibitz batch`: annotate every record of a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.batch import SUMMARY, Batch, totals
from service.cli.annotation_options import annotation_options
from service.cli.progress import steps_progress
from service.cli.terminal import shown
from service.settings import Settings

if TYPE_CHECKING:
    from engine import AnnotationOptions
    from service.batch import Outcome


FAULTY = 1
"""The exit code if a record was refused or has a fault, as of kibitz record check."""

FAULTS_TOLD = 3
"""How many faults of a record are printed; all of them stand in the summary."""

LEFT_TOLD = 5
"""How many annotations without a record are named; all of them stand in the summary."""


@click.command("batch")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="Where the annotations go; made if need be.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes to share the work.",
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
    """Annotate all records (*.gcg) in DIRECTORY and the folders in it.

    Each record gives one file in the output folder, under the same name with .ndjson behind it: the lines
    that POST /games/annotate answers, after one that says of what they were made. A record that cannot be
    read gives a file that says why. Stopped, it goes on where it was: what is up to date is not made again.
    The files do not depend on the number of workers. summary.json holds the totals, and what is wrong with
    each record. The file of a record that is no longer there is kept, counts for nothing, and is named at
    the end as left from before. The exit status is 1 if any record was refused or has a fault; the others
    are annotated.

    \b
    kibitz batch DIRECTORY --output annotated --workers 4
    """
    batch = Batch(
        directory,
        output,
        lexicon_id,
        options,
        Settings.from_environment(),
    )
    with steps_progress("annotating", "records") as progress:
        progress(0, max(1, len(batch.files)))
        outcomes: list[Outcome] = []
        for outcome in batch.run(workers):
            outcomes.append(outcome)
            refused = sum(each.error is not None for each in outcomes)
            progress(len(outcomes), len(batch.files), f"{refused} refused" if refused else "")
    summed = {**totals(outcomes), "left_from_before": batch.left_over()}
    batch.save_summary(summed)
    if as_json:
        click.echo(json.dumps(summed, indent=2))
    else:
        _print(summed, outcomes, batch)
    if summed["errors"] or summed["faults"]:
        raise click.exceptions.Exit(FAULTY)


def _print(summed: dict[str, Any], outcomes: list[Outcome], batch: Batch) -> None:
    output = batch.output
    for outcome in outcomes:
        file = shown(str(batch.directory / outcome.name))
        if outcome.error is not None:
            click.echo(f"{file}: refused: {shown(outcome.error)}")
        for fault in outcome.faults[:FAULTS_TOLD]:
            click.echo(f"{file}: {shown(fault)}")
        if more := len(outcome.faults[FAULTS_TOLD:]):
            click.echo(f"{file}: and {more} more, in {output / SUMMARY}")
    made = sum(outcome.fresh for outcome in outcomes)
    click.echo(
        f"{summed['records']} records in {output}: {summed['annotated']} annotated, "
        f"{summed['refused']} refused, {summed['with_faults']} with faults; {made} made now."
    )
    if left := summed["left_from_before"]:
        others = f" and {len(left) - LEFT_TOLD} more" if len(left) > LEFT_TOLD else ""
        click.echo(f"left from before, without a record now: {shown(', '.join(left[:LEFT_TOLD]))}{others}")
    mistakes = summed["mistakes"]
    click.echo(
        f"{summed['turns']} turns, {summed['judged']} judged: "
        f"{mistakes['small']} small, {mistakes['medium']} medium, {mistakes['large']} large mistakes; "
        f"{summed['equity_loss']:.1f} points lost; {summed['bingos']} bingos, "
        f"{summed['missed_bingos']} missed; {summed['phonies']} phonies."
    )
