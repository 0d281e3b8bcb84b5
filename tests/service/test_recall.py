"""The same request twice: the second answer is found without reading it again, and nobody can tell."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import marshmallow as ma
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from service import parsing
from service.app import create_app
from service.cache import Known, KnownRequests, MemoryStore, name_of_document
from service.parsing import read_json
from service.problems import Problem
from service.resources import analyze
from service.schemas.analyze import AnalyzeBody
from service.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from engine import Lexicon

BODY = json.dumps({"rows": ["." * 15] * 15, "rack": "ADDEFS?", "top_n": 3}).encode()
JSON = "application/json"


@pytest.fixture
def own(data: Path) -> Flask:
    return create_app(Settings(data=data, lexicon="small", log_level="error"))


def test_bytes_and_headers_are_the_same(own: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)

    def refuse(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(analyze, "_read", refuse)
    again = client.post("/analyze", data=BODY, content_type=JSON, headers={"X-Request-ID": "mine"})
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["X-Request-ID"] == "mine"
    own_headers = {"X-Request-ID", "Server-Timing"}
    kept = [[pair for pair in one.headers if pair[0] not in own_headers] for one in (first, again)]
    assert kept[0] == kept[1]
    timing = dict(re.findall(r"(\w+);dur=([0-9.]+)", again.headers["Server-Timing"]))
    assert 'cache;desc="hit"' in again.headers["Server-Timing"]
    assert float(timing["board"]) == float(timing["gen"]) == float(timing["eval"]) == 0
    assert 0 < float(timing["total"]) < 1000


@pytest.mark.parametrize(
    "other",
    [
        BODY + b" ",
        b"\r\n\t" + BODY.replace(b", ", b" ,\n"),
        json.dumps(dict(reversed(json.loads(BODY).items()))).encode(),
        BODY.replace(b"rack", b"\\u0072ack").replace(b"ADDEFS?", b"A\\u0044DEFS\\u003F"),
    ],
)
def test_other_bytes_of_the_same_json_are_read_no_further(
    own: Flask, monkeypatch: pytest.MonkeyPatch, other: bytes
) -> None:
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)

    def refuse(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(analyze, "_read", refuse)
    again = client.post("/analyze", data=other, content_type=JSON)
    assert (again.status_code, again.data) == (200, first.data)
    assert 'cache;desc="hit"' in again.headers["Server-Timing"]
    monkeypatch.setattr(analyze, "read_object", refuse)  # by now the bytes are known themselves
    assert client.post("/analyze", data=other, content_type=JSON).data == first.data


def test_other_json_of_the_same_position_shares_the_answer(own: Flask) -> None:
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)
    tiles = json.dumps({"tiles": [], "rack": "?SFEDDA", "top_n": 3}).encode()
    other = client.post("/analyze", data=tiles, content_type=JSON)
    assert other.data == first.data
    assert 'cache;desc="hit"' in other.headers["Server-Timing"]


@pytest.mark.parametrize(
    ("like", "status", "code"),
    [
        (b'"top_n": 3, "top_n": 3', 400, "duplicate_key"),
        (b'"top_n": 3.0', 422, "wrong_type"),
        (b'"top_n": 3e0', 422, "wrong_type"),
        (b'"top_n": true', 422, "wrong_type"),
        (b'"top_n": "3"', 422, "wrong_type"),
        (b'"top_n": null', 422, "wrong_type"),
        (b'"top_n": 18446744073709551619', 422, "wrong_type"),
        (b'"top_n": NaN', 400, "malformed_json"),
        (b'"top_n": 1e400', 400, "malformed_json"),
        (b'"top_n": 3, "\\ud800": 1', 400, "malformed_json"),
        (b'"top_n": 3, "x": ' + b"[" * 40 + b"]" * 40, 400, "too_deep"),
        (b'"top_n": 3}', 400, "malformed_json"),
        (b'"top_n": -0', 422, "out_of_range"),
    ],
)
def test_what_only_looks_like_a_known_request_is_refused(
    own: Flask, like: bytes, status: int, code: str
) -> None:
    client = own.test_client()
    assert client.post("/analyze", data=BODY, content_type=JSON).status_code == 200
    for _ in range(2):
        refused = client.post("/analyze", data=BODY.replace(b'"top_n": 3', like), content_type=JSON)
        assert (refused.status_code, refused.get_json()["code"]) == (status, code)


def test_true_and_one_are_told_apart(own: Flask) -> None:
    client = own.test_client()
    flagged = BODY.replace(b'"top_n"', b'"include_exchanges": true, "top_n"')
    assert client.post("/analyze", data=flagged, content_type=JSON).status_code == 200
    refused = client.post("/analyze", data=flagged.replace(b"true", b"1"), content_type=JSON)
    assert refused.get_json()["code"] == "wrong_type"


def test_another_lexicon_of_the_same_name_is_asked_anew(own: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)
    catalogue = own.config["ANALYST"].catalogue
    catalogue._open.clear()  # as when its table has been built anew
    reads = []
    read = analyze._read
    monkeypatch.setattr(analyze, "_read", lambda *given: reads.append(1) or read(*given))  # type: ignore[func-returns-value]
    for body in (BODY, BODY + b" "):
        assert client.post("/analyze", data=body, content_type=JSON).data == first.data
    assert len(reads) == 1, "once, and then it is known of the new one"


def test_what_the_sender_prefers_does_not_matter_to_what_is_kept(own: Flask) -> None:
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)
    for body in (BODY, BODY + b" "):
        again = client.post("/analyze", data=body, content_type=JSON, headers={"Prefer": "respond-async"})
        assert (again.status_code, again.data) == (200, first.data)


def test_a_body_is_parsed_once(own: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    loads = parsing.orjson.loads
    monkeypatch.setattr(parsing.orjson, "loads", lambda body: parsed.append(body) or loads(body))  # type: ignore[func-returns-value]
    client = own.test_client()
    for body in (BODY, BODY + b" ", BODY):
        client.post("/analyze", data=body, content_type=JSON)
    assert parsed == [BODY, BODY + b" "]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(one=_JSON, other=_JSON, blanks=st.sampled_from([None, 0, 3]), escaped=st.booleans())
def test_two_documents_share_a_name_if_they_are_the_same(
    one: Any, other: Any, blanks: int | None, escaped: bool
) -> None:
    def read(value: Any, **options: Any) -> Any:
        try:
            return read_json(json.dumps(value, **options).encode("utf-8", "surrogatepass"), 64)
        except Problem:
            return reject()

    def typed(value: Any) -> Any:  # equal only if all types are: 1 is 1.0 and True to Python
        if isinstance(value, dict):
            return {key: typed(inner) for key, inner in value.items()}
        return [typed(inner) for inner in value] if isinstance(value, list) else (type(value), repr(value))

    first = read(one)
    again = read(one, indent=blanks, ensure_ascii=escaped, sort_keys=True)
    assert name_of_document(first) == name_of_document(again)
    second = read(other)
    assert (name_of_document(first) == name_of_document(second)) == (typed(first) == typed(second))


def test_the_guards_still_stand_before_it(data: Path) -> None:
    own = create_app(
        Settings(data=data, lexicon="small", log_level="error", host="0.0.0.0", rate_per_minute=2)
    )
    client = own.test_client()
    assert client.post("/analyze", data=BODY, content_type=JSON).status_code == 200
    assert client.post("/analyze", data=BODY, content_type="text/plain").status_code == 415
    assert client.post("/analyze", data=BODY, content_type=JSON).status_code == 429


def test_a_lost_answer_is_computed_again(data: Path) -> None:
    store = MemoryStore(1 << 20)
    own = create_app(Settings(data=data, lexicon="small", log_level="error"), store=store)
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)
    for key in list(store._entries):
        store._drop(key)
    again = client.post("/analyze", data=BODY, content_type=JSON)
    assert again.data == first.data
    assert 'cache;desc="miss"' in again.headers["Server-Timing"]


def test_faulty_bodies_are_never_remembered(own: Flask) -> None:
    client = own.test_client()
    for body in (b"{", b"[]", b'{"rack": "A"}', BODY.replace(b"ADDEFS?", b"1")):
        first, again = (client.post("/analyze", data=body, content_type=JSON) for _ in range(2))
        assert first.status_code == again.status_code >= 400
        assert first.get_json()["errors"] == again.get_json()["errors"]
    assert len(own.config["ANALYST"].known) == 0


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    requests=st.lists(st.lists(st.binary(max_size=2), min_size=1, max_size=2), max_size=30),
    most=st.integers(2, 8),
)
def test_the_most_recent_are_remembered(lexicon: Lexicon, requests: list[list[bytes]], most: int) -> None:
    known = KnownRequests(most)
    recent: list[bytes] = []  # the same by hand, oldest first
    for names in requests:
        assert (known.find(names[0]) is not None) == (names[0] in recent)
        known.note(names, Known(names[0].hex(), lexicon))
        for name in names:
            recent = [other for other in recent if other != name] + [name]
        recent = recent[-most:]
        assert len(known) == len(recent)
        for name in dict.fromkeys(names):
            recent = [other for other in recent if other != name] + [name]
            found = known.find(name)
            assert found is not None
            assert found.key == names[0].hex()


def test_get_is_read_as_ever(client: FlaskClient) -> None:
    path = "/analyze?cgp=15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 ADDEFS?/ 0/0 0"
    first, again = client.get(path), client.get(path)
    assert first.status_code == again.status_code == 200
    assert first.data == again.data


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    bodies=st.lists(
        st.fixed_dictionaries(
            {"cgp": st.sampled_from(["15/15 A/ 0/0 0", "x", "a\x00", "", "y" * 20_000, 7, None, ["z"]])},
            optional={
                "top_n": st.sampled_from([1, 1.0, True, "1", 200, 201]),
                "rack": st.sampled_from(["A", "A" * 65, 1]),
                "players": st.sampled_from([[{}, {}], [{"rack": "A"}, {}], [{}, {"score": 1}]]),
                "rows": st.just(["." * 15] * 15),
                "other": st.just(1),
            },
        ),
        max_size=6,
    )
)
def test_a_shape_seen_before_is_read_as_if_it_were_new(app: Flask, bodies: list[dict[str, object]]) -> None:
    seasoned = AnalyzeBody()
    with app.test_request_context():
        for body in bodies:
            results = []
            for schema in (seasoned, AnalyzeBody()):
                try:
                    results.append((schema.load(body), None))
                except ma.ValidationError as error:
                    results.append((None, error.messages))
            assert results[0] == results[1]
