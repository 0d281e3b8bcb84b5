"""The faults of a position, except for unconnected tiles (see `connection`).

Each function returns the faults of one kind; `Position.faults` calls them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import Fault
from engine.messages import Text, message
from engine.position.limits import (
    MAX_PLAYERS,
    MAX_SCORE,
    MAX_TEXT,
    MAX_ZERO_TURNS,
    MIN_PLAYERS,
    UNWRITABLE,
)
from engine.rules import BLANK_FLAG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.position.board import Board
    from engine.position.player import Player
    from engine.rules import BoardLayout, TileSet

TO_LETTER: Final = bytes([code & ~BLANK_FLAG for code in range(256)])
"""A translation table from codes on a board to those of their letters, also for blanks."""


def size_faults(
    board: Board, layout: BoardLayout, tile_set: TileSet, players: Sequence[Player]
) -> list[Fault]:
    """Find a board whose size is not that of its layout, and codes outside the alphabet."""
    side, size = layout.side, tile_set.alphabet.size
    faults = []
    if board.side != side:
        detail = Text("the board has {count} rows, but its layout has {side}", count=board.side, side=side)
        faults.append(Fault("bad_board_size", detail, "board"))
    if max(board.squares.translate(TO_LETTER)) > size:
        faults.append(
            Fault("unknown_tile", Text("the board contains a tile that is not in the tile set"), "board")
        )
    for index, player in enumerate(players):
        held = player.held.tiles
        if held and held[-1] > size:
            detail = Text(
                "the rack of player {player} contains a tile that is not in the tile set", player=index + 1
            )
            faults.append(Fault("unknown_tile", detail, _rack_field(index)))
    return faults


def tile_faults(board: Board, tile_set: TileSet, players: Sequence[Player]) -> list[Fault]:
    """Find tiles that occur more often than in the tile set; the field is that of the last one."""
    groups = [board.tiles(), *[player.held.tiles for player in players]]
    count = b"".join(groups).count
    faults: list[Fault] = []
    for code, full in enumerate(tile_set.counts):
        if count(code) > full:
            values = {"count": count(code), "most": full}
            if code:
                letter = tile_set.alphabet.letters[code - 1]
                template = message(
                    "the position contains {count} of the tile {letter}, the tile set only {most}"
                )
            else:
                letter = "?"
                template = message(
                    "the position contains {count} of the blank '{letter}', the tile set only {most}"
                )
            detail = Text(template, letter=letter, **values)
            faults.append(Fault("too_many_tiles", detail, _field_of_excess(groups, code, full)))
    return faults


def _field_of_excess(groups: list[bytes], code: int, full: int) -> str:
    seen = 0
    for index, group in enumerate(groups):
        seen += group.count(code)
        if seen > full:
            return _rack_field(index - 1) if index else "board"
    raise AssertionError("called only for a tile in excess")


def player_faults(players: Sequence[Player], rack_size: int, unseen_count: int) -> list[Fault]:
    """Find impossible numbers of players, scores and tiles on racks."""
    faults: list[Fault] = []
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        detail = Text(
            "a game has {least} to {most} players, not {count}",
            least=MIN_PLAYERS,
            most=MAX_PLAYERS,
            count=len(players),
        )
        faults.append(Fault("bad_player_count", detail, "players"))
    for index, player in enumerate(players):
        faults += _faults_of(player, index, rack_size)
    elsewhere = sum([max(len(player.held.tiles), player.tile_count or 0) for player in players[1:]])
    if elsewhere > unseen_count:
        detail = Text(
            "the other players have {count} tiles, but only {left} are left",
            count=elsewhere,
            left=unseen_count,
        )
        faults.append(Fault("too_few_tiles_left", detail, "players"))
    return faults


def record_faults(
    players: Sequence[Player], zero_turns: int, lexicon: str | None, operations: Sequence[tuple[str, str]]
) -> list[Fault]:
    """Find zero turns out of range and texts that a record cannot contain."""
    faults: list[Fault] = []
    if not 0 <= zero_turns <= MAX_ZERO_TURNS:
        detail = Text(
            "the zero turns must be 0 to {most}, not {count}", most=MAX_ZERO_TURNS, count=zero_turns
        )
        faults.append(Fault("bad_zero_turns", detail, "zero_turns"))
    texts = [("lexicon", lexicon)]
    texts += [(f"players/{i}/last_move", player.last_move) for i, player in enumerate(players)]
    texts += [("cgp", f"{name} {value}") for name, value in operations]
    for field, text in texts:
        if text is not None and (not text.strip() or len(text) > MAX_TEXT or UNWRITABLE.search(text)):
            detail = Text(
                "{field} is empty, too long, or contains ';', a control character or a lone surrogate",
                field=field,
            )
            faults.append(Fault("bad_text", detail, field))
    return faults


def _faults_of(player: Player, index: int, rack_size: int) -> list[Fault]:
    faults: list[Fault] = []
    field = f"players/{index}"
    rack, known, count = player.rack, player.known_tiles, player.tile_count
    if abs(player.score) > MAX_SCORE:
        detail = Text(
            "the score of player {player} must be between -{most} and {most}",
            player=index + 1,
            most=MAX_SCORE,
        )
        faults.append(Fault("bad_score", detail, f"{field}/score"))
    if rack is not None and len(rack) > rack_size:
        detail = Text(
            "the rack of player {player} has {count} tiles; the maximum is {most}",
            player=index + 1,
            count=len(rack),
            most=rack_size,
        )
        faults.append(Fault("rack_too_long", detail, _rack_field(index)))
    if known is not None and len(known) > rack_size:
        detail = Text(
            "{count} tiles of player {player} are known; the maximum is {most}",
            player=index + 1,
            count=len(known),
            most=rack_size,
        )
        faults.append(Fault("rack_too_long", detail, f"{field}/known_tiles"))
    if count is not None:
        least = len(player.held)
        most = least if rack is not None else rack_size
        if not least <= count <= most:
            detail = Text(
                "the tile count of player {player} must be {least} to {most}, not {count}",
                player=index + 1,
                least=least,
                most=most,
                count=count,
            )
            faults.append(Fault("bad_tile_count", detail, f"{field}/tile_count"))
    if rack is not None and known is not None:
        whole, part = rack.tiles, known.tiles
        if any(part.count(code) > whole.count(code) for code in set(part)):
            detail = Text("the known tiles of player {player} are not all in the rack", player=index + 1)
            faults.append(Fault("bad_known_tiles", detail, f"{field}/known_tiles"))
    return faults


def _rack_field(index: int) -> str:
    return f"players/{index}/rack" if index else "rack"
