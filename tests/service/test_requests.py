"""Requests: JSON with a length and a known type; and the headers of every answer."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs
from werkzeug.test import TestResponse, create_environ, run_wsgi_app
from werkzeug.wrappers import Request

from engine import DamagedTable, MissingTable
from service.logs import add_request_id
from service.state import draining

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from service.settings import Settings

TestResponse.__test__ = False  # type: ignore[attr-defined]  # pytest takes the name for that of tests

PROBLEM_FIELDS = ["type", "title", "status", "code", "params", "detail", "errors", "request_id"]


def problem(response: TestResponse) -> tuple[int, str]:
    assert response.content_type == "application/problem+json"
    body = response.get_json()
    assert list(body) == PROBLEM_FIELDS
    assert body["status"] == response.status_code
    assert body["request_id"] == response.headers["X-Request-ID"]
    return response.status_code, body["code"]


def send(
    client: FlaskClient, body: bytes, content_type: str = "application/json", **headers: str
) -> TestResponse:
    return client.post("/analyze", data=body, content_type=content_type, headers=headers)


class TestJson:
    @pytest.mark.parametrize(
        "body",
        [
            b" ",
            b"{",
            b"nonsense",
            b"{'a': 1}",
            b'{"a": 1,}',
            b'{"a": NaN}',
            b'{"a": Infinity}',
            b'{"a": 01}',
            b'{"a": 1} {}',
            b'\xef\xbb\xbf{"a": 1}',
            b'{"a": "\xff"}',
            b'{"a": "\xed\xa0\x80"}',
            b'{"a": "\\ud800"}',
            b'{"\\udfff": 1}',
            b'{"a": "\\ude00\\ud83d"}',
            '{"a": 1}'.encode("utf-16"),
            b'{"a": 1}\0',
        ],
    )
    def test_malformed_json(self, client: FlaskClient, body: bytes) -> None:
        assert problem(send(client, body)) == (400, "malformed_json")

    def test_malformed_json_is_located(self, client: FlaskClient) -> None:
        detail = send(client, b'{"rack": "AEINR').get_json()["detail"]
        assert detail == "the body is not JSON: unterminated string starting at line 1, column 10"

    @pytest.mark.parametrize(
        "body",
        [
            b'{"rack": "A", "rack": "B"}',
            b'{"players": [{"score": 1, "score": 1}]}',
            b'{"rack": 1, "\\u0072ack": 2}',
        ],
    )
    def test_duplicate_keys(self, client: FlaskClient, body: bytes) -> None:
        assert problem(send(client, body)) == (400, "duplicate_key")

    @pytest.mark.parametrize("depth", [17, 100, 1_000, 1_500, 30_000])
    @pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
    def test_too_deep(self, client: FlaskClient, depth: int, opening: bytes, closing: bytes) -> None:
        body = opening * depth + b"1" + closing * depth
        if len(body) <= 65_536:
            assert problem(send(client, body)) == (400, "too_deep")
        assert send(client, opening * (65_536 // len(opening))).status_code == 400

    def test_the_deepest_that_is_read(self, client: FlaskClient) -> None:
        assert problem(send(client, b"[" * 16 + b"]" * 16)) == (422, "wrong_type")

    @pytest.mark.parametrize("body", [b"null", b"1", b'"x"', b"[]", b"true", b"1e999", b"9" * 5000])
    def test_json_that_is_no_object(self, client: FlaskClient, body: bytes) -> None:
        assert problem(send(client, body)) in ((422, "wrong_type"), (400, "malformed_json"))

    def test_numbers_beyond_all_bounds(self, client: FlaskClient) -> None:
        for number in (
            b"1e400",
            b"-1e400",
            b"9" * 60_000,
            b"1" + b"0" * 400 + b".5",
            b"18446744073709551616",
        ):
            response = send(client, b'{"tiles": [], "rack": "A", "top_n": ' + number + b"}")
            assert response.status_code in (400, 422)


class TestTransfer:
    def test_a_body_without_a_length(self, app: Flask) -> None:
        environ = create_environ("/analyze", method="POST", data=b"{}", content_type="application/json")
        del environ["CONTENT_LENGTH"]
        assert problem(TestResponse(*run_wsgi_app(app, environ), request=Request(environ))) == (
            411,
            "length_required",
        )

    def test_a_chunked_body(self, client: FlaskClient) -> None:
        response = client.post(
            "/analyze", input_stream=io.BytesIO(b"x" * 300_000), content_type="application/json",
            headers={"Transfer-Encoding": "chunked"}, environ_overrides={"wsgi.input_terminated": True},
        )  # fmt: skip
        assert problem(response) == (411, "length_required")

    def test_a_body_too_large(self, client: FlaskClient) -> None:
        assert problem(send(client, b" " * 65_537)) == (413, "body_too_large")
        assert problem(send(client, b" " * 300_000)) == (413, "body_too_large")
        assert problem(send(client, b" " * 65_536)) == (400, "malformed_json")

    @pytest.mark.parametrize(
        "content_type",
        [
            "",
            "text/plain",
            "application/xml",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "application/json; charset=utf-16",
        ],
    )
    def test_another_type(self, client: FlaskClient, content_type: str) -> None:
        assert problem(send(client, b"{}", content_type)) == (415, "unsupported_media_type")

    def test_a_compressed_body(self, client: FlaskClient) -> None:
        assert problem(send(client, b"{}", **{"Content-Encoding": "gzip"})) == (415, "unsupported_media_type")

    @pytest.mark.parametrize("content_type", ["application/json", "APPLICATION/JSON; charset=UTF-8"])
    def test_the_right_type(self, client: FlaskClient, content_type: str) -> None:
        assert problem(send(client, b"{}", content_type)) == (422, "one_position_needed")

    @pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "TRACE", "FOO"])
    def test_another_method(self, client: FlaskClient, method: str) -> None:
        response = client.open("/analyze", method=method)
        assert problem(response) == (405, "method_not_allowed")
        assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}

    def test_post_where_there_is_only_get(self, client: FlaskClient) -> None:
        response = client.post("/lexicons", json={})
        assert problem(response) == (405, "method_not_allowed")
        assert "GET" in response.headers["Allow"]

    @pytest.mark.parametrize(
        "path", ["/nowhere", "/analyze/", "///nowhere", "/%00", "/\ud800", "/" + "x" * 5000]
    )
    def test_another_path(self, client: FlaskClient, path: str) -> None:
        assert problem(client.get(path.encode("utf-8", "surrogatepass").decode("latin-1"))) == (
            404,
            "not_found",
        )

    def test_an_internal_error_is_a_500_without_details(
        self, app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise RuntimeError("the secret")

        monkeypatch.setattr(type(app.extensions["kibitz"].analyst), "answer", fail)
        with capture_logs(processors=[add_request_id]) as logs:
            response = client.post("/analyze", json={"tiles": [], "rack": "A"})
        assert problem(response) == (500, "internal_error")
        assert "secret" not in response.text
        (entry,) = [entry for entry in logs if entry["event"] == "unexpected"]
        assert str(entry["exc_info"]) == "the secret"
        assert entry["request_id"] == response.get_json()["request_id"]

    def test_a_damaged_table_is_a_503(
        self, app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(name: str) -> None:
            raise DamagedTable("/srv/x.kibitz: run: kibitz lexicon build", code="damaged_table")

        catalogue = app.extensions["kibitz"].catalogue
        monkeypatch.setattr(catalogue, "opened", lambda name: None)
        monkeypatch.setattr(catalogue, "open", fail)
        response = client.post("/analyze", json={"tiles": [], "rack": "A"})
        assert problem(response) == (503, "damaged_table")
        assert response.headers["Retry-After"]
        assert "/srv" not in response.text

    def test_a_lexicon_that_is_not_built_is_a_404(
        self, app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(name: str) -> None:
            raise MissingTable("run: kibitz lexicon build x", code="missing_table", field="lexicon")

        catalogue = app.extensions["kibitz"].catalogue
        monkeypatch.setattr(catalogue, "opened", lambda name: None)
        monkeypatch.setattr(catalogue, "open", fail)
        assert problem(client.post("/analyze", json={"tiles": [], "rack": "A"})) == (404, "missing_table")


class TestRequestId:
    @pytest.mark.parametrize("given", ["a", "3f2-x.Y_z:9", "x" * 64])
    def test_a_well_formed_request_id_is_returned(self, client: FlaskClient, given: str) -> None:
        assert client.get("/livez", headers={"X-Request-ID": given}).headers["X-Request-ID"] == given

    @pytest.mark.parametrize("given", ["", "x" * 65, "a b", 'a"b', "é", "a;b"])
    def test_another_is_replaced(self, client: FlaskClient, given: str) -> None:
        generated = client.get("/livez", headers={"X-Request-ID": given}).headers["X-Request-ID"]
        assert generated != given
        assert len(generated) == 32

    def test_each_request_has_its_own(self, client: FlaskClient) -> None:
        ids = {client.get("/livez").headers["X-Request-ID"] for _ in range(10)}
        assert len(ids) == 10


class TestLogs:
    def test_a_line_of_json_per_request(self, settings: Settings, capsysbinary: Any) -> None:
        from dataclasses import replace

        from service.app import create_app

        client = create_app(replace(settings, log_level="info")).test_client()
        response = client.post("/analyze", json={"tiles": [], "rack": "ABC"})
        client.get("/livez")
        client.get("/nowhere")
        lines = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
        unexpected = [line for line in lines if line["event"] != "request"]
        assert not unexpected, unexpected[0]["exception"][-1500:]
        assert [(line["path"], line["status"]) for line in lines] == [("/analyze", 200), ("/nowhere", 404)]
        first = lines[0]
        assert {"timestamp", "level", "component", "event"} <= set(first)
        assert first["request_id"] == response.headers["X-Request-ID"]
        assert (first["method"], first["cache"], first["lexicon"]) == ("POST", "miss", "small")
        assert first["ms"] > 0


class TestHealth:
    def test_alive_and_ready(self, client: FlaskClient) -> None:
        assert client.get("/livez").get_json() == client.get("/readyz").get_json() == {"status": "ok"}

    def test_not_ready_while_draining(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        from service.app import create_app

        client = create_app(settings).test_client()
        assert client.get("/readyz").status_code == 200
        monkeypatch.setattr(draining, "value", 1)
        assert problem(client.get("/readyz")) == (503, "draining")
        assert client.get("/livez").status_code == 200

    def test_redis_has_no_say_in_it(self, settings: Settings) -> None:
        from dataclasses import replace

        from service.app import create_app

        client = create_app(replace(settings, redis_url="unix:///nonexistent.sock")).test_client()
        assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize("path", ["/version", "/boards", "/tile-sets", "/lexicons", "/openapi.json", "/docs"])
def test_what_is_read_again_need_not_be_sent_again(client: FlaskClient, path: str) -> None:
    first = client.get(path)
    tag = first.headers["ETag"]
    assert not tag.startswith("W/")
    again = client.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert client.get(path, headers={"If-None-Match": '"another"'}).data == first.data


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics"])
def test_health_and_metrics_are_not_cached(client: FlaskClient, path: str) -> None:
    assert client.get(path).headers["Cache-Control"] == "no-store"
