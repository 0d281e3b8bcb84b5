"""`kibitz experiment check-proof`: a certificate of an endgame, checked without a search."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import click
import orjson

from kibitz.cli.files import faults_of
from kibitz.cli.lexicons import open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.terminal import shown
from lab.proof_checker import check_proof, read_proof


@click.command("check-proof")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def check_proof_command(file: Path, as_json: bool) -> None:
    """Check a certificate of an endgame that `kibitz endgame --proof FILE` has written.

    The checker, 200 lines in lab/proof_checker.py, has no search. It lists every move of the opponent of each
    strategy by the slow reference generator, plays the answer of the file, and adds up the points. A file
    that does not prove its value is refused with one line, which names the position and the move, and exit
    status 2.

    \b
    kibitz experiment check-proof FILE
    """
    began = perf_counter()
    with faults_of(file):
        proof = read_proof(file.read_bytes())
        positions, answers = check_proof(proof, open_lexicon(proof["lexicon"]))
    seconds = perf_counter() - began
    if as_json:
        found = {"value": proof["value"], "positions": positions, "answers": answers}
        click.echo(orjson.dumps({"cgp": proof["cgp"], **found, "seconds": round(seconds, 2)}))
        return
    click.echo(shown(proof["cgp"]))
    click.echo(
        f"confirmed: the value is {proof['value']:+d}, the change of the spread until the end of the game"
    )
    click.echo(f"{answers:,} answers in {positions:,} positions, {seconds:.1f} s")
