"""With an empty bag every win% of an analysis agrees with the proof, or is a range that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    Budget,
    EndgamePlan,
    EndgameReport,
    EndgameSolver,
    GameSetup,
    Position,
    analyze,
    format_cgp,
    format_move,
    parse_cgp,
)
from engine.search import endgame_verdicts
from engine.search.endgame.bounds import Bounds
from engine.search.endgame_verdicts import PLAIN_NODES
from engine.search.verdict import UNPROVEN, Verdict
from lab.selfplay.empty_bag import first_endgames
from tests.search.conftest import word_list

if TYPE_CHECKING:
    from engine import Analysis, Judged, Lexicon, Move
    from engine.lexicon.catalogue import Catalogue

__all__ = ["word_list"]

WON_BY_10 = (
    "OXIME1RAJA2RUB/3I2O2HIGHT1/3R2U4RE2/3IF1T4AM2/4I1I1E2NE2/4G1N1T2I3/2POW1E1E2T3/1CAROUSES2A2D/"
    "1ON1R3I2S2E/1W2T2PA4QI/KiVAS2EN5F/1E5L2DANDY/1s2UNCALLED3/1T5G2BOYO1/7E7 LOZ/V 420/444 0"
)
CERTAIN = (0, 50, 100)


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


@pytest.fixture(scope="module")
def endgames(lexicon: Lexicon) -> list[Position]:
    found = first_endgames(GameSetup.of(lexicon), "static", 12)
    return [position for position in found if position is not None]


def analyzed(position: Position, lexicon: Lexicon, **options: Any) -> Analysis:
    return analyze(AnalysisRequest(position, AnalysisOptions(**options)), lexicon)


def reports(analysis: Analysis) -> list[Judged]:
    """Return the moves that are listed, and those that the request compares."""
    return [*analysis.moves, *(one.move for one in analysis.compare if one.move is not None)]


def range_of(move: Judged) -> tuple[float, float]:
    """Return the least and the highest win% of a move."""
    assert move.win is not None
    return move.win.low, move.win.high


def win_pct_of(spread: float) -> float:
    return 50.0 * (1 + (spread > 0) - (spread < 0))


@pytest.mark.parametrize("word_list", ["twl06"], indirect=True)
@pytest.mark.parametrize(
    "options", [{}, {"phase": "auto"}, {"sort": "equity"}, {"sort": "win_pct"}, {"evaluator": "greedy"}]
)
def test_a_win_by_ten_is_shown_as_a_win(word_list: Lexicon, options: dict[str, Any]) -> None:
    position = parse_cgp(WON_BY_10)
    solved = EndgameSolver(word_list).solve(position, Budget(nodes=200_000))
    assert (solved.certainty, solved.final_spread) == ("exact", 10)
    best = format_move(solved.best, position.tile_set)
    found = analyzed(position, word_list, compare=(best,), **options)
    (compared,) = found.compare
    assert compared.move is not None
    assert compared.move.win == Verdict.proven(100, 100)
    if "phase" in options or options.get("sort") == "win_pct":
        assert found.best.win_pct == 100
        assert "100.0 %" in str(found.best)


@pytest.mark.long
def test_the_win_pct_of_the_best_move_is_that_of_its_proven_spread(
    lexicon: Lexicon, endgames: list[Position]
) -> None:
    exact = 0
    for position in endgames:
        found = analyzed(position, lexicon, phase="auto", top_n=30, include_exchanges=True)
        best = found.best
        assert isinstance(best.found, EndgameReport)
        if best.found.certainty != "exact":
            continue
        exact += 1
        wins = win_pct_of(best.found.spread)
        assert best.win == Verdict.proven(wins, wins)
        for move in found.moves:  # no move wins more often than the best one
            assert range_of(move)[1] <= wins
    assert exact >= 6


@pytest.mark.parametrize(
    "options",
    [
        {"sort": "equity"},
        {"sort": "win_pct"},
        {"evaluator": "heuri1"},
        pytest.param({"phase": "auto"}, marks=pytest.mark.long),
        {"max_ms": 1},
    ],
)
@pytest.mark.long
def test_a_win_pct_is_certain_or_a_range(
    lexicon: Lexicon, endgames: list[Position], options: dict[str, Any]
) -> None:
    certain = 0
    for position in endgames:
        found = analyzed(position, lexicon, include_exchanges=True, top_n=8, compare=("-",), **options)
        for move in reports(found):
            low, high = range_of(move)
            assert low in CERTAIN
            assert high in CERTAIN
            assert move.win_pct == (low if low == high else None)
            certain += low == high
        assert found.provenance.deterministic == (found.provenance.stopped_by != "deadline")
    assert certain


@pytest.mark.long
def test_every_request_claims_the_same_of_a_move(lexicon: Lexicon, endgames: list[Position]) -> None:
    """A search may prove more of a move than another one, but never something else."""
    for position in endgames:
        known: dict[Move, list[tuple[float, float]]] = {}
        for options in ({}, {"sort": "win_pct"}, {"phase": "auto"}, {"evaluator": "greedy"}):
            for move in analyzed(position, lexicon, top_n=20, **options).moves:  # type: ignore[arg-type]
                known.setdefault(move.move, []).append(range_of(move))
        for ranges in known.values():
            assert max(low for low, _ in ranges) <= min(high for _, high in ranges)


@pytest.mark.long
@pytest.mark.parametrize("top_n", [1, 30])
def test_a_search_that_ends_early_puts_no_proven_loser_first(
    lexicon: Lexicon, endgames: list[Position], top_n: int
) -> None:
    """A move that is proven to win more often goes before its guess; its spread contradicts no proof."""
    unproven = 0
    for position in endgames:
        for nodes in (1, 500, 2_000):
            plan = EndgamePlan(nodes=nodes)
            best, *others = analyzed(
                position, lexicon, endgame=plan, include_exchanges=True, top_n=top_n
            ).moves
            for move in others:
                assert key_of(move) <= key_of(best)
            if not isinstance(best.found, EndgameReport):
                continue
            unproven += best.found.certainty != "exact"
            low, high = range_of(best)
            assert low <= win_pct_of(best.found.spread) <= high
    assert unproven > 5


@pytest.mark.long
def test_the_best_move_of_a_search_that_ends_early_depends_on_no_list(
    lexicon: Lexicon, endgames: list[Position]
) -> None:
    for position in endgames:
        plan = EndgamePlan(nodes=500)
        first, second = (analyzed(position, lexicon, endgame=plan, top_n=count).best for count in (1, 40))
        assert (first.move, first.found, first.win) == (second.move, second.found, second.win)


def key_of(move: Judged) -> float:
    """Return what ranks a move by its win%."""
    return Verdict.proven(*range_of(move)).key


def test_a_plain_answer_proves_little_and_contradicts_nothing(
    lexicon: Lexicon, endgames: list[Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It searches few nodes; what others show of a move lies within what it shows."""
    nodes: list[int] = []
    outcome_bounds = endgame_verdicts.outcome_bounds

    def counted(*arguments: Any) -> tuple[Bounds, int]:
        bounds, spent = outcome_bounds(*arguments)
        nodes.append(spent)
        return bounds, spent

    monkeypatch.setattr(endgame_verdicts, "outcome_bounds", counted)
    proven = 0
    for position in endgames:
        nodes.clear()
        plain = analyzed(position, lexicon, top_n=30).moves
        assert sum(nodes) <= PLAIN_NODES
        proven += plain[0].win_pct is not None
        names = tuple(move.text for move in plain)
        others = analyzed(position, lexicon, compare=names).compare
        for move, other in zip(plain, others, strict=True):
            assert other.move is not None
            (low, high), (least, most) = range_of(move), range_of(other.move)
            assert low <= least <= most <= high
    assert proven > len(endgames) / 2


