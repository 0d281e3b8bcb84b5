"""The win% of moves that end the game follows from the tiles left on the racks."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import hypothesis
import pytest
from hypothesis import strategies as st

from engine.analysis import AnnotationOptions, annotate, annotation_simulation
from engine.analysis.annotate.game_end import move_ending, ways_to_draw, win_pct_at_end
from engine.position import Pass
from engine.records import parse_cgp, read_gcg
from engine.search.phase import PREENDGAME
from engine.search.verdict import Verdict
from tests.annotation.games import loss_of, recorded_game, win_of

if TYPE_CHECKING:
    from engine.analysis.annotate.notes import TurnNote
    from engine.lexicon import Lexicon
    from engine.search import SimulationPlan

HEAD = "#player1 ann Ann Ek\n#player2 bo Bo Li\n"
SIX = HEAD + (
    ">ann: AEINRST -A +0 0\n>bo: ABCIQUZ -QU +0 0\n>ann: EINRSTT -T +0 0\n"
    ">bo: ABCIZOE - +0 0\n>ann: EINRSTV - +0 0\n>bo: ABCIZOE - +0 0\n"
)


def last_turn(text: str, lexicon: Lexicon, simulate: SimulationPlan | None = None) -> TurnNote:
    return annotate(read_gcg(text).record, lexicon, AnnotationOptions(simulate=simulate)).turns[-1]


@hypothesis.given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 10)), min_size=1, max_size=4), st.integers(0, 4)
)
def test_ways_to_draw_agree_with_enumeration(tiles: list[tuple[int, int]], held: int) -> None:
    bag = [value for count, value in tiles for _ in range(count)]
    held = min(held, len(bag))
    drawn = [sum(rack) for rack in itertools.combinations(bag, held)]
    ways = ways_to_draw([count for count, _ in tiles], [value for _, value in tiles], held)
    assert ways.tolist() == [drawn.count(points) for points in range(len(ways))]
    assert sum(ways) == len(drawn)


@hypothesis.given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=4),
    st.integers(0, 2),
    st.integers(0, 2),
)
def test_what_an_exchange_draws_is_counted_too(tiles: list[tuple[int, int]], held: int, drawn: int) -> None:
    bag = [value for count, value in tiles for _ in range(count)]
    hypothesis.assume(held + drawn <= len(bag))
    found = [
        sum(bag[at] for at in theirs) - sum(bag[at] for at in own)
        for theirs in itertools.combinations(range(len(bag)), held)
        for own in itertools.combinations(sorted(set(range(len(bag))) - set(theirs)), drawn)
    ]
    values = [value for _, value in tiles]
    ways = ways_to_draw([count for count, _ in tiles], values, held, drawn)
    assert ways.tolist() == [found.count(at - drawn * max(values)) for at in range(len(ways))]


def test_a_move_that_ends_the_game_is_judged_by_win_pct(scowl: Lexicon) -> None:
    """An exchange draws before it ends the game; if that wins more often, no other move is the best."""
    passes = ">ann: DEGIRRT - +0 0\n>bo: ABCIZOE - +0 0\n" * 2 + ">ann: DEGIRRT - +0 0\n"
    note = last_turn(HEAD + passes + ">bo: DEGIRRT -DG +0 0\n", scowl)
    assert note.ends_game == "zero_turns"
    assert win_of(note.played).high < 99  # seven tiles of either player
    lost = last_turn(HEAD + passes + ">bo: CJQUVXZ -C +0 0\n", scowl)
    for turn in (note, lost):
        assert turn.best is not None
        assert turn.played is not None
        assert win_of(turn.best).low >= win_of(turn.played).low
    assert lost.mistake == "large"


def test_the_sixth_turn_without_points_is_judged_by_the_racks(scowl: Lexicon) -> None:
    note = last_turn(SIX, scowl)
    assert note.ends_game == "zero_turns"
    assert note.played is not None
    position = note.position
    values = position.tile_set.values
    own = sum(values[code] for code in position.rack.tiles)
    # The mover wins against a rack with more points than the own one, and ties against an equal one.
    ways = ways_to_draw(position.unseen(), values, 7)
    won = sum(ways[own + 1 :]) + ways[own] / 2
    assert win_of(note.played).win_pct == pytest.approx(100 * won / sum(ways), abs=0.01)
    assert win_of(note.played).high < 15  # B, C and Z cost many points
    assert note.mistake == "large"
    before = annotate(read_gcg(SIX).record, scowl).turns[:-1]
    assert {turn.ends_game for turn in before} == {None}


def test_the_end_is_counted_in_a_simulated_turn_too(scowl: Lexicon) -> None:
    plan = annotation_simulation(iterations=200, candidates=3)
    note = last_turn(SIX, scowl, plan)
    assert win_of(note.played).win_pct == win_of(last_turn(SIX, scowl).played).win_pct
    assert note.played is not None
    assert win_of(note.played).is_proven
    assert note.judged.rank is not None
    assert note.judged.rank > 1


def test_ending_the_game_when_ahead_is_no_mistake(scowl: Lexicon) -> None:
    bingo = ">ann: AEINRST 8D RETINAS +66 66\n"
    passes = ">bo: ABCIZOE - +0 0\n>ann: EIINRST - +0 66\n" * 3
    note = last_turn(HEAD + bingo + passes, scowl)
    assert (note.ends_game, win_of(note.played).win_pct, loss_of(note).win_pct) == ("zero_turns", 100, 0)
    assert note.mistake == "none"
    plan = annotation_simulation(iterations=40, candidates=2)
    simulated = last_turn(HEAD + bingo + passes, scowl, plan)
    assert simulated.played is not None
    assert (win_of(simulated.played), simulated.judged.rank) == (Verdict.proven(100, 100, PREENDGAME), 1)


def test_a_play_taken_back_is_no_pass(scowl: Lexicon) -> None:
    bingo = (
        ">ann: AEINRST 8D RETINAS +66 66\n>bo: ABCIZOE - +0 0\n>ann: EIINRST - +0 66\n>bo: ABCIZOE - +0 0\n"
    )
    phony = ">ann: EIINRST 9C INT +10 76\n>ann: EIINRST -- -10 66\n"
    note = last_turn(HEAD + bingo + phony, scowl)
    assert (note.challenge, note.ends_game) == ("taken_back", None)


def test_going_out_wins_ties_or_loses(scowl: Lexicon) -> None:
    for nodes in (0, 500):
        note = annotate(recorded_game(scowl, 3), scowl, AnnotationOptions(endgame_nodes=nodes)).turns[-1]
        assert note.ends_game == "went_out"
        assert win_of(note.played).win_pct in (0, 50, 100)


def test_the_ending_depends_on_scores_and_rules() -> None:
    rows = "/".join(["15"] * 15)
    drawn = parse_cgp(f"{rows} AEINRST/ 50/0 5")
    assert move_ending(drawn, Pass(), 0, 0) == "zero_turns"
    assert win_pct_at_end(drawn, "zero_turns", 0, drawn.rack.tiles) == 100
    assert move_ending(parse_cgp(f"{rows} AEINRST/ 50/0 4"), Pass(), 0, 0) is None
    assert move_ending(parse_cgp(f"{rows} AEINRST/ 50/0 4"), Pass(), 0, 3) is None  # English: six zero turns
    for rules, passes in (("polish", 4), ("french", 6)):  # two and three of each player
        position = parse_cgp(f"{rows} AEIORST/ 50/0 4 ld {rules};")
        assert move_ending(position, Pass(), 0, passes - 2) is None
        assert move_ending(position, Pass(), 0, passes - 1) == "all_passed"
    three = parse_cgp(f"{rows} AEINRST// 50/0/0 5")
    assert win_pct_at_end(three, "zero_turns", 0, three.rack.tiles) is None
