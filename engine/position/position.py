"""A position: everything that is known before a move, and whether it is possible at all."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import Fault, InvalidInput
from engine.position.connection import connection_faults
from engine.position.rack import Rack

if TYPE_CHECKING:
    from engine.position.board import Board
    from engine.rules import BoardLayout, RuleSet, TileSet

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4
MAX_SCORE: Final = 99_999
MAX_ZERO_TURNS: Final = 99
NO_TILES: Final = Rack()


@dataclass(frozen=True, slots=True)
class Player:
    """Hold what is known of a player.

    `rack` is the whole rack if it is known; `known_tiles` some tiles of it; `tile_count` how many tiles it
    holds; `last_move` the text of the player's last move.
    """

    score: int = 0
    rack: Rack | None = None
    known_tiles: Rack | None = None
    tile_count: int | None = None
    last_move: str | None = None

    @property
    def held(self) -> Rack:
        """Return the tiles this player is known to hold: the rack, else the known tiles, else none."""
        return self.rack or self.known_tiles or NO_TILES


@dataclass(frozen=True, slots=True)
class Position:
    """Hold a position; immutable. `players[0]` is on turn and its rack is the mover's.

    `operations` are the CGP operations that kibitz does not use, kept in their order.
    """

    board: Board
    layout: BoardLayout
    tile_set: TileSet
    rules: RuleSet
    players: tuple[Player, ...] = (Player(), Player())
    zero_turns: int = 0
    lexicon: str | None = None
    operations: tuple[tuple[str, str], ...] = ()

    @property
    def rack(self) -> Rack:
        """Return the rack of the player on turn; empty if it is not known."""
        return self.players[0].rack or NO_TILES

    def unseen(self) -> tuple[int, ...]:
        """Count the tiles the mover cannot see, by code: the full set less the board and the mover's rack."""
        size = self.tile_set.alphabet.size
        board, rack = self.board.tile_counts(size), self.rack.counts(size)
        return tuple([full - b - r for full, b, r in zip(self.tile_set.counts, board, rack, strict=True)])

    def unseen_count(self) -> int:
        """Count the tiles the mover cannot see, all together; never negative."""
        played = len(self.board.squares) - self.board.squares.count(0)
        return max(0, self.tile_set.total - played - len(self.rack))

    def bag_count(self) -> int:
        """Count the tiles in the bag: the unseen ones less the other players' racks, never negative.

        Another player holds the rack given, else the tile count given, else a full rack, and never more
        than is left.
        """
        left = self.unseen_count()
        for player in self.players[1:]:
            if player.rack is not None:
                held = len(player.rack)
            elif player.tile_count is not None:
                held = player.tile_count
            else:
                held = self.rules.rack_size
            left = max(0, left - held)
        return left

    def check(self) -> None:
        """Raise InvalidInput with every fault if the position is impossible.

        Looks at: sizes that disagree, more of a tile than the set holds, racks too long or at odds with
        what else is known, tiles not connected to a covered start square, a lone tile, scores and zero
        turns out of range. Words are not looked up: real games hold phonies.
        """
        faults = _size_faults(self)
        if not faults:
            faults = [*connection_faults(self.board, self.layout), *_tile_faults(self)]
        faults += _player_faults(self)
        if faults:
            raise InvalidInput.collected(faults)

    def canonical(self) -> str:
        """Return all of the position as text; equal positions, and only they, have equal texts."""
        alphabet = self.tile_set.alphabet
        lines = [
            "kibitz position 1",
            f"board {self.board.text(alphabet)}",
            f"layout {self.layout.id} {self.layout.sha256}",
            f"tile_set {self.tile_set.id} {self.tile_set.sha256}",
            f"rules {self.rules.id} {self.rules.canonical()}",
            f"zero_turns {self.zero_turns}",
            f"lexicon {self.lexicon!r}",
        ]
        for player in self.players:
            racks = [None if r is None else r.text(alphabet) for r in (player.rack, player.known_tiles)]
            lines.append(f"player {player.score} {racks!r} {player.tile_count!r} {player.last_move!r}")
        lines += [f"operation {name!r} {value!r}" for name, value in self.operations]
        return "\n".join(lines)

    @property
    def id(self) -> str:
        """Return the SHA-256 of the canonical text as hexadecimal digits."""
        return hashlib.sha256(self.canonical().encode("utf-8", "surrogatepass")).hexdigest()


