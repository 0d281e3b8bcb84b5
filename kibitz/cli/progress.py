"""Progress of long commands on standard error: a bar on a terminal, else a line every half minute.

Two functions, both context managers: `steps_progress` for work counted in units ("12 of 400 games"), and
`build_progress` for tables that are built in stages.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import TaskID

LINE_SECONDS: Final = 30.0
"""How often a line is printed where standard error is no terminal."""

SPEED_SECONDS: Final = 300.0
"""Length of the latest part of the work from which the remaining time of a bar is estimated."""


@contextmanager
def build_progress(title: str) -> Iterator[Callable[[str, float], None]]:
    """Show one bar for each stage while a table is built; yields a function of (stage, share done).

    Without a terminal the title is printed once, then a line every LINE_SECONDS. Nothing is shown before the
    first call.
    """
    console = Console(stderr=True)
    bars = Progress(
        TextColumn("  {task.description:<24}"),
        BarColumn(bar_width=30),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    tasks: dict[str, TaskID] = {}
    latest = ""

    def progress(stage: str, share: float) -> None:
        nonlocal latest
        if not tasks:
            console.print(title, highlight=False)
            bars.start()
        if stage not in tasks:
            for earlier in tasks.values():
                bars.update(earlier, completed=1.0)
            tasks[stage] = bars.add_task(stage, total=1.0)
        bars.update(tasks[stage], completed=share)
        latest = f"{title}: {stage}, {100 * share:.0f} %"

    try:
        with _lines(console, lambda: latest):
            yield progress
    finally:
        if tasks:
            bars.stop()


@contextmanager
def steps_progress(title: str, unit: str) -> Iterator[Callable[..., None]]:
    """Show one bar for work counted in `unit`; yields a function of (done, total) or (done, total, note).

    `done` may be a fraction: the bar and the remaining time follow it, the count shows whole units. The rate
    and the remaining time are those of the last SPEED_SECONDS. Without a terminal a line is printed every
    LINE_SECONDS.
    """
    console = Console(stderr=True)
    latest = f"{title}: starting"
    with (
        Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True, elapsed_when_finished=True),
            TextColumn("{task.fields[note]}"),
            console=console,
            disable=not console.is_terminal,
            speed_estimate_period=SPEED_SECONDS,
        ) as bars,
        _lines(console, lambda: latest),
    ):
        task_id = bars.add_task(title, total=1, count="", rate="", note="")
        task = bars.tasks[0]

        def progress(done: float, total: int, note: str = "") -> None:
            nonlocal latest
            count = f"{int(done)} of {total} {unit}"
            bars.update(task_id, completed=done, total=total, count=count, note=note)
            rate = "" if not task.speed else _rate(task.speed, unit)
            bars.update(task_id, rate=rate)
            latest = f"{title}: {', '.join([text for text in (count, rate, note) if text])}"
            if rate and task.time_remaining:
                latest += f", {_minutes(task.time_remaining)} left"

        yield progress


def _rate(speed: float, unit: str) -> str:
    """Return units a second as text, or units a minute if they are fewer than one a second."""
    if speed < 1:
        return f"{60 * speed:.1f} {unit}/min"
    return f"{speed:,.1f} {unit}/s" if speed < 100 else f"{speed:,.0f} {unit}/s"


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


@contextmanager
def _lines(console: Console, latest: Callable[[], str]) -> Iterator[None]:
    """Print `latest()` and the time passed every LINE_SECONDS; nothing on a terminal."""
    if console.is_terminal:
        yield
        return
    stop, began = Event(), monotonic()

    def write() -> None:
        while not stop.wait(LINE_SECONDS):
            if text := latest():
                passed = _minutes(monotonic() - began)
                console.print(f"{text} ({passed} so far)", highlight=False, soft_wrap=True)

    thread = Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
