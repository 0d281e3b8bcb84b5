"""What every answer about a position begins with: whether it can be one, and its normal form."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from engine.analysis.result import PositionReport
from engine.errors import InvalidInput
from engine.position.board_text import tile_texts
from engine.position.filling import filled
from engine.records import format_cgp

if TYPE_CHECKING:
    from engine.evaluation.leave_table import LeaveTable
    from engine.evaluation.win_pct import WinPctTable
    from engine.lexicon import Lexicon
    from engine.position import Position


def check_letters(position: Position, lexicon: Lexicon) -> None:
    """Raise InvalidInput (code "tile_set_mismatch") if the lexicon is spelled with other letters."""
    ours, theirs = position.tile_set.alphabet, lexicon.tile_set.alphabet
    if ours is not theirs and ours != theirs:
        raise InvalidInput(
            f"the lexicon {lexicon.id} is spelled with the letters of {lexicon.tile_set.id}, "
            f"not with those of {position.tile_set.id}",
            code="tile_set_mismatch",
            field="tile_set",
            params={
                "lexicon": lexicon.id,
                "lexicon_tile_set": lexicon.tile_set.id,
                "tile_set": position.tile_set.id,
            },
        )


def check_position(position: Position, lexicon: Lexicon) -> None:
    """Raise InvalidInput with every fault of a position in which a player is to move."""
    check_letters(position, lexicon)
    position.check()
    if not position.rack.tiles:
        raise InvalidInput(
            "the player on turn has no rack, so there is nothing to analyze", code="no_rack", field="rack"
        )


def position_report(position: Position, lexicon: Lexicon, canonical: bytes | None = None) -> PositionReport:
    """Return a position in normal form; `canonical` is its canonical text, if it is known already."""
    if canonical is None or any(player.last_move is not None for player in position.players):
        identity = position.id
    else:
        identity = sha256(canonical).hexdigest()
    return filled(
        PositionReport,
        format_cgp(position),
        identity,
        lexicon.id,
        position.layout.id,
        position.tile_set.id,
        position.rules.id,
        position.bag_count(),
        tile_texts(position.tile_set.alphabet).write_counted(position.unseen()),
    )


def table_name(table: LeaveTable | WinPctTable | None) -> str | None:
    """Return a learned table's name, marked if it is the default one of the tile set."""
    return None if table is None else table.name if table.own else f"{table.name} (default of the tile set)"
