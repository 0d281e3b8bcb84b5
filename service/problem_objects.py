"""Problem objects (RFC 9457), which answers and the command line share; none of this needs Flask."""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from engine import DEFAULT_LANGUAGE, message, params_of, rendered, translated

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_ERRORS: Final = 50
"""How many faults a problem lists."""

# The titles of the problems, in the words of every version of Python.
_TITLES: Final = (
    message("Bad Request"),
    message("Unauthorized"),
    message("Not Found"),
    message("Method Not Allowed"),
    message("Conflict"),
    message("Gone"),
    message("Length Required"),
    message("Request Entity Too Large"),
    message("Content Too Large"),
    message("Unsupported Media Type"),
    message("Unprocessable Entity"),
    message("Unprocessable Content"),
    message("Too Many Requests"),
    message("Internal Server Error"),
    message("Not Implemented"),
    message("Service Unavailable"),
)


@dataclass(frozen=True, slots=True)
class ErrorItem:
    """One fault of a request; `pointer` is a JSON pointer into the body, or `/name` of a parameter.

    `params` are by default the values in `detail`, if it is a Text.
    """

    pointer: str
    code: str
    detail: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.params:
            object.__setattr__(self, "params", params_of(self.detail))


@dataclass(frozen=True, slots=True)
class ProblemObject:
    """An error with its status of HTTP; `params` are by default the values in `detail`, if it is a Text."""

    status: int
    code: str
    detail: str
    errors: tuple[ErrorItem, ...] = ()
    params: Mapping[str, Any] | None = None

    def body(self, request_id: str | None = None, language: str = DEFAULT_LANGUAGE) -> dict[str, Any]:
        """Return the members of the problem, with its texts in a language."""
        params = params_of(self.detail) if self.params is None else self.params
        return {
            "type": "about:blank",
            "title": translated(HTTPStatus(self.status).phrase, language),
            "status": self.status,
            "code": self.code,
            "params": _encodable(dict(params)),
            "detail": _encodable(rendered(self.detail, language)),
            "errors": [
                {
                    "pointer": _encodable(item.pointer),
                    "code": item.code,
                    "params": _encodable(item.params),
                    "detail": _encodable(rendered(item.detail, language)),
                }
                for item in self.errors
            ],
            "request_id": request_id,
        }


def _encodable(value: Any) -> Any:
    """Return a value whose texts have lone surrogates escaped, so that JSON can hold them."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(inner) for inner in value]
    return value
