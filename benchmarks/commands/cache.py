"""`kibitz bench cache`: how long answers take computed, from process memory and from Redis."""

from __future__ import annotations

from typing import IO, Any

import click
import orjson
from marshmallow import ValidationError
from rich.console import Console

from benchmarks.commands.positions import games_option, positions_option, repeat_option
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
from kibitz.cli import Refusal
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from lab.measurements.samples import find_samples
from service.settings import check_redis_url


@click.command("cache")
@lexicon_option
@positions_option
@click.option(
    "--redis",
    "url",
    envvar="KIBITZ_REDIS_URL",
    metavar="URL",
    help="The Redis to measure. [default: KIBITZ_REDIS_URL; without one, only process memory]",
)
@click.option(
    "--evaluators",
    default="auto,greedy,heuri6",
    show_default=True,
    metavar="A,B",
    help="The evaluators to measure.",
)
@games_option
@click.option(
    "--searches",
    type=click.IntRange(min=0),
    default=12,
    show_default=True,
    help="Number of positions simulated, and of endgames solved.",
)
@repeat_option(3)
@json_option
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
    """Measure answers computed, from process memory, and from Redis alone.

    Each position is asked for in three states of the cache: nothing is stored (this costs the lookups and
    the storing); the board is stored, with another rack; the answer itself is stored. Simulations and
    endgames have the first and the last only. Times run from the request to the bytes of the answer, as in
    the service but without HTTP. All ways must give the same bytes, else the command fails. A position counts
    with its best pass; ratios are to computing without a cache, as the median over positions.

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
        raise Refusal(f"Redis failed {failures} times during the measurement; its times would mean nothing")
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
    rows = [
        [f"{name}, {task.replace('_', ' ')}", str(tasks["positions"])]
        + [
            text
            for way in ways
            for text in (f"{tasks[task][way]['median_us']:,.0f}", f"{tasks[task][way]['ratio_to_cold']:.3f}")
        ]
        for name, tasks in report["rows"].items()
        for task in TASKS
        if task in tasks
    ]
    title = f"Answers, best of {report['passes']} passes, median of the positions"
    headings = ("request", "positions", *(text for way in ways for text in (f"{way}\nµs", "/ cold")))
    print_table(result_table(title, headings, rows))
    if "redis" not in ways:
        Console().print("Redis was not measured: give its URL with --redis or KIBITZ_REDIS_URL.")
