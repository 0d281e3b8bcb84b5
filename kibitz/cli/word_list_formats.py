"""Write a study list as text, CSV, flash cards for Anki, or JSON."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

import orjson
from rich.console import Console
from rich.text import Text

from engine import hooks_question
from kibitz.cli.search import letters_text, word_table
from kibitz.cli.tables import print_table, result_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from engine import BingoStem, Lexicon, StudyWord

STEMS: Final = "stems"
"""The id of the list of bingo stems."""

WORD_COLUMNS: Final = (
    "length",
    "word",
    "tiles",
    "alphagram",
    "score",
    "front_hooks",
    "back_hooks",
    "without_first",
    "without_last",
    "rank",
    "probability",
)


@dataclass(frozen=True, slots=True)
class WrittenList:
    """Hold a list to be written: words by length, or bingo stems.

    `asks_hooks` and `ranked` are those of `StudyList`.
    """

    lexicon: Lexicon
    id: str
    words: Mapping[int, Sequence[StudyWord]] = field(default_factory=dict)
    stems: Sequence[BingoStem] = ()
    asks_hooks: bool = False
    ranked: bool = False

    @property
    def count(self) -> int:
        """The number of words or stems."""
        return len(self.stems) + sum(map(len, self.words.values()))

    def all_words(self) -> Iterator[StudyWord]:
        """Yield the words of all lengths."""
        for words in self.words.values():
            yield from words


@dataclass(frozen=True, slots=True)
class Format:
    """Hold a format: the function that writes a list, and the ending of file names."""

    write: Callable[[WrittenList], str]
    ending: str


def _text(written: WrittenList) -> str:
    text = io.StringIO()
    console = Console(file=text, width=None, highlight=False)
    if written.id == STEMS:
        headings = ("rank", "stem", "letters", "words", "useful")
        rows = [
            (
                str(stem.rank),
                stem.tiles,
                str(stem.letter_count),
                str(stem.word_count),
                letters_text(one.letter for one in stem.letters),
            )
            for stem in written.stems
        ]
        title = f"{written.lexicon.id}: bingo stems by the number of useful letters"
        print_table(result_table(title, headings, rows, ("stem", "useful")), console)
        for stem in written.stems:
            text.write(f"\n{stem.rank}. {stem.tiles}\n")
            text.writelines(f"  {one.letter}  {' '.join(one.words)}\n" for one in stem.letters)
        return text.getvalue()
    for length, words in written.words.items():
        if text.tell():
            text.write("\n")
        title = f"{written.lexicon.id}: {written.id}, {length} tiles ({len(words):,})"
        table = word_table(title, ("rank", "one in") if written.ranked else ())
        for word in words:
            # Text, because rich would read the brackets around a tile of two characters as markup.
            table.add_row(*map(Text, _cells(word, ranked=written.ranked)))
        print_table(table, console)
    return text.getvalue()


def _cells(word: StudyWord, *, ranked: bool) -> tuple[str, ...]:
    shown = f"{'·' if word.front else ' '}{word.tiles}{'·' if word.back else ' '}"
    cells = (letters_text(word.front_hooks), shown, letters_text(word.back_hooks), str(word.score))
    if not ranked:
        return cells
    # The blanks may not suffice: no draw of the one Z of English and both blanks is PIZZAZZ.
    return (*cells, str(word.rank), f"{1 / word.probability:,.0f}" if word.probability else "never")


def _csv(written: WrittenList) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if written.id == STEMS:
        writer.writerow(("rank", "stem", "letter_count", "word_count", "probability", "letter", "words"))
        for stem in written.stems:
            head = (stem.rank, stem.tiles, stem.letter_count, stem.word_count, f"{stem.probability:.6g}")
            writer.writerows((*head, one.letter, " ".join(one.words)) for one in stem.letters)
        return text.getvalue()
    writer.writerow(WORD_COLUMNS)
    for word in written.all_words():
        hooks = (letters_text(word.front_hooks), letters_text(word.back_hooks))
        inner = (int(word.front), int(word.back))
        spelling = (word.length, word.word, word.tiles, word.alphagram, word.score)
        writer.writerow((*spelling, *hooks, *inner, word.rank, f"{word.probability:.6g}"))
    return text.getvalue()


def _anki(written: WrittenList) -> str:
    """Write one note a line: question, answer, tags ([AnkiText]).

    The question is the first field, by which Anki recognizes a note that it has; its form differs by the kind
    of question, so that cards about the same tiles do not replace each other.
    """
    head = ["#separator:Tab", "#html:false", "#columns:Question\tAnswer\tTags", "#tags column:3"]
    tags = f"kibitz {written.lexicon.id} {written.lexicon.id}-{written.id}"
    return "".join(f"{line}\n" for line in [*head, *(f"{card}\t{tags}" for card in _cards(written))])


def _cards(written: WrittenList) -> Iterator[str]:
    """Yield question and answer of each card, separated by a tab."""
    for stem in written.stems:
        made = "; ".join(f"{one.letter}: {' '.join(one.words)}" for one in stem.letters)
        yield f"{stem.tiles} + ?\t{made}"
    if written.asks_hooks:
        for word in written.all_words():
            hooks = (letters_text(word.front_hooks) or "-", letters_text(word.back_hooks) or "-")
            yield f"{hooks_question(word.tiles)}\t{hooks[0]} {word.tiles} {hooks[1]}"
        return
    anagrams: dict[str, list[str]] = {}
    for word in written.all_words():
        anagrams.setdefault(word.alphagram, []).append(_with_hooks(word))
    for tiles, words in anagrams.items():
        yield f"{tiles}\t{', '.join(words)}"


def _with_hooks(word: StudyWord) -> str:
    parts = (letters_text(word.front_hooks), word.word, letters_text(word.back_hooks))
    return f"{parts[0] and parts[0].lower() + '-'}{parts[1]}{parts[2] and '-' + parts[2].lower()}"


def _json(written: WrittenList) -> str:
    is_stems = written.id == STEMS
    rows = [asdict(row) for row in (written.stems if is_stems else written.all_words())]
    lexicon = {"id": written.lexicon.id, "sha256": written.lexicon.sha256}
    found = {"lexicon": lexicon, "list": written.id, "stems" if is_stems else "words": rows}
    return orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


FORMATS: Final = {
    "text": Format(_text, ".txt"),
    "csv": Format(_csv, ".csv"),
    "anki": Format(_anki, ".anki.txt"),
    "json": Format(_json, ".json"),
}
