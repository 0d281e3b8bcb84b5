"""Pre-endgames in an analysis, and the search that fits the number of tiles in the bag."""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Timer
from typing import TYPE_CHECKING, Any

import pytest

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    Budget,
    Deadline,
    EndgamePlan,
    InvalidInput,
    Lexicon,
    PreendgameOptions,
    PreendgamePlan,
    PreendgameSolver,
    SimulationPlan,
    analyze,
    answer,
    answer_key,
    parse_cgp,
)  # fmt: skip
from service.cache import MemoryCache
from service.documents import dump_analysis
from service.resources.examples import BY_ENDGAME, BY_PREENDGAME, CGP
from service.schemas.answers import AnalysisSchema

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine import Analysis
    from engine.lexicon.catalogue import Catalogue

EARLY, LATE, LAST = CGP, BY_PREENDGAME["cgp"], BY_ENDGAME["cgp"]
BEFORE = PreendgamePlan(opponent="pessimistic", candidates=4, nodes=2_000, table_mb=1)
SIMULATION = SimulationPlan.preset("monte_carlo", candidates=3, iterations=90)
ENDGAME = EndgamePlan(nodes=300, table_mb=1)
ENDLESS = 10**8


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def request(lexicon: Lexicon, cgp: str, **options: Any) -> AnalysisRequest:
    position = parse_cgp(cgp, lexicon="scowl80", tile_set=lexicon.tile_set)
    return AnalysisRequest(position, AnalysisOptions(**options))


def documents(found: Analysis) -> list[dict[str, Any]]:
    """Return the moves of an analysis as an answer shows them."""
    moves: list[dict[str, Any]] = json.loads(dump_analysis(found))["moves"]
    return moves


def test_moves_are_ranked_by_what_wins_most_often(lexicon: Lexicon) -> None:
    asked = request(lexicon, LATE, preendgame=BEFORE, sort="equity", top_n=400, include_exchanges=True)
    solved = PreendgameSolver(lexicon, table_mb=1).solve(
        asked.position,
        Budget(nodes=2_000),
        PreendgameOptions("pessimistic", candidates=4),
    )
    found = analyze(asked, lexicon)
    assert found.phase == "preendgame"
    searched = [move for move in found.moves if move.found is not None]
    assert tuple(searched) == found.moves[:4]
    assert [move.move for move in searched] == [one.move for one in solved.moves]
    ranks = [move.rank for move in found.moves]
    assert ranks == list(range(1, found.play_count + found.exchange_count + 2))
    for move, one in zip(documents(found)[:4], solved.moves, strict=True):
        what = move["preendgame"]
        assert (
            what["win_pct"] == move["win_pct"] == (what["lower"] if what["lower"] == what["upper"] else None)
        )
        assert what["lower"] <= round(one.win_pct, 3) <= what["upper"]
        assert (
            (what["certainty"] == "exact")
            == (what["settled"] == what["draws"])
            == (what["lower"] == what["upper"])
        )
        assert sum(draw["weight"] for draw in what["by_bag"]) == what["draws"] == 8
        assert what["lower"] == pytest.approx(
            sum(12.5 * draw["weight"] * draw["lower"] for draw in what["by_bag"])
        )
        assert [draw["bag"] for draw in what["by_bag"]] == ["?", "E", "G", "N", "P"]
    assert found.provenance.spent
    assert found.provenance.spent == solved.nodes
    assert found.provenance.stopped_by == solved.stopped_by == "budget"
    assert found.provenance.deterministic
    assert AnalysisSchema().validate(json.loads(dump_analysis(found))) == {}


