"""/messages/LANGUAGE: the texts of the page in a language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
from flask import Blueprint, abort

from engine import LANGUAGES
from service.page_texts import page_texts
from service.resources.conditional import conditional_json
from service.view_rules import public

if TYPE_CHECKING:
    from flask import Response

blueprint = Blueprint("page-texts", __name__)


@blueprint.get("/messages/<language>")
@public
def messages(language: str) -> Response:
    """Return the translations of the page's texts by their English; the page shows others in English."""
    if language not in LANGUAGES:
        abort(404)
    response = conditional_json(orjson.dumps({"language": language, "messages": page_texts(language)}))
    response.headers["Content-Language"] = language
    return response
