"""`kibitz experiment check-proof`: a certificate of an endgame or pre-endgame, checked without a search."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

import click
import orjson

from kibitz.cli.files import faults_of
from kibitz.cli.lexicons import open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.terminal import shown
from lab.certificate import ENDGAME, read_proof
from lab.draw_checker import check_draws
from lab.proof_checker import check_proof


@click.command("check-proof")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def check_proof_command(file: Path, as_json: bool) -> None:
    """Check a certificate that `kibitz endgame --proof FILE` or `kibitz preendgame --proof FILE` has written.

    The checker has no search. It lists every move of the opponent of each strategy by the slow reference
    generator, plays the answer of the file, and adds up the points. For an endgame these are 200 lines, in
    lab/proof_checker.py; for a pre-endgame lab/draw_checker.py uses them for each draw. A file that does not
    prove what it says is refused with one line, which names the position and the move, and exit status 2.

    \b
    kibitz experiment check-proof FILE
    """
    began = perf_counter()
    with faults_of(file):
        proof = read_proof(file.read_bytes())
        check = check_proof if proof["format"] == ENDGAME else check_draws
        positions, answers = check(proof, open_lexicon(proof["lexicon"]))
    seconds = perf_counter() - began
    if as_json:
        result = {name: proof[name] for name in ("value", "move", "win_pct") if name in proof}
        found = {"positions": positions, "answers": answers, "seconds": round(seconds, 2)}
        click.echo(orjson.dumps({"cgp": proof["cgp"], **result, **found}))
        return
    click.echo(shown(proof["cgp"]))
    click.echo(confirmed(proof))
    click.echo(f"{answers:,} answers in {positions:,} positions, {seconds:.1f} s")


def confirmed(proof: dict[str, Any]) -> str:
    """Return what a certificate proves."""
    if proof["format"] == ENDGAME:
        return (
            f"confirmed: the value is {proof['value']:+d}, the change of the spread until the end of the game"
        )
    draws = ", ".join([f"{shown(draw['bag'])} {draw['win']:g}" for draw in proof["draws"]])
    return f"confirmed: {shown(proof['move'])} wins {proof['win_pct']:.2f} % of the draws ({draws})"