@pytest.mark.long
def test_the_answer_names_the_model_and_the_number_of_moves(lexicon: Lexicon) -> None:
    asked = request(lexicon, LATE, preendgame=BEFORE, top_n=400, include_exchanges=True)
    found = analyze(asked, lexicon)
    searched = [what for move in documents(found) if (what := move["preendgame"])]
    assert {(one["opponent"], one["exchanges_left_out"]) for one in searched} == {("pessimistic", False)}
    assert {one["plays_left_out"] for one in searched} == {found.play_count + 1 - len(searched)}
    assert [one["best_proven"] for one in searched[1:]] == [False] * 3
    beaten = all(one["upper"] <= searched[0]["lower"] for one in searched[1:])
    assert searched[0]["plays_left_out"]  # one of which may win as often, unless the first always wins
    assert searched[0]["best_proven"] == (beaten and searched[0]["lower"] == 100)
    every = replace(asked.options, preendgame=replace(BEFORE, candidates=1_000, nodes=200_000))
    whole = documents(analyze(replace(asked, options=every), lexicon))
    first, *others = [what for move in whole if (what := move["preendgame"])]
    assert not first["plays_left_out"]
    assert first["best_proven"] == all(one["upper"] <= first["lower"] for one in others)


@pytest.mark.parametrize("in_bag", [2, 3])
def test_a_sample_is_static_whatever_was_asked_for(lexicon: Lexicon, in_bag: int) -> None:
    cgp = LATE.replace("HIILSTT/", "HIILSTT"[: 8 - in_bag] + "/")  # tiles that are not held are unseen
    plan = replace(BEFORE, opponent="guaranteed", draws=2, nodes=1_000)
    found = analyze(request(lexicon, cgp, preendgame=plan, top_n=1), lexicon)
    assert found.position.bag_count() == in_bag
    what = documents(found)[0]["preendgame"]
    assert what["opponent"] == ("guaranteed" if in_bag == 2 else "static")
    assert (what["certainty"] == "estimate") == (in_bag == 3)


@pytest.mark.parametrize("limit", [1, 2])
def test_no_more_is_claimed_than_is_known_where_there_may_be_exchanges(lexicon: Lexicon, limit: int) -> None:
    """With one tile in the bag and exchanges of one, the other side may exchange after the pass."""
    asked = request(
        lexicon, LATE, preendgame=replace(BEFORE, nodes=20_000), top_n=400, include_exchanges=True
    )
    rules = replace(asked.position.rules, id="custom", exchange_limit=limit)
    found = analyze(replace(asked, position=replace(asked.position, rules=rules)), lexicon)
    plain = analyze(asked, lexicon)
    assert (found.exchange_count > 0) == (limit == 1)
    searched = {move["move"]: what for move in documents(found) if (what := move["preendgame"])}
    assert {what["exchanges_left_out"] for what in searched.values()} == {limit == 1}
    for move in documents(plain):
        what, before = searched.get(move["move"]), move["preendgame"]
        assert (what is None) == (before is None)
        if what is None or before is None:
            continue
        if move["kind"] == "pass" and limit == 1:
            assert (what["certainty"], what["lower"], what["upper"]) == ("estimate", 0, 100)
            assert (what["settled"], what["by_bag"], what["pruned"]) == (0, [], False)
        else:
            assert (what["certainty"], what["lower"], what["upper"]) == (
                before["certainty"],
                before["lower"],
                before["upper"],
            )
        best = max(one["lower"] for one in searched.values())
        assert what["pruned"] == (what["upper"] < best)
    proven = [what["lower"] for what in searched.values() if what["best_proven"]]
    assert proven == ([100] if best == 100 else [] if limit == 1 else proven)
    assert AnalysisSchema().validate(json.loads(dump_analysis(found))) == {}


def test_work_of_a_second_where_none_is_named(lexicon: Lexicon) -> None:
    """With two tiles or more in the bag half as much for each blank that is not on the board, here one."""
    plan = PreendgamePlan()
    late = request(lexicon, LATE).position
    assert plan.nodes_for(late) == 120_000
    assert replace(plan, nodes=7).nodes_for(late) == 7
    early = request(lexicon, EARLY).position
    assert plan.nodes_for(early) == 90_000
    asked = request(lexicon, LATE, preendgame=replace(plan, candidates=4))
    store = MemoryCache(2**20)
    first, again = (answer(asked, lexicon, store, dump_analysis) for _ in range(2))
    provenance = json.loads(first.body)["provenance"]
    assert provenance["budget"]["nodes"] == 120_000
    assert provenance["stopped_by"] in ("budget", "complete")
    assert (first.stored, again.stored, again.body) == (False, True, first.body)


