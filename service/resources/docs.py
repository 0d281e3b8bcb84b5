"""/openapi.json and /docs: the contract for programs and for people, without anything from elsewhere."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import orjson
from flask import Response, render_template, request

from service.openapi import document

if TYPE_CHECKING:
    from flask import Flask

    from service.openapi import Api

# Everything stands in the page itself; the browser may fetch nothing but this server's own answers.
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_ASSETS = {"docs.css": "text/css", "docs.js": "text/javascript"}


def serve_documents(app: Flask, api: Api) -> None:
    """Add the routes of the documentation to `app`; the document is made once, when it is first wanted."""
    made: dict[str, Response] = {}

    def once(name: str, body: bytes | str, mimetype: str) -> Response:
        response = Response(body, mimetype=mimetype)
        response.set_etag(sha256(response.get_data()).hexdigest()[:32])
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Content-Security-Policy"] = _POLICY
        made[name] = response
        return response

    def answer(name: str) -> Response:
        response = Response(made[name].get_data(), headers=made[name].headers)
        response.make_conditional(request)
        return response

    @app.get("/openapi.json")
    def openapi_json() -> Response:
        if "openapi" not in made:
            once("openapi", orjson.dumps(document(api)), "application/json")
        return answer("openapi")

    @app.get("/docs")
    def docs() -> Response:
        if "docs" not in made:
            once("docs", render_template("docs.html", spec=document(api)), "text/html")
        return answer("docs")

    def asset(name: str) -> Response:
        if name not in made:
            once(name, render_template(name), _ASSETS[name])
        return answer(name)

    for name in _ASSETS:
        app.add_url_rule(f"/docs/{name}", name.replace(".", "_"), lambda name=name: asset(name))
