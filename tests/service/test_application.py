"""Our Flask calls what Flask calls, in its order, whatever happens on the way."""

from __future__ import annotations

import pytest
from flask import Blueprint, Flask, Response, abort, after_this_request, request_tearing_down, session

from service.application import Application
from service.openapi import Operations


def life_of(app: Flask, path: str, method: str) -> tuple[list[str], int, bytes, list[tuple[str, str]]]:
    """Ask an application with hooks of all kinds; return what was called, and the answer."""
    called: list[str] = []

    def noted(name: str, answer: str | None = None) -> str | None:
        called.append(name)
        return answer

    blueprint = Blueprint("part", __name__)

    @blueprint.route("/good", methods=["GET", "POST"])
    def good() -> str:
        @after_this_request
        def own(response: Response) -> Response:
            noted("own")
            return response

        noted("view")
        assert not session
        return "good"

    @blueprint.get("/bad")
    def bad() -> str:
        raise KeyError("bad")

    @blueprint.get("/gone")
    def gone() -> str:
        abort(410)

    def after(name: str) -> object:
        def hook(response: Response) -> Response:
            noted(name)
            response.headers["X-Last"] = name
            return response

        return hook

    app.before_request(lambda: noted("before 1"))
    app.before_request(lambda: noted("before 2", "instead" if path == "/instead" else None))
    app.before_request(lambda: noted("before 3"))
    for name in ("after 1", "after 2"):
        app.after_request(after(name))  # type: ignore[arg-type]
    app.teardown_request(lambda error: noted(f"teardown 1 {error!r}") and None)
    app.teardown_request(lambda error: noted(f"teardown 2 {error!r}") and None)
    app.errorhandler(KeyError)(lambda error: (noted(repr(error)) or "wrong", 500))
    app.register_blueprint(blueprint)
    with request_tearing_down.connected_to(lambda *_, **__: called.append("signal"), app):
        answer = app.test_client().open(path, method=method)
    return called, answer.status_code, answer.data, list(answer.headers)


@pytest.mark.parametrize("path", ["/good", "/bad", "/gone", "/none", "/instead", "/good?a=1"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS", "DELETE"])
def test_hooks_are_called_as_flask_calls_them(path: str, method: str) -> None:
    usual = life_of(Flask("usual", static_folder=None), path, method)
    assert life_of(Application("own"), path, method) == usual
    assert {"before 1", "after 1", "signal"} <= set(usual[0])


@pytest.mark.parametrize(
    "kind", ["before_request", "after_request", "teardown_request", "url_value_preprocessor"]
)
def test_a_blueprint_with_hooks_is_refused(kind: str) -> None:
    blueprint = Blueprint("part", __name__)
    getattr(blueprint, kind)(lambda *_: None)
    with pytest.raises(ValueError, match="part has hooks"):
        Application("own").register_blueprint(blueprint)


def test_nobody_has_a_session() -> None:
    app = Application("own")

    @app.get("/")
    def write() -> str:
        session["a"] = 1
        return ""

    answer = app.test_client().get("/", headers={"Cookie": "session=abc"})
    assert answer.status_code == 500, "as without a secret key"
    assert "Set-Cookie" not in answer.headers


def test_a_view_answers_by_the_method_asked_for() -> None:
    class Both(Operations):
        def get(self, name: str) -> str:
            return f"got {name}"

        def delete(self, name: str) -> str:
            return f"gone {name}"

    app = Application("own")
    app.add_url_rule("/<name>", view_func=Both.as_view("both"))
    client = app.test_client()
    assert client.get("/a").text == "got a"
    assert client.delete("/b").text == "gone b"
    head = client.head("/abc")
    assert (head.status_code, head.content_length, head.data) == (200, 7, b"")
    refused = client.post("/a")
    assert (refused.status_code, refused.allow) == (405, {"GET", "HEAD", "OPTIONS", "DELETE"})
    assert client.options("/a").allow == {"GET", "HEAD", "OPTIONS", "DELETE"}
