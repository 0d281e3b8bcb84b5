"""`kibitz experiment phonies`: what a lexicon is worth in a club that plays by another word list."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import click

from engine import Catalogue
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.progress import build_progress, steps_progress
from kibitz.cli.tables import print_table, result_table
from lab.experiments.phonies import run_phonies


@click.command("phonies")
@lexicon_option
@click.option(
    "--against",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="The word list of the club.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="Number of games with each list.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default="results",
    show_default=True,
    metavar="DIR",
    help="Folder of the result.",
)
def phonies_command(lexicon_id: str | None, against: Path, games: int, output: Path) -> None:
    """Compare a lexicon with the word list of a club.

    Prints precision and recall by length; the share of the plays that the static player recommends with the
    lexicon and the club does not accept; and the share of the plays of games with the club's list that the
    lexicon refuses. Writes a file phonies-LEXICON-list-NAME.json. Takes some seconds.

    \b
    kibitz experiment phonies --lexicon scowl80 --against twl06.txt
    """
    lexicon = open_lexicon(lexicon_id)
    with tempfile.TemporaryDirectory() as folder:
        catalogue = Catalogue(Path(folder))
        club_id = "list-" + re.sub("[^a-z0-9]+", "-", against.stem.lower())[:40]
        with build_progress(f"Building the tables of {against}") as progress:
            catalogue.build_from(against, lexicon.tile_set, lexicon_id=club_id, progress=progress)
        with steps_progress("Playing", "games") as steps:
            report = run_phonies(lexicon, catalogue.open(club_id), games, output, steps)
    rows = [
        (name, *(f"{row[key]:,}" for key in ("generated", "listed")), f"{row['precision']:.3f}",
         f"{row['recall']:.3f}")
        for name, row in report["lengths"].items()
    ]  # fmt: skip
    headings = ("letters", lexicon.id, club_id, "precision", "recall")
    print_table(result_table(f"{lexicon.id} beside {club_id}", headings, rows))
    for text, key in (
        ("{}: plays with a word that {} lacks", "phonies"),
        ("{1}: plays with a word that {0} lacks", "refused"),
    ):
        share = report[key]
        interval = ", ".join(f"{100 * share[bound]:.1f}" for bound in ("low", "high"))
        click.echo(f"{text.format(lexicon.id, club_id)}: {100 * share['value']:.1f} % [{interval}]")
