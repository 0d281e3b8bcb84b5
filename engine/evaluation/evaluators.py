"""The evaluators by name: `Evaluator` values all leaves of a rack on a board."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt
from engine.evaluation import valuing_narrow, valuing_wide
from engine.evaluation.bingo_expectation import DeltaSet
from engine.evaluation.bingo_table import bingo_table
from engine.evaluation.evaluator_kernel import EvaluatorKernel
from engine.evaluation.heuri import PASS_RULES, VERSIONS, Heuri, HeuriConstants
from engine.evaluation.leave_table import find_leave_table, leave_table
from engine.evaluation.static_evaluation import combined_kernel, static_kernel
from engine.evaluation.win_pct import find_win_pct_table
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation.bingo_expectation_narrow import HeuriKernel
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import Plays
    from engine.position import Position, Rack
    from engine.rules import RuleSet

_HEURI: Final = {f"heuri{version}": (version, False) for version in VERSIONS} | {
    f"heuri{version},pass={rule}": (version, weighs_pass)
    for version in VERSIONS[1:]
    for rule, weighs_pass in PASS_RULES.items()
}
LEAVE_EVALUATORS: Final = (*_HEURI, "static", "combined")
"""The names of the evaluators that value leaves; after a comma Heuri 2 to 6 take how they value a pass."""

HEURI: Final = f"heuri{VERSIONS[-1]}"
"""The last of Heuri's evaluators."""

_LEARNED: Final = ("static", "combined")
_VALUING: Final = {"narrow": valuing_narrow, "wide": valuing_wide}
_FIRST_WITH_DELTA: Final = 3  # Heuri 1 and 2 do not look at the board


def uses_delta(name: str, *, expect_bingos: bool = False) -> bool:
    """Tell whether an evaluator uses the board's delta set; with `expect_bingos` every one does."""
    version, _ = _HEURI.get(name, (0, False))
    return expect_bingos or version >= _FIRST_WITH_DELTA or name == "combined"


def uses_bingos(name: str, *, expect_bingos: bool = False) -> bool:
    """Tell whether an evaluator needs the bingo table; with `expect_bingos` every one does."""
    return expect_bingos or name in _HEURI or name == "combined"


def uses_leaves(name: str) -> bool:
    """Tell whether an evaluator needs a leave table."""
    return name in _LEARNED


def best_evaluator(lexicon: Lexicon) -> str:
    """Return static if the lexicon has a leave table, else heuri6."""
    return HEURI if find_leave_table(lexicon) is None else "static"


def tables_used(names: Iterable[str], lexicon: Lexicon) -> list[str]:
    """Return the names of the learned tables that some evaluators use; raises what `leave_table` raises."""
    return [leave_table(lexicon).name] if any(map(uses_leaves, names)) else []


def learned_tables(lexicon: Lexicon) -> dict[str, str | None]:
    """Return the names of the learned tables that serve a lexicon, by kind; None for one that is missing.

    A name contains a checksum: equal names are equal tables. Raises DamagedTable.
    """
    leaves, wins = find_leave_table(lexicon), find_win_pct_table(lexicon)
    return {
        "leaves": None if leaves is None else leaves.name,
        "win_pct": None if wins is None else wins.name,
    }


class LeaveValues:
    """Hold the values of the leaves of a rack, in millipoints, in the order of `plays.leaves`.

    `array`: their values; `bingos`: the bingos to expect of them, or None if those are not computed.
    """

    def __init__(self, rack: Rack, array: NDArray[np.int32], bingos: NDArray[np.int32] | None) -> None:
        self._rack = rack
        self.array = array
        self.bingos = bingos

    def number_without(self, tiles: bytes) -> int:
        """Return the number of the leave after some tiles of the rack are played; raises KeyError for
        others."""
        weights = self._weights
        return len(self.array) - 1 - sum([weights[code] for code in tiles])

    @cached_property
    def _weights(self) -> dict[int, int]:
        """The place value of each tile in the numbers of leaves (`plays.leaves`)."""
        weights, weight = {}, 1
        for code in sorted(set(self._rack.tiles)):
            weights[code] = weight
            weight *= self._rack.tiles.count(code) + 1
        return weights


