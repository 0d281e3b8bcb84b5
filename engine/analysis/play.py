"""One turn of a game: the caller's move or that of a computer player, and the position after it.

`play_turn` is a function of its `TurnRequest`: the caller stores the position, the bag and the number of
passes between turns. If the request holds the tiles of the bag, new tiles are drawn from it, determined by
seed, position and move; if not, the caller draws, and the next request holds the racks. `GameState` decides
what follows from a move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final

from engine.analysis.judged import Judged
from engine.analysis.legality import NOT_IN_LEXICON, MoveFault, move_fault, read_move
from engine.analysis.report import Provenance, lexicon_reference, table_name
from engine.analysis.request import check_position
from engine.errors import InvalidInput
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import find_win_pct_table
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.position import GameState, Pass, Play, Position, Rack
from engine.position.game_state import FORFEITS
from engine.records import format_cgp
from engine.rules.game_end import BY_TIME, ending
from engine.rules.time_control import NO_LIMITS
from engine.search.deadline import DEADLINE, Deadline
from engine.search.levels import MAX_LEVEL, check_level, lent_level_player
from engine.search.search_player import EQUITY
from engine.version import VERSION

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import GameResult, Move, Player
    from engine.rules import TimeControl
    from engine.search.search_player import Decision

SEARCHED_PLAYERS: Final = 2
"""The highest level searches only in games of this number of players; in others it plays by equity."""


@dataclass(frozen=True, slots=True)
class TurnTime:
    """Hold the times of a turn in seconds.

    `taken`: by the player on turn for this move; `left`: for each player what was left for the game before
    the turn, the one on turn first, negative if overstepped, and empty without such a limit; `control`:
    the time per move, and what overstepping costs.
    """

    taken: float
    left: tuple[float, ...] = ()
    control: TimeControl = NO_LIMITS

    @property
    def left_after(self) -> tuple[float, ...]:
        """What is left after the turn, in the order of `left`."""
        if not self.left:
            return ()
        return (round(self.left[0] - self.control.counted(self.taken), 3), *self.left[1:])

    @property
    def up(self) -> str | None:
        """What has run out: "game" if the game is lost by it, "move" if the player must pass, else None."""
        if any(map(self.control.is_lost, self.left_after[:1])):
            return "game"
        return "move" if self.control.move_is_over(self.taken) else None


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """Ask for a turn: with `move`, a text for `parse_move`, or by a computer player of a `level`.

    `bag`: the tiles in the bag, None if the caller draws; `seed`: of the draws, and of the computer player's
    errors and simulations; `drawn`: the tiles drawn from the bag, None for those that follow from the seed;
    `passes`: how many passes in a row came before this turn; `max_ms`: milliseconds after which the search of
    the highest level stops, None to limit only its work; `time`: the times of the players, None for a game
    without a clock; `allow_phonies`: whether a play with an invalid word stands until it is challenged,
    rather than being illegal.
    """

    position: Position
    move: str | None = None
    level: int | None = None
    seed: int = 0
    bag: Rack | None = None
    passes: int = 0
    max_ms: int | None = None
    time: TurnTime | None = None
    allow_phonies: bool = False
    drawn: Rack | None = None

    @property
    def is_search(self) -> bool:
        """Whether a computer player searches, for up to about a second: at the highest level, if in time."""
        in_time = self.time is None or self.time.up is None
        return in_time and self.level == MAX_LEVEL and len(self.position.players) == SEARCHED_PLAYERS


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """Hold what is known of a player before the next turn."""

    score: Annotated[int, "points so far"]
    rack: Annotated[str | None, "the complete rack, if it is known"]
    known_tiles: Annotated[str | None, "tiles left on the rack of a player who has not drawn yet"]
    tile_count: Annotated[int | None, "number of tiles on the rack, if it is known"]
    last_move: Annotated[str | None, "the last move; for an exchange only the number of tiles"]


@dataclass(frozen=True, slots=True)
class NextTurn:
    """Hold the state after a turn, for the next player.

    The next request needs `cgp`, `passes` and, if the last one gave it, `bag`. `time_left`: the seconds left
    for the game, by player as in `players`, None without that limit.
    """

    cgp: Annotated[str, "the position as CGP, the next player first"]
    id: Annotated[str, "SHA-256 of the position in normal form"]
    players: Annotated[
        tuple[PlayerReport, ...], "players, the next one first, the one who has just moved last"
    ]
    zero_turns: Annotated[int, "turns without points in a row"]
    passes: Annotated[int, "passes in a row"]
    bag: Annotated[str | None, "tiles left in the bag; null if it was not given"]
    bag_count: Annotated[int, "number of tiles left in the bag"]
    to_draw: Annotated[
        int, "number of tiles that the caller must draw for the player who moved; 0 if the service drew them"
    ]
    time_left: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class SettledPlayer:
    """Hold the account of a player at the end of the game."""

    score: Annotated[int, "points before the remaining tiles are counted"]
    left: Annotated[str | None, "tiles left on the rack; null if they are unknown and do not count"]
    adjustment: Annotated[int, "points added or subtracted for the tiles left on all racks"]
    penalty: Annotated[int, "points lost for overstepping the time"]
    final: Annotated[int, "points at the end"]
    rank: Annotated[int, "1 for the most points; equal points share a rank; who lost on time is last"]
    won: Annotated[bool, "true for rank 1"]


@dataclass(frozen=True, slots=True)
class GameEnd:
    """Say how a game ended."""

    reason: Annotated[str, "went_out, zero_turns, all_passed or time"]
    players: Annotated[tuple[SettledPlayer, ...], "players in the order of next.players"]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """Hold a turn: the position before it, the move, the tiles drawn, and the state after it.

    `asked`: the text of the move, or None and the `level` of the computer player that chose it. An illegal
    move has a `fault` and changes nothing. `search`: how the computer player chose, "equity" or one of
    PHASES. `time_up`: "move" if the player passes because the time for the move has run out; "game" if the
    player loses the game by time, and the move is not made. `over`: how the turn ended the game; then `next`
    holds the scores without its adjustments, and is None if the game was lost by time.
    """

    position: Position
    level: int | None
    asked: str | None
    legal: bool
    move: Judged | None
    fault: MoveFault | None
    drawn: str | None
    time_up: str | None
    next: NextTurn | None
    over: GameEnd | None
    search: str | None
    provenance: Provenance


def play_turn(request: TurnRequest, lexicon: Lexicon, deadline: Deadline | None = None) -> PlayedTurn:
    """Make a turn and return what follows from it, or why the move is illegal.

    `deadline`: one that another thread may cut, besides the request's `max_ms`. Raises InvalidInput for an
    impossible position, bag or number of passes, for a game that is over, for an unknown level, unless either
    a move or a level is given (code "one_move_needed"), and if the turn ends the game while a rack is unknown
    (code "racks_needed").
    """
    _check(request, lexicon)
    position = request.position
    provenance = Provenance(VERSION, lexicon_reference(lexicon), seed=request.seed)
    turn = PlayedTurn(
        position=position,
        level=request.level,
        asked=request.move,
        legal=False,
        move=None,
        fault=None,
        drawn=None,
        time_up=None if request.time is None else request.time.up,
        next=None,
        over=None,
        search=None,
        provenance=provenance,
    )
    before = GameState.of(position, request.bag, request.passes)
    if turn.time_up == "game":
        return replace(turn, over=_end(request, before, before.lost(BY_TIME, 0)))
    move: Move | MoveFault
    if turn.time_up == "move":
        move = Pass()
    elif request.level is None:
        move = _asked(request, lexicon)
    else:
        decision = _decision(request, request.level, lexicon, deadline or Deadline())
        move = decision.choice.move
        turn = replace(turn, search=decision.search, provenance=_provenance(provenance, decision, lexicon))
    if isinstance(move, MoveFault):
        return replace(turn, fault=move)
    drawn, count = before.draw(move, request.seed, request.drawn), position.draw_count(move)
    after = before.after(move, drawn)
    in_bag = position.bag_count() - (count if isinstance(move, Play) else 0)
    return replace(
        turn,
        legal=True,
        move=Judged.unranked(move, position, lexicon),
        drawn=None if drawn is None else str(drawn),
        next=_next_turn(request, after, in_bag, to_draw=count if drawn is None else 0),
        over=_end(request, before, after),
    )


def _asked(request: TurnRequest, lexicon: Lexicon) -> Move | MoveFault:
    """Return the move of the request, or why it is illegal."""
    move = read_move(request.move or "", request.position)
    if isinstance(move, MoveFault):
        return move
    fault = move_fault(move, request.position, lexicon)
    if fault is None or (request.allow_phonies and fault.code == NOT_IN_LEXICON):
        return move
    return fault


def _decision(request: TurnRequest, level: int, lexicon: Lexicon, deadline: Deadline) -> Decision:
    """Return the move of a computer player, and how it was chosen."""
    position = request.position
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    with lent_level_player(lexicon, position.rules) as player:
        return player.choose(level, board, position, request.seed, deadline.within(request.max_ms))


def _provenance(provenance: Provenance, decision: Decision, lexicon: Lexicon) -> Provenance:
    """Return the provenance with the tables that a computer player used, and the work that it spent."""
    provenance = replace(provenance, leaves=table_name(find_leave_table(lexicon)))
    if decision.search == EQUITY:
        return provenance
    return replace(
        provenance,
        win_pct_table=table_name(find_win_pct_table(lexicon)),
        budget=decision.budget,
        spent=decision.spent,
        stopped_by=decision.stopped_by,
        deterministic=decision.stopped_by != DEADLINE,
    )


def _next_turn(request: TurnRequest, after: GameState[Position], in_bag: int, to_draw: int) -> NextTurn:
    """Return the state after a move, the next player first, with the number of tiles in the bag.

    `to_draw`: how many of them the caller must draw.
    """
    position, time = after.position, request.time
    return NextTurn(
        cgp=format_cgp(position),
        id=position.id,
        players=tuple(map(_player, position.players)),
        zero_turns=position.zero_turns,
        passes=after.passes,
        bag=None if after.bag is None else str(after.bag),
        bag_count=in_bag,
        to_draw=to_draw,
        time_left=(*time.left_after[1:], time.left_after[0]) if time is not None and time.left else None,
    )


def _player(player: Player) -> PlayerReport:
    return PlayerReport(
        score=player.score,
        rack=None if player.rack is None else str(player.rack),
        known_tiles=None if player.known_tiles is None else str(player.known_tiles),
        tile_count=player.tiles_held,
        last_move=player.last_move,
    )


def _end(request: TurnRequest, before: GameState[Position], after: GameState[Position]) -> GameEnd | None:
    """Return how a turn ended the game, None if it did not; the player who moved is the last."""
    if after.reason is None:
        return None
    players = after.players
    overtime, racks = [0] * len(players), None
    if after.reason not in FORFEITS:
        racks = _last_racks(before, after)
        if request.time is not None and request.time.left:
            overtime = [request.time.control.penalty(left) for left in request.time.left_after]
    result = after.result((), overtime, racks)
    assert result is not None  # noqa: S101 - the game is over
    first, *others = [_settled(players[at], at, result) for at in range(len(players))]
    return GameEnd(after.reason, (*others, first))


def _settled(player: Player, number: int, result: GameResult) -> SettledPlayer:
    unknown = result.reason in FORFEITS and player.rack is None
    return SettledPlayer(
        score=player.score,
        left=None if unknown else str(result.left[number]),
        adjustment=result.adjustments[number],
        penalty=result.penalties[number],
        final=result.scores[number],
        rank=result.ranks[number],
        won=result.ranks[number] == 1,
    )


def _last_racks(before: GameState[Position], after: GameState[Position]) -> list[Rack]:
    """Return the racks at the end, the mover's first; raise InvalidInput (code "racks_needed")."""
    players = after.players
    if players[0].rack is None:
        raise InvalidInput(
            Text("this move ends the game, so the tiles drawn count: give the bag"),
            code="racks_needed",
            field="bag",
        )
    unknown = [number for number, player in enumerate(players) if player.rack is None]
    rest = Rack()
    if len(unknown) == 1 and (after.bag is not None or not before.position.bag_count()):
        # What is in the bag or known to be on a rack is not on this one.
        known = [replace(player, known_tiles=None) for player in after.position.players]
        rest = replace(after.position, players=tuple(known)).hidden()
        rest = rest.without(b"" if after.bag is None else after.bag.tiles)
    elif unknown:
        raise InvalidInput(
            Text(
                "this move ends the game, so the tiles on all racks count: give those of {players}",
                players=[Text("player {player}", player=number + 1) for number in unknown],
            ),
            code="racks_needed",
            field=f"players/{unknown[0]}/rack",
            params={"players": [number + 1 for number in unknown]},
        )
    return [rest if player.rack is None else player.rack for player in players]


