"""`kibitz lexicon diff`: the words and hooks in which two lists differ."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import click
import orjson
from rich.console import Console

from engine import DIFF_PARTS, ComparedList, lexicon_diff
from kibitz.cli.files import read_tile_set
from kibitz.cli.lexicons import is_word_file, list_of_file, open_lexicon
from kibitz.cli.search import letters_text
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import echo_json

if TYPE_CHECKING:
    from engine import HookChange, LexiconDiff, TileSet

HEADINGS: Final = {"added": "Words added", "gone": "Words gone", "hooks": "Hooks that change"}
HOOK_COLUMNS: Final = ("front_added", "back_added", "front_gone", "back_gone")


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--tiles", metavar="SET", help="The tile set of word list files. [default: that of the other list]"
)
@click.option("--counts", is_flag=True, help="Print only the counts.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(("text", "csv", "json")),
    default="text",
    show_default=True,
    help="text: tables to read; csv: a line for each word; json: all in one object.",
)
def diff_command(old: str, new: str, tiles: str | None, counts: bool, kind: str) -> None:
    """Compare two word lists: words added, words gone, and hooks that change.

    OLD and NEW are ids of lexicons, or files of word lists (a name with a slash, or ending in .txt, .gz or
    .xz). A file is read with the tile set of the other list; if both are files, name it with --tiles. Lists
    of different tile sets are refused.

    The counts by length come first. A hook changes if a letter before or after a word of both lists makes a
    word in only one of them.

    \b
    kibitz lexicon diff twl06 nwl23 --counts
    kibitz lexicon diff club words.txt --format csv > changes.csv
    kibitz lexicon diff old.txt new.txt --tiles spanish
    """
    difference = lexicon_diff(*_both(old, new, tiles))
    if kind == "json":
        echo_json(orjson.dumps(_as_json(difference, counts), option=orjson.OPT_INDENT_2))
    elif kind == "csv":
        click.echo(_as_csv(difference, counts), nl=False)
    else:
        _print(difference, counts)


def _both(old: str, new: str, tiles: str | None) -> list[ComparedList]:
    """Open two lists; a file gets the tile set of `tiles`, else that of the other list."""
    opened = [None if is_word_file(name) else open_lexicon(name) for name in (old, new)]
    if tiles and all(opened):
        raise click.UsageError("--tiles is for files of word lists; lexicons have a tile set")
    known: TileSet | None = read_tile_set(tiles) if tiles else None
    for lexicon in opened:
        known = known or (lexicon.tile_set if lexicon else None)
    if known is None:
        raise click.UsageError("name the tile set of the files with --tiles SET")
    return [
        ComparedList.of_lexicon(lexicon) if lexicon else list_of_file(Path(name), known)
        for name, lexicon in zip((old, new), opened, strict=True)
    ]


def _print(difference: LexiconDiff, counts: bool) -> None:
    console = Console(highlight=False)
    old, new = difference.old, difference.new
    names = ("old", "new", *DIFF_PARTS)
    rows = [(str(row["length"]), *(f"{row[name]:,}" for name in names)) for row in difference.counts()]
    total = difference.total()
    title = f"From {old.id} to {new.id}  ({new.tile_set.id})"
    table = result_table(
        title, ("length", *names), [*rows, None, ("all", *(f"{total[name]:,}" for name in names))]
    )
    print_table(table, console)
    if difference.max_length < max((*old.words, *new.words), default=0):
        click.echo(f"Words of more than {difference.max_length} tiles are not compared.")
    if counts:
        return
    for part in ("added", "gone"):
        for one in difference.lengths:
            if len(one.part(part)):
                click.echo(f"\n{HEADINGS[part]}, {one.length} tiles: {len(one.part(part)):,}")
                words = map(new.tile_set.alphabet.word, one.part(part).tolist())
                click.echo(fill(" ".join(words), console.width, break_long_words=False))
    if difference.count("hooks"):
        click.echo()
        rows_of_hooks = [
            (change.word, *(letters_text(letters) for letters in _letters(change)))
            for change in difference.hook_changes()
        ]
        headings = ("word", "added before", "added after", "gone before", "gone after")
        print_table(result_table(HEADINGS["hooks"], headings, rows_of_hooks, headings), console)


def _letters(change: HookChange) -> tuple[tuple[str, ...], ...]:
    return change.front_added, change.back_added, change.front_gone, change.back_gone


def _as_json(difference: LexiconDiff, counts: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: {"id": compared.id, "sha256": compared.sha256}
        for name, compared in (("old", difference.old), ("new", difference.new))
    }
    found |= {
        "tile_set": difference.new.tile_set.id,
        "max_length": difference.max_length,
        "total": difference.total(),
        "lengths": difference.counts(),
    }
    if not counts:
        found |= {part: list(difference.words(part)) for part in ("added", "gone")}
        found["hooks"] = [asdict(change) for change in difference.hook_changes()]
    return found


def _as_csv(difference: LexiconDiff, counts: bool) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if counts:
        names = ("length", "old", "new", *DIFF_PARTS)
        writer.writerow(names)
        writer.writerows([row[name] for name in names] for row in difference.counts())
        return text.getvalue()
    alphabet = difference.new.tile_set.alphabet
    writer.writerow(("change", "length", "word", *HOOK_COLUMNS))
    for part in ("added", "gone"):
        for one in difference.lengths:
            for word in one.part(part).tolist():
                writer.writerow((part, one.length, alphabet.word(word), "", "", "", ""))
    for one in difference.lengths:
        for change in one.hook_changes(0, len(one.hooks), alphabet):
            writer.writerow(("hooks", one.length, change.word, *map(letters_text, _letters(change))))
    return text.getvalue()
