"""The kernel modules by geometry: every kernel is compiled for two sizes of alphabet and board (geometry.h).

The tables of a lexicon have one geometry, and so have the kernels that read them: `lexicon.kernels.board` is
the module `engine.loaded_board.board_narrow` or `board_wide`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

_PACKAGES: Final = {
    "tables": "engine.lexicon",
    "board": "engine.loaded_board",
    "internal_words": "engine.movegen",
    "evaluation": "engine.evaluation",
    "search": "engine.search",
    "endgame": "engine.search.endgame",
    "selfplay": "engine.selfplay",
}


class Kernels:
    """The kernel modules of one geometry, "narrow" or "wide", by name; each is imported at its first use."""

    def __init__(self, geometry: str) -> None:
        self.geometry = geometry

    def __getattr__(self, name: str) -> Any:
        if name not in _PACKAGES:
            raise AttributeError(name)
        module = import_module(f"{_PACKAGES[name]}.{name}_{self.geometry}")
        setattr(self, name, module)
        return module


KERNELS: Final = {geometry: Kernels(geometry) for geometry in ("narrow", "wide")}
"""The kernels by geometry, the faster one first."""
