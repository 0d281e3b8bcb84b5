"""The Mistake Index and the rating estimated from it, against the published rule, and in annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import MISTAKE_POINTS, AnnotationOptions, annotate, annotated_record, annotation_simulation
from engine.analysis.annotate.mistake_index import estimated_rating, mistake_index
from tests.annotation.games import recorded_game

if TYPE_CHECKING:
    from engine.lexicon import Lexicon


@pytest.mark.parametrize(
    ("index", "rating"),
    [(0, 2300), (0.1, 2275), (0.2, 2250), (1.35, 2075), (3.0, 1788), (4.2, 1650), (5.2, 1525), (100, 0)],
)
def test_ratings_are_interpolated(index: float, rating: int) -> None:
    assert estimated_rating(index) == rating


def test_the_index_is_the_sum_of_the_points() -> None:
    assert mistake_index({"none": 9, "small": 2, "medium": 3, "large": 1}) == 2.9
    assert mistake_index({"none": 12, "small": 0, "medium": 0, "large": 0}) == 0


def test_a_summary_adds_up_its_turns_and_rates_them_only_if_all_were_simulated(scowl: Lexicon) -> None:
    record = recorded_game(scowl, 2)
    plan = annotation_simulation(iterations=200, candidates=3)
    plain, simulated = (
        annotate(record, scowl, AnnotationOptions(simulate=simulate)) for simulate in (None, plan)
    )
    for annotation in (plain, simulated):
        for player in annotation.summary.players:
            turns = [turn for turn in annotation.turns if turn.player == player.player]
            points = [MISTAKE_POINTS[turn.mistake] for turn in turns if turn.mistake is not None]
            assert player.mistake_index == pytest.approx(sum(points))
            assert player.blown_endgames == sum(turn.judged.blew_endgame for turn in turns)
    assert [player.estimated_rating for player in plain.summary.players] == [None, None]
    assert [player.estimated_rating for player in simulated.summary.players] == [
        estimated_rating(player.mistake_index or 0.0) for player in simulated.summary.players
    ]


def test_a_lost_win_is_a_large_mistake_whatever_the_points(scowl: Lexicon) -> None:
    blown = [
        turn
        for number in range(1, 30)
        for turn in annotate(recorded_game(scowl, number, "greedy", "greedy"), scowl).turns
        if turn.judged.blew_endgame
    ]
    assert blown
    for turn in blown:
        assert turn.loss is not None
        assert turn.loss.win_pct in (50, 100)
        assert turn.mistake == "large"


def test_a_record_notes_the_index_at_the_last_judged_turn_of_each_player(scowl: Lexicon) -> None:
    annotation = annotate(recorded_game(scowl, 3), scowl)
    notes = [event.note for event in annotated_record(annotation).events]
    for player in annotation.summary.players:
        judged = [
            turn for turn in annotation.turns if turn.player == player.player and turn.mistake is not None
        ]
        for turn in judged:
            is_last = turn is judged[-1]
            line = f"kibitz: Mistake Index {player.mistake_index:.1f}"
            assert (line in notes[turn.number - 1].split("\n")) == is_last
