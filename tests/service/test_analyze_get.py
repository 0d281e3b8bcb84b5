"""GET /analyze: the same answers as POST, with an ETag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.service.analyze_requests import CAB_CGP, post

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_it_gives_the_bytes_of_post(client: FlaskClient) -> None:
    options = {"top_n": 3, "include_exchanges": True, "compare": ["8G ...S", "-A"], "rack": "SAD"}
    got = client.get(
        "/analyze",
        query_string={
            "cgp": CAB_CGP,
            "top_n": "3",
            "include_exchanges": "true",
            "rack": "SAD",
            "compare": ["8G ...S", "-A"],
        },
    )
    assert got.status_code == 200, got.text
    assert got.data == post(client, cgp=CAB_CGP, **options).data


def test_a_known_answer_is_304_and_not_computed(client: FlaskClient) -> None:
    got = client.get("/analyze", query_string={"cgp": CAB_CGP})
    etag = got.headers["ETag"]
    assert etag.startswith('"')
    for tags in (etag, f'"x", {etag}', f"W/{etag}"):
        again = client.get("/analyze", query_string={"cgp": CAB_CGP}, headers={"If-None-Match": tags})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == etag
        assert "Server-Timing" not in again.headers


def test_other_requests_have_other_tags(client: FlaskClient) -> None:
    queries = [{"cgp": CAB_CGP}, {"cgp": CAB_CGP, "top_n": "9"}, {"cgp": CAB_CGP.replace("0/14", "0/15")}]
    tags = {client.get("/analyze", query_string=query).headers["ETag"] for query in queries}
    assert len(tags) == 3


def test_the_same_position_written_otherwise_has_the_same_tag(client: FlaskClient) -> None:
    queries = [
        {"cgp": CAB_CGP},
        {"cgp": CAB_CGP.replace("ADDEFS?", "?SFEDDA") + " lex SMALL;", "top_n": "10"},
    ]
    tags = {client.get("/analyze", query_string=query).headers["ETag"] for query in queries}
    assert len(tags) == 1


def test_a_star_in_if_none_match_is_ignored(client: FlaskClient) -> None:
    got = client.get("/analyze", query_string={"cgp": "15/15"}, headers={"If-None-Match": "*"})
    assert got.status_code == 422


def test_never_304_on_post(client: FlaskClient) -> None:
    etag = client.get("/analyze", query_string={"cgp": CAB_CGP}).headers["ETag"]
    assert client.post("/analyze", json={"cgp": CAB_CGP}, headers={"If-None-Match": etag}).status_code == 200


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 422, "missing_field"),
        ("cgp=x&cgp=y", 400, "duplicate_key"),
        ("cgp=x&rows=y", 422, "unknown_field"),
        ("cgp=15/15&top_n=010", 422, "wrong_type"),
        ("cgp=15/15&top_n=1_0", 422, "wrong_type"),
        ("cgp=15/15&top_n=10.0", 422, "wrong_type"),
        ("cgp=15/15&top_n=%D9%A3", 422, "wrong_type"),
        ("cgp=15/15&top_n=" + "9" * 30, 422, "wrong_type"),
        ("cgp=15/15&include_exchanges=2", 422, "wrong_type"),
        ("cgp=15/15&include_exchanges=TRUE", 422, "wrong_type"),
        ("cgp=%ff%fe", 422, "bad_cgp"),
        ("cgp=%00", 422, "invalid_text"),
    ],
)
def test_a_bad_query(client: FlaskClient, query: str, status: int, code: str) -> None:
    response = client.get("/analyze?" + query)
    assert (response.status_code, response.get_json()["code"]) == (status, code)
