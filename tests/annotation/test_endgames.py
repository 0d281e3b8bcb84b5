"""Endgame turns: what was lost, against the solver itself and against how the games ended."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from engine.analysis import AnnotationOptions, EventNote, TurnNote, annotate
from engine.position import Pass
from engine.search.budget import Budget
from engine.search.endgame import EndgameSolver
from engine.search.endgame.bounds import Bounds
from engine.search.endgame_values import EndgameValues
from tests.annotation.games import loss_of, recorded_game, win_of

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
            found.append(([note for note in annotation.turns if not note.position.bag_count()], last))
    assert len(found) >= 4
    return found


def test_what_was_lost_adds_up_to_how_the_game_ended(
    endings: list[tuple[list[TurnNote], EventNote]],
) -> None:
    """The value of the first endgame position and the losses of both sides add up to the final spread."""
    checked = 0
    for turns, bonus in endings:
        if not all(loss_of(note).certainty == "exact" for note in turns):
            continue
        first = turns[0]
        assert first.best is not None
        expected = first.best.equity
        scored = 0
        for note in turns:
            sign = 1 if note.player == first.player else -1
            expected -= sign * loss_of(note).equity
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
            assert note.judged.evaluator == "endgame"
            assert note.best is not None
            assert note.played is not None
            assert after.best is not None
            if loss_of(note).certainty != "exact":
                continue
            found = solver.solve(note.position, Budget(nodes=20 * NODES))
            if found.certainty == "exact":
                assert note.best.equity == found.value
            assert note.played.equity == note.score - after.best.equity
            assert loss_of(note).equity == note.best.equity - note.played.equity
            assert note.judged.rank == (1 if note.best == note.played else None)
            for move in (note.best, note.played):
                end = note.position.spread + move.equity
                assert win_of(move).win_pct == (100 if end > 0 else 50 if end == 0 else 0)


def test_without_nodes_the_static_evaluator_judges(scowl: Lexicon) -> None:
    record = recorded_game(scowl, 3)
    turns = annotate(record, scowl, AnnotationOptions(endgame_nodes=0)).turns
    last = [note for note in turns if not note.position.bag_count()]
    assert last
    assert {(note.judged.evaluator, loss_of(note).certainty) for note in last} == {("static", "estimate")}


def test_a_pass_that_ends_the_game_costs_the_points_of_both_racks(scowl: Lexicon) -> None:
    """A sixth turn without points ends the game: each player loses the points of their own tiles."""
    record = recorded_game(scowl, 3)
    first = next(note for note in annotate(record, scowl).turns if not note.position.bag_count())
    position = replace(first.position, zero_turns=5)
    own, other = (
        sum(position.tile_set.values[code] * count for code, count in enumerate(counts))
        for counts in (position.rack.counts(position.tile_set.alphabet.size), position.unseen())
    )
    values = EndgameValues(scowl, NODES)
    assert values.after(position, Pass(), 0).bounds == Bounds(other - own, other - own)
    assert values.of(position).bounds.lower >= other - own
    assert values.of(position).value >= values.after(position, Pass(), 0).value