def _check(request: TurnRequest, lexicon: Lexicon) -> None:
    if (request.move is None) == (request.level is None):
        raise InvalidInput(Text("give either move or level"), code="one_move_needed")
    if request.level is not None:
        check_level(request.level)
    position = request.position
    check_position(position, lexicon)
    if not 0 <= request.passes <= position.zero_turns:
        raise InvalidInput(
            Text(
                "of {zero_turns} turns without points {passes} cannot have been passes",
                zero_turns=position.zero_turns,
                passes=request.passes,
            ),
            code="bad_passes",
            field="passes",
        )
    if request.bag is not None:
        _check_bag(request.bag, position)
    if request.time is not None and len(request.time.left) not in (0, len(position.players)):
        raise InvalidInput(
            Text(
                "{players} players need as many times left, not {count}",
                players=len(position.players),
                count=len(request.time.left),
            ),
            code="bad_time",
            field="time/left",
        )
    empty_handed = not position.bag_count() and any(
        player.tile_count == 0 or (player.rack is not None and not player.rack.tiles)
        for player in position.players
    )
    over = ending(
        position.rules,
        [player.score for player in position.players],
        tiles_left=0 if empty_handed else 1,
        zero_turns=position.zero_turns,
        passes=request.passes,
    )
    if over:
        raise InvalidInput(Text("the game is over: {ending}", ending=over), code="game_over")


def _check_bag(bag: Rack, position: Position) -> None:
    """Raise InvalidInput (code "bag_mismatch") for tiles that cannot be in the bag, or not as many."""
    if len(bag) != position.bag_count():
        raise InvalidInput(
            Text(
                "the bag given holds {count} tiles, but that of the position {expected}",
                count=len(bag),
                expected=position.bag_count(),
            ),
            code="bag_mismatch",
            field="bag",
        )
    excess = position.hidden().missing(bag.tiles)
    if excess:
        text = str(Rack(bytes(excess), position.tile_set.alphabet))
        raise InvalidInput(
            Text("the bag cannot hold {tiles}: all of those are on the board or on a rack", tiles=text),
            code="bag_mismatch",
            field="bag",
        )
