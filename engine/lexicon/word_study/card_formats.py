"""Cards in the formats of other programs: the question table of Zyzzyva as CSV, and the text files of Anki.

Zyzzyva has a row for each question with its cardbox, which says how long the card rests; Anki's text files
have questions and answers, but no progress.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt
from engine.lexicon.word_study.card_progress import CardProgress
from engine.lexicon.word_study.flash_cards import card_kind, flash_card, hooks_question
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from engine.lexicon.lexicon import Lexicon
    from engine.lexicon.word_study.flash_cards import FlashCard

_FIELD: Final = "text"
"""Where these faults are."""

ZYZZYVA_COLUMNS: Final = (
    "question", "correct", "incorrect", "streak", "last_correct", "difficulty", "cardbox", "next_scheduled",
)  # fmt: skip

BOX_DAYS: Final = (1, 4, 7, 12, 20, 30, 60, 90, 150, 270, 480)
"""The days that a card rests in each cardbox of Zyzzyva, the middle of its range; the last box is open."""

MAX_SECONDS: Final = 10_000_000_000
"""A time after this, in seconds since 1970, is refused (the year 2286)."""

_MIDDLE_DIFFICULTY: Final = 5.0
_ZYZZYVA_DIFFICULTY: Final = 50
"""The difficulty that Zyzzyva gives to every question."""

_SEPARATORS: Final = {
    "tab": "\t", "comma": ",", "semicolon": ";", "space": " ", "pipe": "|", "colon": ":",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportedCards:
    """Hold cards that were read, and how many were left out: those without an answer or a cardbox."""

    cards: dict[str, CardProgress]
    left_out: int


def read_zyzzyva(text: str, lexicon: Lexicon, kind: str) -> ImportedCards:
    """Read Zyzzyva's table of anagrams or of hooks: the cards that are in a cardbox.

    Raises InvalidInput naming the line.
    """

    def card_of(row: list[str]) -> tuple[FlashCard, CardProgress | None]:
        named = dict(zip(columns, row, strict=False))
        asked = named.get("question", "")
        card = flash_card(lexicon, hooks_question(asked) if kind == "hooks" else asked)
        return card, _of_zyzzyva(named) if named.get("cardbox") else None

    rows = _rows(io.StringIO(text), ",")
    _, columns = next(rows, (1, []))
    lacking = [name for name in ("question", "cardbox", "next_scheduled") if name not in columns]
    if lacking:
        raise _refused(Text("the first line has no column {columns}", columns=lacking))
    return _imported(rows, card_of)


def write_zyzzyva(cards: Mapping[str, CardProgress], kind: str) -> str:
    """Write the cards of one kind that were asked, as Zyzzyva's table has them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ZYZZYVA_COLUMNS)
    for question, card in cards.items():
        if card_kind(question) == kind and card.last_review is not None and card.stability is not None:
            days = card.stability
            box = min(range(len(BOX_DAYS)), key=lambda number: abs(BOX_DAYS[number] - days))
            last = int(card.last_review.timestamp()) if card.streak > 0 else 0
            counts = (card.correct, card.incorrect, card.streak, last, _ZYZZYVA_DIFFICULTY)
            writer.writerow((question.strip("_"), *counts, box, int(card.due.timestamp())))
    return text.getvalue()


def read_anki(text: str, lexicon: Lexicon, now: datetime) -> ImportedCards:
    """Read the first fields of the notes of a text file of Anki, as cards that are new from `now` on.

    The header line #separator names the separator, by default a tab. Raises InvalidInput naming the line.
    """
    lines = text.splitlines(keepends=True)
    heads = (line[1:].strip() for line in lines if line.startswith("#"))
    named = next((head.partition(":")[2] for head in heads if head.startswith("separator:")), "tab")
    separator = _SEPARATORS.get(named.lower(), named)
    if len(separator) != 1 or separator in '"\r\n':
        raise _refused(Text("'{text}' is not a separator that Anki knows", text=excerpt(named)))
    notes = _rows(("\n" if line.startswith("#") else line for line in lines), separator)
    return _imported(notes, lambda note: (flash_card(lexicon, note[0].strip()), CardProgress(now)))


def write_anki(cards: Iterable[str], lexicon: Lexicon) -> str:
    """Write questions and answers as a text file that Anki imports ([AnkiText])."""
    spelled = lexicon.tile_set.alphabet.word
    lines = ["#separator:Tab", "#html:false", "#columns:Question\tAnswer"]
    for question in cards:
        lines.append(f"{question}\t{' '.join(map(spelled, flash_card(lexicon, question).answers))}")
    return "".join(f"{line}\n" for line in lines)


def _imported(
    rows: Iterable[tuple[int, list[str]]],
    card_of: Callable[[list[str]], tuple[FlashCard, CardProgress | None]],
) -> ImportedCards:
    """Read the rows that are not empty; a fault names its line."""
    cards: dict[str, CardProgress] = {}
    left_out = 0
    for line, row in rows:
        if any(row):
            try:
                card, progress = card_of(row)
            except InvalidInput as error:
                fault = Text("line {line}: {fault}", line=line, fault=error.message)
                raise InvalidInput(fault, code=error.code, field=_FIELD) from None
            if progress is None or not card.answers:
                left_out += 1
            else:
                cards[card.question] = progress
    return ImportedCards(cards, left_out)


def _rows(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file with their lines; raise InvalidInput naming one that csv cannot read."""
    reader = csv.reader(lines, delimiter=separator)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        fault = Text("line {line}: {reason}", line=reader.line_num, reason=str(error))
        raise _refused(fault) from None


def _of_zyzzyva(row: Mapping[str, str | None]) -> CardProgress:
    """Return the card of a row: how long its cardbox lets it rest is the stability."""
    days = BOX_DAYS[min(_whole(row, "cardbox"), len(BOX_DAYS) - 1)]
    due = _time(_whole(row, "next_scheduled", most=MAX_SECONDS))
    last = _whole(row, "last_correct", most=MAX_SECONDS)
    return CardProgress(
        due=due,
        last_review=min(_time(last), due) if last else max(due - timedelta(days=days), CardProgress.EARLIEST),
        stability=float(days),
        difficulty=_MIDDLE_DIFFICULTY,
        correct=_whole(row, "correct"),
        incorrect=_whole(row, "incorrect"),
        streak=_whole(row, "streak", -CardProgress.MOST_ANSWERS),
    )


def _time(seconds: int) -> datetime:
    return max(datetime.fromtimestamp(seconds, UTC), CardProgress.EARLIEST)


def _whole(
    row: Mapping[str, str | None], name: str, least: int = 0, most: int = CardProgress.MOST_ANSWERS
) -> int:
    """Read a whole number of a row, 0 if it is empty; raise InvalidInput naming the column."""
    text = row.get(name) or "0"
    if re.fullmatch("-?[0-9]{1,12}", text) and least <= int(text) <= most:
        return int(text)
    raise _refused(
        Text(
            "{column}: '{text}' is not a whole number from {least} to {most}",
            column=name,
            text=excerpt(text),
            least=least,
            most=most,
        )
    )


def _refused(detail: Text) -> InvalidInput:
    return InvalidInput(detail, code="bad_quiz_import", field=_FIELD)
