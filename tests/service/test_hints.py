"""/hints: every level is about the same move and reveals more; the word itself only on request."""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from engine import (
    Budget,
    EndgameReport,
    EndgameSolver,
    GameSetup,
    hint,
)
from lab.selfplay.empty_bag import first_endgames
from service.app import create_app
from service.state import state
from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine import Catalogue
    from service.settings import Settings

CAB = ["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 7
FIELDS = ["region", "score_band", "tiles", "at", "direction"]
FROM_LEVEL = {"region": 2, "score_band": 3, "tiles": 4, "at": 5, "direction": 5}


def ask(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/hints", json=body)
    assert response.status_code == 200, response.text
    assert response.headers["Cache-Control"] == "no-store"
    answer: dict[str, Any] = response.get_json()
    return answer


def strings(value: Any) -> list[str]:
    """List every text of an answer, names of fields apart."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


def positions() -> list[dict[str, Any]]:
    rng = random.Random(5)
    racks = ["CABDEFE", "ABET", "E", "ABDE?", "ABALONE", "??ADEFG"]
    racks += ["".join(rng.sample("AABCDEEFGHIORSTUUVWY??", k=7)) for _ in range(3)]
    return [{"tiles": [], "rack": rack} for rack in racks] + [{"rows": CAB, "rack": rack} for rack in racks]


def test_all_levels_come_in_one_answer(client: FlaskClient) -> None:
    for position in positions()[::4]:
        answer = ask(client, **position, level=2, levels="all", reveal=True)
        assert [hint["level"] for hint in answer["levels"]] == [1, 2, 3, 4, 5]
        for one in answer["levels"]:
            alone = ask(client, **position, level=one["level"])
            assert one == {name: alone[name] for name in one}
            assert alone["levels"] is None
        assert answer["move"] == ask(client, **position, reveal=True)["move"]
    cgp = "/".join(["15"] * 15) + " CABDEFE/ 0/0 0"
    queries = [{"cgp": cgp, "levels": levels} for levels in ("one", "all")]
    tags = [client.get("/hints", query_string=query).headers["ETag"] for query in queries]
    assert len(set(tags)) == 2


@pytest.mark.parametrize("evaluator", ["auto", "greedy"])
@pytest.mark.long
def test_each_level_reveals_more_of_the_same_move(client: FlaskClient, evaluator: str) -> None:
    """The move is that of the search that suits the position; with greedy the play with the most points."""
    kinds = set()
    for position in positions():
        wanted = {**position, "evaluator": evaluator, "sort": "score", "top_n": 1}
        if evaluator == "auto":
            wanted |= {"sort": "equity", "phase": "auto", "include_exchanges": True}
        (best,) = client.post("/analyze", json=wanted).get_json()["moves"]
        for level in range(1, 6):
            answer = ask(client, **position, level=level, evaluator=evaluator)
            assert (answer["level"], answer["reveal"], answer["move"]) == (level, False, None)
            assert answer["position"]["cgp"] is None
            kinds.add(answer["kind"])
            if best["kind"] == "pass":
                assert answer["kind"] in ("none", "pass")
                assert [answer[name] for name in FIELDS] == [None] * 5
                continue
            if best["kind"] == "exchange":
                assert answer["kind"] == "exchange"
                tiles = Counter(best["move"][1:]) if level >= 4 else Counter()
                assert Counter(answer["tiles"] or []) == tiles
                assert [answer[name] for name in FIELDS if name != "tiles"] == [None] * 4
                continue
            assert [name for name in FIELDS if answer[name] is not None] == [
                name for name in FIELDS if FROM_LEVEL[name] <= level
            ]
            # Their words are always the same; the values in the sentences are those of the other fields.
            plain = {"kind", "region", "direction", "evaluator", "lexicon", "lang", "sentences"}
            texts = strings({name: answer[name] for name in answer if name not in plain})
            assert not [text for text in texts if best["word"] in text.upper() and len(text) < 64]
            revealed = ask(client, **position, level=level, reveal=True, evaluator=evaluator)
            assert revealed["move"] == best
            assert revealed["sentences"][: len(answer["sentences"])] == answer["sentences"]
            hidden = {"reveal": False, "move": None}
            hidden |= {name: answer[name] for name in ("position", "sentences")}
            assert {**revealed, **hidden} == answer
        if best["kind"] == "play":
            deepest = answer
            assert (deepest["kind"] == "bingo") == best["is_bingo"]
            assert deepest["score_band"]["low"] <= best["score"] <= deepest["score_band"]["high"]
            used = ["?" if tile["blank"] else tile["letter"] for tile in best["placed"]]
            assert sorted(deepest["tiles"]) == sorted(used)
            assert deepest["tiles"] == sorted(deepest["tiles"], key=lambda tile: (tile == "?", tile))
            assert (deepest["at"], deepest["direction"]) == (best["at"], best["direction"])
    assert kinds >= {"bingo", "play", "exchange" if evaluator == "auto" else "none"}


@pytest.mark.parametrize(
    ("at", "region"), [("8D", "middle left"), ("8H", "middle centre"), ("8K", "middle right")]
)
def test_the_region_is_where_most_of_the_tiles_lie(client: FlaskClient, at: str, region: str) -> None:
    """A board whose only start square is far to one side leaves no other place."""
    starts = {"8D": "8B", "8H": "8H", "8K": "8N"}[at]
    board = {"rows": ["." * 15] * 15, "starts": [starts]}
    assert ask(client, tiles=[], board=board, rack="AD", level=2)["region"] == region


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"tiles": [], "rack": "A", "level": 0}, [("/level", "out_of_range")]),
        ({"tiles": [], "rack": "A", "level": 6}, [("/level", "out_of_range")]),
        ({"tiles": []}, [("", "no_rack")]),
        ({"tiles": [], "rack": "A", "evaluator": "oracle"}, [("/evaluator", "unknown_choice")]),
        ({"tiles": [], "rack": "A", "top_n": 3}, [("/top_n", "unknown_field")]),
        ({"rack": "A"}, [("", "one_position_needed")]),
    ],
)
def test_what_gets_no_hint(
    client: FlaskClient, body: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    response = client.post("/hints", json=body)
    assert (response.status_code, codes(response)) == (422, expected)


@pytest.mark.long
def test_in_an_endgame_the_hint_is_the_proven_move(bundled: Catalogue) -> None:
    lexicon, proven = bundled.open("scowl80"), 0
    for position in first_endgames(GameSetup.of(lexicon), "static", 25):
        assert position is not None
        solved = EndgameSolver(lexicon).solve(position, Budget(nodes=30_000))
        if solved.certainty != "exact":
            continue
        found = hint(position, lexicon, 5, reveal=True)
        assert found.move is not None
        assert isinstance(found.move.found, EndgameReport)
        assert found.move.found.spread == solved.final_spread
        assert found.move.win_pct == 50 * (1 + (solved.final_spread > 0) - (solved.final_spread < 0))
        proven += 1
    assert proven >= 15


def test_a_hint_may_point_at_an_exchange(client: FlaskClient) -> None:
    body = {"rows": CAB, "rack": "UUVVWII", "evaluator": "auto"}
    for level in range(1, 6):
        answer = ask(client, **body, level=level)
        assert answer["kind"] == "exchange"
        assert (answer["tiles"] is not None) == (level >= 4)
        assert [answer[name] for name in FIELDS if name != "tiles"] == [None] * 4
    revealed = ask(client, **body, level=1, reveal=True)["move"]
    assert (revealed["kind"], revealed["move"][0]) == ("exchange", "-")


@pytest.mark.long
def test_the_hint_is_the_best_move_of_an_analysis_with_default_options(client: FlaskClient) -> None:
    """Also where that is an exchange, which an analysis lists only if it is best."""
    for rack in ("UUVVWII", "IIIUUVV", "CABDEFE"):
        body = {"rows": CAB, "rack": rack}
        best = client.post("/analyze", json={**body, "phase": "auto"}).get_json()["moves"][0]
        assert ask(client, **body, level=1, reveal=True)["move"] == best
        assert best["kind"] == ("play" if rack == "CABDEFE" else "exchange")


def test_all_levels_take_one_search(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"rows": CAB, "rack": "ABDEFIR"}
    first = ask(client, **body, level=1)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("searched again")

    monkeypatch.setattr(sys.modules["engine.analysis.analyze"], "search", fail)
    for level in range(1, 6):
        assert ask(client, **body, level=level, reveal=level == 3)["provenance"] == first["provenance"]
    assert first["provenance"]["spent"]["iterations"] > 0


def test_a_search_for_a_hint_needs_a_slot(settings: Settings) -> None:
    app = create_app(replace(settings, searches=1))
    with app.app_context(), state().searches.slot():
        refused = app.test_client().post("/hints", json={"rows": CAB, "rack": "ABDEFIS"})
        answered = app.test_client().post(
            "/hints", json={"rows": CAB, "rack": "ABDEFIS", "evaluator": "greedy"}
        )
    assert (refused.status_code, refused.get_json()["code"]) == (503, "busy")
    assert answered.status_code == 200


def test_three_players_get_a_hint_without_a_search(client: FlaskClient) -> None:
    players = [{"score": 0, "rack": "ABDEFIR"}, {"score": 0}, {"score": 0}]
    answer = ask(client, rows=CAB, players=players, level=2)
    assert answer["provenance"]["spent"] is None
    assert answer["region"]


def test_a_hint_that_the_deadline_cut_has_no_tag(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.operations.positions.HINT_MS", 5)
    query = {"cgp": "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/14 0"}
    response = client.get("/hints", query_string=query)
    assert response.get_json()["provenance"]["stopped_by"] == "deadline"
    assert "ETag" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"
