"""The state of a game while its record is replayed: board, racks and scores, and the way back one play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.position import Board, Player, Position, Rack, format_move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.position import Play
    from engine.rules import BoardLayout, RuleSet, TileSet

NO_TILES: Final = Rack()
SINGLE: Final = tuple([bytes([code]) for code in range(256)])


class Before(NamedTuple):
    """What a play changes, as it was before: the player's entries and the counts of turns."""

    player: int
    board: Board
    used: bytes
    held: int
    total: int
    kept: Rack | None
    shown: Rack | None
    last_move: str | None
    zero_turns: int
    passes: int
    on_turn: int | None


class GameState:
    """Hold where a game stands, and carry out what happens; judges nothing.

    Lists with one entry per player: `totals` the scores as recorded; `held` how many tiles a player has,
    which follows from the tiles played; `kept` what a player is known to have left of a rack; `shown` the
    tiles of a play that was taken back, which everybody has seen. `left` counts by code the tiles that are
    not on the board, wherever they are.
    """

    def __init__(self, tile_set: TileSet, layout: BoardLayout, rules: RuleSet, players: int) -> None:
        self.tile_set = tile_set
        self.layout = layout
        self.rules = rules
        self.players = players
        self.board = Board.empty(layout.side)
        self.left = list(tile_set.counts)
        self.totals = [0] * players
        self.held = [min(rules.rack_size, tile_set.total // players)] * players
        self.kept: list[Rack | None] = [None] * players
        self.shown: list[Rack | None] = [None] * players
        self.last_moves: list[str | None] = [None] * players
        self.zero_turns = 0
        self.passes = 0
        self.on_turn: int | None = None
        self.out: int | None = None

    @property
    def bag(self) -> int:
        """Return how many tiles the bag holds."""
        return sum(self.left) - sum(self.held)

    @property
    def out_of_turns(self) -> bool:
        """Tell whether the game is over because nobody scores any more."""
        rules = self.rules
        if self.passes >= rules.passes_each * self.players > 0:
            return True
        enough = self.zero_turns >= rules.zero_turn_limit
        return enough and (any(self.totals) or not rules.zero_turns_need_points)

    def can_hold(self, tiles: bytes) -> bool:
        """Tell whether so many of each tile are off the board."""
        return not missing(tiles, self.left)

    def rest(self) -> Rack:
        """Return all the tiles that are not on the board."""
        return Rack(bytes([code for code, count in enumerate(self.left) for _ in range(count)]))

    def place(self, play: Play, player: int, used: bytes, rack: Rack | None) -> Before:
        """Put the tiles of a play on the board and draw as many as the bag has; return the way back.

        `used` are the tiles as they lay in the rack. `zero_turns` and `totals` are left to the caller.
        """
        before = Before(
            player,
            self.board,
            used,
            self.held[player],
            self.totals[player],
            self.kept[player],
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
        remaining = self.held[player] - len(used)
        self.held[player] = remaining + min(len(used), bag)
        if self.held[player] == 0:
            self.out = player
        self.passes = 0
        kept = None if rack is None else Rack(less(rack.tiles, used))
        self._moved(player, kept, format_move(play, self.tile_set))
        return before

    def take_back(self, before: Before) -> None:
        """Make a play undone, the last thing that was done."""
        player = before.player
        self.board = before.board
        for code in before.used:
            self.left[code] += 1
        self.held[player], self.totals[player] = before.held, before.total
        self.kept[player], self.shown[player] = before.kept, before.shown
        self.last_moves[player] = before.last_move
        self.zero_turns, self.passes, self.on_turn = before.zero_turns, before.passes, before.on_turn
        self.out = None

    def stay(self, player: int, kept: Rack | None, text: str | None) -> None:
        """Count a turn without a tile placed; `text` is what the others saw of it."""
        self._moved(player, kept, text)
        self.zero_turns += 1
        self.passes = self.passes + 1 if text == "-" else 0

    def _moved(self, player: int, kept: Rack | None, text: str | None) -> None:
        self.kept[player], self.shown[player] = kept, None
        self.last_moves[player] = text
        self.on_turn = (player + 1) % self.players

    def position(self, mover: int, rack: Rack | None, lexicon: str | None) -> Position:
        """Return the position with `mover` in the first place, holding a rack or what is known of it."""
        racks = list(self.shown)
        racks[mover] = rack
        if any(self.shown) and not self.can_hold(b"".join([held.tiles for held in racks if held])):
            racks = [rack if player == mover else None for player in range(self.players)]
        return self._seen_by(mover, racks, lexicon)

    def final(self, racks: list[Rack | None], lexicon: str | None) -> Position:
        """Return the position at the end of the record, with what is known of all racks.

        Of two players, the one who is not out has all the tiles that are left.
        """
        if self.out is not None and self.players == 2:
            racks = list(racks)
            racks[1 - self.out] = self.rest()
        return self._seen_by(self.on_turn or 0, racks, lexicon)

    def _seen_by(self, first: int, racks: list[Rack | None], lexicon: str | None) -> Position:
        mover = racks[first]
        # Two players: whoever knows one rack and the bag knows how many tiles the other has.
        implied = self.players == 2 and mover is not None and len(mover) == self.held[first]
        order = [*range(first, self.players), *range(first)]
        seats = tuple([self._seat(player, racks[player], implied) for player in order])
        return Position(self.board, self.layout, self.tile_set, self.rules, seats, self.zero_turns, lexicon)

    def _seat(self, player: int, tiles: Rack | None, implied: bool) -> Player:
        """Return what is known of a player; the number of tiles only where it is not a matter of course."""
        score, held, last = self.totals[player], self.held[player], self.last_moves[player]
        if held == 0:
            return Player(score, NO_TILES, last_move=last)
        if tiles is not None and len(tiles) == held:
            return Player(score, tiles, last_move=last)
        count = None if implied or held == self.rules.rack_size else held
        return Player(score, None, tiles, count, last)


def missing(tiles: bytes, supply: Sequence[int]) -> bytes:
    """Return the tiles, each once, of which there are more than a supply by code holds."""
    lacking = [code for code in tiles if tiles.count(code) > supply[code]]
    return bytes(sorted(set(lacking))) if lacking else b""


def less(tiles: bytes, used: bytes) -> bytes:
    """Return tiles less those used; what is not among them is passed over."""
    for code in used:
        tiles = tiles.replace(SINGLE[code], b"", 1)
    return tiles
