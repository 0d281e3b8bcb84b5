"""Endgames in an analysis: the order, the fields, the provenance, what is cached, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
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
    InvalidInput,
    Lexicon,
    Position,
    SimulationPlan,
    analyze,
    answer,
    format_cgp,
)  # fmt: skip
from lab.selfplay.empty_bag import first_endgames
from service.cache import MemoryCache
from service.documents import dump_analysis

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine.lexicon.catalogue import Catalogue

PLAN = EndgamePlan(nodes=300)


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


@pytest.fixture(scope="module")
def position(lexicon: Lexicon) -> Position:
    (found,) = first_endgames(GameSetup.of(lexicon), "greedy", 1)
    assert found is not None
    return found


def request(position: Position, **options: Any) -> AnalysisRequest:
    return AnalysisRequest(position, AnalysisOptions(**options))


def test_an_endgame_of_a_game_has_all_tiles(position: Position) -> None:
    assert position.bag_count() == 0
    position.check()
    held = sum(len(player.rack or ()) for player in position.players)
    assert held + position.board.tile_count == position.tile_set.total


def test_the_moves_are_those_of_the_solver(lexicon: Lexicon, position: Position) -> None:
    plan = replace(PLAN, nodes=60_000)  # with fewer a move that is proven to win may go before the solver's
    solved = EndgameSolver(lexicon).solve(position, Budget(nodes=60_000))
    found = analyze(request(position, endgame=plan, top_n=5), lexicon)
    best = found.moves[0]
    assert best.move == solved.best
    assert isinstance(best.found, EndgameReport)
    assert best.found.spread == solved.final_spread
    assert best.found.line == tuple(made.move for made in solved.line)
    assert (best.found.certainty == "exact") == (solved.certainty == "exact")
    assert [move.rank for move in found.moves] == [1, 2, 3, 4, 5]
    assert [move.found for move in found.moves[1:]] == [None] * 4
    assert found.provenance.spent is not None
    assert found.provenance.spent == solved.nodes
    compared = analyze(request(position, endgame=plan, top_n=1, compare=(found.moves[3].text,)), lexicon)
    assert compared.compare[0].move is not None
    assert compared.compare[0].move.rank == 4


def test_a_result_that_a_deadline_cut_is_not_cached(lexicon: Lexicon, position: Position) -> None:
    store = MemoryCache(2**20)
    wide = replace(position, rules=replace(position.rules, zero_turn_limit=6))
    plan = EndgamePlan(10**9)
    for wanted, stored in (
        (request(wide, endgame=plan, max_ms=1), False),
        (request(wide, endgame=PLAN), True),
    ):
        provenance = json.loads(answer(wanted, lexicon, store, dump_analysis).body)["provenance"]
        assert provenance["deterministic"] == stored
        assert (provenance["stopped_by"] == "deadline") != stored
        assert answer(wanted, lexicon, store, dump_analysis).stored == stored


def test_over_http(bundled_client: FlaskClient, position: Position) -> None:
    cgp = format_cgp(position)
    response = bundled_client.post("/analyze", json={"cgp": cgp, "endgame": {"nodes": 200}})
    assert response.status_code == 200, response.text
    body = response.get_json()
    assert body["moves"][0]["endgame"]["certainty"] in ("exact", "bound", "estimate")
    assert body["provenance"]["budget"]["nodes"] == 200
    for wrong, pointer in (
        ({"method": "exact"}, "/endgame/method"),
        ({"nodes": 0}, "/endgame/nodes"),
        ({"depth": 3}, "/endgame/depth"),
    ):
        response = bundled_client.post("/analyze", json={"cgp": cgp, "endgame": wrong})
        assert response.status_code == 422
        assert [error["pointer"] for error in response.get_json()["errors"]] == [pointer]
    early = bundled_client.post("/analyze", json={"cgp": "15/" * 14 + "15 CAT/ 0/0 0", "endgame": {}})
    assert early.status_code == 422
    assert early.get_json()["code"] == "bag_not_empty"


def test_one_search_at_a_time(lexicon: Lexicon, position: Position) -> None:
    both = request(position, endgame=PLAN, simulate=SimulationPlan.preset("monte_carlo"))
    with pytest.raises(InvalidInput, match="not for both"):
        analyze(both, lexicon)
