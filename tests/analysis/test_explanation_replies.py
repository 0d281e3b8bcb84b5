"""The replies of an explanation: the racks of a sample, their best moves and the squares they reach."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    Catalogue,
    InternalWords,
    LoadedBoard,
    Simulated,
    analyze,
)
from engine.analysis.explain.replies import LEAST_RACKS, RACKS, opponent_racks, sampled_replies
from engine.position import Exchange, Pass, Play, Player, Rack
from engine.search.deadline import Deadline
from tests.analysis.explaining import CASES, ENDGAME, MIDDLE, analysis, explanation, position

if TYPE_CHECKING:
    from engine import Lexicon, Move, Position


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def after(start: Position, move: Move, score: int, rack: Rack) -> Position:
    """Return the position after a move, with the opponent on turn and holding a rack."""
    board = start.board.with_tiles(move.placements()) if isinstance(move, Play) else start.board
    mover, other = start.players
    players = (Player(other.score, rack), Player(mover.score + score))
    return replace(start, board=board, players=players)


def test_the_seed_chooses_the_racks(lexicon: Lexicon) -> None:
    first, again, other = (explanation(lexicon, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.reply_to_pass != other.reply_to_pass


def test_the_replies_are_the_best_moves_of_the_racks(lexicon: Lexicon) -> None:
    start = position(lexicon)
    found = explanation(lexicon, sort="equity")
    racks = opponent_racks(start, 1)
    assert len(racks) == RACKS
    best, judged = found.best, found.best.judged
    one_move = AnalysisOptions(sort="equity", include_exchanges=True, top_n=1)
    replies = [
        analyze(AnalysisRequest(after(start, judged.move, judged.score, rack), one_move), lexicon).best
        for rack in racks
    ]
    assert best.reply is not None
    assert best.reply.score == pytest.approx(mean(reply.score for reply in replies), abs=1e-3)
    assert best.reply.bingos == pytest.approx(mean(reply.is_bingo for reply in replies), abs=1e-4)


@pytest.mark.parametrize("cgp", [MIDDLE, "/".join(["15"] * 15) + " CEEIMUY/ 0/0 0"])
def test_the_squares_are_those_that_plays_cover(lexicon: Lexicon, cgp: str) -> None:
    start = position(lexicon, cgp)
    board = LoadedBoard.load(start.board, start.layout, start.tile_set, lexicon)
    (replies,) = sampled_replies(start, board, lexicon, [Pass()], 1, Deadline())
    assert replies is not None
    moves = InternalWords(lexicon)
    counts = np.zeros((15, 15))
    racks = opponent_racks(start, 1)
    for rack in racks:
        plays = moves.generate(board, rack, start.rules)
        covered = {
            (row, column)
            for play in plays.moves(list(range(len(plays))))
            for row, column, _ in play.placements()
        }
        if start.board.is_empty:
            covered |= {(column, row) for row, column in covered}
        for square in covered:
            counts[square] += 1
    assert counts.any()
    assert np.allclose(replies.reach.reshape(15, 15), counts / len(racks))


def test_after_the_deadline_all_moves_meet_the_same_few_racks(lexicon: Lexicon) -> None:
    start = position(lexicon)
    board = LoadedBoard.load(start.board, start.layout, start.tile_set, lexicon)
    cut = Deadline()
    cut.cut()
    moves = [Pass(), Exchange(start.rack.tiles[:2])]
    for found in sampled_replies(start, board, lexicon, moves, 1, cut):
        assert found is not None
        assert found.reply.racks == LEAST_RACKS


def test_opened_and_closed_squares_are_premium_squares_that_change(lexicon: Lexicon) -> None:
    found = explanation(lexicon, compare=("6A ECU",), sort="equity")
    other = found.contrasts[0].other
    assert next((one.at, one.word_factor, one.before) for one in other.opened) == ("1A", 3, 0.0)
    for move in (found.best, other):
        for square in (*move.opened, *move.closed):
            assert square.letter_factor > 1 or square.word_factor > 1
            assert abs(square.after - square.before) >= 0.1
            assert (square.after > square.before) == (square in move.opened)


def test_a_simulation_gives_the_replies(lexicon: Lexicon) -> None:
    cgp, options = CASES["simulate"]
    found = analysis(lexicon, cgp, **options)
    assert found.explanation is not None
    best = found.explanation.best
    assert best.reply is not None
    sim = found.best.found
    assert isinstance(sim, Simulated)
    assert (best.reply.source, best.reply.score) == ("simulation", sim.opponent_score)
    assert best.reply.racks == sim.iterations
    assert (best.judged.win_pct, best.judged.win.by) == (sim.win_pct, "simulate")
    assert found.explanation.ranked_by == "simulate"
    assert found.explanation.reply_to_pass is not None
    assert found.explanation.reply_to_pass.source == "sample"


def test_a_move_that_ends_the_game_has_no_reply(lexicon: Lexicon) -> None:
    out = ENDGAME.replace("AAANRTW/AILR 426/452", "A/AANRTW/AILR 426/452/400")
    found = explanation(lexicon, out, sort="equity", compare=("-",))
    assert not found.best.judged.leave
    assert found.best.reply is None
    assert found.contrasts[0].other.reply is not None
    assert found.contrasts[0].reply is None


def test_known_tiles_are_in_every_rack_of_the_opponent(lexicon: Lexicon) -> None:
    start = position(lexicon)
    known_tiles = Rack.from_text("QZ", start.tile_set.alphabet)
    seen = replace(start, players=(start.players[0], Player(131, known_tiles=known_tiles)))
    for rack in opponent_racks(seen, 1):
        assert len(rack) == 7
        assert set(known_tiles.tiles) <= set(rack.tiles)
    full = Rack.from_text("AEINRST", start.tile_set.alphabet)
    known_rack = replace(start, players=(start.players[0], Player(131, full)))
    assert opponent_racks(known_rack, 1) == [full]
