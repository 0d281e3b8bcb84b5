"""The option --proof: certificates of searches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from engine import Deadline
from kibitz.cli.files import write_atomically
from kibitz.cli.interruption import until_interrupted
from kibitz.cli.progress import steps_progress
from kibitz.cli.terminal import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import EndgameProof, PreendgameProof

proof_option: Final = click.option(
    "--proof",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a certificate of the result, which can be checked without a search.",
)


def check_one_position(context: click.Context) -> None:
    """Raise UsageError if the positions come from standard input: a certificate is of one."""
    if context.params["proof"] and "-" in (context.params["cgp"], context.params["option"]):
        raise click.UsageError("--proof takes one position, not those of standard input.")


def write_proof(path: Path, prove: Callable[..., EndgameProof | PreendgameProof | None]) -> bool:
    """Write the certificate that `prove` returns; return False, and write nothing, if Ctrl-C stops it.

    `prove`: `prove_endgame` or `prove_draws` with all arguments but `deadline` and `progress`; what it raises
    is raised.
    """
    deadline = Deadline()
    with steps_progress("Proving", "answers") as progress:
        proof, _ = until_interrupted(lambda: prove(deadline=deadline, progress=progress), deadline)
    if proof is None:
        return False
    write_atomically(path, proof.to_json())
    click.echo(f"The certificate is in {shown(str(path))}", err=True)
    return True
