"""Records of games that the engine plays against itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation.evaluators import evaluator_kernel
from engine.loaded_board import LoadedBoard
from engine.movegen import Plays
from engine.position import Board, Rack, format_move
from engine.records import Event, EventKind, GameRecord, PlayerName
from engine.search import Verdict
from engine.selfplay import GameSetup, game_loop, play_game
from engine.selfplay.games import EXCHANGE, PLAY

if TYPE_CHECKING:
    from engine.analysis import Judged, TurnNote
    from engine.analysis.annotate.notes import Loss
    from engine.lexicon import Lexicon


def loss_of(note: TurnNote) -> Loss:
    """Return what a judged turn lost."""
    assert note.loss is not None
    return note.loss


def win_of(one: Judged | Verdict | None) -> Verdict:
    """Return the win% of a move, or the one given, which is known."""
    win = one if one is None or isinstance(one, Verdict) else one.win
    assert win is not None
    return win


def recorded_game(lexicon: Lexicon, number: int, first: str = "static", second: str = "greedy") -> GameRecord:
    """Return the record of a game between two players, given by the names of their evaluators."""
    setup = GameSetup.of(lexicon)
    kernels = [evaluator_kernel(name, lexicon, setup.rules) for name in (first, second)]
    game = play_game(game_loop(setup, *kernels), 1, number)
    tiles = lexicon.tile_set
    board = LoadedBoard.load(Board.empty(setup.layout.side), setup.layout, tiles, lexicon)
    events: list[Event] = []
    totals = [0, 0]
    for place, turn in enumerate(game.turns):
        seat, kind = int(turn["seat"]), int(turn["kind"])
        rack = Rack(bytes(turn["rack"][: turn["rack_count"]].tolist()))
        text = rack.text(tiles.alphabet)
        if kind == PLAY:
            move = Plays(game.turns["play"][place : place + 1], board, {}).move(0)
            score = int(turn["play"]["score"])
            totals[seat] += score
            at, word = format_move(move, tiles).split()
            events.append(Event(EventKind.PLAY, seat, text, at, word, score, totals[seat]))
            board = board.after(move)
            continue
        given = list(rack.tiles)
        for code in turn["leave"][: turn["leave_count"]].tolist():
            given.remove(code)
        named = Rack(bytes(given)).text(tiles.alphabet) if kind == EXCHANGE else ""
        what = EventKind.EXCHANGE if kind == EXCHANGE else EventKind.PASS
        events.append(Event(what, seat, text, text=named, total=totals[seat]))
    if game.ending == "went_out":
        seat = int(game.turns["seat"][-1])
        left = Rack(game.left[1 - seat])
        bonus = game.final[seat] - totals[seat]
        events.append(
            Event(
                EventKind.END_BONUS,
                seat,
                text=left.text(tiles.alphabet),
                score=bonus,
                total=game.final[seat],
            )
        )
    players = (PlayerName("ann", "Ann <b>Ek</b>"), PlayerName("bo", "Bo & Li"))
    return GameRecord(players, (("lexicon", lexicon.id),), "", tuple(events))