class Evaluator:
    """Values leaves by one evaluator and lexicon; owns its memory, so one thread may use it at a time."""

    def __init__(self, name: str, lexicon: Lexicon, rules: RuleSet, *, expect_bingos: bool = False) -> None:
        """Prepare an evaluator for a lexicon.

        `name`: one of LEAVE_EVALUATORS; `rules`: give the bingo bonus; `expect_bingos`: compute the bingos
        to expect too, by Heuri 6 if the evaluator itself does not use them. Raises what `evaluator_kernel`
        raises.

        The attribute `weighs_pass` is true if a pass competes with other moves by the value of the full rack.
        """
        self.name = name
        self.weighs_pass = name in _HEURI and _HEURI[name][1]
        self._kernel, gaining = _kernels(name, lexicon, rules)
        self._expecting = gaining if name in _HEURI else None
        if self._expecting is None and (expect_bingos or gaining is not None):
            self._expecting = _kernels(HEURI, lexicon, rules)[1]
        self._adopting = [kernel for kernel in {self._expecting, gaining} if kernel is not None]
        self._valuing = _VALUING[lexicon.geometry]
        self._wants_delta = uses_delta(name, expect_bingos=expect_bingos)
        self._lexicon = lexicon

    def leave_values(
        self, board: LoadedBoard, position: Position, stored: bytes | None = None
    ) -> tuple[LeaveValues, bytes | None]:
        """Return the values of the leaves of the player on turn, and the board's delta set if it is new.

        `stored`: the delta set as bytes from a cache, or None; bytes of another board are ignored. The second
        result is the delta set as bytes to store, None if the stored one was used or none is needed.
        """
        computed = None
        if self._wants_delta:
            table = bingo_table(self._lexicon)
            delta = None if stored is None else DeltaSet.from_bytes(stored, board.key, table)
            if delta is None:
                delta = DeltaSet.compute(board, table)
                computed = delta.to_bytes()
            for kernel in self._adopting:
                kernel.adopt(board.kernel, delta.limbs)
        arguments = (board.kernel, position.rack.tiles, *_situation(position))
        array = self._valuing.leave_values(self._kernel, *arguments)
        bingos = None
        if self._expecting is self._kernel:
            bingos = array
        elif self._expecting is not None:
            bingos = self._valuing.leave_values(self._expecting, *arguments)
        return LeaveValues(position.rack, array, bingos), computed

    def adjust(self, plays: Plays, position: Position) -> None:
        """Subtract from the equity of plays what does not depend on their leaves: the defence of Heuri 1."""
        if not self._kernel.adjusts:
            return
        self._valuing.adjust_plays(
            self._kernel, plays.board.kernel, position.rack.tiles, *_situation(position), plays.array
        )


def evaluator_kernel(name: str, lexicon: Lexicon, rules: RuleSet) -> EvaluatorKernel:
    """Return a new kernel of an evaluator, or of "greedy", for one thread.

    `rules`: give the bingo bonus. Raises MissingTable (code "missing_leaves") if the evaluator needs a leave
    table and there is none, InvalidInput (code "unknown_evaluator") for an unknown name.
    """
    return _kernels(name, lexicon, rules)[0]


def _kernels(name: str, lexicon: Lexicon, rules: RuleSet) -> tuple[EvaluatorKernel, HeuriKernel | None]:
    """Return the kernel of an evaluator, and the kernel in it that computes the bingos to expect, if any."""
    bonus = float(rules.bingo_bonus)
    if name == "greedy":
        return EvaluatorKernel(), None
    if name == "static":
        return static_kernel(leave_table(lexicon), lexicon.geometry), None
    if name == "combined":
        table = leave_table(lexicon)
        gain = replace(HeuriConstants(), bonus=bonus - table.plain_mean)
        bingos = Heuri(max(VERSIONS), lexicon, gain).kernel()
        return combined_kernel(table, bingos, lexicon.geometry), bingos
    if name not in _HEURI:
        raise InvalidInput(
            Text(
                "there is no evaluator '{name}'; known: greedy, {known}",
                name=excerpt(name),
                known=list(LEAVE_EVALUATORS),
            ),
            code="unknown_evaluator",
            field="evaluator",
            params={"name": excerpt(name), "known": ["greedy", *LEAVE_EVALUATORS]},
        )
    version, weighs_pass = _HEURI[name]
    constants = replace(HeuriConstants(), bonus=bonus)
    kernel = Heuri(version, lexicon, constants, weighs_pass=weighs_pass).kernel()
    return kernel, kernel


def _situation(position: Position) -> tuple[bytes, int, int, int, int]:
    """Return unseen tiles, tiles in the bag, spread, bingo bonus and bingo tiles, as the kernels take
    them."""
    counts = position.unseen()
    try:
        unseen = bytes(counts)
    except ValueError:  # an impossible position, or a tile set with hundreds of a tile
        unseen = bytes([min(count, 255) & 255 for count in counts])
    first, *others = position.players
    spread = first.score - max((player.score for player in others), default=0)
    rules = position.rules
    return unseen, position.bag_count(), spread, rules.bingo_bonus, rules.bingo_tiles
