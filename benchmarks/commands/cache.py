"""`kibitz bench cache`: what the cache gains or costs."""

from __future__ import annotations

from typing import IO, Any

import click
import orjson
from marshmallow import ValidationError
from rich.console import Console
from rich.table import Table

from benchmarks.commands.positions import games_option, positions_option
from benchmarks.measurements.cache import (
    SEARCHES,
    TASKS,
    WAYS,
    MeasuredCache,
    make_cases,
    measure,
    search_cases,
    summary,
)
from benchmarks.measurements.samples import find_samples
from service.cli import Refusal
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table
from service.settings import check_redis_url


@click.command("cache")
@lexicon_option
@positions_option
@click.option(
    "--redis",
    "url",
    envvar="KIBITZ_REDIS_URL",
    metavar="URL",
    help="The Redis to measure (KIBITZ_REDIS_URL); without one, only the cache of this process.",
)
@click.option(
    "--evaluators",
    default="auto,greedy,heuri6",
    show_default=True,
    metavar="A,B",
    help="The evaluators, one after the other.",
)
@games_option
@click.option(
    "--searches",
    type=click.IntRange(min=0),
    default=12,
    show_default=True,
    help="Positions simulated, and endgames solved.",
)
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True, help="Passes to measure.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def cache_command(
    lexicon_id: str | None,
    file: IO[str] | None,
    url: str | None,
    evaluators: str,
    games: int | None,
    searches: int,
    repeat: int,
    as_json: bool,
) -> None:
    """Measure answers computed, from the cache of this process, and from Redis alone.

    Every position is asked for with nothing in the cache, which costs the lookups and the storing; with
    another rack on a board that is in the cache; and again, when the answer itself is. Of simulations and
    endgames, only the first and the last. The times run from the request to the bytes of the answer, as in
    the service but without HTTP; all ways give the same bytes, or the command fails. A position counts with
    its best pass; ratios are to computing, the median of the positions' ratios.

    \b
    kibitz bench cache --redis redis://localhost:6379
    """
    lexicon = open_lexicon(lexicon_id)
    samples = find_samples(file, lexicon, games)
    redis = None if url is None else _connected(url)
    ways = WAYS if redis is not None else WAYS[:-1]
    report: dict[str, Any] = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "passes": repeat,
        "rows": {},
    }
    rows = {name: make_cases(samples, name) for name in dict.fromkeys(evaluators.split(","))}
    if searches:
        rows |= {name: search_cases(samples, name, searches) for name in SEARCHES}
    for name, cases in rows.items():
        if cases:
            with steps_progress(f"Measuring {name}", "answers") as progress:
                measure(cases, lexicon, redis, repeat, progress)
            report["rows"][name] = summary(cases, ways)
    if redis is not None and (failures := redis.failures()):
        raise Refusal(f"Redis failed {failures} times meanwhile; the figures would mean nothing")
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        _print(report, ways)


def _connected(url: str) -> MeasuredCache:
    try:
        check_redis_url(url)
    except ValidationError as error:
        raise Refusal(f"the address of the Redis {error.args[0]}") from None
    cache = MeasuredCache(0, url)
    cache.get_many(["a key that is not there"])
    if cache.failures():
        raise Refusal(f"no Redis answers at {url.rpartition('@')[2]}")
    return cache


def _print(report: dict[str, Any], ways: tuple[str, ...]) -> None:
    table = Table(title=f"Answers, best of {report['passes']} passes, median of the positions")
    table.add_column("what is asked")
    table.add_column("positions", justify="right")
    for way in ways:
        table.add_column(f"{way}\nµs", justify="right")
        table.add_column("/ cold", justify="right")
    for name, tasks in report["rows"].items():
        for task in (task for task in TASKS if task in tasks):
            cells = (
                text
                for way in ways
                for text in (
                    f"{tasks[task][way]['median_us']:,.0f}",
                    f"{tasks[task][way]['ratio_to_cold']:.3f}",
                )
            )
            table.add_row(f"{name}, {task.replace('_', ' ')}", str(tasks["positions"]), *cells)
    print_table(table)
    if "redis" not in ways:
        Console().print("For the times of Redis, name one with --redis or KIBITZ_REDIS_URL.")