def test_a_move_that_is_compared_is_searched_too(lexicon: Lexicon) -> None:
    all_moves = analyze(request(lexicon, LATE, sort="equity", top_n=60), lexicon).moves
    named = all_moves[50].text
    plan = replace(BEFORE, candidates=2, nodes=300)
    found = analyze(
        request(lexicon, LATE, preendgame=plan, sort="equity", compare=(named,), top_n=2), lexicon
    )
    compared = found.compare[0].move
    assert compared is not None
    assert compared.found is not None
    assert compared.rank is not None
    assert compared.rank <= 3


@pytest.mark.parametrize(
    ("cgp", "phase"), [(EARLY, "simulate"), (LATE, "preendgame"), (LAST, "endgame")], ids=lambda one: one[:9]
)
def test_the_bag_chooses_the_search(lexicon: Lexicon, cgp: str, phase: str) -> None:
    plans = {"simulate": SIMULATION, "preendgame": BEFORE, "endgame": ENDGAME}
    found = analyze(request(lexicon, cgp, phase="auto", top_n=3, **plans), lexicon)
    alone = analyze(request(lexicon, cgp, top_n=3, **{phase: plans[phase]}), lexicon)
    assert found.phase == alone.phase == phase
    assert dump_analysis(found) == dump_analysis(alone)
    best = documents(found)[0]
    parts = {"simulate": "sim"}
    searched = [name for name in ("sim", "preendgame", "endgame") if best[name] is not None]
    assert searched == [parts.get(phase, phase)]
    named = analyze(request(lexicon, cgp, phase=phase, top_n=3, **{phase: plans[phase]}), lexicon)
    assert dump_analysis(named) == dump_analysis(found)


def test_the_bag_of_a_preendgame_can_be_given(lexicon: Lexicon) -> None:
    plans = {"simulate": SIMULATION, "preendgame": replace(BEFORE, bag=1, nodes=100)}
    assert analyze(request(lexicon, LATE, phase="auto", **plans), lexicon).phase == "preendgame"
    two = LATE.replace("HIILSTT/", "HIILST/")  # a tile less in the rack, so one more unseen
    assert analyze(request(lexicon, two, phase="auto", **plans), lexicon).phase == "simulate"
    plans["preendgame"] = replace(BEFORE, bag=2, nodes=100)
    assert analyze(request(lexicon, two, phase="auto", **plans), lexicon).phase == "preendgame"
    with pytest.raises(InvalidInput, match=r"the bag holds 2 tiles; preendgame\.bag allows 1"):
        analyze(request(lexicon, two, preendgame=replace(BEFORE, bag=1)), lexicon)
    assert analyze(request(lexicon, LATE), lexicon).phase is None


def test_what_contradicts_itself_is_refused(lexicon: Lexicon) -> None:
    for options, match in (
        ({"simulate": SIMULATION, "preendgame": BEFORE}, "not for both"),
        ({"phase": "simulate", "endgame": ENDGAME}, "there can be no endgame beside it"),
        ({"phase": "late"}, "there is no phase 'late'"),
        ({"phase": "auto", "preendgame": replace(BEFORE, opponent="kind")}, "there is no model 'kind'"),
        ({"preendgame": replace(BEFORE, bag=7)}, "bag must be from 1 to 6"),
        ({"preendgame": replace(BEFORE, nodes=0)}, "nodes must be at least 1"),
        ({"endgame": replace(ENDGAME, table_mb=0)}, "table_mb must be from 1"),
        ({"threads": 0}, "threads must be from 1"),
        ({"preendgame": BEFORE}, "a pre-endgame has 1 to 6"),
        ({"phase": "endgame"}, "an endgame begins when it is empty"),
    ):
        with pytest.raises(InvalidInput, match=match):
            analyze(request(lexicon, EARLY, **options), lexicon)


def test_only_what_may_change_an_answer_is_in_its_name(lexicon: Lexicon) -> None:
    base = request(lexicon, LAST, phase="auto")

    def key(**changes: Any) -> str:
        return answer_key(replace(base, options=replace(base.options, **changes)), lexicon)

    assert key(threads=4) == key()
    assert key(endgame=EndgamePlan(table_mb=8)) != key(endgame=EndgamePlan(table_mb=64))
    assert key(preendgame=PreendgamePlan(table_mb=8)) != key(preendgame=PreendgamePlan())
    assert key(phase="endgame") != key()
    assert base.options.is_search
    assert not AnalysisOptions().is_search