def test_most_moves_are_proven(lexicon: Lexicon, endgames: list[Position]) -> None:
    moves = [
        move for position in endgames for move in analyzed(position, lexicon, top_n=10, compare=("-",)).moves
    ]
    assert sum(move.win_pct is not None for move in moves) > 0.8 * len(moves)


@pytest.mark.long
def test_moves_sorted_by_win_pct_stand_in_the_order_of_what_is_proven(
    lexicon: Lexicon, endgames: list[Position]
) -> None:
    for position in endgames:
        found = analyzed(position, lexicon, sort="win_pct", include_exchanges=True, top_n=200)
        keys = [key_of(move) for move in found.moves]
        assert keys == sorted(keys, reverse=True)
        assert [move.rank for move in found.moves] == list(range(1, len(keys) + 1))


def test_with_tiles_in_the_bag_the_range_is_the_estimate(lexicon: Lexicon) -> None:
    cgp = "15/15/15/15/15/15/15/3WOMAN7/15/15/15/15/15/15/15 EIINRST/ 0/20 0"
    for move in analyzed(parse_cgp(cgp), lexicon, top_n=20).moves:
        assert move.win_pct is not None
        assert 0 < move.win_pct < 100
        assert range_of(move) == (move.win_pct, move.win_pct)


@pytest.mark.parametrize(
    ("rack", "better", "worse"), [("AILORRT", "8G RIALTO", "8G LOR"), ("ADEHRU?", "-U", "8H HUED")]
)
def test_the_leave_counts_in_a_win_pct(lexicon: Lexicon, rack: str, better: str, worse: str) -> None:
    """What has more equity wins more often, whether the equity is points or the leave's value."""
    cgp = f"{'/'.join(['15'] * 15)} {rack}/ 0/0 0"
    one, two = (found.move for found in analyzed(parse_cgp(cgp), lexicon, compare=(better, worse)).compare)
    assert one is not None
    assert two is not None
    assert one.equity is not None
    assert two.equity is not None
    assert one.win_pct is not None
    assert two.win_pct is not None
    assert 0 < one.equity - two.equity < 5
    assert 0 <= one.win_pct - two.win_pct < 3


def test_a_game_that_is_over_has_estimates_only(lexicon: Lexicon, endgames: list[Position]) -> None:
    over = format_cgp(analyzed(endgames[0], lexicon).position).split(" 0 ")[0] + " 6"
    for move in analyzed(parse_cgp(over), lexicon).moves:
        assert range_of(move) == (move.win_pct, move.win_pct)


def test_the_win_range_of_bounds() -> None:
    for lower, upper, expected in (
        (1, 30, (100, 100)),
        (0, 0, (50, 50)),
        (-9, -1, (0, 0)),
        (0, 5, (50, 100)),
        (-5, 0, (0, 50)),
        (-1, 1, (0, 100)),
    ):
        found = Verdict.of_bounds(Bounds(lower, upper))
        assert found == Verdict.proven(*expected)
        assert found.win_pct == (found.low if found.low == found.high else None)
    assert Verdict.of_bounds(Bounds()) == UNPROVEN
    tied, behind = Verdict.of_bounds(Bounds(0, 0)), Verdict.of_bounds(Bounds(-5, 0))
    assert tied.key > UNPROVEN.key > behind.key
