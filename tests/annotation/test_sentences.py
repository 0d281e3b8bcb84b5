"""The sentences about turns: every number is named, and none is a zero with a sign."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine.analysis import turn_sentence
from engine.analysis.annotate.notes import Loss

if TYPE_CHECKING:
    from engine.analysis import Annotation
    from engine.analysis.annotate.notes import TurnNote


def test_no_number_of_a_game_stands_alone_or_is_a_negative_zero(annotated: list[Annotation]) -> None:
    sentences = [turn_sentence(note) for annotation in annotated for note in annotation.turns]
    assert len(sentences) > 60
    for sentence in sentences:
        assert not re.search(r"-0\.0\b", sentence), sentence
        for said in re.findall(r"(\S+) -?\d+\.\d", sentence):
            assert said in ("equity", "win%"), sentence
        assert not re.search(r"best \(-?\d", sentence) or "equity" in sentence, sentence


@pytest.fixture(scope="module")
def notes(annotated: list[Annotation]) -> tuple[TurnNote, TurnNote]:
    """A turn with the best move, and one with another."""
    turns = [note for annotation in annotated for note in annotation.turns if note.best and note.played]
    plain = [
        replace(note, ends_game=None, judged=replace(note.judged, missed_bingo=None))
        for note in turns
        if note.position.bag_count()
    ]
    first, second = (next(note for note in plain if note.judged.rank == rank) for rank in (1, 2))
    return first, second


def test_the_best_move_is_called_so_with_its_equity(notes: tuple[TurnNote, TurnNote]) -> None:
    best, _ = notes
    assert best.best is not None
    for equity, said in ((62.0, "62.0"), (-0.04, "0.0"), (-0.06, "-0.1")):
        note = replace(best, judged=replace(best.judged, best=replace(best.best, equity=equity)))
        assert turn_sentence(note) == f"kibitz: the best move, equity {said}"


def test_losses_that_round_to_zero_are_left_out(notes: tuple[TurnNote, TurnNote]) -> None:
    _, other = notes
    assert other.best is not None
    best = replace(other.best, equity=-0.04)
    begins = f"kibitz: best {best.text} ({best.score}, equity 0.0), rank 2"
    for lost, ends in ((0.04, ""), (0.0, ""), (0.06, ", equity -0.1; win% -0.1")):
        loss = Loss(lost, lost, "none")
        note = replace(other, judged=replace(other.judged, best=best, loss=loss))
        assert turn_sentence(note) == begins + ends
