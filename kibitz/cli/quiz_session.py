"""Ask the cards of a quiz in the terminal, and schedule them by FSRS."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from engine import CardProgress, InvalidInput, card_scheduler, flash_card, read_word, reviewed_card
from kibitz.cli.language import said
from kibitz.cli.terminal import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import FlashCard, Lexicon
    from kibitz.cli.quiz_file import QuizFile


@dataclass(slots=True)
class QuizResult:
    """Count the cards that were asked and answered right at once; `missed` are the words not found, once."""

    asked: int = 0
    right: int = 0
    missed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Answer:
    """Hold an answer: the words that were not found, and whether some typed words were no answers."""

    missed: tuple[str, ...]
    has_wrong: bool

    @property
    def rating(self) -> str:
        """The rating: missed words are "again", wrong ones "hard", else it is "good"."""
        return "again" if self.missed else "hard" if self.has_wrong else "good"


class QuizSession:
    """A quiz in the terminal; each answer is saved before the next question.

    `err`: whether everything is printed on standard error.
    """

    def __init__(self, lexicon: Lexicon, file: QuizFile, *, err: bool) -> None:
        self._lexicon = lexicon
        self._file = file
        self._err = err
        self._scheduler = card_scheduler()
        self.result = QuizResult()

    def run(self, asked: Sequence[str]) -> None:
        """Ask questions in this order; a card that is missed comes again at the end, until it is known.

        Ctrl-C and the end of the input end the quiz.
        """
        queue = deque(asked)
        seen: set[str] = set()
        number = 0
        try:
            while queue:
                card = flash_card(self._lexicon, queue.popleft())
                if not card.answers:  # the list has changed since the card was made
                    continue
                number += 1
                self._say(f"{number}/{number + len(queue)}  {card.question}  ({len(card.answers)})")
                answer = self._ask(card)
                self._record(card, answer, again=card.question in seen)
                seen.add(card.question)
                if answer.missed:
                    queue.append(card.question)
        except (click.Abort, KeyboardInterrupt):
            click.echo(err=self._err)
            self._say(said("Stopped. All answers are saved in {path}.", path=str(self._file.path)))

    def _ask(self, card: FlashCard) -> _Answer:
        """Read words until all are found or an empty line gives up."""
        spelled = self._lexicon.tile_set.alphabet.word
        wanted = set(card.answers)
        has_wrong = False
        while wanted:
            typed = click.prompt("", "", show_default=False, prompt_suffix="> ", err=self._err)
            words = typed.replace(",", " ").split()
            if not words:
                break
            read = {word: self._codes(word) for word in words}
            wanted -= set(read.values())
            wrong = [word for word, codes in read.items() if codes not in card.answers]
            has_wrong = has_wrong or bool(wrong)
            if wrong:
                self._say(said("Not an answer: {words}", words=" ".join(wrong)))
            if wanted:
                count = len(card.answers)
                self._say(said("{found} of {count} found", found=count - len(wanted), count=count))
        missed = tuple(spelled(word) for word in card.answers if word in wanted)
        self._say(said("Missed: {words}", words=" ".join(missed)) if missed else said("Right."))
        return _Answer(missed, has_wrong)

    def _codes(self, word: str) -> bytes:
        """Return the tile codes of a typed word, none if it is not one."""
        try:
            return read_word(word, self._lexicon.tile_set.alphabet)
        except InvalidInput:
            return b""

    def _record(self, card: FlashCard, answer: _Answer, *, again: bool) -> None:
        """Schedule a card and save the file; count its first answer of the run."""
        now = datetime.now(UTC).replace(microsecond=0)
        known = self._file.cards.get(card.question) or CardProgress(due=now)
        self._file.cards[card.question] = reviewed_card(self._scheduler, known, answer.rating, now)
        self._file.save()
        if not again:
            self.result.asked += 1
            self.result.right += not answer.missed
            self.result.missed += answer.missed

    def _say(self, text: str) -> None:
        click.echo(shown(text), err=self._err)
