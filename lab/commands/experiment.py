"""`kibitz experiment`: the experiments of the papers, repeated with every generator of kibitz."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine import (
    Catalogue,
    GameSetup,
    rule_set,
    tile_set,
)
from kibitz.cli import Group
from kibitz.cli.files import read_layout
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import (
    Decorator,
    board_option,
    cluster_option,
    rules_option,
    seed_option,
    threads_option,
)
from kibitz.cli.progress import build_progress, steps_progress
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.train import player_option
from lab.commands.check_proof import check_proof_command
from lab.commands.inference import inference_command, temperature_command
from lab.commands.ladder import play_ladder
from lab.commands.levels import levels_command
from lab.commands.phonies import phonies_command
from lab.commands.rack_counts import racks_command
from lab.commands.slow_endgame import endgame_command
from lab.commands.spanish import spanish_command
from lab.experiments import published_statistics as published
from lab.experiments.agreement import made_up_words, run_agreement
from lab.experiments.literal_threshold import run_literal_threshold
from lab.experiments.movegen import run_movegen
from lab.experiments.plots import literal_threshold_plot, movegen_plots, threshold_plots
from lab.experiments.statistics import MIDDLE_TURN, WIDE_LEAD, run_statistics, statistics_name
from lab.experiments.statistics_plots import statistics_plots
from lab.experiments.threshold import run_threshold
from lab.generators import FAST_GENERATORS, build_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.table import Table

    from engine import Lexicon

ALL = ",".join(FAST_GENERATORS)
MADE_UP = 40_000

output_option: Decorator = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default="results",
    show_default=True,
    metavar="DIR",
    help="Folder of the results; a stopped experiment continues from the files there.",
)
plots_option: Decorator = click.option(
    "--plots/--no-plots",
    default=find_spec("matplotlib") is not None,
    show_default="if matplotlib is installed",
    help="Draw plots as SVG and PNG.",
)


def games_option(default: int) -> Decorator:
    """Return the option --games."""
    return click.option(
        "--games", type=click.IntRange(min=1), default=default, show_default=True, help="Number of games."
    )


@click.group("experiment", cls=Group)
def experiment_command() -> None:
    """Repeat the experiments of the papers; a stopped experiment continues where it was.

    Times in brackets are those of the default number of games, on one core.

    \b
    kibitz experiment movegen     time, intervals, candidates and plays by move number (5 min)
    kibitz experiment agreement   whether all generators list the same plays through whole games (30 min)
    kibitz experiment threshold   which threshold between the high and the low level is best (10 min)
    kibitz experiment statistics  who wins, points, turns, bingos and words of games of one player (1 min)
    kibitz experiment endgame     an endgame solved by a method of the literature (10 s)
    kibitz experiment check-proof a certificate of an endgame, checked without a search (10 s)
    kibitz experiment inference   how well the opponent models guess an opponent's leave (20 min)
    kibitz experiment temperature which likelihood of moves explains the leaves of several levels (2 min)
    kibitz experiment ladder      many matches, and one table of their results (hours)
    kibitz experiment levels      whether the report of an archive ranks players by their level (1 hour)
    kibitz experiment phonies     what a lexicon is worth in a club that plays by another list (10 s)
    kibitz experiment racks       how many racks and pairs of racks the bag can deal (at once)
    kibitz experiment spanish     words generated from Spanish lemmas beside a word list (1 min)

    The generators besides internal_words need tables of their own, which are built at their first use.
    --generators also takes literal: the Internal-Words Method exactly as its thesis has it, in Python, a
    tenth of a second a position.
    """


experiment_command.add_command(check_proof_command)
experiment_command.add_command(endgame_command)
experiment_command.add_command(inference_command)
experiment_command.add_command(temperature_command)
experiment_command.add_command(levels_command)
experiment_command.add_command(phonies_command)
experiment_command.add_command(racks_command)
experiment_command.add_command(spanish_command)


@experiment_command.command("movegen")
@lexicon_option
@click.option("--generators", "names", default=ALL, show_default=True, metavar="A,B", help="Generators.")
@games_option(1000)
@seed_option
@output_option
@plots_option
def movegen_command(
    lexicon_id: str | None, names: str, games: int, seed: int, output: Path, plots: bool
) -> None:
    """Measure every generator over the same greedy games, by move number.

    Writes movegen.json and movegen.csv. With the extra [plots] it draws the figures of the papers: intervals
    on the board, intervals considered for the rack, candidate words, and times beside the published ones.

    \b
    kibitz experiment movegen --lexicon scowl80 --games 20 --output results
    """
    lexicon = opened(lexicon_id, names.split(","))
    with steps_progress("Measuring", "games") as progress:
        report = run_movegen(lexicon, names.split(","), games, seed, output, progress)
    rows = []
    for label, row in report["generators"].items():
        counts = [row[name] for name in ("intervals", "candidates", "plays")]
        cells = [None if count is None else f"{count:,.0f}" for count in counts]
        rows.append((label, f"{row['us']:.1f}", f"{report['ratios'][label]:.2f}", *cells))
    title = f"{report['positions']} positions of {report['games']} greedy games, {lexicon.id}"
    headings = ("generator", "µs", "ratio", "intervals", "candidates", "plays")
    print_table(result_table(title, headings, rows))
    if plots:
        movegen_plots(report, output)
    click.echo(f"Results are in {output}")


@experiment_command.command("agreement")
@lexicon_option
@click.option(
    "--made-up", metavar="TILES", help=f"Use {MADE_UP:,} made-up words of this tile set instead of a lexicon."
)
@click.option("--generators", "names", default=ALL, show_default=True, metavar="A,B", help="Generators.")
@games_option(1000)
@seed_option
@click.option(
    "--reference-every",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="Compare every Nth position with the slow reference (0 = never).",
)
@output_option
def agreement_command(
    lexicon_id: str | None,
    made_up: str | None,
    names: str,
    games: int,
    seed: int,
    reference_every: int,
    output: Path,
) -> None:
    """Compare the plays and scores of every generator through whole games; exit status 1 if any differ.

    \b
    kibitz experiment agreement --games 10
    kibitz experiment agreement --made-up spanish --games 10
    """
    if made_up and lexicon_id:
        raise click.UsageError("give --lexicon or --made-up, not both")
    made = made_up_lexicon(made_up, seed) if made_up else nullcontext(opened(lexicon_id, names.split(",")))
    with made as lexicon, steps_progress("Comparing", "games") as progress:
        report = run_agreement(lexicon, names.split(","), games, seed, reference_every, output, progress)
    click.echo(
        f"{report['games']} games, {report['positions']:,} positions "
        f"({report['positions_with_reference']:,} with the reference), {report['plays']:,} plays: "
        f"{report['mismatch_count']} positions differ"
    )
    for mismatch in report["mismatches"]:
        click.echo(f"{', '.join(mismatch['generators'])}: {mismatch['cgp']}")
    if report["mismatch_count"]:
        raise SystemExit(1)


def opened(lexicon_id: str | None, names: Iterable[str]) -> Lexicon:
    """Open a lexicon, and build the tables that generators lack."""
    lexicon = open_lexicon(lexicon_id)
    with build_progress(f"Building the tables of {lexicon.id} for other generators") as progress:
        build_tables(lexicon, names, progress)
    return lexicon


@contextmanager
def made_up_lexicon(tiles_id: str, seed: int) -> Iterator[Lexicon]:
    """Yield a lexicon of made-up words in a temporary folder."""
    tiles = tile_set(tiles_id)
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "words.txt"
        words.write_text("\n".join(made_up_words(tiles, MADE_UP, seed)) + "\n", "utf-8")
        catalogue = Catalogue(Path(folder))
        with build_progress(f"Building the tables of {MADE_UP:,} made-up words") as progress:
            catalogue.build_from(words, tiles, lexicon_id="made-up", progress=progress)
        yield catalogue.open("made-up")


@experiment_command.command("threshold")
@lexicon_option
@click.option(
    "--generator",
    "generator_name",
    type=click.Choice(("internal_words", "literal")),
    default="internal_words",
    show_default=True,
    help="The generator to measure.",
)
@games_option(60)
@seed_option
@output_option
@plots_option
def threshold_command(
    lexicon_id: str | None, generator_name: str, games: int, seed: int, output: Path, plots: bool
) -> None:
    """Measure a generator with thresholds from 0 to infinity, by stage of the game and blanks on the rack.

    The low level looks up the sub-multisets of the rack; the high level scans the list of words that contain
    the internal words of the interval. In the thesis the high level scans lists of up to T words (fixed). In
    kibitz it scans lists of up to T words for each multiset that the low level would look up (relative), so
    that the threshold depends on rack and interval. Writes threshold.json and plots.

    With --generator literal the thesis's own method is measured, on racks without a blank: words read,
    look-ups and candidates count, since its Python takes a tenth of a second a position (20 games: 15 min).
    Writes threshold-literal.json and plots.

    \b
    kibitz experiment threshold --games 20 --output results
    kibitz experiment threshold --generator literal --lexicon twl06 --games 20 --output results
    """
    lexicon = opened(lexicon_id, [generator_name])
    if generator_name == "literal":
        _literal_threshold(lexicon, games, seed, output, plots)
        return
    with steps_progress("Measuring", "games") as progress:
        report = run_threshold(lexicon, games, seed, output, progress)
    stages = (*report["stages"], "all")
    rows = [
        (f"{row['kind']} {row['name']}", *(f"{row['us'][stage]['all']:.1f}" for stage in stages))
        for row in report["times"]
    ]
    title = f"Mean µs by threshold, {report['positions']} positions, {lexicon.id}"
    print_table(result_table(title, ("threshold", *stages), rows))
    if plots:
        threshold_plots(report, output)
    click.echo(f"Results are in {output}")


def _literal_threshold(lexicon: Lexicon, games: int, seed: int, output: Path, plots: bool) -> None:
    """Measure the literal method, and print its counts by threshold."""
    with steps_progress("Measuring", "games") as progress:
        report = run_literal_threshold(lexicon, games, seed, output, progress)
    rows = []
    for row in report["thresholds"]:
        means = row["all"]
        counts = [means[name] for name in ("scanned", "lookups", "candidates")]
        rows.append((row["name"], *(f"{count:,.0f}" for count in counts), f"{means['us'] / 1000:.1f}"))
    title = f"Means of {report['positions']} positions without a blank, {lexicon.id}"
    headings = ("fixed threshold", "words read", "look-ups", "candidates", "ms")
    print_table(result_table(title, headings, rows))
    if plots:
        literal_threshold_plot(report, output)
    click.echo(f"Results are in {output}")


@experiment_command.command("statistics")
@lexicon_option
@player_option
@games_option(20_000)
@board_option
@rules_option
@seed_option
@threads_option
@output_option
@plots_option
def statistics_command(
    lexicon_id: str | None,
    player: str,
    games: int,
    layout_id: str,
    rules_id: str | None,
    seed: int,
    threads: int,
    output: Path,
    plots: bool,
) -> None:
    """Let a player play itself, and print statistics of the games.

    These are: who wins, and the handicap that makes wins and losses equal; points, turns, exchanges and
    bingos of a game; how often the player who leads after 12 turns, or when the bag is empty, wins; the words
    played most often. Spanish games are compared with published statistics.
    Writes statistics-LEXICON-PLAYER.json and, with the extra [plots], plots. A run with more --games
    continues an earlier one.

    \b
    kibitz experiment statistics --lexicon scowl80 --output results
    kibitz experiment statistics --lexicon twl06 --player heuri4 --games 10000 --output results
    """
    lexicon = open_lexicon(lexicon_id)
    setup = GameSetup.of(lexicon, read_layout(layout_id), rule_set(rules_id) if rules_id else None)
    with steps_progress(f"{player} on {lexicon.id}", "games") as progress:
        report = run_statistics(setup, player, games, seed, threads, output, progress)
    print_table(_statistics_table(report))
    words = report["words"]
    lists = {"Bingos": [(row["word"], row["bingos"]) for row in words["most_bingos"]]}
    for length in ("2", "3", "4"):
        lists[f"Words of {length}"] = [(row["word"], row["made"]) for row in words["most_made"][length]]
    for title, rows in lists.items():
        click.echo(f"{title}: " + ", ".join(f"{word} {count}" for word, count in rows[:12]))
    if plots:
        statistics_plots(report, output)
    click.echo(f"Results are in {output / statistics_name(lexicon.id, player)}.json")


@experiment_command.command("ladder")
@click.option(
    "--match",
    "rungs",
    type=(str, str),
    multiple=True,
    metavar="FIRST SECOND",
    help="A match to play; may be repeated. [default: every player who searches, against static and heuri6]",
)
@click.option(
    "--games", type=int, default=400, show_default=True, help="Number of games of each match; must be even."
)
@lexicon_option
@board_option
@rules_option
@seed_option
@threads_option
@cluster_option
@output_option
def ladder_command(**options: Any) -> None:
    """Play a list of matches one after the other.

    Players are named as for `kibitz match`. Each match is saved every 20 seconds in a file of its own in DIR,
    from which the next run continues. After each match the table of all results is written:
    ladder-LEXICON.md and ladder-LEXICON.json. The default list takes hours.

    \b
    kibitz experiment ladder --output results
    kibitz experiment ladder --match best static --match level10 level8 --games 200 --output results
    kibitz experiment ladder --output results --cluster tcp://host:8786
    """
    play_ladder(**options)


def _statistics_table(report: dict[str, Any]) -> Table:
    """Return the main statistics with their 95 % intervals; Spanish games beside the published ones."""
    spanish = report["tile_set"] == "spanish"
    rows: list[tuple[str | None, ...]] = []

    def add(name: str, cells: Sequence[str | None], published_cell: str | None = None) -> None:
        rows.append((name, *cells, published_cell))

    def add_mean(
        name: str,
        mean: dict[str, float | None],
        known: float | None = None,
        scale: int = 1,
        *,
        known_for: bool = spanish,
    ) -> None:
        bounds = [mean[part] for part in ("value", "low", "high")]
        cells = ["" if bound is None else f"{scale * bound:.2f}" for bound in bounds]
        add(name, cells, f"{known:.2f}" if known is not None and known_for else None)

    first, points, game = report["first_player"], report["points"], report["a_game"]
    add_mean("first player wins, %", first["win_share"], 100 * published.WINS / published.GAMES, 100)
    add_mean("ties, %", first["tie_share"], 100 * published.TIES / published.GAMES, 100)
    add_mean("second player wins, %", first["loss_share"], 100 * published.LOSSES / published.GAMES, 100)
    even = report["handicap"]
    cells = [str(even[part]) for part in ("even", "low", "high")]
    add("handicap that makes it even", cells, str(published.EVEN_HANDICAP) if spanish else None)
    add_mean("points of the first", points["first"], published.POINTS[0])
    add_mean("points of the second", points["second"], published.POINTS[1])
    add_mean("difference", points["difference"], published.POINTS[0] - published.POINTS[1])
    add_mean("points of the winner", points["winner"])
    add_mean("points of the loser", points["loser"])
    add_mean("turns in a game", game["turns"], published.TURNS)
    add_mean("first player has the last turn, %", report["last_turn"]["first"]["share"], scale=100)
    add_mean("exchanges", game["exchanges"], published.EXCHANGES)
    add_mean("passes", game["passes"])
    add_mean("bingos", game["bingos"])
    bingos, games = max(report["distributions"]["bingos"].items(), key=lambda item: item[1])
    most, count = published.MOST_FREQUENT_BINGOS
    known = f"{most} ({100 * count / published.GAMES:.1f} %)"
    share = f"{bingos} ({100 * games / report['games']:.1f} %)"
    add("most frequent number of bingos", [share, "", ""], known if spanish else None)
    leads = report["leads"]
    turnovers, matches = published.TURNOVERS
    for name, key, printed in (
        (f"leader after {MIDDLE_TURN} turns wins, %", "middle_leader_wins", published.MIDDLE_LEADER_WINS),
        ("leader at an empty bag wins, %", "endgame_leader_wins", None),
        (f"lead above {WIDE_LEAD} then, %", "wide_endgame_leads", published.WIDE_ENDGAME_LEADS),
        ("turnovers: won from behind then, %", "turnovers", turnovers / matches),
    ):
        add_mean(name, leads[key], None if printed is None else 100 * printed, 100, known_for=True)
    title = f"{report['games']:,} games of {report['player']} on {report['lexicon']['id']}"
    return result_table(title, ("", "here", "95 % from", "to", "published"), rows)
