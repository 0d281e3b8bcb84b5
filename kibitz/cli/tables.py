"""Print tables, all in one style: a bold title, bold headings, no lines, no column without a value.

Headings and figures are never cut, whatever the width of the terminal.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from rich.console import RenderableType
    from rich.table import Column

_ENDLESS = 100_000  # characters: more than any table is wide

NOTHING = "-"
"""What a cell without a value shows."""


def result_table(
    title: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[str | None] | None],
    text: Collection[str] = (),
) -> Table:
    """Return a table of measured values in the one style that all commands share.

    The first column and those of the headings in `text` hold words and are justified left, the others right.
    A cell of None has no value and shows as "-"; a column without any value is left out. A row of None is an
    empty line between groups of rows.
    """
    listed = list(rows)
    filled = [row for row in listed if row is not None]
    shown = [at for at in range(len(headings)) if at == 0 or any(row[at] not in (None, "") for row in filled)]
    table = Table(title=title)
    for at in shown:
        is_text = at == 0 or headings[at] in text
        table.add_column(headings[at], justify="left" if is_text else "right")
    for row in listed:
        if row is None:
            table.add_row()
        else:
            # Text, not markup: tiles of two characters stand in brackets.
            table.add_row(*(Text(NOTHING if (cell := row[at]) is None else cell) for at in shown))
    return table


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table below its title, on standard output if no console is given.

    A column is left out if all its cells are empty. Where there is no room, headings and cells of words are
    broken between words. Figures (columns that are justified right or not to be wrapped) stay whole, if need
    be beyond the edge of the terminal. Off a terminal a row is one line, unless COLUMNS states a width.
    """
    console = console or Console()
    table = styled(table)
    if table.title:
        console.print(_text(table.title, console), style="bold", soft_wrap=True)
        table.title = None
    widths, least = zip(*(_widths(column, console) for column in table.columns), strict=True)
    for column, width in zip(table.columns, widths, strict=True):
        column.no_wrap, column.overflow, column.width = False, "fold", width
    room = console.width if console.is_terminal or "COLUMNS" in os.environ else _ENDLESS
    if _width(table, console) - sum(widths) + sum(least) > room:
        table.padding = (0, 1, 0, 0)
    fitted = _fitted(widths, least, _width(table, console) - room)
    for column, width in zip(table.columns, fitted, strict=True):
        column.width = width
    table.width = _width(table, console)
    console.print(table, crop=False)


def styled(table: Table) -> Table:
    """Return a table in the style of all tables, without the columns in which every cell is empty."""
    result = Table(
        title=table.title,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        box=None,
        pad_edge=True,
    )
    columns = [column for column in table.columns if not table.rows or any(map(str, column.cells))]
    for column in columns:
        result.add_column(
            column.header,
            style=column.style,
            justify=column.justify,
            no_wrap=column.no_wrap,
            overflow=column.overflow,
        )
    for cells, row in zip(zip(*(column.cells for column in columns), strict=True), table.rows, strict=True):
        result.add_row(*cells, style=row.style)
    return result


def _widths(column: Column, console: Console) -> tuple[int, int]:
    """Return the widths, in characters, that a column fills and that it needs at least."""
    whole = column.no_wrap or column.justify == "right"
    heading = _measured(column.header, console)
    fills, needs = [heading.maximum], [heading.minimum]
    for cell in column.cells:
        measured = _measured(cell, console)
        fills.append(measured.maximum)
        needs.append(measured.maximum if whole else measured.minimum)
    return max(fills), max(needs)


def _fitted(widths: tuple[int, ...], least: tuple[int, ...], excess: int) -> list[int]:
    """Return the widths less `excess`, as far as `least` allows; the widest columns give way first."""
    fitted = list(widths)
    while excess > 0 and (giving := [at for at, width in enumerate(fitted) if width > least[at]]):
        fitted[max(giving, key=lambda at: fitted[at])] -= 1
        excess -= 1
    return fitted


def _width(table: Table, console: Console) -> int:
    """Return how wide a table is whose columns have their widths."""
    return Measurement.get(console, console.options.update(max_width=_ENDLESS), table).maximum


def _measured(cell: RenderableType, console: Console) -> Measurement:
    """Return the widths of a cell's longest word and longest line."""
    return Measurement.get(console, console.options.update(max_width=_ENDLESS), _text(cell, console))


def _text(cell: RenderableType, console: Console) -> RenderableType:
    return console.render_str(cell) if isinstance(cell, str) else cell
