"""Progress bars on standard error."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import TaskID


@contextmanager
def build_progress(title: str) -> Iterator[Callable[[str, float], None]]:
    """Show one bar a stage while a table is built; yields what the builders call with (stage, share).

    Off a terminal only the title is written, once, so that logs stay readable. Nothing at all is shown
    before the first call.
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

    def progress(stage: str, share: float) -> None:
        if not tasks:
            console.print(title, highlight=False)
            bars.start()
        if stage not in tasks:
            for earlier in tasks.values():
                bars.update(earlier, completed=1.0)
            tasks[stage] = bars.add_task(stage, total=1.0)
        bars.update(tasks[stage], completed=share)

    try:
        yield progress
    finally:
        if tasks:
            bars.stop()


@contextmanager
def steps_progress(title: str, unit: str) -> Iterator[Callable[..., None]]:
    """Show one bar for work counted in `unit`; yields what the work calls with (done, total) or
    (done, total, note).

    Off a terminal nothing is shown.
    """
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn(f"{{task.completed:.0f}} of {{task.total:.0f}} {unit}"),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        TextColumn("{task.fields[note]}"),
        console=console,
        disable=not console.is_terminal,
    ) as bars:
        task = bars.add_task(title, total=1, note="")

        def progress(done: int, total: int, note: str = "") -> None:
            bars.update(task, completed=done, total=total, note=note)

        yield progress
