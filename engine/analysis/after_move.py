"""What follows from a move: the tiles drawn, the next position, and the end of the game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from engine.analysis.move_report import tiles_left, used_tiles
from engine.analysis.turn_report import GameEnd, NextTurn, PlayerReport, SettledPlayer
from engine.errors import InvalidInput
from engine.messages import Text
from engine.position import Exchange, Pass, Play, Player, Position, Rack, format_move
from engine.position.drawing import shuffled
from engine.position.limits import MAX_ZERO_TURNS
from engine.records import format_cgp
from engine.rules.game_end import BY_TIME, adjustments, ending, ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.turn_request import TurnRequest
    from engine.position import Move

AnyPosition = TypeVar("AnyPosition", bound=Position)


def shuffled_bag(bag: Rack, seed: int, position: Position, move: str) -> bytes:
    """Return the tiles of the bag in the order in which they are drawn after a move of a position."""
    return shuffled(bag.tiles, f"draw 1 {seed}\n{position.canonical()}\n{move}\n{bag.tiles.hex()}")


def draw_count(position: Position, move: Move) -> int:
    """Return how many tiles are drawn after a move."""
    if isinstance(move, Play):
        wanted = position.rules.rack_size - len(tiles_left(position.rack, used_tiles(move)))
        return max(0, min(wanted, position.bag_count()))
    return min(len(used_tiles(move)), position.bag_count())


def check_drawn(drawn: Rack, count: int, bag: Rack) -> None:
    """Raise InvalidInput for tiles that are not in the bag, or for another number than `count`."""
    if len(drawn) != count or Counter(drawn.tiles) - Counter(bag.tiles):
        raise InvalidInput(
            Text(
                "{count} tiles are drawn from the bag, and these cannot be {tiles}",
                count=count,
                tiles=str(drawn),
            ),
            code="bad_draw",
            field="drawn",
        )


def position_after(position: AnyPosition, move: Move, score: int, drawn: bytes | None) -> AnyPosition:
    """Return the position after a move that scores `score`, with the next player on turn.

    `drawn`: the tiles that the player draws, None if they are unknown.
    """
    mover, *others = position.players
    seen = format_move(move, position.tile_set)
    if isinstance(move, Exchange):
        seen = f"-{len(move.tiles)}"  # the other players see only how many tiles
    left, count = tiles_left(position.rack, used_tiles(move)), draw_count(position, move)
    seat = Player(mover.score + score, last_move=seen)
    if drawn is None and count:
        seat = replace(seat, known_tiles=Rack(left), tile_count=len(left) + count)
    else:
        seat = replace(seat, rack=Rack(left + (drawn or b"")))
    return replace(
        position,
        board=position.board.with_tiles(move.placements()) if isinstance(move, Play) else position.board,
        players=(*others, seat),
        zero_turns=0 if score else min(position.zero_turns + 1, MAX_ZERO_TURNS),
    )


class AfterMove:
    """The state after a legal move: tiles, scores, counts of turns, and the end of the game."""

    def __init__(self, request: TurnRequest, move: Move, score: int) -> None:
        position = self._position = request.position
        self._request = request
        self._move = move
        self._left = tiles_left(position.rack, used_tiles(move))
        self._count = draw_count(position, move)
        self._drawn, self._bag = self._draw(move.tiles if isinstance(move, Exchange) else b"")
        self._position_after = position_after(position, move, score, self._drawn)
        *others, mover = self._position_after.players
        self._scores = [player.score for player in (mover, *others)]
        self._passes = request.passes + 1 if isinstance(move, Pass) else 0

    def _draw(self, returned: bytes) -> tuple[bytes | None, bytes | None]:
        """Return the tiles drawn and the new bag, None for what is unknown; `returned`: those exchanged."""
        bag = self._request.bag
        if bag is None:
            return (None, None) if self._count else (b"", None)
        if (drawn := self._request.drawn) is not None:
            check_drawn(drawn, self._count, bag)
            left = Counter(bag.tiles) - Counter(drawn.tiles)
            return drawn.tiles, bytes(sorted([*left.elements(), *returned]))
        move = format_move(self._move, self._position.tile_set)
        tiles = shuffled_bag(bag, self._request.seed, self._position, move)
        return tiles[: self._count], bytes(sorted(tiles[self._count :] + returned))

    @property
    def drawn_text(self) -> str | None:
        """The tiles drawn as text, None if the caller draws."""
        return None if self._drawn is None else self._text(self._drawn)

    def next_turn(self) -> NextTurn:
        """Return the position after the move, the next player first."""
        after, bag = self._position_after, self._bag
        return NextTurn(
            cgp=format_cgp(after),
            id=after.id,
            players=tuple(self._player(player) for player in after.players),
            zero_turns=after.zero_turns,
            passes=self._passes,
            bag=None if bag is None else self._text(bag),
            bag_count=self._position.bag_count() - (self._count if isinstance(self._move, Play) else 0),
            to_draw=self._count if self._drawn is None else 0,
            time_left=self._time_left(),
        )

    def _time_left(self) -> tuple[float, ...] | None:
        """Return the seconds left of each player, the next one first."""
        time = self._request.time
        return (*time.left_after[1:], time.left_after[0]) if time is not None and time.left else None

    def end(self) -> GameEnd | None:
        """Return how the move ended the game, None if it did not."""
        rules, values = self._position.rules, self._position.tile_set.values
        how = ending(
            rules,
            self._scores,
            tiles_left=len(self._left) + self._count,
            zero_turns=self._position_after.zero_turns,
            passes=self._passes,
        )
        if how is None:
            return None
        racks = self._racks()
        left = [sum(values[code] for code in rack) for rack in racks]
        extra = adjustments(rules, left, 0 if how == "went_out" else None)
        texts = [self._text(rack) for rack in racks]
        return _game_end(how, self._scores, texts, extra, overtime(self._request))

    def _racks(self) -> list[bytes]:
        """Return the racks at the end, the mover's first; raise InvalidInput for an unknown one."""
        position = self._position
        if self._drawn is None:
            raise InvalidInput(
                Text("this move ends the game, so the tiles drawn count: give the bag"),
                code="racks_needed",
                field="bag",
            )
        others = position.players[1:]
        unknown = [index for index, player in enumerate(others, 1) if player.rack is None]
        rest: bytes | None = None
        if len(unknown) == 1 and (self._request.bag is not None or not position.bag_count()):
            bag = self._request.bag.tiles if self._request.bag is not None else b""
            known = [player.rack.tiles for player in others if player.rack is not None]
            hidden = Counter(dict(enumerate(position.unseen())))
            hidden.subtract(b"".join([bag, *known]))
            rest = bytes(hidden.elements())
        elif unknown:
            raise InvalidInput(
                Text(
                    "this move ends the game, so the tiles on all racks count: give those of {players}",
                    players=[Text("player {player}", player=index + 1) for index in unknown],
                ),
                code="racks_needed",
                field=f"players/{unknown[0]}/rack",
                params={"players": [index + 1 for index in unknown]},
            )
        racks = [(rest or b"") if player.rack is None else player.rack.tiles for player in others]
        return [self._left + self._drawn, *racks]

    def _player(self, player: Player) -> PlayerReport:
        rack, known = player.rack, player.known_tiles
        return PlayerReport(
            score=player.score,
            rack=None if rack is None else self._text(rack.tiles),
            known_tiles=None if known is None else self._text(known.tiles),
            tile_count=len(rack) if rack is not None else player.tile_count,
            last_move=player.last_move,
        )

    def _text(self, tiles: bytes) -> str:
        return Rack(tiles).text(self._position.tile_set.alphabet)


