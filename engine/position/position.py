"""A position: everything that is known before a move, and the check that it is possible."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, overload

from engine.errors import InvalidInput
from engine.position.connection import connection_faults
from engine.position.faults import player_faults, record_faults, size_faults, tile_faults
from engine.position.formed_words import FormedWords
from engine.position.limits import MAX_ZERO_TURNS
from engine.position.move import Exchange, Play, format_move
from engine.position.player import NO_TILES, Player
from engine.position.rack import Rack

if TYPE_CHECKING:
    from engine.errors import Fault
    from engine.position.board import Board
    from engine.position.formed_words import WordOnBoard
    from engine.position.move import Move, Pass
    from engine.rules import BoardLayout, RuleSet, TileSet


@dataclass(frozen=True, eq=False)
class Position:
    """Hold everything that is known before a move; immutable. `players[0]` is on turn.

    `operations` are the operations of a CGP that kibitz does not use, in their order. The board and the racks
    have the alphabet of `tile_set`, whatever they were given with, so they print as letters.
    """

    board: Board
    layout: BoardLayout
    tile_set: TileSet
    rules: RuleSet
    players: tuple[Player, ...] = (Player(), Player())
    zero_turns: int = 0
    lexicon_id: str | None = None
    operations: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        alphabet = self.tile_set.alphabet
        if self.board.alphabet is not alphabet:
            object.__setattr__(self, "board", replace(self.board, alphabet=alphabet))
        players = tuple([player.spelled(alphabet) for player in self.players])
        object.__setattr__(self, "players", players)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash(self.canonical())

    @property
    def rack(self) -> Rack:
        """Return the rack of the player on turn, empty if it is unknown."""
        rack = self.players[0].rack
        return NO_TILES if rack is None else rack

    def unseen(self) -> tuple[int, ...]:
        """Count by code the tiles that are neither on the board nor on the rack of the player on turn."""
        counted: tuple[int, ...] | None = self.__dict__.get("_unseen")
        if counted is None:
            count = (self.board.tiles() + self.rack.tiles).count
            counted = tuple([full - count(code) for code, full in enumerate(self.tile_set.counts)])
            self.__dict__["_unseen"] = counted  # `cached_property` would take a lock
        return counted

    @property
    def unseen_tiles(self) -> Rack:
        """The tiles that the player on turn cannot see: those in the bag and on the other racks."""
        codes = [code for code, count in enumerate(self.unseen()) for _ in range(count)]
        return Rack(bytes(codes), self.tile_set.alphabet)

    def hidden(self) -> Rack:
        """Return the tiles that are neither on the board nor known to be on a rack."""
        held = b"".join([player.held.tiles for player in self.players])
        count = (self.board.tiles() + held).count
        left = [(code, full - count(code)) for code, full in enumerate(self.tile_set.counts)]
        tiles = b"".join([bytes([code]) * number for code, number in left])
        return Rack(tiles, self.tile_set.alphabet)

    def unseen_count(self) -> int:
        """Return the number of unseen tiles, never negative."""
        return max(0, self.tile_set.total - self.board.tile_count - len(self.rack.tiles))

    def words(self, move: Move) -> list[WordOnBoard]:
        """List the words that a move forms, valid or not: the main word first, then in reading order."""
        if not isinstance(move, Play):
            return []
        formed: FormedWords | None = self.__dict__.get("_formed")
        if formed is None:
            formed = self.__dict__["_formed"] = FormedWords(self.board, self.layout, self.tile_set)
        return formed.of(move)

    def score(self, move: Move) -> int:
        """Return the points of a move with its bonus, whether its words are valid or not."""
        return sum([word.score for word in self.words(move)]) + self.rules.bonus(len(move.placements()))

    @overload
    def scored(self, move: Play) -> Play: ...
    @overload
    def scored(self, move: Exchange | Pass) -> Exchange | Pass: ...
    def scored(self, move: Move) -> Move:
        """Return a move, legal or not, as one that knows its letters, and of a play its board and score."""
        if isinstance(move, Exchange):
            return Exchange(move.tiles, self.tile_set.alphabet)
        if not isinstance(move, Play):
            return move
        is_bingo = len(move.used) == self.rules.bingo_tiles
        score = self.score(move)
        return Play(move.row, move.column, move.down, move.tiles, self.board, score, is_bingo)

    def bag_count(self) -> int:
        """Return the number of tiles in the bag: the unseen tiles that no other player holds, never negative.

        The size of another player's rack is that of `rack`, else `tile_count`, else that of a full rack.
        """
        count: int | None = self.__dict__.get("_bag_count")
        if count is None:
            full, sizes = self.rules.rack_size, [player.tiles_held for player in self.players[1:]]
            held = sum([full if size is None else size for size in sizes])
            count = self.__dict__["_bag_count"] = max(0, self.unseen_count() - held)
        return count

    def draw_count(self, move: Move) -> int:
        """Return how many tiles the player on turn draws after a move."""
        if isinstance(move, Play):
            wanted = self.rules.rack_size - len(self.rack.without(move.used))
            return max(0, min(wanted, self.bag_count()))
        return min(len(move.used), self.bag_count())

    def after(self, move: Move, drawn: Rack | None = None) -> Self:
        """Return the position after a move, with the next player on turn.

        `drawn`: the tiles that the player draws, None if they are unknown.
        """
        mover, *others = self.players
        seen = format_move(move, self.tile_set)
        if isinstance(move, Exchange):
            seen = f"-{len(move.tiles)}"  # the other players see only how many tiles
        left, count, score = self.rack.without(move.used), self.draw_count(move), self.score(move)
        seat = Player(mover.score + score, last_move=seen)
        if drawn is None and count:
            seat = replace(seat, known_tiles=left, tile_count=len(left) + count)
        else:
            seat = replace(
                seat, rack=left if drawn is None else Rack(left.tiles + drawn.tiles, left.alphabet)
            )
        return replace(
            self,
            board=self.board.with_tiles(move.placements()),
            players=(*others, seat),
            zero_turns=0 if score else min(self.zero_turns + 1, MAX_ZERO_TURNS),
        )

    def with_rack(self, rack: Rack) -> Self:
        """Return the position with another rack of the player on turn."""
        mover = replace(self.players[0], rack=rack, known_tiles=None, tile_count=None)
        return replace(self, players=(mover, *self.players[1:]))

    def seen(self) -> Self:
        """Return the position as the player on turn sees it: of the other racks only the number of tiles."""
        first, *others = self.players
        hidden, left = [], self.unseen_count()
        for other in others:  # as in `bag_count`
            size = other.tiles_held
            count = min(self.rules.rack_size if size is None else size, left)
            left -= count
            hidden.append(replace(other, rack=None, known_tiles=None, tile_count=count))
        return replace(self, players=(first, *hidden))

    @property
    def spread(self) -> int:
        """The score of the player on turn minus that of the next player."""
        return self.players[0].score - self.players[1].score

    @property
    def most_exchanged(self) -> int:
        """The most tiles that the player on turn may exchange, 0 if an exchange is illegal."""
        bag = self.bag_count()
        return 0 if bag < self.rules.exchange_limit else min(bag, len(self.rack.tiles))

    def check(self) -> None:
        """Raise InvalidInput with every fault if the position is impossible.

        Checks the sizes of board, layout and alphabet, the number of each tile, racks (their length, and
        whether they agree with everything else that is known), connection to a covered start square, lone
        tiles, and the range of scores and zero turns. Words are not looked up, because real games contain
        phonies.
        """
        faults = self.faults()
        if faults:
            raise InvalidInput.collected(faults)

    def faults(self) -> list[Fault]:
        """List everything that is wrong with the position; an empty list means that it is possible."""
        faults = size_faults(self.board, self.layout, self.tile_set, self.players)
        if not faults:
            faults += connection_faults(self.board, self.layout)
            held = b"".join([player.held.tiles for player in self.players])
            if held != self.rack.tiles or min(self.unseen()) < 0:
                faults += tile_faults(self.board, self.tile_set, self.players)
        faults += player_faults(self.players, self.rules.rack_size, self.unseen_count())
        return faults + record_faults(self.players, self.zero_turns, self.lexicon_id, self.operations)

    def canonical(self) -> str:
        """Return everything that is known as text, tiles as hexadecimal codes.

        Two positions have equal texts if and only if they are equal.
        """
        text: str | None = self.__dict__.get("_canonical")
        if text is None:
            text = self.__dict__["_canonical"] = self._canonical_text()
        return text

    def _canonical_text(self) -> str:
        lines = [
            "kibitz position 1",
            f"board {self.board.squares.hex()}",
            f"layout {self.layout.identity}",
            f"tile_set {self.tile_set.identity}",
            f"rules {self.rules.identity}",
            f"zero_turns {self.zero_turns}",
            f"lexicon {self.lexicon_id!r}",
        ]
        for player in self.players:
            racks = [None if rack is None else rack.tiles.hex() for rack in (player.rack, player.known_tiles)]
            lines.append(f"player {player.score} {racks} {player.tile_count!r} {player.last_move!r}")
        lines += [f"operation {name!r} {value!r}" for name, value in self.operations]
        return "\n".join(lines)

    @property
    def id(self) -> str:
        """Return the SHA-256 (hexadecimal) of the canonical text without the last moves of the players."""
        bare = self
        if any(player.last_move is not None for player in self.players):
            bare = replace(self, players=tuple(replace(player, last_move=None) for player in self.players))
        return hashlib.sha256(bare.canonical().encode("utf-8", "surrogatepass")).hexdigest()
