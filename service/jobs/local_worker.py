"""A process that does jobs for a service without Redis; see `service.pipes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.jobs.work import do_work, problem_of
from service.jobs.worker_app import make_worker_app
from service.pipes import answer_questions
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator


def main() -> None:
    """Answer questions {"kind", "media_type"}, each with the input behind it, by the pieces of the result."""
    app = make_worker_app(Settings.from_environment())

    def answer(question: dict[str, Any], body: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        try:
            for piece, done in do_work(app, question["kind"], question["media_type"], body):
                yield {"done": done}, piece
        except Exception as error:
            yield {"problem": problem_of(error)}, b""

    answer_questions(answer)


if __name__ == "__main__":
    main()
