"""Endgame turns: what was lost, against the solver itself and against how the games ended."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from engine.analysis import AnnotationOptions, EventNote, TurnNote, annotate
from engine.analysis.annotate.endgame_judgement import EndgameJudge
from engine.position import Pass
from engine.records import parse_cgp
from engine.search.budget import Budget
from engine.search.endgame import EndgameSolver
from engine.search.endgame.move_bounds import Bounds
from tests.annotation.games import recorded_game

if TYPE_CHECKING:
    from engine.lexicon import Lexicon

NODES = 20_000


@pytest.fixture(scope="module")
def endings(scowl: Lexicon) -> list[tuple[list[TurnNote], EventNote]]:
    """The turns with an empty bag of games that were played out, and the points for the tiles left."""
    found = []
    for number in range(3, 9):
        annotation = annotate(recorded_game(scowl, number), scowl, AnnotationOptions(endgame_nodes=NODES))
        last = annotation.notes[-1]
        if isinstance(last, EventNote) and last.kind == "end_bonus":
            found.append(([note for note in annotation.turns if not note.bag_count], last))
    assert len(found) >= 4
    return found


def test_what_was_lost_adds_up_to_how_the_game_ended(
    endings: list[tuple[list[TurnNote], EventNote]],
) -> None:
    """The value of the first endgame position and the losses of both sides add up to the final spread."""
    checked = 0
    for turns, bonus in endings:
        if not all(note.certainty == "exact" for note in turns):
            continue
        first = turns[0]
        assert first.best is not None
        expected = first.best.equity
        scored = 0
        for note in turns:
            assert note.endgame_loss is not None
            sign = 1 if note.player == first.player else -1
            expected -= sign * note.endgame_loss
            scored += sign * note.score
        scored += bonus.score if bonus.player == first.player else -bonus.score
        assert scored == expected
        checked += 1
    assert checked >= 2


def test_each_turn_agrees_with_the_solver(
    scowl: Lexicon, endings: list[tuple[list[TurnNote], EventNote]]
) -> None:
    solver = EndgameSolver(scowl, table_mb=4)
    for turns, _ in endings:
        for note, after in pairwise(turns):
            assert note.evaluator == "endgame"
            assert note.best is not None
            assert note.played is not None
            assert after.best is not None
            if note.certainty != "exact":
                continue
            found = solver.solve(parse_cgp(note.cgp), Budget(nodes=20 * NODES))
            if found.certainty == "exact":
                assert note.best.equity == found.value
            assert note.played.equity == note.score - after.best.equity
            assert note.equity_loss == note.endgame_loss == note.best.equity - note.played.equity
            assert note.rank == (1 if note.best == note.played else None)
            spread = note.scores[note.player] - note.scores[1 - note.player]
            for move in (note.best, note.played):
                end = spread + move.equity
                assert move.win_pct == (100 if end > 0 else 50 if end == 0 else 0)


def test_without_nodes_the_static_evaluator_judges(scowl: Lexicon) -> None:
    record = recorded_game(scowl, 3)
    turns = annotate(record, scowl, AnnotationOptions(endgame_nodes=0)).turns
    last = [note for note in turns if not note.bag_count]
    assert last
    assert {(note.evaluator, note.certainty) for note in last} == {("static", "estimate")}


def test_a_pass_that_ends_the_game_costs_the_points_of_both_racks(scowl: Lexicon) -> None:
    """A sixth turn without points ends the game: each player loses the points of their own tiles."""
    record = recorded_game(scowl, 3)
    first = next(note for note in annotate(record, scowl).turns if not note.bag_count)
    position = replace(parse_cgp(first.cgp), zero_turns=5)
    own, other = (
        sum(position.tile_set.values[code] * count for code, count in enumerate(counts))
        for counts in (position.rack.counts(position.tile_set.alphabet.size), position.unseen())
    )
    judged = EndgameJudge(scowl, NODES).judge(position, Pass(), 0, list, legal=True)
    assert judged is not None
    assert judged.played_value.bounds == Bounds(other - own, other - own)
    assert judged.position.lower >= other - own
    assert judged.best_value.value >= judged.played_value.value
