"""What is known of a flash card, and when it comes again: FSRS decides ([FSRS])."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.extras import install_command

if TYPE_CHECKING:
    from fsrs import Scheduler

CARD_RATINGS: Final = ("again", "hard", "good", "easy")
"""How well a card was known; "again" means that it was missed."""


@dataclass(frozen=True, slots=True)
class CardProgress:
    """Hold what is known of a card.

    `stability` (days until the recall falls to 90 %) and `difficulty` (1 to 10) are those of FSRS; they are
    None, as `last_review` is, for a card that was never asked. `correct`, `incorrect`: numbers of answers;
    `streak`: right answers in a row or, below 0, missed ones. The limits are those of FSRS, and of times and
    counts that are read.
    """

    EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)
    LATEST = datetime(2400, 1, 1, tzinfo=UTC)
    LEAST_DAYS = 0.001
    MOST_DAYS = 36_500
    MOST_ANSWERS = 1_000_000_000

    due: datetime
    last_review: datetime | None = None
    stability: float | None = None
    difficulty: float | None = None
    correct: int = 0
    incorrect: int = 0
    streak: int = 0

    @property
    def is_new(self) -> bool:
        """Whether the card was never asked."""
        return self.last_review is None

    @property
    def is_consistent(self) -> bool:
        """Whether last_review, stability and difficulty are all known or all None."""
        return len({one is None for one in (self.last_review, self.stability, self.difficulty)}) == 1

    def _answered(self, right: bool) -> dict[str, int]:
        """Return the counts after one more answer."""
        if right:
            return {
                "correct": min(self.correct + 1, self.MOST_ANSWERS),
                "streak": min(max(self.streak, 0) + 1, self.MOST_ANSWERS),
            }
        return {
            "incorrect": min(self.incorrect + 1, self.MOST_ANSWERS),
            "streak": max(min(self.streak, 0) - 1, -self.MOST_ANSWERS),
        }


def card_scheduler() -> Scheduler:
    """Return the scheduler: steps of days only, and no chance in the intervals.

    Raises InvalidInput (code "quiz_missing") without fsrs.
    """
    try:
        from fsrs import Scheduler
    except ImportError:
        command = install_command("quiz")
        raise InvalidInput(
            f"a quiz needs fsrs, which is not installed: {command}",
            code="quiz_missing",
            params={"command": command},
        ) from None
    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def reviewed_card(scheduler: Scheduler, known: CardProgress, rating: str, now: datetime) -> CardProgress:
    """Return a card after an answer with one of CARD_RATINGS; `now` has whole seconds."""
    from fsrs import Card, Rating, State

    before = Card(
        0,
        State.Learning if known.is_new else State.Review,
        stability=known.stability,
        difficulty=known.difficulty,
        due=known.due,
        last_review=known.last_review,
    )
    card, _ = scheduler.review_card(before, Rating(CARD_RATINGS.index(rating) + 1), now)
    return replace(
        known,
        due=card.due,
        last_review=now,
        stability=min(card.stability or known.LEAST_DAYS, known.MOST_DAYS),  # FSRS has no upper limit
        difficulty=card.difficulty,
        **known._answered(right=rating != CARD_RATINGS[0]),
    )
