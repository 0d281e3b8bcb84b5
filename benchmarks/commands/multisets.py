"""`kibitz bench multisets`: representations of letter multisets compared."""

from __future__ import annotations

import click
import orjson

from benchmarks.commands.positions import repeat_option
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import only_json_option
from lab.multisets.multiset_timings import multiset_timings


@click.command("multisets")
@lexicon_option
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    default=65_536,
    show_default=True,
    help="Number of pairs of multisets.",
)
@repeat_option(15)
@only_json_option
def multisets_command(lexicon_id: str | None, pairs: int, repeat: int) -> None:
    """Measure sum and inclusion of letter multisets in every representation; print JSON.

    The output counts feasible exceedances and triads of the Parity-Exceedance Representation, then gives
    medians in nanoseconds for that representation, the additive key, packed counters, and the bit planes that
    the kernels use.

    \b
    kibitz bench multisets
    """
    report = multiset_timings(open_lexicon(lexicon_id), pairs=pairs, passes=repeat)
    click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
