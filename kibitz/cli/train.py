"""`kibitz train`: learn leaves, win% and the frequencies of words by self-play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine import (
    PLAYERS,
    WORD_USES,
    GameSetup,
    LeavePlan,
    LeaveTraining,
    SelfPlay,
    WinPctTraining,
    WordFrequencies,
    calibration,
    learned_path,
    mean_error,
    win_pct_table,
)  # fmt: skip
from kibitz.cli import Group
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import (
    Decorator,
    cluster_option,
    json_option,
    seed_option,
    threads_option,
)
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.workers import game_workers

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from engine import CalibrationBin

player_option: Decorator = click.option(
    "--player",
    type=click.Choice(PLAYERS),
    default="static",
    show_default=True,
    help="The player of both sides.",
)
state_option: Decorator = click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File in which the training is saved every half minute; a later run continues it. "
    "[default: beside the table]",
)
output_option: Decorator = click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File of the learned table. [default: where the lexicon finds its own table]",
)


def training_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add to a command what every training takes: seed, threads, cluster, state file and table."""
    for option in (output_option, state_option, cluster_option, threads_option, seed_option):
        command = option(command)
    return command


@click.group("train", cls=Group)
def train_command() -> None:
    """Learn the values of leaves, the win% table and the frequencies of words by self-play.

    \b
    kibitz train leaves --lexicon ID      the leave table, of all leaves of one to six tiles
    kibitz train winpct --lexicon ID      the win% table, by expected spread and unseen tiles
    kibitz train words --lexicon ID       how often each word is formed, by which annotations split losses
    kibitz train calibrate --lexicon ID   compare the win% table with games that it was not learned from

    The lexicon uses a new table from the next start on.
    """


@train_command.command("leaves")
@lexicon_option
@click.option(
    "--games",
    type=int,
    default=100_000,
    show_default=True,
    help="Games of the last generation; each earlier one has half as many.",
)
@click.option(
    "--generations",
    type=int,
    default=4,
    show_default=True,
    help="Number of generations; the first one plays by highest score.",
)
@click.option(
    "--racks", type=int, default=4, show_default=True, help="Random racks for the board of each turn."
)
@training_options
def leaves_command(
    lexicon_id: str | None,
    games: int,
    generations: int,
    racks: int,
    seed: int,
    threads: int,
    cluster: str | None,
    state: Path | None,
    output: Path | None,
) -> None:
    """Learn the value of every leave.

    Takes about a quarter of an hour on one core (200 games a second). For leaves of six tiles the default is
    rough; the bundled tables were learned from 400,000 games.

    A stopped training continues when the command is run again, on other machines too.

    \b
    kibitz train leaves --lexicon mine --games 50000
    kibitz train leaves --lexicon mine --games 400000 --cluster tcp://host:8786
    """
    lexicon = open_lexicon(lexicon_id)
    plan = LeavePlan.of(games, generations, racks, seed)
    output = output or learned_path(lexicon, "leaves")
    state = state or output.with_suffix(".state")
    training = LeaveTraining(GameSetup.of(lexicon), plan, state)
    with (
        game_workers(threads, cluster, lexicon) as workers,
        steps_progress(f"leaves of {lexicon.id}", "games") as progress,
    ):
        progress(training.games_done, training.total_games)
        table = training.run(workers, lambda done: progress(done, training.total_games))
    table.save(output, lexicon)
    state.unlink(missing_ok=True)
    click.echo(f"{output}: {len(table.ranks)} leaves from {training.total_games} games.")


@train_command.command("winpct")
@lexicon_option
@click.option("--games", type=int, default=300_000, show_default=True, help="Number of games.")
@player_option
@training_options
def winpct_command(
    lexicon_id: str | None,
    games: int,
    player: str,
    seed: int,
    threads: int,
    cluster: str | None,
    state: Path | None,
    output: Path | None,
) -> None:
    """Learn how often a player wins after a move, by the expected spread and the unseen tiles.

    Takes about five minutes on one core (1,000 games a second).

    A stopped training continues when the command is run again, on other machines too. The workers of a
    cluster need the leaves of the lexicon.

    \b
    kibitz train winpct --lexicon mine
    kibitz train winpct --lexicon mine --cluster tcp://host:8786
    """
    lexicon = open_lexicon(lexicon_id)
    output = output or learned_path(lexicon, "win_pct")
    state = state or output.with_suffix(".state")
    training = WinPctTraining(GameSetup.of(lexicon), player, games, seed=seed, state=state)
    with (
        game_workers(threads, cluster, lexicon) as workers,
        steps_progress(f"win% of {lexicon.id}", "games") as progress,
    ):
        progress(training.games_done, games)
        table = training.run(workers, lambda done: progress(done, games))
    table.save(output, lexicon)
    state.unlink(missing_ok=True)
    click.echo(f"{output}: {int(table.counts.sum())} turns of {games} games.")


