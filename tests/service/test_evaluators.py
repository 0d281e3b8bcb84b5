"""Evaluators in an analysis: Heuri 1 to 6 value every move, and sort the moves on request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from engine import (
    SORTS,
    AnalysisOptions,
    AnalysisRequest,
    Catalogue,
    InvalidInput,
    Lexicon,
    Player,
    analyze,
    answer,
    leave_table,
    parse_cgp,
    tile_set,
    win_pct_table,
)
from engine.analysis.request import EVALUATORS
from engine.loaded_board import LoadedBoard
from engine.movegen import leaves
from kibitz.cli import kibitz
from service.cache import MemoryCache
from service.documents import dump_analysis
from tests.evaluation.heuri_values import heuri_values
from tests.movegen.worlds import open_lexicon

if TYPE_CHECKING:
    from pathlib import Path

CGP = (
    "7AD6/6OPE6/6REX6/2WOVEN1Y6/6A8/6T8/6E8/3VIOlA7/3I2Y8/1JUGUM9/S2I11/K2L11/IRES11/R14/T14 "
    "AEEGPRS/ 94/201 0"
)
HEURIS = [name for name in EVALUATORS if name.startswith("heuri") and "," not in name]
KEPT_SEPTET = (  # C7 PLOTTERS scores 62; the septet ELOPSTT has nine points
    "15/15/15/15/15/11A3/6BEADLES2/5REH3GOON/5AG4I3/5C5r3/4BI4KI3/5E5N3/1TRANSECT2EM2/5T9/15 "
    "ELOPSTT/ 110/250 0"
)


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def request(lexicon: Lexicon, cgp: str = CGP, **options: object) -> AnalysisRequest:
    position = parse_cgp(cgp, lexicon="scowl80", tile_set=lexicon.tile_set)
    return AnalysisRequest(position, AnalysisOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", HEURIS)
def test_the_equity_of_a_move_is_its_score_plus_its_leave(lexicon: Lexicon, name: str) -> None:
    asked = request(lexicon, evaluator=name, sort="equity", include_exchanges=True, top_n=2000)
    position = asked.position
    found = analyze(asked, lexicon)
    assert found.evaluator == name
    assert len(found.moves) == found.play_count + found.exchange_count + 1
    equities = [move.equity for move in found.moves]
    assert equities == sorted(equities, reverse=True)
    assert [move.rank for move in found.moves] == list(range(1, len(equities) + 1))
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    unseen = np.array(position.unseen(), np.uint8)
    values = heuri_values(int(name[5:]), board, position.rack, unseen, position.bag_count())
    text = position.tile_set.alphabet.text
    by_leave = {text(leave): value / 1000 for leave, value in zip(leaves(position.rack), values, strict=True)}
    reductions = set()
    for move in found.moves:
        assert move.equity is not None
        assert move.leave_value == move.bingo_expectation == by_leave[str(move.leave)]
        reductions.add(round(move.score + move.leave_value - move.equity, 3))
        assert move.is_fish == (move.leave_value > move.score)
    assert reductions <= ({0, 5, 10, 20} if name == "heuri1" else {0})
    assert max(by_leave.values()) > 0


@pytest.mark.parametrize(
    ("name", "best", "equity", "e"),
    [
        ("heuri3", "C7 PLOTTE.S", 67.414, 0),
        ("heuri3,pass=never", "C7 PLOTTE.S", 67.414, 0),
        ("heuri3,pass=literal", "-", 72.5, 72.5),
        ("heuri2,pass=literal", "-", 72.5, 72.5),
        ("heuri5,pass=literal", "C7 PLOTTE.S", 70.782, 69.245),
    ],
)
def test_the_literal_rule_values_a_pass_by_the_formula(
    lexicon: Lexicon, name: str, best: str, equity: float, e: float
) -> None:
    asked = request(
        lexicon, KEPT_SEPTET, evaluator=name, sort="equity", include_exchanges=True, compare=("-",)
    )
    found = analyze(asked, lexicon)
    assert (found.moves[0].text, found.moves[0].equity) == (best, equity)
    passed = found.compare[0].move
    assert passed is not None
    assert passed.equity == passed.leave_value == e  # 50 + k 9 with the septet's nine points


def test_moves_are_ranked_among_all_whatever_is_listed(lexicon: Lexicon) -> None:
    every = analyze(
        request(lexicon, evaluator="heuri4", sort="equity", include_exchanges=True, top_n=2000), lexicon
    ).moves
    plays = [move for move in every if move.kind == "play"]
    listed = analyze(request(lexicon, evaluator="heuri4", sort="equity", top_n=20), lexicon).moves
    assert list(listed) == plays[:20]
    chosen = tuple(move.text for move in [*every[::97], every[-1]])
    compared = analyze(
        request(lexicon, evaluator="heuri4", sort="equity", top_n=1, compare=(*chosen, "-QQ")), lexicon
    ).compare
    assert [item.move for item in compared[:-1]] == [*every[::97], every[-1]]
    assert not compared[-1].legal


def test_moves_sorted_by_score_have_values_too(lexicon: Lexicon) -> None:
    plain = analyze(request(lexicon, top_n=30, evaluator="greedy"), lexicon).moves
    valued = analyze(request(lexicon, top_n=30, evaluator="heuri6"), lexicon).moves
    assert [move.move for move in valued] == [move.move for move in plain]
    assert all(move.equity is None and move.is_fish is None for move in plain)
    assert all(move.equity == pytest.approx(move.score + (move.leave_value or 0)) for move in valued)


def test_delta_sets_are_cached_with_the_board(lexicon: Lexicon) -> None:
    store = MemoryCache(1 << 22)
    asked = request(lexicon, evaluator="heuri5", sort="equity")
    bare = dump_analysis(analyze(asked, lexicon))
    first = answer(asked, lexicon, store, dump_analysis, key="a")
    position = asked.position
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    delta_key = f"{board.key}-delta"
    (delta,) = store.get_many([delta_key])
    again = answer(asked, lexicon, store, dump_analysis, key="b")
    assert first.body == again.body == bare
    assert delta is not None
    store.put_many({delta_key: delta[:-1] + bytes([delta[-1] ^ 1])})
    assert answer(asked, lexicon, store, dump_analysis, key="c").body == bare


@pytest.mark.parametrize("sort", ["equity", "leave_value", "bingo_expectation"])
def test_greedy_values_nothing_to_sort_by(lexicon: Lexicon, sort: str) -> None:
    with pytest.raises(InvalidInput, match="heuri1") as caught:
        analyze(request(lexicon, evaluator="greedy", sort=sort), lexicon)
    assert caught.value.code == "sort_unavailable"
    with pytest.raises(InvalidInput, match="heuri1") as caught:
        analyze(request(lexicon, evaluator="greedy", expect_bingos=True), lexicon)
    assert caught.value.code == "evaluator_unavailable"


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("name", ["auto", "combined"])
def test_moves_are_sorted_by_any_value(lexicon: Lexicon, name: str, sort: str) -> None:
    asked = request(
        lexicon, evaluator=name, sort=sort, include_exchanges=True, top_n=5000, expect_bingos=True
    )
    found = analyze(asked, lexicon)
    assert found.evaluator == {"auto": "static"}.get(name, name)
    assert len(found.moves) == found.play_count + found.exchange_count + 1
    by = [getattr(move, sort) for move in found.moves]
    assert by == sorted(by, reverse=True)
    assert [move.rank for move in found.moves] == list(range(1, len(by) + 1))
    table = leave_table(lexicon)
    for move in found.moves:
        assert move.equity == pytest.approx(move.score + (move.leave_value or 0), abs=0.002)
        assert move.is_fish == ((move.bingo_expectation or 0) > move.score)
        assert 0 <= (move.win_pct or 0) <= 100
        if name == "auto" and move.kind != "pass":
            assert move.leave_value == table.value(move.leave.tiles)
    assert found.provenance.leaves == table.name
    assert found.provenance.win_pct_table == win_pct_table(lexicon).name
    plain = analyze(request(lexicon, evaluator=name, sort="score", top_n=40), lexicon).moves
    every = {move.move: move for move in found.moves}
    for move in plain:
        assert replace(every[move.move], rank=0, bingo_expectation=0) == replace(
            move, rank=0, bingo_expectation=0
        )
        assert (move.bingo_expectation is None) == (name == "auto")


def test_win_pct_is_above_50_for_the_player_ahead(lexicon: Lexicon) -> None:
    moves = analyze(request(lexicon, evaluator="greedy", sort="win_pct", top_n=9), lexicon).moves
    assert all(move.win_pct is not None and move.win_pct < 30 for move in moves)  # 107 points behind
    swapped = parse_cgp(CGP.replace("94/201", "201/94"), lexicon="scowl80", tile_set=lexicon.tile_set)
    ahead = analyze(AnalysisRequest(swapped, AnalysisOptions(sort="win_pct")), lexicon).moves[0]
    assert ahead.win_pct is not None
    assert ahead.win_pct > 80


def test_without_a_leave_table(tmp_path: Path) -> None:
    tiles = tile_set("italian")
    words = [bytes(word) for word in ([1, 2], [2, 1], [1, 1])]
    lexicon = open_lexicon(tmp_path, "italian", tiles, words)
    position = parse_cgp("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AABB/ 0/0 0", tile_set=tiles)
    found = analyze(AnalysisRequest(position), lexicon)
    assert (found.evaluator, found.provenance.leaves, found.moves[0].win_pct) == ("heuri6", None, None)
    for name, code in (("static", "evaluator_unavailable"), ("combined", "evaluator_unavailable")):
        with pytest.raises(InvalidInput, match="kibitz train leaves") as caught:
            analyze(AnalysisRequest(position, AnalysisOptions(evaluator=name)), lexicon)
        assert caught.value.code == code
    with pytest.raises(InvalidInput, match="kibitz train winpct") as caught:
        analyze(AnalysisRequest(position, AnalysisOptions(sort="win_pct")), lexicon)
    assert caught.value.code == "sort_unavailable"


def test_more_than_two_players_have_no_win_pct(lexicon: Lexicon) -> None:
    position = parse_cgp(CGP, lexicon="scowl80", tile_set=lexicon.tile_set)
    four = replace(position, players=(*position.players, Player(3), Player(4)))
    assert analyze(AnalysisRequest(four), lexicon).moves[0].win_pct is None
    with pytest.raises(InvalidInput, match="two players"):
        analyze(AnalysisRequest(four, AnalysisOptions(sort="win_pct")), lexicon)


def test_the_command_line_shows_equities(bundled: Catalogue) -> None:
    arguments = ["analyze", "--cgp", CGP, "--lexicon", "scowl80", "--evaluator", "heuri6", "--top", "3"]
    done = CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(bundled.data_directory)})
    assert done.exit_code == 0, done.output
    assert "equity" in done.output
