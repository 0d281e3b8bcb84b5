"""How much a search may spend."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Limit:
    """Say when a search stops at the latest; it stops earlier where nothing is left to find out.

    `seconds` cuts the search, so that its result may differ from run to run. `iterations` (rollouts of a
    simulation) and `nodes` (positions of an endgame or a pre-endgame) count work: the same work gives the
    same result everywhere. What is None does not limit; of work, `Limit()` allows the usual amount. Raises
    InvalidInput for a limit that is not positive.
    """

    seconds: float | None = None
    iterations: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "iterations", "nodes"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InvalidInput(
                    f"a limit of {name} must be greater than 0, not {value}",
                    code="out_of_range",
                    field=name,
                    params={"option": name, "value": value},
                )
