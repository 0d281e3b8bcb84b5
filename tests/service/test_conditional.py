"""GET with ETags, plain and compressed; and judgements, which are neither stored nor compressed."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import pytest

from engine import Lexicon, __version__

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

CGP = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/14 0"
LONG = [
    ("/analyze", {"cgp": CGP}),
    ("/hints", {"cgp": CGP, "level": 5, "reveal": "true"}),
    ("/board.svg", {"cgp": CGP}),
    ("/boards", {}),
    ("/docs", {}),
    ("/openapi.json", {}),
]
ENCODINGS = {"identity": "", "gzip": ":gzip", "br": ":br"}


def get(client: FlaskClient, path: str, query: dict[str, Any], **headers: str) -> TestResponse:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.get(path, query_string=query, headers=sent)


@pytest.mark.parametrize(("path", "query"), LONG)
@pytest.mark.long
def test_every_encoding_has_its_tag(client: FlaskClient, path: str, query: dict[str, Any]) -> None:
    plain = get(client, path, query)
    tag = plain.headers["ETag"].strip('"')
    assert len(plain.data) > 1024
    for encoding, suffix in ENCODINGS.items():
        answer = get(client, path, query, Accept_Encoding=encoding)
        assert answer.headers["ETag"] == f'"{tag}{suffix}"'
        assert answer.headers.get("Content-Encoding", "identity") == encoding
        assert "Accept-Encoding" in answer.headers["Vary"]
        again = get(client, path, query, Accept_Encoding=encoding, If_None_Match=answer.headers["ETag"])
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == answer.headers["ETag"]
    assert gzip.decompress(get(client, path, query, Accept_Encoding="gzip").data) == plain.data


@pytest.mark.parametrize("sent", ['"other"', '"other:gzip"', "*", '"{tag}:deflate"', '"{tag}:"'])
def test_another_tag_is_answered(client: FlaskClient, sent: str) -> None:
    tag = get(client, "/boards", {}).headers["ETag"].strip('"')
    assert get(client, "/boards", {}, If_None_Match=sent.format(tag=tag)).status_code == 200


@pytest.mark.parametrize("refusal", ["gzip;q=0", "gzip; q=0.0, br;q=0", "gzip;q=0, *", "identity, br;q=0"])
def test_a_refused_encoding_is_not_used(client: FlaskClient, refusal: str) -> None:
    answer = get(client, "/boards", {}, Accept_Encoding=refusal)
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Vary"] == "Accept-Encoding"
    one_left = get(client, "/boards", {}, Accept_Encoding="br;q=0, gzip;q=0.1")
    assert one_left.headers["Content-Encoding"] == "gzip"


def test_short_answers_are_not_compressed(client: FlaskClient) -> None:
    assert "Content-Encoding" not in get(client, "/version", {}, Accept_Encoding="gzip").headers


def test_a_hint_is_the_same_by_get_and_by_post(client: FlaskClient) -> None:
    tags = set()
    for level in range(1, 6):
        for reveal in (False, True):
            body = {"cgp": CGP, "level": level, "reveal": reveal}
            posted = client.post("/hints", json=body)
            fetched = get(client, "/hints", body | {"reveal": str(reveal).lower()})
            assert fetched.data == posted.data
            assert posted.headers["Cache-Control"] == "no-store"
            assert fetched.headers["Cache-Control"] == "no-cache"
            tags.add(fetched.headers["ETag"])
    assert len(tags) == 10


def test_a_known_hint_is_not_computed(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = get(client, "/hints", {"cgp": CGP}).headers["ETag"]

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("computed")

    monkeypatch.setattr("service.analyst.answer", fail)
    assert get(client, "/hints", {"cgp": CGP}, If_None_Match=tag).status_code == 304


def test_a_hint_takes_the_fields_of_a_query_for_moves(client: FlaskClient) -> None:
    query = {"cgp": CGP, "rack": "CABDEFE", "zero_turns": "1", "lexicon": "small", "board": "standard15"}
    query |= {"tile_set": "english", "rules": "english"}
    position = get(client, "/analyze", query).get_json()["position"]
    assert get(client, "/hints", query).get_json()["position"]["id"] == position["id"]


def test_a_judgement_is_neither_stored_nor_compressed(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compressed, the two verdicts would have two lengths."""
    body = {"words": ["cab"] * 20, "challenge_rule": "5pt"}
    monkeypatch.setitem(client.application.config, "COMPRESS_MIN_SIZE", 1)
    lengths = set()
    for verdict in (True, False):
        monkeypatch.setattr(Lexicon, "contains", lambda self, word, verdict=verdict: verdict)
        answer = client.post("/words/judge", json=body, headers={"Accept-Encoding": "gzip, br"})
        assert answer.get_json()["acceptable"] is verdict
        assert "Content-Encoding" not in answer.headers
        assert "ETag" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store, no-transform"
        lengths.add((len(answer.data), answer.headers["Content-Length"]))
    assert len(lengths) == 1
    hint = client.post("/hints", json={"cgp": CGP}, headers={"Accept-Encoding": "gzip"})
    assert hint.headers["Content-Encoding"] == "gzip", "others are"


def test_a_static_file_is_compressed_once_and_its_ranges_are_not(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/static/{__version__}/kibitz-board.js"
    plain = client.get(path, buffered=True)
    part = client.get(path, headers={"Accept-Encoding": "br", "Range": "bytes=0-4999"}, buffered=True)
    assert (part.status_code, part.data) == (206, plain.data[:5000])
    first = client.get(path, headers={"Accept-Encoding": "br"}, buffered=True)
    assert first.headers["Content-Encoding"] == "br"
    assert len(first.data) < len(plain.data) / 3
    monkeypatch.setattr("flask_compress.flask_compress.brotli.compress", None)
    assert client.get(path, headers={"Accept-Encoding": "br"}, buffered=True).data == first.data