def _size_faults(position: Position) -> list[Fault]:
    side, size = position.layout.side, position.tile_set.alphabet.size
    faults = []
    if position.board.side != side:
        detail = f"the board has {position.board.side} rows, but its layout {side}"
        faults.append(Fault("bad_board_size", detail, "board"))
    codes = position.board.squares.translate(None, b"\0")
    if codes and max(code & 0x7F for code in set(codes)) > size:
        faults.append(Fault("unknown_tile", "the board holds a tile that is not in the tile set", "board"))
    return faults


def _tile_faults(position: Position) -> list[Fault]:
    """Find tiles of which the position holds more than the set."""
    tile_set, size = position.tile_set, position.tile_set.alphabet.size
    faults: list[Fault] = []
    seen = list(position.board.tile_counts(size))
    over = [count > full for count, full in zip(seen, tile_set.counts, strict=True)]
    fields = [("board", over)]
    for index, player in enumerate(position.players):
        held = player.held
        if not held.tiles:
            continue
        if held.tiles[-1] > size:
            detail = f"the rack of player {index + 1} holds a tile that is not in the tile set"
            faults.append(Fault("unknown_tile", detail, _rack_field(index)))
            continue
        for code in held.tiles:
            seen[code] += 1
        now = [count > full for count, full in zip(seen, tile_set.counts, strict=True)]
        fields.append((_rack_field(index), now))
    if any(fields[-1][1]):
        names = ("blank '?'", *[f"tile {letter}" for letter in tile_set.alphabet.letters])
        for code, (count, full) in enumerate(zip(seen, tile_set.counts, strict=True)):
            if count > full:
                field = next(name for name, marks in fields if marks[code])
                detail = f"the position holds {count} of the {names[code]}, the tile set only {full}"
                faults.append(Fault("too_many_tiles", detail, field))
    return faults


def _player_faults(position: Position) -> list[Fault]:
    faults: list[Fault] = []
    players, rack_size = position.players, position.rules.rack_size
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        detail = f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(players)}"
        faults.append(Fault("bad_player_count", detail, "players"))
    if not 0 <= position.zero_turns <= MAX_ZERO_TURNS:
        faults.append(Fault("bad_zero_turns", f"the zero turns must be 0 to {MAX_ZERO_TURNS}", "zero_turns"))
    held_elsewhere = 0
    for index, player in enumerate(players):
        who = f"player {index + 1}"
        if abs(player.score) > MAX_SCORE:
            detail = f"the score of {who} must be at most {MAX_SCORE} either way"
            faults.append(Fault("bad_score", detail, f"players/{index}/score"))
        for name, tiles in (("rack", player.rack), ("known_tiles", player.known_tiles)):
            if tiles is not None and len(tiles) > rack_size:
                field = _rack_field(index) if name == "rack" else f"players/{index}/{name}"
                detail = f"the rack of {who} holds {len(tiles)} tiles, a rack at most {rack_size}"
                faults.append(Fault("rack_too_long", detail, field))
        if player.tile_count is not None:
            known = player.rack if player.rack is not None else player.known_tiles
            least = len(known) if known is not None else 0
            most = least if player.rack is not None else rack_size
            if not least <= player.tile_count <= most:
                detail = f"the tile count of {who} must be {least} to {most}, not {player.tile_count}"
                faults.append(Fault("bad_tile_count", detail, f"players/{index}/tile_count"))
        if player.rack is not None and player.known_tiles is not None:
            whole, part = player.rack.tiles, player.known_tiles.tiles
            if any(part.count(code) > whole.count(code) for code in set(part)):
                detail = f"the known tiles of {who} are not all in the rack given"
                faults.append(Fault("bad_known_tiles", detail, f"players/{index}/known_tiles"))
        if index:
            held_elsewhere += max(len(player.held), player.tile_count or 0)
    if held_elsewhere > position.unseen_count():
        detail = f"the other players hold {held_elsewhere} tiles, but only {position.unseen_count()} are left"
        faults.append(Fault("too_few_tiles_left", detail, "players"))
    return faults


def _rack_field(index: int) -> str:
    return "rack" if index == 0 else f"players/{index}/rack"
