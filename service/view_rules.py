"""What a view demands of its requests, declared on the view: who may call it, and which body it takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Request

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
TEXT: Final = "text/plain"
HTML: Final = "text/html"

View = TypeVar("View", bound="Callable[..., Any]")

_ATTRIBUTE: Final = "kibitz_rules"


@dataclass(frozen=True, slots=True)
class ViewRules:
    """The demands of a view.

    `is_public`: it needs no key and has no rate limit; `is_local`: it is for this machine and owners of keys;
    `media_types`: those of its body; `max_bytes`: the setting that limits the length of the body.
    """

    is_public: bool = False
    is_local: bool = False
    media_types: tuple[str, ...] = (JSON,)
    max_bytes: str = "max_body_bytes"


_DEFAULT: Final = ViewRules()


def public(view: View) -> View:
    """Mark a view as public: it needs no key and has no rate limit."""
    return _changed(view, is_public=True)


def local(view: View) -> View:
    """Mark a view as open to this machine and to owners of keys only."""
    return _changed(view, is_local=True)


def takes(*media_types: str, max_bytes: str) -> Callable[[View], View]:
    """Declare the media types of the body of a view, and the setting that limits its length."""
    return lambda view: _changed(view, media_types=media_types, max_bytes=max_bytes)


def rules_of(app: Flask, request: Request) -> ViewRules:
    """Return the rules of the view that answers a request; the default ones if there is none."""
    view = app.view_functions.get(request.endpoint or "")
    found: ViewRules = getattr(getattr(view, "view_class", view), _ATTRIBUTE, _DEFAULT)
    return found


def _changed(view: View, **changes: Any) -> View:
    setattr(view, _ATTRIBUTE, replace(getattr(view, _ATTRIBUTE, _DEFAULT), **changes))
    return view
