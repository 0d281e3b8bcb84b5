"""The pages for browsers: the board at /, the documentation at /docs, and its source /openapi.json."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, current_app, render_template

from service.keys import public
from service.resources.conditional import conditional, conditional_json, etag_of

# The browser may only load scripts, styles and answers of this server.
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
@public
def board() -> Response:
    """Return the page with a board, a rack and the moves; it uses the HTTP API."""
    return _page(render_template("board.html"))


@blueprint.get("/docs")
@public
def docs() -> Response:
    """Return the documentation of the API as a page."""
    return _page(render_template("docs.html", spec=current_app.extensions["openapi"]))


@blueprint.get("/openapi.json")
@public
def openapi() -> Response:
    """Return the OpenAPI document of the API."""
    return conditional_json(current_app.extensions["openapi"])


def _page(html: str) -> Response:
    """Return a page, or 304 if the browser already has it."""

    def page() -> Response:
        response = Response(html, mimetype="text/html")
        response.content_security_policy = POLICY
        return response

    return conditional(etag_of(html), page)
