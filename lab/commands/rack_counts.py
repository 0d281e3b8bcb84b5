"""`kibitz experiment racks`: how many racks and pairs of racks the bag can deal."""

from __future__ import annotations

import click

from engine import tile_set, tile_set_ids
from kibitz.cli.tables import print_table, result_table
from lab.experiments.rack_counts import PRINTED, PRINTED_PAIRS, rack_counts, rack_pairs


@click.command("racks")
@click.option(
    "--tiles",
    "names",
    multiple=True,
    metavar="SET",
    type=click.Choice(tile_set_ids()),
    help=f"A tile set; may be repeated. [default: {', '.join(PRINTED)}]",
)
def racks_command(names: tuple[str, ...]) -> None:
    """Count the distinct racks of 1 to 7 tiles that the full bag can deal, and the pairs of two racks of 7.

    The figures are exact. Those of Spanish, English and French stand beside the published ones, which give
    the number of pairs as two estimates.

    \b
    kibitz experiment racks
    kibitz experiment racks --tiles german
    """
    rows: list[tuple[str | None, ...]] = []
    for name in names or PRINTED:
        tiles = tile_set(name)
        counted, printed = rack_counts(tiles), PRINTED.get(name)
        for size, ours in enumerate(counted, 1):
            rows.append((name, str(size), f"{ours:,}", f"{printed[size - 1]:,}" if printed else None))
        rows.append((name, "1 to 7", f"{sum(counted):,}", f"{sum(printed):,}" if printed else None))
        estimates = PRINTED_PAIRS.get(name)
        about = " and ".join(f"{value:.3g}" for value in estimates) if estimates else None
        rows.append((name, "7 and 7", f"{rack_pairs(tiles):,}", about))
    print_table(result_table("Distinct racks", ("tile set", "tiles", "racks", "published"), rows))
