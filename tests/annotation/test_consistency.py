"""What an annotation says of a game never contradicts itself nor what is proven of its endgame."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from engine.analysis import AnalysisOptions, AnalysisRequest, AnnotationOptions, TurnNote, analyze, annotate
from engine.analysis.annotate.mistake_index import SPREAD_STEPS, WIN_PCT_STEPS, mistake_class
from engine.errors import InvalidInput
from engine.records import read_gcg
from engine.search.budget import Budget
from engine.search.endgame import EndgameSolver
from engine.search.endgame.move_bounds import after_move
from engine.search.endgame.problem import known_racks
from engine.search.endgame_verdicts import MAX_NODES, MOVE_NODES, START_NODES
from service.annotation_report import course
from tests.annotation.games import loss_of, recorded_game, win_of

if TYPE_CHECKING:
    from engine.analysis import Annotation
    from engine.lexicon import Lexicon
    from engine.search import Verdict

pytestmark = pytest.mark.long

GAMES = 48
EXPLAINED = 6
PLAYERS = ("static", "greedy", "heuri1")
CERTAIN = (0, 50, 100)


@pytest.fixture(scope="module")
def games(scowl: Lexicon, game_records: dict[str, bytes]) -> list[Annotation]:
    """Seeded games of players of different strength, searched little or much, and the recorded games."""
    found = []
    for number in range(GAMES):
        first, second = PLAYERS[number % 3], PLAYERS[(number + 1) % 3]
        record = recorded_game(scowl, 40 + number, first, second)
        nodes, explain = (20, 500, 2_000)[number % 3], number < EXPLAINED
        found.append(annotate(record, scowl, AnnotationOptions(endgame_nodes=nodes, explain=explain)))
    for name in sorted(game_records):
        try:
            found.append(annotate(read_gcg(game_records[name]).record, scowl))
        except InvalidInput:  # records that no annotation can begin
            continue
    return found


def endgame_turns(annotation: Annotation) -> list[TurnNote]:
    return [note for note in annotation.turns if note.judged.evaluator == "endgame"]


def ranges(note: TurnNote) -> list[Verdict]:
    """Return every win% of a turn."""
    wins = [note.win_before, *(move.win for move in (note.best, note.played) if move is not None)]
    return [win for win in wins if win is not None]


def test_a_win_pct_is_a_number_or_a_range_that_only_an_endgame_leaves(games: list[Annotation]) -> None:
    proven = 0
    for annotation in games:
        for note in annotation.turns:
            assert all(0 <= win.low <= win.high <= 100 for win in ranges(note))
            if note.judged.evaluator == "endgame":
                assert {end for win in ranges(note) for end in win[:2]} <= set(CERTAIN)
                proven += win_of(note.win_before).win_pct is not None
            else:
                assert all(win.low == win.high for win in ranges(note))
    assert proven > 40


def test_the_best_move_is_never_worse_than_the_one_played(scowl: Lexicon, games: list[Annotation]) -> None:
    for annotation in games:
        for note in endgame_turns(annotation):
            best, played = note.best, note.played
            assert best is not None
            assert played is not None
            if note.phonies:  # a phony may be better than every legal move
                continue
            before, first, own = win_of(note.win_before), win_of(best), win_of(played)
            assert first.key >= own.key
            assert before.low >= own.low
            assert before.high >= own.high
            if not first.low and first.high < before.high:  # too many other moves
                request = AnalysisRequest(note.position, AnalysisOptions(top_n=1))
                assert analyze(request, scowl).play_count >= MAX_NODES // (MOVE_NODES + START_NODES)
            if loss_of(note).certainty == "exact":
                assert best.equity >= played.equity


def test_with_tiles_in_the_bag_no_move_wins_more_often_than_the_best(games: list[Annotation]) -> None:
    judged = 0
    for annotation in games:
        for note in annotation.turns:
            if note.position.bag_count() and note.played is not None and not note.phonies:
                judged += 1
                assert win_of(note.best).key >= win_of(note.played).key
    assert judged > 200


def test_a_mistake_has_the_size_that_is_proven(games: list[Annotation]) -> None:
    sizes = set()
    for annotation in games:
        for note in annotation.turns:
            if note.judged.evaluator != "endgame":
                if note.position.bag_count() and note.loss is not None and note.loss.win_pct is not None:
                    assert note.mistake == mistake_class(note.loss.win_pct, WIN_PCT_STEPS)
                continue
            assert note.best is not None
            assert note.played is not None
            loss = loss_of(note)
            sizes.add((loss.certainty, note.mistake))
            if loss.certainty == "exact":
                assert note.mistake == mistake_class(loss.equity, SPREAD_STEPS)
                if not note.phonies:
                    assert loss.equity == note.best.equity - note.played.equity
            elif note.mistake is not None:  # it cannot be smaller
                assert note.mistake in (mistake_class(loss.equity, SPREAD_STEPS), "large")
            before, played = win_of(note.win_before).win_pct, win_of(note.played).win_pct
            if before is None or played is None:
                assert loss.win_pct is None
            else:
                assert loss.win_pct == max(0, before - played)
            if loss.win_pct:
                assert loss.equity > 0
    assert {("exact", "none"), ("exact", "large"), ("bound", None)} <= sizes


def test_the_curve_does_not_jump_between_two_turns_of_an_endgame(games: list[Annotation]) -> None:
    """What a turn leaves is what the other side finds, unless the record changes the scores between them."""
    joined = 0
    for annotation in games:
        for note, after in pairwise(endgame_turns(annotation)):
            moved = note.points or 0
            if note.challenge or after.number != note.number + 1:
                continue
            if after.position.players[1].score != note.position.players[0].score + moved:
                continue
            played, found = win_of(note.played), win_of(after.win_before).of_other_side()
            assert played.low <= found.low <= found.high <= played.high
            joined += 1
    assert joined > 40


def test_the_curve_changes_between_turns_of_an_endgame_only_by_a_proven_loss(
    games: list[Annotation],
) -> None:
    checked = 0
    for annotation in games:
        for note in endgame_turns(annotation):
            before, played = win_of(note.win_before).win_pct, win_of(note.played).win_pct
            if before is None or played is None or note.phonies:
                continue
            assert before >= played
            if before > played:
                assert loss_of(note).equity
                assert note.mistake != "none"
            checked += 1
    assert checked > 40


def test_what_is_proven_agrees_with_a_longer_search(scowl: Lexicon, games: list[Annotation]) -> None:
    solver, checked = EndgameSolver(scowl, table_mb=8), 0
    for annotation in games[:6]:
        for note in endgame_turns(annotation):
            found = solver.solve(note.position, Budget(nodes=60_000))
            if found.certainty != "exact":
                continue
            wins = 50 * (1 + (found.final_spread > 0) - (found.final_spread < 0))
            assert win_of(note.win_before).low <= wins <= win_of(note.win_before).high
            checked += 1
    assert checked > 10


def test_the_chart_draws_a_range_where_nothing_is_proven(games: list[Annotation]) -> None:
    spans = 0
    for annotation in games:
        for point in course(annotation):
            assert 0 <= point.low <= point.high <= 100
            assert point.win_pct == (point.low if point.low == point.high else None)
            spans += point.win_pct is None
    assert spans


def test_an_explanation_names_the_loss_that_is_proven(games: list[Annotation]) -> None:
    codes = set()
    for annotation in games[:EXPLAINED]:
        for note in endgame_turns(annotation):
            why = note.explanation
            if note.phonies and note.challenge != "taken_back":
                continue
            if why is None:
                assert not loss_of(note).equity
                continue
            (contrast,) = why.contrasts
            first = contrast.sentences[0]
            codes.add(first.code)
            assert contrast.endgame_loss == loss_of(note).equity
            if loss_of(note).certainty == "exact":
                assert loss_of(note).equity
                assert (first.code, first.params["points"]) == ("endgame_loss", loss_of(note).equity)
                assert contrast.endgame_loss_high == loss_of(note).equity
            elif contrast.endgame_loss_high is not None:
                assert first.code == "endgame_loss_range"
                shown = (first.params["points"], first.params["most_points"])
                assert shown == (loss_of(note).equity, contrast.endgame_loss_high)
                assert contrast.endgame_loss_high > loss_of(note).equity
    assert {"endgame_loss", "endgame_loss_range"} <= codes


def test_a_turn_that_loses_nothing_is_not_explained(games: list[Annotation]) -> None:
    equal = 0
    for annotation in games[:EXPLAINED]:
        for note in annotation.turns:
            if note.judged.rank == 1 and not note.phonies:
                assert note.explanation is None
                if note.best is not None and note.played is not None:
                    equal += note.best.move != note.played.move
            elif note.loss is not None and note.loss.equity:
                assert note.explanation is not None
    assert equal


def test_the_line_of_an_explanation_leads_to_its_spread(scowl: Lexicon, games: list[Annotation]) -> None:
    checked = 0
    for annotation in games[:EXPLAINED]:
        for note in endgame_turns(annotation):
            why = note.explanation
            for one in (why.best, *(other.other for other in why.contrasts)) if why else ():
                assert (one.spread is None) == (one.certainty == "bound")
                if not one.line or one.phonies:
                    continue
                assert one.line[0] == one.judged.move
                position, sign = note.position, 1
                for at, move in enumerate(one.line):
                    points = position.score(move)
                    after = after_move(position, known_racks(position), move, points)
                    if isinstance(after, int):
                        assert at == len(one.line) - 1
                        assert sign * after == one.spread
                    else:
                        position, sign = after, -sign
                    checked += isinstance(after, int)
    assert checked > 3
