"""What is shown of a move late in a game is consistent: in one answer, and between all that search."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    AnnotationOptions,
    Budget,
    Catalogue,
    EndgamePlan,
    LoadedBoard,
    PreendgamePlan,
    SimulationPlan,
    analyze,
    annotation_simulation,
    parse_cgp,
)
from engine.analysis.annotate.judgement import TurnJudge
from engine.analysis.findings import as_proven
from engine.analysis.hint import hint_request
from engine.analysis.request import LearnedTables
from engine.search import PreendgameOptions, PreendgameSolver
from engine.search.phase import ENDGAME, PREENDGAME, PREENDGAME_BAG, SIMULATE
from engine.search.verdict import TABLE

if TYPE_CHECKING:
    from engine import Analysis, Lexicon, Position
    from engine.position import Move
    from engine.search.verdict import Verdict

GAMES = Path(__file__).parents[1] / "golden" / "greedy_games.tsv"
LATE = 8
"""The most tiles in the bag of a late turn."""

EXCHANGES = AnalysisOptions(top_n=30, sort="equity", include_exchanges=True)
SEARCHES = {
    "simulate": replace(EXCHANGES, simulate=SimulationPlan(candidates=6, iterations=300)),
    "auto": replace(
        EXCHANGES,
        phase="auto",
        simulate=SimulationPlan(candidates=6, iterations=300),
        preendgame=PreendgamePlan(candidates=6, nodes=2_000, draws=24, table_mb=4),
        endgame=EndgamePlan(nodes=3_000, table_mb=4),
    ),
    "win_pct": replace(EXCHANGES, sort="win_pct"),
}


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


@pytest.fixture(scope="module")
def late_turns(lexicon: Lexicon) -> list[Position]:
    with GAMES.open(encoding="utf-8") as file:
        texts = [row["cgp"] for row in csv.DictReader(file, delimiter="\t")]
    positions = [parse_cgp(text, lexicon=lexicon.id, tile_set=lexicon.tile_set) for text in texts]
    late = [position.seen() for position in positions if position.bag_count() <= LATE]
    return late[::2]


def searched(position: Position, options: AnalysisOptions, lexicon: Lexicon) -> Analysis:
    return analyze(AnalysisRequest(position, options), lexicon)


def proven(analysis: Analysis) -> dict[Move, Verdict]:
    """Return the moves of which something is proven."""
    found = {one.move: one.win for one in analysis.moves if one.win is not None}
    return {move: win for move, win in found.items() if win.by != TABLE and win.error is None}


def test_no_later_move_is_known_to_win_more_often_and_no_two_answers_contradict_each_other(
    lexicon: Lexicon, late_turns: list[Position]
) -> None:
    both = 0
    for position in late_turns:
        known: dict[Move, Verdict] = {}
        for name, options in SEARCHES.items():
            analysis = searched(position, options, lexicon)
            first, *others = [one.win for one in analysis.moves]
            if first is None:
                assert set(others) <= {None}, name
                continue
            assert all(other is None or other.low <= first.high for other in others), name
            for move, win in proven(analysis).items():
                if move in known:
                    both += 1
                    assert win.low <= known[move].high
                    assert known[move].low <= win.high
                known[move] = win
    assert both > 100


def test_an_annotation_contradicts_no_answer(lexicon: Lexicon, late_turns: list[Position]) -> None:
    plan = annotation_simulation(iterations=300, candidates=6)
    options = AnnotationOptions(simulate=plan, endgame_nodes=3_000, preendgame_nodes=2_000)
    judge = TurnJudge(lexicon, LearnedTables.resolve(AnalysisOptions(simulate=plan), lexicon, plan), options)
    compared = 0
    for position in late_turns:
        known = proven(searched(position, SEARCHES["auto"], lexicon))
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
        for move in list(known)[::4]:
            judged = judge.judge(position, board, move, position.score(move))
            assert judged.best is not None
            assert judged.played is not None
            assert judged.best.win is not None
            assert judged.played.win is not None
            assert judged.played.win.low <= judged.best.win.high
            assert TABLE not in (judged.played.win.by, judged.best.win.by)
            for one in (judged.best, judged.played):
                if one.win is not None and one.win.error is None and one.move in known:
                    compared += 1
                    assert one.win.low <= known[one.move].high
                    assert known[one.move].low <= one.win.high
    assert compared > 50


def test_the_bag_decides_what_a_win_pct_comes_from(lexicon: Lexicon, late_turns: list[Position]) -> None:
    """No figure of the win% table stands among those of a search."""
    seen = set()
    for position in late_turns:
        bag = position.bag_count()
        expected = ENDGAME if not bag else PREENDGAME if bag <= PREENDGAME_BAG else SIMULATE
        analysis = searched(position, SEARCHES["auto"], lexicon)
        assert {one.win.by for one in analysis.moves if one.win is not None} <= {expected}
        assert analysis.phase == hinted_phase(position, lexicon) == expected
        seen.add(expected)
    assert seen == {ENDGAME, PREENDGAME, SIMULATE}


def hinted_phase(position: Position, lexicon: Lexicon) -> str | None:
    """Return the search for a hint, which is cut at once."""
    return analyze(hint_request(position, max_ms=1), lexicon).phase


def test_an_empty_bag_is_solved_instead_of_simulated(lexicon: Lexicon, late_turns: list[Position]) -> None:
    endgames = [position for position in late_turns if not position.bag_count()]
    position = min(endgames, key=lambda one: len(one.rack.tiles))
    analysis = searched(position, SEARCHES["simulate"], lexicon)
    assert (analysis.phase, [warning.code for warning in analysis.warnings]) == (ENDGAME, ["endgame_solved"])


def test_a_simulation_that_plays_no_endgame_out_says_that_it_errs(
    lexicon: Lexicon, late_turns: list[Position]
) -> None:
    quackle = replace(EXCHANGES, simulate=SimulationPlan.preset("quackle", candidates=2, iterations=4))
    codes = {}
    for position in late_turns:
        if position.bag_count():
            analysis = searched(position, quackle, lexicon)
            codes[position.bag_count()] = [warning.code for warning in analysis.warnings]
            assert searched(position, SEARCHES["simulate"], lexicon).warnings == ()
    few = {bag: ["rough_simulation"] if bag <= PREENDGAME_BAG else [] for bag in codes}
    assert codes == few
    assert [] in few.values()
    assert ["rough_simulation"] in few.values()


def test_the_interval_of_a_sample_holds_its_estimate(lexicon: Lexicon, late_turns: list[Position]) -> None:
    position = next(position for position in late_turns if position.bag_count() == LATE)
    wins = [one.win for one in searched(position, SEARCHES["simulate"], lexicon).moves if one.win is not None]
    assert len(wins) == 6
    for win in wins:
        assert win.win_pct is not None
        assert win.error is not None
        assert 0 <= win.low < win.win_pct < win.high <= 100 or win.win_pct in (0, 100)
        assert not win.is_proven


def test_a_search_that_is_cut_before_its_first_draw_claims_nothing(
    lexicon: Lexicon, late_turns: list[Position]
) -> None:
    position = next(position for position in late_turns if 2 < position.bag_count() <= PREENDGAME_BAG)
    plan = PreendgamePlan(candidates=4, nodes=1, table_mb=4)
    analysis = searched(position, replace(EXCHANGES, preendgame=plan), lexicon)
    wins = [one.win for one in analysis.moves if one.win is not None]
    assert wins
    assert {(win.low, win.high, win.win_pct) for win in wins} == {(0, 100, None)}


def test_where_exchanges_are_left_out_the_order_stays_and_no_unexamined_move_gets_an_estimate(
    lexicon: Lexicon, late_turns: list[Position]
) -> None:
    unexamined = 0
    solver, options = PreendgameSolver(lexicon, table_mb=4), PreendgameOptions(candidates=8)
    for late in late_turns:
        if late.bag_count() not in (1, 2):
            continue
        position = replace(late, rules=replace(late.rules, exchange_limit=1))
        found = solver.solve(position, Budget(nodes=1_500), options)
        claimed = as_proven(found, position)
        assert [one.move for one in claimed.moves] == [one.move for one in found.moves]
        for before, after in zip(found.moves, claimed.moves, strict=True):
            if (before.lower, before.upper) == (0, 100):
                unexamined += 1
                assert after.verdict[:3] == (0, 100, None)
    assert unexamined
