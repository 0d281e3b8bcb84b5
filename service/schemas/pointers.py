"""Translate the engine's errors into problems with JSON pointers into the request."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine import DamagedTable, EngineError, MissingTable, NotFound, TableNotReady
from service.problem_objects import ErrorItem
from service.problems import Problem
from service.schemas.position import WAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@contextmanager
def pointing(data: Mapping[str, Any], board: tuple[str, ...] | None = None) -> Iterator[None]:
    """Raise a Problem for an error of the engine, with a JSON pointer into `data` for each fault.

    `board` is the path in `data` of what the engine calls "board"; by default the field with the squares.
    """
    try:
        yield
    except (DamagedTable, TableNotReady):  # not the client's fault
        raise
    except EngineError as error:
        path = _squares_path(data) if board is None else board
        items = [
            ErrorItem(_pointer(data, fault.field, path), fault.code, fault.detail, fault.params)
            for fault in error.faults
        ]
        if _is_unknown_lexicon(error):
            raise Problem(404, error.code, error.message, items, params=error.params) from None
        raise Problem.invalid(items) from None


def _is_unknown_lexicon(error: EngineError) -> bool:
    return isinstance(error, MissingTable) or (
        isinstance(error, NotFound) and error.code == "unknown_lexicon"
    )


def _squares_path(data: Mapping[str, Any]) -> tuple[str, ...]:
    return next(((way,) for way in WAYS if way in data), ())


def _pointer(data: Mapping[str, Any], field: str, board: tuple[str, ...]) -> str:
    """Translate a field of the engine into a JSON pointer to the nearest place that is in `data`."""
    steps = field.split("/") if field else []
    if steps and steps[0] == "board":
        steps = [*board, *steps[1:]]
    if steps and steps[0] == "tile_set" and "tile_set" not in data:
        steps = ["lexicon"]  # the source of the tile set
    if steps and steps[0] not in data:
        steps = [name for name in ("cgp", "gcg") if name in data]
    pointer = ""
    place: Any = data
    for step in steps:
        try:
            place = place[int(step)] if isinstance(place, list) else place[step]
        except (KeyError, IndexError, TypeError, ValueError):
            break  # inside a string, or an object given by its id
        pointer += "/" + step
    return pointer
