"""The state of a game: what is drawn and counted after a move, and how the game ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Generic, Self, TypeVar

from engine.errors import InvalidInput
from engine.messages import Text
from engine.position.drawing import shuffled
from engine.position.limits import MAX_ZERO_TURNS
from engine.position.move import Pass, Play, format_move
from engine.position.player import NO_TILES
from engine.position.position import Position
from engine.position.rack import Rack
from engine.rules.game_end import BY_TIME, RESIGNED, WENT_OUT, adjustments, ending, ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.position.move import Move
    from engine.position.player import Player
    from engine.rules import RuleSet, TileSet

AnyPosition = TypeVar("AnyPosition", bound=Position)

BY_CHALLENGE: Final = "challenge"
"""The reason if a player lost the game by a challenge, under the rule "triple"."""

FORFEITS: Final = (BY_CHALLENGE, BY_TIME, RESIGNED)
"""The reasons for which one player has lost, whatever the scores; tiles left do not count then."""

REASONS: Final = {
    WENT_OUT: "played the last tile",
    "zero_turns": "too many turns without points",
    "all_passed": "everyone passed",
    BY_CHALLENGE: "lost by a challenge",
    BY_TIME: "lost on time",
    RESIGNED: "resigned",
}


@dataclass(frozen=True, slots=True)
class GameResult:
    """Say how a game ended; every tuple is in the order of play.

    `reason`: "went_out", "zero_turns", "all_passed", "challenge", "time" or "resigned"; `scores`: the final
    ones; they include the `adjustments` for the tiles left and the `penalties` for time (points lost).
    `left`: the tiles left on the racks; `ranks`: from 1, equal scores share a rank, and who lost by a
    challenge, on time or by resigning is last; `winners`: the numbers of the players of rank 1, from 0,
    several of them for a tie.
    """

    reason: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    adjustments: tuple[int, ...]
    penalties: tuple[int, ...]
    left: tuple[Rack, ...]
    ranks: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the players of rank 1."""
        return tuple([player for player, rank in enumerate(self.ranks) if rank == 1])

    def __str__(self) -> str:
        """Format the final scores, the winner and why the game ended."""
        scores = ", ".join([f"{name} {score}" for name, score in zip(self.names, self.scores, strict=True)])
        best = [self.names[number] for number in self.winners]
        won = f"{best[0]} wins" if len(best) == 1 else f"a tie of {' and '.join(best)}"
        return f"{scores}: {won} ({REASONS[self.reason]})"


