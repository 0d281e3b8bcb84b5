"""Markdown of the command line, made of click's commands, and of the settings."""

from __future__ import annotations

from html import escape
from inspect import cleandoc
from typing import TYPE_CHECKING

import click
from markdown_text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def commands_markdown(group: click.Group) -> str:
    """Return a section for each command of a group, in the order of the group's own list."""
    context = click.Context(group, info_name=group.name or "kibitz")
    return "\n\n".join(
        text for name in group.list_commands(context) for text in _sections(group, name, context)
    )


def _sections(group: click.Group, name: str, parent: click.Context, level: int = 3) -> Iterator[str]:
    command = group.get_command(parent, name)
    if command is None or command.hidden:
        return
    context = click.Context(command, info_name=name, parent=parent)
    lines = [f"{'#' * level} {context.command_path}", _prose(command.help or "")]
    if isinstance(command, click.Group):
        yield "\n\n".join(lines)
        for below in command.list_commands(context):
            yield from _sections(command, below, context, level + 1)
        return
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines.insert(1, f"```text\n{usage}\n```")
    records = [record for each in command.get_params(context) if (record := each.get_help_record(context))]
    if records:
        rows = [f"| {_code(names)} | {escaped(text)} |" for names, text in records if text]
        lines.append("\n".join(["| option | meaning |", "|---|---|", *rows]))
    yield "\n\n".join(lines)


def _prose(text: str) -> str:
    """Return a help text as Markdown: paragraphs that click does not wrap become blocks of code."""
    paragraphs = []
    for paragraph in cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            paragraphs.append(f"```text\n{paragraph.removeprefix(chr(8)).strip()}\n```")
        else:
            paragraphs.append(escaped(" ".join(paragraph.split())))
    return "\n\n".join(paragraphs)


def settings_markdown(rows: Sequence[tuple[str, str, str]]) -> str:
    """Return the table of the settings; `rows` are (variable, default, meaning)."""
    lines = [
        f"| `{name}` | {_code(default) if default else ''} | {escaped(text)} |"
        for name, default, text in rows
    ]
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *lines])


def _code(text: str) -> str:
    """Return a text as code; in a table, Markdown's own quotes would not protect a vertical bar."""
    return f"<code>{escape(text).replace('|', '&#124;')}</code>"
