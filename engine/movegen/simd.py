"""The vector path of the kernels: the best that the processor has, unless `use_simd` chooses another."""

from __future__ import annotations

from typing import Final

from engine.errors import EngineError
from engine.movegen import internal_words_narrow

SIMD_LEVELS: Final = (2, 1, 0)
"""The vector paths, the best first: AVX-512, AVX2, plain C."""


class _ChosenPath:
    """Hold the path chosen for this process; None means the best one."""

    level: int | None = None


def simd_paths() -> dict[str, int]:
    """Return the vector paths that this processor has, as level by name, the best first."""
    names = ((internal_words_narrow.simd_name(level), level) for level in SIMD_LEVELS)
    return {name: level for name, level in names if name}


def use_simd(level: int | None) -> None:
    """Choose the vector path of all generators that this process creates afterwards.

    `level`: 2 for AVX-512, 1 for AVX2, 0 for plain C; None for the best that the processor has, which is the
    default. Raises EngineError (code "simd_unavailable") for a path that this processor does not have.
    """
    if level is not None and level not in simd_paths().values():
        known = [f"{other} ({name})" for name, other in reversed(simd_paths().items())]
        raise EngineError(
            f"this processor has no vector path {level}; it has {', '.join(known)}",
            code="simd_unavailable",
            params={"level": level, "known": known},
        )
    _ChosenPath.level = level


def simd_level() -> int:
    """Return the level of the path that `use_simd` chose, else of the best that this processor has."""
    return next(iter(simd_paths().values())) if _ChosenPath.level is None else _ChosenPath.level
