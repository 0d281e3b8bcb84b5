"""`python -m benchmarks.load`: the load test as one command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import orjson
from rich.console import Console

from benchmarks.load.plots import draw
from benchmarks.load.report import markdown
from benchmarks.load.run import QUICK, Plan, run_load
from benchmarks.load.servers import Cores, ServerError
from benchmarks.measurements.machine import processor_name
from engine import Catalogue, EngineError
from kibitz.cli.progress import build_progress
from service.settings import Settings, SettingsError


@click.command()
@click.option(
    "--lexicon",
    "lexicon_id",
    metavar="ID",
    help="The lexicon. [default: twl06 if it is built, else KIBITZ_LEXICON]",
)
@click.option(
    "--games", type=click.IntRange(min=1), help="Greedy games whose positions are requested. [default: 1000]"
)
@click.option(
    "--rounds", type=click.IntRange(min=1), help="Rounds of each measurement of throughput. [default: 5]"
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.05), help="Seconds of each part of a round. [default: 1]"
)
@click.option(
    "--server-core", type=click.IntRange(min=0), help="The processor core of the server. [default: the last]"
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write load.json and load.md to this folder.",
)
@click.option(
    "--plots", type=click.Path(file_okay=False, path_type=Path), help="Draw plots into this folder."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option(
    "--quick",
    is_flag=True,
    help="Run everything once in half a minute to test it; the latencies mean nothing.",
)
def main(
    lexicon_id: str | None,
    games: int | None,
    rounds: int | None,
    seconds: float | None,
    server_core: int | None,
    output: Path | None,
    plots: Path | None,
    *,
    as_json: bool,
    quick: bool,
) -> None:
    """Measure `kibitz serve` under load: a master and one worker, on a core of their own.

    \b
    1. Board + gen: loading the board and generating the plays, by move number, as
       the Server-Timing header of a server without caches says.
    2. Latency: positions of greedy games are requested one at a time, each twice.
       The first answer is computed, the second comes from the cache.
    3. Throughput: at 1, 4, 16 and 64 connections, in rounds that alternate with
       a Flask route that returns a constant.
    4. Overload: simulations at three times the rate that the server can handle.
    5. With Redis, if redis-server is installed: 2 and 3 again, and a second server
       without a cache in memory, which finds the answers in Redis.

    Rate limits are off. The client uses the other cores. KIBITZ_DATA is the folder of the tables. Takes about
    twelve minutes. Three bounds are judged: no request fails, board + gen takes at most the published time at
    every move number, and master and worker take at most 150 MB. The exit status is 1 if one is missed.
    Latency, throughput and overload are reported.

    \b
    python -m benchmarks.load --output results
    """
    changes: dict[str, Any] = {"games": games, "rounds": rounds, "seconds": seconds}
    plan = replace(
        QUICK if quick else Plan(), **{name: value for name, value in changes.items() if value is not None}
    )
    try:
        settings = Settings.from_environment()
        catalogue = Catalogue(settings.data)
        wanted = lexicon_id or ("twl06" if catalogue.table_path("twl06").exists() else settings.lexicon)
        wanted = catalogue.ensure(wanted).id
        cores = Cores.split(server_core)
        with build_progress(f"Load test, lexicon {wanted}") as bars:

            def stage(name: str) -> object:
                bars(name, 0.0)
                return lambda done, total: bars(name, done / total)

            report = run_load(wanted, settings.data, plan, cores, stage)  # type: ignore[arg-type]
        report["processor"] = processor_name()
        text = markdown(report)
        if output is not None:
            output.mkdir(parents=True, exist_ok=True)
            (output / "load.json").write_bytes(orjson.dumps(report, option=orjson.OPT_INDENT_2))
            (output / "load.md").write_text(text, "utf-8")
        if plots is not None:
            draw(report, plots)
    except (EngineError, ServerError, SettingsError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2) if as_json else text)
    if "redis" not in report["servers"]:
        Console(stderr=True).print("Redis was left out: there is no redis-server on the path.")
    if not all(verdict["held"] for verdict in report["verdicts"]):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
