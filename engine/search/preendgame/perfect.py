"""Values of states in which all is known: endgames beneath, and turns with tiles in the bag above them.

A question is whether the side on turn can gain at least so much; the answer are bounds, for a question far
from the value is cheap, and win or loss is all that is asked of most draws.
"""

from __future__ import annotations

import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.movegen import internal_words_narrow, internal_words_wide
from engine.movegen.internal_words import DEFAULT_THRESHOLD
from engine.movegen.plays import PLAY_LIMIT
from engine.movegen.simd import simd_level
from engine.search.endgame import endgame_narrow, endgame_wide
from engine.search.endgame.meter import BudgetSpentError
from engine.search.endgame.problem import NOT_COUNTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon import Lexicon
    from engine.position import Pass, Play
    from engine.search.budget import Budget
    from engine.search.endgame.endgame_narrow import EndgameKernel
    from engine.search.preendgame.turns import State, Turn, Turns

Bounds: TypeAlias = tuple[int, int]

INFINITE: Final = 10**9
UNKNOWN: Final[Bounds] = (-INFINITE, INFINITE)
NODE_LIMITS: Final = (4_000, 40_000, 300_000, 2_000_000, 2**60)
"""The nodes that one endgame may take, round by round: first what is easy, everywhere."""
GRANTING_DEPTHS: Final = (2, 1)
"""Turns after which a question grants its loser all he could score alone: there he is on turn. By whether the
likely answer is yes."""
MAX_WEIGHED: Final = 40
"""Moves of an endgame weighed against replies before it is searched: 8.2 ms a question then, 11.7 if all."""
MAX_CACHED: Final = 100_000  # states remembered, at about 400 bytes
MAX_DEPTH: Final = 100
MAX_REFUTING: Final = 8  # moves on a board that are tried before all others

_KERNELS: Final = {"narrow": endgame_narrow, "wide": endgame_wide}
_GENERATORS: Final = {"narrow": internal_words_narrow, "wide": internal_words_wide}


def new_kernel(lexicon: Lexicon, table_mb: int) -> EndgameKernel:
    """Return an endgame search with a table of its own."""
    generator = _GENERATORS[lexicon.geometry].Generator(
        lexicon.tables, DEFAULT_THRESHOLD, 0, simd_level(), PLAY_LIMIT
    )
    kernel: EndgameKernel = _KERNELS[lexicon.geometry].EndgameKernel(lexicon.tables, generator, table_mb)
    return kernel


