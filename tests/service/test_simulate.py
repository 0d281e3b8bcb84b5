"""Simulation in an analysis: the order, the fields, the provenance, what is cached, and what is refused."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    InvalidInput,
    Lexicon,
    Simulated,
    SimulationPlan,
    analyze,
    answer,
    parse_cgp,
)  # fmt: skip
from engine.search.deadline import Deadline
from engine.search.verdict import Verdict
from service.cache import MemoryCache
from service.documents import dump_analysis
from service.resources.examples import BY_ENDGAME, CGP
from service.schemas.answers import AnalysisSchema

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine.lexicon.catalogue import Catalogue

PLAN = SimulationPlan.preset("monte_carlo", candidates=6, iterations=600)


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def request(lexicon: Lexicon, cgp: str = CGP, **options: Any) -> AnalysisRequest:
    position = parse_cgp(cgp, lexicon="scowl80", tile_set=lexicon.tile_set)
    return AnalysisRequest(position, AnalysisOptions(**options))


def test_simulated_moves_come_before_the_others(lexicon: Lexicon) -> None:
    asked = request(lexicon, simulate=PLAN, top_n=400, compare=("-AEEE", "-"), seed=5)
    found = analyze(asked, lexicon)
    simulated = [move for move in found.moves if move.found is not None]
    assert len(simulated) == 6  # the two compared are simulated, but no plays and so not listed
    assert found.moves[:6] == tuple(simulated)
    ranks = [move.rank for move in found.moves] + [one.move.rank for one in found.compare if one.move]
    assert len(ranks) == len(set(ranks)) == found.play_count + 2
    every = [move.found for move in simulated] + [one.move.found for one in found.compare if one.move]
    sims = [sim for sim in every if isinstance(sim, Simulated)]
    wins = [(sim.win_pct or 0, sim.spread) for sim in sims[:6] if not sim.pruned]
    assert wins == sorted(wins, reverse=True)
    assert len(sims) == 8
    for move, sim in zip(simulated, sims, strict=False):  # no other figure stands beside the simulated one
        assert move.win == Verdict.sampled(sim.win_pct, sim.win_pct_error)
    static = analyze(request(lexicon, sort="equity", top_n=6), lexicon)
    assert {move.move for move in simulated} == {move.move for move in static.moves}
    provenance = found.provenance
    assert provenance.seed == 5
    assert provenance.budget
    assert provenance.budget.iterations == 600
    assert provenance.spent
    assert provenance.spent == sum(sim.iterations for sim in sims)
    assert provenance.stopped_by in ("complete", "budget")
    threaded = replace(asked, options=replace(asked.options, threads=4))
    assert AnalysisSchema().validate(json.loads(dump_analysis(found))) == {}
    assert dump_analysis(analyze(threaded, lexicon)) == dump_analysis(found)


def test_a_result_that_a_deadline_cut_is_not_cached(lexicon: Lexicon) -> None:
    store = MemoryCache(10_000_000)
    plan = SimulationPlan.preset("quackle", iterations=10_000_000)
    cut = request(lexicon, simulate=plan, max_ms=40)
    first = answer(cut, lexicon, store, dump_analysis)
    provenance = json.loads(first.body)["provenance"]
    assert provenance["stopped_by"] == "deadline"
    assert provenance["deterministic"] is False
    assert not answer(cut, lexicon, store, dump_analysis).stored
    complete = request(lexicon, simulate=PLAN, max_ms=60_000)
    assert not answer(complete, lexicon, store, dump_analysis).stored
    assert answer(complete, lexicon, store, dump_analysis).stored


@pytest.mark.parametrize("method", ["quackle", "heuri_samp", "heuri_sim"])
def test_presets(lexicon: Lexicon, method: str) -> None:
    preset = SimulationPlan.preset(method)
    assert preset.iterations == 300 * preset.candidates
    plan = SimulationPlan.preset(method, candidates=3, iterations=60)
    found = analyze(request(lexicon, simulate=plan, evaluator="heuri6", top_n=3), lexicon)
    sims = [move.found for move in found.moves if isinstance(move.found, Simulated)]
    assert [sim.iterations for sim in sims] == [20, 20, 20]
    assert found.provenance.stopped_by == "complete"
    for move, sim in zip(found.moves, sims, strict=True):
        ahead = sim.spread - (94 - 201 + move.score)  # of the example's position
        if method == "heuri_samp":  # v = j + e - d
            assert ahead == pytest.approx((move.leave_value or 0) - sim.opponent_score, abs=0.01)
        if method == "heuri_sim":  # v = j - d
            assert ahead == pytest.approx(sim.own_score - sim.opponent_score, abs=0.01)


@pytest.mark.parametrize("method", ["monte_carlo", "heuri_sim"])
def test_the_squares_of_the_replies_are_reported_on_request(lexicon: Lexicon, method: str) -> None:
    plan = SimulationPlan.preset(method, candidates=3, iterations=150, reply_squares=True)
    document = json.loads(dump_analysis(analyze(request(lexicon, simulate=plan, top_n=4), lexicon)))
    assert AnalysisSchema().validate(document) == {}
    *simulated, last = [move["sim"] for move in document["moves"]]
    assert last is None
    for sim in simulated:
        shares = [square["share"] for square in sim["reply_squares"]]
        assert shares == sorted(shares, reverse=True)
        assert 1 <= sum(shares) <= 7
        assert shares[-1] >= 0.01
    without = analyze(request(lexicon, simulate=replace(plan, reply_squares=False)), lexicon)
    assert json.loads(dump_analysis(without))["moves"][0]["sim"]["reply_squares"] is None


@pytest.mark.long
def test_the_simulations_of_heuri_value_leaves_by_heuri(
    lexicon: Lexicon, bundled_client: FlaskClient
) -> None:
    """The evaluator "auto" follows the search; the caller may name another one."""

    def evaluator(method: str, cgp: str = CGP, **options: Any) -> str:
        plan = SimulationPlan.preset(method, candidates=2, iterations=20)
        found = analyze(request(lexicon, cgp, simulate=plan, sort="equity", **options), lexicon)
        if found.phase == "simulate":
            for move in found.moves:
                assert move.equity == pytest.approx(move.score + (move.leave_value or 0))
        return found.evaluator

    assert (
        evaluator("heuri_samp") == evaluator("heuri_sim") == evaluator("heuri_samp", phase="auto") == "heuri6"
    )
    assert evaluator("quackle") == evaluator("heuri_samp", evaluator="static") == "static"
    assert evaluator("heuri_samp", evaluator="heuri3,pass=literal") == "heuri3,pass=literal"
    assert evaluator("heuri_samp", BY_ENDGAME["cgp"], phase="auto") == "static"
    body = {"cgp": CGP, "top_n": 2, "simulate": {"method": "heuri_samp", "candidates": 2, "iterations": 20}}
    for named, expected in (({}, "heuri6"), ({"evaluator": "static"}, "static")):
        assert bundled_client.post("/analyze", json={**body, **named}).get_json()["evaluator"] == expected


def test_over_http(bundled_client: FlaskClient) -> None:
    body = {"cgp": CGP, "top_n": 3, "simulate": {"candidates": 3, "iterations": 90}, "seed": 3}
    response = bundled_client.post("/analyze", json=body)
    assert response.status_code == 200, response.text
    assert [move["sim"]["iterations"] for move in response.get_json()["moves"]] == [30, 30, 30]
    for wrong, pointer in (
        ({"method": "guess"}, "/simulate/method"),
        ({"iterations": 0}, "/simulate/iterations"),
        ({"plies": 3, "method": "heuri_sim"}, "/simulate/plies"),
        ({"depth": 3}, "/simulate/depth"),
    ):
        response = bundled_client.post("/analyze", json={"cgp": CGP, "simulate": wrong})
        assert response.status_code == 422
        assert [error["pointer"] for error in response.get_json()["errors"]] == [pointer]


def test_two_players_are_needed(lexicon: Lexicon) -> None:
    position = parse_cgp(CGP, lexicon="scowl80", tile_set=lexicon.tile_set)
    three = AnalysisRequest(
        position.__class__(
            position.board, position.layout, position.tile_set, position.rules,
            players=(*position.players, position.players[1]),
        ),
        AnalysisOptions(simulate=PLAN),
    )  # fmt: skip
    with pytest.raises(InvalidInput, match="two players"):
        analyze(three, lexicon)


def test_an_answer_names_its_sort_order(lexicon: Lexicon) -> None:
    assert analyze(request(lexicon), lexicon).sort == "score"
    for options in ({"simulate": PLAN}, {"simulate": PLAN, "sort": "equity"}):
        assert analyze(request(lexicon, **options), lexicon).sort == "simulate"
    over = Deadline.after(-1)
    nothing = analyze(request(lexicon, simulate=PLAN, sort="equity"), lexicon, deadline=over)
    assert (nothing.sort, nothing.provenance.spent) == ("equity", 0)


def test_tables_that_are_being_built_are_a_503(
    bundled_client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["engine.analysis.request"], "bingo_tables_within", lambda *_, **__: False)
    body = {"cgp": CGP, "evaluator": "heuri6", "simulate": {"candidates": 2, "iterations": 20}, "max_ms": 50}
    response = bundled_client.post("/analyze", json=body)
    assert response.status_code == 503, response.text
    assert response.get_json()["code"] == "table_not_ready"
    assert response.headers["Retry-After"] == "5"


def test_a_game_that_is_over_is_refused_by_every_search(bundled_client: FlaskClient) -> None:
    for zeros in (6, 7):
        for how in ({"simulate": {"candidates": 2, "iterations": 20}}, {"phase": "auto"}):
            ended = f"{CGP.removesuffix(' 0')} {zeros}"
            response = bundled_client.post("/analyze", json={"cgp": ended, **how})
            assert response.status_code == 422, response.text
            assert [error["code"] for error in response.get_json()["errors"]] == ["game_over"]