def overtime(request: TurnRequest) -> list[int]:
    """Return the points that each player loses for overstepping the time, the player on turn first."""
    if request.time is None or not request.time.left:
        return [0] * len(request.position.players)
    return [request.time.control.penalty(left) for left in request.time.left_after]


def lost_on_time(request: TurnRequest) -> GameEnd:
    """Return the end of a game that the player on turn loses by time; tiles left do not count."""
    players, alphabet = request.position.players, request.position.tile_set.alphabet
    left = [None if player.rack is None else player.rack.text(alphabet) for player in players]
    none = [0] * len(players)
    return _game_end(BY_TIME, [player.score for player in players], left, none, none, lost_by=0)


def _game_end(
    reason: str,
    scores: Sequence[int],
    left: Sequence[str | None],
    extra: Sequence[int],
    penalties: Sequence[int],
    lost_by: int | None = None,
) -> GameEnd:
    """Return the end of a game; all arguments begin with the player who moved, whom the answer lists last."""
    final = [score + more - lost for score, more, lost in zip(scores, extra, penalties, strict=True)]
    ranks = ranking(final, lost_by)
    settled = [
        SettledPlayer(scores[at], left[at], extra[at], penalties[at], final[at], rank, rank == 1)
        for at, rank in enumerate(ranks)
    ]
    return GameEnd(reason, (*settled[1:], settled[0]))
