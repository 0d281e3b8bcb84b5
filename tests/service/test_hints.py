"""/hints: every level is about the same play and reveals more; the word itself only on request."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

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


@pytest.mark.parametrize("evaluator", ["auto", "greedy"])
def test_each_level_reveals_more_of_the_same_play(client: FlaskClient, evaluator: str) -> None:
    kinds = set()
    for position in positions():
        sort = "equity" if evaluator == "auto" else "score"
        wanted = {**position, "evaluator": evaluator, "sort": sort, "top_n": 1}
        (best,) = client.post("/analyze", json=wanted).get_json()["moves"]
        for level in range(1, 6):
            answer = ask(client, **position, level=level, evaluator=evaluator)
            assert (answer["level"], answer["reveal"], answer["move"]) == (level, False, None)
            assert answer["position"]["cgp"] is None
            kinds.add(answer["kind"])
            if best["kind"] == "pass":
                assert answer["kind"] == "none"
                assert [answer[name] for name in FIELDS] == [None] * 5
                continue
            assert [name for name in FIELDS if answer[name] is not None] == [
                name for name in FIELDS if FROM_LEVEL[name] <= level
            ]
            plain = {"kind", "region", "direction", "evaluator", "lexicon"}  # whose words are always the same
            texts = strings({name: answer[name] for name in answer if name not in plain})
            assert not [text for text in texts if best["word"] in text.upper() and len(text) < 64]
            revealed = ask(client, **position, level=level, reveal=True, evaluator=evaluator)
            assert revealed["move"] == best
            assert {**revealed, "reveal": False, "move": None, "position": answer["position"]} == answer
        if best["kind"] == "play":
            deepest = answer
            assert (deepest["kind"] == "bingo") == best["is_bingo"]
            assert deepest["score_band"]["low"] <= best["score"] <= deepest["score_band"]["high"]
            used = ["?" if tile["blank"] else tile["letter"] for tile in best["placed"]]
            assert sorted(deepest["tiles"]) == sorted(used)
            assert deepest["tiles"] == sorted(deepest["tiles"], key=lambda tile: (tile == "?", tile))
            assert (deepest["at"], deepest["direction"]) == (best["at"], best["direction"])
    assert kinds >= {"bingo", "play", "none"}


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
