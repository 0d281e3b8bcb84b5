"""One turn of a game: the caller's move or that of a computer player, and the position after it.

`play_turn` is a function of its `TurnRequest`: the caller stores the position, the bag and the number of
passes between turns. If the request holds the tiles of the bag, new tiles are drawn from it, determined by
seed, position and move; if not, the caller draws, and the next request holds the racks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from engine.analysis.move_report import Describer, move_fault, read_move, tiles_left, used_tiles
from engine.analysis.report import (
    Effort,
    MoveFault,
    Provenance,
    lexicon_reference,
    position_report,
    table_name,
)
from engine.analysis.request import check_position
from engine.analysis.thread_local import thread_level_player
from engine.analysis.turn_report import GameEnd, NextTurn, PlayedTurn, PlayerReport, SettledPlayer
from engine.errors import InvalidInput
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import find_win_pct_table
from engine.loaded_board import LoadedBoard
from engine.position import Board, Exchange, Pass, Play, Player, Position, Rack, format_move
from engine.position.drawing import shuffled
from engine.position.limits import MAX_PLAYERS, MAX_ZERO_TURNS, MIN_PLAYERS
from engine.records import format_cgp
from engine.rules.game_end import adjustments, ending
from engine.search.deadline import DEADLINE, Deadline
from engine.search.levels import MAX_LEVEL, check_level
from engine.search.search_player import EQUITY
from engine.version import VERSION

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Move
    from engine.rules import RuleSet, TileSet
    from engine.search.search_player import Decision
    from engine.selfplay import GameSetup

AnyPosition = TypeVar("AnyPosition", bound=Position)

SEARCHED_PLAYERS: Final = 2
"""The highest level searches games of this number of players only; of others it goes by equity."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """Ask for a turn: with `move`, a text for `parse_move`, or by a computer player of a `level`.

    `bag`: the tiles in the bag, None if the caller draws; `seed`: of the draws, and of the computer player's
    errors and simulations; `passes`: how many passes in a row came before this turn; `max_ms`: milliseconds
    after which the search of the highest level stops, None to limit only its work.
    """

    position: Position
    move: str | None = None
    level: int | None = None
    seed: int = 0
    bag: Rack | None = None
    passes: int = 0
    max_ms: int | None = None

    @property
    def is_search(self) -> bool:
        """Whether the move is searched for up to about a second: that of the highest level."""
        return self.level == MAX_LEVEL and len(self.position.players) == SEARCHED_PLAYERS


def new_game(setup: GameSetup, seed: int = 0, players: int = 2) -> TurnRequest:
    """Return the request for the first turn of a game, with neither move nor level.

    The racks dealt follow from the seed. Raises InvalidInput for other than 2 to 4 players.
    """
    lexicon, rules = setup.lexicon, setup.rules
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise InvalidInput(
            f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}",
            code="bad_player_count",
            field="players",
            params={"least": MIN_PLAYERS, "most": MAX_PLAYERS, "count": players},
        )
    racks, bag = deal(lexicon.tile_set, rules, players, seed)
    seats = tuple([Player(rack=Rack(rack)) for rack in racks])
    board = Board.empty(setup.layout.side)
    position = Position(board, setup.layout, lexicon.tile_set, rules, seats, lexicon_id=lexicon.id)
    return TurnRequest(position, seed=seed, bag=Rack(bag))


def deal(tile_set: TileSet, rules: RuleSet, players: int, seed: int) -> tuple[list[bytes], bytes]:
    """Return the racks that a seed deals, and the tiles left in the bag."""
    tiles = bytes([code for code, count in enumerate(tile_set.counts) for _ in range(count)])
    tiles = shuffled(tiles, f"deal 1 {seed}")
    size = min(rules.rack_size, len(tiles) // players)
    return [tiles[at * size : (at + 1) * size] for at in range(players)], tiles[players * size :]


def shuffled_bag(bag: Rack, seed: int, position: Position, move: str) -> bytes:
    """Return the tiles of the bag in the order in which they are drawn after a move of a position."""
    return shuffled(bag.tiles, f"draw 1 {seed}\n{position.canonical()}\n{move}\n{bag.tiles.hex()}")


def draw_count(position: Position, move: Move) -> int:
    """Return how many tiles are drawn after a move."""
    if isinstance(move, Play):
        wanted = position.rules.rack_size - len(tiles_left(position.rack, used_tiles(move)))
        return max(0, min(wanted, position.bag_count()))
    return min(len(used_tiles(move)), position.bag_count())


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


def play_turn(request: TurnRequest, lexicon: Lexicon, deadline: Deadline | None = None) -> PlayedTurn:
    """Make a turn and return what follows from it, or why the move is illegal.

    `deadline`: one that another thread may cut, beside the request's `max_ms`. Raises InvalidInput for an
    impossible position, bag or number of passes, for a game that is over, for an unknown level, unless either
    a move or a level is given (code "one_move_needed"), and if the turn ends the game while a rack is unknown
    (code "racks_needed").
    """
    _check(request, lexicon)
    position = request.position
    describer = Describer(position, lexicon)
    provenance = Provenance(VERSION, lexicon_reference(lexicon), seed=request.seed)
    move: Move | MoveFault
    if request.level is None:
        move = read_move(request.move or "", position)
        if not isinstance(move, MoveFault):
            move = move_fault(move, position, lexicon, describer) or move
    else:
        decision = _decision(request, request.level, lexicon, deadline or Deadline())
        move, provenance = decision.choice.move, _provenance(provenance, decision, lexicon)
    turn = PlayedTurn(
        position=position_report(position, lexicon),
        level=request.level,
        asked=request.move,
        legal=not isinstance(move, MoveFault),
        move=None,
        fault=None,
        drawn=None,
        next=None,
        over=None,
        search=None if request.level is None else decision.search,
        provenance=provenance,
    )
    if isinstance(move, MoveFault):
        return replace(turn, fault=move)
    report = describer.describe(move, None)
    after = _After(request, move, report.score)
    return replace(turn, move=report, drawn=after.drawn_text, next=after.next_turn(), over=after.end())


def _decision(request: TurnRequest, level: int, lexicon: Lexicon, deadline: Deadline) -> Decision:
    """Return the move of a computer player, and how it was chosen."""
    position = request.position
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    player = thread_level_player(lexicon, position.rules)
    return player.choose(level, board, position, request.seed, deadline.within(request.max_ms))


def _provenance(provenance: Provenance, decision: Decision, lexicon: Lexicon) -> Provenance:
    """Return the provenance with the tables that a computer player used, and the work that it spent."""
    provenance = replace(provenance, leaves=table_name(find_leave_table(lexicon)))
    if decision.search == EQUITY:
        return provenance
    return replace(
        provenance,
        win_pct_table=table_name(find_win_pct_table(lexicon)),
        budget=Effort(**decision.budget._asdict()),
        spent=Effort(**decision.spent._asdict()),
        stopped_by=decision.stopped_by,
        deterministic=decision.stopped_by != DEADLINE,
    )


def _check(request: TurnRequest, lexicon: Lexicon) -> None:
    if (request.move is None) == (request.level is None):
        raise InvalidInput("give either move or level", code="one_move_needed")
    if request.level is not None:
        check_level(request.level)
    position = request.position
    check_position(position, lexicon)
    if not 0 <= request.passes <= position.zero_turns:
        raise InvalidInput(
            f"of {position.zero_turns} turns without points {request.passes} cannot have been passes",
            code="bad_passes",
            field="passes",
            params={"zero_turns": position.zero_turns, "passes": request.passes},
        )
    if request.bag is not None:
        _check_bag(request.bag, position)
    empty_handed = not position.bag_count() and any(
        player.tile_count == 0 or (player.rack is not None and not player.rack.tiles)
        for player in position.players
    )
    scores = [player.score for player in position.players]
    over = ending(
        position.rules,
        scores,
        tiles_left=0 if empty_handed else 1,
        zero_turns=position.zero_turns,
        passes=request.passes,
    )
    if over:
        raise InvalidInput(f"the game is over: {over}", code="game_over", params={"ending": over})


def _check_bag(bag: Rack, position: Position) -> None:
    """Raise InvalidInput (code "bag_mismatch") for tiles that cannot be in the bag, or not as many."""
    alphabet = position.tile_set.alphabet
    if len(bag) != position.bag_count():
        raise InvalidInput(
            f"the bag given holds {len(bag)} tiles, but that of the position {position.bag_count()}",
            code="bag_mismatch",
            field="bag",
            params={"count": len(bag), "expected": position.bag_count()},
        )
    excess = Counter(bag.tiles) - _hidden(position)
    if excess:
        text = Rack(bytes(sorted(excess.elements()))).text(alphabet)
        raise InvalidInput(
            f"the bag cannot hold {text}: all of those are on the board or on a rack",
            code="bag_mismatch",
            field="bag",
            params={"tiles": text},
        )


def _hidden(position: Position) -> Counter[int]:
    """Count by code the tiles that are neither on the board nor known to be on a rack."""
    hidden = Counter(dict(enumerate(position.unseen())))
    for player in position.players[1:]:
        hidden.subtract(player.held.tiles)
    return hidden


class _After:
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
        )

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
        final = [score + more for score, more in zip(self._scores, extra, strict=True)]
        settled = [
            SettledPlayer(score, self._text(rack), more, total, total == max(final))
            for score, rack, more, total in zip(self._scores, racks, extra, final, strict=True)
        ]
        return GameEnd(how, (*settled[1:], settled[0]))

    def _racks(self) -> list[bytes]:
        """Return the racks at the end, the mover's first; raise InvalidInput for an unknown one."""
        position = self._position
        if self._drawn is None:
            raise InvalidInput(
                "this move ends the game, so the tiles drawn count: give the bag",
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
                "this move ends the game, so the tiles on all racks count: give those of "
                + ", ".join(f"player {index + 1}" for index in unknown),
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
