"""The state of a game, and functions that return the state after a move or a challenge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.analysis.after_move import draw_count, position_after, shuffled_bag
from engine.analysis.move_report import used_tiles
from engine.library.moves import Play
from engine.library.position import Position
from engine.position import Board, Exchange, Pass, Player, Rack
from engine.position import Position as PlainPosition
from engine.position.limits import MAX_ZERO_TURNS
from engine.position.player import NO_TILES
from engine.rules.game_end import ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.library.lexicon import Lexicon
    from engine.library.moves import Move
    from engine.records import EventKind
    from engine.rules import BoardLayout, RuleSet, TileSet


@dataclass(frozen=True, slots=True)
class State:
    """The state of a game.

    `position`: with all racks, that of the player on turn first; `on_turn`: the number of that player, from
    0; `bag`: its tiles; `passes`: the number of passes in a row; `shown`: by player the tiles of a play that
    was taken back, which all players have seen, else None; `reason`: how the game has ended, None if it has
    not; `lost_by`: the player who lost it by a challenge or by time; `penalties`: points lost for time by
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
        """Return the position as the player on turn sees it, without the racks of the others."""
        first, *others = self.position.players
        numbers = [(self.on_turn + step) % len(self.shown) for step in range(1, len(self.shown))]
        full, two = self.position.rules.rack_size, len(self.shown) == 2
        seats = [_seat(other, self.shown[at], full, two) for at, other in zip(numbers, others, strict=True)]
        return replace(self.position, players=(first, *seats))


def _seat(player: Player, shown: Rack | None, full: int, two: bool) -> Player:
    """Return what the other players know of a player.

    The number of tiles is not stored for a full rack, or with two players: it follows from the position.
    """
    count = 0 if player.rack is None else len(player.rack)
    if not count:
        return player
    if shown is not None and len(shown) == count:
        return replace(player, rack=shown)
    known_count = None if two or count == full else count
    return Player(player.score, None, shown, known_count, player.last_move)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a game: a move, a play taken back, an unsuccessful challenge, or a time penalty.

    `player`: the number of the player whose score it changes; `points`: by how much; `drawn`: the tiles drawn
    after a move; `per`: what the points of a challenge counted for, "" if the play was not judged; `seconds`:
    the time that the player on turn took for it.
    """

    kind: EventKind
    player: int
    before: State
    after: State
    move: Move | None = None
    points: int = 0
    drawn: Rack = NO_TILES
    per: str = ""
    seconds: float = 0.0


def start(
    lexicon: Lexicon,
    tile_set: TileSet,
    layout: BoardLayout,
    rules: RuleSet,
    racks: Sequence[bytes],
) -> State:
    """Return the state before the first move; raise InvalidInput for racks of other tiles than the set's."""
    seats = tuple([Player(rack=Rack(rack)) for rack in racks])
    plain = PlainPosition(Board.empty(layout.side), layout, tile_set, rules, seats)
    position = Position.of(plain, lexicon)
    left = Counter(dict(enumerate(tile_set.counts)))
    left.subtract(b"".join(racks))
    bag = Rack(bytes(left.elements()), tile_set.alphabet)
    return State(position, 0, bag, shown=(None,) * len(racks), penalties=(None,) * len(racks))


def drawn_tiles(state: State, move: Move, seed: int) -> Rack:
    """Return the tiles that a player draws after a move, which follow from seed, state and move."""
    tiles = shuffled_bag(state.bag, seed, state.position, str(move))
    return Rack(tiles[: draw_count(state.position, move)], state.bag.alphabet)


def after_move(state: State, move: Move, drawn: Rack) -> State:
    """Return the state after a move that the position allows."""
    score = move.score if isinstance(move, Play) else 0
    position = position_after(state.position, move, score, drawn.tiles)
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
    """Return the state after a play that was made in `before` and was taken back."""
    mover, *others = before.position.players
    used = Rack(used_tiles(play), mover.held.alphabet)
    position = replace(
        before.position,
        players=(*others, replace(mover, last_move=None)),
        zero_turns=min(before.position.zero_turns + 1, MAX_ZERO_TURNS),
    )
    shown = _replaced(before.shown, before.on_turn, used)
    return _judged(replace(before, position=position, on_turn=before.next_player, passes=0, shown=shown))


def with_bonus(state: State, player: int, points: int) -> State:
    """Return the state with points for a player, whose play was challenged unsuccessfully."""
    at = (player - state.on_turn) % len(state.shown)
    players = list(state.position.players)
    players[at] = replace(players[at], score=players[at].score + points)
    return replace(state, position=replace(state.position, players=tuple(players)))


def _judged(state: State) -> State:
    """Return the state with the reason if the last turn ended the game."""
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
