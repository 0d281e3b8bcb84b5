"""The evaluators by name: `Evaluator` values all leaves of a rack on a board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import check_known
from engine.evaluation.bingo_expectation import DeltaSet
from engine.evaluation.bingo_table import bingo_table
from engine.evaluation.heuri import PASS_RULES, VERSIONS, HeuriConstants, heuri_kernel
from engine.evaluation.leave_table import find_leave_table, leave_table
from engine.evaluation.static_evaluation import combined_kernel, static_kernel
from engine.evaluation.win_pct import find_win_pct_table
from engine.messages import Text
from engine.movegen.legal_moves import LegalMoves
from engine.movegen.plays import PLAY_DTYPE, Plays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation.evaluation_kernel import EvaluatorKernel, HeuriKernel, SituationKernel
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import InternalWords
    from engine.position import Position
    from engine.rules import RuleSet


class _Kernels(NamedTuple):
    """Hold the kernel of an evaluator, and the kernel in it that computes the bingos to expect, if any."""

    valuing: EvaluatorKernel
    expecting: HeuriKernel | None = None


@dataclass(frozen=True, slots=True)
class EvaluatorKind:
    """Describe an evaluator: how its kernel is built, and what it needs.

    `build`: takes the lexicon and the bingo bonus; `leaves`: needs a leave table; `bingos`: needs the bingo
    table; `delta`: uses the delta set of the board; `weighs_pass`: a pass competes with other moves by the
    value of the full rack.
    """

    build: Callable[[Lexicon, float], _Kernels]
    leaves: bool = False
    bingos: bool = False
    delta: bool = False
    weighs_pass: bool = False


def _heuri(version: int, *, weighs_pass: bool = False) -> EvaluatorKind:
    def build(lexicon: Lexicon, bonus: float) -> _Kernels:
        constants = replace(HeuriConstants(), bonus=bonus)
        kernel = heuri_kernel(version, lexicon, constants, weighs_pass=weighs_pass)
        return _Kernels(kernel, kernel)

    looks_at_board = version > 2  # Heuri 1 and 2 do not
    return EvaluatorKind(build, bingos=True, delta=looks_at_board, weighs_pass=weighs_pass)


def _combined(lexicon: Lexicon, bonus: float) -> _Kernels:
    table = leave_table(lexicon)
    gain = replace(HeuriConstants(), bonus=bonus - table.plain_mean)
    bingos = heuri_kernel(max(VERSIONS), lexicon, gain)
    return _Kernels(combined_kernel(table, bingos, lexicon), bingos)


EVALUATOR_KINDS: Final = {
    "greedy": EvaluatorKind(lambda lexicon, bonus: _Kernels(lexicon.kernels.evaluation.EvaluatorKernel())),
    **{f"heuri{version}": _heuri(version) for version in VERSIONS},
    **{
        f"heuri{version},pass={rule}": _heuri(version, weighs_pass=weighs_pass)
        for version in VERSIONS[1:]
        for rule, weighs_pass in PASS_RULES.items()
    },
    "static": EvaluatorKind(
        lambda lexicon, bonus: _Kernels(static_kernel(leave_table(lexicon), lexicon)), leaves=True
    ),
    "combined": EvaluatorKind(_combined, leaves=True, bingos=True, delta=True),
}
"""The evaluators by name; after a comma Heuri 2 to 6 take how they value a pass."""

LEAVE_EVALUATORS: Final = tuple([name for name in EVALUATOR_KINDS if name != "greedy"])
"""The names of the evaluators that value leaves."""

HEURI: Final = f"heuri{VERSIONS[-1]}"
"""The last of Heuri's evaluators."""


def evaluator_kind(name: str) -> EvaluatorKind:
    """Return a description by its name; raise InvalidInput (code "unknown_evaluator") for another name."""
    check_known(Text("evaluator"), name, EVALUATOR_KINDS, code="unknown_evaluator", field="evaluator")
    return EVALUATOR_KINDS[name]


def best_evaluator(lexicon: Lexicon) -> str:
    """Return static if the lexicon has a leave table, else heuri6."""
    return HEURI if find_leave_table(lexicon) is None else "static"


def tables_used(names: Iterable[str], lexicon: Lexicon) -> list[str]:
    """Return the names of the learned tables that some evaluators use; raises what `leave_table` raises."""
    return [leave_table(lexicon).name] if any(evaluator_kind(name).leaves for name in names) else []


def learned_tables(lexicon: Lexicon) -> dict[str, str | None]:
    """Return the names of the learned tables that serve a lexicon, by kind; None for one that is missing.

    A name contains a checksum: equal names are equal tables. Raises DamagedTable.
    """
    leaves, wins = find_leave_table(lexicon), find_win_pct_table(lexicon)
    return {
        "leaves": None if leaves is None else leaves.name,
        "win_pct": None if wins is None else wins.name,
    }


class LeaveValues(NamedTuple):
    """Hold the values of the leaves of a rack, in millipoints, in the order of `movegen.leaves`.

    `array`: their values; `bingos`: the bingos to expect of them, or None if those are not computed.
    """

    array: NDArray[np.int32]
    bingos: NDArray[np.int32] | None


