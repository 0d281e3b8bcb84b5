"""`kibitz experiment spanish`: the words generated from Spanish lemmas beside a word list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli.progress import steps_progress
from kibitz.cli.spanish import text_lines
from kibitz.cli.tables import print_table, result_table
from lab.experiments.spanish import KINDS, run_spanish
from lexicons.spanish_words import SPANISH_LEMMAS, read_lemmas

if TYPE_CHECKING:
    from rich.table import Table

_file = click.Path(path_type=Path, dir_okay=False)


@click.command("spanish")
@click.option(
    "--lemmas",
    "lemmas_file",
    type=_file,
    default=SPANISH_LEMMAS,
    metavar="FILE",
    help="Labelled lemmas. [default: those of kibitz]",
)
@click.option("--against", type=_file, required=True, metavar="FILE", help="The word list to compare with.")
@click.option("--beside", type=_file, metavar="FILE", help="Another word list, compared in the same table.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default="results",
    show_default=True,
    metavar="DIR",
    help="Folder of the result.",
)
def spanish_command(lemmas_file: Path, against: Path, beside: Path | None, output: Path) -> None:
    """Compare the words generated from Spanish lemmas with a word list of your own, such as FILE 2017.

    Prints precision and recall by number of tiles, and the commonest kinds of errors with what each would
    need. Writes all kinds to spanish.json. Files may be compressed with xz. Takes a minute or two.

    \b
    kibitz experiment spanish --against file2017.txt
    """
    lemmas = list(read_lemmas(text_lines(lemmas_file)))
    with steps_progress("Comparing", "lemmas") as progress:
        report = run_spanish(
            lemmas, text_lines(against), text_lines(beside) if beside else [], output, progress
        )
    print_table(_lengths_table(report))
    click.echo()
    print_table(_errors_table(report))
    click.echo(f"Results are in {output / 'spanish.json'}")


def _lengths_table(report: dict[str, Any]) -> Table:
    lengths = report["lengths"]
    rows = []
    for length, row in lengths["generated"].items():
        cells = [f"{row['listed']:,}"]
        for name in ("generated", "beside"):
            other = lengths.get(name, {}).get(length)
            if other is None:
                cells += ["", "", ""]
            else:
                cells += [f"{other['generated']:,}", f"{other['precision']:.3f}", f"{other['recall']:.3f}"]
        rows.append((length, *cells))
    headings = ("tiles", "list", "generated", "precision", "recall", "beside", "its precision", "its recall")
    return result_table(f"Words of {report['lemmas']:,} lemmas", headings, rows)


def _errors_table(report: dict[str, Any]) -> Table:
    rows = [
        (kind["side"], f"{kind['words']:,}", kind["name"], kind["needs"], ", ".join(kind["examples"]))
        for kind in report["errors"][:KINDS]
    ]
    headings = ("side", "words", "kind", "needs", "examples")
    title = f"The {min(KINDS, len(report['errors']))} commonest kinds of errors"
    return result_table(title, headings, rows, text=("kind", "needs", "examples"))
