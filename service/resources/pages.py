"""Pages for browsers: the board at /, /judge, /topping, /quiz, /puzzles, /editor, /docs; their documents.

`/kibitz-board.js` is the custom element for pages of any origin, as one file. The pages of the service load
its two files from the static folder, where their addresses name the version.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import orjson
from flask import Blueprint, Response, current_app, render_template, url_for
from markupsafe import Markup, escape

from engine import duplicate_rule_ids, duplicate_rules
from service.annotation_report import element_script
from service.resources.conditional import conditional, conditional_json, etag_of
from service.view_rules import public

# The browser may only load scripts, styles and answers of this server.
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

# What the page asks for when it starts, beside its own files.
STARTING_LISTS: Final = ("/boards", "/lexicons", "/rule-sets", "/tile-sets")

_CODE_SPAN: Final = re.compile(r"`([^`]+)`")

blueprint = Blueprint("pages", __name__)


@blueprint.app_template_filter()
def code_spans(text: str) -> Markup:
    """Return a text with its `code spans` as markup."""
    return Markup(_CODE_SPAN.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - it is escaped


@blueprint.get("/")
@public
def board() -> Response:
    """Return the page with a board, a rack and the moves; it uses the HTTP API."""
    return _page(_board_html())


@blueprint.get("/judge")
@public
def judge() -> Response:
    """Return the word judge of a tournament; it judges in the browser, by a word list that it has loaded."""
    return _page(render_template("judge.html"))


@blueprint.get("/topping")
@public
def topping() -> Response:
    """Return the page on which one person plays duplicate against the top."""
    return _page(render_template("topping.html", rules=map(duplicate_rules, duplicate_rule_ids())))


@blueprint.get("/quiz")
@public
def quiz() -> Response:
    """Return the page with flash cards; the browser stores the progress."""
    return _page(render_template("quiz.html"))


@blueprint.get("/puzzles")
@public
def puzzles() -> Response:
    """Return the page that makes puzzles of the mistakes of recorded games."""
    return _page(render_template("puzzles.html"))


@blueprint.get("/editor")
@public
def editor() -> Response:
    """Return the page on which boards and tile sets are drawn."""
    return _page(render_template("editor.html"))


@blueprint.get("/docs")
@public
def docs() -> Response:
    """Return the documentation of the API as a page."""
    return _page(render_template("docs.html", spec=current_app.extensions["openapi"]))


@blueprint.get("/kibitz-board.js")
@public
def element() -> Response:
    """Return the custom element <kibitz-board> for pages of any origin."""
    text = element_script()
    response = conditional(etag_of(text), lambda: Response(text, mimetype="text/javascript"))
    response.access_control_allow_origin = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@blueprint.get("/service-worker.js")
@public
def service_worker() -> Response:
    """Return the script with which a browser shows the page and the word judge while the server is away.

    It names their files and a digest of their contents, so that a browser replaces what it has
    stored as soon as one of them changes.
    """
    paths = _static_files("page/*", "judge/*", "*.js", "icon.svg", "manifest.webmanifest")
    pages = _board_html(), render_template("judge.html")
    digest = etag_of(*pages, *(path.read_text("utf-8") for path in paths))
    files = [url_for("pages.board"), url_for("pages.judge"), *map(_address, paths), *STARTING_LISTS]
    text = render_template("service-worker.js", digest=digest, files=files)
    response = conditional(etag_of(text), lambda: Response(text, mimetype="text/javascript"))
    response.content_security_policy = POLICY  # it fetches the files
    return response


@blueprint.get("/openapi.json")
@public
def openapi() -> Response:
    """Return the OpenAPI document of the API."""
    return conditional_json(orjson.dumps(current_app.extensions["openapi"]))


def _board_html() -> str:
    """Return the page; it names all its scripts, so that a browser loads them at once."""
    return render_template("page.html", scripts=map(_address, _static_files("page/*.js", "*.js")))


def _static_files(*patterns: str) -> list[Path]:
    """Return the static files that patterns name."""
    folder = Path(current_app.static_folder or "")
    return [path for pattern in patterns for path in sorted(folder.glob(pattern))]


def _address(file: Path) -> str:
    """Return the address of a static file."""
    return url_for("static", filename=file.relative_to(current_app.static_folder or "").as_posix())


def _page(html: str) -> Response:
    """Return a page, or 304 if the browser already has it."""

    response = conditional(etag_of(html), lambda: Response(html, mimetype="text/html"))
    response.content_security_policy = POLICY  # of a 304 too: its headers replace those that the browser has
    return response
