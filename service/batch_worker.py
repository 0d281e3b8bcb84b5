"""A process that annotates records for `kibitz batch --workers`; see `service.pipes`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from service.batch import BatchWork
from service.pipes import answer_questions
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator


def main() -> None:
    """Answer questions, each a description of the work with the `name` of a record, by the outcome."""
    settings = Settings.from_environment()
    known: dict[str, BatchWork] = {}

    def answer(question: dict[str, Any], _: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        name = Path(question.pop("name"))
        work = known.setdefault(repr(question), BatchWork.of(question, settings))
        yield asdict(work.annotate(name)), b""

    answer_questions(answer)


if __name__ == "__main__":
    main()