class Perfect:
    """Answers questions about states, within a budget; remembers what it has found.

    `limit` is how many nodes one endgame may take now; what is not proven by then stays open.
    """

    def __init__(self, kernel: EndgameKernel, turns: Turns, budget: Budget) -> None:
        self.began = time.monotonic_ns()
        self.kernel, self.turns = kernel, turns
        self.most_nodes = budget.nodes
        self.deadline = budget.deadline
        self.limit = NODE_LIMITS[0]
        self.nodes = 0
        self.endgames = 0
        # Bounds, a guess, the limit on nodes that did not suffice.
        self._kept: dict[tuple[bytes, ...], tuple[int, int, int | None, int]] = {}
        # Moves that reached what was asked, on a board.
        self._refuting: dict[bytes, dict[Play | Pass, None]] = {}

    @property
    def seconds(self) -> float:
        """The time since the search began."""
        return (time.monotonic_ns() - self.began) / 1e9

    def check(self) -> None:
        """Raise BudgetSpentError if the nodes or the time are used up."""
        if self.most_nodes is not None and self.nodes >= self.most_nodes:
            raise BudgetSpentError
        if self.deadline.passed:
            raise BudgetSpentError

    def at_least(self, state: State, target: int) -> Bounds:
        """Return bounds on what the side on turn gains: one of them on the asked side of `target`, if it can.

        Raises BudgetSpentError.
        """
        if not state.bag:
            return self._endgame(state, target, exact=False)
        self.check()
        key = _key(state)
        lower, upper, _, _ = self._kept.get(key, (*UNKNOWN, None, 0))
        if lower >= target or upper < target:
            return lower, upper
        found_lower, found_upper = -INFINITE, -INFINITE
        for turn in self._ordered(state):
            low, high = self.turn_at_least(state, turn, target)
            found_lower, found_upper = max(found_lower, low), max(found_upper, high)
            if low >= target:
                self._remember(state, turn)
                found_upper = INFINITE
                break
        lower, upper = max(lower, found_lower), min(upper, found_upper)
        self._keep(key, (lower, upper, None, 0))
        return lower, upper

    def turn_at_least(self, state: State, turn: Turn, target: int) -> Bounds:
        """Return bounds on what a move gains, as `at_least` does."""
        after = self.turns.after(state, turn)
        if after is None:
            value = self.turns.end_value(state, turn)
            return value, value
        low, high = self.at_least(after, turn.score - target + 1)
        return turn.score - high, turn.score - low

    def exact(self, state: State) -> Bounds:
        """Return bounds on what the side on turn gains, equal unless the limit on nodes came first."""
        if not state.bag:
            return self._endgame(state, 0, exact=True)
        lower, upper = self.at_least(state, target := self.estimate(state))
        while lower < upper:
            target = upper if upper < target else lower + 1
            before = lower, upper
            lower, upper = self.at_least(state, target)
            if (lower, upper) == before:
                break
        return lower, upper

    def estimate(self, state: State) -> int:
        """Return a guess of what the side on turn gains: what was found, else its dearest play."""
        lower, upper, guess, _ = self._kept.get(_key(state), (*UNKNOWN, None, 0))
        if guess is None:
            guess = self.turns.of(state.board, state.own)[0].score
        return min(max(guess, lower), upper)

    def _ordered(self, state: State) -> Iterator[Turn]:
        """Yield the moves of a state, first those that reached what was asked in its likes."""
        turns = self.turns.of(state.board, state.own)
        refuting = self._refuting.get(state.board.kernel.squares, ())
        first = sorted(at for at in map(turns.find, tuple(refuting)) if at is not None)
        for at in first:
            yield turns[at]
        for at in range(len(turns)):
            if at not in first:
                yield turns[at]

    def _remember(self, state: State, turn: Turn) -> None:
        moves = self._refuting.setdefault(state.board.kernel.squares, {})
        if len(moves) < MAX_REFUTING:
            moves[turn.move] = None

    def _endgame(self, state: State, target: int, *, exact: bool) -> Bounds:
        key = _key(state)
        lower, upper, guess, failed = self._kept.get(key, (*UNKNOWN, None, 0))
        settled = lower == upper if exact else lower >= target or upper < target
        if settled or failed >= self.limit:
            return lower, upper
        self.check()
        self.endgames += 1
        rules = self.turns.rules
        pass_limit, zero_limit = 2 * rules.passes_each, rules.zero_turn_limit
        zeros, passes = state.zeros, state.passes
        if zeros == 0:
            # Nobody gains by a pass that a pass could answer: with two turns left there are fewer states.
            # That holds unless plays may score nothing; then all turns are counted.
            zero_limit, zeros, pass_limit, passes = self._short(state, zero_limit, pass_limit)
        left = self.limit if self.most_nodes is None else min(self.limit, self.most_nodes - self.nodes)
        self.kernel.start(
            state.board.kernel,
            state.own,
            state.other,
            rules.bingo_bonus,
            rules.bingo_tiles,
            pass_limit,
            zero_limit,
            passes,
            zeros,
            self.deadline.at,
            left,
            min(left, MAX_WEIGHED),
        )
        self.check()  # with blanks, listing the plays of both sides takes its time
        self.kernel.limit(left, self.deadline.at)
        if exact:
            self._deepen()
        else:
            self._ask(target)
        guess, _, low, high, nodes, *_ = self.kernel.state
        self.nodes += nodes
        lower = lower if low is None else max(lower, low)
        upper = upper if high is None else min(upper, high)
        settled = lower == upper if exact else lower >= target or upper < target
        self._keep(key, (lower, upper, guess, failed if settled else self.limit))
        return lower, upper

    def _deepen(self) -> None:
        """Have the kernel search deeper and deeper, until the value is proven or the limit reached."""
        for depth in range(self.kernel.state[1] + 1, MAX_DEPTH + 1):
            finished, proven = self.kernel.deepen(depth)
            if proven or not finished:
                return

    def _ask(self, target: int) -> None:
        """Have the kernel find out whether the value is at least `target`.

        First it tries to prove what looks likely, granting the loser of the question all it could score
        alone beyond a turn or two; only then both sides play to the end.
        """
        guess, _, low, high, *_ = self.kernel.state
        likely = guess >= target
        if low < target <= high:
            self.kernel.bound(int(likely), GRANTING_DEPTHS[likely], target if likely else target - 1)
            _, _, low, high, *_ = self.kernel.state
        if low < target <= high:
            self.kernel.probe(target)

    def _short(self, state: State, zero_limit: int, pass_limit: int) -> tuple[int, int, int, int]:
        """Return the ending of an endgame without turns for nothing before it: limits, and what has gone."""
        values = self.turns.values
        for_nothing = any(not code or not values[code] for code in state.own + state.other)
        if for_nothing:
            return zero_limit, 0, pass_limit, 0
        return min(2, zero_limit, pass_limit or zero_limit), 0, 0, 0

    def _keep(self, key: tuple[bytes, ...], known: tuple[int, int, int | None, int]) -> None:
        if len(self._kept) >= MAX_CACHED:
            self._kept.clear()
        self._kept[key] = known


def _key(state: State) -> tuple[bytes, ...]:
    turns = bytes((min(state.zeros, NOT_COUNTED), min(state.passes, 255)))
    board = blake2b(state.board.kernel.squares, digest_size=16).digest()
    return board, state.own, state.other, state.bag, turns
