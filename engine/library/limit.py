"""The limit of a search."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import InvalidInput
from engine.messages import Text


@dataclass(frozen=True, slots=True)
class Limit:
    """Limit a search by time or by work; it ends earlier when its result is certain.

    `seconds`: the result may then differ from run to run; `iterations`: of a simulation; `nodes`: positions
    of an endgame or pre-endgame search. The same work gives the same result on every machine. `Limit()`
    allows a default amount of work. Raises InvalidInput for a limit that is not positive.
    """

    seconds: float | None = None
    iterations: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "iterations", "nodes"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InvalidInput(
                    Text("a limit of {option} must be greater than 0, not {value}", option=name, value=value),
                    code="out_of_range",
                    field=name,
                )
