"""Values of leaves: the learned value, and the bingo expectation on a board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.analysis.report import Provenance, lexicon_reference, table_name
from engine.analysis.request import check_letters
from engine.errors import Fault, InvalidInput
from engine.evaluation.evaluators import HEURI
from engine.evaluation.leave_ranks import LEAVE_TILES
from engine.evaluation.leave_table import find_leave_table
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.movegen import leaves
from engine.position import Rack
from engine.search.lending import lent_evaluator
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.evaluation.leave_table import LeaveTable
    from engine.lexicon import Lexicon
    from engine.position import Position


@dataclass(frozen=True, slots=True)
class LeaveReport:
    """Hold the values of a leave in points.

    `value`: learned, None if the table lacks the leave; `bingo_expectation`: None for a full rack, after
    which nothing is drawn.
    """

    leave: Rack
    value: float | None
    bingo_expectation: float | None


@dataclass(frozen=True, slots=True)
class RackLeaves:
    """Hold the leaves of a rack: the longest first, equally long ones in the order of the tile set."""

    rack: Rack
    leaves: tuple[LeaveReport, ...]


@dataclass(frozen=True, slots=True)
class LeaveReports:
    """Hold the leaves of several racks on one board."""

    position: Position
    racks: tuple[RackLeaves, ...]
    provenance: Provenance


def leave_reports(
    racks: Sequence[Rack], position: Position, lexicon: Lexicon, *, parts: bool = True
) -> LeaveReports:
    """Return the values of leaves on the board of a position; the rack of the player on turn is ignored.

    `parts`: True for all leaves of each rack, the empty one included; False for the rack itself as a leave.
    The learned value does not depend on the board; the bingo expectation is that of Heuri 6 for the board and
    the unseen tiles ([Heuri], section 8.2). Raises InvalidInput with every fault of the position or, under
    "racks/<index>", of a rack.
    """
    check_letters(position, lexicon)
    bare = replace(position, players=(replace(position.players[0], rack=None), *position.players[1:]))
    bare.check()
    positions = [_with_rack(bare, rack, index) for index, rack in enumerate(racks)]
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    table = find_leave_table(lexicon)
    reports = []
    for one, bingos in zip(positions, _bingo_expectations(positions, board, lexicon), strict=True):
        expected = dict(zip(leaves(one.rack), bingos, strict=True))
        alphabet = position.tile_set.alphabet
        wanted = sorted(expected, key=lambda leave: (-len(leave), leave.lstrip(b"\0"), leave))
        if not parts:
            wanted = wanted[:1]
        learned = _learned(table, wanted)
        listed = tuple(
            LeaveReport(
                Rack(leave, alphabet),
                learned.get(leave),
                expected[leave] / 1000 if len(leave) <= LEAVE_TILES else None,
            )
            for leave in wanted
        )
        reports.append(RackLeaves(one.rack, listed))
    return LeaveReports(
        position=bare,
        racks=tuple(reports),
        provenance=Provenance(VERSION, lexicon_reference(lexicon), leaves=table_name(table)),
    )


def _bingo_expectations(
    positions: Sequence[Position], board: LoadedBoard, lexicon: Lexicon
) -> list[list[int]]:
    """Return for each position on the board what Heuri 6 expects of each leave, in millipoints."""
    delta: bytes | None = None
    found: list[list[int]] = []
    rules = positions[0].rules
    with lent_evaluator(HEURI, lexicon, rules, expect_bingos=False) as evaluator:
        assert evaluator is not None  # noqa: S101 - for the type checker
        for position in positions:
            values, fresh = evaluator.leave_values(board, position, delta)
            delta = delta or fresh
            assert values.bingos is not None  # noqa: S101 - Heuri 6 computes them
            found.append(values.bingos.tolist())
    return found


def _with_rack(position: Position, rack: Rack, index: int) -> Position:
    """Return the position with a rack of the player on turn; raise InvalidInput for an impossible one."""
    changed = replace(position, players=(replace(position.players[0], rack=rack), *position.players[1:]))
    field = f"racks/{index}"
    if not rack.tiles:
        raise InvalidInput(
            Text("a rack to value leaves of holds a tile at least"), code="no_rack", field=field
        )
    try:
        changed.check()
    except InvalidInput as error:
        faults = [Fault(fault.code, fault.detail, field, params=fault.params) for fault in error.faults]
        raise InvalidInput.collected(faults) from None
    return changed


def _learned(table: LeaveTable | None, wanted: Sequence[bytes]) -> dict[bytes, float]:
    """Return the learned values in points of those leaves that the table has.

    It has no full racks, and no leave with more of a tile than its tile set contains.
    """
    found: dict[bytes, float] = {}
    if table is None:
        return found
    counts = table.tile_set.counts
    for size in range(LEAVE_TILES + 1):
        same_size = [
            leave
            for leave in wanted
            if len(leave) == size and all(leave.count(code) <= counts[code] for code in set(leave))
        ]
        if same_size:
            ranks = table.ranks.of(np.frombuffer(b"".join(same_size), np.uint8).reshape(len(same_size), size))
            found.update(zip(same_size, (table.values[ranks].astype(np.float64) / 100).tolist(), strict=True))
    return found
