"""What an annotation says of a game never contradicts itself nor what is proven of its endgame."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from engine.analysis import AnalysisOptions, AnalysisRequest, AnnotationOptions, TurnNote, analyze, annotate
from engine.analysis.annotate.endgame_judgement import MAX_CHOICES
from engine.analysis.annotate.turn_judgement import SPREAD_STEPS, WIN_PCT_STEPS, mistake_class
from engine.analysis.move_report import Describer
from engine.errors import InvalidInput
from engine.position import Play, parse_move
from engine.records import parse_cgp, read_gcg
from engine.search.budget import Budget
from engine.search.endgame import EndgameSolver
from engine.search.endgame.move_bounds import after_move
from engine.search.endgame.problem import known_racks
from service.annotation_report import course
from tests.annotation.games import recorded_game

if TYPE_CHECKING:
    from engine.analysis import Annotation
    from engine.lexicon import Lexicon

GAMES = 12
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
    return [note for note in annotation.turns if note.evaluator == "endgame"]


def ranges(note: TurnNote) -> list[tuple[float | None, float | None, float | None]]:
    """Return every win% of a turn with its range."""
    moves = [move for move in (note.best, note.played) if move is not None]
    return [
        (note.win_pct_before, note.win_pct_before_low, note.win_pct_before_high),
        (note.win_pct_after, note.win_pct_after_low, note.win_pct_after_high),
        *((move.win_pct, move.win_pct_low, move.win_pct_high) for move in moves),
    ]


def test_a_win_pct_is_a_number_or_a_range_that_only_an_endgame_leaves(games: list[Annotation]) -> None:
    proven = 0
    for annotation in games:
        for note in annotation.turns:
            for win_pct, low, high in ranges(note):
                assert (low is None) == (high is None)
                assert (low or 0) <= (high or 0)
                assert win_pct == (low if low == high else None)
            if note.evaluator == "endgame":
                assert {end for _, *ends in ranges(note) for end in ends} <= set(CERTAIN)
                proven += note.win_pct_before is not None
            else:
                assert all(low == high for _, low, high in ranges(note))
    assert proven > 40


def test_the_best_move_is_never_worse_than_the_one_played(scowl: Lexicon, games: list[Annotation]) -> None:
    for annotation in games:
        for note in endgame_turns(annotation):
            best, played = note.best, note.played
            assert best is not None
            assert played is not None
            if note.phonies:  # a phony may be better than every legal move
                continue
            assert best.win_pct_high is not None
            assert played.win_pct_low is not None
            assert note.win_pct_before_low is not None
            assert note.win_pct_before_high is not None
            assert best.win_pct_high >= played.win_pct_low
            assert note.win_pct_before_low >= played.win_pct_low
            assert note.win_pct_before_high >= (played.win_pct_high or 0)
            if best.win_pct_high != note.win_pct_before_high:  # a proven loser, and too many other moves
                request = AnalysisRequest(parse_cgp(note.cgp), AnalysisOptions(top_n=1))
                assert analyze(request, scowl).play_count >= MAX_CHOICES
            if note.certainty == "exact":
                assert best.equity >= played.equity


def test_a_mistake_has_the_size_that_is_proven(games: list[Annotation]) -> None:
    sizes = set()
    for annotation in games:
        for note in annotation.turns:
            if note.evaluator != "endgame":
                if note.bag_count and note.win_pct_loss is not None:
                    assert note.mistake == mistake_class(note.win_pct_loss, WIN_PCT_STEPS)
                continue
            assert note.endgame_loss is not None
            assert note.best is not None
            assert note.played is not None
            assert note.equity_loss == note.endgame_loss
            sizes.add((note.certainty, note.mistake))
            if note.certainty == "exact":
                assert note.mistake == mistake_class(note.endgame_loss, SPREAD_STEPS)
                if not note.phonies:
                    assert note.endgame_loss == note.best.equity - note.played.equity
            elif note.mistake is not None:  # it cannot be smaller
                assert note.mistake in (mistake_class(note.endgame_loss, SPREAD_STEPS), "large")
            if note.win_pct_before is None or note.played.win_pct is None:
                assert note.win_pct_loss is None
            else:
                assert note.win_pct_loss == max(0, note.win_pct_before - note.played.win_pct)
            if note.win_pct_loss:
                assert note.endgame_loss > 0
    assert {("exact", "none"), ("exact", "large"), ("bound", None)} <= sizes


def test_the_curve_does_not_jump_between_two_turns_of_an_endgame(games: list[Annotation]) -> None:
    """What a turn leaves is what the other side finds, unless the record changes the scores between them."""
    joined = 0
    for annotation in games:
        for note, after in pairwise(endgame_turns(annotation)):
            moved = note.points or 0
            if note.challenge or after.number != note.number + 1:
                continue
            if after.scores[note.player] != note.scores[note.player] + moved:
                continue
            assert note.win_pct_after_low is not None
            assert note.win_pct_after_high is not None
            assert after.win_pct_before_low is not None
            assert after.win_pct_before_high is not None
            low, high = 100 - after.win_pct_before_high, 100 - after.win_pct_before_low
            assert note.win_pct_after_low <= low <= high <= note.win_pct_after_high
            if note.win_pct_after is not None:
                assert after.win_pct_before == 100 - note.win_pct_after
            joined += 1
    assert joined > 40


def test_the_curve_changes_between_turns_of_an_endgame_only_by_a_proven_loss(
    games: list[Annotation],
) -> None:
    checked = 0
    for annotation in games:
        for note in endgame_turns(annotation):
            if note.win_pct_before is None or note.win_pct_after is None or note.phonies:
                continue
            assert note.win_pct_before >= note.win_pct_after
            if note.win_pct_before > note.win_pct_after:
                assert note.endgame_loss
                assert note.mistake != "none"
            checked += 1
    assert checked > 40


def test_what_is_proven_agrees_with_a_longer_search(scowl: Lexicon, games: list[Annotation]) -> None:
    solver, checked = EndgameSolver(scowl, table_mb=8), 0
    for annotation in games[:6]:
        for note in endgame_turns(annotation):
            found = solver.solve(parse_cgp(note.cgp), Budget(60_000, None))
            if found.certainty != "exact":
                continue
            wins = 50 * (1 + (found.final_spread > 0) - (found.final_spread < 0))
            assert note.win_pct_before_low is not None
            assert note.win_pct_before_high is not None
            assert note.win_pct_before_low <= wins <= note.win_pct_before_high
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
                assert not note.endgame_loss
                continue
            (contrast,) = why.contrasts
            first = contrast.sentences[0]
            codes.add(first.code)
            assert contrast.endgame_loss == note.endgame_loss
            if note.certainty == "exact":
                assert note.endgame_loss
                assert (first.code, first.params["points"]) == ("endgame_loss", note.endgame_loss)
                assert contrast.endgame_loss_high == note.endgame_loss
            elif contrast.endgame_loss_high is not None:
                assert first.code == "endgame_loss_range"
                shown = (first.params["points"], first.params["most_points"])
                assert shown == (note.endgame_loss, contrast.endgame_loss_high)
                assert contrast.endgame_loss_high > note.endgame_loss
    assert {"endgame_loss", "endgame_loss_range"} <= codes


def test_a_turn_that_loses_nothing_is_not_explained(games: list[Annotation]) -> None:
    equal = 0
    for annotation in games[:EXPLAINED]:
        for note in annotation.turns:
            if note.rank == 1 and not note.phonies:
                assert note.explanation is None
                equal += note.best is not None and note.best.move != getattr(note.played, "move", None)
            elif note.equity_loss:
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
                assert one.line[0] == one.move
                position, sign = parse_cgp(note.cgp), 1
                for at, text in enumerate(one.line):
                    move = parse_move(text, position.board, position.tile_set, rack=position.rack)
                    points = Describer(position, scowl).score(move) if isinstance(move, Play) else 0
                    after = after_move(position, known_racks(position), move, points)
                    if isinstance(after, int):
                        assert at == len(one.line) - 1
                        assert sign * after == one.spread
                    else:
                        position, sign = after, -sign
                    checked += isinstance(after, int)
    assert checked > 3
