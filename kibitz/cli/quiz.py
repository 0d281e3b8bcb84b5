"""`kibitz quiz`: learn words with flash cards that come again when they are about to be forgotten."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import orjson

from engine import (
    CARD_KINDS,
    WordQuery,
    card_kind,
    questions,
    read_anki,
    read_zyzzyva,
    write_anki,
    write_zyzzyva,
)
from kibitz.cli import Group
from kibitz.cli.files import faults_of, read_text, write_atomically
from kibitz.cli.language import said
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.query_options import query_options, read_query
from kibitz.cli.quiz_file import QuizFile
from kibitz.cli.quiz_session import QuizSession
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import echo_json, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine import Lexicon
    from kibitz.cli.options import Decorator

_file_option: Decorator = click.option(
    "--file",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file of your progress. [default: quiz-LEXICON.json]",
)
_new_option: Decorator = click.option(
    "--new",
    "new_cards",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Number of new cards to ask, after those that are due.",
)
_FORMATS: Final = ("zyzzyva", "anki")
_format_option: Decorator = click.option(
    "--format",
    "kind",
    type=click.Choice(_FORMATS),
    required=True,
    help="zyzzyva: its table of questions as CSV; anki: a text file of notes.",
)
_cards_option: Decorator = click.option(
    "--cards",
    type=click.Choice(("anagrams", "hooks")),
    default="anagrams",
    show_default=True,
    help="The kind of quiz of a table of Zyzzyva.",
)


def _asks(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a command that asks cards."""
    return lexicon_option(_file_option(_new_option(json_option(command))))


@click.group("quiz", cls=Group)
def quiz_command() -> None:
    """Learn words with flash cards that come again when they are about to be forgotten.

    A card asks for all words of some tiles, for all words that a letter before or after a word makes, or for
    all words that begin with some tiles. Type the answers in any order, on one line or on several; an empty
    line gives up. What you missed is shown, and asked again before the end. Ctrl-C or Ctrl-D ends a quiz.

    Your progress is one JSON file, saved after each card. FSRS decides when a card is due again: it is rated
    "again" if words were missed, "hard" if some typed words were wrong, and otherwise "good". A quiz asks the
    cards that are due, the longest due first, then new ones. Needs kibitz[quiz].

    \b
    kibitz quiz twos
    kibitz quiz anagrams --min-length 7 --max-length 7 --max-rank 500 --sort probability
    kibitz quiz hooks --max-length 3 --new 50
    kibitz quiz review
    """


@quiz_command.command("anagrams")
@query_options
@_asks
def anagrams_command(**given: Any) -> None:
    """Ask for all words of some tiles, of the words that the options of `kibitz search` find.

    \b
    kibitz quiz anagrams --min-length 7 --max-length 7 --max-rank 500 --sort probability
    """
    _quiz_about("anagrams", **given)


@quiz_command.command("hooks")
@query_options
@_asks
def hooks_command(**given: Any) -> None:
    """Ask for the words that hooks make of the words that the options of `kibitz search` find.

    Words that take no hook are not asked.

    \b
    kibitz quiz hooks --max-length 3
    """
    _quiz_about("hooks", **given)


@quiz_command.command("twos")
@_asks
def twos_command(**given: Any) -> None:
    """Ask for all words of two tiles, by their first.

    \b
    kibitz quiz twos --new 5
    """
    _quiz(lambda lexicon: questions(lexicon, "beginnings", WordQuery(max_length=2)), **given)


@quiz_command.command("threes")
@_asks
def threes_command(**given: Any) -> None:
    """Ask for all words of three tiles, by their first two.

    \b
    kibitz quiz threes --new 5
    """
    _quiz(lambda lexicon: questions(lexicon, "beginnings", WordQuery(min_length=3, max_length=3)), **given)


@quiz_command.command("review")
@_asks
def review_command(**given: Any) -> None:
    """Ask the cards of the file, of every kind: those that are due, then imported ones that are new.

    \b
    kibitz quiz review
    """
    _quiz(None, **given)


def _quiz_about(
    kind: str, lexicon_id: str | None, path: Path | None, new_cards: int, as_json: bool, **asked: Any
) -> None:
    _quiz(
        lambda lexicon: questions(lexicon, kind, read_query(lexicon, asked)),
        lexicon_id,
        path,
        new_cards,
        as_json,
    )


