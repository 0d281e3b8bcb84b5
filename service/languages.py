"""The language of the sentences in an answer: that of `lang`, else the best of Accept-Language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from babel import negotiate_locale
from flask import request

from engine import DEFAULT_LANGUAGE, LANGUAGES

if TYPE_CHECKING:
    from flask import Response

CONTENT_LANGUAGE: Final = {
    "Content-Language": {"description": "language of the explanation", "schema": {"type": "string"}}
}
"""The documentation of the header that `name_language` adds."""


def accepted_language() -> str:
    """Return the language of messages that the client of the current request prefers."""
    preferred = [tag for tag, quality in request.accept_languages if quality > 0]
    # Werkzeug's own choice prefers "en" to the French of "fr-CA, en;q=0.1".
    return negotiate_locale(preferred, LANGUAGES, sep="-") or DEFAULT_LANGUAGE


def with_language(data: dict[str, Any]) -> dict[str, Any]:
    """Return a loaded request; if it asks for an explanation, with the language of its sentences."""
    return data if not data["explain"] or "lang" in data else {**data, "lang": accepted_language()}


def name_language(response: Response, data: dict[str, Any]) -> Response:
    """Return the response; if the loaded request asks for an explanation, with headers about its language."""
    if data["explain"]:
        response.headers["Content-Language"] = data["lang"]
        response.vary.add("Accept-Language")
    return response
