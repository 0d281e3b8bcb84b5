"""What a thread keeps between requests: its generators and evaluators, which own their scratch memory."""

from __future__ import annotations

from threading import local
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from engine.evaluation.evaluators import Evaluator
from engine.movegen import generator

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.movegen import MoveGenerator
    from engine.rules import RuleSet

EVALUATORS_KEPT: Final = 8  # by a thread for a lexicon, one for each name, bingo bonus and wish asked for


class _Own(local):
    """This thread's generators and evaluators: each owns its scratch memory, and goes with its lexicon."""

    def __init__(self) -> None:
        self.generators: WeakKeyDictionary[Lexicon, dict[str, MoveGenerator]] = WeakKeyDictionary()
        self.evaluators: WeakKeyDictionary[Lexicon, dict[tuple[str, int, bool], Evaluator]] = (
            WeakKeyDictionary()
        )


_own = _Own()


def thread_generator(name: str, lexicon: Lexicon) -> MoveGenerator:
    """Return this thread's generator of a name."""
    known = _own.generators.setdefault(lexicon, {})
    if name not in known:
        known[name] = generator(name, lexicon)
    return known[name]


def thread_evaluator(name: str, lexicon: Lexicon, rules: RuleSet, *, expect_bingos: bool) -> Evaluator | None:
    """Return this thread's evaluator; None for greedy, which values no leave."""
    if name == "greedy":
        return None
    known = _own.evaluators.setdefault(lexicon, {})
    key = (name, rules.bingo_bonus, expect_bingos)
    if key not in known:
        if len(known) >= EVALUATORS_KEPT:
            known.clear()
        known[key] = Evaluator(name, lexicon, rules, expect_bingos=expect_bingos)
    return known[key]