@dataclass(frozen=True, slots=True)
class GameState(Generic[AnyPosition]):
    """The state of a game before a turn, or at its end.

    `position`: with the racks that are known, that of the player on turn first; `on_turn`: the number of that
    player, from 0; `bag`: its tiles, None if they are unknown; `passes`: the number of passes in a row;
    `shown`: by player the tiles of a play that was taken back, which all players have seen, else None;
    `reason`: how the game has ended, None if it has not; `lost_by`: the player who lost it by a challenge,
    by time or by resigning; `penalties`: points lost for time by player, None for no penalty.
    """

    position: AnyPosition
    on_turn: int
    bag: Rack | None
    passes: int
    shown: tuple[Rack | None, ...]
    penalties: tuple[int | None, ...]
    reason: str | None = None
    lost_by: int | None = None

    @classmethod
    def of(cls, position: AnyPosition, bag: Rack | None, passes: int = 0) -> Self:
        """Return the state of a game in which the player on turn has the number 0."""
        if bag is not None:
            bag = Rack(bag.tiles, position.tile_set.alphabet)
        nothing = (None,) * len(position.players)
        return cls(position, 0, bag, passes, shown=nothing, penalties=nothing)

    @property
    def players(self) -> tuple[Player, ...]:
        """The players in their order of play."""
        turned = self.position.players
        first = len(turned) - self.on_turn
        return turned[first:] + turned[:first]

    @property
    def next_player(self) -> int:
        """The number of the player after the one on turn."""
        return (self.on_turn + 1) % len(self.position.players)

    def seen(self) -> AnyPosition:
        """Return the position as the player on turn sees it, without the racks of the others."""
        first, *others = self.position.players
        shown = (*self.shown[self.on_turn + 1 :], *self.shown[: self.on_turn])
        full, two = self.position.rules.rack_size, len(self.shown) == 2
        seats = [_hidden(other, tiles, full, two) for other, tiles in zip(others, shown, strict=True)]
        return replace(self.position, players=(first, *seats))

    def draw(self, move: Move, seed: int, given: Rack | None = None) -> Rack | None:
        """Return the tiles that the player on turn draws after a move.

        They are those `given`, else they follow from seed, state and move. None if the bag is unknown. Raises
        InvalidInput (code "bad_draw") for other tiles than can be drawn.
        """
        position, bag = self.position, self.bag
        count = position.draw_count(move)
        if bag is None:
            return None if count else NO_TILES
        if given is None:
            text = format_move(move, position.tile_set)
            order = f"draw 1 {seed}\n{position.canonical()}\n{text}\n{bag.tiles.hex()}"
            return Rack(shuffled(bag.tiles, order)[:count], bag.alphabet)
        if len(given) != count or bag.missing(given.tiles):
            raise InvalidInput(
                Text(
                    "{count} tiles are drawn from the bag, and these cannot be {tiles}",
                    count=count,
                    tiles=str(given),
                ),
                code="bad_draw",
                field="drawn",
            )
        return Rack(given.tiles, bag.alphabet)

    def after(self, move: Move, drawn: Rack | None) -> Self:
        """Return the state after a legal move, or a phony that stands; `drawn`: as `draw` returns them."""
        bag = self.bag
        if bag is not None and drawn is not None:
            bag = Rack(bag.without(drawn.tiles).tiles + move.returned, bag.alphabet)
        return replace(
            self,
            position=Position.after(self.position, move, drawn),  # that of a subclass may reject a phony
            on_turn=self.next_player,
            bag=bag,
            passes=self.passes + 1 if isinstance(move, Pass) else 0,
            shown=_replaced(self.shown, self.on_turn, None),
        )._with_end()

    def taken_back(self, play: Play) -> Self:
        """Return the state after a play that was made in this one and then taken back."""
        mover, *others = self.position.players
        position = replace(
            self.position,
            players=(*others, replace(mover, last_move=None)),
            zero_turns=min(self.position.zero_turns + 1, MAX_ZERO_TURNS),
        )
        shown = _replaced(self.shown, self.on_turn, Rack(play.used, position.tile_set.alphabet))
        return replace(self, position=position, on_turn=self.next_player, passes=0, shown=shown)._with_end()

    def with_bonus(self, player: int, points: int) -> Self:
        """Return the state with points for a player, whose play was challenged unsuccessfully."""
        at = (player - self.on_turn) % len(self.shown)
        players = list(self.position.players)
        players[at] = replace(players[at], score=players[at].score + points)
        return replace(self, position=replace(self.position, players=tuple(players)))

    def lost(self, reason: str, player: int) -> Self:
        """Return the state with the game lost by a player, for one of FORFEITS."""
        return replace(self, reason=reason, lost_by=player)

    def result(
        self, names: tuple[str, ...], overtime: Sequence[int], racks: Sequence[Rack] | None = None
    ) -> GameResult | None:
        """Return how the game ended, None if it has not.

        `overtime`: points that each player loses by the clock; `racks`: of all players at the end, if the
        position does not know them.
        """
        if self.reason is None:
            return None
        left = [player.rack or NO_TILES for player in self.players] if racks is None else racks
        added = [0] * len(left)
        if self.reason not in FORFEITS:
            values = self.position.tile_set.values
            points = [sum([values[code] for code in rack.tiles]) for rack in left]
            out = (self.on_turn - 1) % len(left) if self.reason == WENT_OUT else None
            added = adjustments(self.position.rules, points, out)
        lost = tuple([more + (points or 0) for more, points in zip(overtime, self.penalties, strict=True)])
        changes = zip(self.players, added, lost, strict=True)
        final = tuple([player.score + more - less for player, more, less in changes])
        return GameResult(
            reason=self.reason,
            names=names,
            scores=final,
            adjustments=tuple(added),
            penalties=lost,
            left=tuple(left),
            ranks=tuple(ranking(final, self.lost_by)),
        )

    def _with_end(self) -> Self:
        """Return the state with the reason if the last turn ended the game."""
        reason = ending(
            self.position.rules,
            [player.score for player in self.position.players],
            tiles_left=self.position.players[-1].tiles_held or 0,
            zero_turns=self.position.zero_turns,
            passes=self.passes,
        )
        return replace(self, reason=reason)


def deal(tile_set: TileSet, rules: RuleSet, players: int, seed: int) -> list[bytes]:
    """Return the racks that a seed deals."""
    tiles = bytes([code for code, count in enumerate(tile_set.counts) for _ in range(count)])
    tiles = shuffled(tiles, f"deal 1 {seed}")
    size = min(rules.rack_size, len(tiles) // players)
    return [tiles[at * size : (at + 1) * size] for at in range(players)]


def _replaced(racks: tuple[Rack | None, ...], number: int, rack: Rack | None) -> tuple[Rack | None, ...]:
    return (*racks[:number], rack, *racks[number + 1 :])


def _hidden(player: Player, shown: Rack | None, full: int, two: bool) -> Player:
    """Return what the other players know of a player.

    The number of tiles is not stored for a full rack, or with two players: it follows from the position.
    """
    count = 0 if player.rack is None else len(player.rack)
    if not count:
        return player
    if shown is not None and len(shown) == count:
        return replace(player, rack=shown)
    return replace(player, rack=None, known_tiles=shown, tile_count=None if two or count == full else count)
