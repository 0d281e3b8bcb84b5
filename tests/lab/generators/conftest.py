"""The worlds of the engine's generator, and the generators of the laboratory in its place."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from lab.generators import FAST_GENERATORS
from lab.generators import generator as generator_of
from lab.generators.anagram import Anagram
from lab.generators.appel_jacobson import AppelJacobson
from lab.generators.gordon import Gordon
from tests.movegen.conftest import large, twl06, worlds

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.lexicon import Lexicon

__all__ = ["large", "twl06", "worlds"]


@pytest.fixture(params=FAST_GENERATORS[1:])
def generator(request: pytest.FixtureRequest) -> Callable[[Lexicon], Any]:
    """Makes a generator of the laboratory."""
    return partial(generator_of, request.param)


@pytest.fixture
def implementations() -> Callable[[Lexicon], dict[str, Any]]:
    """Makes all of them, those that walk an automaton at each of their levels, by name."""
    return by_level


def by_level(lexicon: Lexicon) -> dict[str, Any]:
    found: dict[str, Any] = {"anagram": Anagram(lexicon)}
    for method in (Gordon, AppelJacobson):
        for level in (0, 1):
            if method.kernels["narrow"].simd_name(level):
                found[f"{method.name}, kernel {level}"] = method(lexicon, simd=level)
    return found
