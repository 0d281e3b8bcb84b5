"""What the opponent's last move says of the rack: the leave that it had, and the odds of each tile."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from engine.analysis.report import Provenance, lexicon_reference, table_name
from engine.analysis.request import check_letters
from engine.errors import InvalidInput
from engine.evaluation.leave_table import find_leave_table
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.position import Rack
from engine.search.deadline import COMPLETE, DEADLINE
from engine.search.opponent import last_move_text, opponent_tiles
from engine.version import VERSION

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search import Deadline

MAX_LEAVES: Final = 20
"""Number of leaves that are listed."""

SEED: Final = 1
"""Of the leaves of more than three tiles, which are sampled."""


@dataclass(frozen=True, slots=True)
class LikelyLeave:
    """Hold a leave that the last move may have had."""

    tiles: Annotated[str, "tiles in the order of the tile set, ? a blank"]
    share: Annotated[float, "probability that just these stayed on the rack, 0 to 1"]


@dataclass(frozen=True, slots=True)
class TileOdds:
    """Hold how probable it is that the opponent has a tile."""

    tile: Annotated[str, "the tile; ? is a blank"]
    share: Annotated[float, "probability that the opponent holds at least one, 0 to 1"]
    by_chance: Annotated[float, "the same if the last move said nothing"]


@dataclass(frozen=True, slots=True)
class OpponentRack:
    """Hold what is known of the opponent's rack."""

    position: Position
    last_move: Annotated[str, "the opponent's last move"]
    tile_count: Annotated[int, "tiles on the opponent's rack"]
    leaves: Annotated[
        tuple[LikelyLeave, ...],
        f"leaves that the last move may have had, at most {MAX_LEAVES}, the most probable first; empty if "
        "nothing follows from it",
    ]
    tiles: Annotated[
        tuple[TileOdds, ...], "the unseen tiles, those first whose probability the last move raises most"
    ]
    provenance: Provenance


def opponent_rack(position: Position, lexicon: Lexicon, deadline: Deadline) -> OpponentRack:
    """Return what the opponent may hold, by the model "bayes" of `search.opponent`.

    Raises InvalidInput with every fault of the position; for more than two players ("not_two_players"); and
    for a last move that is unknown ("no_last_move") or not on the board ("bad_last_move").
    """
    check_letters(position, lexicon)
    position.check()
    if len(position.players) != 2:
        raise InvalidInput(
            Text("the rack is inferred with two players only"), code="not_two_players", field="players"
        )
    last = last_move_text(position)
    if not last:
        raise InvalidInput(
            Text("the opponent's last move is not known"), code="no_last_move", field="players/1/last_move"
        )
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    rows, shares = opponent_tiles(position, board, "bayes", SEED, deadline)
    chance = opponent_tiles(position, board, "off", SEED, deadline)
    cut = deadline.passed
    return OpponentRack(
        position,
        last,
        sum(position.unseen()) - position.bag_count(),
        _leaves(position, rows, shares),
        _odds(position, _holding(position, rows, shares), _holding(position, *chance)),
        Provenance(
            VERSION,
            lexicon_reference(lexicon),
            leaves=table_name(find_leave_table(lexicon)),
            seed=SEED,
            stopped_by=DEADLINE if cut else COMPLETE,
            deterministic=not cut,
        ),
    )


def _leaves(
    position: Position, rows: NDArray[np.uint8], shares: NDArray[np.float64]
) -> tuple[LikelyLeave, ...]:
    alphabet = position.tile_set.alphabet
    listed = np.argsort(-shares, kind="stable")[:MAX_LEAVES].tolist()
    return tuple(
        [
            LikelyLeave(
                Rack(bytes(rows[at, 1 : 1 + rows[at, 0]]), alphabet).text(alphabet),
                round(float(shares[at]), 4),
            )
            for at in listed
            if rows[at, 0]
        ]
    )


def _holding(position: Position, rows: NDArray[np.uint8], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by code the probability that the opponent holds a tile.

    `rows`, `shares`: tiles that the opponent holds for certain, as `opponent_tiles` returns them; the rest of
    the rack is drawn from the other unseen tiles.
    """
    unseen = np.array(position.unseen())
    total, count = int(unseen.sum()), int(unseen.sum()) - position.bag_count()
    held = np.zeros(len(unseen))
    for row, share in zip(rows, shares.tolist(), strict=True):
        leave = np.bincount(row[1 : 1 + row[0]], minlength=len(unseen))
        pool, drawn = total - int(row[0]), count - int(row[0])
        ways = comb(pool, drawn)
        lacking = np.array([comb(pool - number, drawn) / ways for number in range(int(unseen.max()) + 1)])
        held += share * np.where(leave > 0, 1.0, 1.0 - lacking[np.maximum(unseen - leave, 0)])
    return held


def _odds(position: Position, held: NDArray[np.float64], chance: NDArray[np.float64]) -> tuple[TileOdds, ...]:
    alphabet = position.tile_set.alphabet
    codes = [code for code, count in enumerate(position.unseen()) if count]
    codes.sort(key=lambda code: float(chance[code] - held[code]))
    return tuple(
        [
            TileOdds(
                Rack(bytes([code])).text(alphabet), round(float(held[code]), 4), round(float(chance[code]), 4)
            )
            for code in codes
        ]
    )
