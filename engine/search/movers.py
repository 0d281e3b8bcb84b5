"""Movers, which choose the move with the most equity in the kernel, and rules as kernels take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.search import mover_narrow, mover_wide

if TYPE_CHECKING:
    from engine.movegen import InternalWords
    from engine.rules import RuleSet

_KERNELS: Final = {"narrow": mover_narrow, "wide": mover_wide}


def mover(search: InternalWords, rules: RuleSet, bingo_bonus: int | None = None) -> mover_narrow.Mover:
    """Return a mover by the given rules; it shares the scratch memory of `search`, so they serve one thread.

    `bingo_bonus`: points, instead of those of the rules.
    """
    numbers = rule_numbers(rules)
    if bingo_bonus is not None:
        numbers["bingo_bonus"] = bingo_bonus
    kernel: mover_narrow.Mover = _KERNELS[search.geometry].Mover(search.kernel, numbers)
    return kernel


def rule_numbers(rules: RuleSet) -> dict[str, int]:
    """Return the fields of GameRules (mover.h) by name."""
    return {
        "bingo_bonus": rules.bingo_bonus,
        "bingo_tiles": rules.bingo_tiles,
        "rack_size": rules.rack_size,
        "exchange_limit": rules.exchange_limit,
        "zero_turn_limit": rules.zero_turn_limit,
        "passes_each": rules.passes_each,
        "zero_turns_need_points": int(rules.zero_turns_need_points),
        "ending_is_double": int(rules.ending == "double"),
    }