@train_command.command("words")
@lexicon_option
@click.option(
    "--games",
    type=click.IntRange(1, 10_000_000),
    default=200_000,
    show_default=True,
    help="Number of games.",
)
@player_option
@training_options
def words_command(
    lexicon_id: str | None,
    games: int,
    player: str,
    seed: int,
    threads: int,
    cluster: str | None,
    state: Path | None,
    output: Path | None,
) -> None:
    """Count how often each word is formed.

    Takes about four minutes on one core (900 games a second). With the counts kibitz annotate splits what a
    player loses: by words that the player cannot be expected to know, and by choice among the others.

    A stopped training continues when the command is run again, on other machines too. The workers of a
    cluster need the leaves of the lexicon.

    \b
    kibitz train words --lexicon mine
    kibitz annotate game.gcg --lexicon mine
    """
    lexicon = open_lexicon(lexicon_id)
    output = output or learned_path(lexicon, "words")
    state = state or output.with_suffix(".state")
    play = SelfPlay(GameSetup.of(lexicon), player, games, seed=seed, state=state)
    with (
        game_workers(threads, cluster, lexicon) as workers,
        steps_progress(f"words of {lexicon.id}", "games") as progress,
    ):
        progress(play.games_done, games)
        play.run(workers, lambda done: progress(done, games))
    counts = play.words[WORD_USES.index("made")]
    WordFrequencies(counts, games=games, player=player, seed=seed).save(output, lexicon)
    state.unlink(missing_ok=True)
    click.echo(f"{output}: {int((counts > 0).sum())} of {len(counts)} words formed in {games} games.")


@train_command.command("calibrate")
@lexicon_option
@click.option(
    "--games", type=click.IntRange(100), default=100_000, show_default=True, help="Number of games."
)
@player_option
@click.option(
    "--seed",
    type=int,
    default=1_000_001,
    show_default=True,
    help="Seed of the games; must differ from that of the training.",
)
@threads_option
@json_option
@click.option(
    "--plot",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Draw a plot as SVG and PNG.",
)
def calibrate_command(
    lexicon_id: str | None,
    games: int,
    player: str,
    seed: int,
    threads: int,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Compare the win% table with games of another seed.

    Each bin counts at most one position of a game. The exit status is 1 if a bin differs by more than one
    point and three standard errors. Takes about two minutes on one core.

    \b
    kibitz train calibrate --lexicon mine --games 20000
    """
    lexicon = open_lexicon(lexicon_id)
    learned = win_pct_table(lexicon)
    with steps_progress(f"games of {lexicon.id}", "games") as progress:
        bins = calibration(
            learned, GameSetup.of(lexicon), player, games, seed=seed, threads=threads,
            progress=lambda done: progress(done, games),
        )  # fmt: skip
    if plot is not None:
        from kibitz.cli.plots import calibration_plot

        calibration_plot(bins, plot, f"calibration-{lexicon.id}")
    error = mean_error(bins)
    if as_json:
        rows = [
            {"stage": each.stage, "positions": each.positions, "predicted": round(each.predicted, 5),
             "observed": round(each.observed, 5), "standard_error": round(each.error, 5), "holds": each.holds}
            for each in bins
        ]  # fmt: skip
        click.echo(json.dumps({"games": games, "mean_error": round(error, 5), "bins": rows}, indent=2))
    else:
        print_table(_bins_table(bins))
        click.echo(
            f"mean error {100 * error:.2f} points over {sum(each.positions for each in bins)} positions."
        )
    if not all(each.holds for each in bins):
        raise click.exceptions.Exit(1)


def _bins_table(bins: list[CalibrationBin]) -> Table:
    return result_table(
        "win%: predicted and observed",
        ("stage", "positions", "predicted", "observed", "standard error", "verdict"),
        [
            (
                each.stage,
                str(each.positions),
                f"{100 * each.predicted:.2f}",
                f"{100 * each.observed:.2f}",
                f"{100 * each.error:.2f}",
                "" if each.holds else "off",
            )
            for each in bins
        ],
        text=("verdict",),
    )
