"""`kibitz batch`: annotate every record of a folder or an archive."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.archives.archive_members import SUMMARY
from kibitz.archives.record_annotator import FolderWork
from kibitz.archives.turns_file import TURNS_FILE, TurnsFile
from kibitz.cli.annotate import annotation_options
from kibitz.cli.lexicons import open_lexicon
from kibitz.cli.options import cluster_option, json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.record_folder import RecordFolder, RecordTotals
from kibitz.cli.terminal import shown
from kibitz.cli.workers import record_workers, refuse_both
from service.settings import Settings

if TYPE_CHECKING:
    from engine import AnnotationOptions
    from kibitz.cli.record_folder import Outcome

FAULTY = 1
"""The exit code if a record was refused or has a fault, the same as that of kibitz record check."""

FAULTS_SHOWN = 3
"""How many faults of a record are printed; the summary lists all."""

LEFT_SHOWN = 5
"""How many annotations without a record are named; the summary lists all."""


@click.command("batch")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
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
@cluster_option
@click.option("--parquet", is_flag=True, help=f"Also write DIR/{TURNS_FILE}: a row for each turn.")
@annotation_options
@json_option
def batch_command(
    source: Path,
    output: Path,
    workers: int,
    cluster: str | None,
    parquet: bool,
    lexicon_ids: tuple[str, ...],
    options: AnnotationOptions,
    as_json: bool,
) -> None:
    """Annotate all records (*.gcg, *.json) in SOURCE, a folder or an archive, or one record.

    An archive is a zip or a tar, which may be compressed by gzip, bzip2 or xz. Records are also found in the
    subfolders of a folder, and in archives in them.

    For each record the output folder gets a file of the same name with .ndjson appended: a line that names
    the record, lexicon and options, then the lines of POST /games/annotate as NDJSON. For a record that
    cannot be read, the file says why. Records of several languages can be annotated in one run: each with the
    first of the lexicons named that has its tiles, else with one installed. summary.json holds the totals and
    the faults of each record, by code and line. With --parquet (which needs the extra: pip install
    'kibitz[parquet]') the turns of all records are written to one table too, which kibitz report, pandas,
    DuckDB and Spark read.

    A stopped command continues where it was: files that are up to date are not written again. The files do
    not depend on the workers. Those of a cluster need the lexicons, but neither SOURCE nor DIR. Annotations
    whose records have been removed stay, and are listed at the end. The exit code is 1 if any record was
    refused or has a fault; the others are annotated. Without simulation each worker annotates a few games a
    second, with --explain one.

    \b
    kibitz batch DIRECTORY --output annotated --workers 4
    kibitz batch games.tar.gz --output annotated --parquet --explain
    kibitz batch games.zip --output annotated --lexicon scowl80,german,polish
    kibitz batch games.tar.gz --output annotated --cluster tcp://host:8786
    """
    settings = Settings.from_environment()
    work = FolderWork(source, output, lexicon_ids, options, settings.data, settings.lexicon, settings.simd)
    folder = RecordFolder(work)
    turns = TurnsFile(output / TURNS_FILE) if parquet else None
    for lexicon_id in lexicon_ids or (settings.lexicon,):
        open_lexicon(lexicon_id)  # builds its tables if they are missing, or ends the command
    totals, total = RecordTotals(), len(folder.names)
    if cluster is not None:
        refuse_both("workers")
    with (
        record_workers(work, min(workers, max(1, total)), cluster) as annotators,
        turns or nullcontext(),
        steps_progress("annotating", "records") as progress,
    ):
        progress(0, max(1, total))
        for outcome in folder.annotate(annotators):
            totals.add(outcome)
            if turns is not None:
                turns.add(outcome.lines)
            progress(
                totals.done, max(totals.done, total), f"{totals.refused} refused" if totals.refused else ""
            )
    summed = {**totals.as_dict(), "left_from_before": folder.left_over()}
    folder.save_summary(summed)
    if as_json:
        click.echo(json.dumps(summed, indent=2))
    else:
        _print(summed, totals, work)
    if totals.faulty:
        raise click.exceptions.Exit(FAULTY)


def _print(summed: dict[str, Any], totals: RecordTotals, work: FolderWork) -> None:
    output = work.output
    for outcome in totals.faulty:
        _print_faults(outcome, work)
    click.echo(
        f"{summed['records']} records in {output}: {summed['annotated']} annotated, "
        f"{summed['refused']} refused, {summed['with_faults']} with faults; {totals.fresh} written now."
    )
    if left := summed["left_from_before"]:
        others = f" and {len(left) - LEFT_SHOWN} more" if len(left) > LEFT_SHOWN else ""
        click.echo(f"annotations whose records are gone: {shown(', '.join(left[:LEFT_SHOWN]))}{others}")
    if len(used := summed["lexicons"]) > 1:
        click.echo(f"by lexicon: {', '.join([f'{count} {name}' for name, count in used.items()])}.")
    mistakes = summed["mistakes"]
    phonies = "phony" if summed["phonies"] == 1 else "phonies"
    bingos = "bingo" if summed["bingos"] == 1 else "bingos"
    click.echo(
        f"{summed['turns']} turns, {summed['judged']} judged: "
        f"{mistakes['small']} small, {mistakes['medium']} medium, {mistakes['large']} large mistakes; "
        f"{summed['equity_loss']:.1f} points lost; {summed['bingos']} {bingos}, "
        f"{summed['missed_bingos']} missed; {summed['phonies']} {phonies}."
    )


def _print_faults(outcome: Outcome, work: FolderWork) -> None:
    alone = work.source.name == outcome.name
    file = shown(str(work.source if alone else work.source / outcome.name))
    if outcome.error is not None:
        click.echo(f"{file}: refused: {outcome.error['code']}: {shown(outcome.error['detail'])}")
    for fault in outcome.faults[:FAULTS_SHOWN]:
        click.echo(f"{file}: {fault['code']}: {shown(fault['detail'])}")
    if more := len(outcome.faults[FAULTS_SHOWN:]):
        click.echo(f"{file}: and {more} more, in {work.output / SUMMARY}")
