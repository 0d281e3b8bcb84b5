"""`kibitz experiment`: what the papers measured, measured again with every generator of kibitz."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson
from rich.table import Table

from benchmarks.commands.ladder import play_ladder
from benchmarks.experiments import published_statistics as published
from benchmarks.experiments.agreement import made_up_words, run_agreement
from benchmarks.experiments.movegen import run_movegen
from benchmarks.experiments.plots import movegen_plots, threshold_plots
from benchmarks.experiments.statistics import run_statistics, statistics_name
from benchmarks.experiments.statistics_plots import statistics_plots
from benchmarks.experiments.threshold import run_threshold
from engine import (
    GENERATOR_NAMES,
    PLAYERS,
    Catalogue,
    GameSetup,
    board_layout,
    inference_quality,
    rule_set,
    tile_set,
)
from service.cli import Group
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.options import Decorator, board_option, rules_option, threads_option
from service.cli.progress import build_progress, steps_progress
from service.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Lexicon

ALL = ",".join(GENERATOR_NAMES)
MADE_UP = 40_000
NEEDED = {"anagram": "anagrams", "gordon": "gaddag", "appel_jacobson": "dawg"}
"""The optional table that a generator needs."""

output_option: Decorator = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default="results",
    show_default=True,
    metavar="DIR",
    help="Where results go; a stopped experiment continues from what it finds there.",
)
seed_option: Decorator = click.option(
    "--seed", type=int, default=1, show_default=True, help="Of the order of the tiles."
)
plots_option: Decorator = click.option(
    "--plots/--no-plots",
    default=find_spec("matplotlib") is not None,
    show_default="if matplotlib is there",
    help="Draw SVG and PNG.",
)


def games_option(default: int) -> Decorator:
    """Return the option --games."""
    return click.option(
        "--games", type=click.IntRange(min=1), default=default, show_default=True, help="How many games."
    )


@click.group("experiment", cls=Group)
def experiment_command() -> None:
    """Repeat the experiments of the papers; each can be stopped, and continues where it was.

    \b
    kibitz experiment movegen     time, problems, candidates and plays by move number, for every generator
    kibitz experiment agreement   do all generators list the same plays, through whole games?
    kibitz experiment threshold   when should a list of words be scanned, when subsets of the rack looked up?
    kibitz experiment statistics  who wins, points, turns, bingos and words of many games of one player
    kibitz experiment inference   how well do the opponent models guess an opponent's leave?
    kibitz experiment ladder      many matches, and one table of who is how much better than whom

    The generators beside internal_words need tables of their own; those that the lexicon lacks are built
    and added to its file, as `kibitz lexicon build ID --with anagrams,gaddag,dawg` does.
    """


@experiment_command.command("movegen")
@lexicon_option
@click.option("--generators", "names", default=ALL, show_default=True, metavar="A,B", help="Which.")
@games_option(1000)
@seed_option
@output_option
@plots_option
def movegen_command(
    lexicon_id: str | None, names: str, games: int, seed: int, output: Path, plots: bool
) -> None:
    """Measure every generator over the same greedy games, by move number.

    Writes movegen.json, movegen.csv and, with the extra [plots], the figures of the papers: intervals on the
    board, Hand-Interval problems, candidates and times, beside the published times.

    \b
    kibitz experiment movegen --lexicon scowl80 --games 20 --output results
    """
    lexicon = open_lexicon(lexicon_id, _parts_of(names))
    with steps_progress("Measuring", "games") as progress:
        report = run_movegen(lexicon, names.split(","), games, seed, output, progress)
    table = Table(title=f"{report['positions']} positions of {report['games']} greedy games, {lexicon.id}")
    for name in ("generator", "µs", "times", "problems", "candidates", "plays"):
        table.add_column(name, justify="left" if name == "generator" else "right")
    for label, figures in report["generators"].items():
        counts = [figures[name] for name in ("intervals", "candidates", "plays")]
        cells = ["-" if count is None else f"{count:,.0f}" for count in counts]
        table.add_row(label, f"{figures['us']:.1f}", f"{report['ratios'][label]:.2f}", *cells)
    print_table(table)
    if plots:
        movegen_plots(report, output)
    click.echo(f"Results are in {output}")


@experiment_command.command("agreement")
@lexicon_option
@click.option("--made-up", metavar="TILES", help=f"Instead: {MADE_UP:,} made-up words of a tile set.")
@click.option("--generators", "names", default=ALL, show_default=True, metavar="A,B", help="Which.")
@games_option(1000)
@seed_option
@click.option(
    "--reference-every",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="The slow reference joins at every so many positions; 0: never.",
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
    with (
        made_up_lexicon(made_up, seed) if made_up else _opened(lexicon_id, names) as lexicon,
        steps_progress("Comparing", "games") as progress,
    ):
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


@contextmanager
def _opened(lexicon_id: str | None, names: str) -> Iterator[Lexicon]:
    yield open_lexicon(lexicon_id, _parts_of(names))


def _parts_of(names: str) -> list[str]:
    """Return the optional tables that generators need."""
    return [NEEDED[name] for name in names.split(",") if name in NEEDED]


@contextmanager
def made_up_lexicon(tiles_id: str, seed: int) -> Iterator[Lexicon]:
    """Yield a lexicon of made-up words, with the tables of every generator, in a temporary folder."""
    tiles = tile_set(tiles_id)
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "words.txt"
        words.write_text("\n".join(made_up_words(tiles, MADE_UP, seed)) + "\n", "utf-8")
        catalogue = Catalogue(Path(folder))
        with build_progress(f"Building the tables of {MADE_UP:,} made-up words") as progress:
            catalogue.build_from(words, tiles, lexicon_id="made-up", parts=NEEDED.values(), progress=progress)
        yield catalogue.open("made-up")


@experiment_command.command("threshold")
@lexicon_option
@games_option(60)
@seed_option
@output_option
@plots_option
def threshold_command(lexicon_id: str | None, games: int, seed: int, output: Path, plots: bool) -> None:
    """Measure internal_words with thresholds from 0 to infinity, by stage of the game and blanks on the rack.

    The low level looks up the sub-multisets of the rack, the high level scans the list of words that hold the
    interval's internal word. The thesis puts lists of up to T words to the high level (fixed); kibitz those
    of up to T words for each multiset that the low level would look up (relative), so that its threshold
    moves with the rack and the interval. Writes threshold.json and plots.

    \b
    kibitz experiment threshold --games 20 --output results
    """
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("Measuring", "games") as progress:
        report = run_threshold(lexicon, games, seed, output, progress)
    table = Table(title=f"Mean µs by threshold, {report['positions']} positions, {lexicon.id}")
    for name in ("threshold", *report["stages"], "all"):
        table.add_column(name, justify="right")
    for row in report["times"]:
        cells = [f"{row['us'][stage]['all']:.1f}" for stage in (*report["stages"], "all")]
        table.add_row(f"{row['kind']} {row['name']}", *cells)
    print_table(table)
    if plots:
        threshold_plots(report, output)
    click.echo(f"Results are in {output}")


@experiment_command.command("statistics")
@lexicon_option
@click.option(
    "--player", type=click.Choice(PLAYERS), default="static", show_default=True, help="On both sides."
)
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
    """Let a player play itself, and say what games are like.

    Who wins, and what handicap would make it even; points, turns, exchanges and bingos of a game; the words
    played most. Spanish games are put beside the published figures. Writes statistics-LEXICON-PLAYER.json
    and, with the extra [plots], plots. With more --games it adds to those it has.

    \b
    kibitz experiment statistics --lexicon scowl80 --output results
    kibitz experiment statistics --lexicon twl06 --player heuri4 --games 10000 --output results
    """
    lexicon = open_lexicon(lexicon_id)
    setup = GameSetup.of(lexicon, board_layout(layout_id), rule_set(rules_id) if rules_id else None)
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


@experiment_command.command("inference")
@lexicon_option
@games_option(200)
@seed_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def inference_command(lexicon_id: str | None, games: int, seed: int, as_json: bool) -> None:
    """Guess the leaves of static players, by every opponent model, and compare with the real ones.

    The log-loss, in nats a turn, of which tiles the leave holds; the gain is over drawing blindly, which is a
    twentieth of every model's probability.

    \b
    kibitz experiment inference --games 100
    """
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("Guessing", "games") as progress:
        figures = inference_quality(GameSetup.of(lexicon), games, seed, progress)
    if as_json:
        click.echo(orjson.dumps(figures, option=orjson.OPT_INDENT_2))
        return
    table = Table(title=f"{figures['off']['turns']} turns of {games} static games, {lexicon.id}")
    for name in ("model", "log-loss", "gain", "error", "ms a guess"):
        table.add_column(name, justify="left" if name == "model" else "right")
    for model, row in figures.items():
        cells = [f"{row[name]:.3f}" for name in ("log_loss", "gain", "error")]
        table.add_row(model, *cells, f"{row['milliseconds']:.1f}")
    print_table(table)


@experiment_command.command("ladder")
@click.option(
    "--match",
    "rungs",
    type=(str, str),
    multiple=True,
    metavar="FIRST SECOND",
    help="A match to play; give it again for more. Default: every player who looks ahead against static "
    "and heuri6.",
)
@click.option("--games", type=int, default=400, show_default=True, help="Of each match; an even number.")
@lexicon_option
@board_option
@rules_option
@seed_option
@threads_option
@output_option
def ladder_command(**options: Any) -> None:
    """Play a list of matches one after the other.

    Players are named as for `kibitz match`. Each match has a file of its own in DIR, saved every 20 seconds,
    and is not played again; after each the table is written, ladder-LEXICON.md, and ladder-LEXICON.json. The
    default list takes hours.

    \b
    kibitz experiment ladder --output results
    kibitz experiment ladder --match best static --match level10 level8 --games 200 --output results
    """
    play_ladder(**options)


def _statistics_table(report: dict[str, Any]) -> Table:
    """Return the chief figures with their 95 % intervals, Spanish ones beside the published."""
    spanish = report["tile_set"] == "spanish"
    table = Table(title=f"{report['games']:,} games of {report['player']} on {report['lexicon']['id']}")
    for name in ("", "here", "95 % from", "to", *(["published"] if spanish else [])):
        table.add_column(name, justify="right" if name else "left")

    def add(name: str, figures: dict[str, float], known: float | None = None, scale: int = 1) -> None:
        cells = [f"{scale * figures[part]:.2f}" for part in ("value", "low", "high")]
        table.add_row(name, *cells, *(["" if known is None else f"{known:.2f}"] if spanish else []))

    first, points, game = report["first_player"], report["points"], report["a_game"]
    add("first player wins, %", first["win_share"], 100 * published.WINS / published.GAMES, 100)
    add("ties, %", first["tie_share"], 100 * published.TIES / published.GAMES, 100)
    add("second player wins, %", first["loss_share"], 100 * published.LOSSES / published.GAMES, 100)
    even = report["handicap"]
    cells = [str(even[part]) for part in ("even", "low", "high")]
    table.add_row("handicap that evens", *cells, *([str(published.EVEN_HANDICAP)] if spanish else []))
    add("points of the first", points["first"], published.POINTS[0])
    add("points of the second", points["second"], published.POINTS[1])
    add("difference", points["difference"], published.POINTS[0] - published.POINTS[1])
    add("points of the winner", points["winner"])
    add("points of the loser", points["loser"])
    add("turns in a game", game["turns"], published.TURNS)
    add("first player has the last turn, %", report["last_turn"]["first"]["share"], scale=100)
    add("exchanges", game["exchanges"], published.EXCHANGES)
    add("passes", game["passes"])
    add("bingos", game["bingos"])
    bingos, games = max(report["distributions"]["bingos"].items(), key=lambda item: item[1])
    cells = [f"{bingos} ({100 * games / report['games']:.1f} %)", "", ""]
    most, count = published.MOST_FREQUENT_BINGOS
    known = [f"{most} ({100 * count / published.GAMES:.1f} %)"] if spanish else []
    table.add_row("most games have bingos", *cells, *known)
    return table