def test_the_same_bytes_with_one_thread_and_with_four(lexicon: Lexicon) -> None:
    plan = SimulationPlan.preset("quackle", candidates=5, iterations=1_000)
    bodies = {
        dump_analysis(analyze(request(lexicon, EARLY, simulate=plan, threads=threads), lexicon))
        for threads in (1, 4)
    }
    assert len(bodies) == 1


ENDLESS_PLANS: dict[str, Any] = {
    "simulate": SimulationPlan.preset("quackle", iterations=ENDLESS),
    "preendgame": PreendgamePlan(nodes=ENDLESS),
    "endgame": EndgamePlan(ENDLESS, table_mb=1),
}
HARD_ENDGAME = (
    "15/15/15/15/7INTRUDES/ATAP6E4/D1BOURN3A4/E1AXSEED2G1OAF/N5FOOTIER1A/O9N3T/I1BEIN1A1QI3H/DOOL3JUICY2E/"
    "s1HALERU4R1r/7G1MICELL/3PONTAGES1Z1Y EIMRSTV/IKVWW 456/391 0"
)


@pytest.mark.parametrize("cgp", [EARLY, LATE, HARD_ENDGAME], ids=["simulate", "preendgame", "endgame"])
def test_a_deadline_cuts_every_phase_and_the_result_is_not_cached(lexicon: Lexicon, cgp: str) -> None:
    store = MemoryCache(2**20)
    for max_ms in (1, 30):  # before the search has begun, and in its midst
        wanted = request(lexicon, cgp, phase="auto", max_ms=max_ms, top_n=3, **ENDLESS_PLANS)
        body = json.loads(answer(wanted, lexicon, store, dump_analysis).body)
        assert body["provenance"]["stopped_by"] == "deadline"
        assert body["provenance"]["deterministic"] is False
        assert [move["rank"] for move in body["moves"]] == [1, 2, 3]
        assert not answer(wanted, lexicon, store, dump_analysis).stored


@pytest.mark.parametrize("cgp", [EARLY, LATE, HARD_ENDGAME], ids=["simulate", "preendgame", "endgame"])
def test_another_thread_cuts_every_phase(lexicon: Lexicon, cgp: str) -> None:
    deadline = Deadline()
    timer = Timer(0.15, deadline.cut)
    timer.start()
    found = analyze(request(lexicon, cgp, phase="auto", **ENDLESS_PLANS), lexicon, deadline=deadline)
    assert found.provenance.stopped_by == "deadline"


def test_over_http(bundled_client: FlaskClient) -> None:
    body = {"cgp": LATE, "phase": "auto", "top_n": 1, "preendgame": {"nodes": 200, "candidates": 2}}
    response = bundled_client.post("/analyze", json=body)
    assert response.status_code == 200, response.text
    answered = response.get_json()
    assert answered["phase"] == "preendgame"
    assert answered["moves"][0]["preendgame"]["by_bag"][0]["bag"] == "?"
    for wrong, pointer, code in (
        ({"phase": "late"}, "/phase", "unknown_choice"),
        ({"phase": "endgame", "simulate": {}}, "/simulate", "exclusive"),
        ({"simulate": {}, "preendgame": {}}, "/preendgame", "exclusive"),
        ({"preendgame": {"opponent": "kind"}}, "/preendgame/opponent", "unknown_choice"),
        ({"preendgame": {"bag": 1}}, "/preendgame/bag", "bag_size"),
        ({"preendgame": {"table_mb": 65_536}}, "/preendgame/table_mb", "out_of_range"),
        ({"simulate": {}, "threads": 200}, "/threads", "out_of_range"),
    ):
        response = bundled_client.post("/analyze", json={"cgp": EARLY, **wrong})
        assert response.status_code == 422, wrong
        assert [(one["pointer"], one["code"]) for one in response.get_json()["errors"]] == [(pointer, code)]