def _quiz(
    chosen: Callable[[Lexicon], Iterable[str]] | None,
    lexicon_id: str | None,
    path: Path | None,
    new_cards: int,
    as_json: bool,
) -> None:
    """Ask cards: those that `chosen` returns, by default all of the file."""
    lexicon, file = _open(lexicon_id, path)
    about = list(file.cards if chosen is None else chosen(lexicon))
    session = QuizSession(lexicon, file, err=as_json)
    due, new = _waiting(file, about)
    click.echo(said("Due: {due}. New: {new}.", due=len(due), new=len(new)), err=as_json)
    session.run([*due, *new[:new_cards]])
    due, new = _waiting(file, about)
    result = session.result
    if as_json:
        left = {"due": len(due), "new": len(new)}
        _echo({"lexicon": lexicon.id, "file": str(file.path), **asdict(result), **left})
        return
    counts = {"asked": result.asked, "right": result.right, "due": len(due), "new": len(new)}
    click.echo(said("Asked: {asked}. Right at once: {right}. Left: {due} due, {new} new.", **counts))


def _waiting(file: QuizFile, about: list[str]) -> tuple[list[str], list[str]]:
    """Return which of some questions are due, and which are new."""
    wanted = set(about)
    due = [question for question in file.due(datetime.now(UTC)) if question in wanted]
    return due, [question for question in about if file.is_new(question)]


@quiz_command.command("status")
@lexicon_option
@_file_option
@json_option
def status_command(lexicon_id: str | None, path: Path | None, as_json: bool) -> None:
    """Count the cards of the file: all, due and new ones, for each kind.

    \b
    kibitz quiz status --json
    """
    lexicon, file = _open(lexicon_id, path)
    kinds = {kind: [one for one in file.cards if card_kind(one) == kind] for kind in CARD_KINDS}
    rows = {kind: (len(about), *map(len, _waiting(file, about))) for kind, about in kinds.items()}
    if as_json:
        counted = {kind: dict(zip(("cards", "due", "new"), row, strict=True)) for kind, row in rows.items()}
        _echo({"lexicon": lexicon.id, "file": str(file.path), **counted})
        return
    headings = ("", said("cards"), said("due"), said("new"))
    table = result_table(str(file.path), headings, [(kind, *map(str, row)) for kind, row in rows.items()])
    print_table(table)


@quiz_command.command("import")
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE")
@_format_option
@_cards_option
@lexicon_option
@_file_option
@json_option
def import_command(
    source: Path,
    kind: str,
    cards: str,
    lexicon_id: str | None,
    path: Path | None,
    as_json: bool,
) -> None:
    """Add the cards of a FILE of Zyzzyva or Anki.

    Of Zyzzyva, the table of questions as CSV, with its counts and dates; a cardbox becomes the interval of
    its middle. Of Anki, the first field of each note, as new cards. Cards that you have been asked keep their
    progress; questions that no word answers are left out.

    \b
    sqlite3 -header -csv Anagrams.db "select * from questions" > FILE
    kibitz quiz import FILE --format zyzzyva
    kibitz quiz import words.txt --format anki
    """
    lexicon, file = _open(lexicon_id, path)
    with faults_of(source):
        text = read_text(source)
        if kind == "zyzzyva":
            found = read_zyzzyva(text, lexicon, cards)
        else:
            found = read_anki(text, lexicon, datetime.now(UTC).replace(microsecond=0))
    added = {question: card for question, card in found.cards.items() if file.is_new(question)}
    file.cards.update(added)
    file.save()
    counts = {"added": len(added), "known": len(found.cards) - len(added), "left_out": found.left_out}
    if as_json:
        _echo({"lexicon": lexicon.id, "file": str(file.path), **counts})
    else:
        click.echo(said("Cards: {added} added, {known} known already, {left_out} left out.", **counts))


@quiz_command.command("export")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@_format_option
@_cards_option
@lexicon_option
@_file_option
@json_option
def export_command(
    target: Path,
    kind: str,
    cards: str,
    lexicon_id: str | None,
    path: Path | None,
    as_json: bool,
) -> None:
    """Write the cards to a FILE for Zyzzyva or Anki.

    For Zyzzyva, a table of the cards of one kind that were asked; for Anki, questions and answers of all.

    \b
    kibitz quiz export FILE --format zyzzyva --cards hooks
    kibitz quiz export words.txt --format anki
    """
    lexicon, file = _open(lexicon_id, path)
    text = write_zyzzyva(file.cards, cards) if kind == "zyzzyva" else write_anki(file.cards, lexicon)
    write_atomically(target, text.encode())
    count = text.count("\n") - (1 if kind == "zyzzyva" else 3)
    if as_json:
        _echo({"path": str(target), "cards": count})
    else:
        click.echo(shown(f"{target}: {count:,}"))


def _open(lexicon_id: str | None, path: Path | None) -> tuple[Lexicon, QuizFile]:
    lexicon = open_lexicon(lexicon_id)
    return lexicon, QuizFile.open(path or Path(f"quiz-{lexicon.id}.json"), lexicon.id)


def _echo(value: dict[str, Any]) -> None:
    echo_json(orjson.dumps(value, option=orjson.OPT_INDENT_2))