class Evaluator:
    """Values leaves by one evaluator and lexicon; owns its memory, so one thread may use it at a time."""

    def __init__(self, name: str, lexicon: Lexicon, rules: RuleSet, *, expect_bingos: bool = False) -> None:
        """Prepare an evaluator for a lexicon.

        `name`: one of LEAVE_EVALUATORS; `rules`: give the bingo bonus; `expect_bingos`: compute the bingos
        to expect too, by Heuri 6 if the evaluator itself does not use them. Raises what `evaluator_kernel`
        raises.

        The attribute `weighs_pass` is true if a pass competes with other moves by the value of the full rack.
        """
        kind = evaluator_kind(name)
        self.name = name
        self.weighs_pass = kind.weighs_pass
        bonus = float(rules.bingo_bonus)
        self._kernel, gaining = kind.build(lexicon, bonus)
        self._expecting = gaining if gaining is self._kernel else None
        if self._expecting is None and (expect_bingos or gaining is not None):
            self._expecting = evaluator_kind(HEURI).build(lexicon, bonus).expecting
        self._adopting = [kernel for kernel in {self._expecting, gaining} if kernel is not None]
        self._valuing = lexicon.kernels.evaluation
        self._wants_delta = kind.delta or expect_bingos
        self._lexicon = lexicon

    def leave_values(
        self, board: LoadedBoard, position: Position, stored: bytes | None = None
    ) -> tuple[LeaveValues, bytes | None]:
        """Return the values of the leaves of the player on turn, and the board's delta set if it is new.

        `stored`: the delta set as bytes from a cache, or None; bytes of another board are ignored. The second
        result is the delta set as bytes to store, None if the stored one was used or none is needed.
        """
        computed = self._adopt_delta(board, stored)
        situation = self._situation(board, position)
        array = self._valuing.leave_values(self._kernel, situation)
        bingos = None
        if self._expecting is self._kernel:
            bingos = array
        elif self._expecting is not None:
            bingos = self._valuing.leave_values(self._expecting, situation)
        return LeaveValues(array, bingos), computed

    def best_play(
        self, board: LoadedBoard, position: Position, search: InternalWords
    ) -> tuple[Plays, LeaveValues]:
        """Return the best play by equity, as a list of one or none, and the values of the leaves.

        One call of the kernel does both. `search`: a generator of this thread. Raises ValueError for Heuri 1,
        which adjusts the equity of each play.
        """
        self._adopt_delta(board, None)
        array, (best, intervals, candidates, scanned) = self._valuing.best_play(
            search.kernel, self._kernel, self._situation(board, position), PLAY_DTYPE
        )
        statistics = {"intervals": intervals, "candidates": candidates, "scanned": scanned}
        return Plays(best, board, statistics), LeaveValues(array, None)

    def _adopt_delta(self, board: LoadedBoard, stored: bytes | None) -> bytes | None:
        """Give the kernels the board's delta set if they use it; return it as `leave_values` does."""
        if not self._wants_delta:
            return None
        computed = None
        table = bingo_table(self._lexicon)
        delta = None if stored is None else DeltaSet.from_bytes(stored, board.key, table)
        if delta is None:
            delta = DeltaSet.compute(board, table)
            computed = delta.to_bytes()
        for kernel in self._adopting:
            kernel.adopt(board.kernel, delta.limbs)
        return computed

    def adjust(self, plays: Plays, position: Position) -> None:
        """Subtract from the equity of plays what does not depend on their leaves: the defence of Heuri 1."""
        if not self._kernel.adjusts:
            return
        self._valuing.adjust_plays(self._kernel, self._situation(plays.board, position), plays.array)

    def _situation(self, board: LoadedBoard, position: Position) -> SituationKernel:
        """Return a position as the kernels take it."""
        first, *others = position.players
        spread = first.score - max([player.score for player in others], default=0)
        rack, kernel = position.rack.tiles, board.kernel
        unseen = self._valuing.unseen_tiles(kernel, rack, position.tile_set.counts)
        situation: SituationKernel = self._valuing.SituationKernel(
            kernel, rack, unseen, position.bag_count(), spread, position.rules.kernel
        )
        return situation


def legal_moves(
    position: Position,
    board: LoadedBoard,
    generator: InternalWords,
    evaluator: Evaluator | None = None,
    stored: bytes | None = None,
) -> tuple[LegalMoves, bytes | None]:
    """Return the legal moves of a position, valued by an evaluator, and its new delta set.

    `board`: the loaded board of the position; `evaluator`: None values no leaves; `stored` and the second
    result: as of `Evaluator.leave_values`.
    """
    if evaluator is None:
        return LegalMoves(position, generator.generate(board, position.rack, position.rules)), None
    values, delta = evaluator.leave_values(board, position, stored)
    plays = generator.generate(board, position.rack, position.rules, values.array)
    evaluator.adjust(plays, position)
    moves = LegalMoves(position, plays, values.array, values.bingos, weighs_pass=evaluator.weighs_pass)
    return moves, delta


def evaluator_kernel(name: str, lexicon: Lexicon, rules: RuleSet) -> EvaluatorKernel:
    """Return a new kernel of an evaluator, or of "greedy", for one thread.

    `rules`: give the bingo bonus. Raises MissingTable (code "missing_leaves") if the evaluator needs a leave
    table and there is none, InvalidInput (code "unknown_evaluator") for an unknown name.
    """
    return evaluator_kind(name).build(lexicon, float(rules.bingo_bonus)).valuing
