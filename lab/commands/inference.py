"""`kibitz experiment inference` and `temperature`: how well an opponent's leave is guessed, and by what."""

from __future__ import annotations

import click
import orjson

from engine import GameSetup
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option, seed_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from lab.selfplay.inference_fit import fit_inference
from lab.selfplay.inference_quality import inference_quality

LISTED = 12  # pairs of a temperature and a share of blunders that the table shows


@click.command("inference")
@lexicon_option
@click.option("--games", type=click.IntRange(min=1), default=200, show_default=True, help="Number of games.")
@seed_option
@json_option
def inference_command(lexicon_id: str | None, games: int, seed: int, as_json: bool) -> None:
    """Guess the leaves of static players by every opponent model, and compare with the true leaves.

    The log-loss, in nats a turn, measures the guesses of which tiles the leave holds. The gain is over
    random draws from the unseen tiles, which also make up a twentieth of every model's probability.

    \b
    kibitz experiment inference --games 100
    """
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("Guessing", "games") as progress:
        models = inference_quality(GameSetup.of(lexicon), games, seed, progress)
    if as_json:
        click.echo(orjson.dumps(models, option=orjson.OPT_INDENT_2))
        return
    rows = [
        (
            model,
            *(f"{row[name]:.3f}" for name in ("log_loss", "gain", "error")),
            f"{row['milliseconds']:.1f}",
        )
        for model, row in models.items()
    ]
    title = f"{models['off']['turns']} turns of {games} static games, {lexicon.id}"
    print_table(result_table(title, ("model", "log-loss", "gain", "error", "ms a guess"), rows))


@click.command("temperature")
@lexicon_option
@click.option(
    "--games", type=click.IntRange(min=2), default=20, show_default=True, help="Number of games a player."
)
@seed_option
@json_option
def temperature_command(lexicon_id: str | None, games: int, seed: int, as_json: bool) -> None:
    """Fit the likelihood of the opponent model "bayes" to the leaves of players of several levels.

    A move that gives up as many points as the temperature is e times less probable; the share of blunders is
    probable whatever it gives up. Half of the games choose both; the other half is held out. The gains are
    over random draws, in nats a turn; every player counts equally.

    \b
    kibitz experiment temperature --lexicon scowl80 --games 20
    """
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("Playing and guessing", "games") as progress:
        report = fit_inference(GameSetup.of(lexicon), games, seed, progress=progress)
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
        return
    gains = report["gains"]
    order = sorted(range(len(gains)), key=lambda at: -gains[at]["fitted"])[:LISTED]
    rows = [
        (
            f"{gains[at]['temperature'] / 1000:g}",
            f"{gains[at]['blunders']:.2f}",
            f"{gains[at]['fitted']:.3f}",
            f"{gains[at]['held_out']:.3f}",
            "used" if at == report["used"] else "",
        )
        for at in (order if report["used"] in order else [*order, report["used"]])
    ]
    fitted, held_out = (sum(turns[half] for turns in report["turns"].values()) for half in range(2))
    title = f"{fitted} fitted and {held_out} held-out leaves, {lexicon.id}"
    print_table(result_table(title, ("temperature", "blunders", "fitted", "held out", ""), rows))
    players = [
        (name, str(report["turns"][name][1]), f"{gain:.3f}")
        for name, gain in report["held_out_gains"].items()
    ]
    print_table(result_table("The pair used, by player", ("player", "held-out leaves", "gain"), players))
