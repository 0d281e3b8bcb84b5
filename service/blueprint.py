"""Blueprints whose views declare the operation, the arguments and the errors that the documentation shows."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import flask_smorest  # type: ignore[import-untyped]

from service.json_parser import StrictParser
from service.problems import MEDIA_TYPE
from service.schemas.answers import ProblemSchema

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.operations import Operation

UNCHANGED: Final = "the answer has not changed since the ETag in If-None-Match; without a body"

_PROBLEMS: Final = {
    "json": (400, 404, 411, 413, 415, 422, 429, 503),
    "query": (400, 404, 422, 429, 503),
}
"""The errors of operations by where their arguments are."""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A blueprint of flask-smorest whose arguments are read by StrictParser."""

    ARGUMENTS_PARSER = StrictParser()

    def arguments(self, schema: Any, *, location: str = "json", **more: Any) -> Callable[[Any], Any]:
        """Pass the arguments of a request, loaded by a schema; document them and the errors that follow."""
        decorate: Callable[[Any], Any] = super().arguments(schema, location=location, **more)
        return lambda view: self.problems(*_PROBLEMS[location])(decorate(view))

    def operation(
        self, asked: Operation, *, location: str | None = None, **more: Any
    ) -> Callable[[Any], Any]:
        """Name an operation as that of a view, and pass the view the request, loaded by its schema.

        Without a `location` the view takes no arguments but those of its path.
        """
        named: Callable[[Any], Any] = self.doc(operationId=asked.name)
        if location is None:
            return named
        loaded = self.arguments(asked.schema, location=location, **more)
        return lambda view: named(loaded(view))

    def problems(self, *statuses: int) -> Callable[[Any], Any]:
        """Document the errors of an operation, besides those that `arguments` documents."""
        content = {MEDIA_TYPE: {"schema": ProblemSchema()}}
        responses = {
            str(status): {"description": HTTPStatus(status).phrase, "content": content} for status in statuses
        }
        decorate: Callable[[Any], Any] = self.doc(responses=responses)
        return decorate

    def unchanged(self, view: Any) -> Any:
        """Document the answer 304 of an operation whose answers have an ETag.

        It is documented as an empty text, because generated clients leave a response without content untyped.
        """
        nothing = {"type": "string", "maxLength": 0}
        return self.alt_response(
            304, schema=nothing, content_type="text/plain", description=UNCHANGED, success=True
        )(view)
