"""One turn of a game: the caller's move or that of a computer player, and the position after it.

`play_turn` is a function of its `TurnRequest`: the caller stores the position, the bag and the number of
passes between turns. If the request holds the tiles of the bag, new tiles are drawn from it, determined by
seed, position and move; if not, the caller draws, and the next request holds the racks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.analysis.after_move import AfterMove, lost_on_time
from engine.analysis.lending import lent_level_player
from engine.analysis.move_report import NOT_IN_LEXICON, Describer, move_fault, read_move
from engine.analysis.report import (
    Effort,
    MoveFault,
    Provenance,
    lexicon_reference,
    position_report,
    table_name,
)
from engine.analysis.request import check_position
from engine.analysis.turn_report import PlayedTurn
from engine.analysis.turn_request import TurnRequest
from engine.errors import InvalidInput
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import find_win_pct_table
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.position import Board, Pass, Player, Position, Rack
from engine.position.drawing import shuffled
from engine.position.limits import MAX_PLAYERS, MIN_PLAYERS
from engine.rules.game_end import ending
from engine.search.deadline import DEADLINE, Deadline
from engine.search.levels import check_level
from engine.search.search_player import EQUITY
from engine.version import VERSION

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Move
    from engine.rules import RuleSet, TileSet
    from engine.search.search_player import Decision
    from engine.selfplay import GameSetup


def new_game(setup: GameSetup, seed: int = 0, players: int = 2) -> TurnRequest:
    """Return the request for the first turn of a game, with neither move nor level.

    The racks dealt follow from the seed. Raises InvalidInput for other than 2 to 4 players.
    """
    lexicon, rules = setup.lexicon, setup.rules
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise InvalidInput(
            Text(
                "a game has {least} to {most} players, not {count}",
                least=MIN_PLAYERS,
                most=MAX_PLAYERS,
                count=players,
            ),
            code="bad_player_count",
            field="players",
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


def play_turn(request: TurnRequest, lexicon: Lexicon, deadline: Deadline | None = None) -> PlayedTurn:
    """Make a turn and return what follows from it, or why the move is illegal.

    `deadline`: one that another thread may cut, beside the request's `max_ms`. Raises InvalidInput for an
    impossible position, bag or number of passes, for a game that is over, for an unknown level, unless either
    a move or a level is given (code "one_move_needed"), and if the turn ends the game while a rack is unknown
    (code "racks_needed").
    """
    _check(request, lexicon)
    position = request.position
    provenance = Provenance(VERSION, lexicon_reference(lexicon), seed=request.seed)
    turn = PlayedTurn(
        position=position_report(position, lexicon),
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
    if turn.time_up == "game":
        return replace(turn, over=lost_on_time(request))
    describer = Describer(position, lexicon)
    move: Move | MoveFault
    if turn.time_up == "move":
        move = Pass()
    elif request.level is None:
        move = read_move(request.move or "", position)
        if not isinstance(move, MoveFault):
            fault = move_fault(move, position, lexicon, describer)
            if fault is not None and not (request.allow_phonies and fault.code == NOT_IN_LEXICON):
                move = fault
    else:
        decision = _decision(request, request.level, lexicon, deadline or Deadline())
        move = decision.choice.move
        turn = replace(turn, search=decision.search, provenance=_provenance(provenance, decision, lexicon))
    if isinstance(move, MoveFault):
        return replace(turn, fault=move)
    report = describer.describe(move, None)
    after = AfterMove(request, move, report.score)
    return replace(
        turn,
        legal=True,
        move=report,
        drawn=after.drawn_text,
        next=after.next_turn(),
        over=after.end(),
    )


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
        budget=Effort(**decision.budget._asdict()),
        spent=Effort(**decision.spent._asdict()),
        stopped_by=decision.stopped_by,
        deterministic=decision.stopped_by != DEADLINE,
    )


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
    scores = [player.score for player in position.players]
    over = ending(
        position.rules,
        scores,
        tiles_left=0 if empty_handed else 1,
        zero_turns=position.zero_turns,
        passes=request.passes,
    )
    if over:
        raise InvalidInput(Text("the game is over: {ending}", ending=over), code="game_over")


def _check_bag(bag: Rack, position: Position) -> None:
    """Raise InvalidInput (code "bag_mismatch") for tiles that cannot be in the bag, or not as many."""
    alphabet = position.tile_set.alphabet
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
    excess = Counter(bag.tiles) - _hidden(position)
    if excess:
        text = Rack(bytes(sorted(excess.elements()))).text(alphabet)
        raise InvalidInput(
            Text("the bag cannot hold {tiles}: all of those are on the board or on a rack", tiles=text),
            code="bag_mismatch",
            field="bag",
        )


def _hidden(position: Position) -> Counter[int]:
    """Count by code the tiles that are neither on the board nor known to be on a rack."""
    hidden = Counter(dict(enumerate(position.unseen())))
    for player in position.players[1:]:
        hidden.subtract(player.held.tiles)
    return hidden
