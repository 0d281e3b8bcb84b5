"""/analyze: the fields of moves, their order, and the options that choose them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.service.analyze_requests import CAB_CGP, OPENING, answer, codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_fields_of_a_play(client: FlaskClient) -> None:
    result = answer(client, cgp=CAB_CGP, top_n=1)
    assert result["play_count"] > 100
    assert result["exchange_count"] == 95
    (move,) = result["moves"]
    assert move["rank"] == 1
    assert move["kind"] == "play"
    assert move["score"] == sum(word["score"] for word in move["words"]) + move["bonus"]
    assert move["word"] == move["words"][0]["word"]
    assert move["tiles_used"] == len(move["placed"]) == 7 - len(move["leave"])
    assert move["equity"] == pytest.approx(move["score"] + move["leave_value"], abs=0.002)
    assert 0 < move["win_pct"] < 100
    nulls = ("bingo_expectation", "is_fish", "sim", "endgame", "preendgame")
    assert [move[name] for name in nulls] == [None] * len(nulls)


def test_words_formed_with_their_scores(client: FlaskClient) -> None:
    result = answer(client, cgp=CAB_CGP, compare=["9G DEAF", "7F FAD"])
    first, second = (item["move"] for item in result["compare"])
    words = {(word["word"], word["at"]): word["score"] for word in first["words"]}
    # 9G is a double letter and so is 9I: D counts twice in both of its words.
    assert words[("DEAF", "9G")] == 2 * 2 + 1 + 2 * 1 + 4
    assert set(words) >= {("DEAF", "9G"), ("CD", "G8"), ("AE", "H8"), ("BA", "I8")}
    assert sum(words.values()) == first["score"]
    assert {word["word"] for word in second["words"]} == {"FAD", "AC", "DA"}


def test_a_bingo(client: FlaskClient) -> None:
    result = answer(client, tiles=[], rack="FADEDCB", compare=["8D FACaDED"], top_n=200)
    bingos = [move for move in result["moves"] if move["is_bingo"]]
    assert all(move["bonus"] == 50 and move["tiles_used"] == 7 for move in bingos)
    assert result["compare"][0]["fault"]["code"] == "tile_not_in_rack"


def test_moves_are_sorted_and_ranked(client: FlaskClient) -> None:
    moves = answer(client, cgp=CAB_CGP, top_n=200)["moves"]
    assert [move["rank"] for move in moves] == list(range(1, 201))
    scores = [move["score"] for move in moves]
    assert scores == sorted(scores, reverse=True)


def test_exchanges_and_the_pass_follow_the_plays(client: FlaskClient) -> None:
    result = answer(client, tiles=[], rack="AAB", include_exchanges=True, top_n=200)
    kinds = [move["kind"] for move in result["moves"]]
    assert kinds == sorted(kinds, key=["play", "exchange", "pass"].index)
    assert [move["move"] for move in result["moves"] if move["kind"] != "play"] == [
        "-A",
        "-B",
        "-AA",
        "-AB",
        "-AAB",
        "-",
    ]
    assert result["exchange_count"] == 5
    assert result["moves"][-1]["rank"] == result["play_count"] + 6
    assert result["moves"][-2]["leave"] == ""


def test_no_exchange_from_a_small_bag(client: FlaskClient) -> None:
    result = answer(client, tiles=[], rack="AAB", include_exchanges=True, rules={"exchange_limit": 100})
    assert result["exchange_count"] == 0
    assert result["moves"][-1]["kind"] == "pass"


def test_the_pass_is_listed_where_there_is_nothing_else(client: FlaskClient) -> None:
    result = answer(client, tiles=[], rack="V")
    assert result["play_count"] == 0
    assert [(move["rank"], move["move"]) for move in result["moves"]] == [(2, "-")]


def test_the_options_are_echoed_resolved(client: FlaskClient) -> None:
    result = answer(client, cgp=CAB_CGP)
    assert (result["sort"], result["evaluator"]) == ("score", "static")
    provenance = result["provenance"]
    assert provenance["lexicon"]["id"] == "small"
    assert (provenance["stopped_by"], provenance["deterministic"]) == ("complete", True)
    assert len(result["moves"]) == 10


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ({"sort": "equity", "evaluator": "greedy"}, ("/sort", "sort_unavailable")),
        ({"sort": "beauty"}, ("/sort", "unknown_choice")),
        ({"evaluator": "greedy", "expect_bingos": True}, ("/evaluator", "evaluator_unavailable")),
        ({"expect_bingos": 1}, ("/expect_bingos", "wrong_type")),
        ({"evaluator": "oracle"}, ("/evaluator", "unknown_choice")),
        ({"generator": "internal_words"}, ("/generator", "unknown_field")),
        ({"top_n": 0}, ("/top_n", "out_of_range")),
        ({"top_n": 201}, ("/top_n", "out_of_range")),
        ({"top_n": "10"}, ("/top_n", "wrong_type")),
        ({"top_n": 10.0}, ("/top_n", "wrong_type")),
        ({"top_n": True}, ("/top_n", "wrong_type")),
        ({"top_n": None}, ("/top_n", "wrong_type")),
        ({"include_exchanges": 1}, ("/include_exchanges", "wrong_type")),
        ({"compare": "8D X"}, ("/compare", "wrong_type")),
        ({"compare": [1]}, ("/compare/0", "wrong_type")),
        ({"compare": ["-"] * 51}, ("/compare", "out_of_range")),
        ({"simulate": 7}, ("/simulate", "wrong_type")),
        ({"zero_turns": 100}, ("/zero_turns", "out_of_range")),
        ({"players": [{}]}, ("/players", "out_of_range")),
        ({"players": [{"rack": "A"}, {}]}, ("/players/0/rack", "two_racks")),
        ({"players": [{}, {"name": "x"}]}, ("/players/1/name", "unknown_field")),
        ({"board": 7}, ("/board", "wrong_type")),
        ({"tile_set": {}}, ("/tile_set", "wrong_type")),
        ({"rules": {"bingo_bonus": "50"}}, ("/rules/bingo_bonus", "wrong_type")),
        ({"rack": "A\u0000"}, ("/rack", "invalid_text")),
    ],
)
def test_options_are_strict(client: FlaskClient, option: dict[str, Any], expected: tuple[str, str]) -> None:
    response = client.post("/analyze", json={**OPENING, **option})
    assert response.status_code == 422
    assert codes(response) == [expected]


@pytest.mark.parametrize("sort", ["score", "equity", "win_pct"])
@pytest.mark.parametrize("include_exchanges", [False, True])
@pytest.mark.long
def test_pages_together_are_the_whole_list(client: FlaskClient, sort: str, include_exchanges: bool) -> None:
    options = {"cgp": CAB_CGP, "sort": sort, "include_exchanges": include_exchanges}
    first = answer(client, **options, top_n=200)
    others = first["exchange_count"] + 1 if include_exchanges else 0
    count = first["play_count"] + others
    pages = [answer(client, **options, top_n=70, offset=at)["moves"] for at in range(0, count + 70, 70)]
    every = [move for page in pages for move in page]
    assert every[:200] == first["moves"]
    assert len({move["move"] for move in every}) == len(every) == count
    if include_exchanges:
        assert [move["rank"] for move in every] == list(range(1, count + 1))
    assert pages[-1] == []


@pytest.mark.parametrize("beside", [{"explain": True}, {"simulate": {"iterations": 100}}])
def test_an_offset_pages_a_plain_analysis_only(client: FlaskClient, beside: dict[str, Any]) -> None:
    refused = client.post("/analyze", json={"cgp": CAB_CGP, "offset": 10, **beside})
    assert refused.status_code == 422
    assert codes(refused) == [("/offset", "offset_with_search")]
