"""`kibitz experiment levels`: does the report of an archive rank players of known levels rightly?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import seed_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.report import print_report
from lab.experiments.levels import misranked, run_levels

if TYPE_CHECKING:
    from kibitz.archives.player_reports import Ratio


_NAMES: Final = tuple([str(level) for level in range(1, 11)])


class _Levels(click.ParamType[tuple[int, ...]]):
    """Take levels such as 1-9 or 3,9,10."""

    name = "levels"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return the levels in increasing order; fail for fewer than two."""
        found: set[int] = set()
        for part in value.split(","):
            first, _, last = part.partition("-")
            ends = [click.Choice(_NAMES).convert(end, param, ctx) for end in (first, last or first)]
            found.update(range(int(ends[0]), int(ends[1]) + 1))
        if len(found) < 2:
            self.fail("give at least two levels, such as 1-9", param, ctx)
        return tuple(sorted(found))


@click.command("levels")
@lexicon_option
@click.option(
    "--levels",
    type=_Levels(),
    default="1-9",
    show_default=True,
    help="The levels of kibitz play that play each other; level 10 thinks for a second a move.",
)
@click.option(
    "--games", type=click.IntRange(min=2), default=10_000, show_default=True, help="Number of games."
)
@seed_option
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes that annotate.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default="results/levels",
    show_default=True,
    metavar="DIR",
    help="Folder of the games and annotations; a stopped experiment continues from the files there.",
)
def levels_command(
    lexicon_id: str | None, levels: tuple[int, ...], games: int, seed: int, workers: int, output: Path
) -> None:
    """Annotate games of players of different levels, and see whether the report ranks them rightly.

    Turns with an empty bag are judged without a search. Needs the extra: pip install 'kibitz[parquet]'. The
    exit code is 1 if a higher level loses more equity a turn than the level below it.

    \b
    kibitz experiment levels --games 720 --workers 2
    """
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("levels", "games") as progress:

        def show(work: str, done: int, total: int) -> None:
            progress(done, total, work)

        report = run_levels(lexicon.id, levels, games, seed, workers, output, show)
    print_report(report)
    click.echo()
    wrong = {
        "equity lost a turn": misranked(report, levels, lambda player: -_value(player.equity_lost)),
        "accuracy": misranked(report, levels, lambda player: _value(player.accuracy)),
    }
    for name, pairs in wrong.items():
        said = ", ".join(f"{low} above {high}" for low, high in pairs) or "all levels in their order"
        click.echo(f"By {name}: {said}.")
    if wrong["equity lost a turn"]:
        raise SystemExit(1)


def _value(ratio: Ratio) -> float:
    return 0.0 if ratio.value is None else ratio.value
