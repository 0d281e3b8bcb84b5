"""A progress bar on standard error for the building of tables."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

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
