"""The state of a game while its record is replayed: board, racks and scores, and the way back one play."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Final

from engine.position import BLANK_FLAG, Board, Player, Position, Rack

if TYPE_CHECKING:
    from engine.position import Play
    from engine.rules import BoardLayout, RuleSet, TileSet

NO_TILES: Final = Rack()


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
        self.squares = bytes(layout.side * layout.side)
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

    def copy(self) -> GameState:
        """Return a state of its own, for the way back."""
        twin = copy(self)
        for name in ("left", "totals", "held", "kept", "shown", "last_moves"):
            setattr(twin, name, list(getattr(self, name)))
        return twin

    def can_hold(self, rack: Rack) -> bool:
        """Tell whether so many of each tile are off the board."""
        tiles = rack.tiles
        return all(tiles.count(code) <= self.left[code] for code in set(tiles))

    def board(self) -> Board:
        """Return the board as it stands."""
        return Board(self.layout.side, self.squares)

    def place(self, player: int, play: Play, rack: Rack | None, text: str) -> None:
        """Put the tiles of a play on the board and draw as many as the bag has."""
        squares = bytearray(self.squares)
        side = self.layout.side
        used = []
        for row, column, code in play.placements():
            squares[row * side + column] = code
            used.append(tile := 0 if code & BLANK_FLAG else code)
            self.left[tile] -= 1
        self.squares = bytes(squares)
        full = self.rules.rack_size
        remaining = max(0, self.held[player] - len(used))
        # The bag is what nobody held before the play; of it the rack is filled up.
        others = sum(self.held) - self.held[player]
        bag = max(0, sum(self.left) - others - remaining)
        self.held[player] = remaining + min(full - remaining, bag)
        if self.held[player] == 0:
            self.out = player
        self._moved(player, None if rack is None else without(rack, used), text)

    def stay(self, player: int, kept: Rack | None, text: str) -> None:
        """Count a turn without a tile placed; `text` is what the others saw of it."""
        self._moved(player, kept, text)
        self.zero_turns += 1
        self.passes = self.passes + 1 if text == "-" else 0

    def _moved(self, player: int, kept: Rack | None, text: str) -> None:
        self.kept[player], self.shown[player] = kept, None
        self.last_moves[player] = text
        self.on_turn = (player + 1) % self.players

    def position(self, mover: int, rack: Rack | None, lexicon: str | None) -> Position:
        """Return the position with `mover` in the first place, holding a rack or what is known of it."""
        racks = list(self.shown)
        racks[mover] = rack
        if any(self.shown):
            everything = b"".join([held.tiles for held in racks if held is not None])
            if not self.can_hold(Rack(everything)):
                racks = [rack if player == mover else None for player in range(self.players)]
        return self._seen_by(mover, racks, lexicon)

    def final(self, racks: list[Rack | None], lexicon: str | None) -> Position:
        """Return the position at the end of the record, with what is known of all racks."""
        return self._seen_by(self.on_turn or 0, racks, lexicon)

    def _seen_by(self, first: int, racks: list[Rack | None], lexicon: str | None) -> Position:
        mover = racks[first]
        # Two players: whoever knows one rack and the bag knows how many tiles the other has.
        implied = self.players == 2 and mover is not None and len(mover) == self.held[first]
        order = [*range(first, self.players), *range(first)]
        seats = tuple([self._seat(player, racks[player], implied) for player in order])
        return Position(
            board=self.board(),
            layout=self.layout,
            tile_set=self.tile_set,
            rules=self.rules,
            players=seats,
            zero_turns=self.zero_turns,
            lexicon=lexicon,
        )

    def _seat(self, player: int, tiles: Rack | None, implied: bool) -> Player:
        """Return what is known of a player; the number of tiles only where it is not a matter of course."""
        score, held, last = self.totals[player], self.held[player], self.last_moves[player]
        if held == 0:
            return Player(score, NO_TILES, last_move=last)
        if tiles is not None and len(tiles) == held:
            return Player(score, tiles, last_move=last)
        count = None if implied or held == self.rules.rack_size else held
        return Player(score, None, tiles, count, last)


def without(rack: Rack, used: list[int]) -> Rack:
    """Return the tiles of a rack less those used; tiles that it lacks are passed over."""
    tiles = list(rack.tiles)
    for code in used:
        if code in tiles:
            tiles.remove(code)
    return Rack(bytes(tiles))
