"""/openapi.json and /docs: the contract for programs and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
from flask import render_template

from service.openapi import document

if TYPE_CHECKING:
    from service.openapi import Api
    from service.resources.pages import Pages


def serve_documents(pages: Pages, api: Api) -> None:
    """Add the documentation of an API to the pages."""
    pages.add("/openapi.json", "application/json", lambda: orjson.dumps(document(api)))
    pages.add("/docs", "text/html", lambda: render_template("docs/docs.html", spec=document(api)))
    pages.add_assets("docs", "docs.css", "docs.js")
