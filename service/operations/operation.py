"""What an operation is, and what it needs to know about its caller."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from engine import Text
from service.json_parser import load
from service.problems import Problem
from service.schemas.fields import MultilineString, RequestSchema
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from engine import Answer, Deadline

MAX_PATH: Final = 8_190
"""The most characters of a member that is a part of the path over HTTP, whose address is not longer."""


Analyze: TypeAlias = "Callable[..., Answer]"
"""Takes an analysis, its lexicon, and for another body than that of /analyze its encoder and its name."""


def no_progress(done: int, total: int) -> None:
    """Ignore the progress of an operation."""


class Call(NamedTuple):
    """How an operation is called.

    `analyze` computes an analysis, `searching` surrounds any other search and yields its deadline; `lang` and
    `default` are the language and the lexicon of a request that names none; `progress` gets the steps done
    and their number.
    """

    analyze: Analyze
    searching: Callable[[], AbstractContextManager[Deadline | None]]
    lang: str
    default: str
    progress: Callable[[int, int], None] = no_progress


@dataclass(frozen=True, eq=False)
class Operation:
    """An operation: `function` makes the answer to a request loaded by `schema`.

    `path` names the members of the request that HTTP has in the path; `max_bytes` is the setting that limits
    the length of a request. All operations need an application context.
    """

    function: Callable[[dict[str, Any], Call], bytes]
    schema: RequestSchema
    path: tuple[str, ...] = ()
    max_bytes: str = "max_body_bytes"

    def __call__(self, data: dict[str, Any], call: Call) -> bytes:
        """Return the answer to a loaded request; raises Problems."""
        return self.function(data, call)

    @property
    def name(self) -> str:
        """The name, which is the operationId of the OpenAPI document."""
        return self.function.__name__

    def answer(self, document: dict[str, Any], size: int, call: Call) -> bytes:
        """Return the answer to a request of `size` bytes that is not loaded; raises Problems."""
        check_size(size, getattr(state().settings, self.max_bytes))
        return self(load(document, self._whole), call)

    @cached_property
    def _whole(self) -> RequestSchema:
        """The schema of a request that has the members of the path too."""
        if not self.path:
            return self.schema
        members = {name: MultilineString(MAX_PATH, min_length=1, required=True) for name in self.path}
        whole: RequestSchema = type(self.schema).from_dict(members)()  # type: ignore[assignment,arg-type]
        return whole


def operation(
    schema: RequestSchema, *path: str, max_bytes: str = "max_body_bytes"
) -> Callable[[Callable[[dict[str, Any], Call], bytes]], Operation]:
    """Make an operation of a function, which gets the request loaded by `schema`; see Operation."""
    return lambda function: Operation(function, schema, path, max_bytes)


def check_size(size: int, limit: int) -> None:
    """Raise a Problem (413) for a request of more than `limit` bytes that is one of several."""
    if size > limit:
        detail = Text("the item is longer than {limit} bytes", limit=limit)
        raise Problem(413, "body_too_large", detail)
