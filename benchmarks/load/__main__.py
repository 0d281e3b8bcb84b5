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
from service.cli.progress import build_progress
from service.settings import Settings


@click.command()
@click.option("--lexicon", "lexicon_id", metavar="ID", help="The lexicon. [default: twl06 if built]")
@click.option(
    "--games", type=click.IntRange(min=1), help="Greedy games whose positions are asked for. [default: 1000]"
)
@click.option(
    "--rounds", type=click.IntRange(min=1), help="Rounds of each throughput measurement. [default: 5]"
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.05), help="Seconds of each part of a round. [default: 1]"
)
@click.option("--server-core", type=click.IntRange(min=0), help="The server's core. [default: the last]")
@click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), help="Write JSON and tables there."
)
@click.option(
    "--plots", type=click.Path(file_okay=False, path_type=Path), help="Draw plots there, such as docs/plots."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option(
    "--quick", is_flag=True, help="A smoke test of seconds: everything once; the figures mean nothing."
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
    """Measure `kibitz serve` under load: a master and one worker on a core of their own.

    Positions of greedy games are asked one at a time, by move number, first computed and then repeated; then
    at 1, 4, 16 and 64 connections, in rounds that alternate with a null Flask route. All of it once embedded
    and once with Redis (if redis-server is installed); there a second server, without a cache in its own
    memory, is asked for what is in Redis. Simulations are offered at three times the server's capacity. Rate
    limits are off; the client has the other cores. Takes ten minutes; ends with code 1 if any request failed.
    KIBITZ_DATA says where the tables are.

    The bounds on board + gen, p99 and memory are judged; the other figures are for information.
    """
    settings = Settings.from_environment()
    catalogue = Catalogue(settings.data)
    changes: dict[str, Any] = {"games": games, "rounds": rounds, "seconds": seconds}
    plan = replace(
        QUICK if quick else Plan(), **{name: value for name, value in changes.items() if value is not None}
    )
    try:
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
    except (EngineError, ServerError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2) if as_json else text)
    if "redis" not in report["servers"]:
        Console(stderr=True).print("Redis was left out: there is no redis-server on the path.")
    if report["errors"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
