"""Where a game stands, and what a move or a challenge makes of it. Nothing here changes a state in place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.errors import InvalidInput
from engine.library.position import Position
from engine.position import Board, Exchange, Pass, Player, Rack
from engine.position import Position as PlainPosition
from engine.position.drawing import shuffled
from engine.position.limits import MAX_ZERO_TURNS
from engine.position.player import NO_TILES
from engine.search.outcome import ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.library.lexicon import Lexicon
    from engine.library.moves import Move, Play
    from engine.records import EventKind
    from engine.rules import BoardLayout, RuleSet, TileSet


@dataclass(frozen=True, slots=True)
class State:
    """Hold where a game stands.

    `position` holds all racks, that of the player on turn first; `on_turn` is the number of that player, from
    0. `bag` holds the tiles of the bag. `passes` counts the passes in a row. `shown` holds, by player, the
    tiles of a play that was taken back, which everybody has seen. `reason`: how the game has ended, None if
    it has not; `lost_by`: the player who lost it by a challenge. `penalties`: points lost for time, by
    player, None for no penalty.
    """

    position: Position
    on_turn: int
    bag: Rack
    passes: int = 0
    shown: tuple[Rack | None, ...] = ()
    reason: str | None = None
    lost_by: int | None = None
    penalties: tuple[int | None, ...] = ()

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

    @property
    def previous_player(self) -> int:
        """The number of the player before the one on turn."""
        return (self.on_turn - 1) % len(self.position.players)

    def seen(self) -> Position:
        """Return the position as the player on turn sees it: without the racks of the others."""
        first, *others = self.position.players
        numbers = [(self.on_turn + step) % len(self.shown) for step in range(1, len(self.shown))]
        full, two = self.position.rules.rack_size, len(self.shown) == 2
        seats = [_seat(other, self.shown[at], full, two) for at, other in zip(numbers, others, strict=True)]
        return replace(self.position, players=(first, *seats))


def _seat(player: Player, shown: Rack | None, full: int, two: bool) -> Player:
    """Return what the others know of a player.

    Of two players, and of a full rack, the number of tiles goes without saying.
    """
    held = 0 if player.rack is None else len(player.rack)
    if not held:
        return player
    if shown is not None and len(shown) == held:
        return replace(player, rack=shown)
    count = None if two or held == full else held
    return Player(player.score, None, shown, count, player.last_move)


@dataclass(frozen=True, slots=True)
class Step:
    """Hold one thing that happened: a move, a play taken back, a challenge in vain, or a time penalty.

    `player` is the number of the player whose score it changes, `points` by how much. `drawn`: the tiles
    drawn after a move. `per`: what the points of a challenge were counted by; "" where nobody judged.
    """

    kind: EventKind
    player: int
    before: State
    after: State
    move: Move | None = None
    points: int = 0
    drawn: Rack = NO_TILES
    per: str = ""


def start(
    lexicon: Lexicon,
    tile_set: TileSet,
    layout: BoardLayout,
    rules: RuleSet,
    racks: Sequence[bytes],
) -> State:
    """Return the state before the first move; raise InvalidInput for racks that the tile set cannot deal."""
    seats = tuple([Player(rack=Rack(rack)) for rack in racks])
    plain = PlainPosition(Board.empty(layout.side), layout, tile_set, rules, seats)
    position = Position.of(plain, lexicon)
    left = Counter(dict(enumerate(tile_set.counts)))
    left.subtract(b"".join(racks))
    bag = Rack(bytes(left.elements()), tile_set.alphabet)
    return State(position, 0, bag, shown=(None,) * len(racks), penalties=(None,) * len(racks))


def dealt(tile_set: TileSet, rules: RuleSet, players: int, seed: int) -> list[bytes]:
    """Return the racks that a seed deals."""
    tiles = shuffled(
        bytes([code for code, count in enumerate(tile_set.counts) for _ in range(count)]), f"deal 1 {seed}"
    )
    size = min(rules.rack_size, len(tiles) // players)
    return [tiles[number * size : (number + 1) * size] for number in range(players)]


def drawn_tiles(state: State, move: Move, seed: int) -> Rack:
    """Return the tiles that a player draws after a move, which follow from seed, state and move."""
    position = state.position
    text = f"draw 1 {seed}\n{position.canonical()}\n{move}\n{state.bag.tiles.hex()}"
    return Rack(shuffled(state.bag.tiles, text)[: position.draw_count(move)], state.bag.alphabet)


def check_drawn(state: State, move: Move, drawn: Rack) -> None:
    """Raise InvalidInput for tiles that are not in the bag, or not as many as are drawn after a move."""
    count = state.position.draw_count(move)
    if len(drawn) != count or Counter(drawn.tiles) - Counter(state.bag.tiles):
        raise InvalidInput(
            f"{count} tiles are drawn from the bag, and these cannot be {drawn}",
            code="bad_draw",
            field="drawn",
            params={"count": count, "tiles": str(drawn)},
        )


def after_move(state: State, move: Move, drawn: Rack) -> State:
    """Return the state after a move that the position allows."""
    position = state.position.moved(move, drawn)
    bag = Counter(state.bag.tiles) - Counter(drawn.tiles)
    if isinstance(move, Exchange):
        bag.update(move.tiles)
    shown = _replaced(state.shown, state.on_turn, None)
    return _judged(
        replace(
            state,
            position=position,
            on_turn=state.next_player,
            bag=Rack(bytes(bag.elements()), state.bag.alphabet),
            passes=state.passes + 1 if isinstance(move, Pass) else 0,
            shown=shown,
        )
    )


def after_taking_back(before: State, play: Play) -> State:
    """Return the state after a play that was made in `before` and has come off the board again."""
    mover, *others = before.position.players
    used = Rack(
        bytes((Counter(mover.held.tiles) - Counter(before.position.tiles_after(play))).elements()),
        mover.held.alphabet,
    )
    position = replace(
        before.position,
        players=(*others, replace(mover, last_move=None)),
        zero_turns=min(before.position.zero_turns + 1, MAX_ZERO_TURNS),
    )
    shown = _replaced(before.shown, before.on_turn, used)
    return _judged(replace(before, position=position, on_turn=before.next_player, passes=0, shown=shown))


def with_bonus(state: State, player: int, points: int) -> State:
    """Return the state with points for a player whose play was challenged in vain."""
    at = (player - state.on_turn) % len(state.shown)
    players = list(state.position.players)
    players[at] = replace(players[at], score=players[at].score + points)
    return replace(state, position=replace(state.position, players=tuple(players)))


def _judged(state: State) -> State:
    """Return the state with the reason why the last turn ended the game; None if it did not."""
    last = state.position.players[-1]
    reason = ending(
        state.position.rules,
        state.position.scores,
        tiles_left=len(last.held),
        zero_turns=state.position.zero_turns,
        passes=state.passes,
    )
    return replace(state, reason=reason)


def _replaced(racks: tuple[Rack | None, ...], number: int, rack: Rack | None) -> tuple[Rack | None, ...]:
    return (*racks[:number], rack, *racks[number + 1 :])
