"""The language of the texts in an answer: that of `lang`, else the best of Accept-Language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from babel import negotiate_locale
from flask import g, request

from engine import DEFAULT_LANGUAGE, LANGUAGES

if TYPE_CHECKING:
    from flask import Response

CONTENT_LANGUAGE: Final = {
    "Content-Language": {"description": "language of the sentences", "schema": {"type": "string"}}
}
"""The documentation of the header that `name_language` adds."""


def accepted_language() -> str:
    """Return the language of messages that the client of the current request prefers."""
    preferred = [tag for tag, quality in request.accept_languages if quality > 0]
    # Werkzeug's own choice prefers "en" to the French of "fr-CA, en;q=0.1".
    found = negotiate_locale(preferred, LANGUAGES, sep="-") if preferred else None
    return found or DEFAULT_LANGUAGE


def prefer_language(document: Any) -> None:
    """Let the texts of the answer have the language that the body of the current request names, if any."""
    g.lang = document.get("lang") if isinstance(document, dict) else None


def answer_language() -> str:
    """Return the language of the texts in the answer to the current request."""
    named = g.get("lang") or request.args.get("lang")
    return named if named in LANGUAGES else accepted_language()


def with_language_headers(response: Response) -> Response:
    """Return the response with headers that say in which language it is and what chose it."""
    response.headers["Content-Language"] = answer_language()
    response.vary.add("Accept-Language")
    return response


def with_language(data: dict[str, Any]) -> dict[str, Any]:
    """Return a loaded request with the language of the sentences in its answer."""
    return data if "lang" in data else {**data, "lang": accepted_language()}
