"""The tables that `kibitz lexicon report` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import plain

if TYPE_CHECKING:
    from rich.console import Console

    from engine import BingoFigures, LexiconStatistics


def word_tables(counted: LexiconStatistics) -> list[Table]:
    """Return the tables of internal words, of placed internal words, and of the thesis's ids."""
    return [_internal_words(counted), _placed_internal_words(counted), _id_ranges(counted)]


def _internal_words(counted: LexiconStatistics) -> Table:
    """Return the figures of internal words at any place: tables 5.1 and 5.3 of [Sanchez2025]."""
    *short, longest = counted.occurrences_by_length
    names = [*((n, f"of length {n}") for n in short), (longest, f"of length {longest} and more")]
    rows = [
        ("occurrences", f"{counted.placed_occurrences:,}"),
        *(
            (name, f"{100 * counted.occurrences_by_length[n] / counted.placed_occurrences:.1f} %")
            for n, name in names
        ),
        ("distinct internal words", f"{counted.internal_words:,}"),
        ("most frequent", f"{counted.most_common} with {counted.most_common_count:,}"),
        *_share_rows(counted.common_shares),
    ]
    return result_table("Internal words", ("figure", "value"), rows)


def _placed_internal_words(counted: LexiconStatistics) -> Table:
    """Return the figures of placed internal words: table 5.5 of [Sanchez2025]."""
    word, start, length = counted.most_frequent
    rows = [
        ("placed occurrences", f"{counted.placed_occurrences:,}"),
        ("distinct placed internal words", f"{counted.placed_internal_words:,}"),
        ("most frequent", f"({word}, {start}, {length}) with {counted.most_frequent_count:,}"),
        *_share_rows(counted.shares),
    ]
    return result_table("Placed internal words", ("figure", "value"), rows)


def _share_rows(shares: dict[int, float]) -> list[tuple[str, str]]:
    return [(f"frequency up to {limit}", f"{100 * share:.1f} %") for limit, share in shares.items()]


def _id_ranges(counted: LexiconStatistics) -> Table:
    """Return the ids that the thesis gives to strings: table 5.9 of [Sanchez2025]."""
    rows = [(name, f"{first:,}", f"{last:,}") for name, (first, last) in counted.id_ranges.items()]
    return result_table("Ids in the thesis's numbering", ("strings", "first", "last"), rows)


def bingo_json(bingos: BingoFigures) -> dict[str, Any]:
    """Return the numbers of bingos and the best leaves of each size, for JSON."""
    counts = bingos.counts
    return {
        "septets": counts.septets,
        "pure_septets": counts.pure_septets,
        "reduced_octets": counts.reduced_octets,
        "septets_and_reduced_octets": counts.total,
        "good_leaves": {str(n): dict(leaves) for n, leaves in bingos.good_leaves.items()},
        "only_in_the_text": bingos.only_printed,
    }


def print_bingos(console: Console, bingos: BingoFigures) -> None:
    """Print the numbers of bingos, the best leaves of each size, and those that only the text has."""
    counts = bingos.counts
    table = Table("figure", "value", title="Bingos: multisets of seven tiles")
    table.columns[1].justify = "right"
    table.add_row("septets", f"{counts.septets:,}")
    table.add_row("pure septets", f"{counts.pure_septets:,}")
    table.add_row("reduced octets", f"{counts.reduced_octets:,}")
    table.add_row("pure septets and reduced octets", f"{counts.total:,}")
    leaves = Table("n", "leaves", "the best, with their probability of a bingo")
    leaves.title = "R_n: leaves of n tiles on an empty board"
    for n, good in bingos.good_leaves.items():
        best = ", ".join(f"{leave or 'none'} {probability:.3f}" for leave, probability in good[:8])
        leaves.add_row(str(n), f"{len(good):,}", plain(best))
    for part in (table, leaves):
        console.print()
        print_table(part, console)
    for n, missing in (bingos.only_printed or {}).items():
        size = len(bingos.good_leaves[n])
        others = " ".join(missing)
        text = f"R_{n}: {size - len(missing)} of the text's {size}; it also has {others}"
        console.print(plain(text))
