"""`kibitz bench multisets`: letter multisets in one integer against the forms of the kernels, as JSON."""

from __future__ import annotations

import click
import orjson

from engine import multiset_timings
from service.cli.lexicons import lexicon_option, open_lexicon


@click.command("multisets")
@lexicon_option
@click.option(
    "--pairs", type=click.IntRange(min=1), default=65_536, show_default=True, help="Pairs of multisets."
)
@click.option(
    "--passes", type=click.IntRange(min=1), default=15, show_default=True, help="Passes to measure."
)
def multisets_command(lexicon_id: str | None, pairs: int, passes: int) -> None:
    """Measure sum and inclusion of letter multisets, in nanoseconds, in every form.

    Prints JSON: the counts of the Parity-Exceedance Representation (feasible exceedances, triads), then the
    medians of each form: that representation, the additive key, packed counters, the planes of the kernels.

    \b
    kibitz bench multisets
    """
    report = multiset_timings(open_lexicon(lexicon_id), pairs=pairs, passes=passes)
    click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
