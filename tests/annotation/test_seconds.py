"""Annotations whose time is limited: every turn has a share of the seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import AnnotationOptions, Budget, InvalidInput, annotate, annotation_simulation, read_gcg
from engine.analysis.annotate import options
from engine.search.deadline import Deadline
from tests.annotation.games import recorded_game

if TYPE_CHECKING:
    from engine.lexicon import Lexicon

ENDLESS = 1e6
ITERATIONS = 200
NODES = 1_000
GAME_WITH_A_PREENDGAME = 14  # one turn with three tiles in the bag, one with one


@pytest.fixture
def small_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each turn be searched as little as if its share had passed."""
    monkeypatch.setattr(options, "TIMED_ITERATIONS", ITERATIONS)
    monkeypatch.setattr(options, "TIMED_NODES", NODES)


@pytest.mark.usefixtures("small_searches")
def test_every_turn_is_searched_by_the_solver_of_its_phase(scowl: Lexicon) -> None:
    record = recorded_game(scowl, GAME_WITH_A_PREENDGAME)
    timed = annotate(record, scowl, AnnotationOptions().within(ENDLESS))
    known = {
        turn.played.win.by for turn in timed.turns if turn.played is not None and turn.played.win is not None
    }
    assert known == {"simulate", "preendgame", "endgame"}
    assert timed.summary.complete
    assert timed.summary.judged == len(timed.turns)
    assert not timed.heading.provenance.deterministic
    assert timed.heading.provenance.budget == Budget(seconds=ENDLESS)


@pytest.mark.usefixtures("small_searches")
def test_turns_before_the_end_are_those_of_a_simulation(scowl: Lexicon) -> None:
    record = recorded_game(scowl, 3)
    plan = annotation_simulation(iterations=ITERATIONS)
    given = annotate(record, scowl, AnnotationOptions(simulate=plan, endgame_nodes=NODES))
    timed = annotate(record, scowl, AnnotationOptions().within(ENDLESS))
    early = [turn for turn in given.turns if turn.position.bag_count() > 4]
    assert len(early) > 10
    assert early == list(timed.turns[: len(early)])


def test_a_share_is_that_of_the_turns_left(scowl: Lexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is not used up, so that the shares grow: none is less than an equal one."""
    given: list[float] = []

    def after(milliseconds: float) -> Deadline:
        given.append(milliseconds / 1000)
        return Deadline(1)

    monkeypatch.setattr(Deadline, "after", after)
    monkeypatch.setattr(Deadline, "seconds_left", property(lambda _: 12.0))
    turns = annotate(recorded_game(scowl, 3), scowl, AnnotationOptions().within(12)).turns
    assert given == pytest.approx([12.0, *(12.0 / left for left in range(len(turns), 0, -1))])


def test_with_hardly_any_time_every_turn_is_noted_and_nothing_claimed(scowl: Lexicon) -> None:
    annotation = annotate(recorded_game(scowl, 3), scowl, AnnotationOptions().within(1e-6))
    assert annotation.summary.complete
    for turn in annotation.turns:
        assert turn.judged.best is not None
        win = turn.judged.best.win
        if win is None or win.high - win.low == 100:
            assert turn.mistake is None


def test_a_game_of_three_has_no_solver(scowl: Lexicon) -> None:
    record = read_gcg("#player1 a A\n#player2 b B\n#player3 c C\n>a: AEITWXY 8D WAITE +24 24\n").record
    with pytest.raises(InvalidInput) as refused:
        annotate(record, scowl, AnnotationOptions().within(5))
    assert (refused.value.code, refused.value.field) == ("not_two_players", "seconds")
