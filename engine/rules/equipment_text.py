"""What is wrong with the text of a board or a tile set, and where: for those who edit one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final

from engine.messages import rendered

if TYPE_CHECKING:
    from engine.errors import Fault, InvalidInput, Params

FIRST_LINES: Final = {"board": 1, "tile_set": 2}
"""The line of a text that has the first row of a board, or the first tile; a heading is above the tiles."""


@dataclass(frozen=True, slots=True)
class TextFault:
    """Say what is wrong with the text of a board or a tile set, and where."""

    field: Annotated[str, "the text: board or tile_set"]
    line: Annotated[int | None, "its line, from 1; null for a fault of the whole text"]
    square: Annotated[str | None, "the square of a board, such as 1D; null for a line or the whole text"]
    code: Annotated[str, "stable code"]
    params: Annotated[Params, "the values in `detail`, so that a program can say it in another language"]
    detail: Annotated[str, "one sentence for people"]

    def rendered(self, language: str) -> TextFault:
        """Return the fault with its sentence in a language."""
        return replace(self, detail=rendered(self.detail, language))


def text_faults(error: InvalidInput) -> list[TextFault]:
    """Return the faults that `BoardLayout.from_text` or `TileSet.from_csv` raised, with their places."""
    return [_placed(fault) for fault in error.faults]


def _placed(fault: Fault) -> TextFault:
    name, *steps = fault.field.split("/")
    line = int(steps[0]) + FIRST_LINES[name] if steps else fault.params.get("line")
    square = fault.params["square"] if name == "board" and len(steps) > 1 else None
    return TextFault(
        name,
        line if isinstance(line, int) else None,
        square if isinstance(square, str) else None,
        fault.code,
        fault.params,
        fault.detail,
    )
