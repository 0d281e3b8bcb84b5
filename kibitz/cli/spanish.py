"""`kibitz lexicon conjugate` and `kibitz lexicon generate`: Spanish verbs, and words from labelled lemmas."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import TYPE_CHECKING

import click
import orjson

from engine import InvalidInput, Text
from kibitz.cli.files import write_atomically
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import echo_json, shown
from lexicons.spanish_words import (
    LEMMA_LABELS,
    SPANISH_LEMMAS,
    VERB_PERSONS,
    Paradigm,
    conjugate,
    generate,
    read_lemmas,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

INDICATIVE = ("present", "imperfect", "preterite", "future", "conditional")
SUBJUNCTIVE = (
    "subjunctive",
    "past_subjunctive_ra",
    "past_subjunctive_se",
    "future_subjunctive",
    "imperative",
)
_XZ = b"\xfd7zXZ\0"

GENERATORS = {"spanish": (generate, SPANISH_LEMMAS)}
"""By language: the function that generates its words from lemmas, and the file of the bundled ones."""

_LABEL_LINES = "\n".join(f"    {label:<13} {meaning}" for label, meaning in LEMMA_LABELS.items())


@click.command("conjugate")
@click.argument("verb", metavar="VERB")
@json_option
def conjugate_command(verb: str, as_json: bool) -> None:
    """Print the forms of a Spanish VERB, with voseo, and its family of irregular verbs.

    VERB is an infinitive, with or without -se. A verb that no family lists is conjugated as a regular one,
    with its changes of spelling. The families are the 38 of [Heuri, chapter 5]; families of the last number
    have one model each.

    \b
    kibitz lexicon conjugate contar
    kibitz lexicon conjugate abstenerse
    """
    paradigm = conjugate(verb)
    if as_json:
        echo_json(orjson.dumps(_as_json(paradigm), option=orjson.OPT_INDENT_2))
        return
    click.echo(shown(f"{paradigm.pronominal or paradigm.infinitive}: {_families(paradigm)}"))
    for name in ("gerund", "participle"):
        click.echo(f"{name}: {_alternatives(paradigm.cell(name))}")
    for title, tenses in (("Indicative", INDICATIVE), ("Subjunctive and imperative", SUBJUNCTIVE)):
        rows = [
            (person, *(_alternatives(paradigm.cell(tense, person)) or None for tense in tenses))
            for person in VERB_PERSONS
        ]
        headings = ("", *(tense.replace("_ra", " in -ra").replace("_se", " in -se") for tense in tenses))
        headings = tuple(heading.replace("_", " ") for heading in headings)
        click.echo()
        print_table(result_table(title, headings, rows, text=headings))


def _families(paradigm: Paradigm) -> str:
    """Return the families of a verb in words."""
    names = [
        f"family {family.number}, like {family.model}" if family.number else "regular"
        for family in paradigm.families
    ]
    return f"{' or '.join(names)} ({paradigm.conjugation})"


def _alternatives(forms: Iterable[str]) -> str:
    return ", ".join(forms)


def _as_json(paradigm: Paradigm) -> dict[str, object]:
    tenses: dict[str, object] = {name: paradigm.cell(name) for name in ("infinitive", "gerund", "participle")}
    for tense in (*INDICATIVE, *SUBJUNCTIVE):
        tenses[tense] = {person: paradigm.cell(tense, person) for person in VERB_PERSONS}
    return {
        "verb": paradigm.pronominal or paradigm.infinitive,
        "conjugation": paradigm.conjugation,
        "families": [{"number": family.number, "model": family.model} for family in paradigm.families],
        "forms": tenses,
    }


GENERATE_HELP = f"""Write the word list that labelled lemmas give.

A line of the file of lemmas is a lemma in the spelling of print, a tab, and its labels, separated by commas:
"amar", "transitive,reflexive". Lines that begin with # are comments. The labels are:

\b
{_LABEL_LINES}

Words are written in upper case without accents, one a line, those of 2 to 15 tiles (CH, LL and RR are one).
Build tables from the list with `kibitz lexicon build`. The lemmas of kibitz come from free lists, and so do
the words; their licence, the Mozilla Public License 1.1, is in lexicons/spanish.

\b
kibitz lexicon generate spanish --output spanish.txt
kibitz lexicon generate spanish --lemmas lemmas.tsv --output spanish.txt
kibitz lexicon build --words spanish.txt --tiles spanish --id spanish-lemmas
"""


@click.command("generate", help=GENERATE_HELP)
@click.argument("language", type=click.Choice(sorted(GENERATORS)))
@click.option(
    "--lemmas",
    "lemmas_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The labelled lemmas, in UTF-8; may be compressed with xz. [default: those of kibitz]",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The word list to write; it is replaced only when complete. [default: standard output]",
)
def generate_command(language: str, lemmas_file: Path | None, output: Path | None) -> None:
    """Write the word list that labelled lemmas give; GENERATE_HELP is what --help shows."""
    words_of, bundled = GENERATORS[language]
    lemmas = list(read_lemmas(text_lines(lemmas_file or bundled)))
    with steps_progress("Generating", "lemmas") as progress:
        words = words_of(lemmas, progress)
    text = "".join(f"{word}\n" for word in words)
    if output is None:
        click.echo(text, nl=False)
        return
    write_atomically(output, text.encode())
    click.echo(f"{len(words):,} words of {len(lemmas):,} lemmas in {shown(str(output))}")


def text_lines(path: Path) -> list[str]:
    """Return the lines of a file in UTF-8, which may be compressed with xz.

    Raises InvalidInput if it is damaged, or naming the first line that is not UTF-8.
    """
    data = path.read_bytes()
    if data.startswith(_XZ):
        try:
            data = lzma.decompress(data)
        except (lzma.LZMAError, EOFError):
            raise InvalidInput(
                Text("{path} cannot be decompressed: its xz data are damaged or incomplete", path=str(path)),
                code="unreadable_word_list",
                params={"format": "xz"},
            ) from None
    lines: list[str] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            lines.append(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            raise InvalidInput(
                Text("line {line} of {path} is not text in UTF-8", line=number, path=str(path)),
                code="undecodable_line",
                params={"line": number, "encoding": "utf-8"},
            ) from None
    return lines
