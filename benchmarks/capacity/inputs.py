"""What the capacity model is fed with: measured times, sizes and repetition, as a JSON file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from benchmarks.capacity.repetition import Repetition
from engine import InvalidInput

SHIPPED: Final = Path(__file__).parent / "measured.json"
"""The inputs that were measured for the documentation; the file names machine and command."""

TIERS: Final = ("none", "memory", "redis")
"""Where a service caches: nowhere; in the memory of its processes; also boards and searches in Redis."""


@dataclass(frozen=True, slots=True)
class AnswerTime:
    """Hold the processor time of one kind of answer, in seconds.

    `busy`: mean when other requests wait; `idle`: mean when they come seldom and wake threads that sleep;
    `spread`: times divided by their mean at evenly spread quantiles.
    """

    busy: float
    idle: float
    spread: list[float]


@dataclass(frozen=True, slots=True)
class RedisUse:
    """Hold what one answer asks of Redis.

    `calls`: round trips; `operations`: commands; `seconds`: processor time of Redis; `sent`: bytes from Redis
    to the service; `received`: bytes to Redis.
    """

    calls: int
    operations: float
    seconds: float
    sent: float
    received: float


@dataclass(frozen=True, slots=True)
class Inputs:
    """Hold all that was measured.

    `others`: cores that other programs used meanwhile; with more than a tenth of one, times are too long.
    `computed`: time of computing a plain answer by tier of TIERS; `found`: time of a plain answer found in
    "memory", or of a search found in "redis"; `simulation`: time of an answer with a simulation. `stored` and
    `fetched`: the use of Redis by a plain answer, which looks up its board and stores it, and by a search
    that is found. `outside`: seconds of an answer outside the processor of the service, with a client on the
    same machine; `round_trip`: of these for one call of Redis, its own time excluded. Sizes in bytes:
    `reply_bytes` with its headers, `memory_bytes` of an answer with its board in the memory of a process,
    `board_bytes` of a board in Redis, `search_bytes` of a search with its board.
    """

    machine: str
    command: str
    lexicon: str
    others: float
    computed: dict[str, AnswerTime]
    found: dict[str, AnswerTime]
    simulation: float
    stored: RedisUse
    fetched: RedisUse
    outside: float
    round_trip: float
    reply_bytes: float
    memory_bytes: float
    board_bytes: float
    search_bytes: float
    repetition: Repetition

    def time(self, kind: str, tier: str) -> AnswerTime:
        """Return the time of an answer: `kind` is "computed", or where it is found."""
        return self.computed[tier] if kind == "computed" else self.found[kind]

    def to_json(self) -> bytes:
        """Return the text of the file."""
        return orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_json(cls, text: bytes, name: str) -> Inputs:
        """Read the text of a file; raises InvalidInput (code "bad_measured") with its name."""
        try:
            fields: dict[str, Any] = orjson.loads(text)
            for kinds in (fields["computed"], fields["found"]):
                kinds |= {kind: AnswerTime(**times) for kind, times in kinds.items()}
            for use in ("stored", "fetched"):
                fields[use] = RedisUse(**fields[use])
            fields["repetition"] = Repetition(**fields["repetition"])
            return cls(**fields)
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidInput(
                f"{name} holds no measured inputs: {error!r}", code="bad_measured", field="measured"
            ) from None
