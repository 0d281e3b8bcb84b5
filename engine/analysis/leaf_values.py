"""What leaves are worth: the learned value, and the bingos to expect of them on a board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import local
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import numpy as np

from engine.analysis.result import LexiconReference, PositionReport, Provenance
from engine.analysis.setting import check_letters, position_report, table_name
from engine.errors import Fault, InvalidInput
from engine.evaluation.evaluators import Evaluator
from engine.evaluation.leave_ranks import LEAVE_TILES
from engine.evaluation.leave_table import find_leave_table
from engine.loaded_board import LoadedBoard
from engine.movegen import leaves
from engine.position import Rack
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.evaluation.leave_table import LeaveTable
    from engine.lexicon import Lexicon
    from engine.position import Position

_EXPECTING: Final = "heuri6"


class _Own(local):
    """This thread's evaluators: each owns its scratch memory, and goes with its lexicon."""

    def __init__(self) -> None:
        self.evaluators: WeakKeyDictionary[Lexicon, dict[int, Evaluator]] = WeakKeyDictionary()


_own = _Own()


@dataclass(frozen=True, slots=True)
class LeaveReport:
    """Hold what is known of a leave, in points.

    `value` is None if no table has it, `bingo_expectation` if it is a full rack: there is nothing to draw.
    """

    leave: str
    tile_count: int
    value: float | None
    bingo_expectation: float | None


@dataclass(frozen=True, slots=True)
class RackLeaves:
    """Hold the leaves of a rack: the longest first, then in the order of the tile set."""

    rack: str
    leaves: tuple[LeaveReport, ...]


@dataclass(frozen=True, slots=True)
class LeaveReports:
    """Hold the leaves of racks on one board."""

    position: PositionReport
    racks: tuple[RackLeaves, ...]
    provenance: Provenance


def leave_reports(
    racks: Sequence[Rack], position: Position, lexicon: Lexicon, *, parts: bool = True
) -> LeaveReports:
    """Value the leaves of racks on the board of a position, whose own rack on turn does not matter.

    `parts`: every part of each rack, the empty one too; else each rack as a whole, as the leave that it is.
    The value is the learned one, which knows no board; the bingo expectation is Heuri 6's, given the board
    and the tiles that are not seen (thesis 003, section 8.2).  Raises InvalidInput with every fault of the
    position or, under "racks/<index>", of a rack.
    """
    check_letters(position, lexicon)
    bare = replace(position, players=(replace(position.players[0], rack=None), *position.players[1:]))
    bare.check()
    held = [_holding(bare, rack, index) for index, rack in enumerate(racks)]
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    table, evaluator = find_leave_table(lexicon), _evaluator(position, lexicon)
    delta: bytes | None = None
    reports = []
    for holding in held:
        values, fresh = evaluator.leave_values(board, holding, delta)
        delta = delta or fresh
        assert values.bingos is not None  # noqa: S101 - Heuri says what to expect
        expected = dict(zip(leaves(holding.rack), values.bingos.tolist(), strict=True))
        alphabet = position.tile_set.alphabet
        wanted = sorted(expected, key=lambda leave: (-len(leave), leave.lstrip(b"\0"), leave))
        if not parts:
            wanted = wanted[:1]
        learned = _learned(table, wanted)
        listed = tuple(
            LeaveReport(
                Rack(leave).text(alphabet),
                len(leave),
                learned.get(leave),
                expected[leave] / 1000 if len(leave) <= LEAVE_TILES else None,
            )
            for leave in wanted
        )
        reports.append(RackLeaves(holding.rack.text(alphabet), listed))
    return LeaveReports(
        position=position_report(bare, lexicon),
        racks=tuple(reports),
        provenance=Provenance(
            VERSION, LexiconReference(lexicon.id, lexicon.sha256), leaves=table_name(table)
        ),
    )


def _holding(position: Position, rack: Rack, index: int) -> Position:
    """Return the position with a rack on turn; raises InvalidInput pointing at the rack if it cannot be."""
    held = replace(position, players=(replace(position.players[0], rack=rack), *position.players[1:]))
    field = f"racks/{index}"
    if not rack.tiles:
        raise InvalidInput("a rack to value leaves of holds a tile at least", code="no_rack", field=field)
    try:
        held.check()
    except InvalidInput as error:
        faults = [Fault(fault.code, fault.detail, field, params=fault.params) for fault in error.faults]
        raise InvalidInput.collected(faults) from None
    return held


def _learned(table: LeaveTable | None, wanted: Sequence[bytes]) -> dict[bytes, float]:
    """Return the learned values of leaves in points, without those that the table does not have.

    It has no whole racks, nor more of a tile than the set has that it was made for.
    """
    found: dict[bytes, float] = {}
    if table is None:
        return found
    counts = table.tile_set.counts
    for size in range(LEAVE_TILES + 1):
        alike = [
            leave
            for leave in wanted
            if len(leave) == size and all(leave.count(code) <= counts[code] for code in set(leave))
        ]
        if alike:
            ranks = table.ranks.of(np.frombuffer(b"".join(alike), np.uint8).reshape(len(alike), size))
            found.update(zip(alike, (table.values[ranks].astype(np.float64) / 100).tolist(), strict=True))
    return found


def _evaluator(position: Position, lexicon: Lexicon) -> Evaluator:
    known = _own.evaluators.setdefault(lexicon, {})
    bonus = position.rules.bingo_bonus
    if bonus not in known:
        known.clear()
        known[bonus] = Evaluator(_EXPECTING, lexicon, position.rules)
    return known[bonus]
