"""What is asked: a position, the options, and the names under which answers may be kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

from engine.errors import InvalidInput, quoted
from engine.evaluation.evaluators import EVALUATORS_AT_HAND
from engine.movegen import GENERATOR_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.lexicon import Lexicon
    from engine.position import Position

ANSWER_FORMAT: Final = 1
"""Raised whenever the same request would give other bytes than before."""

SORTS: Final = ("score", "equity", "win_pct")
EVALUATORS: Final = (
    "auto",
    "greedy",
    "heuri1",
    "heuri2",
    "heuri3",
    "heuri4",
    "heuri5",
    "heuri6",
    "static",
    "combined",
)
AVAILABLE_SORTS: Final = frozenset({"score", "equity"})
AVAILABLE_EVALUATORS: Final = {
    "auto": "greedy",
    "greedy": "greedy",
    **{name: name for name in EVALUATORS_AT_HAND},
}
"""The evaluators that exist, and the one that each name means."""


class Store(Protocol):
    """Keep bytes under names; it may forget anything at any time, and never raises."""

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, in order; None where there is none."""

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Keep the entries for as long as it suits the store."""


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Say which moves to list and how: `top_n` best, by `sort`; `compare` names moves to rank beside them."""

    top_n: int = 10
    sort: str = "score"
    include_exchanges: bool = False
    generator: str = "internal_words"
    evaluator: str = "auto"
    compare: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise InvalidInput naming the option that is unknown or not available."""
        if self.top_n < 1:
            raise InvalidInput("top_n must be at least 1", code="out_of_range", field="top_n")
        _check_choice("sort", self.sort, SORTS, AVAILABLE_SORTS)
        _check_choice("evaluator", self.evaluator, EVALUATORS, AVAILABLE_EVALUATORS)
        _check_choice("generator", self.generator, GENERATOR_NAMES, GENERATOR_NAMES)
        if self.sort == "equity" and AVAILABLE_EVALUATORS[self.evaluator] == "greedy":
            raise InvalidInput(
                "moves can be sorted by equity only with an evaluator that values leaves: "
                + ", ".join(EVALUATORS_AT_HAND),
                code="sort_unavailable",
                field="sort",
            )


@dataclass(frozen=True)
class AnalysisRequest:
    """Ask for the moves of one position."""

    position: Position
    options: AnalysisOptions = AnalysisOptions()

    @cached_property
    def canonical(self) -> str:
        """The canonical text of the position; made once, for it is asked for more than once."""
        return self.position.canonical()

    def key(self, lexicon: Lexicon, version: str) -> str:
        """Return the SHA-256 (hexadecimal) of everything that can change the answer's bytes."""
        parts = [
            f"answer {ANSWER_FORMAT} {version}",
            f"lexicon {lexicon.id} {lexicon.sha256} {lexicon.table_sha256}",
            repr(self.options),
            self.canonical,
        ]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _check_choice(
    name: str, value: str, known: Sequence[str], available: Mapping[str, str] | Sequence[str] | frozenset[str]
) -> None:
    if value not in known:
        raise InvalidInput(
            f"there is no {name} {quoted(value)}; known: {', '.join(known)}",
            code=f"unknown_{name}",
            field=name,
        )
    if value not in available:
        raise InvalidInput(
            f"the {name} {value} is not available for this position and lexicon; available: "
            + ", ".join(sorted(available)),
            code=f"{name}_unavailable",
            field=name,
        )
