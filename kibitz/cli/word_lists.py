"""`kibitz lexicon word-lists`: the lists that players study, to read, to print, or as flash cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine import STUDY_LISTS, InvalidInput, bingo_stems, study_list
from kibitz.cli.files import write_atomically
from kibitz.cli.lexicons import open_lexicon
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.word_list_formats import FORMATS, STEMS, WrittenList

if TYPE_CHECKING:
    from engine import Lexicon

STEMS_MEANING = "bingo stems: six letters that make a word of seven with many others"
DEFAULT_STEMS = 100
LETTERS_LACK = "list_needs_letters"
LISTS = (*(one.id for one in STUDY_LISTS), STEMS)


@click.command("word-lists")
@click.argument("lexicon_id", metavar="ID")
@click.argument("list_id", metavar="[LIST]", type=click.Choice(LISTS), required=False)
@click.option("--min-length", type=click.IntRange(2, 26), help="In tiles. [default: that of the list]")
@click.option("--max-length", type=click.IntRange(2, 26), help="In tiles. [default: that of the list]")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="Only the first words of each length, or stems. [default: all words, 100 stems]",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(tuple(FORMATS)),
    default="text",
    show_default=True,
    help="text: to read and print; csv: for spreadsheets; anki: flash cards; json.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the list, or all lists, to files in this folder.",
)
def word_lists_command(
    lexicon_id: str,
    list_id: str | None,
    min_length: int | None,
    max_length: int | None,
    limit: int | None,
    kind: str,
    output: Path | None,
) -> None:
    """Print the word lists that players study.

    Without LIST, name the lists and count their words. The lists are:

    \b
    twos, threes  all words of two and of three tiles, with their hooks
    hooks         words of 2 to 4 tiles that take a hook: a letter before or after makes a word
    blocks        words of 2 to 5 tiles that take none
    bingos        words of 7 and 8 tiles, those that are drawn most often first
    stems         six letters that make a word of seven with many others, and these words
    high          words of 2 to 5 tiles with a tile of 8 points or more (J, Q, X, Z in English)
    vowels        words of 2 to 8 tiles, more than two thirds of them vowels
    no-vowels     words without a vowel
    q-without-u   words with a Q that no U follows
    words         all words by length

    --min-length and --max-length choose other lengths of one list. The columns before and after a word are
    its hooks; a dot beside a word says that a word remains without its first or last tile. Probability is
    that of drawing the word from the full bag, blanks included; rank is its place by this among the words of
    its length.

    The flash cards ask for the words of given tiles, for the hooks of a word, or for the letters of a stem.
    Anki imports the file with File, Import; its header lines name the separator, the columns and the tags. A
    later import updates the cards.

    \b
    kibitz lexicon word-lists club
    kibitz lexicon word-lists club twos
    kibitz lexicon word-lists club bingos --max-length 7 --limit 1000 --format anki > sevens.txt
    kibitz lexicon word-lists club --format csv --output lists
    """
    lengths = (min_length, max_length)
    if list_id in (None, STEMS) and lengths != (None, None):
        raise click.UsageError("--min-length and --max-length need a LIST of words")
    if output is None and list_id is None and (limit is not None or kind != "text"):
        raise click.UsageError("--limit and --format need a LIST or --output")
    lexicon = open_lexicon(lexicon_id)
    if output is None and list_id is None:
        _print_overview(lexicon)
        return
    cards = kind == "anki"
    if output is None:
        assert list_id is not None  # noqa: S101 - for the type checker; handled just above
        click.echo(FORMATS[kind].write(_list(lexicon, list_id, lengths, limit, cards=cards)), nl=False)
        return
    output.mkdir(parents=True, exist_ok=True)
    for name in (list_id,) if list_id else LISTS:
        try:
            written = _list(lexicon, name, lengths, limit, cards=cards)
        except InvalidInput as error:
            if list_id or error.code != LETTERS_LACK:
                raise
            click.echo(f"{name}: left out, {error}", err=True)
            continue
        path = output / f"{lexicon.id}-{name}{FORMATS[kind].ending}"
        write_atomically(path, FORMATS[kind].write(written).encode())
        click.echo(f"{path}: {written.count:,}")


def _list(
    lexicon: Lexicon,
    name: str,
    lengths: tuple[int | None, int | None],
    limit: int | None,
    *,
    cards: bool,
) -> WrittenList:
    """Return the words of a list; for cards that ask for words, with all words of the same tiles."""
    if name == STEMS:
        return WrittenList(lexicon, STEMS, stems=bingo_stems(lexicon, limit or DEFAULT_STEMS))
    found = study_list(name)
    words = {}
    for one in found.select(lexicon, *lengths):
        asked = one.with_anagrams(limit).study_words() if cards and not found.asks_hooks else None
        words[one.words.length] = asked or one.study_words(0, limit)
    return WrittenList(lexicon, name, words, asks_hooks=found.asks_hooks, ranked=found.by_probability)


def _print_overview(lexicon: Lexicon) -> None:
    rows = []
    for one in STUDY_LISTS:
        try:
            selections = one.select(lexicon)
        except InvalidInput as error:
            if error.code != LETTERS_LACK:
                raise
            continue
        found = [selection.words.length for selection in selections]
        span = f"{found[0]}-{found[-1]}" if len(found) > 1 else "".join(map(str, found))
        rows.append((one.id, f"{sum(map(len, selections)):,}", span, one.meaning))
    rows.append((STEMS, "", "6", STEMS_MEANING))
    print_table(
        result_table(f"Word lists of {lexicon.id}", ("list", "words", "tiles", "what"), rows, ("what",))
    )
