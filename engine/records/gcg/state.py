"""The state of a game during a replay: board, racks and scores, and how to undo the last play."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.position import Board, Player, Position, Rack, format_move
from engine.position.player import NO_TILES
from engine.rules.game_end import turn_limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.position import Play
    from engine.rules import BoardLayout, RuleSet, TileSet


class Before(NamedTuple):
    """Hold what a play changes, as it was before the play: the player's entries and the counts of turns."""

    player: int
    board: Board
    used: bytes
    tile_count: int
    total: int
    leave: Rack | None
    shown: Rack | None
    last_move: str | None
    zero_turns: int
    passes: int
    on_turn: int | None


class ReplayState:
    """Hold the state of a game, and apply moves to it without checking them.

    Lists with one entry for each player: `totals`, the scores as recorded; `tile_counts`, the sizes of the
    racks, which follow from the tiles played; `leaves`, the known leaves of the last turns; `shown`, the
    tiles of a withdrawn play, which everybody has seen. `left` counts by code the tiles that are not on the
    board.
    """

    def __init__(self, tile_set: TileSet, layout: BoardLayout, rules: RuleSet, players: int) -> None:
        self.tile_set = tile_set
        self.layout = layout
        self.rules = rules
        self.players = players
        self.board = Board.empty(layout.side)
        self.left = list(tile_set.counts)
        self.totals = [0] * players
        self.tile_counts = [min(rules.rack_size, tile_set.total // players)] * players
        self.leaves: list[Rack | None] = [None] * players
        self.shown: list[Rack | None] = [None] * players
        self.last_moves: list[str | None] = [None] * players
        self.zero_turns = 0
        self.passes = 0
        self.on_turn: int | None = None
        self.out: int | None = None

    @property
    def bag(self) -> int:
        """The number of tiles in the bag."""
        return sum(self.left) - sum(self.tile_counts)

    @property
    def out_of_turns(self) -> bool:
        """Whether the game is over after too many passes or turns without points."""
        limits = turn_limits(self.rules, self.players, scoreless=not any(self.totals))
        return limits.ending(self.zero_turns, self.passes) is not None

    def can_hold(self, tiles: bytes) -> bool:
        """Return whether all these tiles can be off the board."""
        return not missing(tiles, self.left)

    def rest(self) -> Rack:
        """Return all the tiles that are not on the board."""
        return Rack(bytes([code for code, count in enumerate(self.left) for _ in range(count)]))

    def place(self, play: Play, player: int, used: bytes, rack: Rack | None) -> Before:
        """Put the tiles of a play on the board and draw new ones; return the state before it.

        `used` are the tiles as codes of a rack. The caller updates `zero_turns` and `totals`.
        """
        before = Before(
            player,
            self.board,
            used,
            self.tile_counts[player],
            self.totals[player],
            self.leaves[player],
            self.shown[player],
            self.last_moves[player],
            self.zero_turns,
            self.passes,
            self.on_turn,
        )
        squares = bytearray(self.board.squares)
        step = self.layout.side if play.down else 1
        at = play.row * self.layout.side + play.column
        for code in play.tiles:
            if code:
                squares[at] = code
            at += step
        bag = self.bag
        for code in used:
            self.left[code] -= 1
        self.board = Board(self.layout.side, bytes(squares))
        remaining = self.tile_counts[player] - len(used)
        self.tile_counts[player] = remaining + min(len(used), bag)
        if self.tile_counts[player] == 0:
            self.out = player
        self.passes = 0
        leave = None if rack is None else rack.without(used)
        self._moved(player, leave, format_move(play, self.tile_set))
        return before

    def take_back(self, before: Before) -> None:
        """Undo the last play."""
        player = before.player
        self.board = before.board
        for code in before.used:
            self.left[code] += 1
        self.tile_counts[player], self.totals[player] = before.tile_count, before.total
        self.leaves[player], self.shown[player] = before.leave, before.shown
        self.last_moves[player] = before.last_move
        self.zero_turns, self.passes, self.on_turn = before.zero_turns, before.passes, before.on_turn
        self.out = None

    def stay(self, player: int, leave: Rack | None, text: str | None) -> None:
        """Count a turn that places no tile; `text` is what the other players know of it."""
        self._moved(player, leave, text)
        self.zero_turns += 1
        self.passes = self.passes + 1 if text == "-" else 0

    def _moved(self, player: int, leave: Rack | None, text: str | None) -> None:
        self.leaves[player], self.shown[player] = leave, None
        self.last_moves[player] = text
        self.on_turn = (player + 1) % self.players

    def position(self, mover: int, rack: Rack | None, lexicon: str | None) -> Position:
        """Return the position with `mover` on turn and its known rack."""
        racks = list(self.shown)
        racks[mover] = rack
        if any(self.shown) and not self.can_hold(b"".join([known.tiles for known in racks if known])):
            racks = [rack if player == mover else None for player in range(self.players)]
        return self._seen_by(mover, racks, lexicon)

    def final(self, racks: list[Rack | None], lexicon: str | None) -> Position:
        """Return the position at the end of the record, with all known racks.

        If one of two players is out, the other has all the tiles that are left.
        """
        if self.out is not None and self.players == 2:
            racks = list(racks)
            racks[1 - self.out] = self.rest()
        return self._seen_by(self.on_turn or 0, racks, lexicon)

    def _seen_by(self, first: int, racks: list[Rack | None], lexicon: str | None) -> Position:
        mover = racks[first]
        # With two players, one rack and the bag determine the number of tiles on the other rack.
        implied = self.players == 2 and mover is not None and len(mover) == self.tile_counts[first]
        order = [*range(first, self.players), *range(first)]
        seats = tuple([self._seat(player, racks[player], implied) for player in order])
        return Position(self.board, self.layout, self.tile_set, self.rules, seats, self.zero_turns, lexicon)

    def _seat(self, player: int, tiles: Rack | None, implied: bool) -> Player:
        """Return what is known of a player; the tile count only if it is not implied."""
        score, size, last = self.totals[player], self.tile_counts[player], self.last_moves[player]
        if size == 0:
            return Player(score, NO_TILES, last_move=last)
        if tiles is not None and len(tiles) == size:
            return Player(score, tiles, last_move=last)
        count = None if implied or size == self.rules.rack_size else size
        return Player(score, None, tiles, count, last)


def missing(tiles: bytes, supply: Sequence[int]) -> bytes:
    """Return the tiles, each once, that occur more often than in `supply`, a list of counts by code."""
    lacking = [code for code in tiles if tiles.count(code) > supply[code]]
    return bytes(sorted(set(lacking))) if lacking else b""
